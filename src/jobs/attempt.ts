import { omitNullish } from '../kernel/present.ts'
import { randomUUID } from 'node:crypto'
import { exponentialBackoff } from '../kernel/backoff.ts'
import type { App } from '../operations/app.ts'
import { call } from '../operations/call/index.ts'
import type { CallRequest } from '../operations/call/request.ts'
import { erase } from './erasure.ts'
import { describeError } from '../db/failures.ts'
import type { Id } from '../kernel/ids.ts'
import {
  GiveUp,
  NoRights,
  TryLater,
  type JobContext,
  type JobKind,
} from '../operations/jobs/job.ts'
import type { TickContext } from '../operations/jobs/tick.ts'
import { Refusal, type RefusalCode } from '../kernel/refusal.ts'
import { sealedOf } from '../operations/jobs/sealed-secrets.ts'
import { runPiece } from '../operations/jobs/system.ts'
import type { JobRow } from './claims.ts'
import { endJob, type Ending } from './endings.ts'
import { currentActorInJob, currentActor, lacksRights } from './rights.ts'

const defaultTimeoutMs = 15 * 60_000
const defaultBackoff = exponentialBackoff()
const progressInterval = 1_000
const maxResultBytes = 64 * 1024
const outcomeRetryDelay = 1_000
const eraseBatchSize = 50

/** Reason for stopping a job. */
export type EndReason = 'cancelled' | 'shutdown' | 'lost' | 'skipped' | 'timeout'

/** Refusals that a retry would get again. */
const permanentErrors: readonly RefusalCode[] = [
  'invalid_argument',
  'permission_denied',
  'not_found',
  'method_not_allowed',
  'idempotency_conflict',
  'too_large',
  'unsupported_media_type',
]

class Stopped extends Error {
  readonly reason: EndReason

  constructor(reason: EndReason) {
    super(`The job was stopped: ${reason}.`)
    this.name = 'AbortError'
    this.reason = reason
  }
}

/** One attempt at a job held by this process, until its outcome is in the database. */
export class Attempt {
  readonly job: JobRow
  readonly #app: App
  readonly #kind: JobKind
  readonly #random: () => number
  readonly #stop = new AbortController()
  #reason: EndReason | undefined
  #progress: string | null = null
  #progressTimer: NodeJS.Timeout | undefined
  #isAbandoned = false

  constructor(app: App, job: JobRow, random: () => number) {
    this.#app = app
    this.job = job
    this.#kind = app.jobs.kinds.get(job.kind)!
    this.#random = random
  }

  /** Asks the work to stop; the first reason counts. */
  stop(reason: EndReason): void {
    if (this.#reason) return
    this.#reason = reason
    this.#stop.abort(new Stopped(reason))
  }

  /** Stops if its owner may no longer act. */
  async checkRights(): Promise<void> {
    if (await lacksRights(this.#app, this.job)) this.stop('skipped')
  }

  /** Resolves when its outcome is in the database, or another process must write it. */
  async run(): Promise<void> {
    const timer = setTimeout(
      () => this.stop('timeout'),
      this.#kind.timeout ?? defaultTimeoutMs,
    ).unref()
    const ending = await this.#work().then(
      (result) => this.#succeeded(result),
      (error: unknown) => this.#failed(error),
    )
    clearTimeout(timer)
    clearTimeout(this.#progressTimer)
    this.#progressTimer = undefined
    await this.#writeOutcome(ending)
  }

  /**
   * Releases the job although its work has not ended, because the process is about to end. Further results of the
   * work are ignored.
   */
  async release(): Promise<void> {
    this.#isAbandoned = true
    await endJob(this.#app, this.job, { outcome: 'released' }, this.#progress)
  }

  async #work(): Promise<unknown> {
    const parsedArgs = this.#kind.args.safeParse(JSON.parse(this.job.arguments_json))
    if (!parsedArgs.success)
      throw new GiveUp(`Its arguments are not valid in this version: ${parsedArgs.error.message}`)
    return this.#kind.run(parsedArgs.data, this.#context())
  }

  #succeeded(result: unknown): Ending | Promise<Ending> {
    const text = result === undefined ? null : JSON.stringify(result)
    if (text !== null && Buffer.byteLength(text) > maxResultBytes)
      return this.#failed(new GiveUp(`Its result is larger than ${maxResultBytes} bytes.`))
    return { outcome: 'done', result: text }
  }

  async #failed(error: unknown): Promise<Ending> {
    if (
      this.#reason === 'skipped' ||
      (error instanceof NoRights && (await lacksRights(this.#app, this.job)))
    )
      return { outcome: 'skipped' }
    if (this.#reason === 'cancelled') return { outcome: 'cancelled' }
    if (this.#reason === 'shutdown') return { outcome: 'released' }
    const message = this.#reason === 'timeout' ? 'Timed out.' : attemptErrorText(error)
    const retryDelay = this.#retryDelay(error)
    const { id, kind, attempts } = this.job
    this.#app.log.warn('a job failed', {
      job: id,
      kind,
      attempt: attempts,
      again_in_ms: retryDelay ?? null,
      error: describeError(error),
    })
    return { outcome: 'failed', error: message, retryDelay }
  }

  #retryDelay(error: unknown): number | undefined {
    if (
      error instanceof GiveUp ||
      error instanceof NoRights ||
      (error instanceof Refusal && permanentErrors.includes(error.code))
    )
      return undefined
    if (error instanceof TryLater) return error.after
    const wait = (this.#kind.backoff ?? defaultBackoff)(this.job.attempts, this.#random)
    return error instanceof Refusal
      ? Math.max(wait, (error.more.retry_after_seconds ?? 0) * 1000)
      : wait
  }

  /** The outcome must reach the database: on a full disk, it waits. */
  async #writeOutcome(ending: Ending): Promise<void> {
    while (!this.#isAbandoned && this.#reason !== 'lost') {
      try {
        if (!(await endJob(this.#app, this.job, ending, this.#progress)))
          this.#app.log.warn('a job ended after its lease was lost', {
            job: this.job.id,
            kind: this.job.kind,
          })
        return
      } catch (error) {
        this.#app.log.error('the end of a job could not be written', {
          job: this.job.id,
          error: describeError(error),
        })
        if (this.#reason === 'shutdown') return
        await new Promise((resolve) => setTimeout(resolve, outcomeRetryDelay))
      }
    }
  }

  #context(): JobContext {
    const { job } = this
    const { clock, log, settings, mayErase, outbound } = this.#app
    const jobFields = { job: job.id, kind: job.kind }
    return {
      jobId: job.id,
      attempt: job.attempts,
      owner: job.owner_id ?? undefined,
      signal: this.#stop.signal,
      settings,
      outbound,
      secrets: sealedOf(this.#app),
      now: () => clock.now(),
      mayErase,
      log: {
        info: (message, details) => log.info(message, { ...jobFields, ...details }),
        warn: (message, details) => log.warn(message, { ...jobFields, ...details }),
        error: (message, details) => log.error(message, { ...jobFields, ...details }),
      },
      progress: (done, total, message) =>
        this.#note(
          omitNullish({
            done,
            total,
            message: message === undefined ? undefined : message.slice(0, 200),
          }),
        ),
      as: (personId) => {
        const actorId = requirePersonId(personId ?? job.owner_id)
        return { call: (tool, args, options) => this.#call(actorId, tool, args, options) }
      },
      write: (work) => {
        this.#stop.signal.throwIfAborted()
        return this.#write(work)
      },
      record: (work) => this.#write(work),
      erase: (table, id) => this.#erase(table, id),
    }
  }

  #write<T>(work: (system: TickContext) => Promise<T>): Promise<T> {
    return runPiece(this.#app, this.job.kind, work, (_, personId) =>
      currentActorInJob(this.#app, this.job, personId as Id<'users'>),
    )
  }

  /** Calls with the person's current rights, not with those at the start of the job. */
  async #call<T>(
    personId: Id<'users'>,
    tool: string,
    args: Record<string, unknown>,
    options: Pick<CallRequest, 'idempotencyKey' | 'cause'> = {},
  ): Promise<T> {
    const { signal } = this.#stop
    signal.throwIfAborted()
    const actor = await currentActor(this.#app, this.job, personId)
    const request = {
      tool,
      args,
      transport: 'automation' as const,
      requestId: randomUUID(),
      route: `job ${this.job.kind}`,
      ip: '',
      ...options,
      signal,
    }
    return (await call(this.#app, actor, request)).value as T
  }

  async #erase(table: string, id: string): Promise<void> {
    const { writer } = this.#app.store
    do this.#stop.signal.throwIfAborted()
    while (!(await writer.run(() => erase(this.#app, table, id, { left: eraseBatchSize }))))
  }

  #note(progress: object): void {
    this.#progress = JSON.stringify(progress)
    this.#progressTimer ??= setTimeout(() => {
      this.#progressTimer = undefined
      void this.#writeProgress()
    }, progressInterval).unref()
  }

  /** Runs beside the work: if it cannot be written now, the outcome includes it. */
  async #writeProgress(): Promise<void> {
    const { id, lease, attempts } = this.job
    const { write, writer } = this.#app.store
    const written = writer.run(
      async () =>
        void (await write
          .updateTable('jobs')
          .set({ progress_json: this.#progress })
          .where('id', '=', id)
          .where('lease', '=', lease)
          .where('attempts', '=', attempts)
          .execute()),
    )
    await written.catch((error: unknown) =>
      this.#app.log.warn('the progress of a job could not be written', {
        job: id,
        error: describeError(error),
      }),
    )
  }
}

function requirePersonId(personId: Id<'users'> | null): Id<'users'> {
  if (personId === null) throw new Error('This job has no owner; name the person it acts for.')
  return personId
}

function attemptErrorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
