// Reranks the best hits of a search by way of an external server, within a time limit. Without its scores hits keep
// their
// order.

import { createHash } from 'node:crypto'
import { NoScores, rerank } from '../connectors/rerank.ts'
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
  /** Milliseconds that a search waits for it. */
  within: number
}

/** Maximum response bytes: some servers return the passages. */
const largest = 2 ** 20
/** Maximum characters of a query. */
const maxQueryLength = 2000
/** Queries whose scores are cached, for the next page. */
const maxKept = 200
/** Milliseconds for which scores are cached. */
const keptFor = 300_000
const backoff = exponentialBackoff({ first: 1_000, max: 60_000 })

/** Calls the server; tracks the last failure and when to try again. */
export class Reranker {
  readonly #options: RerankerOptions
  readonly #outbound: Pick<Outbound, 'request'>
  readonly #now: () => number
  readonly #tell: (outcome: RerankOutcome) => void
  readonly #scoresByQuery = new BoundedMap<string, { scores: readonly number[]; until: number }>(
    maxKept,
  )
  #failures = 0
  #restsUntil = 0

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
    this.#tell = tell
  }

  /**
   * Scores passages by their relevance to a query, in their order; undefined if the scores do not arrive in time.
   * `isFirst`: a first page, for which
   * the server is called; later pages have the order of the first.
   */
  async scores(
    query: string,
    passages: readonly string[],
    isFirst: boolean,
  ): Promise<readonly number[] | undefined> {
    const name = createHash('sha256')
      .update(JSON.stringify([query, passages]))
      .digest('base64')
    const cached = this.#scoresByQuery.use(name)
    if (cached && cached.until > this.#now()) return cached.scores
    if (!isFirst) return undefined
    const scores = await this.#requestScores(query, passages)
    if (scores) this.#scoresByQuery.set(name, { scores, until: this.#now() + keptFor })
    return scores
  }

  /** Sends two fixed passages, regardless of earlier failures. @throws Error with what is wrong, in words */
  async probe(within: number): Promise<void> {
    try {
      await this.#ask('Where is the key?', ['The key is under the mat.', 'It rains.'], within)
    } catch (error) {
      throw new Error(inWords(error, this.#options.url), { cause: error })
    }
  }

  async #requestScores(
    query: string,
    passages: readonly string[],
  ): Promise<readonly number[] | undefined> {
    if (this.#now() < this.#restsUntil) return this.#without('resting')
    try {
      const scores = await this.#ask(query.slice(0, maxQueryLength), passages, this.#options.within)
      this.#failures = 0
      this.#tell('ok')
      return scores
    } catch (error) {
      this.#restsUntil = this.#now() + backoff(++this.#failures, Math.random)
      return this.#without(rerankOutcomeOf(error))
    }
  }

  #without(outcome: RerankOutcome): undefined {
    this.#tell(outcome)
  }

  async #ask(query: string, passages: readonly string[], within: number): Promise<number[]> {
    const { url, model, key } = this.#options
    return rerank(
      (to, request) => this.#outbound.request(to, request, { within, largest }),
      { url, model, key: key() },
      query,
      passages,
    )
  }
}

function rerankOutcomeOf(error: unknown): RerankOutcome {
  if (error instanceof NoScores) return error.why
  if (error instanceof KeyUnreadable) return 'refused'
  if (!(error instanceof Unreachable)) throw error
  return error.reason === 'timeout' ? 'timeout' : 'unreachable'
}

function inWords(error: unknown, url: string): string {
  if (error instanceof NoScores || error instanceof KeyUnreadable) return error.message
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
      within: settings.rerank_timeout,
    },
    outbound,
    now,
    tell,
  )
}
