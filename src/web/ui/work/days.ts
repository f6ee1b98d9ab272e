// Days as text, 2026-11-25: independent of time zones.

const dayMs = 86_400_000
/** Matches a day in that format. */
export const isoDay = /^\d{4}-\d{2}-\d{2}$/
const utcDate = (day: string) => new Date(`${day}T00:00:00Z`)

/** The reader's day at a moment. */
export function dayOf(date: Date = new Date()): string {
  const pad2 = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${pad2(date.getMonth() + 1)}-${pad2(date.getDate())}`
}

export function addDays(day: string, count: number): string {
  return new Date(utcDate(day).getTime() + count * dayMs).toISOString().slice(0, 10)
}

/** Days from one to another; negative if the second is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((utcDate(to).getTime() - utcDate(from).getTime()) / dayMs)
}

/** The Sunday of the week of a day. */
export function weekEnd(day: string): string {
  return addDays(day, (7 - utcDate(day).getUTCDay()) % 7)
}

/** The next such weekday after a day; 1 is Monday. */
export function nextWeekday(day: string, weekday: number): string {
  return addDays(day, ((weekday - utcDate(day).getUTCDay() + 6) % 7) + 1)
}

const weekdayFormat = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' })
const sameYearFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
const otherYearFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** A day in words: Today, Tomorrow, Fri, 12 Dec, 12 Dec 2027. */
export function relativeDay(day: string, today: string = dayOf()): string {
  const distance = daysBetween(today, day)
  if (distance === 0) return 'Today'
  if (distance === 1) return 'Tomorrow'
  if (distance === -1) return 'Yesterday'
  if (distance > 1 && distance < 7) return weekdayFormat.format(utcDate(day))
  return shortDate(day, today)
}

/** A day by date, never relative to today: 12 Dec, 12 Dec 2027. */
export function shortDate(day: string, today: string = dayOf()): string {
  return (day.slice(0, 4) === today.slice(0, 4) ? sameYearFormat : otherYearFormat).format(
    utcDate(day),
  )
}

/** A day by date with the weekday, for lists of days. */
export function longDay(day: string, today: string = dayOf()): string {
  const format = day.slice(0, 4) === today.slice(0, 4) ? sameYearFormat : otherYearFormat
  return `${weekdayFormat.format(utcDate(day))} ${format.format(utcDate(day))}`
}
