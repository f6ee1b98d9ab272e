import { addDays } from '../../../ui/work/days.ts'
import { mondayOf, addSpans, weeksAround } from '../../tasks/calendar/weeks.ts'

export const spans = ['day', 'week', 'month', 'agenda'] as const
export type Span = (typeof spans)[number]

const agendaDays = 30

/** The visible days around a day. */
export function daysOf(span: Span, day: string): string[] {
  if (span === 'day') return [day]
  if (span === 'month') return weeksAround(day, 'month').flat()
  const [first, count] = span === 'week' ? [mondayOf(day), 7] : [day, agendaDays]
  return Array.from({ length: count }, (_, n) => addDays(first, n))
}

/** The day after moving by a number of spans. */
export function steppedBy(span: Span, day: string, count: number): string {
  if (span === 'month') return addSpans(day, 'month', count)
  if (span === 'week') return addSpans(day, 'week', count)
  return addDays(day, count * (span === 'day' ? 1 : agendaDays))
}

const dateFormat = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })
const monthFormat = dateFormat({ month: 'long', year: 'numeric' })
const dayFormat = dateFormat({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const shortDayFormat = dateFormat({ day: 'numeric', month: 'short', year: 'numeric' })
const utcMidnight = (date: string) => new Date(`${date}T00:00:00Z`)

/** Title of the visible span: Friday 27 November 2026, 23 – 29 Nov 2026, November 2026. */
export function spanTitle(span: Span, day: string): string {
  if (span === 'month') return monthFormat.format(utcMidnight(day))
  if (span === 'day') return dayFormat.format(utcMidnight(day))
  const days = daysOf(span, day)
  return shortDayFormat.formatRange(utcMidnight(days[0] ?? day), utcMidnight(days.at(-1) ?? day))
}

/** A day in heading format: Friday 27 November 2026. */
export const dayTitle = (date: string): string => dayFormat.format(utcMidnight(date))

/** The month of a day: November 2026. */
export const monthTitle = (date: string): string => monthFormat.format(utcMidnight(date))
