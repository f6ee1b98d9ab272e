import { randomUUID } from 'node:crypto'
import { Temporal } from 'temporal-polyfill'
import {
  endBefore,
  exceptionOf,
  shiftWall,
  setInstants,
  setRule,
  setStart,
} from './object-fields.ts'
import {
  copyOf,
  setText,
  setWhen,
  type IcalMoment,
  propertyText,
  momentOf,
  whenProperty,
  withDates,
  type CalendarObject,
  type Component,
} from './objects.ts'
import {
  type FollowingChange,
  followingChanges,
  isFollowing,
  rangeOf,
  wallAfter,
} from './following-changes.ts'
import {
  momentOfPlace,
  expand,
  isRepeating,
  occurrenceAt,
  replacedOccurrence,
} from './occurrences.ts'
import { ruleText } from './recurrence-rules.ts'
import {
  type Occurrence,
  type SpanLength,
  type WallSpan,
  instantsOf,
  wallSpanOf,
  momentInSpan,
} from './wall-spans.ts'

// Changes one occurrence of a series, an occurrence and all later ones, or all.

/** The wall-clock time of a place in its series. */
export function wallOf(object: CalendarObject, place: string, zone: string): string | undefined {
  const at = momentOfPlace(place, zone)
  if (at === undefined || !object.master) return undefined
  const span = wallSpanOf(object, object.master, zone)
  return span.isDay
    ? `${place.slice(0, 4)}-${place.slice(4, 6)}-${place.slice(6, 8)}T00:00:00`
    : span.zone.wall(at)
}

/** The component of one occurrence, made an exception if necessary; undefined if there is no such occurrence. */
export function exceptionFor(
  object: CalendarObject,
  place: string,
  zone: string,
): Component | undefined {
  const occurrence = occurrenceAt(object, place, zone)
  if (!occurrence || (occurrence.isException && !isFollowing(occurrence.component)))
    return occurrence?.component
  const span = wallSpanOf(object, object.master!, zone)
  const wall = wallOf(object, place, zone)!
  const exception = exceptionOf(occurrence.component, span, wall)
  const regular = instantsOf(span, wall)
  if (occurrence.isException || occurrence.ends_at !== regular.ends_at)
    setTimesOf(exception, occurrence, wallSpanOf(object, occurrence.component, zone))
  object.root.addSubcomponent(exception)
  object.exceptions.push(exception)
  return exception
}

/** Sets an exception's times to those of its occurrence, on their original clock. */
function setTimesOf(
  exception: Component,
  { starts_at, ends_at, days }: Occurrence,
  span: WallSpan,
): void {
  if (days) setStart(exception, span, `${days.from}T00:00:00`)
  else setInstants(exception, span, starts_at, ends_at)
}

/** Excludes one occurrence from a series. */
export function excludeOccurrence(
  object: CalendarObject,
  occurrence: Occurrence,
  zone: string,
): void {
  for (const exception of exceptionsAt(object, zone, (place) => place === occurrence.place))
    if (!object.master || !isFollowing(exception)) removeException(object, exception)
  if (!object.master) return
  const span = wallSpanOf(object, object.master, zone)
  const wall = wallOf(object, occurrence.place, zone)!
  object.master.addProperty(
    whenProperty(
      'exdate',
      span.isDay
        ? { wall, isDay: true, isUtc: false, tzid: undefined }
        : momentInSpan(span, span.zone.instant(wall)),
    ),
  )
}

/** Whether an occurrence is the first remaining one: a change for it and all later ones then applies to the series. */
export function isFirst(object: CalendarObject, place: string, zone: string): boolean {
  if (!object.master) return true
  const span = wallSpanOf(object, object.master, zone)
  const at = momentOfPlace(place, zone)!
  return !expand(object, span.zone.instant(span.wall) - 1, at, zone).occurrences.some(
    (occurrence) => occurrence.original < at,
  )
}

/** Ends a series before one of its occurrences; later exceptions are removed. */
export function endSeriesBefore(object: CalendarObject, place: string, zone: string): void {
  const span = wallSpanOf(object, object.master!, zone)
  const wall = wallOf(object, place, zone)!
  const at = momentOfPlace(place, zone)!
  for (const exception of exceptionsAt(object, zone, (_, original) => original >= at))
    removeException(object, exception)
  filterDates(object, span, zone, (name) => name < wall)
  endBefore(object.master!, span, wall)
}

/**
 * The series from one occurrence on, as a separate object: its rule continues from there with the remaining count,
 * and takes its exceptions along. The earlier part stays in the given object.
 */
export function splitSeries(object: CalendarObject, place: string, zone: string): CalendarObject {
  const span = wallSpanOf(object, object.master!, zone)
  const wall = wallOf(object, place, zone)!
  const at = momentOfPlace(place, zone)!
  const root = copyOf(object.root)
  const events = root.getAllSubcomponents('vevent')
  const master = events.find((event) => !event.hasProperty('recurrence-id'))!
  const secondPart: CalendarObject = {
    root,
    uid: randomUUID(),
    master,
    exceptions: events.filter((event) => event !== master),
  }
  const active = followingChanges(secondPart, span, zone).findLast((change) => change.from <= at)
  for (const exception of exceptionsAt(secondPart, zone, (_, original) => original < at))
    removeException(secondPart, exception)
  if (active && active.from < at) carryFollowing(secondPart, active, span, wall)
  setRemainingCounts(object, master, span, wall)
  filterDates(secondPart, span, zone, (name) => name >= wall)
  setStart(master, span, wall)
  for (const exception of [master, ...secondPart.exceptions])
    setText(exception, 'uid', secondPart.uid)
  endSeriesBefore(object, place, zone)
  return secondPart
}

/** Applies a change that began in the first part of a series to the second one. */
function carryFollowing(
  secondPart: CalendarObject,
  active: FollowingChange,
  master: WallSpan,
  wall: string,
): void {
  const carried = copyOf(active.component)
  setStart(carried, active.span, wallAfter(active, wall))
  setFollowingId(carried, master, wall)
  secondPart.root.addSubcomponent(carried)
  secondPart.exceptions.push(carried)
}

function setFollowingId(event: Component, master: WallSpan, wall: string): void {
  const { isDay, isUtc, tzid } = master
  const recurrenceId = isDay
    ? { wall, isDay, isUtc, tzid }
    : momentInSpan(master, master.zone.instant(wall))
  setWhen(event, 'recurrence-id', recurrenceId)
  event.getFirstProperty('recurrence-id')?.setParameter('range', 'THISANDFUTURE')
}

/** Sets COUNT of the second part to the number of occurrences not in the first. */
function setRemainingCounts(
  object: CalendarObject,
  after: Component,
  span: WallSpan,
  wall: string,
): void {
  const rules = object
    .master!.getAllProperties('rrule')
    .map(ruleText)
    .map((rule) => {
      const count = /COUNT=(\d+)/.exec(rule)?.[1]
      return count === undefined
        ? rule
        : rule.replace(
            /COUNT=\d+/,
            `COUNT=${Math.max(1, Number(count) - countBefore(object, rule, span, wall))}`,
          )
    })
  setRules(after, rules)
}

/** Counts the occurrences of a rule before a moment, including excluded ones. */
function countBefore(object: CalendarObject, rule: string, span: WallSpan, wall: string): number {
  const bare = withoutRules(object.master!)
  setRules(bare, [rule])
  const end = span.zone.instant(wall)
  return expand(
    { ...object, master: bare, exceptions: [] },
    span.zone.instant(span.wall) - 1,
    end,
    span.zone.name,
    20_000,
  ).occurrences.filter((occurrence) => occurrence.starts_at < end).length
}

function setRules(event: Component, rules: readonly string[]): void {
  if (rules.length === 0) return void event.removeAllProperties('rrule')
  setRule(event, rules[0]!)
  for (const rule of rules.slice(1)) {
    const more = copyOf(event)
    setRule(more, rule)
    event.addProperty(more.getFirstProperty('rrule')!)
  }
}

/** Keeps only the added and excluded dates of one part of a series. */
function filterDates(
  object: CalendarObject,
  span: WallSpan,
  zone: string,
  keep: (wall: string) => boolean,
): void {
  const { master } = object
  const wallIn = (when: IcalMoment) =>
    when.isDay || span.isDay
      ? `${when.wall.slice(0, 10)}${span.wall.slice(10)}`
      : span.zone.wall(zoneInstant(object, when, zone))
  for (const name of ['rdate', 'exdate']) {
    for (const property of master!.getAllProperties(name)) {
      const remaining = withDates(property, (when) => (keep(wallIn(when)) ? when : undefined))
      master!.removeProperty(property)
      if (remaining) master!.addProperty(remaining)
    }
  }
}

function zoneInstant(object: CalendarObject, when: IcalMoment, zone: string): number {
  const probeEvent = copyOf(object.master!)
  setWhen(probeEvent, 'dtstart', when)
  const span = wallSpanOf(object, probeEvent, zone)
  return span.zone.instant(span.wall)
}

/** Exceptions by place or moment. */
function exceptionsAt(
  object: CalendarObject,
  zone: string,
  matches: (place: string, original: number) => boolean,
): Component[] {
  const master = object.master && wallSpanOf(object, object.master, zone)
  return object.exceptions.filter((component) => {
    const target = replacedOccurrence(object, component, master, zone)
    return target !== undefined && matches(target.place, target.original)
  })
}

function withoutRules(master: Component): Component {
  const copy = copyOf(master)
  for (const name of ['rrule', 'rdate', 'exdate', 'exrule']) copy.removeAllProperties(name)
  return copy
}

function removeException(object: CalendarObject, component: Component): void {
  object.root.removeSubcomponent(component)
  object.exceptions.splice(object.exceptions.indexOf(component), 1)
}

/**
 * Shifts a whole series by the difference of two wall-clock times, with its excluded dates and the ids of its
 * exceptions; exceptions at their original times move along, moved ones stay. `length`: as in wallSpanOf().
 * @returns false if its rule lists days that cannot be shifted by changing weekdays
 */
export function shiftSeries(
  object: CalendarObject,
  from: string,
  to: string,
  length: SpanLength,
  zone: string,
): boolean {
  const { master } = object
  const offset = Temporal.PlainDateTime.from(from).until(Temporal.PlainDateTime.from(to), {
    largestUnit: 'day',
  })
  const days = Temporal.PlainDate.from(from.slice(0, 10)).until(to.slice(0, 10), {
    largestUnit: 'days',
  }).days
  if (!shiftRuleDays(master!, days)) return false
  const span = wallSpanOf(object, master!, zone)
  for (const exception of object.exceptions)
    shiftException(object, exception, span, length, offset, zone)
  for (const name of ['rdate', 'exdate']) {
    for (const property of master!.getAllProperties(name)) {
      const dates = withDates(property, (when) => ({
        ...when,
        wall: shiftWall(when.wall, when.isDay ? Temporal.Duration.from({ days }) : offset),
      }))
      if (!dates) continue
      master!.removeProperty(property)
      master!.addProperty(dates)
    }
  }
  setStart(master!, { ...span, ...length }, shiftWall(span.wall, offset))
  return true
}

function shiftException(
  object: CalendarObject,
  component: Component,
  span: WallSpan,
  length: SpanLength,
  by: Temporal.Duration,
  zone: string,
): void {
  const id = momentOf(component.getFirstProperty('recurrence-id')!)
  if (!id) return
  const times = wallSpanOf(object, component, zone)
  const original = zoneInstant(object, id, zone)
  const regular = instantsOf(span, span.zone.wall(original))
  const current = instantsOf(times, times.wall)
  const isAtOriginalTime = current.starts_at === original && current.ends_at === regular.ends_at
  const wall = id.isUtc && !span.isUtc ? span.zone.wall(original) : id.wall
  const range = rangeOf(component)
  setWhen(component, 'recurrence-id', {
    wall: shiftWall(wall, by),
    isDay: span.isDay,
    isUtc: span.isUtc,
    tzid: span.tzid,
  })
  if (range !== undefined) component.getFirstProperty('recurrence-id')?.setParameter('range', range)
  if (isAtOriginalTime) setStart(component, { ...span, ...length }, shiftWall(wall, by))
}

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** Shifts the days of weekly rules; other rules with named days cannot be shifted. */
function shiftRuleDays(master: Component, days: number): boolean {
  const rules = master.getAllProperties('rrule').map(ruleText)
  if (days === 0) return true
  const shiftedRules = rules.map((rule) => {
    if (!/;?BY(DAY|MONTHDAY|YEARDAY|WEEKNO|SETPOS|MONTH)=/.test(rule)) return rule
    if (!/FREQ=WEEKLY/.test(rule) || /BY(MONTHDAY|YEARDAY|WEEKNO|SETPOS|MONTH)=/.test(rule))
      return undefined
    return rule.replace(
      /BYDAY=([^;]*)/,
      (_, list: string) =>
        `BYDAY=${list
          .split(',')
          .map((day) => weekdays[(weekdays.indexOf(day) + (days % 7) + 7) % 7])
          .join(',')}`,
    )
  })
  if (shiftedRules.some((rule) => rule === undefined)) return false
  if (rules.length > 0) setRules(master, shiftedRules as string[])
  return true
}

/** Removes exceptions without an occurrence after a rule change. @returns their number */
export function removeUnmatchedExceptions(object: CalendarObject, zone: string): number {
  const { master } = object
  const unmatched = exceptionsAt(
    object,
    zone,
    (place) =>
      !master || !isRepeating(master) || !occurrenceAt({ ...object, exceptions: [] }, place, zone),
  )
  for (const component of unmatched) removeException(object, component)
  return unmatched.length
}

/** Updates texts of exceptions that equal the old texts of their series. */
export function updateExceptionTexts(
  object: CalendarObject,
  before: Component,
  names: readonly string[],
): void {
  for (const name of names) {
    const [old, now] = [propertyText(before, name), propertyText(object.master!, name)]
    for (const exception of object.exceptions)
      if (propertyText(exception, name) === old) setText(exception, name, now)
  }
}
