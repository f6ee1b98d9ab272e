import { Temporal } from 'temporal-polyfill'
import { isTimezone } from '../../../kernel/fields.ts'
import { dayLength, iso } from '../../../kernel/time/times.ts'
import {
  type CalendarObject,
  type Component,
  Unreadable,
  type IcalMoment,
  basicFormat,
  durationOf,
  propertyText,
  eventStartOf,
  nominalLength,
  momentOf,
} from './objects.ts'
import { type Zone, ianaZone, isRepeated, zoneOfWhen, zoneWithInstant } from './zones.ts'

/** When an event takes place once. */
export interface Occurrence {
  /** Suffix of the occurrence id: '' for a single event, else the rule moment that it stands for. */
  place: string
  starts_at: number
  ends_at: number
  /** All-day: first day, and the day after the last. */
  days: { from: string; until: string } | undefined
  /** The component that describes it: the series', or its own for an exception. */
  component: Component
  isException: boolean
  /** Moment given by the rule; differs from the start if the occurrence was moved. */
  original: number
}
const [minWall, maxWall] = ['0001-02-01', '9990-01-01']
/** In milliseconds; longer durations are mistakes or attacks. */
const maxEventMs = 1000 * 366 * dayLength

/** The start of an event in wall-clock time, and its length. */
export interface WallSpan {
  wall: string
  isDay: boolean
  zone: Zone
  tzid: string | undefined
  isUtc: boolean
  /** Days for all-day events; otherwise milliseconds, counted from the end of `nominalDays`. */
  length: number
  /** Calendar days of a timed event's DURATION, before `length`; 0 for all-day events. */
  nominalDays: number
}

/** The length of an event. */
export type SpanLength = Pick<WallSpan, 'length' | 'nominalDays'>

export function wallSpanOf({ root }: CalendarObject, event: Component, fallback: string): WallSpan {
  const statedStart = eventStartOf(event)
  if (statedStart.wall < minWall || statedStart.wall >= maxWall)
    throw new Unreadable('its year is out of range')
  const { start, zone } = startInZone(statedStart, root, fallback)
  return {
    wall: start.wall,
    isDay: start.isDay,
    isUtc: start.isUtc,
    tzid: start.tzid,
    zone,
    ...wallSpanLength(root, event, start, zone, fallback),
  }
}

/** A UTC start with an intended zone, as wall-clock time in that zone. */
function startInZone(
  start: IcalMoment,
  root: Component,
  fallback: string,
): { start: IcalMoment; zone: Zone } {
  const zone = zoneOfWhen(start, root, fallback)
  if (start.displayZone === undefined || !isTimezone(start.displayZone)) return { start, zone }
  const at = zone.instant(start.wall)
  const clock = zoneWithInstant(ianaZone(start.displayZone), at)
  return {
    start: { wall: clock.wall(at), isDay: false, isUtc: false, tzid: start.displayZone },
    zone: clock,
  }
}

/** An instant in a span's notation: on its clock, or in UTC if that wall-clock time would mean another instant. */
export function momentInSpan(
  { zone, isUtc, tzid }: Pick<WallSpan, 'zone' | 'isUtc' | 'tzid'>,
  at: number,
): IcalMoment {
  const clock = isUtc ? undefined : ianaZone(zone.name)
  if (clock && clock.wall(at) === zone.wall(at) && isRepeated(clock, at))
    return {
      wall: iso(at).slice(0, 19),
      isDay: false,
      isUtc: true,
      tzid: undefined,
      displayZone: zone.name,
    }
  return { wall: zone.wall(at), isDay: false, isUtc, tzid }
}

/** @throws Unreadable for impossible durations */
function wallSpanLength(
  root: Component,
  event: Component,
  start: IcalMoment,
  zone: Zone,
  fallback: string,
): SpanLength {
  const span = statedLength(root, event, start, zone, fallback)
  if (maxSpanLength(span, start.isDay) > maxEventMs)
    throw new Unreadable('it lasts longer than a thousand years')
  return span
}

function statedLength(
  root: Component,
  event: Component,
  start: IcalMoment,
  zone: Zone,
  fallback: string,
): SpanLength {
  const end = event.getFirstProperty('dtend')
  const ends = end && momentOf(end)
  const duration = durationOf(propertyText(event, 'duration') ?? '')
  if (start.isDay) {
    const days = ends
      ? daysFrom(start.wall, ends.wall)
      : Math.round((duration ? nominalLength(duration) : dayLength) / dayLength)
    return { length: Math.max(1, days), nominalDays: 0 }
  }
  if (ends) {
    const endZone = zoneOfWhen(ends.isDay ? { ...ends, tzid: start.tzid } : ends, root, fallback)
    const length = Math.max(0, endZone.instant(ends.wall) - zone.instant(start.wall))
    return { length, nominalDays: 0 }
  }
  return {
    length: Math.max(0, duration?.exact ?? 0),
    nominalDays: Math.max(0, duration?.days ?? 0),
  }
}

/** Maximum milliseconds of an occurrence, including clock changes. */
export function maxSpanLength({ length, nominalDays }: SpanLength, isDay: boolean): number {
  if (isDay) return length * dayLength
  return length + (nominalDays === 0 ? 0 : (nominalDays + 1) * dayLength)
}

function daysFrom(from: string, to: string): number {
  return Temporal.PlainDate.from(from.slice(0, 10)).until(
    Temporal.PlainDate.from(to.slice(0, 10)),
    { largestUnit: 'days' },
  ).days
}

export function regularOccurrence(
  component: Component,
  span: WallSpan,
  wall: string,
  inSeries: boolean,
): Occurrence {
  const times = instantsOf(span, wall)
  const original = times.starts_at
  return {
    place: inSeries ? placeAt(wall, original, span.isDay) : '',
    ...times,
    component,
    isException: false,
    original,
  }
}

export function instantsOf(
  span: WallSpan,
  wall: string,
): Pick<Occurrence, 'starts_at' | 'ends_at' | 'days'> {
  const starts_at = span.zone.instant(wall)
  if (!span.isDay) {
    const { nominalDays, length, zone } = span
    const from = nominalDays === 0 ? starts_at : zone.instant(daysLater(wall, nominalDays))
    return { starts_at, ends_at: Math.max(starts_at, from + length), days: undefined }
  }
  const until = new Date(Date.parse(`${wall.slice(0, 10)}T00:00:00Z`) + span.length * dayLength)
    .toISOString()
    .slice(0, 10)
  return {
    starts_at,
    ends_at: span.zone.instant(`${until}T00:00:00`),
    days: { from: wall.slice(0, 10), until },
  }
}

/** The same wall-clock time a number of days later. */
export function daysLater(wall: string, days: number): string {
  return Temporal.PlainDateTime.from(wall).add({ days }).toString({ smallestUnit: 'second' })
}

/** Suffix of an occurrence id: days stay days, moments are in UTC. */
export function placeAt(wall: string, at: number, isDay: boolean): string {
  return isDay
    ? wall.slice(0, 10).replaceAll('-', '')
    : `${basicFormat(new Date(at).toISOString())}Z`
}

/** A moment as wall-clock time of the series. */
export function wallInSeries(
  { root }: CalendarObject,
  when: IcalMoment,
  span: WallSpan,
  zone: string,
): string {
  if (span.isDay) return `${when.wall.slice(0, 10)}T00:00:00`
  if (when.isDay) return `${when.wall.slice(0, 10)}${span.wall.slice(10)}`
  return span.zone.wall(zoneOfWhen(when, root, zone).instant(when.wall))
}
