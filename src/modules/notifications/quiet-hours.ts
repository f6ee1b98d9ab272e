import { Temporal } from 'temporal-polyfill'

/** Hours of a day in a zone, over midnight where `from` is the later one. */
export interface Quiet {
  /** 22:00 */
  from: string
  to: string
  timezone: string
}

/** When the quiet hours end that a moment lies in, in milliseconds; undefined where it lies in none. By the clocks of the zone, however they are set. */
export function quietUntil(at: number, quiet: Quiet): number | undefined {
  if (!isQuiet(at, quiet)) return undefined
  const here = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(quiet.timezone)
  const ends = [0, 1, 2].flatMap((days) =>
    momentsOf(here.toPlainDate().add({ days }).toPlainDateTime(quiet.to), quiet.timezone),
  )
  const change = here.getTimeZoneTransition('next')?.epochMilliseconds
  const candidates = [...ends, ...(change === undefined ? [] : [change])].filter(
    (end) => end > at && !isQuiet(end, quiet),
  )
  return Math.min(...candidates)
}

function isQuiet(at: number, { from, to, timezone }: Quiet): boolean {
  const time = Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(timezone)
    .toPlainTime()
    .toString({ smallestUnit: 'minute' })
  return from < to ? from <= time && time < to : from <= time || time < to
}

/** A wall clock time that comes twice is two moments. */
function momentsOf(wall: Temporal.PlainDateTime, zone: string): number[] {
  return (['earlier', 'later'] as const).map(
    (disambiguation) => wall.toZonedDateTime(zone, { disambiguation }).epochMilliseconds,
  )
}
