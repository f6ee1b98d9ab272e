import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { type Job, type JobKind, JobQueue, type JobOutcome } from '../job-queue.ts'
import { CommitFailure, NotCommitted, OutcomeUnknown, Rollback, type Writer } from '../writer.ts'
import { toDatabaseUnusable, wasNotSent } from './unreachable.ts'

/** Maximum callers per transaction: PostgreSQL slows down beyond 64 savepoints. */
const batchSize = 32

/** Running write job; only its statements may use the writing connection. */
class RunningJob {
  isFinished = false
}

/** Opens the connection that writes. */
export type Connect = () => Promise<pg.Client>

/**
 * The writer of a process on PostgreSQL, with the guarantees of the SQLite writer. Waiting callers share a
 * transaction with a savepoint each, and are answered after its commit. Each transaction first updates the row of
 * `writer_lock`, so that processes write one after another: the last entries of the call log, change numbers and checks
 * before writes need no other lock.
 */
export class PostgresWriter implements Writer {
  readonly #connect: Connect
  readonly #running = new AsyncLocalStorage<RunningJob>()
  #client: pg.Client | undefined
  readonly #queue = new JobQueue(batchSize)
  #draining: Promise<void> | undefined
  #isClosed = false
  onCommit: (() => void) | undefined
  onFailure: ((code: string) => void) | undefined
  readonly counts = { batches: 0, jobs: 0 }

  constructor(connect: Connect) {
    this.#connect = connect
  }

  run<T>(job: () => Promise<T>): Promise<T> {
    return this.#enqueue<T>(job, 'call')
  }

  append(job: () => Promise<unknown>): Promise<void> {
    return this.#enqueue<void>(job, 'append')
  }

  background<T>(job: () => Promise<T>): Promise<T> {
    return this.#enqueue<T>(job, 'background')
  }

  /** Sends a statement of the running job. @throws Error outside jobs */
  async send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    const running = this.#running.getStore()
    if (!running || running.isFinished || !this.#client)
      throw new Error('A statement for the writing connection outside of the jobs of the writer.')
    return this.#client.query(query)
  }

  /** Whether the caller is inside a running job. */
  get isInJob(): boolean {
    return this.#running.getStore()?.isFinished === false
  }

  async attempt<T>(action: () => Promise<T>): Promise<T> {
    await this.send({ text: 'SAVEPOINT attempt' })
    try {
      const value = await action()
      await this.send({ text: 'RELEASE attempt' })
      return value
    } catch (error) {
      await this.send({ text: 'ROLLBACK TO attempt' })
      await this.send({ text: 'RELEASE attempt' })
      if (error instanceof Rollback) return error.value as T
      throw error
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#draining
    await this.#client?.end()
    this.#client = undefined
  }

  #enqueue<T>(run: () => Promise<unknown>, kind: JobKind): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Error('The writer is closed.'))
    const outcome = this.#queue.add<T>(run, kind)
    this.#draining ??= this.#running.exit(() => this.#drain())
    return outcome
  }

  async #drain(): Promise<void> {
    while (!this.#queue.isEmpty) {
      await new Promise((resolve) => setImmediate(resolve)) // callers that arrive in this turn of the event loop share the batch
      const jobs = this.#queue.take()
      try {
        this.#client ??= await this.#openClient()
        await this.#commit(this.#client, jobs)
      } catch (error) {
        await this.#fail(
          jobs,
          error instanceof CommitFailure ? error : new NotCommitted(toDatabaseUnusable(error)),
        )
      }
    }
    this.#draining = undefined
  }

  async #openClient(): Promise<pg.Client> {
    const client = await this.#connect()
    client.once('error', () => this.#forget(client))
    client.once('end', () => this.#forget(client))
    return client
  }

  #forget(client: pg.Client): void {
    if (this.#client === client) this.#client = undefined
  }

  async #commit(client: pg.Client, jobs: readonly Job[]): Promise<void> {
    await client.query('BEGIN; UPDATE writer_lock SET commits = commits + 1')
    const outcomes: { job: Job; outcome: JobOutcome }[] = []
    for (const job of jobs) outcomes.push({ job, outcome: await this.#savepoint(client, job) })
    await commit(client)
    this.counts.batches++
    this.counts.jobs += jobs.length
    for (const { job, outcome } of outcomes) job.settle(outcome)
    if (jobs.some((job) => !job.isQuiet)) this.onCommit?.()
  }

  async #savepoint(client: pg.Client, job: Job): Promise<JobOutcome> {
    await client.query('SAVEPOINT job')
    const running = new RunningJob()
    try {
      const value = await this.#running.run(running, job.run)
      running.isFinished = true
      await client.query('RELEASE job')
      return { value }
    } catch (error) {
      running.isFinished = true
      await client.query('ROLLBACK TO job; RELEASE job')
      return error instanceof Rollback ? { value: error.value } : { error }
    }
  }

  /** Rolls back the transaction; if even that fails, the connection is abandoned and the next batch opens another. */
  async #fail(jobs: readonly Job[], error: CommitFailure): Promise<void> {
    const client = this.#client
    try {
      await client?.query('ROLLBACK')
    } catch {
      this.#client = undefined
      client?.end().catch(() => {})
    }
    for (const job of jobs) job.settle({ error })
    this.onFailure?.(error.code)
  }
}

/** @throws NotCommitted if the database refused or the statement was not sent; otherwise OutcomeUnknown */
async function commit(client: pg.Client): Promise<void> {
  let command: string
  try {
    command = (await client.query('COMMIT')).command
  } catch (error) {
    throw isCommitRefused(error)
      ? new NotCommitted(toDatabaseUnusable(error))
      : new OutcomeUnknown(error)
  }
  if (command !== 'COMMIT')
    throw new NotCommitted(new Error(`The transaction ended with ${command}.`))
}

/** A server that ends the connection (FATAL) may have committed before; a refusal to commit is an ERROR. */
function isCommitRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError ? error.severity === 'ERROR' : wasNotSent(error)
}
