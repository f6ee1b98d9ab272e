// Periods relative to the reading day: `this_week`, `next_14_days`. Stored as words, so that they move along.

const dayMs = 86_400_000
const hourMs = 3_600_000

const count = '[1-9]\\d{0,2}'
const dayWords = `today|tomorrow|yesterday|(?:this|next|last)_(?:week|month)|(?:next|last)_${count}_days`

/** Allowed values of the due date filter. */
export const duePeriod = new RegExp(`^(?:overdue|none|${dayWords})$`)

/** Start of a period of changes. */
export const sincePeriod = new RegExp(
  `^(?:today|this_week|this_month|last_${count}_(?:hour|day)s?)$`,
)

/** Days as text, 2026-11-25, both ends included. */
export interface DayRange {
  from: string
  to: string
}

const utc = (day: string) => new Date(`${day}T00:00:00Z`)
const utcDayOf = (date: Date) => date.toISOString().slice(0, 10)
const plusDays = (day: string, days: number) =>
  utcDayOf(new Date(utc(day).getTime() + days * dayMs))

/**
 * The days of a period for a person whose day is `today`. Weeks start on Monday; `next_7_days` is today and the
 * seven days after it. Undefined if the word is not a period of days, such as `overdue`.
 */
export function daysOf(period: string, today: string): DayRange | undefined {
  if (period === 'today') return { from: today, to: today }
  if (period === 'tomorrow') return oneDay(plusDays(today, 1))
  if (period === 'yesterday') return oneDay(plusDays(today, -1))
  const [, which, unit] = /^(this|next|last)_(week|month)$/.exec(period) ?? []
  const step = { this: 0, next: 1, last: -1 }[which ?? ''] ?? 0
  if (unit === 'week') return weekRangeOf(plusDays(today, 7 * step))
  if (unit === 'month') return monthRangeOf(today, step)
  const [, direction, days] = /^(next|last)_(\d{1,3})_days?$/.exec(period) ?? []
  if (days === undefined) return undefined
  return direction === 'next'
    ? { from: today, to: plusDays(today, Number(days)) }
    : { from: plusDays(today, -Number(days)), to: today }
}

const oneDay = (day: string): DayRange => ({ from: day, to: day })

function weekRangeOf(day: string): DayRange {
  const monday = plusDays(day, -((utc(day).getUTCDay() + 6) % 7))
  return { from: monday, to: plusDays(monday, 6) }
}

function monthRangeOf(day: string, step: number): DayRange {
  const [year, month] = [utc(day).getUTCFullYear(), utc(day).getUTCMonth() + step]
  return {
    from: utcDayOf(new Date(Date.UTC(year, month, 1))),
    to: utcDayOf(new Date(Date.UTC(year, month + 1, 0))),
  }
}

/** The reading moment, the reader's day, and the start of a day in their zone. */
export interface PeriodContext {
  now: number
  today: string
  startOf(day: string): number
}

/** Start of a period matching sincePeriod. */
export function sinceOf(period: string, { now, today, startOf }: PeriodContext): number {
  const [, hours] = /^last_(\d{1,3})_hours?$/.exec(period) ?? []
  if (hours !== undefined) return now - Number(hours) * hourMs
  return startOf(daysOf(period, today)?.from ?? today)
}
