import { Temporal } from 'temporal-polyfill'

/** Daily hours in a zone, across midnight if `from` is later. */
export interface Quiet {
  /** 22:00 */
  from: string
  to: string
  timezone: string
}

/**
 * End of the quiet hours containing a moment, in milliseconds; undefined if there are none. Follows local time across
 * clock changes.
 */
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

/** A repeated local time is two moments. */
function momentsOf(wall: Temporal.PlainDateTime, zone: string): number[] {
  return (['earlier', 'later'] as const).map(
    (disambiguation) => wall.toZonedDateTime(zone, { disambiguation }).epochMilliseconds,
  )
}
