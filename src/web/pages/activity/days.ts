import { activityTexts as t } from './texts.ts'

const weekday = new Intl.DateTimeFormat('en', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})
const dayCache = new Map<string, string>()

/** The day of a moment in the reader's zone: `2026-11-22`. Cached, because zone lookups are slow. */
export function dayOf(at: string): string {
  const minutes = at.slice(0, 15) // ten of them, within which no zone's day begins
  let day = dayCache.get(minutes)
  if (day === undefined) {
    const date = new Date(at)
    day = `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`
    dayCache.set(minutes, day)
  }
  return day
}

export function dayName(at: string, now = Date.now()): string {
  const day = dayOf(at)
  if (day === dayOf(new Date(now).toISOString())) return t.activity.today
  if (day === dayOf(new Date(now - 86_400_000).toISOString())) return t.activity.yesterday
  return weekday.format(new Date(at))
}
