import { invalid } from '../../../kernel/refusal.ts'
import { addDays, daysBetween } from '../../../kernel/time/times.ts'

/** The last calendar day supported in answers, with room for following days. */
const lastDay = '9990-12-31'

/** @throws Refusal if a period ends before it begins, is longer than this many days, or exceeds the calendar */
export function checkPeriod(
  from: string,
  to: string,
  names: { from: string; to: string; maxDays: number },
): void {
  if (to < from) throw invalid(names.to, `${to} is before ${names.from}, ${from}.`)
  if (to > lastDay)
    throw invalid(to === from ? names.from : names.to, `dates after ${lastDay} are not accepted.`)
  const length = daysBetween(from, to) + 1
  if (length > names.maxDays)
    throw invalid(names.to, `${from} to ${to} is ${length} days; the maximum is ${names.maxDays}.`)
}

/** Every day of a period, inclusive. */
export function daysBetweenInclusive(from: string, to: string): string[] {
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, i) => addDays(from, i))
}

/** Days of these absences within a period. */
export function daysAway(
  absences: readonly { starts_on: string; ends_on: string }[],
  from: string,
  to: string,
): Set<string> {
  const clipped = absences.filter((absence) => absence.starts_on <= to && absence.ends_on >= from)
  return new Set(
    clipped.flatMap((item) =>
      daysBetweenInclusive(
        item.starts_on > from ? item.starts_on : from,
        item.ends_on < to ? item.ends_on : to,
      ),
    ),
  )
}
