import { Temporal } from 'temporal-polyfill'

/** The week of ISO 8601 that a day is in, with the year that it belongs to. */
export function isoWeek(day: string): { week: number; year: number } {
  const { weekOfYear, yearOfWeek } = Temporal.PlainDate.from(day)
  return { week: weekOfYear!, year: yearOfWeek! }
}

/** The Monday of a week; undefined where the year has no such week. */
export function mondayOf(year: number, week: number): string | undefined {
  const fourth = Temporal.PlainDate.from({ year, month: 1, day: 4 }) // always in the first week
  const monday = fourth.subtract({ days: fourth.dayOfWeek - 1 }).add({ weeks: week - 1 })
  return week >= 1 && monday.yearOfWeek === year ? monday.toString() : undefined
}
