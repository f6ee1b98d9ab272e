import type { Actor } from '../kernel/actor.ts'
import type { CatalogueView, Entry } from './entry.ts'
import type { Clock } from '../kernel/time/clock.ts'
import type { Id } from '../kernel/ids.ts'
import type { JobOptions, Schedule } from '../kernel/job-options.ts'
import type { Notify } from '../notify/notices.ts'
import type { Refusal } from '../kernel/refusal.ts'
import type { ItemTable } from '../records/row.ts'
import type { RowChanges } from '../records/row-changes.ts'
import type { Viewer } from '../records/access-scope.ts'
import type { Settings } from '../config/settings.ts'
import type { Limits } from '../limits/limits.ts'
import type { SearchEngine } from '../search/engine.ts'

/** Context passed to every handler. Rows are reached through resources: `task.visibleTo(ctx)`. */
export interface ReadContext extends Viewer {
  readonly actor: Actor
  /** The call's moment, in milliseconds; the same for all that the call does. */
  readonly now: number
  readonly clock: Clock
  /** True while a dry run: everything is written as usual, and taken back at the end. */
  readonly dryRun: boolean
  /** Public URL of the web app and the API, without a trailing slash. */
  readonly baseUrl: string
  readonly settings: Settings
  /** Usage of rates and plans; handlers must not base decisions on it. */
  readonly limits: Pick<Limits, 'remaining' | 'plans'>
  /** Search by words, meaning and links; operations/search/search-items.ts asks it. */
  readonly searchEngine: Pick<SearchEngine, 'search' | 'rank' | 'vectorStatus' | 'reranker'>
  /** Id of the call in the call log; undo_api_call takes it. */
  readonly callId: string
  /** Ends when the caller goes away. */
  readonly signal: AbortSignal | undefined
  /** Result of the operation's prepare, fetch or compute step; undefined if another operation makes the call. */
  readonly prefetched: unknown
  /**
   * Reports how far the call is, to those who listen. Costs next to nothing, so loops may call it for each row. Only for operations
   * that say `reports: true`; what an operation reports that others call inside their own call is not passed on.
   */
  progress(done: number, total?: number, message?: string): void
  /** Why the caller's key or connection may not use an operation; undefined where it may. */
  refusalFor(entry: Entry): Refusal | undefined
  /** Calls another operation as the same actor, inside the same call (and, for a write, the same transaction). */
  call<T = unknown>(operation: string, args: Record<string, unknown>): Promise<T>
  /** All modules and operations: for the operations about operations. */
  readonly catalogue: CatalogueView
}

/** Sealed secrets of rows: by table, row id and name. The caller must be able to see the row. */
interface RowSecrets {
  /** @throws Refusal unavailable where there is no master key */
  put(table: ItemTable, row: { id: string }, name: string, text: string): Promise<void>
  read(table: ItemTable, row: { id: string }, name: string): Promise<string | undefined>
  drop(table: ItemTable, row: { id: string }, name?: string): Promise<void>
}

export interface WriteContext extends ReadContext, RowChanges {
  /**
   * Tells people of an item in their notifications, with one plain sentence that does not repeat what only those who see the item may know
   * (the item is shown beside it). Who may not see the item when the call ends is not notified, nor is the actor, except by kinds that come
   * from the house (due, automation, reminder, security, digest) and by what it does by itself in someone's name. Of several for one person and item the most telling kind stays.
   */
  readonly notify: Notify
  /** Secrets of rows of the caller's organization, kept sealed. */
  readonly secrets: RowSecrets
  /** Runs after the commit, outside the transaction; never for a dry run. */
  later(work: () => Promise<void>): void
  /**
   * Asks for a job in the caller's name, which begins once this call is durable; never for a dry run. The caller may look at it by its
   * id, which is the answer, with `GET /api/jobs/{job_id}`.
   */
  job(kind: string, args: Record<string, unknown>, options?: JobOptions): Promise<Id<'jobs'>>
  /** Lets jobs come up in the caller's name by a schedule, in place of the one of that name. @throws Refusal where the schedule is wrong */
  schedule(schedule: Schedule): Promise<void>
  unschedule(name: string): Promise<void>
}
