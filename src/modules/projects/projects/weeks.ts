import { Temporal } from 'temporal-polyfill'
import { addDays, daysBetween, weekday } from '../../../kernel/time/times.ts'

/** The ISO week of a day, `2026-W47`. */
export function isoWeekOf(day: string): string {
  const date = Temporal.PlainDate.from(day)
  return `${date.yearOfWeek}-W${String(date.weekOfYear).padStart(2, '0')}`
}

/** All ISO weeks overlapping a span, in order. */
export function weeksOf(from: string, to: string): string[] {
  const monday = addDays(from, 1 - weekday(from))
  const count = Math.floor(daysBetween(monday, to) / 7) + 1
  return Array.from({ length: count }, (_, i) => isoWeekOf(addDays(monday, 7 * i)))
}
