import { addDays } from '../../../ui/work/days.ts'
import { mondayOf, stepped, weeksAround } from '../../tasks/calendar/weeks.ts'

export const spans = ['day', 'week', 'month', 'agenda'] as const
export type Span = (typeof spans)[number]

const agendaDays = 30

/** The visible days around a day. */
export function daysOf(span: Span, at: string): string[] {
  if (span === 'day') return [at]
  if (span === 'month') return weeksAround(at, 'month').flat()
  const [first, count] = span === 'week' ? [mondayOf(at), 7] : [at, agendaDays]
  return Array.from({ length: count }, (_, n) => addDays(first, n))
}

/** The day after moving by a number of spans. */
export function steppedBy(span: Span, at: string, count: number): string {
  if (span === 'month') return stepped(at, 'month', count)
  if (span === 'week') return stepped(at, 'week', count)
  return addDays(at, count * (span === 'day' ? 1 : agendaDays))
}

const dateFormat = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })
const month = dateFormat({ month: 'long', year: 'numeric' })
const day = dateFormat({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const short = dateFormat({ day: 'numeric', month: 'short', year: 'numeric' })
const utcMidnight = (date: string) => new Date(`${date}T00:00:00Z`)

/** Title of the visible span: Friday 27 November 2026, 23 – 29 Nov 2026, November 2026. */
export function spanTitle(span: Span, at: string): string {
  if (span === 'month') return month.format(utcMidnight(at))
  if (span === 'day') return day.format(utcMidnight(at))
  const days = daysOf(span, at)
  return short.formatRange(utcMidnight(days[0] ?? at), utcMidnight(days.at(-1) ?? at))
}

/** A day in heading format: Friday 27 November 2026. */
export const dayTitle = (date: string): string => day.format(utcMidnight(date))

/** The month of a day: November 2026. */
export const monthTitle = (date: string): string => month.format(utcMidnight(date))
