export type JobOutcome = { value: unknown } | { error: unknown }

export interface Job {
  run: () => Promise<unknown>
  /** A single statement, which needs no savepoint of its own. */
  isSingleStatement: boolean
  /** Whether followers of changes need not be notified. */
  isQuiet: boolean
  settle: (outcome: JobOutcome) => void
}

/** Background work yields to other jobs; append-only jobs do not notify those who follow changes. */
export type JobKind = 'call' | 'append' | 'background'

/** Maximum milliseconds that background work yields to calls, so that it proceeds even on a busy server. */
const maxBackgroundWaitMs = 100

/** Queue of write jobs: jobs of calls share transactions; each background job gets its own, when no call waits. */
export class JobQueue {
  readonly #batchSize: number
  readonly #now: () => number
  readonly #calls: Job[] = []
  readonly #background: { job: Job; since: number }[] = []
  #lastWasBackground = false

  /** `batchSize`: maximum calls per transaction. */
  constructor(batchSize: number, now: () => number = () => performance.now()) {
    this.#batchSize = batchSize
    this.#now = now
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0 && this.#background.length === 0
  }

  /** Adds a job; resolves with its outcome. */
  add<T>(run: () => Promise<unknown>, kind: JobKind): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const settle = (outcome: JobOutcome) =>
        'error' in outcome ? reject(outcome.error) : resolve(outcome.value as T)
      const job = { run, isSingleStatement: kind === 'append', isQuiet: kind !== 'call', settle }
      if (kind === 'background') this.#background.push({ job, since: this.#now() })
      else this.#calls.push(job)
    })
  }

  /** The jobs of the next transaction. */
  take(): Job[] {
    const background = this.#takeBackground()
    this.#lastWasBackground = background !== undefined
    return background ? [background] : this.#calls.splice(0, this.#batchSize)
  }

  /** The next background job if its turn has come. Never twice in a row while calls wait, so that they wait for one at most. */
  #takeBackground(): Job | undefined {
    const next = this.#background[0]
    if (!next) return undefined
    const isLate = this.#now() - next.since > maxBackgroundWaitMs
    if (this.#calls.length > 0 && (this.#lastWasBackground || !isLate)) return undefined
    this.#background.shift()
    return next.job
  }
}
