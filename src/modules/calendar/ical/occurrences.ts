import { dayLength } from '../../../kernel/time/times.ts'
import {
  type CalendarObject,
  type Component,
  parseMoment,
  propertyText,
  readObject,
  momentOf,
} from './objects.ts'
import {
  type FollowingChange,
  changedOccurrence,
  followingChanges,
  isFollowing,
  originalOf,
} from './following-changes.ts'
import { expandRules, maxOccurrences, periodEnds } from './recurrence-rules.ts'
import {
  type Occurrence,
  type WallSpan,
  placeAt,
  regularOccurrence,
  wallSpanOf,
  instantsOf,
} from './wall-spans.ts'
import { ianaZone } from './zones.ts'

export interface Expansion {
  occurrences: Occurrence[]
  /** False if the period has more occurrences than the limit. */
  isComplete: boolean
}

/**
 * Occurrences of an object's events in a period, including exceptions, in order of their start. Rules run on
 * wall-clock time as if it were UTC and each result is converted by the zone, so that nine o'clock stays nine
 * o'clock; UNTIL, EXDATE, RDATE and RECURRENCE-ID are compared as instants. `zone`: default zone.
 */
export function expand(
  object: CalendarObject,
  from: number,
  until: number,
  zone: string,
  limit = maxOccurrences,
): Expansion {
  return expandWithin(object, Math.max(from, minTime), Math.min(until, maxTime), zone, limit)
}

/** Lower limit for four-digit years. */
const minTime = Date.parse('0001-01-10T00:00:00Z')
const maxTime = Date.UTC(9998, 0, 1)

function expandWithin(
  object: CalendarObject,
  from: number,
  until: number,
  zone: string,
  limit: number,
): Expansion {
  const master = object.master && wallSpanOf(object, object.master, zone)
  const { occurrences, isComplete } = ruledOccurrences(object, master, {
    from,
    until,
    zone,
    limit,
  })
  const byPlace = new Map(occurrences.map((occurrence) => [occurrence.place, occurrence]))
  for (const occurrence of singleExceptions(object, master, zone)) {
    byPlace.delete(occurrence.place)
    if (!isCancelled(occurrence.component)) byPlace.set(occurrence.place, occurrence)
  }
  const inPeriod = [...byPlace.values()].filter((occurrence) => overlaps(occurrence, from, until))
  return {
    occurrences: inPeriod.sort((a, b) => a.starts_at - b.starts_at || (a.place < b.place ? -1 : 1)),
    isComplete,
  }
}

/** Occurrences of a single event, or of a series by its rules and dates, with changes for later occurrences applied. */
function ruledOccurrences(
  object: CalendarObject,
  master: WallSpan | undefined,
  {
    from,
    until,
    zone,
    limit: maxOccurrences,
  }: { from: number; until: number; zone: string; limit: number },
): Expansion {
  const { master: series } = object
  if (!series || !master) return { occurrences: [], isComplete: true }
  const changes = followingChanges(object, master, zone)
  const reach = reachOf(changes)
  const ends = periodEnds(object, series, master, zone)
  const { walls, isComplete } = isRepeating(series)
    ? expandRules(object, series, master, from - reach, until + reach, zone, maxOccurrences)
    : { walls: [master.wall], isComplete: true }
  const occurrences = walls.map((wall) => {
    const occurrence = regularOccurrence(series, master, wall, isSeries(object))
    const change = changes.findLast((each) => each.from <= occurrence.original)
    if (change) return changedOccurrence(change, occurrence, wall)
    return { ...occurrence, ends_at: ends.get(wall) ?? occurrence.ends_at }
  })
  return {
    occurrences: occurrences.filter((each) => !each.isException || !isCancelled(each.component)),
    isComplete,
  }
}

/** Maximum distance of an occurrence from its rule's time, in milliseconds. */
const reachOf = (changes: readonly FollowingChange[]): number =>
  Math.max(0, ...changes.map((change) => change.reach))

function isCancelled(event: Component): boolean {
  return propertyText(event, 'status')?.toUpperCase() === 'CANCELLED'
}

/** Whether an occurrence overlaps a period; one without duration counts at its start. */
export function overlaps(
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

/** One occurrence of a series by place, at any time; undefined if there is none. */
export function occurrenceAt(
  object: CalendarObject,
  place: string,
  zone: string,
): Occurrence | undefined {
  const at = momentOfPlace(place, zone)
  if (at === undefined) return undefined
  const occurrenceIn = (from: number, until: number) =>
    expand(object, from, until, zone).occurrences.find((occurrence) => occurrence.place === place)
  const master = object.master && wallSpanOf(object, object.master, zone)
  const reach = 2 * dayLength + reachOf(master ? followingChanges(object, master, zone) : [])
  return occurrenceIn(at - reach, at + reach) ?? exceptionAt(object, place, zone)
}

/** Finds an exception that was moved far from its original time. */
function exceptionAt(object: CalendarObject, place: string, zone: string): Occurrence | undefined {
  const master = object.master && wallSpanOf(object, object.master, zone)
  return singleExceptions(object, master, zone).find(
    (occurrence) => occurrence.place === place && !isCancelled(occurrence.component),
  )
}

/** Returns a function that finds exceptions by event and place, and parses each event only once. */
export function exceptionReader(): (
  row: { id: string; raw_ics: string },
  place: string,
  zone: string,
) => Component | undefined {
  const exceptionsById = new Map<string, ReturnType<typeof exceptionsOf>>()
  return (row, place, zone) => {
    let exceptions = exceptionsById.get(row.id)
    if (!exceptions)
      exceptionsById.set(row.id, (exceptions = exceptionsOf(readObject(row.raw_ics), zone)))
    const at = momentOfPlace(place, exceptions.isDay ? exceptions.zone : zone)
    return (
      exceptions.single.get(place) ??
      exceptions.changes.findLast((change) => at !== undefined && change.from <= at)?.component
    )
  }
}

function exceptionsOf(object: CalendarObject, zone: string) {
  const master = object.master && wallSpanOf(object, object.master, zone)
  const all = singleExceptions(object, master, zone)
  return {
    single: new Map(all.map((occurrence) => [occurrence.place, occurrence.component])),
    changes: master ? followingChanges(object, master, zone) : [],
    isDay: master?.isDay ?? false,
    zone: master?.zone.name ?? zone,
  }
}

/** The moment that a place names. */
export function momentOfPlace(place: string, zone: string): number | undefined {
  const when = parseMoment(place)
  return when && (when.isUtc ? ianaZone('UTC') : ianaZone(zone)).instant(when.wall)
}

/** Exceptions of single occurrences, including cancelled ones; those of a series are keyed by original moment. */
function singleExceptions(
  object: CalendarObject,
  master: WallSpan | undefined,
  zone: string,
): Occurrence[] {
  return object.exceptions.flatMap((component) => {
    const target = replacedOccurrence(object, component, master, zone)
    if (!target || (master && isFollowing(component))) return []
    const span = wallSpanOf(object, component, zone)
    return { ...target, ...instantsOf(span, span.wall), component, isException: true }
  })
}

/** The occurrence replaced by an exception, or the first if several; undefined if unreadable. */
export function replacedOccurrence(
  object: CalendarObject,
  component: Component,
  master: WallSpan | undefined,
  zone: string,
): Pick<Occurrence, 'place' | 'original'> | undefined {
  const id = component.getFirstProperty('recurrence-id')
  const when = id && momentOf(id)
  if (!when) return undefined
  const { wall, instant } = originalOf(object, when, master, zone)
  return { place: placeAt(wall, instant, master ? master.isDay : when.isDay), original: instant }
}
