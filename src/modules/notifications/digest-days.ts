import { addDays, dayAt, instantOfMinute, weekday } from '../../kernel/time/times.ts'

const digestMinute = 8 * 60
/** A longer sequence of days off is considered a mistake in the calendar. */
const maxDays = 70

/** An organization's work days. */
export interface WorkDays {
  /** ISO weekdays, 1 = Monday; empty for every day. */
  week: readonly number[]
  /** Holidays, `2026-12-25`. */
  holidays: ReadonlySet<string>
}

/** The next digest time after a moment: 8:00 local time, on a work day; weekly ones on the first of the week. */
export function nextDigest(
  after: number,
  zone: string,
  digest: 'daily' | 'weekly',
  work: WorkDays,
): number {
  let day = dayAt(after, zone)
  for (let i = 0; i < maxDays; i++, day = addDays(day, 1)) {
    const at = instantOfMinute(day, digestMinute, zone)
    if (at > after && (digest === 'daily' ? isWorkDay(day, work) : isFirstOfWeek(day, work)))
      return at
  }
  return instantOfMinute(day, digestMinute, zone)
}

function isWorkDay(day: string, { week, holidays }: WorkDays): boolean {
  return (week.length === 0 || week.includes(weekday(day))) && !holidays.has(day)
}

function isFirstOfWeek(day: string, work: WorkDays): boolean {
  const earlierDays = Array.from({ length: weekday(day) - 1 }, (_, i) => addDays(day, -1 - i))
  return isWorkDay(day, work) && !earlierDays.some((earlierDay) => isWorkDay(earlierDay, work))
}
