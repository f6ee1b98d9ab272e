import { activityTexts as t } from './texts.ts'

const dayFormat = new Intl.DateTimeFormat('en', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})
const dayCache = new Map<string, string>()

/** The day of a timestamp in the browser's time zone: `2026-11-22`. Cached, because time zone lookups are slow. */
export function dayOf(timestamp: string): string {
  const tenMinutes = timestamp.slice(0, 15) // no time zone has a midnight within ten minutes that start at :00, :10, …
  let day = dayCache.get(tenMinutes)
  if (day === undefined) {
    const date = new Date(timestamp)
    day = `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`
    dayCache.set(tenMinutes, day)
  }
  return day
}

export function dayName(timestamp: string, now = Date.now()): string {
  const day = dayOf(timestamp)
  if (day === dayOf(new Date(now).toISOString())) return t.activity.today
  if (day === dayOf(new Date(now - 86_400_000).toISOString())) return t.activity.yesterday
  return dayFormat.format(new Date(timestamp))
}
