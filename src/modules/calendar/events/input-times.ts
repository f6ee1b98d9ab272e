import { addDays, parseInstant } from '../../../kernel/time/times.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { EventTime } from '../ical/object-fields.ts'
import { daysLater, type WallSpan } from '../ical/wall-spans.ts'
import { ianaZone } from '../ical/zones.ts'

// Parses the times that callers send: moments, or days with an inclusive end.

const isDateOnly = (text: string) => text.length === 10
/** Longer events are usually a mistake. */
const maxDurationMs = 366 * 24 * 3600_000

/** The time of a new event. Dates without a time make it all-day. @throws Refusal invalid_argument */
export function newTime(
  starts: string,
  ends: string,
  zone: string,
  allDay: boolean | undefined,
): EventTime {
  const day = allDay ?? (isDateOnly(starts) && isDateOnly(ends))
  return requireTimeOrder(
    day
      ? allDayTime(starts, ends, zone)
      : {
          isDay: false,
          zone,
          start: parseInstant(starts, zone, 'start', 'starts_at'),
          end: parseInstant(ends, zone, 'end', 'ends_at'),
        },
  )
}

/** The last day is inclusive; an end at midnight belongs to the day before. */
function allDayTime(starts: string, ends: string, zone: string): EventTime {
  const dayOfText = (text: string, field: string) =>
    isDateOnly(text)
      ? text
      : ianaZone(zone)
          .wall(parseInstant(text, zone, 'start', field))
          .slice(0, 10)
  const last = isDateOnly(ends)
    ? ends
    : ianaZone(zone)
        .wall(parseInstant(ends, zone, 'start', 'ends_at') - 1)
        .slice(0, 10)
  const from = dayOfText(starts, 'starts_at')
  return { isDay: true, from, last: !isDateOnly(ends) && last < from ? from : last }
}

function requireTimeOrder(time: EventTime): EventTime {
  const [start, end] = time.isDay
    ? [Date.parse(time.from), Date.parse(time.last)]
    : [time.start, time.end]
  if (time.isDay ? end < start : end <= start)
    throw invalid(
      'ends_at',
      time.isDay
        ? `the last day, ${time.last}, is before the first, ${time.from}.`
        : 'the event would end before it starts.',
    )
  if (end - start > maxDurationMs) throw invalid('ends_at', 'an event can last at most a year.')
  return time
}

/**
 * The time of a changed event: missing values stay, and a new start alone keeps the duration. `wall`: start as
 * wall-clock time of its zone; `inputZone`: the zone of times without an offset. Undefined if nothing is sent.
 */
export function changedTime(
  span: WallSpan,
  wall: string,
  starts: string | undefined,
  ends: string | undefined,
  inputZone: string,
): EventTime | undefined {
  if (starts === undefined && ends === undefined) return undefined
  const inputs = [starts, ends].filter((text) => text !== undefined)
  if (inputs.every(isDateOnly) && (span.isDay || inputs.length === 2))
    return requireTimeOrder(changedDays(span, wall, starts, ends))
  if (span.isDay && inputs.length < 2)
    throw invalid(
      starts === undefined ? 'ends_at' : 'starts_at',
      'this event is all-day: send a date, or both starts_at and ends_at as times.',
    )
  const zone = span.isDay ? inputZone : span.zone.name
  const start =
    starts === undefined
      ? span.zone.instant(wall)
      : parseInstant(starts, inputZone, 'start', 'starts_at')
  return requireTimeOrder({
    isDay: false,
    zone,
    start,
    end:
      ends === undefined ? endFrom(span, start) : parseInstant(ends, inputZone, 'end', 'ends_at'),
  })
}

/** The end of an event that keeps its duration. */
function endFrom(span: WallSpan, start: number): number {
  const { zone, nominalDays, length } = span
  if (span.isDay) return start
  return (
    (nominalDays === 0 ? start : zone.instant(daysLater(zone.wall(start), nominalDays))) + length
  )
}

function changedDays(
  span: WallSpan,
  wall: string,
  starts: string | undefined,
  ends: string | undefined,
): EventTime {
  const from = starts ?? wall.slice(0, 10)
  const days = span.isDay ? span.length : 1
  return { isDay: true, from, last: ends ?? addDays(from, days - 1) }
}
