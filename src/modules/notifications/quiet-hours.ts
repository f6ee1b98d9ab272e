import { Temporal } from 'temporal-polyfill'

/** Daily quiet hours in a time zone, across midnight if `from` is later. */
export interface QuietHoursSetting {
  /** 22:00 */
  from: string
  to: string
  timezone: string
}

/**
 * End of the quiet hours containing a moment, in milliseconds; undefined if there are none. Follows local time across
 * clock changes.
 */
export function quietUntil(at: number, quiet: QuietHoursSetting): number | undefined {
  if (!isQuiet(at, quiet)) return undefined
  const localTime = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(quiet.timezone)
  const ends = [0, 1, 2].flatMap((days) =>
    momentsOf(localTime.toPlainDate().add({ days }).toPlainDateTime(quiet.to), quiet.timezone),
  )
  const change = localTime.getTimeZoneTransition('next')?.epochMilliseconds
  const candidates = [...ends, ...(change === undefined ? [] : [change])].filter(
    (end) => end > at && !isQuiet(end, quiet),
  )
  return Math.min(...candidates)
}

function isQuiet(at: number, { from, to, timezone }: QuietHoursSetting): boolean {
  const time = Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(timezone)
    .toPlainTime()
    .toString({ smallestUnit: 'minute' })
  return from < to ? from <= time && time < to : from <= time || time < to
}

/** A repeated local time is two moments. */
function momentsOf(localDateTime: Temporal.PlainDateTime, zone: string): number[] {
  return (['earlier', 'later'] as const).map(
    (disambiguation) => localDateTime.toZonedDateTime(zone, { disambiguation }).epochMilliseconds,
  )
}
