import type { TaskRow } from '../data/rows.ts'
import { applyChange } from '../pick/changes.ts'
import { shiftSpan, taskSpanOf, startDay, type BarEdge, type Span } from './spans.ts'

/**
 * Sets a task's dates to a span; keeps a time of day, and sets a missing start date only if the span is longer than a
 * day.
 */
export function setSpan(row: TaskRow, span: Span): void {
  const currentSpan = taskSpanOf(row)
  if (currentSpan && currentSpan.from === span.from && currentSpan.to === span.to) return
  const start = startDay(row)
  const isLong = span.from < span.to
  void applyChange([row.id], {
    field: 'dates',
    start:
      start !== undefined || isLong ? withTime(span.from, row.start_on, row.start_local) : null,
    due: withTime(span.to, row.due_on, row.due_local),
  })
}

function withTime(day: string, dateOnly: string | undefined, local: string | undefined): string {
  return dateOnly === undefined && local !== undefined ? `${day}${local.slice(10, 19)}` : day
}

/** Shifts the dates of tasks; tasks without dates are unchanged. */
export function shiftTasks(rows: readonly TaskRow[], edge: BarEdge, days: number): void {
  for (const row of rows) {
    const span = taskSpanOf(row)
    if (span) setSpan(row, shiftSpan(span, edge, days))
  }
}
