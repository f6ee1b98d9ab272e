import type { z } from 'zod'
import type { Backoff } from '../../kernel/backoff.ts'
import type { CallRequest } from '../call/request.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { ItemTable } from '../../records/row.ts'
import type { Settings } from '../../config/settings.ts'
import type { TickContext } from './tick.ts'

/** A kind of work that outlives the request that asks for it, or that comes up by itself. */
export interface JobKind<A extends z.ZodType = z.ZodType> {
  /** `verb_noun`, as operations are called. */
  name: string
  about: string
  /** Arguments, limited to ids and a few words; everything else is read when it runs. */
  args: A
  /** Maximum number that run concurrently, across all processes; default 2. */
  concurrency?: number
  /** Begun so many times without an end, it is dead; default 8. */
  maxAttempts?: number
  /** Delay before a retry; default: 5 seconds, doubled each time up to an hour, with jitter. */
  backoff?: Backoff
  /** Maximum duration of an attempt, in milliseconds; default 15 minutes. */
  timeout?: number
  /**
   * Does it, outside of any transaction: it may wait for the network. At least once: what it did before a crash is done again,
   * so it looks what is done already, or names its calls by the job's id. Its value is kept as the job's result.
   */
  run(args: z.output<A>, job: JobContext): Promise<unknown>
}

/** Defines a kind of job, its type erased. */
export function jobKind<A extends z.ZodType>(kind: JobKind<A>): JobKind {
  return kind as JobKind
}

export interface JobContext {
  /** The same at every attempt: for idempotency keys, here and elsewhere. */
  readonly jobId: Id<'jobs'>
  /** 1 the first time. */
  readonly attempt: number
  /** In whose name it runs; undefined: the house's own. */
  readonly owner: Id<'users'> | undefined
  /** Ends where the job is to stop: cancelled, out of time, its owner gone, or the process about to end. */
  readonly signal: AbortSignal
  readonly settings: Settings
  readonly log: Log
  /** The way out to the network. */
  readonly outbound: Outbound
  /** Opens what is sealed of rows; what is to be sealed is put in by `write`. */
  readonly secrets: SealedOf
  now(): number
  /** Whether what is over by the clock may be erased for good; not while the clock is doubted. */
  mayErase(): boolean
  /** The progress that readers of the job see; written about once a second. */
  progress(done: number, total?: number, message?: string): void
  /**
   * Its owner, or another person of their organization, as they are at each call: rights change. A call throws NoRights where they
   * were deactivated, or the key that asked for the job has ended. Of its owner that ends the job; a job that works for many passes
   * over the others.
   */
  as(personId?: Id<'users'>): JobActor
  /** Runs work in a job of the writer, as ticks do: for what a module takes in. Nothing may be awaited in it but its own queries. */
  write<T>(work: (system: TickContext) => Promise<T>): Promise<T>
  /** The same for what has happened outside already and must not be forgotten (a server took a letter): also while the job is being stopped. */
  record<T>(work: (system: TickContext) => Promise<T>): Promise<T>
  /** Erases a row for good with all that belongs to it (by cascading foreign keys), in pieces between which others write. Begun again, it goes on. */
  erase(table: ItemTable, id: string): Promise<void>
}

/** Opens what is sealed of a row, outside of any transaction. @throws Refusal unavailable where no key opens it */
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

/** A person in whose name a job acts. */
export interface JobActor {
  /** Calls an operation through the one pipeline, via automation. @throws Refusal */
  call<T = unknown>(
    operation: string,
    args: Record<string, unknown>,
    more?: Pick<CallRequest, 'idempotencyKey' | 'cause'>,
  ): Promise<T>
}

/** Throw it from a job that no other attempt can help: it is dead at once. */
export class GiveUp extends Error {}

/** Throw it from a job that knows when it is worth another try: a server said Retry-After. */
export class TryLater extends Error {
  readonly after: number

  /** `after` in milliseconds. */
  constructor(after: number, message: string) {
    super(message)
    this.after = after
  }
}

/** The person of a job may no longer act. */
export class NoRights extends Error {}
