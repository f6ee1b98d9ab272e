import { dayOf, relativeDay } from '../../ui/work/days.ts'

const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** A moment in words: Tomorrow 09:00, Fri 18:00, 12 Dec 09:00. */
export function describeMoment(date: Date): string {
  return `${relativeDay(dayOf(date))} ${timeFormat.format(date)}`
}

/** “tomorrow 9” means nine o'clock; the server requires minutes. */
export function wholeHour(text: string): string {
  const words = text.trim()
  return /[a-zß-ÿ]\s+([01]?\d|2[0-3])$/i.test(words) ? `${words}:00` : words
}

/** The moment for a phrase parsed by the server; a day without a time means its morning. */
export function resolvedDate({
  from,
  to,
  from_local,
}: {
  from: string
  to: string
  from_local: string
}): Date {
  return from === to ? new Date(from) : new Date(`${from_local.slice(0, 10)}T09:00`)
}
