import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../operations/app.ts'
import type { JobRequester, JobCount } from '../operations/jobs/job-store.ts'
import { describeError } from '../db/failures.ts'
import type { Id } from '../kernel/ids.ts'
import type { JobOptions } from '../kernel/job-options.ts'
import { Attempt } from './attempt.ts'
import { claim, nextDueAt, type JobRow } from './claims.ts'
import { ClockSteps, correctDueTimes } from './clock-steps.ts'
import { renewLeases, cancelRequestedIds, freeServerJobs, LeaseWatch } from './leases.ts'
import { defineSchedules, fireSchedules, nextScheduleAt } from './schedules.ts'

export interface QueueOptions {
  /** Milliseconds for which the jobs of a dead process stay assigned to it. */
  lease?: number
  /** Milliseconds between checks for jobs that other processes added, asked to cancel, or abandoned. */
  poll?: number
  /** Jobs run concurrently by this process. */
  concurrency?: number
  /** Random source for backoff jitter. */
  random?: () => number
  /** No other server of this data directory is alive: jobs left by an earlier one are freed at once. */
  isOnlyServer?: boolean
}

const serverLease = 'server-'

/**
 * Runs the jobs of a database, together with other processes. Each is done at least once, and by one process at a
 * time; see leases.ts.
 */
export class Queue {
  readonly #app: App
  readonly #options: Required<QueueOptions>
  readonly #lease: string
  readonly #watch: LeaseWatch
  readonly #steps: ClockSteps
  readonly #running = new Map<Id<'jobs'>, { attempt: Attempt; ended: Promise<void> }>()
  #isPrepared = false
  #isStopping = false
  #loop: Promise<void> | undefined
  #heartbeat: NodeJS.Timeout | undefined
  #unlisten: (() => void) | undefined
  #unwatch: (() => void) | undefined
  /** Whether this or another process has committed anything since the last pass began. */
  #hasCommits = true
  #woken = Promise.withResolvers<void>()

  constructor(
    app: App,
    {
      lease = 30_000,
      poll = 2_000,
      concurrency = 8,
      random = Math.random,
      isOnlyServer = false,
    }: QueueOptions = {},
  ) {
    this.#app = app
    this.#options = { lease, poll, concurrency, random, isOnlyServer }
    this.#lease = `${isOnlyServer ? serverLease : 'process-'}${randomUUID()}`
    this.#watch = new LeaseWatch(app, lease)
    this.#steps = new ClockSteps(app.clock)
  }

  /** Adds a job; durable when this resolves. Handlers use ctx.job() instead. */
  async add(
    kind: string,
    args: Record<string, unknown>,
    { asker: requester, ...options }: JobOptions & { asker?: JobRequester } = {},
  ): Promise<Id<'jobs'>> {
    const { store, jobs, clock } = this.#app
    const id = await store.writer.run(() =>
      jobs.add(store.write, clock.now(), kind, args, requester, options),
    )
    jobs.wake()
    return id
  }

  /** Starts running jobs. */
  start(): void {
    this.#unlisten = this.#app.jobs.onWake(() => this.#wake())
    this.#unwatch = this.#app.live.watch(() => {
      this.#hasCommits = true
    })
    this.#loop = this.#run()
  }

  /** Runs all due jobs, and those they add, to completion: for tests, and commands without a server. */
  async drain(): Promise<void> {
    for (;;) {
      await this.#pass()
      if (this.#running.size === 0) break
      await Promise.race([...this.#running.values()].map((item) => item.ended))
    }
  }

  /**
   * Starts no more jobs, asks running ones to stop, waits for them, and after the grace period (milliseconds)
   * releases the rest, which the next process restarts.
   */
  async stop(grace = 5_000): Promise<void> {
    this.#isStopping = true
    this.#unlisten?.()
    this.#unwatch?.()
    this.#wake()
    await this.#loop
    const left = [...this.#running.values()]
    for (const { attempt } of left) attempt.stop('shutdown')
    if (left.length > 0)
      await Promise.race([
        Promise.all(left.map((item) => item.ended)),
        pause(grace, undefined, { ref: false }),
      ])
    clearInterval(this.#heartbeat)
    const late = [...this.#running.values()]
    await Promise.all(
      late.map(({ attempt }) => this.#loggingErrors('returning a job', () => attempt.release())),
    )
  }

  /** Unfinished and dead jobs by kind and state, for metrics. */
  depth(): Promise<JobCount[]> {
    return this.#app.jobs.countUnfinished(this.#app.store.read)
  }

  /** Before the first possible pass: a server may start on a full disk. */
  async #prepare(): Promise<void> {
    if (this.#isPrepared) return
    if (this.#options.isOnlyServer) await freeServerJobs(this.#app, serverLease)
    await defineSchedules(this.#app)
    await correctDueTimes(this.#app)
    this.#isPrepared = true
    this.#heartbeat = setInterval(
      () => void this.#loggingErrors('renewing the lease of jobs', () => this.#renewLeases()),
      this.#options.lease / 3,
    ).unref()
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      this.#woken = Promise.withResolvers()
      await this.#loggingErrors('looking for jobs', () => this.#pass())
      if (!this.#isStopping) await this.#wait()
    }
  }

  /**
   * Waits until woken, or until a pass may find something. Other processes cannot wake it, so it checks at every
   * poll, without a statement.
   */
  async #wait(): Promise<void> {
    const { poll, lease } = this.#options
    const next =
      (await this.#loggingErrors('looking for jobs', () => this.#nextDueAt())) ??
      this.#app.clock.now() + poll
    for (let waited = 0; waited < lease; waited += poll) {
      const left = next - this.#app.clock.now()
      if (await this.#isWokenWithin(Math.min(poll, Math.max(5, left)))) return
      if (this.#mayFindWork(next)) return
    }
  }

  /** When the next job or schedule is due; Infinity if none is. */
  async #nextDueAt(): Promise<number> {
    return Math.min(
      (await nextDueAt(this.#app)) ?? Infinity,
      (await nextScheduleAt(this.#app)) ?? Infinity,
    )
  }

  async #isWokenWithin(milliseconds: number): Promise<boolean> {
    const timeout = new AbortController()
    const isWoken = await Promise.race([
      this.#woken.promise.then(() => true),
      pause(milliseconds, false, { signal: timeout.signal }).catch(() => false),
    ])
    timeout.abort()
    return isWoken
  }

  /** Whether a pass is worth its statements: jobs run here or elsewhere, something was committed, or one is due. */
  #mayFindWork(next: number): boolean {
    return (
      this.#hasCommits ||
      this.#running.size > 0 ||
      this.#watch.isWatching ||
      this.#steps.hasStepped ||
      this.#app.clock.now() >= next
    )
  }

  #wake(): void {
    this.#woken.resolve()
  }

  /** Does everything that is due now. */
  async #pass(): Promise<void> {
    this.#hasCommits = false
    await this.#prepare()
    if (this.#steps.takeStep() < 0) await correctDueTimes(this.#app)
    await this.#watch.freeExpired(new Set(this.#running.keys()))
    await fireSchedules(this.#app)
    for (const id of this.#running.size > 0 ? await cancelRequestedIds(this.#app, this.#lease) : [])
      this.#running.get(id)?.attempt.stop('cancelled')
    if (this.#isStopping) return
    const capacity = {
      free: this.#options.concurrency - this.#running.size,
      claimedIds: new Set(this.#running.keys()),
    }
    for (const job of await claim(this.#app, this.#lease, capacity)) this.#begin(job)
  }

  #begin(job: JobRow): void {
    const attempt = new Attempt(this.#app, job, this.#options.random)
    const ended = this.#loggingErrors('a job', () => attempt.run()).then(() => {
      this.#running.delete(job.id)
      this.#wake()
    })
    this.#running.set(job.id, { attempt, ended })
  }

  /** Renews the leases, and stops attempts at jobs that were lost or whose owner lost their rights. */
  async #renewLeases(): Promise<void> {
    if (this.#running.size === 0) return
    const before = [...this.#running]
    const extendedIds = await renewLeases(
      this.#app,
      this.#lease,
      before.map(([id]) => id),
    )
    for (const [id, { attempt }] of before) {
      if (extendedIds.has(id)) await attempt.checkRights()
      else if (this.#running.has(id)) attempt.stop('lost')
    }
  }

  async #loggingErrors<T>(activity: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      this.#app.log.error('work that came due failed', {
        what: activity,
        error: describeError(error),
      })
      return undefined
    }
  }
}
