import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { dayLength } from '../../../kernel/time/times.ts'
import {
  basic,
  durationOf,
  parseMoment,
  readObject,
  startOf,
  propertyText,
  Unreadable,
  whenOf,
  whensOf,
  type CalendarObject,
  type Component,
  type Property,
  type When,
} from './objects.ts'
import { ianaZone, zoneOfWhen, type Zone } from './zones.ts'

/** When an event takes place once. */
export interface Occurrence {
  /** What its id ends in: '' of a single event, else the moment of the rule that it stands for. */
  place: string
  starts_at: number
  ends_at: number
  /** All-day: its first day and the one after its last. */
  days: { from: string; until: string } | undefined
  /** The component that describes it: the series', or its own where it is an exception. */
  component: Component
  isException: boolean
  /** The moment that the rule gave it; it was moved where it starts at another. */
  original: number
}

export interface Expansion {
  occurrences: Occurrence[]
  /** False: there are more in this time than are looked at. */
  isWhole: boolean
}

/** Occurrences of one event that are looked at in one time. */
const mostOccurrences = 2000

/** Periods of a rule without dates that are looked at, and such with COUNT, which are counted from the first. */
const mostPeriods = 5000
const mostCounted = 20_000

/** How long a stretch of a rule is asked for at once, so that what falls every second stays bounded. */
const stretches: Record<string, number> = {
  SECONDLY: 1800_000,
  MINUTELY: dayLength,
  HOURLY: 60 * dayLength,
  DAILY: 1500 * dayLength,
}
const longStretch = 20_000 * dayLength
const mostStretches = 400

/**
 * When the events of an object take place in a time, exceptions as they are, in order of their beginning. Rules run on wall-clock time as
 * if it were UTC and each hit becomes an instant by the zone, so that nine o'clock stays nine o'clock; UNTIL, EXDATE, RDATE and
 * RECURRENCE-ID are compared as instants. `zone`: for times without one.
 */
export function expand(
  object: CalendarObject,
  from: number,
  until: number,
  zone: string,
  most = mostOccurrences,
): Expansion {
  return expandWithin(object, Math.max(from, earliest), Math.min(until, latest), zone, most)
}

/** Years have four digits. */
const earliest = Date.parse('0001-01-10T00:00:00Z')
const latest = Date.UTC(9998, 0, 1)
const [firstWall, lastWall] = ['0001-02-01', '9990-01-01']
/** In milliseconds; what lasts longer is a slip, or made to break what reads it. */
const longestEvent = 1000 * 366 * dayLength

function expandWithin(
  object: CalendarObject,
  from: number,
  until: number,
  zone: string,
  most: number,
): Expansion {
  const master = object.master && spanOf(object, object.master, zone)
  const found = new Map<string, Occurrence>()
  let isWhole = true
  if (object.master && master) {
    const hits = isRepeating(object.master)
      ? hitsOf(object, object.master, master, from, until, zone, most)
      : { walls: [master.wall], isWhole: true }
    isWhole = hits.isWhole
    for (const wall of hits.walls) {
      const occurrence = placed(object.master, master, wall, isSeries(object))
      found.set(occurrence.place, occurrence)
    }
  }
  for (const occurrence of overriding(object, master, zone)) {
    found.delete(occurrence.place)
    if (propertyText(occurrence.component, 'status')?.toUpperCase() !== 'CANCELLED')
      found.set(occurrence.place, occurrence)
  }
  const inside = [...found.values()].filter((occurrence) => touches(occurrence, from, until))
  return {
    occurrences: inside.sort((a, b) => a.starts_at - b.starts_at || (a.place < b.place ? -1 : 1)),
    isWhole,
  }
}

/** Whether something takes place in a time: what has no length, at its beginning. */
export function touches(
  item: { starts_at: number; ends_at: number },
  from: number,
  until: number,
): boolean {
  return (
    item.starts_at < until &&
    (item.ends_at > from || (item.ends_at === item.starts_at && item.starts_at >= from))
  )
}

/** Whether an object has occurrences with ids of their own. */
export function isSeries({ master, exceptions }: CalendarObject): boolean {
  return exceptions.length > 0 || (master !== undefined && isRepeating(master))
}

export function isRepeating(master: Component): boolean {
  return master.hasProperty('rrule') || master.hasProperty('rdate')
}

/** One occurrence of a series by its place, wherever it lies; undefined where there is none. */
export function occurrenceAt(
  object: CalendarObject,
  place: string,
  zone: string,
): Occurrence | undefined {
  const at = atOfPlace(place, zone)
  if (at === undefined) return undefined
  const of = (from: number, until: number) =>
    expand(object, from, until, zone).occurrences.find((occurrence) => occurrence.place === place)
  return of(at - 2 * dayLength, at + 2 * dayLength) ?? exceptionAt(object, place, zone)
}

/** An exception that was moved far from its place. */
function exceptionAt(object: CalendarObject, place: string, zone: string): Occurrence | undefined {
  const master = object.master && spanOf(object, object.master, zone)
  return overriding(object, master, zone).find(
    (occurrence) =>
      occurrence.place === place &&
      propertyText(occurrence.component, 'status')?.toUpperCase() !== 'CANCELLED',
  )
}

/** The exceptions of many events by their places, each event read once however many of its exceptions are asked for. */
export function exceptionReader(): (
  row: { id: string; raw_ics: string },
  place: string,
  zone: string,
) => Component | undefined {
  const known = new Map<string, Map<string, Component>>()
  return (row, place, zone) => {
    let found = known.get(row.id)
    if (!found) {
      const object = readObject(row.raw_ics)
      const all = overriding(object, object.master && spanOf(object, object.master, zone), zone)
      known.set(
        row.id,
        (found = new Map(all.map((occurrence) => [occurrence.place, occurrence.component]))),
      )
    }
    return found.get(place)
  }
}

/** The moment that a place names. */
export function atOfPlace(place: string, zone: string): number | undefined {
  const when = parseMoment(place)
  return when && (when.isUtc ? ianaZone('UTC') : ianaZone(zone)).instant(when.wall)
}

/** The beginning and length of an event. */
export interface WallSpan {
  wall: string
  isDay: boolean
  zone: Zone
  tzid: string | undefined
  isUtc: boolean
  /** In days of all-day events, else in milliseconds. */
  length: number
}

export function spanOf({ root }: CalendarObject, event: Component, fallback: string): WallSpan {
  const start = startOf(event)
  if (start.wall < firstWall || start.wall >= lastWall)
    throw new Unreadable('its year is out of range')
  const zone = zoneOfWhen(start, root, fallback)
  return {
    wall: start.wall,
    isDay: start.isDay,
    isUtc: start.isUtc,
    tzid: start.tzid,
    zone,
    length: lengthOf(root, event, start, zone, fallback),
  }
}

/** @throws Unreadable where it lasts longer than anything does */
function lengthOf(
  root: Component,
  event: Component,
  start: When,
  zone: Zone,
  fallback: string,
): number {
  const length = saidLength(root, event, start, zone, fallback)
  if ((start.isDay ? length * dayLength : length) > longestEvent)
    throw new Unreadable('it lasts longer than a thousand years')
  return length
}

function saidLength(
  root: Component,
  event: Component,
  start: When,
  zone: Zone,
  fallback: string,
): number {
  const end = event.getFirstProperty('dtend')
  const ends = end && whenOf(end)
  if (start.isDay) {
    const days = ends
      ? daysFrom(start.wall, ends.wall)
      : Math.round((durationOf(propertyText(event, 'duration') ?? '') ?? dayLength) / dayLength)
    return Math.max(1, days)
  }
  if (ends)
    return Math.max(
      0,
      zoneOfWhen(ends.isDay ? { ...ends, tzid: start.tzid } : ends, root, fallback).instant(
        ends.wall,
      ) - zone.instant(start.wall),
    )
  return Math.max(0, durationOf(propertyText(event, 'duration') ?? '') ?? 0)
}

function daysFrom(from: string, to: string): number {
  return Temporal.PlainDate.from(from.slice(0, 10)).until(
    Temporal.PlainDate.from(to.slice(0, 10)),
    { largestUnit: 'days' },
  ).days
}

function placed(component: Component, span: WallSpan, wall: string, inSeries: boolean): Occurrence {
  const times = timesOf(span, wall)
  const original = times.starts_at
  return {
    place: inSeries ? placeAt(wall, original, span.isDay) : '',
    ...times,
    component,
    isException: false,
    original,
  }
}

function timesOf(span: WallSpan, wall: string): Pick<Occurrence, 'starts_at' | 'ends_at' | 'days'> {
  const starts_at = span.zone.instant(wall)
  if (!span.isDay) return { starts_at, ends_at: starts_at + span.length, days: undefined }
  const until = new Date(Date.parse(`${wall.slice(0, 10)}T00:00:00Z`) + span.length * dayLength)
    .toISOString()
    .slice(0, 10)
  return {
    starts_at,
    ends_at: span.zone.instant(`${until}T00:00:00`),
    days: { from: wall.slice(0, 10), until },
  }
}

/** What an occurrence's id ends in: days stay days, moments are those of UTC. */
export function placeAt(wall: string, at: number, isDay: boolean): string {
  return isDay ? wall.slice(0, 10).replaceAll('-', '') : `${basic(new Date(at).toISOString())}Z`
}

/** Wall-clock times at which the rules and dates of a series fall, without those that are taken out. */
function hitsOf(
  object: CalendarObject,
  master: Component,
  span: WallSpan,
  from: number,
  until: number,
  zone: string,
  most: number,
): { walls: string[]; isWhole: boolean } {
  const reach = span.isDay ? span.length * dayLength : span.length
  const [first, last] = [
    span.zone.wall(from - reach - 2 * dayLength),
    span.zone.wall(until + 2 * dayLength),
  ]
  const walls = new Set([span.wall])
  let isWhole = true
  for (const property of master.getAllProperties('rrule')) {
    const run = runOf(property, span, first, last, most)
    for (const wall of run.walls) walls.add(wall)
    isWhole &&= run.isWhole
  }
  for (const property of master.getAllProperties('rdate')) {
    for (const when of whensOf(property)) walls.add(asWall(object, when, span, zone))
  }
  const out = takenOut(object, master, span, first, last, zone)
  return { walls: [...walls].filter((wall) => !out(wall)), isWhole }
}

/** A moment as wall-clock time of the series. */
function asWall({ root }: CalendarObject, when: When, span: WallSpan, zone: string): string {
  if (span.isDay) return `${when.wall.slice(0, 10)}T00:00:00`
  if (when.isDay) return `${when.wall.slice(0, 10)}${span.wall.slice(10)}`
  return span.zone.wall(zoneOfWhen(when, root, zone).instant(when.wall))
}

/** EXDATE as moments or days, and the outdated EXRULE. */
function takenOut(
  object: CalendarObject,
  master: Component,
  span: WallSpan,
  first: string,
  last: string,
  zone: string,
): (wall: string) => boolean {
  const whens = master.getAllProperties('exdate').flatMap(whensOf)
  const days = new Set(
    whens.filter((when) => when.isDay || span.isDay).map((when) => when.wall.slice(0, 10)),
  )
  const moments = new Set(
    whens
      .filter((when) => !when.isDay && !span.isDay)
      .map((when) => zoneOfWhen(when, object.root, zone).instant(when.wall)),
  )
  const ruled = new Set(
    master
      .getAllProperties('exrule')
      .flatMap((property) => runOf(property, span, first, last, mostOccurrences).walls),
  )
  return (wall) =>
    days.has(wall.slice(0, 10)) ||
    (moments.size > 0 && moments.has(span.zone.instant(wall))) ||
    ruled.has(wall)
}

/** The text of a rule as it was sent, upper case. */
export function ruleText(property: Property): string {
  return property
    .toICALString()
    .replace(/\r?\n[ \t]/g, '')
    .replace(/^[^:]*:/, '')
    .trim()
    .toUpperCase()
}

/** The calendar that a rule counts in, where it is another than ours (RFC 7529). */
export function scaleOf(rule: string): string | undefined {
  const scale = /(?:^|;)RSCALE=([^;]*)/.exec(rule)?.[1]?.trim()
  return scale === undefined || /^GREGORIAN$|^GREGORY$/.test(scale) ? undefined : scale.slice(0, 40)
}

function runOf(
  property: Property,
  span: WallSpan,
  first: string,
  last: string,
  most: number,
): { walls: string[]; isWhole: boolean } {
  const text = ruleText(property)
  if (scaleOf(text) !== undefined) return { walls: [], isWhole: true } // RFC 7529: whoever does not know the calendar shows the first alone
  const end = untilOf(text, span)
  const rule = text
    .split(';')
    .filter((part) => !/^(UNTIL|X-|RSCALE|SKIP)/.test(part))
    .join(';')
  const stop = end !== undefined && end < last ? end : last
  if (stop < span.wall) return { walls: [], isWhole: true }
  try {
    return walk(rule, span.wall, first > span.wall ? first : span.wall, stop, most)
  } catch {
    return { walls: [], isWhole: true } // the library throws where a rule is impossible or falls too rarely: its first stands alone
  }
}

function walk(
  rule: string,
  start: string,
  first: string,
  last: string,
  most: number,
): { walls: string[]; isWhole: boolean } {
  const isCounted = rule.includes('COUNT=')
  const maxIterations = isCounted ? mostCounted : mostPeriods
  const made = new RRuleTemporal({
    rruleString: rule,
    dtstart: utc(start),
    maxIterations,
    maxCandidateEvaluations: 10 * maxIterations,
    includeDtstart: true,
  })
  const step = isCounted
    ? longStretch
    : (stretches[/FREQ=(\w+)/.exec(rule)?.[1] ?? ''] ?? longStretch) // what is counted is bounded, and counted from its first by each question
  const walls: string[] = []
  const end = Date.parse(`${last}Z`)
  let stretch = 0
  for (let at = Date.parse(`${first}Z`); at <= end; at += step + 1000) {
    if (++stretch > mostStretches) return { walls, isWhole: false }
    const until = Math.min(end, at + step)
    for (const zonedDateTime of made.between(utc(wallAt(at)), utc(wallAt(until)), true))
      walls.push(wallAt(zonedDateTime.epochMilliseconds))
    if (walls.length > most) return { walls: walls.slice(0, most), isWhole: false }
  }
  return { walls, isWhole: true }
}

const wallAt = (at: number) => new Date(at).toISOString().slice(0, 19)
const utc = (wall: string) => Temporal.PlainDateTime.from(wall).toZonedDateTime('UTC')

/** The last wall-clock time of a rule with UNTIL: a day holds to its end, an instant as it is in the zone. */
export function untilOf(rule: string, span: WallSpan): string | undefined {
  const when = parseMoment(/(?:^|;)UNTIL=([^;]*)/.exec(rule)?.[1] ?? '')
  if (!when) return undefined
  if (when.isDay || span.isDay) return `${when.wall.slice(0, 10)}T23:59:59`
  return when.isUtc ? span.zone.wall(ianaZone('UTC').instant(when.wall)) : when.wall
}

/** The exceptions as they are, cancelled ones among them; those of a series are named by the moment that they stand for. */
function overriding(
  object: CalendarObject,
  master: WallSpan | undefined,
  zone: string,
): Occurrence[] {
  return object.exceptions.flatMap((component) => {
    const id = component.getFirstProperty('recurrence-id')
    const when = id && whenOf(id)
    if (!when) return []
    const span = spanOf(object, component, zone)
    const original = originalOf(object, when, master, zone)
    const place = placeAt(original.wall, original.at, master ? master.isDay : when.isDay)
    return [
      { place, ...timesOf(span, span.wall), component, isException: true, original: original.at },
    ]
  })
}

/** The moment that an exception stands for; a day names the occurrence of that day. */
function originalOf(
  object: CalendarObject,
  when: When,
  master: WallSpan | undefined,
  zone: string,
): { wall: string; at: number } {
  if (!master)
    return { wall: when.wall, at: zoneOfWhen(when, object.root, zone).instant(when.wall) }
  const wall = asWall(object, when, master, zone)
  return {
    wall,
    at:
      when.isDay || master.isDay
        ? master.zone.instant(wall)
        : zoneOfWhen(when, object.root, zone).instant(when.wall),
  }
}
