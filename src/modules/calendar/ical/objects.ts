import ICAL from 'ical.js'
import { Temporal } from 'temporal-polyfill'
import { dayLength } from '../../../kernel/time/times.ts'

// iCalendar text (RFC 5545) as a tree. External text is read leniently, and changed by editing this tree, never by
// rebuilding an event: unknown properties stay unchanged.

export type Component = ICAL.Component
export type Property = ICAL.Property

/** Invalid files are common: unknown values are kept unchanged. */
;(ICAL.design as { strict: boolean }).strict = false
ICAL.foldLength = 74 // excludes the space at the beginning of a continuation line

/** Thrown if a text is not an iCalendar object, with an explanation. */
export class Unreadable extends Error {}

/** Longer objects are stored but not parsed: an event has at most a few hundred lines. */
const maxObjectLength = 1_000_000

/** Parsing time depends on the number of lines: with this limit, others wait for less than a tenth of a second. */
export const maxLines = 20_000

/** One calendar object: the events of one UID, a single one or a series with its exceptions. */
export interface CalendarObject {
  /** VCALENDAR */
  root: Component
  uid: string
  /** The event or series; undefined if only exceptions are known, as for an attendee of one of them. */
  master: Component | undefined
  exceptions: Component[]
}

/**
 * Parses a text into a tree with VCALENDAR at its root.
 * @throws Unreadable
 */
export function parse(text: string): Component {
  if (text.length > maxObjectLength) throw new Unreadable('it is longer than a megabyte')
  if (hasMoreLines(text)) throw new Unreadable(`it has more than ${maxLines} lines`)
  return parseAny(text)
}

/** Folded lines are counted as written; a lone CR also ends one. */
function hasMoreLines(text: string): boolean {
  let count = 0
  for (const _ of text.matchAll(/\r\n?|\n/g)) if (++count > maxLines) return true
  return false
}

/** The same without a limit, for whole calendars. */
export function parseAny(text: string): Component {
  return parseAll(text)[0]!
}

/** All calendars of a stream: RFC 5545 allows several per file; other objects are ignored. @throws Unreadable */
export function parseAll(text: string): Component[] {
  try {
    const parsed = ICAL.parse(withoutParserErrors(text)) as unknown[]
    const objects = (Array.isArray(parsed[0]) ? parsed : [parsed]) as unknown[][]
    const calendars = objects.filter((object) => object[0] === 'vcalendar')
    if (calendars.length === 0)
      throw new Unreadable(
        `it begins with ${String(objects[0]?.[0]).slice(0, 40)}, not with a calendar`,
      )
    return calendars.map((calendar) => new ICAL.Component(calendar))
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable(parseErrorText(error))
  }
}

/** Maximum characters of a line before its value: parsing parameters takes more than linear time. */
const maxParameters = 20_000

/**
 * Removes meaningless parts that the parser fails on: a byte order mark, empty lines, lines without a colon, spaces
 * in rules.
 */
function withoutParserErrors(text: string): string {
  const unfolded = text.replace(/^\uFEFF/, '').replaceAll(/(?:\r\n|\n|\r)[ \t]/g, '')
  const lines = unfolded.split(/\r\n|\n|\r/).filter((line) => /^[A-Za-z0-9-]+[;:]/.test(line))
  if (
    lines.some((line) => line.length > maxParameters && !line.slice(0, maxParameters).includes(':'))
  )
    throw new Unreadable(`it has more than ${maxParameters} characters before the value of a line`)
  return `${lines.map((line) => (/^(?:RRULE|EXRULE)[;:]/i.test(line) ? line.replaceAll(/\s/g, '') : line)).join('\r\n')}\r\n`
}

/** Parses an object: its events, divided into master and exceptions. @throws Unreadable */
export function readObject(text: string): CalendarObject {
  return objectOf(parse(text))
}

/** The same for a tree. @throws Unreadable */
export function objectOf(root: Component): CalendarObject {
  const events = root.getAllSubcomponents('vevent')
  if (events.length === 0) throw new Unreadable('it contains no event')
  const uid = propertyText(events[0]!, 'uid')
  if (!uid) throw new Unreadable('it has no UID')
  const exceptions = events.filter((event) => event.hasProperty('recurrence-id'))
  const master = events.find((event) => !event.hasProperty('recurrence-id'))
  const object = { root, uid, master, exceptions }
  for (const component of master ? [master, ...exceptions] : exceptions) eventStartOf(component)
  if (exceptions.length > maxExceptions)
    throw new Unreadable(`it has more than ${maxExceptions} exceptions`)
  if (master && datesIn(master) > maxDates)
    throw new Unreadable(`it names more than ${maxDates} dates`)
  return object
}

/** No real calendar has more, and each read of the event would delay other requests. */
const maxExceptions = 1000
const maxDates = 5000

function datesIn(master: Component): number {
  const count = (name: string) =>
    master.getAllProperties(name).reduce((sum, property) => sum + property.toJSON().length - 3, 0)
  return count('rdate') + count('exdate') + 500 * (count('rrule') + count('exrule')) // expanding a rule costs about as much as 500 dates
}

/** A moment in iCalendar: wall-clock time with a zone, a UTC instant, or a day. */
export interface IcalMoment {
  /** `2026-11-20T09:00:00`; midnight for a day. */
  wall: string
  isDay: boolean
  isUtc: boolean
  tzid: string | undefined
  /** The time zone of an instant written in UTC because its hour is repeated in that zone. */
  displayZone?: string | undefined
}

/** Parameter for `displayZone`. Programs that drop it still have the instant. */
const displayZoneParameter = 'x-workspace-tzid'

/** @throws Unreadable if the event has no valid start */
export function eventStartOf(event: Component): IcalMoment {
  const property = event.getFirstProperty('dtstart')
  const when = property && momentOf(property)
  if (!when)
    throw new Unreadable(property ? 'its DTSTART is not a valid time' : 'it has no DTSTART')
  return when
}

/** The first moment of a property; undefined if it has no readable one. */
export function momentOf(property: Property): IcalMoment | undefined {
  return momentsOf(property)[0]
}

/** All moments of a property; for periods, their starts. */
export function momentsOf(property: Property): IcalMoment[] {
  const [, , , ...values] = property.toJSON() as unknown[]
  const text = (name: string) => {
    const value: unknown = property.getParameter(name)
    return typeof value === 'string' ? value : undefined
  }
  const [tzid, displayZone] = [text('tzid'), text(displayZoneParameter)]
  return values.flatMap((value) => {
    const when = parseMoment(momentText(value), tzid)
    if (!when) return []
    return when.isUtc && displayZone !== undefined ? { ...when, displayZone } : when
  })
}

/** The periods of a property, with ends as moments or durations; other values have no end. */
export function periodsOf(
  property: Property,
): { start: IcalMoment; end: IcalMoment | NominalDuration }[] {
  const [, , , ...values] = property.toJSON() as unknown[]
  const tzid: unknown = property.getParameter('tzid')
  const moment = (value: unknown) =>
    parseMoment(String(value), typeof tzid === 'string' ? tzid : undefined)
  return values.flatMap((value) => {
    if (!Array.isArray(value)) return []
    const start = moment(value[0])
    const end = durationOf(String(value[1])) ?? moment(value[1])
    return start && end ? { start, end } : []
  })
}

/**
 * A property with its dates or periods mapped by `change`, without the ones mapped to undefined; undefined if none
 * is left.
 */
export function withDates(
  property: Property,
  change: (when: IcalMoment) => IcalMoment | undefined,
): Property | undefined {
  const [name, parameters, type, ...values] = property.toJSON() as [string, object, string]
  const tzid: unknown = property.getParameter('tzid')
  const changed = (value: unknown): string | undefined => {
    const when = parseMoment(String(value), typeof tzid === 'string' ? tzid : undefined)
    const next = when && change(when)
    if (!next) return undefined
    return next.isDay ? next.wall.slice(0, 10) : `${next.wall.slice(0, 19)}${next.isUtc ? 'Z' : ''}`
  }
  const remaining = (values as unknown[]).flatMap((value): (string | string[])[] => {
    if (!Array.isArray(value)) return [changed(value) ?? []].flat()
    const start = changed(value[0])
    const end = durationOf(String(value[1])) ? String(value[1]) : changed(value[1])
    return start === undefined ? [] : [[start, end ?? String(value[1])]]
  })
  return remaining.length === 0
    ? undefined
    : new ICAL.Property([name, parameters, type, ...remaining])
}

/** Text of a moment; the beginning of a period. */
function momentText(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? String(value[0]) : ''
}

/** Parses `2026-11-20T09:00:00Z` or `20261120T090000Z`. */
export function parseMoment(text: string, tzid?: string): IcalMoment | undefined {
  const [, year, month, day, time] = /^(\d{4})-?(\d{2})-?(\d{2})(?:T(.*))?$/.exec(text.trim()) ?? []
  if (year === undefined) return undefined
  const [, hour, minute, second = '00', utc] =
    /^(\d{2}):?(\d{2}):?(\d{2})?(Z?)$/.exec(time ?? '00:00:00') ?? []
  if (hour === undefined) return undefined
  const wall = `${year}-${month}-${day}T${hour}:${minute}:${second === '60' ? '59' : second}`
  try {
    Temporal.PlainDateTime.from(wall, { overflow: 'reject' })
  } catch {
    return undefined
  }
  return {
    wall,
    isDay: time === undefined,
    isUtc: utc === 'Z',
    tzid: utc === 'Z' ? undefined : tzid,
  }
}

/** Wall-clock time in iCalendar notation, `20261120T090000`. */
export function basicFormat(wall: string): string {
  return wall.slice(0, 19).replaceAll(/[-:]/g, '')
}

/** A property's trimmed text; undefined if missing. */
export function propertyText(component: Component, name: string): string | undefined {
  const value = component.getFirstProperty(name)?.toJSON() as unknown[] | undefined
  return value?.[3] === undefined || value[3] === null
    ? undefined
    : propertyValueText(value[3]).trim() || undefined
}

function propertyValueText(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Sets or removes a text property. */
export function setText(component: Component, name: string, text: string | null | undefined): void {
  if (text === undefined || text === null || text === '') component.removeAllProperties(name)
  else component.updatePropertyWithValue(name, text)
}

/** Sets a moment: with zone name, in UTC, or as a day. */
export function setWhen(component: Component, name: string, when: IcalMoment): void {
  component.removeAllProperties(name)
  component.addProperty(whenProperty(name, when))
}

export function whenProperty(
  name: string,
  { wall, isDay, isUtc, tzid, displayZone }: IcalMoment,
): Property {
  const type = isDay ? 'date' : 'date-time'
  const value = isDay ? wall.slice(0, 10) : `${wall.slice(0, 19)}${isUtc ? 'Z' : ''}`
  const parameters = {
    ...(!isDay && !isUtc && tzid ? { tzid } : {}),
    ...(isUtc && displayZone ? { [displayZoneParameter]: displayZone } : {}),
  }
  return new ICAL.Property([name, parameters, type, value])
}

/**
 * A DURATION: first calendar days, which may have 23 or 25 hours, then exact milliseconds; both negative if it points
 * back.
 */
export interface NominalDuration {
  days: number
  exact: number
}

/** Parses a DURATION; undefined if invalid. Weeks are seven days. */
export function durationOf(text: string): NominalDuration | undefined {
  const [, sign, weeks, days, hours, minutes, seconds] =
    /^([+-]?)P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(
      text.trim().toUpperCase(),
    ) ?? []
  if (sign === undefined) return undefined
  const [w, d, h, m, s] = [weeks, days, hours, minutes, seconds].map((item) =>
    Number(item ?? 0),
  ) as [number, number, number, number, number]
  const factor = sign === '-' ? -1 : 1
  return { days: factor * (w * 7 + d), exact: factor * ((h * 60 + m) * 60 + s) * 1000 }
}

/** Milliseconds of a duration on days without a clock change. */
export function nominalLength({ days, exact }: NominalDuration): number {
  return days * dayLength + exact
}

/** A deep copy of a component. */
export function copyOf(component: Component): Component {
  return new ICAL.Component(structuredClone(component.toJSON()))
}

export function newComponent(name: string): Component {
  return new ICAL.Component(name)
}

export function newProperty(
  name: string,
  value: string,
  parameters: Record<string, string> = {},
): Property {
  const property = new ICAL.Property(name)
  property.setValue(value)
  for (const [key, parameterValue] of Object.entries(parameters))
    property.setParameter(key, parameterValue)
  return property
}

/**
 * Serializes a tree with line ends and folding of RFC 5545. A lone CR, which the library passes through, would start
 * a new line.
 */
export function serializeCalendar(root: Component): string {
  return `${root.toString().replaceAll(/\r(?!\n)/g, '')}\r\n`
}

function parseErrorText(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 300)
}
