import type Database from 'better-sqlite3'
import { type Job, type JobKind, JobQueue, type JobOutcome } from './job-queue.ts'

/** Callers that one transaction takes at most, so that the first of them does not wait for ever. */
const batchSize = 256
/** Maximum milliseconds that a batch waits for another process that holds the write lock. */
const lockTimeoutMs = 10_000

/** Thrown to callers whose transaction was not seen to commit. */
export class CommitFailure extends Error {
  /** The code by which the engine named the cause; empty where it gave none. */
  readonly code: string

  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.code = (cause as { code?: string }).code ?? ''
  }
}

/** Thrown to callers whose transaction could not be committed: nothing of theirs was kept. */
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

/** Throw this from a job to undo everything that it wrote and still answer with a value (dry runs). */
export class Rollback<T> {
  readonly value: T

  constructor(value: T) {
    this.value = value
  }
}

/** The one writer of a process: runs jobs, in which alone the writing connection may be used, and answers when they are durable. */
export interface Writer {
  /** Runs job inside the next transaction; resolves when it is durable. */
  run<T>(job: () => Promise<T>): Promise<T>
  /** The same for a job that only appends: those who follow changes are not told of it. */
  append(job: () => Promise<unknown>): Promise<void>
  /**
   * Runs a job in a transaction of its own as soon as no call waits. Calls that come meanwhile wait for its
   * end: it must be short. Those who follow changes are not told of it.
   */
  background<T>(job: () => Promise<T>): Promise<T>
  /** Part of the current job that is rolled back where it throws; a Rollback answers with its value. */
  attempt<T>(work: () => Promise<T>): Promise<T>
  /** Ends it once what waits is done. */
  close(): Promise<void>
  /** Told after a commit in which more than single statements ran and, on SQLite, wrote; for those who follow what changes. It must not throw. */
  onCommit: (() => void) | undefined
  /** Told the code of the engine after a batch that did not commit. It must not throw. */
  onFailure: ((code: string) => void) | undefined
  /** Batches committed and callers in them; for metrics and the benchmark. */
  readonly counts: { batches: number; jobs: number }
}

/**
 * The writer on SQLite. Waiting callers share a transaction: BEGIN IMMEDIATE, a savepoint for each, one durable
 * COMMIT, and only then their answers. A caller who waits alone has the transaction without a savepoint: SQLite keeps what a
 * savepoint would restore in a list that each statement walks, which a job of thousands of rows would pay for with its square. A job may await nothing but its own queries; a job that gives the event loop
 * a turn would hold the write lock during other work, and is refused.
 */
export class SqliteWriter implements Writer {
  readonly #db: Database.Database
  readonly #statements: Record<'begin' | 'commit' | 'savepoint' | 'release', Database.Statement>
  readonly #changes: Database.Statement<[], number>
  readonly #queue = new JobQueue(batchSize)
  #running: Promise<void> | undefined
  #closed = false
  onCommit: (() => void) | undefined
  onFailure: ((code: string) => void) | undefined
  readonly counts = { batches: 0, jobs: 0 }

  constructor(db: Database.Database) {
    this.#db = db
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

  /** Without a savepoint: what it writes is whole or fails by itself. */
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

  /** Waits for the write lock without blocking the event loop, as SQLite's own busy timeout would. */
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
      if (first && others.length === 0 && !first.single) outcomes.push(await this.#alone(first))
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
      // the disk fails here too; the next BEGIN reports it to the next job
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

  /** A job that has the transaction for itself, which ends with it where it fails. Throws as #savepoint does. */
  async #alone(job: Job): Promise<JobOutcome> {
    try {
      return { value: await this.#within(job) }
    } catch (error) {
      return this.#undone(error, 'ROLLBACK')
    }
  }

  /** Throws where SQLite ended the whole transaction (disk full, I/O error): then every caller of the batch has failed. */
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

  /** Runs a job, which fails where it gave the event loop a turn. */
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
