import type { OperationName, Output } from '../api/client.ts'

type ListedBy<N extends OperationName> = Output<N> extends { items: (infer R)[] } ? R : never

/** Row types of the store, by item type, as returned by the list of the type. */
interface RowTypes {
  task: ListedBy<'list_tasks'>
  message: ListedBy<'list_messages'>
  channel: ListedBy<'list_channels'>
  thread: ListedBy<'list_email_threads'>
  page: ListedBy<'list_pages'>
  event: ListedBy<'list_events'>
  notification: ListedBy<'list_notifications'>
  contact: ListedBy<'list_contacts'>
  company: ListedBy<'list_companies'>
  deal: ListedBy<'list_deals'>
  incident: ListedBy<'list_incidents'>
  goal: ListedBy<'list_goals'>
  project: ListedBy<'list_projects'>
  sprint: ListedBy<'list_sprints'>
  milestone: ListedBy<'list_milestones'>
  meeting: ListedBy<'list_meetings'>
  file: ListedBy<'list_files'>
  time_entry: ListedBy<'list_time_entries'>
}

export type RowType = keyof RowTypes

/**
 * Last change of an item. `key` is set if an assistant made it; its title is visible to its owner and to
 * administrators.
 */
export interface LastChange {
  at: string
  actor: { id: string; title: string }
  via: string
  key?: { title?: string; owner: { id: string; title: string } }
  automation?: { id: string; title: string }
  /** For the reader's own changes, the call that made it, accepted by undo_api_call. */
  call_id?: string
}

/** A row as seen by screens: server data with the reader's unconfirmed changes on top. */
export type RowOf<T extends RowType> = RowTypes[T] & {
  id: string
  last_change?: LastChange
}

/** Fields that the store requires of any row. */
export interface AnyRow {
  readonly id: string
  readonly revision?: number
  readonly updated_at?: string
  readonly last_change?: LastChange
}

/** An own change before the server has confirmed it. Must be plain data, because it may be stored on disk. */
export type RowChange =
  | { type: RowType; id: string; set: Record<string, unknown> }
  | { type: RowType; id: string; remove: true }
  | { type: RowType; id: string; add: Record<string, unknown> }
