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
  /** Time of the call in milliseconds; the same throughout the call. */
  readonly now: number
  readonly clock: Clock
  /** True in a dry run: everything is written as usual and rolled back at the end. */
  readonly dryRun: boolean
  /** Public URL of the web app and the API, without a trailing slash. */
  readonly baseUrl: string
  readonly settings: Settings
  /** Usage of rates and plans; handlers must not base decisions on it. */
  readonly limits: Pick<Limits, 'remaining' | 'plans'>
  /** Search by words, meaning and links, used by operations/search/search-items.ts. */
  readonly searchEngine: Pick<SearchEngine, 'search' | 'rank' | 'vectorStatus' | 'reranker'>
  /** Id of the call in the call log, accepted by undo_api_call. */
  readonly callId: string
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal | undefined
  /** Result of the operation's prepare, fetch or compute step; undefined if another operation makes the call. */
  readonly prefetched: unknown
  /**
   * Reports progress to listeners. Cheap enough to call for each row of a loop. Only for operations with
   * `reportsProgress: true`; progress of nested calls is not forwarded.
   */
  progress(done: number, total?: number, message?: string): void
  /** Why the caller's key or connection may not use an operation; undefined if it may. */
  refusalFor(entry: Entry): Refusal | undefined
  /** Calls another operation as the same actor, inside the same call (and, for a write, the same transaction). */
  call<T = unknown>(operation: string, args: Record<string, unknown>): Promise<T>
  /** All modules and operations, for operations that search or describe others. */
  readonly catalogue: CatalogueView
}

/** Encrypted secrets of rows, by table, row id and name. The caller must be able to see the row. */
interface RowSecrets {
  /** @throws Refusal unavailable where there is no master key */
  put(table: ItemTable, row: { id: string }, name: string, text: string): Promise<void>
  read(table: ItemTable, row: { id: string }, name: string): Promise<string | undefined>
  drop(table: ItemTable, row: { id: string }, name?: string): Promise<void>
}

export interface WriteContext extends ReadContext, RowChanges {
  /**
   * Notifies people of an item, with one plain sentence. The sentence must not repeat confidential parts of the item,
   * which is shown beside it. Skips people who cannot see the item when the call ends, and the actor, except for
   * kinds sent by the system (due, automation, reminder, security, digest) and for system actions on behalf of a
   * person. Of several notifications for one person and item, the most important kind is kept.
   */
  readonly notify: Notify
  /** Encrypted secrets of rows of the caller's organization. */
  readonly secrets: RowSecrets
  /** Runs after the commit, outside the transaction; never for a dry run. */
  afterCommit(work: () => Promise<void>): void
  /**
   * Requests a job on behalf of the caller, which starts once this call is durable; never for a dry run. Returns its
   * id, with which the caller can check it using `GET /api/jobs/{job_id}`.
   */
  job(kind: string, args: Record<string, unknown>, options?: JobOptions): Promise<Id<'jobs'>>
  /**
   * Schedules jobs on behalf of the caller, replacing the schedule of that name. @throws Refusal where the schedule
   * is wrong
   */
  schedule(schedule: Schedule): Promise<void>
  unschedule(name: string): Promise<void>
}
