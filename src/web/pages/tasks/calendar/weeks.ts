import { addDays } from '../../../ui/work/days.ts'

export const calendarSpans = ['month', 'week'] as const
export type CalendarSpan = (typeof calendarSpans)[number]

const utcDateOf = (day: string) => new Date(`${day}T00:00:00Z`)

/** The Monday of the week of a day. */
export const mondayOf = (day: string): string =>
  addDays(day, -((utcDateOf(day).getUTCDay() + 6) % 7))

/** The weeks shown around a day: its own, or all of its month. */
export function weeksAround(day: string, span: CalendarSpan): string[][] {
  const firstMonday = mondayOf(span === 'week' ? day : `${day.slice(0, 8)}01`)
  const count = span === 'week' ? 1 : weekCount(firstMonday, day)
  return Array.from({ length: count }, (_, week) =>
    Array.from({ length: 7 }, (_, index) => addDays(firstMonday, 7 * week + index)),
  )
}

function weekCount(firstMonday: string, day: string): number {
  const month = day.slice(0, 7)
  let count = 1
  while (addDays(firstMonday, 7 * count).slice(0, 7) === month) count++
  return count
}

/** The same day of the previous or next month or week. */
export function addSpans(day: string, span: CalendarSpan, count: number): string {
  if (span === 'week') return addDays(day, 7 * count)
  const date = utcDateOf(`${day.slice(0, 8)}01`)
  date.setUTCMonth(date.getUTCMonth() + count)
  return date.toISOString().slice(0, 10)
}
