import type { z } from 'zod'
import { addDays, dayAt, instantOfMinute, weekday } from '../../../kernel/time/times.ts'
import type { workingHours } from '../../directory/shapes.ts'
import type { TimeSpan } from './spans.ts'
import { merged } from './spans.ts'

type WorkingHours = z.infer<typeof workingHours>

const weekdayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** Local days touched by a period. */
export function daysIn({ start, end }: TimeSpan, zone: string): string[] {
  const last = dayAt(end, zone)
  const days: string[] = []
  for (let day = dayAt(start, zone); day <= last; day = addDays(day, 1)) days.push(day)
  return days
}

/** A person's working hours in a period, without days off. */
export function workingTimesIn(
  within: TimeSpan,
  hours: WorkingHours,
  zone: string,
  off: ReadonlySet<string>,
): TimeSpan[] {
  const days = daysIn(within, zone).filter((day) => !off.has(day))
  return merged(
    days.flatMap((day) =>
      (hours[weekdayNames[weekday(day) - 1]!] ?? []).map((span) =>
        spanOfDay(day, minutes(span.from), minutes(span.to), zone),
      ),
    ),
  )
}

/** 7:00 to 22:00 of every day. */
export function wakingTimesIn(within: TimeSpan, zone: string): TimeSpan[] {
  return merged(daysIn(within, zone).map((day) => spanOfDay(day, 7 * 60, 22 * 60, zone)))
}

/** Whole days of a zone. */
export function wholeDays(days: Iterable<string>, zone: string): TimeSpan[] {
  return merged([...days].map((day) => spanOfDay(day, 0, 1440, zone)))
}

function spanOfDay(day: string, from: number, to: number, zone: string): TimeSpan {
  return { start: instantOfMinute(day, from, zone), end: instantOfMinute(day, to, zone) }
}

function minutes(time: string): number {
  const [hour, minute] = time.split(':').map(Number) as [number, number]
  return hour * 60 + minute
}
