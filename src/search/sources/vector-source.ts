// Sources of vectors besides the bundled table: the built-in encoder, or a server elsewhere.

import { exponentialBackoff } from '../../kernel/backoff.ts'

/** Identifies the model of a space. Spaces of different models are never mixed. */
export interface Identity {
  dimensions: number
  /** Compared by `isSame` of the source. */
  fingerprint: string
}

/** Why no vectors are available, and when to try again. */
export interface SourceProblem {
  problem: string
  at: number
  retryAt: number
}

/** Vectors with the model's identity; undefined for a text that is too long even after shortening. */
export interface EmbeddingResult {
  identity: Identity
  vectors: (Float32Array | undefined)[]
}

export interface QueryEmbedding {
  identity: Identity
  vector: Float32Array
}

export interface VectorSource {
  /** Name of the model, as shown to people. */
  readonly model: string
  /** Maximum texts of one call of `vectorsOf`. */
  readonly batch: number
  readonly currentProblem: SourceProblem | undefined
  readonly isPaused: boolean
  /** True if a query may be embedded now. */
  readonly acceptsQueries: boolean
  /** Identity of the current vectors. @throws SourcePaused */
  identity(): Promise<Identity>
  /** Vectors of passages, in order. @throws SourcePaused */
  vectorsOf(texts: readonly string[]): Promise<EmbeddingResult>
  /** The vector of a query; undefined if there is none within the time limit. */
  vectorOf(query: string): Promise<QueryEmbedding | undefined>
  /** True if vectors of the two are comparable. */
  isSame(identity: Identity, other: Identity): boolean
  /** Records a failure, after which the source is paused. */
  pause(error: unknown): SourcePaused
  close(): void
}

/** Thrown while a source is paused after a failure. */
export class SourcePaused extends Error {}

/** Maximum characters of a query that is embedded. */
export const maxQueryLength = 2000
const backoff = exponentialBackoff({ first: 2_000, max: 600_000 })
/** Pause of queries after one without a vector. */
const queryPauseMs = 15_000

/** Pauses of a source: doubled with each failure, ended by a success. */
export class Pauses {
  readonly #now: () => number
  readonly #describe: (error: unknown) => string
  #failures = 0
  #current: SourceProblem | undefined
  #queriesPausedUntil = 0

  /** `describe`: the problem as told to people. */
  constructor(now: () => number, describe: (error: unknown) => string) {
    this.#now = now
    this.#describe = describe
  }

  get current(): SourceProblem | undefined {
    return this.#current
  }

  get isPaused(): boolean {
    return this.#current !== undefined && this.#now() < this.#current.retryAt
  }

  get acceptsQueries(): boolean {
    return !this.isPaused && this.#now() >= this.#queriesPausedUntil
  }

  /** Starts a pause of at least `minMs`, unless one is under way. */
  start(error: unknown, minMs = 0): SourcePaused {
    if (this.isPaused) return new SourcePaused(this.#current!.problem, { cause: error })
    const at = this.#now()
    const wait = Math.max(backoff(++this.#failures, Math.random), minMs)
    this.#current = { problem: this.#describe(error), at, retryAt: at + wait }
    return new SourcePaused(this.#current.problem, { cause: error })
  }

  pauseQueries(): void {
    this.#queriesPausedUntil = this.#now() + queryPauseMs
  }

  end(): void {
    this.#failures = 0
    this.#current = undefined
  }
}
