import type Database from 'better-sqlite3'
import { type Job, type JobKind, JobQueue, type JobOutcome } from './job-queue.ts'

/** Maximum callers per transaction, so that the first does not wait too long. */
const batchSize = 256
/** Maximum milliseconds that a batch waits for another process that holds the write lock. */
const lockTimeoutMs = 10_000

/** Thrown to callers whose transaction was not confirmed as committed. */
export class CommitFailure extends Error {
  /** The engine's error code; empty if none. */
  readonly code: string

  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.code = (cause as { code?: string }).code ?? ''
  }
}

/** Thrown to callers whose transaction could not be committed: none of their changes were kept. */
export class NotCommitted extends CommitFailure {
  constructor(cause: unknown) {
    super('The database did not commit; nothing was changed.', cause)
  }
}

/** Thrown to callers whose transaction may or may not have committed: the connection broke before the database answered. */
export class OutcomeUnknown extends CommitFailure {
  constructor(cause: unknown) {
    super('The database did not say whether it committed.', cause)
  }
}

/** Thrown in a job to undo all its writes and still return a value (dry runs). */
export class Rollback<T> {
  readonly value: T

  constructor(value: T) {
    this.value = value
  }
}

/**
 * The only writer of a process: runs jobs, the only users of the writing connection, and resolves when they are
 * durable.
 */
export interface Writer {
  /** Runs a job in the next transaction; resolves when it is durable. */
  run<T>(job: () => Promise<T>): Promise<T>
  /** The same for an append-only job: does not notify those who follow changes. */
  append(job: () => Promise<unknown>): Promise<void>
  /**
   * Runs a job in its own transaction once no call waits. Calls that arrive meanwhile wait for it, so it must be
   * short. Does not notify those who follow changes.
   */
  background<T>(job: () => Promise<T>): Promise<T>
  /** Runs a part of the current job, which is rolled back if it throws; returns the value of a Rollback. */
  attempt<T>(work: () => Promise<T>): Promise<T>
  /** Closes the writer after pending jobs. */
  close(): Promise<void>
  /**
   * Called after a commit with more than single statements that, on SQLite, wrote something; notifies those who
   * follow changes. It must not throw.
   */
  onCommit: (() => void) | undefined
  /** Called with the engine's code after a batch failed to commit. It must not throw. */
  onFailure: ((code: string) => void) | undefined
  /** Batches committed and callers in them; for metrics and the benchmark. */
  readonly counts: { batches: number; jobs: number }
}

/**
 * The writer on SQLite. Waiting callers share a transaction: BEGIN IMMEDIATE, a savepoint each, one durable COMMIT,
 * then their answers. A lone job runs without a savepoint: each statement walks SQLite's list of
 * savepoint data, which makes jobs of thousands of rows quadratic. A job may await only its own queries; one that
 * yields to the event loop would hold the write lock during other work, and is refused.
 */
export class SqliteWriter implements Writer {
  readonly #db: Database.Database
  readonly #statements: Record<'begin' | 'commit' | 'savepoint' | 'release', Database.Statement>
  readonly #changes: Database.Statement<[], number>
  readonly #queue: JobQueue
  #draining: Promise<void> | undefined
  #isClosed = false
  onCommit: (() => void) | undefined
  onFailure: ((code: string) => void) | undefined
  readonly counts = { batches: 0, jobs: 0 }

  /** `now`: the clock in milliseconds that limits how long background work waits. */
  constructor(db: Database.Database, now = () => performance.now()) {
    this.#db = db
    this.#queue = new JobQueue(batchSize, now)
    this.#statements = {
      begin: db.prepare('BEGIN IMMEDIATE'),
      commit: db.prepare('COMMIT'),
      savepoint: db.prepare('SAVEPOINT job'),
      release: db.prepare('RELEASE job'),
    }
    this.#changes = db.prepare<[], number>('select total_changes()').pluck()
  }

  run<T>(job: () => Promise<T>): Promise<T> {
    return this.#enqueue<T>(job, 'call')
  }

  /** Without a savepoint: a single write is atomic by itself. */
  append(job: () => Promise<unknown>): Promise<void> {
    return this.#enqueue<void>(job, 'append')
  }

  background<T>(job: () => Promise<T>): Promise<T> {
    return this.#enqueue<T>(job, 'background')
  }

  #enqueue<T>(run: () => Promise<unknown>, kind: JobKind): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Error('The writer is closed.'))
    const outcome = this.#queue.add<T>(run, kind)
    this.#draining ??= this.#drain()
    return outcome
  }

  async attempt<T>(work: () => Promise<T>): Promise<T> {
    this.#db.exec('SAVEPOINT attempt')
    try {
      return await work()
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK TO attempt')
      if (error instanceof Rollback) return error.value as T
      throw error
    } finally {
      if (this.#db.inTransaction) this.#db.exec('RELEASE attempt')
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#draining
  }

  async #drain(): Promise<void> {
    while (!this.#queue.isEmpty) {
      await yieldToEventLoop() // callers that arrive in this turn of the event loop share the batch
      const beginFailure = await this.#begin()
      const jobs = this.#queue.take()
      if (beginFailure) this.#fail(jobs, beginFailure)
      else await this.#commit(jobs)
    }
    this.#draining = undefined
  }

  /** Waits for the write lock without blocking the event loop, unlike SQLite's own busy timeout. */
  async #begin(): Promise<NotCommitted | undefined> {
    const deadline = performance.now() + lockTimeoutMs
    for (let wait = 1; ; wait = Math.min(wait * 2, 50)) {
      try {
        this.#statements.begin.run()
        return undefined
      } catch (error) {
        const busy = String((error as { code?: string }).code).startsWith('SQLITE_BUSY')
        if (!busy || performance.now() > deadline) return new NotCommitted(error)
        await new Promise((resolve) => setTimeout(resolve, wait))
      }
    }
  }

  async #commit(jobs: Job[]): Promise<void> {
    const outcomes: JobOutcome[] = []
    const notifiesFollowers = this.onCommit !== undefined && jobs.some((job) => !job.isQuiet)
    const before = notifiesFollowers ? this.#changes.get() : undefined
    const [first, ...others] = jobs
    try {
      if (first && others.length === 0 && !first.isSingleStatement)
        outcomes.push(await this.#runAlone(first))
      else
        for (const job of jobs)
          outcomes.push(
            job.isSingleStatement ? await this.#runSingle(job) : await this.#runInSavepoint(job),
          )
      if (this.#db.inTransaction) this.#statements.commit.run()
    } catch (error) {
      return this.#fail(jobs, new NotCommitted(error))
    }
    this.counts.batches++
    this.counts.jobs += jobs.length
    jobs.forEach((job, i) => job.settle(outcomes[i]!))
    if (notifiesFollowers && this.#changes.get() !== before) this.onCommit?.()
  }

  #fail(jobs: Job[], error: NotCommitted): void {
    try {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK')
    } catch {
      // The rollback fails too, for example on a broken disk; the next BEGIN reports it to the next job.
    }
    for (const job of jobs) job.settle({ error })
    this.onFailure?.(error.code)
  }

  async #runSingle(job: Job): Promise<JobOutcome> {
    try {
      return { value: await job.run() }
    } catch (error) {
      if (!this.#db.inTransaction) throw error
      return { error }
    }
  }

  /** Runs a job alone in the transaction, which ends with it on failure. Throws like #savepoint. */
  async #runAlone(job: Job): Promise<JobOutcome> {
    try {
      return { value: await this.#runWithoutYielding(job) }
    } catch (error) {
      return this.#rollBack(error, 'ROLLBACK')
    }
  }

  /** Throws if SQLite ended the whole transaction (disk full, I/O error): every caller of the batch has failed then. */
  async #runInSavepoint(job: Job): Promise<JobOutcome> {
    this.#statements.savepoint.run()
    try {
      const value = await this.#runWithoutYielding(job)
      this.#statements.release.run()
      return { value }
    } catch (error) {
      return this.#rollBack(error, 'ROLLBACK TO job; RELEASE job')
    }
  }

  /** Runs a job; fails if it yielded to the event loop. */
  async #runWithoutYielding(job: Job): Promise<unknown> {
    let hasYielded = false
    const yieldDetector = setImmediate(() => (hasYielded = true))
    try {
      const value = await job.run()
      if (hasYielded)
        throw new Error(
          'A write waited for something outside the database while it held the write lock.',
        )
      return value
    } finally {
      clearImmediate(yieldDetector)
    }
  }

  #rollBack(error: unknown, statements: string): JobOutcome {
    if (!this.#db.inTransaction) throw error
    this.#db.exec(statements)
    return error instanceof Rollback ? { value: error.value } : { error }
  }
}

function yieldToEventLoop(): Promise<void> {
  return new Promise((go) => setImmediate(go))
}
