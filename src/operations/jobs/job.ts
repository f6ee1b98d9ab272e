import type { z } from 'zod'
import type { Backoff } from '../../kernel/backoff.ts'
import type { CallRequest } from '../call/request.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { ItemTable } from '../../records/row.ts'
import type { Settings } from '../../config/settings.ts'
import type { TickContext } from './tick.ts'

/** A kind of work that outlives the request for it, or that runs on a schedule. */
export interface JobKind<A extends z.ZodType = z.ZodType> {
  /** `verb_noun`, like operation names. */
  name: string
  about: string
  /** Arguments, limited to ids and a few words; everything else is read when it runs. */
  args: A
  /** Maximum number that run concurrently, across all processes; default 2. */
  concurrency?: number
  /** Number of starts without completion after which it is dead; default 8. */
  maxAttempts?: number
  /** Delay before a retry; default: 5 seconds, doubled each time up to an hour, with jitter. */
  backoff?: Backoff
  /** Maximum duration of an attempt, in milliseconds; default 15 minutes. */
  timeout?: number
  /**
   * Does the work, outside any transaction: it may wait for the network. Runs at least once: work done before a crash
   * is repeated, so it must check what is already done, or derive idempotency keys from the job's id. Its value is
   * stored as the job's result.
   */
  run(args: z.output<A>, job: JobContext): Promise<unknown>
}

/** Defines a kind of job, with its type erased. */
export function jobKind<A extends z.ZodType>(kind: JobKind<A>): JobKind {
  return kind as JobKind
}

export interface JobContext {
  /** The same at every attempt: for idempotency keys, here and in other systems. */
  readonly jobId: Id<'jobs'>
  /** Starts at 1. */
  readonly attempt: number
  /** The person it runs for; undefined: a system job. */
  readonly owner: Id<'users'> | undefined
  /** Aborted when the job must stop: cancelled, out of time, its owner gone, or the process ending. */
  readonly signal: AbortSignal
  readonly settings: Settings
  readonly log: Log
  /** Outbound network access. */
  readonly outbound: Outbound
  /** Decrypts secrets of rows; `write` stores them. */
  readonly secrets: SealedOf
  now(): number
  /** True if expired data may be erased permanently; false while the clock is in doubt. */
  mayErase(): boolean
  /** Reports progress to readers of the job; written about once a second. */
  progress(done: number, total?: number, message?: string): void
  /**
   * Acts as its owner or another person of their organization, with their current rights. A call throws NoRights if
   * they were deactivated or the key that requested the job has ended. For the owner that ends the job; a job for
   * many people skips the others.
   */
  as(personId?: Id<'users'>): JobActor
  /**
   * Runs work in a job of the writer, like ticks, for data that a module ingests. It may await only its own queries.
   */
  write<T>(work: (system: TickContext) => Promise<T>): Promise<T>
  /**
   * Like write(), for external effects that must be recorded (a server accepted a mail), even while the job is being
   * stopped.
   */
  record<T>(work: (system: TickContext) => Promise<T>): Promise<T>
  /**
   * Permanently erases a row with all dependent rows (by cascading foreign keys), in batches between which others can
   * write. Resumes after an interruption.
   */
  erase(table: ItemTable, id: string): Promise<void>
}

/** Decrypts secrets of a row, outside any transaction. @throws Refusal unavailable where no key opens it */
export interface SealedOf {
  read(
    table: ItemTable,
    row: { id: string; org_id: string },
    name: string,
  ): Promise<string | undefined>
}

/**
 * Context for work outside of transactions, in jobs or elsewhere: enough to talk to external servers and to store
 * their answers.
 */
export type Outside = Pick<
  JobContext,
  'outbound' | 'secrets' | 'settings' | 'signal' | 'log' | 'now' | 'write'
>

/** A person on whose behalf a job acts. */
export interface JobActor {
  /** Calls an operation through the pipeline, via automation. @throws Refusal */
  call<T = unknown>(
    operation: string,
    args: Record<string, unknown>,
    more?: Pick<CallRequest, 'idempotencyKey' | 'cause'>,
  ): Promise<T>
}

/** Thrown by a job for which retrying is useless: it becomes dead immediately. */
export class GiveUp extends Error {}

/** Thrown by a job that knows when to retry, for example from Retry-After. */
export class TryLater extends Error {
  readonly after: number

  /** `after` in milliseconds. */
  constructor(after: number, message: string) {
    super(message)
    this.after = after
  }
}

/** Thrown if the person of a job may no longer act. */
export class NoRights extends Error {}
