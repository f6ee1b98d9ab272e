// Provider of vectors: sends requests, classifies failures, and schedules retries.

import { createHash } from 'node:crypto'
import {
  embed,
  EmbeddingsFailure,
  type SendRequest,
  type EmbeddingEndpoint,
} from '../../connectors/embeddings.ts'
import type { Settings } from '../../config/settings.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { Unreachable } from '../../outbound/guard.ts'
import { KeyUnreadable, keyReader } from '../key-file.ts'
import {
  maxQueryLength,
  Pauses,
  type EmbeddingResult,
  type Identity,
  type QueryEmbedding,
  type SourcePaused,
  type SourceProblem,
  type VectorSource,
} from './vector-source.ts'
import { quantize } from '../worker/scan.ts'

export interface ProviderOptions {
  url: string
  model: string
  /** Read for each request. */
  key: () => string | undefined
  dimensions: number | undefined
  prefixes: { query: string; document: string }
  /** Maximum passages per request. */
  batch: number
  /** Timeouts in milliseconds for requests with passages, and for a query. */
  timeouts: { passages: number; question: number }
}

/**
 * A text whose vector identifies the model: sent with each request, so that vectors of two models never mix in one
 * space.
 */
const probe = 'The quick brown fox asks the committee about the budget of the harbour project.'
/** Minimum similarity of two probe vectors of the same model: servers do not return identical numbers each time. */
const minSimilarity = 0.99
/** Maximum response bytes: 2,000 vectors of 1,024 numbers. */
const maxResponseBytes = 64 * 2 ** 20
/** A passage that is still too long at this length is not retried. */
const minLength = 100
/** Maximum pause that a server can request. */
const maxPauseMs = 3_600_000
/** The problem if requests are answered by different models. */
export const changingModelsProblem = 'The provider answers with changing models.'

interface BatchResult extends EmbeddingResult {
  /** All from one request. */
  isSingleRequest: boolean
}

/** A server with OpenAI's interface for embeddings. Its identity is the vector of a fixed text, with the prefixes. */
export class Provider implements VectorSource {
  readonly #options: ProviderOptions
  readonly #outbound: Pick<Outbound, 'request'>
  readonly #now: () => number
  readonly #abort = new AbortController()
  readonly #pauses: Pauses
  #batch: number

  constructor(options: ProviderOptions, outbound: Pick<Outbound, 'request'>, now: () => number) {
    this.#options = options
    this.#outbound = outbound
    this.#now = now
    this.#pauses = new Pauses(now, (error) => describeProblem(error, options.url))
    this.#batch = options.batch
  }

  get model(): string {
    return this.#options.model
  }

  /** Maximum passages per request: reduced once the server rejects as many. */
  get batch(): number {
    return this.#batch
  }

  get currentProblem(): SourceProblem | undefined {
    return this.#pauses.current
  }

  get isPaused(): boolean {
    return this.#pauses.isPaused
  }

  get acceptsQueries(): boolean {
    return !this.#abort.signal.aborted && this.#pauses.acceptsQueries
  }

  async identity(): Promise<Identity> {
    return (await this.vectorsOf([])).identity
  }

  async vectorsOf(texts: readonly string[]): Promise<EmbeddingResult> {
    if (this.isPaused) throw this.pause(undefined)
    try {
      return this.#succeeded(await this.#embedBatch(texts))
    } catch (error) {
      throw this.pause(error)
    }
  }

  async vectorOf(queryText: string): Promise<QueryEmbedding | undefined> {
    try {
      const { query, document } = this.#options.prefixes
      const [probeVector, vector] = await embed(
        this.#ask(this.#options.timeouts.question),
        this.#endpoint(),
        [document + probe, query + queryText.slice(0, maxQueryLength)],
        this.#now(),
      )
      return this.#succeeded({ identity: this.#identityOf(probeVector!), vector: vector! })
    } catch (error) {
      this.#pauses.pauseQueries()
      if (
        !(error instanceof EmbeddingsFailure && error.kind === 'tooMuch') &&
        !(error instanceof Unreachable && error.reason === 'timeout')
      )
        this.pause(error) // a slow response does not pause the provider
      return undefined
    }
  }

  isSame(identity: Identity, other: Identity): boolean {
    const [[prefixes, a], [others, b]] = [
      identity.fingerprint.split('.'),
      other.fingerprint.split('.'),
    ] as [string[], string[]]
    return (
      identity.dimensions === other.dimensions &&
      prefixes === others &&
      cosine(a!, b!) >= minSimilarity
    )
  }

  pause(error: unknown): SourcePaused {
    const retryAfterMs = error instanceof EmbeddingsFailure ? error.retryAfterMs : undefined
    return this.#pauses.start(error, Math.min(retryAfterMs ?? 0, maxPauseMs))
  }

  close(): void {
    this.#abort.abort()
  }

  #succeeded<T>(result: T): T {
    this.#pauses.end()
    return result
  }

  async #embedBatch(texts: readonly string[]): Promise<BatchResult> {
    const { document } = this.#options.prefixes
    try {
      const [probeVector, ...vectors] = await embed(
        this.#ask(this.#options.timeouts.passages),
        this.#endpoint(),
        [probe, ...texts].map((text) => document + text),
        this.#now(),
      )
      return { identity: this.#identityOf(probeVector!), vectors, isSingleRequest: true }
    } catch (error) {
      if (!(error instanceof EmbeddingsFailure) || error.kind !== 'tooMuch' || texts.length === 0)
        throw error
      return texts.length > 1 ? this.#embedHalves(texts) : this.#embedShortened(texts[0]!)
    }
  }

  async #embedHalves(texts: readonly string[]): Promise<BatchResult> {
    const middle = Math.ceil(texts.length / 2)
    const firstHalf = await this.#embedBatch(texts.slice(0, middle))
    const other = await this.#embedBatch(texts.slice(middle))
    if (!this.isSame(firstHalf.identity, other.identity))
      throw new EmbeddingsFailure('nonsense', changingModelsProblem)
    if (firstHalf.isSingleRequest && other.isSingleRequest)
      this.#batch = Math.min(this.#batch, middle) // the number of texts was too high, and not the length of one of them
    return {
      identity: firstHalf.identity,
      vectors: [...firstHalf.vectors, ...other.vectors],
      isSingleRequest: false,
    }
  }

  /** The vector of a text's beginning, used for the whole. */
  async #embedShortened(text: string): Promise<BatchResult> {
    if (text.length > minLength)
      return {
        ...(await this.#embedBatch([text.slice(0, Math.floor(text.length / 2))])),
        isSingleRequest: false,
      }
    return {
      identity: (await this.#embedBatch([])).identity,
      vectors: [undefined],
      isSingleRequest: false,
    }
  }

  #identityOf(vector: Float32Array): Identity {
    const { query, document } = this.#options.prefixes
    const prefixes = createHash('sha256')
      .update(JSON.stringify([query, document]))
      .digest('hex')
      .slice(0, 12)
    return {
      dimensions: vector.length,
      fingerprint: `${prefixes}.${Buffer.from(quantize(vector).bytes.buffer).toString('base64')}`,
    }
  }

  #endpoint(): EmbeddingEndpoint {
    const { url, model, key, dimensions } = this.#options
    return { url, model, key: key(), dimensions }
  }

  #ask(timeoutMs: number): SendRequest {
    return (url, request) =>
      this.#outbound.request(url, request, {
        timeoutMs,
        maxBytes: maxResponseBytes,
        signal: this.#abort.signal,
      })
  }
}

function describeProblem(error: unknown, url: string): string {
  if (error instanceof EmbeddingsFailure || error instanceof KeyUnreadable) return error.message
  if (error instanceof Unreachable)
    return `${URL.parse(url)?.host ?? url} could not be reached or timed out. A server on a private network needs --outbound-allow host:port.`
  return `Internal error: ${error instanceof Error ? error.message : String(error)}`
}

function cosine(name: string, other: string): number {
  const [a, b] = [name, other].map((text) => new Int8Array(Buffer.from(text, 'base64'))) as [
    Int8Array,
    Int8Array,
  ]
  let [product, as, bs] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    product += a[i]! * b[i]!
    as += a[i]! * a[i]!
    bs += b[i]! * b[i]!
  }
  return product / Math.sqrt(as * bs || 1)
}

/** The configured server. */
export function providerOf(
  settings: Settings,
  outbound: Outbound,
  now: () => number,
  env: NodeJS.ProcessEnv,
): Provider {
  return new Provider(
    {
      url: settings.embeddings_url,
      model: settings.embeddings_model,
      key: keyReader(settings.embeddings_key_file, env.WORKSPACE_EMBEDDINGS_KEY),
      dimensions: settings.embeddings_dimensions || undefined,
      prefixes: {
        query: settings.embeddings_query_prefix,
        document: settings.embeddings_document_prefix,
      },
      batch: settings.embeddings_batch,
      timeouts: {
        get passages() {
          return settings.embeddings_timeout * 1000
        },
        get question() {
          return settings.embeddings_query_timeout
        },
      },
    },
    outbound,
    now,
  )
}
