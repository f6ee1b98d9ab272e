import { omitNullish } from '../../../kernel/present.ts'
import {
  basicFormat,
  copyOf,
  newComponent,
  newProperty,
  readObject,
  setText,
  propertyText,
  momentOf,
  serializeCalendar,
  type CalendarObject,
  type Component,
} from './objects.ts'
import {
  calendarAddressOf,
  attendeeProperty,
  eventFields,
  organizerOf,
  partstats,
  type Response,
} from './event-fields.ts'
import { exceptionKey } from './following-changes.ts'
import { pinFloatingTimes } from './file-zones.ts'
import { placeAt, wallSpanOf } from './wall-spans.ts'
import { zoneOfWhen } from './zones.ts'

// iTIP (RFC 5546): messages between organizers and attendees, as iCalendar objects with a METHOD.

export type Method = 'REQUEST' | 'CANCEL' | 'REPLY'

/** Private properties that are not sent. */
const privateProperties = /^(x-workspace-|x-moz-|x-lic-|x-apple-default|x-evolution-)/

function message(object: CalendarObject, method: Method, events: readonly Component[]): string {
  const root = newComponent('vcalendar')
  for (const [name, value] of [
    ['version', '2.0'],
    ['prodid', '-//Workspace//Calendar//EN'],
    ['method', method],
  ] as const)
    root.addPropertyWithValue(name, value)
  for (const zone of object.root.getAllSubcomponents('vtimezone'))
    root.addSubcomponent(copyOf(zone))
  for (const event of events) root.addSubcomponent(event)
  return serializeCalendar(root)
}

function copyForSending(event: Component, now: number): Component {
  const copy = copyOf(event)
  copy.removeAllSubcomponents('valarm')
  for (const property of copy.getAllProperties())
    if (privateProperties.test(property.name)) copy.removeProperty(property)
  for (const property of copy.getAllProperties('attendee'))
    for (const name of ['schedule-status', 'schedule-agent', 'x-workspace-told'])
      property.removeParameter(name)
  setTimestamp(copy, now)
  return copy
}

function setTimestamp(event: Component, now: number): void {
  setText(event, 'dtstamp', null)
  event.addProperty(dateTime('dtstamp', now))
}

function dateTime(name: string, at: number) {
  const text = `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n${name.toUpperCase()}:${basicFormat(new Date(at).toISOString())}Z\r\nUID:x\r\nDTSTART:20000101\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
  return readObject(text).master!.getFirstProperty(name)!
}

/** The whole event or series, as sent to attendees. */
export function itipRequestOf(object: CalendarObject, now: number): string {
  return message(
    object,
    'REQUEST',
    eventsIn(object).map((event) => copyForSending(event, now)),
  )
}

/** Announces a cancellation, or the removal of these attendees. */
export function itipCancelOf(
  object: CalendarObject,
  addresses: readonly string[],
  now: number,
  events = eventsIn(object),
): string {
  return message(
    object,
    'CANCEL',
    events.map((event) => {
      const copy = copyForSending(event, now)
      for (const property of copy.getAllProperties('attendee'))
        if (!addresses.includes(calendarAddressOf(property) ?? '')) copy.removeProperty(property)
      for (const address of addresses)
        if (!attendeeProperty(copy, address))
          copy.addProperty(newProperty('attendee', `mailto:${address}`))
      setText(copy, 'status', 'CANCELLED')
      const sequence = Number.parseInt(propertyText(copy, 'sequence') ?? '0', 10) || 0
      copy.updatePropertyWithValue('sequence', sequence + 1)
      return copy
    }),
  )
}

/** An attendee's reply. */
export function itipReplyOf(
  object: CalendarObject,
  events: readonly Component[],
  address: string,
  response: Response,
  note: string | undefined,
  now: number,
): string {
  return message(
    object,
    'REPLY',
    events.map((event) => {
      const copy = copyForSending(event, now)
      const replyProperties = new Set([
        'uid',
        'sequence',
        'dtstart',
        'dtend',
        'duration',
        'recurrence-id',
        'organizer',
        'summary',
        'rrule',
        'dtstamp',
      ])
      const mine = attendeeProperty(copy, address)
      for (const property of copy.getAllProperties())
        if (!replyProperties.has(property.name)) copy.removeProperty(property)
      const name = mine?.getParameter('cn')
      copy.addProperty(
        newProperty(
          'attendee',
          `mailto:${address}`,
          omitNullish({
            cn: typeof name === 'string' ? name : undefined,
            partstat: partstats[response],
          }),
        ),
      )
      if (note !== undefined && note !== '') copy.addProperty(newProperty('comment', note))
      return copy
    }),
  )
}

export function eventsIn({ master, exceptions }: CalendarObject): Component[] {
  return master ? [master, ...exceptions] : exceptions
}

/** Writes a person's response into an event. Returns whether that changed anything. */
export function setResponse(event: Component, address: string, response: Response): boolean {
  const property = attendeeProperty(event, address)
  if (!property || property.getParameter('partstat') === partstats[response]) return false
  property.setParameter('partstat', partstats[response])
  property.removeParameter('rsvp')
  return true
}

/** Resets attendees' responses: they answered for a different time. */
export function resetResponses(events: readonly Component[], mine: ReadonlySet<string>): void {
  for (const event of events) {
    for (const property of event.getAllProperties('attendee'))
      if (
        !mine.has(calendarAddressOf(property) ?? '') &&
        property.getParameter('partstat') !== undefined
      )
        property.setParameter('partstat', partstats.needs_action)
  }
}

/** Calendar message received by mail: its method, event and organizer. */
export interface ItipMessage {
  method: string
  object: CalendarObject
  uid: string
  sequence: number
  organizer: string | undefined
  /** Set for a reply: the attendee, their response and their comment. */
  answer: { address: string; response: Response; note: string | undefined } | undefined
}

/** @throws Unreadable */
export function readItipMessage(text: string): ItipMessage {
  const object = readObject(text)
  pinFloatingTimes(object.root)
  const [event] = eventsIn(object)
  const { attendees } = eventFields(event!, new Set())
  const method = (propertyText(object.root, 'method') ?? '').toUpperCase()
  return {
    method,
    object,
    uid: object.uid,
    sequence: Number.parseInt(propertyText(event!, 'sequence') ?? '0', 10) || 0,
    organizer: organizerOf(event!)?.address,
    answer:
      method === 'REPLY' && attendees.length === 1
        ? {
            address: attendees[0]!.address,
            response: attendees[0]!.response,
            note: propertyText(event!, 'comment'),
          }
        : undefined,
  }
}

/** Occurrence of the series that another object's exception replaces; undefined if it stands for the whole series. */
export function exceptionPlace(
  series: CalendarObject,
  object: CalendarObject,
  exception: Component,
  zone: string,
): string | undefined {
  const id = exception.getFirstProperty('recurrence-id')
  const when = id && momentOf(id)
  if (!when || !series.master) return undefined
  const span = wallSpanOf(series, series.master, zone)
  const at =
    when.isDay && span.isDay
      ? span.zone.instant(when.wall)
      : zoneOfWhen(when, object.root, zone).instant(when.wall)
  return placeAt(span.zone.wall(at), at, span.isDay)
}

/**
 * Applies an invitation to an event: the invitation as sent, with the local reminders, and the owner's response if
 * the times are unchanged.
 * Invitations to single occurrences replace the local version of those occurrences.
 */
export function applyRequest(
  request: CalendarObject,
  existing: CalendarObject | undefined,
  ownAddresses: ReadonlySet<string>,
): Component {
  const root = copyOf(request.root)
  root.removeAllProperties('method')
  if (!existing) {
    for (const event of root.getAllSubcomponents('vevent')) event.removeAllSubcomponents('valarm')
    return root
  }
  const isWholeSeries = request.master !== undefined
  const result = isWholeSeries ? root : copyOf(existing.root)
  const before = new Map(eventsIn(existing).map((event) => [exceptionKey(event), event]))
  if (!isWholeSeries) {
    for (const allSubcomponent of result.getAllSubcomponents('vevent'))
      if (request.exceptions.some((each) => exceptionKey(each) === exceptionKey(allSubcomponent)))
        result.removeSubcomponent(allSubcomponent)
    for (const exception of request.exceptions) result.addSubcomponent(copyOf(exception))
  }
  for (const allSubcomponent of result.getAllSubcomponents('vevent'))
    keepOwnSettings(allSubcomponent, before.get(exceptionKey(allSubcomponent)), ownAddresses)
  return result
}

/** An event's times as text. */
export const eventTimingText = (event: Component) =>
  ['dtstart', 'dtend', 'duration', 'rrule']
    .map((name) =>
      event
        .getAllProperties(name)
        .map((property) => property.toICALString())
        .join(),
    )
    .join('|')

function keepOwnSettings(
  event: Component,
  before: Component | undefined,
  mine: ReadonlySet<string>,
): void {
  if (!before) return
  event.removeAllSubcomponents('valarm')
  for (const alarm of before.getAllSubcomponents('valarm')) event.addSubcomponent(copyOf(alarm))
  if (eventTimingText(event) !== eventTimingText(before)) return
  const { attendees } = eventFields(before, mine)
  for (const attendee of attendees)
    if (mine.has(attendee.address) && attendee.response !== 'needs_action')
      setResponse(event, attendee.address, attendee.response)
}
