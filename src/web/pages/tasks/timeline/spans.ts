import { addDays, daysBetween } from '../../../ui/work/days.ts'
import type { TaskRow } from '../data/rows.ts'
import { dueDay } from '../data/due.ts'

/** The days of a task's bar. A task with only one date has a bar of one day. */
export interface Span {
  from: string
  to: string
}

/** The day on which a task begins. */
export const startDay = (row: TaskRow): string | undefined =>
  row.start_on ?? row.start_local?.slice(0, 10) ?? row.start_at?.slice(0, 10)

export function taskSpanOf(row: TaskRow): Span | undefined {
  const due = dueDay(row)
  const start = startDay(row)
  const to = due ?? start
  if (to === undefined) return undefined
  return { from: start !== undefined && start < to ? start : to, to }
}

/** Part of a bar that a change moves: the whole bar, or one of its ends. */
export type BarEdge = 'both' | 'from' | 'to'

/** A span with one or both ends shifted by days; at least one day long. */
export function shiftSpan({ from, to }: Span, edge: BarEdge, days: number): Span {
  if (edge === 'both') return { from: addDays(from, days), to: addDays(to, days) }
  if (edge === 'from') {
    const day = addDays(from, days)
    return { from: day < to ? day : to, to }
  }
  const day = addDays(to, days)
  return { from, to: day > from ? day : from }
}

/** The date range of a timeline: all bars and today, with a margin. */
export function rangeOf(spans: readonly Span[], today: string): Span {
  const earliest = addDays(today, -365)
  const latest = addDays(today, 540)
  let from = addDays(today, -21)
  let to = addDays(today, 90)
  for (const span of spans) {
    if (span.from < from) from = span.from < earliest ? earliest : span.from
    if (span.to > to) to = span.to > latest ? latest : span.to
  }
  const daysSinceMonday = (new Date(`${from}T00:00:00Z`).getUTCDay() + 6) % 7
  return { from: addDays(from, -daysSinceMonday - 7), to: addDays(to, 28) }
}

/** True if a task starts before its blocker ends. */
export const isTooEarly = (blocker: Span, blocked: Span) =>
  daysBetween(blocker.to, blocked.from) < 0
