import { Temporal } from 'temporal-polyfill'

/** The ISO 8601 week of a day, with its year. */
export function isoWeek(day: string): { week: number; year: number } {
  const { weekOfYear, yearOfWeek } = Temporal.PlainDate.from(day)
  return { week: weekOfYear!, year: yearOfWeek! }
}

/** The Monday of a week; undefined if the year has no such week. */
export function mondayOf(year: number, week: number): string | undefined {
  const fourth = Temporal.PlainDate.from({ year, month: 1, day: 4 }) // always in the first week
  const monday = fourth.subtract({ days: fourth.dayOfWeek - 1 }).add({ weeks: week - 1 })
  return week >= 1 && monday.yearOfWeek === year ? monday.toString() : undefined
}
