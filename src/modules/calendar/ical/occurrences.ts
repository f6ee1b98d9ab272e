import { dayLength } from '../../../kernel/time/times.ts'
import {
  type CalendarObject,
  type Component,
  type When,
  parseMoment,
  propertyText,
  readObject,
  whenOf,
} from './objects.ts'
import { hitsOf, mostOccurrences } from './recurrence-rules.ts'
import {
  type Occurrence,
  type WallSpan,
  asWall,
  placeAt,
  placed,
  spanOf,
  instantsOf,
} from './wall-spans.ts'
import { ianaZone, zoneOfWhen } from './zones.ts'

export interface Expansion {
  occurrences: Occurrence[]
  /** False: there are more in this time than are looked at. */
  isWhole: boolean
}

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
      {
        place,
        ...instantsOf(span, span.wall),
        component,
        isException: true,
        original: original.at,
      },
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
