import { t } from '../../../texts/index.ts'
import { shortDate } from '../../../ui/work/days.ts'
import { dueDay } from '../list/arrange.ts'
import type { PickField } from '../pick/open.ts'
import type { TaskRow } from './rows.ts'

/** The values of a task that can be changed on its own. */
export type TaskField = PickField | 'title' | 'estimate' | 'points'

/** A value of a task in words; empty where there is none. */
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

/** The same as a spreadsheet and this table read it back: days as 2026-12-04. */
function plainText(row: TaskRow, field: TaskField): string {
  switch (field) {
    case 'due':
      return dueDay(row) ?? ''
    case 'start':
      return row.start_on ?? ''
    case 'assignees':
      return row.assignees.map((person) => person.title).join(', ')
    case 'labels':
      return row.labels.map((label) => label.title).join(', ')
    case 'project':
      return row.project.title
    case 'sprint':
    case 'milestone':
      return row[field]?.title ?? ''
    case 'estimate':
      return hoursOf(row.estimate_minutes)
    case 'points':
      return String(row.points ?? '')
    case 'priority':
      return row.priority
    default:
      return row[field]
  }
}

/** Minutes as `1h 30m`; empty for none. */
export function hoursOf(minutes: number | undefined): string {
  if (minutes === undefined) return ''
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 && `${hours}h`, rest > 0 && `${rest}m`]
    .filter((part) => part !== false)
    .join(' ')
}
