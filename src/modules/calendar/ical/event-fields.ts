import { omitNullish } from '../../../kernel/present.ts'
import type { Row } from '../../../records/resource.ts'
import {
  durationOf,
  propertyText,
  nominalLength,
  type Component,
  type NominalDuration,
  type Property,
} from './objects.ts'

/** An attendee as listed in the event. */
export interface Attendee {
  /** Lower case. */
  address: string
  name?: string
  response: Response
  optional: boolean
}

export type Response = NonNullable<Row<'events'>['my_response']>

/** Fields of an event, or of an exception of a series. */
export interface EventFields {
  title: string
  location: string | null
  video_url: string | null
  description: string | null
  organizer: { address: string; name?: string } | null
  attendees: Attendee[]
  status: Row<'events'>['status']
  kind: Row<'events'>['kind']
  my_response: Response | null
  busy: boolean
  /** Minutes before its start. */
  reminders: number[]
}

const maxAttendees = 2000
/** Alarms further ahead than this are ignored. */
const maxLeadMs = 5 * 366 * 86_400_000
const maxDescriptionLength = 100_000

/** Reads a VEVENT; `ownAddresses`: those of the calendar's owner, lower case. */
export function eventFields(event: Component, ownAddresses: ReadonlySet<string>): EventFields {
  const attendees = attendeesOf(event)
  const my_response =
    attendees.find((attendee) => ownAddresses.has(attendee.address))?.response ?? null
  const status = eventStatusOf(event)
  const description =
    propertyText(event, 'description')?.slice(0, maxDescriptionLength).toWellFormed() ?? null
  const location = propertyText(event, 'location')?.slice(0, 2000).toWellFormed() ?? null
  return {
    title: propertyText(event, 'summary')?.slice(0, 1000).toWellFormed() ?? '',
    location,
    video_url: videoOf(event, [location, description]),
    description,
    organizer: organizerOf(event),
    attendees,
    status,
    kind: eventKindOf(event),
    my_response,
    busy:
      propertyText(event, 'transp')?.toUpperCase() !== 'TRANSPARENT' &&
      status !== 'cancelled' &&
      my_response !== 'declined',
    reminders: remindersOf(event),
  }
}

function eventStatusOf(event: Component): Row<'events'>['status'] {
  const text = propertyText(event, 'status')?.toUpperCase()
  if (text === 'CANCELLED') return 'cancelled'
  return text === 'TENTATIVE' ? 'tentative' : 'confirmed'
}

function eventKindOf(event: Component): Row<'events'>['kind'] {
  const declaredKind = propertyText(event, 'x-workspace-kind')?.toLowerCase()
  if (declaredKind === 'focus' || declaredKind === 'out_of_office') return declaredKind
  return propertyText(event, 'x-microsoft-cdo-busystatus')?.toUpperCase() === 'OOF'
    ? 'out_of_office'
    : 'default'
}

const responses: Record<string, Response> = {
  ACCEPTED: 'accepted',
  TENTATIVE: 'tentative',
  DECLINED: 'declined',
  DELEGATED: 'declined',
  COMPLETED: 'accepted',
}

/** PARTSTAT by response. */
export const partstats: Record<Response, string> = {
  needs_action: 'NEEDS-ACTION',
  accepted: 'ACCEPTED',
  tentative: 'TENTATIVE',
  declined: 'DECLINED',
}

function attendeesOf(event: Component): Attendee[] {
  const attendeesByAddress = new Map<string, Attendee>()
  for (const property of event.getAllProperties('attendee').slice(0, maxAttendees)) {
    const address = calendarAddressOf(property)
    if (address === undefined || attendeesByAddress.has(address)) continue
    const name = commonName(property)
    const response =
      responses[parameter(property, 'partstat')?.toUpperCase() ?? ''] ?? 'needs_action'
    const optional = /^(OPT|NON)-PARTICIPANT$/i.test(parameter(property, 'role') ?? '')
    attendeesByAddress.set(address, omitNullish({ address, name, response, optional }))
  }
  return [...attendeesByAddress.values()]
}

/** Finds the property of an attendee by address. */
export function attendeeProperty(event: Component, address: string): Property | undefined {
  return event
    .getAllProperties('attendee')
    .find((property) => calendarAddressOf(property) === address.toLowerCase())
}

export function organizerOf(event: Component): EventFields['organizer'] {
  const property = event.getFirstProperty('organizer')
  const address = property ? calendarAddressOf(property) : undefined
  if (!property || address === undefined) return null
  const name = commonName(property)
  return omitNullish({ address, name })
}

/** Address sending on the organizer's behalf (SENT-BY), in lower case. */
export function senderForOrganizer(event: Component): string | undefined {
  const property = event.getFirstProperty('organizer')
  return property ? mailAddress(parameter(property, 'sent-by') ?? '') : undefined
}

/** Sets the address sending on the organizer's behalf, which may change and cancel the event by mail. */
export function setSenderForOrganizer(event: Component, address: string): void {
  event.getFirstProperty('organizer')?.setParameter('sent-by', `mailto:${address}`)
}

/** The address of a CAL-ADDRESS, lower case: `mailto:`, or the EMAIL parameter beside a urn. */
export function calendarAddressOf(property: Property): string | undefined {
  const value = String(property.getFirstValue() ?? '')
  return mailAddress(/^mailto:/i.test(value) ? value : (parameter(property, 'email') ?? value))
}

function mailAddress(value: string): string | undefined {
  const text = decodeIcalUri(value.replace(/^mailto:/i, ''))
    .trim()
    .toLowerCase()
  return /^[^\s@<>]+@[^\s@<>]+$/.test(text) && text.length <= 320 ? text : undefined
}

function commonName(property: Property): string | undefined {
  return parameter(property, 'cn')?.trim().slice(0, 200).toWellFormed() || undefined
}

function parameter(property: Property, name: string): string | undefined {
  const value: unknown = property.getParameter(name)
  if (typeof value === 'string') return value
  return Array.isArray(value) ? String(value[0]) : undefined
}

function decodeIcalUri(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const videoProperties = [
  'x-google-conference',
  'x-microsoft-skypeteamsmeetingurl',
  'x-microsoft-onlinemeetingexternallink',
  'conference',
]
const videoLink =
  /https:\/\/(?:meet\.google\.com|[\w.-]*zoom\.us\/(?:j|my|w)|teams\.(?:microsoft|live)\.com\/(?:l\/meetup-join|meet)|meet\.jit\.si|whereby\.com|[\w.-]*webex\.com)\/?[^\s<>"')\]]*/i

/**
 * Video link of the event: from a dedicated property, or a link to a well-known service in its location or
 * description.
 */
function videoOf(event: Component, texts: readonly (string | null)[]): string | null {
  const propertyLink = videoProperties
    .flatMap((name) => propertyText(event, name) ?? [])
    .find((text) => /^https:\/\//i.test(text))
  const workspaceLink = propertyText(event, 'x-workspace-video')
  const meetingLink =
    workspaceLink ??
    propertyLink ??
    texts
      .map((text) => (text === null ? undefined : videoLink.exec(text)?.[0]))
      .find((link) => link !== undefined)
  return meetingLink?.slice(0, 2000) ?? null
}

/** Alarms before the start, in nominal minutes. */
function remindersOf(event: Component): number[] {
  return reminderLeads(event).map((lead) => Math.round(nominalLength(lead) / 60_000))
}

/**
 * Lead times of an event's alarms, nearest first, as nominal durations. Alarms at a fixed time or after the start are
 * left to other programs.
 */
export function reminderLeads(event: Component): NominalDuration[] {
  const leads = new Map<number, NominalDuration>()
  for (const alarm of event.getAllSubcomponents('valarm')) {
    const lead = leadOf(alarm)
    if (lead) leads.set(Math.round(nominalLength(lead) / 60_000), lead)
  }
  return [...leads]
    .sort(([a], [b]) => a - b)
    .slice(0, 10)
    .map(([, lead]) => lead)
}

function leadOf(alarm: Component): NominalDuration | undefined {
  const trigger = alarm.getFirstProperty('trigger')
  if (!trigger || parameter(trigger, 'related')?.toUpperCase() === 'END') return undefined
  if (propertyText(alarm, 'action')?.toUpperCase() === 'NONE') return undefined
  const offset = durationOf(propertyText(alarm, 'trigger') ?? '')
  if (!offset || nominalLength(offset) > 0 || nominalLength(offset) < -maxLeadMs) return undefined
  return { days: 0 - offset.days, exact: 0 - offset.exact }
}
