import { Temporal } from 'temporal-polyfill'
import { dayLength } from '../../../kernel/time/times.ts'
import { type CalendarObject, type Component, type IcalMoment, momentOf } from './objects.ts'
import {
  type Occurrence,
  type WallSpan,
  wallInSeries,
  instantsOf,
  maxSpanLength,
  wallSpanOf,
} from './wall-spans.ts'
import { zoneOfWhen } from './zones.ts'

// RECURRENCE-ID;RANGE=THISANDFUTURE: an exception for an occurrence and all later ones (RFC 5545, 3.2.13).

/** An exception that applies to its series from a moment on. */
export interface FollowingChange {
  component: Component
  /** Its first occurrence in the series, as an instant and as wall-clock time of the series. */
  from: number
  wall: string
  span: WallSpan
  /** Maximum distance in milliseconds of its occurrences from the rule's times, including their duration. */
  reach: number
}

/** The value of RANGE, upper case; undefined for other exceptions. */
export function rangeOf(event: Component): string | undefined {
  const range: unknown = event.getFirstProperty('recurrence-id')?.getParameter('range')
  return typeof range === 'string' && range.trim() !== '' ? range.trim().toUpperCase() : undefined
}

/** Distinguishes the events of an object: by RECURRENCE-ID and its RANGE. The master has neither. */
export function exceptionKey(event: Component): string {
  return `${String(event.getFirstPropertyValue('recurrence-id') ?? '')} ${rangeOf(event) ?? ''}`
}

export function isFollowing(event: Component): boolean {
  return rangeOf(event) === 'THISANDFUTURE'
}

/** The changes of a series that apply to all later occurrences, earliest first. */
export function followingChanges(
  object: CalendarObject,
  master: WallSpan,
  zone: string,
): FollowingChange[] {
  const changes = object.exceptions.filter(isFollowing).flatMap((component) => {
    const id = component.getFirstProperty('recurrence-id')
    const when = id && momentOf(id)
    if (!when) return []
    const { wall, instant } = originalOf(object, when, master, zone)
    const span = wallSpanOf(object, component, zone)
    const moved = Math.abs(Date.parse(`${span.wall}Z`) - Date.parse(`${wall}Z`))
    const reach = moved + maxSpanLength(span, span.isDay) + dayLength
    return [{ component, from: instant, wall, span, reach }]
  })
  return changes.sort((a, b) => a.from - b.from)
}

/** An occurrence with the change that applies to it. */
export function changedOccurrence(
  change: FollowingChange,
  occurrence: Occurrence,
  wall: string,
): Occurrence {
  const times = instantsOf(change.span, wallAfter(change, wall))
  return { ...occurrence, ...times, component: change.component, isException: true }
}

/** Start of the occurrence at a wall-clock time of the series, on the clock of the change. */
export function wallAfter({ wall: from, span }: FollowingChange, wall: string): string {
  const shift = Temporal.PlainDateTime.from(from).until(Temporal.PlainDateTime.from(span.wall), {
    largestUnit: 'day',
  })
  const moved = Temporal.PlainDateTime.from(wall).add(shift).toString({ smallestUnit: 'second' })
  return span.isDay ? `${moved.slice(0, 10)}T00:00:00` : moved
}

/** The original moment of an exception; a date without a time means that day's occurrence. */
export function originalOf(
  object: CalendarObject,
  when: IcalMoment,
  master: WallSpan | undefined,
  zone: string,
): { wall: string; instant: number } {
  if (!master)
    return { wall: when.wall, instant: zoneOfWhen(when, object.root, zone).instant(when.wall) }
  const wall = wallInSeries(object, when, master, zone)
  return {
    wall,
    instant:
      when.isDay || master.isDay
        ? master.zone.instant(wall)
        : zoneOfWhen(when, object.root, zone).instant(when.wall),
  }
}
