import type { OperationName, Output } from '../api/client.ts'

type ListedBy<N extends OperationName> = Output<N> extends { items: (infer R)[] } ? R : never

/** The rows that the store holds, by item type: as the list of the type shows them. */
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
  /** The call that made it, of one's own changes: what undo_api_call takes. */
  call_id?: string
}

/** A row as screens get it: what the server said, with one's own changes over it that it has not confirmed. */
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

/** A change of one's own, as it shows before the server has confirmed it. It has to be plain data: it may wait on the disk. */
export type RowChange =
  | { type: RowType; id: string; set: Record<string, unknown> }
  | { type: RowType; id: string; remove: true }
  | { type: RowType; id: string; add: Record<string, unknown> }
