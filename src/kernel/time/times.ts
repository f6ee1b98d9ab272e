import { Temporal } from 'temporal-polyfill'
import { invalid } from '../refusal.ts'

/** Moment that a date without a time stands for: the first or the last one of that day in the zone. */
export type DayEdge = 'start' | 'end'

/**
 * Milliseconds of a moment in a format of fields.ts' datetime(). Without an offset it is local time; a date alone is
 * the start of the day (after, start) or its last second (due, until), by edge.
 */
export function parseInstant(text: string, zone: string, edge: DayEdge, field = 'time'): number {
  try {
    if (text.length === 10) return dayEdge(text, zone, edge)
    if (/(Z|[+-]\d{2}:?\d{2})$/.test(text)) return Temporal.Instant.from(text).epochMilliseconds
    return Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds
  } catch {
    throw invalid(
      field,
      `${JSON.stringify(text)} is not a time.`,
      'Send ISO 8601 such as 2026-11-20T15:00:00Z.',
    )
  }
}

function dayEdge(text: string, zone: string, edge: DayEdge): number {
  const date = Temporal.PlainDate.from(text)
  if (edge === 'start') return date.toZonedDateTime(zone).epochMilliseconds
  return date.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds - 1000
}

/** The local day of a moment, `2026-11-20`. */
export function dayAt(at: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString()
}

/** A day shifted by this many days. */
export function addDays(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString()
}

/** Days from one day to another; negative when the other is earlier. */
export function daysBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to), { largestUnit: 'days' })
    .days
}

/** ISO weekday, 1 = Monday. */
export function weekday(day: string): number {
  return Temporal.PlainDate.from(day).dayOfWeek
}

/** Cached `2026-11-20T` by day number; a list's answer holds dozens of moments on few days. */
const dayTexts = new Map<number, string>()
const twoDigits = Array.from({ length: 60 }, (_, i) => String(i).padStart(2, '0'))
/** Milliseconds of a 24-hour day, for ages and limits; calendar days vary in length. */
export const dayLength = 24 * 3600 * 1000

/** Milliseconds in the format of answers. */
export function iso(at: number): string {
  const day = Math.floor(at / dayLength)
  const rest = at - day * dayLength
  const seconds = Math.floor(rest / 1000)
  const fraction = String(rest % 1000).padStart(3, '0')
  return `${dayText(day)}${twoDigits[Math.floor(seconds / 3600)]}:${twoDigits[Math.floor(seconds / 60) % 60]}:${twoDigits[seconds % 60]}.${fraction}Z`
}

function dayText(day: number): string {
  let text = dayTexts.get(day)
  if (text === undefined) {
    text = new Date(day * dayLength).toISOString().replace(/T.*/, 'T')
    if (dayTexts.size > 5000) dayTexts.clear()
    dayTexts.set(day, text)
  }
  return text
}

/** Milliseconds as local time with the zone's offset, `2026-11-20T13:00:00+01:00`. */
export function localIso(at: number, zone: string): string {
  const offset = offsetAt(at, zone)
  const minutes = Math.abs(offset) / 60_000
  const sign = offset < 0 ? '-' : '+'
  return `${iso(at + offset).slice(0, 19)}${sign}${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}`
}

const quarterHour = 15 * 60_000
/** Offsets by zone and quarter of an hour: clocks change on quarters, and the dates of a list fall into few of them. */
const offsets = new Map<string, number>()
const maxOffsets = 20_000

/** Offset of a zone from UTC at a moment, in milliseconds; whole minutes even for historical offsets with seconds. */
function offsetAt(at: number, zone: string): number {
  const key = `${zone} ${Math.floor(at / quarterHour)}`
  let offset = offsets.get(key)
  if (offset === undefined) {
    const ns = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).offsetNanoseconds
    offset = Math.round(ns / 60e9) * 60_000
    if (offsets.size >= maxOffsets) offsets.clear()
    offsets.set(key, offset)
  }
  return offset
}

/**
 * Milliseconds of a minute of a local day; minute 1440 is the end of the day. A skipped time becomes the one after
 * the gap.
 */
export function instantOfMinute(day: string, minute: number, zone: string): number {
  if (minute === 1440) return instantOfMinute(addDays(day, 1), 0, zone)
  const time = Temporal.PlainTime.from({ hour: Math.floor(minute / 60), minute: minute % 60 })
  return Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone, plainTime: time })
    .epochMilliseconds
}
