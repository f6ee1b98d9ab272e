import { t } from '../../../texts/index.ts'
import { shortDate } from '../../../ui/work/days.ts'
import { dueDay } from './due.ts'
import { customName, isCustom, type TaskField } from './fields.ts'
import { personName } from './lists.ts'
import type { TaskRow } from './rows.ts'

export const fieldLabel = (field: TaskField): string =>
  isCustom(field) ? customName(field) : t.tasks.fields[field]

/** A task value in words; empty if unset. */
export function fieldText(row: TaskRow, field: TaskField): string {
  switch (field) {
    case 'due':
      return dateText(dueDay(row))
    case 'start':
      return dateText(row.start_on)
    case 'priority':
      return row.priority === 'none' ? '' : t.tasks.priorities[row.priority]
    default:
      return plainText(row, field)
  }
}

const dateText = (day: string | undefined) => (day === undefined ? '' : shortDate(day))

/** A task value as text that spreadsheets and the table can read back: days as 2026-12-04. */
export function plainText(row: TaskRow, field: TaskField): string {
  switch (field) {
    case 'due':
      return dueDay(row) ?? ''
    case 'start':
      return row.start_on ?? ''
    case 'assignees':
      return row.assignees.map((person) => person.title).join(', ')
    case 'delegate':
      return row.delegate ? delegateName(row.delegate) : ''
    case 'labels':
      return row.labels.map((label) => label.title).join(', ')
    case 'project':
      return row.project.title
    case 'sprint':
    case 'milestone':
      return row[field]?.title ?? ''
    case 'estimate':
      return durationText(row.estimate_minutes)
    case 'points':
      return String(row.points ?? '')
    case 'priority':
      return row.priority
    case 'status':
    case 'title':
      return row[field]
    default:
      return customText(row.custom_fields[customName(field)])
  }
}

/** A custom field value in words; ids of people are replaced by names. */
export function customText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'boolean') return value ? t.tasks.table.yes : t.tasks.table.no
  return typeof value === 'string' ? personName(value) : String(value)
}

/** Name of a delegate: its key if visible to the reader, else the key's owner. */
export const delegateName = ({ title, owner }: NonNullable<TaskRow['delegate']>): string =>
  title ?? t.tasks.keyOf(owner.title)

/** Minutes as `1h 30m`; empty for none. */
export function durationText(minutes: number | undefined): string {
  if (minutes === undefined) return ''
  const [hours, minutesLeft] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 && `${hours}h`, minutesLeft > 0 && `${minutesLeft}m`]
    .filter((part) => part !== false)
    .join(' ')
}
