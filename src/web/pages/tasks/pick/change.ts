import type { Input } from '../../../api/client.ts'
import {
  customName,
  type CustomFieldName,
  type CustomValue,
  type DelegateKey,
  type TaskField,
} from '../data/fields.ts'
import type { Priority, StatusCategory } from '../../../ui/work/states.tsx'
import type { TaskPatch, TaskRow } from '../data/rows.ts'

interface NamedRef {
  id: string
  title: string
}

/** A change to one or more tasks, as made by a picker. */
export type TaskChange =
  | { field: 'status'; name: string; category: StatusCategory }
  | { field: 'priority'; priority: Priority }
  | { field: 'assignees'; people: readonly NamedRef[] }
  | { field: 'delegate'; key: DelegateKey | null }
  | { field: 'due' | 'start'; day: string | null }
  | { field: 'dates'; start: string | null; due: string }
  | { field: 'addLabel' | 'removeLabel'; label: NamedRef }
  | { field: 'sprint' | 'milestone'; item: NamedRef | null }
  | { field: 'estimate'; minutes: number | null }
  | { field: 'points'; points: number | null }
  | { field: 'title'; title: string }
  | { field: 'labels'; labels: readonly NamedRef[] }
  | { field: CustomFieldName; value: CustomValue }

type CustomChange = Extract<TaskChange, { field: CustomFieldName }>

export type BulkChanges = Input<'bulk_update_tasks'>['changes']

export function patchOf(row: TaskRow, change: TaskChange): TaskPatch {
  switch (change.field) {
    case 'status':
      return { status: change.name, status_category: change.category }
    case 'priority':
      return { priority: change.priority }
    case 'assignees':
      return { assignees: [...change.people] }
    case 'delegate':
      return { delegate: change.key ? { ...change.key, state: 'active' } : undefined }
    case 'due':
      return duePatch('due', change.day)
    case 'start':
      return duePatch('start', change.day)
    case 'dates':
      return {
        ...duePatch('start', change.start?.slice(0, 10) ?? null),
        ...duePatch('due', change.due.slice(0, 10)),
      }
    case 'addLabel':
      return {
        labels: [...row.labels.filter((label) => label.id !== change.label.id), change.label],
      }
    case 'removeLabel':
      return { labels: row.labels.filter((label) => label.id !== change.label.id) }
    case 'sprint':
      return { sprint: change.item ?? undefined }
    case 'milestone':
      return { milestone: change.item ?? undefined }
    case 'estimate':
      return { estimate_minutes: change.minutes ?? undefined }
    case 'points':
      return { points: change.points ?? undefined }
    case 'title':
      return { title: change.title }
    case 'labels':
      return { labels: [...change.labels] }
    default:
      return customPatch(row, change)
  }
}

function customPatch(row: TaskRow, { field, value }: CustomChange): TaskPatch {
  const { [customName(field)]: _, ...others } = row.custom_fields
  return {
    custom_fields: value === null ? others : { ...others, [customName(field)]: value },
  }
}

/** Only the day is known before the server answers: the moment depends on the person's time zone. */
function duePatch(field: 'due' | 'start', day: string | null): TaskPatch {
  if (field === 'due')
    return day === null
      ? { due_at: undefined, due_on: undefined, due_local: undefined }
      : { due_on: day, due_at: new Date(`${day}T23:59:59`).toISOString() }
  return day === null
    ? { start_at: undefined, start_on: undefined, start_local: undefined }
    : { start_on: day }
}

/** A change as arguments of `bulk_update_tasks`. Excludes the title, which is set by `update_task` for each task. */
export function bulkChangesOf(change: TaskChange, row?: TaskRow): BulkChanges {
  switch (change.field) {
    case 'status':
      return { status: change.name }
    case 'priority':
      return { priority: change.priority }
    case 'assignees':
      return { assignee_ids: change.people.map((person) => person.id) }
    case 'delegate':
      return { delegate_key_id: change.key?.id ?? null }
    case 'due':
      return { due_at: change.day }
    case 'start':
      return { start_at: change.day }
    case 'dates':
      return { start_at: change.start, due_at: change.due }
    case 'addLabel':
      return { add_label_ids: [change.label.id] }
    case 'removeLabel':
      return { remove_label_ids: [change.label.id] }
    case 'sprint':
      return { sprint_id: change.item?.id ?? null }
    case 'milestone':
      return { milestone_id: change.item?.id ?? null }
    case 'estimate':
      return { estimate_minutes: change.minutes }
    case 'points':
      return { points: change.points }
    case 'title':
      return {}
    case 'labels':
      return labelChanges(row?.labels ?? [], change.labels)
    default:
      return { custom_fields: { [customName(change.field)]: change.value } }
  }
}

function labelChanges(before: readonly NamedRef[], after: readonly NamedRef[]): BulkChanges {
  const idsNotIn = (labels: readonly NamedRef[], others: readonly NamedRef[]) =>
    labels.filter(({ id }) => !others.some((other) => other.id === id)).map(({ id }) => id)
  const [add_label_ids, remove_label_ids] = [idsNotIn(after, before), idsNotIn(before, after)]
  return {
    ...(add_label_ids.length > 0 && { add_label_ids }),
    ...(remove_label_ids.length > 0 && { remove_label_ids }),
  }
}

/** The field of a change. */
export function fieldOf({ field }: TaskChange): TaskField {
  if (field === 'addLabel' || field === 'removeLabel') return 'labels'
  return field === 'dates' ? 'due' : field
}
