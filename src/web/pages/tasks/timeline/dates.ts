import type { TaskRow } from '../data/rows.ts'
import { applyChange } from '../pick/changes.ts'
import { shifted, taskSpanOf, startDay, type BarEdge, type Span } from './spans.ts'

/** Sets the days of a task to those of a span; a time of day is kept, and a day that it had not is only set where the span has room for it. */
export function setSpan(row: TaskRow, span: Span): void {
  const before = taskSpanOf(row)
  if (before && before.from === span.from && before.to === span.to) return
  const start = startDay(row)
  const isLong = span.from < span.to
  void applyChange([row.id], {
    field: 'dates',
    start:
      start !== undefined || isLong ? withTime(span.from, row.start_on, row.start_local) : null,
    due: withTime(span.to, row.due_on, row.due_local),
  })
}

function withTime(day: string, on: string | undefined, local: string | undefined): string {
  return on === undefined && local !== undefined ? `${day}${local.slice(10, 19)}` : day
}

/** Moves the days of tasks; those without any stay so. */
export function shiftTasks(rows: readonly TaskRow[], edge: BarEdge, days: number): void {
  for (const row of rows) {
    const span = taskSpanOf(row)
    if (span) setSpan(row, shifted(span, edge, days))
  }
}
