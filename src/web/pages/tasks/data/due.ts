import { weekEnd } from '../../../ui/work/days.ts'
import type { StatusCategory } from '../../../ui/work/states.tsx'
import type { TaskRow } from './rows.ts'

export const isClosed = (category: StatusCategory) =>
  category === 'done' || category === 'cancelled'

/** The day on which a task is due, as 2026-11-25. */
export const dueDay = (row: TaskRow): string | undefined =>
  row.due_on ?? row.due_local?.slice(0, 10) ?? row.due_at?.slice(0, 10)

export const dueStates = ['overdue', 'today', 'week', 'later', 'none'] as const

/** The due state of a task, relative to the reader's `today`. */
export function dueStateOf(row: TaskRow, today: string): (typeof dueStates)[number] {
  const day = dueDay(row)
  if (day === undefined) return 'none'
  if (day < today) return isClosed(row.status_category) ? 'later' : 'overdue'
  if (day === today) return 'today'
  return day <= weekEnd(today) ? 'week' : 'later'
}
