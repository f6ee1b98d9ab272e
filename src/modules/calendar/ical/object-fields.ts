import { randomUUID } from 'node:crypto'
import ICAL from 'ical.js'
import { Temporal } from 'temporal-polyfill'
import { withMonthEnds } from '../../../kernel/time/recurrence.ts'
import { addDays, iso } from '../../../kernel/time/times.ts'
import { calendarAddressOf, attendeeProperty, partstats, type EventFields } from './event-fields.ts'
import {
  basicFormat,
  copyOf,
  parseMoment,
  newComponent,
  newProperty,
  setText,
  setWhen,
  propertyText,
  type Component,
  type IcalMoment,
} from './objects.ts'
import { ruleText } from './recurrence-rules.ts'
import { instantsOf, momentInSpan, type SpanLength, type WallSpan } from './wall-spans.ts'
import { addZone } from './vtimezones.ts'
import { ianaZone } from './zones.ts'

// Writes fields to the tree of an event; all other content stays unchanged.

/** A time for an event: instants in a zone, or days with an inclusive end. */
export type EventTime =
  | { isDay: false; zone: string; start: number; end: number }
  | { isDay: true; from: string; last: string }

/** Fields of an event to write. */
export interface EventInput {
  title?: string | undefined
  location?: string | null | undefined
  description?: string | null | undefined
  kind?: EventFields['kind'] | undefined
  video_url?: string | undefined
  reminders?: readonly number[] | undefined
  rrule?: string | null | undefined
}

const product = '-//Workspace//Calendar//EN'

/** A calendar with one new event. */
export function newObject(
  time: EventTime,
  input: EventInput,
  now: number,
): { root: Component; event: Component } {
  const root = newComponent('vcalendar')
  root.addPropertyWithValue('version', '2.0')
  root.addPropertyWithValue('prodid', product)
  const event = newComponent('vevent')
  event.addPropertyWithValue('uid', randomUUID())
  event.addProperty(ICAL.Property.fromString(`CREATED:${basicFormat(iso(now))}Z`))
  root.addSubcomponent(event)
  setTime(root, event, time)
  setFields(event, input, now)
  return { root, event }
}

/** Sets the times of an event. */
export function setTime(root: Component, event: Component, time: EventTime): void {
  event.removeAllProperties('duration')
  if (time.isDay) {
    setWhen(event, 'dtstart', dayWhen(time.from))
    setWhen(event, 'dtend', dayWhen(addDays(time.last, 1)))
    return
  }
  const utc = isUtc(time.zone)
  const span = { zone: ianaZone(time.zone), isUtc: utc, tzid: utc ? undefined : time.zone }
  setInstants(event, span, time.start, time.end)
  if (!utc) addZone(root, time.zone, time.start)
}

/**
 * Sets start and end of a timed event. In a repeated hour, a start is written in UTC, and an end alone as a DURATION,
 * which all programs read as the same instant.
 */
export function setInstants(
  event: Component,
  span: Pick<WallSpan, 'zone' | 'isUtc' | 'tzid'>,
  start: number,
  end: number,
): void {
  const [from, until] = [momentInSpan(span, start), momentInSpan(span, end)]
  setWhen(event, 'dtstart', from)
  for (const name of ['dtend', 'duration']) event.removeAllProperties(name)
  if (from.displayZone === undefined && until.displayZone !== undefined) {
    const length = { nominalDays: 0, length: end - start }
    event.addProperty(ICAL.Property.fromString(`DURATION:${durationText(length)}`))
  } else setWhen(event, 'dtend', from.displayZone === undefined ? until : utcWhen(end))
}

const utcWhen = (at: number): IcalMoment => ({
  wall: iso(at).slice(0, 19),
  isDay: false,
  isUtc: true,
  tzid: undefined,
})
const dayWhen = (day: string): IcalMoment => ({
  wall: `${day}T00:00:00`,
  isDay: true,
  isUtc: false,
  tzid: undefined,
})
const isUtc = (zone: string) => /^(UTC|Etc\/UTC|GMT)$/i.test(zone)

/** Writes the given values; undefined leaves a property unchanged, null removes it. */
export function setFields(event: Component, input: EventInput, now: number): void {
  if (input.title !== undefined) setText(event, 'summary', input.title)
  if (input.location !== undefined) setText(event, 'location', input.location)
  if (input.description !== undefined) {
    setText(event, 'description', input.description)
    event.removeAllProperties('x-alt-desc') // the description as HTML, which would now differ
  }
  if (input.kind !== undefined) setKind(event, input.kind)
  if (input.video_url !== undefined) setText(event, 'x-workspace-video', input.video_url)
  if (input.reminders !== undefined) setReminders(event, input.reminders)
  if (input.rrule !== undefined) setRule(event, input.rrule)
  setChangeTime(event, now)
}

function setKind(event: Component, kind: EventFields['kind']): void {
  setText(event, 'x-workspace-kind', kind === 'default' ? null : kind)
  setText(event, 'x-microsoft-cdo-busystatus', kind === 'out_of_office' ? 'OOF' : null)
}

/** Sets the time of the last change. */
export function setChangeTime(event: Component, now: number): void {
  for (const name of ['DTSTAMP', 'LAST-MODIFIED']) {
    event.removeAllProperties(name.toLowerCase())
    event.addProperty(ICAL.Property.fromString(`${name}:${basicFormat(iso(now))}Z`))
  }
}

/** Sets display alarms at these minutes before the start; alarms of other kinds stay. */
function setReminders(event: Component, minutes: readonly number[]): void {
  for (const alarm of event.getAllSubcomponents('valarm'))
    if (
      /^-?P/.test(propertyText(alarm, 'trigger') ?? '') ||
      propertyText(alarm, 'action') === 'DISPLAY'
    )
      event.removeSubcomponent(alarm)
  for (const minute of minutes) {
    const text = [
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'DESCRIPTION:Reminder',
      `TRIGGER:-PT${minute}M`,
      'END:VALARM',
    ].join('\r\n')
    event.addSubcomponent(new ICAL.Component(ICAL.parse(text)))
  }
}

/** Sets the only rule of a series; null makes it a single event. */
export function setRule(event: Component, rule: string | null): void {
  event.removeAllProperties('rrule')
  if (rule !== null) event.addProperty(ICAL.Property.fromString(`RRULE:${rule}`))
  else for (const name of ['rdate', 'exdate', 'exrule']) event.removeAllProperties(name)
}

/**
 * A rule adapted to the start of its series: UNTIL is a day for all-day events, otherwise a UTC instant; from the
 * 31st on, the last day of each month.
 */
export function adaptRule(rule: string, span: Pick<WallSpan, 'isDay' | 'zone' | 'wall'>): string {
  return withMonthEnds(rule, span.wall).rrule.replace(/UNTIL=([^;]*)/, (_, text: string) => {
    const when = parseMoment(text)!
    if (span.isDay) return `UNTIL=${basicFormat(when.wall).slice(0, 8)}`
    const wall = when.isDay ? `${when.wall.slice(0, 10)}T23:59:59` : when.wall
    return `UNTIL=${basicFormat(iso((when.isUtc ? ianaZone('UTC') : span.zone).instant(wall)))}Z`
  })
}

/** Ends all rules of a series before a moment, by UNTIL instead of COUNT. */
export function endBefore(event: Component, span: WallSpan, wall: string): void {
  const until = span.isDay
    ? basicFormat(addDays(wall.slice(0, 10), -1)).slice(0, 8)
    : `${basicFormat(iso(span.zone.instant(wall) - 1000))}Z`
  for (const property of event.getAllProperties('rrule')) {
    const rest = ruleText(property)
      .split(';')
      .filter((part) => !/^(UNTIL|COUNT)=/.test(part))
    event.removeProperty(property)
    event.addProperty(ICAL.Property.fromString(`RRULE:${[...rest, `UNTIL=${until}`].join(';')}`))
  }
}

/** A separate event for one occurrence of a series: without the rule, identified by its original moment. */
export function exceptionOf(master: Component, span: WallSpan, wall: string): Component {
  const exception = copyOf(master)
  for (const name of ['rrule', 'rdate', 'exdate', 'exrule', 'recurrence-id', 'duration'])
    exception.removeAllProperties(name)
  if (span.isDay) {
    const at: IcalMoment = { wall, isDay: true, isUtc: false, tzid: undefined }
    setWhen(exception, 'dtstart', at)
    setWhen(exception, 'dtend', { ...at, wall: endDay(span, wall) })
    setWhen(exception, 'recurrence-id', at)
    return exception
  }
  const { starts_at, ends_at } = instantsOf(span, wall)
  setInstants(exception, span, starts_at, ends_at)
  setWhen(exception, 'recurrence-id', momentInSpan(span, starts_at))
  return exception
}

function endDay(span: WallSpan, wall: string): string {
  return `${addDays(wall.slice(0, 10), span.length)}T00:00:00`
}

/**
 * Sets the start of an event or series, and its end: nominal days as their DURATION, since each occurrence has its
 * own hours.
 */
export function setStart(event: Component, span: WallSpan, wall: string): void {
  if (span.isDay) {
    const at: IcalMoment = { wall, isDay: true, isUtc: false, tzid: undefined }
    event.removeAllProperties('duration')
    setWhen(event, 'dtstart', at)
    setWhen(event, 'dtend', { ...at, wall: endDay(span, wall) })
    return
  }
  const { starts_at, ends_at } = instantsOf(span, wall)
  setInstants(event, span, starts_at, ends_at)
  if (span.nominalDays === 0) return
  event.removeAllProperties('dtend')
  event.removeAllProperties('duration')
  event.addProperty(ICAL.Property.fromString(`DURATION:${durationText(span)}`))
}

function durationText({ nominalDays, length }: SpanLength): string {
  const days = nominalDays === 0 ? '' : `${nominalDays}D`
  const seconds = `T${Math.round(length / 1000)}S`
  return `P${days}${length === 0 && days !== '' ? '' : seconds}`
}

/** Shifts wall-clock time by a duration. */
export function shiftWall(wall: string, by: Temporal.Duration): string {
  return Temporal.PlainDateTime.from(wall).add(by).toString({ smallestUnit: 'second' })
}

/** Prevents a server that sends invitations from notifying these people (RFC 6638): send_event_invites does, once. */
export function suppressServerInvitations(event: Component, mine: ReadonlySet<string>): void {
  for (const property of event.getAllProperties('attendee'))
    if (!mine.has(calendarAddressOf(property) ?? ''))
      property.setParameter('schedule-agent', 'CLIENT')
}

/** Adds an attendee; an existing one keeps their response. */
export function inviteAttendee(
  event: Component,
  who: { address: string; name?: string | undefined },
  optional: boolean,
): void {
  const existing = attendeeProperty(event, who.address)
  if (existing)
    return existing.setParameter('role', optional ? 'OPT-PARTICIPANT' : 'REQ-PARTICIPANT')
  const name: Record<string, string> = who.name === undefined ? {} : { cn: who.name }
  event.addProperty(
    newProperty('attendee', `mailto:${who.address}`, {
      ...name,
      role: optional ? 'OPT-PARTICIPANT' : 'REQ-PARTICIPANT',
      partstat: partstats.needs_action,
      rsvp: 'TRUE',
    }),
  )
}

/** Sets the organizer if there is none. */
export function setOrganizer(event: Component, who: { address: string; name: string }): void {
  if (!event.hasProperty('organizer'))
    event.addProperty(newProperty('organizer', `mailto:${who.address}`, { cn: who.name }))
}

/** Increments SEQUENCE, for a change of which attendees must be notified. */
export function nextSequence(event: Component): void {
  const current = Number.parseInt(propertyText(event, 'sequence') ?? '0', 10) || 0
  event.removeAllProperties('sequence')
  event.addProperty(ICAL.Property.fromString(`SEQUENCE:${current + 1}`))
}
