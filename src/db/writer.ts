import type Database from 'better-sqlite3'
import { type Job, type JobKind, JobQueue, type JobOutcome } from './job-queue.ts'

/** Maximum callers per transaction, so that the first does not wait too long. */
const batchSize = 256
/** Maximum milliseconds that a batch waits for another process that holds the write lock. */
const lockTimeoutMs = 10_000

/** Thrown to callers whose transaction was not confirmed. */
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
  /** Part of the current job that is rolled back if it throws; a Rollback returns its value. */
  attempt<T>(work: () => Promise<T>): Promise<T>
  /** Ends it after pending jobs. */
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
 * then their answers. A single caller has the transaction without a savepoint: each statement walks SQLite's list of
 * savepoint data, which makes jobs of thousands of rows quadratic. A job may await only its own queries; one that
 * yields to the event loop would hold the write lock during other work, and is refused.
 */
export class SqliteWriter implements Writer {
  readonly #db: Database.Database
  readonly #statements: Record<'begin' | 'commit' | 'savepoint' | 'release', Database.Statement>
  readonly #changes: Database.Statement<[], number>
  readonly #queue: JobQueue
  #running: Promise<void> | undefined
  #closed = false
  onCommit: (() => void) | undefined
  onFailure: ((code: string) => void) | undefined
  readonly counts = { batches: 0, jobs: 0 }

  /** `now`: milliseconds, by which background work waits for calls. */
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
    if (this.#closed) return Promise.reject(new Error('The writer is closed.'))
    const outcome = this.#queue.add<T>(run, kind)
    this.#running ??= this.#drain()
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
    this.#closed = true
    await this.#running
  }

  async #drain(): Promise<void> {
    while (!this.#queue.isEmpty) {
      await yieldToEventLoop() // anyone who arrives in this turn of the event loop shares the batch
      const refused = await this.#begin()
      const jobs = this.#queue.take()
      if (refused) this.#fail(jobs, refused)
      else await this.#commit(jobs)
    }
    this.#running = undefined
  }

  /** Waits for the write lock without blocking the event loop, unlike SQLite's own busy timeout. */
  async #begin(): Promise<NotCommitted | undefined> {
    const until = performance.now() + lockTimeoutMs
    for (let wait = 1; ; wait = Math.min(wait * 2, 50)) {
      try {
        this.#statements.begin.run()
        return undefined
      } catch (error) {
        const busy = String((error as { code?: string }).code).startsWith('SQLITE_BUSY')
        if (!busy || performance.now() > until) return new NotCommitted(error)
        await new Promise((go) => setTimeout(go, wait))
      }
    }
  }

  async #commit(jobs: Job[]): Promise<void> {
    const outcomes: JobOutcome[] = []
    const isFollowed = this.onCommit !== undefined && jobs.some((job) => !job.isQuiet)
    const before = isFollowed ? this.#changes.get() : undefined
    const [first, ...others] = jobs
    try {
      if (first && others.length === 0 && !first.single) outcomes.push(await this.#runAlone(first))
      else
        for (const job of jobs)
          outcomes.push(job.single ? await this.#single(job) : await this.#savepoint(job))
      if (this.#db.inTransaction) this.#statements.commit.run()
    } catch (error) {
      return this.#fail(jobs, new NotCommitted(error))
    }
    this.counts.batches++
    this.counts.jobs += jobs.length
    jobs.forEach((job, i) => job.settle(outcomes[i]!))
    if (isFollowed && this.#changes.get() !== before) this.onCommit?.()
  }

  #fail(jobs: Job[], error: NotCommitted): void {
    try {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK')
    } catch {
      // The disk fails here too; the next BEGIN reports it to the next job.
    }
    for (const job of jobs) job.settle({ error })
    this.onFailure?.(error.code)
  }

  async #single(job: Job): Promise<JobOutcome> {
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
      return { value: await this.#within(job) }
    } catch (error) {
      return this.#undone(error, 'ROLLBACK')
    }
  }

  /** Throws if SQLite ended the whole transaction (disk full, I/O error): every caller of the batch has failed then. */
  async #savepoint(job: Job): Promise<JobOutcome> {
    this.#statements.savepoint.run()
    try {
      const value = await this.#within(job)
      this.#statements.release.run()
      return { value }
    } catch (error) {
      return this.#undone(error, 'ROLLBACK TO job; RELEASE job')
    }
  }

  /** Runs a job; fails if it yielded to the event loop. */
  async #within(job: Job): Promise<unknown> {
    let strayed = false
    const watch = setImmediate(() => (strayed = true))
    try {
      const value = await job.run()
      if (strayed)
        throw new Error(
          'A write waited for something outside the database while it held the write lock.',
        )
      return value
    } finally {
      clearImmediate(watch)
    }
  }

  #undone(error: unknown, statements: string): JobOutcome {
    if (!this.#db.inTransaction) throw error
    this.#db.exec(statements)
    return error instanceof Rollback ? { value: error.value } : { error }
  }
}

function yieldToEventLoop(): Promise<void> {
  return new Promise((go) => setImmediate(go))
}
