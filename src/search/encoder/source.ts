import { setTimeout as sleep } from 'node:timers/promises'
import {
  maxQueryLength,
  Pauses,
  type EmbeddingResult,
  type Identity,
  type QueryEmbedding,
  type SourcePaused,
  type SourceProblem,
  type VectorSource,
} from '../sources/vector-source.ts'
import { EncoderFailure, type EncoderProcess } from './process.ts'
import { dimensions } from './rows.ts'

export const encoderModel = 'multilingual-e5-small'
/** Changes with the model's files, and with everything else that changes its vectors. */
const identity: Identity = { dimensions, fingerprint: `${encoderModel}/2` }
/** Prefixes that the model was trained with. */
const prefixes = { query: 'query: ', passage: 'passage: ' } as const
/** Texts between two writes: about half a second of work. */
const batch = 16

export interface EncoderSourceOptions {
  /** Time limit of a query, in milliseconds. */
  readonly queryTimeoutMs: number
}

/** The built-in encoder as a source of vectors: nothing leaves the machine. */
export class EncoderSource implements VectorSource {
  readonly model = encoderModel
  readonly batch = batch
  readonly #process: EncoderProcess
  readonly #options: EncoderSourceOptions
  readonly #pauses: Pauses
  #isClosed = false

  constructor(process: EncoderProcess, options: EncoderSourceOptions, now: () => number) {
    this.#process = process
    this.#options = options
    this.#pauses = new Pauses(now, describeProblem)
  }

  get currentProblem(): SourceProblem | undefined {
    return this.#pauses.current
  }

  get isPaused(): boolean {
    return this.#pauses.isPaused
  }

  get acceptsQueries(): boolean {
    return !this.#isClosed && this.#pauses.acceptsQueries
  }

  async identity(): Promise<Identity> {
    return identity
  }

  async vectorsOf(texts: readonly string[]): Promise<EmbeddingResult> {
    if (this.isPaused) throw this.pause(undefined)
    try {
      const vectors = await Promise.all(
        texts.map((text) => this.#process.embed(prefixes.passage + text, 'passage')),
      )
      this.#pauses.end()
      return { identity, vectors }
    } catch (error) {
      throw this.pause(error)
    }
  }

  async vectorOf(query: string): Promise<QueryEmbedding | undefined> {
    const timeout = new AbortController()
    try {
      const vector = await Promise.race([
        this.#process.embed(prefixes.query + query.slice(0, maxQueryLength), 'query'),
        sleep(this.#options.queryTimeoutMs, undefined, { signal: timeout.signal }),
      ])
      if (vector === undefined) this.#pauses.pauseQueries()
      else this.#pauses.end()
      return vector && { identity, vector }
    } catch (error) {
      this.pause(error)
      return undefined
    } finally {
      timeout.abort()
    }
  }

  isSame(a: Identity, b: Identity): boolean {
    return a.dimensions === b.dimensions && a.fingerprint === b.fingerprint
  }

  pause(error: unknown): SourcePaused {
    return this.#pauses.start(error)
  }

  close(): void {
    this.#isClosed = true
    this.#process.close()
  }
}

function describeProblem(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error)
  return error instanceof EncoderFailure
    ? `The built-in encoder does not work: ${reason}`
    : `Internal error: ${reason}`
}
