// Reranks the best hits of a search with an external server, within a time limit. Without its scores, hits keep
// their
// order.

import { createHash } from 'node:crypto'
import { RerankFailure, rerank } from '../connectors/rerank.ts'
import { exponentialBackoff } from '../kernel/backoff.ts'
import { BoundedMap } from '../kernel/bounded-map.ts'
import type { RerankOutcome } from '../kernel/meter.ts'
import type { Settings } from '../config/settings.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { Unreachable } from '../outbound/guard.ts'
import { KeyUnreadable, keyReader } from './key-file.ts'

export interface RerankerOptions {
  url: string
  model: string
  /** Read for each request. */
  key: () => string | undefined
  /** Milliseconds that a search waits for the reranker. */
  timeoutMs: number
}

/** Maximum response bytes: some servers return the passages. */
const maxResponseBytes = 2 ** 20
/** Maximum characters of a query. */
const maxQueryLength = 2000
/** Queries whose scores are cached, for the next page. */
const maxCachedQueries = 200
/** Milliseconds for which scores are cached. */
const cacheMs = 300_000
const backoff = exponentialBackoff({ first: 1_000, max: 60_000 })

/** Calls the server; tracks the last failure and when to try again. */
export class Reranker {
  readonly #options: RerankerOptions
  readonly #outbound: Pick<Outbound, 'request'>
  readonly #now: () => number
  readonly #onOutcome: (outcome: RerankOutcome) => void
  readonly #scoresByQuery = new BoundedMap<
    string,
    { scores: readonly number[]; expiresAt: number }
  >(maxCachedQueries)
  #failures = 0
  #pausedUntil = 0

  /** `tell` receives the outcome of each request. */
  constructor(
    options: RerankerOptions,
    outbound: Pick<Outbound, 'request'>,
    now: () => number,
    tell: (outcome: RerankOutcome) => void = () => {},
  ) {
    this.#options = options
    this.#outbound = outbound
    this.#now = now
    this.#onOutcome = tell
  }

  /**
   * Scores passages by their relevance to a query, in their order; undefined if the scores do not arrive in time.
   * `isFirst`: a first page, for which
   * the server is called; later pages use the cached scores of the first.
   */
  async scores(
    query: string,
    passages: readonly string[],
    isFirstPage: boolean,
  ): Promise<readonly number[] | undefined> {
    const name = createHash('sha256')
      .update(JSON.stringify([query, passages]))
      .digest('base64')
    const cached = this.#scoresByQuery.use(name)
    if (cached && cached.expiresAt > this.#now()) return cached.scores
    if (!isFirstPage) return undefined
    const scores = await this.#requestScores(query, passages)
    if (scores) this.#scoresByQuery.set(name, { scores, expiresAt: this.#now() + cacheMs })
    return scores
  }

  /** Sends two fixed passages, regardless of earlier failures. @throws Error whose message describes the problem */
  async probe(within: number): Promise<void> {
    try {
      await this.#ask('Where is the key?', ['The key is under the mat.', 'It rains.'], within)
    } catch (error) {
      throw new Error(describeError(error, this.#options.url), { cause: error })
    }
  }

  async #requestScores(
    query: string,
    passages: readonly string[],
  ): Promise<readonly number[] | undefined> {
    if (this.#now() < this.#pausedUntil) return this.#withoutScores('resting')
    try {
      const scores = await this.#ask(
        query.slice(0, maxQueryLength),
        passages,
        this.#options.timeoutMs,
      )
      this.#failures = 0
      this.#onOutcome('ok')
      return scores
    } catch (error) {
      this.#pausedUntil = this.#now() + backoff(++this.#failures, Math.random)
      return this.#withoutScores(rerankOutcomeOf(error))
    }
  }

  #withoutScores(outcome: RerankOutcome): undefined {
    this.#onOutcome(outcome)
  }

  async #ask(query: string, passages: readonly string[], timeoutMs: number): Promise<number[]> {
    const { url, model, key } = this.#options
    return rerank(
      (to, request) =>
        this.#outbound.request(to, request, { timeoutMs, maxBytes: maxResponseBytes }),
      { url, model, key: key() },
      query,
      passages,
    )
  }
}

function rerankOutcomeOf(error: unknown): RerankOutcome {
  if (error instanceof RerankFailure) return error.kind
  if (error instanceof KeyUnreadable) return 'refused'
  if (!(error instanceof Unreachable)) throw error
  return error.reason === 'timeout' ? 'timeout' : 'unreachable'
}

function describeError(error: unknown, url: string): string {
  if (error instanceof RerankFailure || error instanceof KeyUnreadable) return error.message
  if (!(error instanceof Unreachable)) throw error
  const host = URL.parse(url)?.host ?? url
  return error.reason === 'timeout'
    ? `${host} did not answer in time.`
    : `${host} could not be reached. A server on a private network needs --outbound-allow host:port.`
}

/** The configured reranker; undefined if there is none. */
export function rerankerOf(
  settings: Settings,
  outbound: Pick<Outbound, 'request'>,
  now: () => number,
  { tell, env = process.env }: { tell?: (outcome: RerankOutcome) => void; env?: NodeJS.ProcessEnv },
): Reranker | undefined {
  if (settings.rerank_url === '') return undefined
  return new Reranker(
    {
      url: settings.rerank_url,
      model: settings.rerank_model,
      key: keyReader(settings.rerank_key_file, env.WORKSPACE_RERANK_KEY),
      timeoutMs: settings.rerank_timeout,
    },
    outbound,
    now,
    tell,
  )
}
