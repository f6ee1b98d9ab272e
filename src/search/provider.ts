// Provider of vectors: sends requests, classifies failures, and schedules retries.

import { createHash } from 'node:crypto'
import { embed, NoVectors, type Ask, type EmbeddingEndpoint } from '../connectors/embeddings.ts'
import { exponential } from '../kernel/backoff.ts'
import type { Settings } from '../config/settings.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { Unreachable } from '../outbound/guard.ts'
import { KeyUnreadable, keyReader } from './key-file.ts'
import { quantized } from './worker/scan.ts'

export interface ProviderOptions {
  url: string
  model: string
  /** Read for each request. */
  key: () => string | undefined
  dimensions: number | undefined
  prefixes: { query: string; document: string }
  /** Passages of a request at most. */
  batch: number
  /** Milliseconds that a request with passages, and one with a question, may take. */
  within: { passages: number; question: number }
}

/** By what two spaces are told apart: the vector of a fixed text, and what was put before texts. */
export interface Identity {
  dimensions: number
  fingerprint: string
}

/** Its vector is that of the model: it goes along with each request, so that vectors of two models never come into one space. */
const probe = 'The quick brown fox asks the committee about the budget of the harbour project.'
/** From here on two vectors of the probe are of one model: servers do not make the same numbers each time. */
const same = 0.99
/** Bytes of an answer that are read: 2,000 vectors of 1,024 numbers. */
const largest = 64 * 2 ** 20
/** Characters of a question that are sent. */
const maxQuestionLength = 2000
/** A passage that is still too long with so few characters is not sent again. */
const minLength = 100
const backoff = exponential({ first: 2_000, most: 600_000 })
/** A server may ask for a longer pause, and gets no longer one than this. */
const maxPauseMs = 3_600_000
/** After a question without an answer, the next ones are not sent for so long. */
const questionsRest = 15_000

/** Why no vectors come, and until when no one asks again. */
export interface Trouble {
  problem: string
  at: number
  until: number
}

/** Vectors with what they are like; undefined for a text that is too long even when it is cut. */
interface Made {
  identity: Identity
  vectors: (Float32Array | undefined)[]
  /** Made by one request. */
  isWhole: boolean
}

/** Thrown where the provider rests after a failure. */
export class Resting extends Error {}

export class Provider {
  readonly #of: ProviderOptions
  readonly #outbound: Pick<Outbound, 'request'>
  readonly #now: () => number
  readonly #ending = new AbortController()
  #batch: number
  #failures = 0
  #trouble: Trouble | undefined
  #questionsFrom = 0

  constructor(options: ProviderOptions, outbound: Pick<Outbound, 'request'>, now: () => number) {
    this.#of = options
    this.#outbound = outbound
    this.#now = now
    this.#batch = options.batch
  }

  get model(): string {
    return this.#of.model
  }

  /** Passages of a request at most: fewer than is set, once the server did not take as many. */
  get batch(): number {
    return this.#batch
  }

  get trouble(): Trouble | undefined {
    return this.#trouble
  }

  get isResting(): boolean {
    return this.#trouble !== undefined && this.#now() < this.#trouble.until
  }

  /** Whether a question may be sent now. */
  get takesQuestions(): boolean {
    return !this.#ending.signal.aborted && !this.isResting && this.#now() >= this.#questionsFrom
  }

  /** Identity of the provider's current vectors. @throws Resting */
  async identity(): Promise<Identity> {
    return (await this.vectorsOf([])).identity
  }

  /** Vectors of passages. @throws Resting */
  async vectorsOf(texts: readonly string[]): Promise<Made> {
    if (this.isResting) throw new Resting(this.#trouble!.problem)
    try {
      return this.#well(await this.#some(texts))
    } catch (error) {
      throw this.rest(error)
    }
  }

  /** The vector of a question, soon or not at all. */
  async vectorOf(
    question: string,
  ): Promise<{ identity: Identity; vector: Float32Array } | undefined> {
    try {
      const { query, document } = this.#of.prefixes
      const [seen, vector] = await embed(
        this.#ask(this.#of.within.question),
        this.#place(),
        [document + probe, query + question.slice(0, maxQuestionLength)],
        this.#now(),
      )
      return this.#well({ identity: this.#identityOf(seen!), vector: vector! })
    } catch (error) {
      this.#questionsFrom = this.#now() + questionsRest
      if (
        !(error instanceof NoVectors && error.why === 'tooMuch') &&
        !(error instanceof Unreachable && error.reason === 'timeout')
      )
        this.rest(error) // slow is not away
      return undefined
    }
  }

  /** Whether vectors of the two may be compared. */
  isSame(identity: Identity, other: Identity): boolean {
    const [[prefixes, a], [others, b]] = [
      identity.fingerprint.split('.'),
      other.fingerprint.split('.'),
    ] as [string[], string[]]
    return identity.dimensions === other.dimensions && prefixes === others && cosine(a!, b!) >= same
  }

  /** Notes a failure, after which no one asks for a while. */
  rest(error: unknown): Resting {
    if (this.isResting) return new Resting(this.#trouble!.problem, { cause: error })
    const at = this.#now()
    const retryAfterMs = error instanceof NoVectors ? error.after : undefined
    const wait = Math.max(
      backoff(++this.#failures, Math.random),
      Math.min(retryAfterMs ?? 0, maxPauseMs),
    )
    this.#trouble = { problem: inWords(error, this.#of.url), at, until: at + wait }
    return new Resting(this.#trouble.problem, { cause: error })
  }

  close(): void {
    this.#ending.abort()
  }

  #well<T>(result: T): T {
    this.#failures = 0
    this.#trouble = undefined
    return result
  }

  async #some(texts: readonly string[]): Promise<Made> {
    const { document } = this.#of.prefixes
    try {
      const [seen, ...vectors] = await embed(
        this.#ask(this.#of.within.passages),
        this.#place(),
        [probe, ...texts].map((text) => document + text),
        this.#now(),
      )
      return { identity: this.#identityOf(seen!), vectors, isWhole: true }
    } catch (error) {
      if (!(error instanceof NoVectors) || error.why !== 'tooMuch' || texts.length === 0)
        throw error
      return texts.length > 1 ? this.#halves(texts) : this.#shorter(texts[0]!)
    }
  }

  async #halves(texts: readonly string[]): Promise<Made> {
    const middle = Math.ceil(texts.length / 2)
    const firstHalf = await this.#some(texts.slice(0, middle))
    const other = await this.#some(texts.slice(middle))
    if (!this.isSame(firstHalf.identity, other.identity)) throw new NoVectors('nonsense', changing)
    if (firstHalf.isWhole && other.isWhole) this.#batch = Math.min(this.#batch, middle) // it was their number, and no long one among them
    return {
      identity: firstHalf.identity,
      vectors: [...firstHalf.vectors, ...other.vectors],
      isWhole: false,
    }
  }

  /** The vector of a text's beginning, for the whole. */
  async #shorter(text: string): Promise<Made> {
    if (text.length > minLength)
      return { ...(await this.#some([text.slice(0, Math.floor(text.length / 2))])), isWhole: false }
    return { identity: (await this.#some([])).identity, vectors: [undefined], isWhole: false }
  }

  #identityOf(vector: Float32Array): Identity {
    const { query, document } = this.#of.prefixes
    const prefixes = createHash('sha256')
      .update(JSON.stringify([query, document]))
      .digest('hex')
      .slice(0, 12)
    return {
      dimensions: vector.length,
      fingerprint: `${prefixes}.${Buffer.from(quantized(vector).bytes.buffer).toString('base64')}`,
    }
  }

  #place(): EmbeddingEndpoint {
    const { url, model, key, dimensions } = this.#of
    return { url, model, key: key(), dimensions }
  }

  #ask(within: number): Ask {
    return (url, request) =>
      this.#outbound.request(url, request, { within, largest, signal: this.#ending.signal })
  }
}

/** Said where one request is answered by one model, and the next by another. */
export const changing = 'The provider answers with changing models.'

function inWords(error: unknown, url: string): string {
  if (error instanceof NoVectors || error instanceof KeyUnreadable) return error.message
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

/** The provider that the settings name; undefined: no one is asked. */
export function providerOf(
  settings: Settings,
  outbound: Outbound,
  now: () => number,
  env: NodeJS.ProcessEnv = process.env,
): Provider | undefined {
  if (settings.embeddings_url === '') return undefined
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
      within: {
        passages: settings.embeddings_timeout * 1000,
        question: settings.embeddings_query_timeout,
      },
    },
    outbound,
    now,
  )
}
