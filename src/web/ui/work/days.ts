// Days as text, 2026-11-25: independent of time zones.

const dayMs = 86_400_000
/** Matches a day in that format. */
export const isoDay = /^\d{4}-\d{2}-\d{2}$/
const utc = (day: string) => new Date(`${day}T00:00:00Z`)

/** The reader's day at a moment. */
export function dayOf(at: Date = new Date()): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

export function addDays(day: string, count: number): string {
  return new Date(utc(day).getTime() + count * dayMs).toISOString().slice(0, 10)
}

/** Days from one to another; negative if the second is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((utc(to).getTime() - utc(from).getTime()) / dayMs)
}

/** The Sunday of the week of a day. */
export function weekEnd(day: string): string {
  return addDays(day, (7 - utc(day).getUTCDay()) % 7)
}

/** The next such weekday after a day; 1 is Monday. */
export function nextWeekday(day: string, weekday: number): string {
  return addDays(day, ((weekday - utc(day).getUTCDay() + 6) % 7) + 1)
}

const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' })
const sameYear = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
const otherYear = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** A day in words: Today, Tomorrow, Fri, 12 Dec, 12 Dec 2027. */
export function dayWords(day: string, today: string = dayOf()): string {
  const distance = daysBetween(today, day)
  if (distance === 0) return 'Today'
  if (distance === 1) return 'Tomorrow'
  if (distance === -1) return 'Yesterday'
  if (distance > 1 && distance < 7) return weekday.format(utc(day))
  return shortDate(day, today)
}

/** A day by date, never relative to today: 12 Dec, 12 Dec 2027. */
export function shortDate(day: string, today: string = dayOf()): string {
  return (day.slice(0, 4) === today.slice(0, 4) ? sameYear : otherYear).format(utc(day))
}

/** A day by date with the weekday, for lists of days. */
export function longDay(day: string, today: string = dayOf()): string {
  const date = day.slice(0, 4) === today.slice(0, 4) ? sameYear : otherYear
  return `${weekday.format(utc(day))} ${date.format(utc(day))}`
}
