import type { z } from 'zod'
import { invalid } from '../../../kernel/refusal.ts'
import { dayAt, instantOfMinute, weekday } from '../../../kernel/time/times.ts'
import { daysBetweenInclusive } from '../schedule/days.ts'
import type { workingHours } from '../../directory/shapes.ts'

/** Weekly working hours, without days off. */
export type WorkingHours = z.infer<typeof workingHours>

const dayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/**
 * Working hours sorted by day and time.
 * @throws Refusal if a time ends before it begins, or two of a day overlap
 */
export function orderedHours(hours: WorkingHours): WorkingHours {
  const days = dayNames.filter((name) => (hours[name] ?? []).length > 0)
  return Object.fromEntries(days.map((name) => [name, orderedDay(name, hours[name]!)]))
}

function orderedDay(
  name: string,
  ranges: { from: string; to: string }[],
): { from: string; to: string }[] {
  const field = `working_hours.${name}`
  const spans = ranges.toSorted((a, b) => (a.from < b.from ? -1 : 1))
  for (const [i, span] of spans.entries()) {
    if (span.from >= span.to)
      throw invalid(
        field,
        `${span.from} to ${span.to} ends before it begins.`,
        'Hours past midnight belong to the next day: 22:00 to 24:00, then 00:00 to 06:00.',
      )
    const previous = spans[i - 1]
    if (previous && span.from < previous.to)
      throw invalid(
        field,
        `${previous.from} to ${previous.to} and ${span.from} to ${span.to} overlap.`,
      )
  }
  return spans
}

/** Minutes worked on a calendar day. */
export function minutesOn(day: string, hours: WorkingHours): number {
  return spansOn(day, hours).reduce((sum, [from, to]) => sum + to - from, 0)
}

/** Minutes worked between two moments, without days off; hours are local times of the zone. */
export function minutesBetween(
  from: number,
  until: number,
  hours: WorkingHours,
  zone: string,
  daysOff: ReadonlySet<string>,
): number {
  if (until <= from) return 0
  const spans = daysBetweenInclusive(dayAt(from, zone), dayAt(until, zone))
    .filter((day) => !daysOff.has(day))
    .flatMap((day) =>
      spansOn(day, hours).map(
        (span) => span.map((minute) => instantOfMinute(day, minute, zone)) as [number, number],
      ),
    )
  const worked = spans.map(([begin, end]) =>
    Math.max(0, Math.min(until, end) - Math.max(from, begin)),
  )
  return Math.floor(worked.reduce((sum, value) => sum + value, 0) / 60_000)
}

function spansOn(day: string, hours: WorkingHours): [number, number][] {
  return (hours[dayNames[weekday(day) - 1]!] ?? []).map((span) => [
    minutes(span.from),
    minutes(span.to),
  ])
}

function minutes(time: string): number {
  const [hour, minute] = time.split(':').map(Number) as [number, number]
  return hour * 60 + minute
}
