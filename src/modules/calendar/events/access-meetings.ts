import { Temporal } from 'temporal-polyfill'
import { ExtensionPoint } from '../../../records/extension-point.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import type { Tell } from '../../../records/row-changes.ts'
import { accessScopeOf, type Viewer, type AccessScope } from '../../../records/access-scope.ts'
import { ownAddressesOf, eventIdLength, occurrenceIdOf, occurrencePlace } from './access-ids.ts'
import { eventFields } from '../ical/event-fields.ts'
import type { TimeSpan } from '../availability/spans.ts'
import { readObject, type CalendarObject, type Component } from '../ical/objects.ts'
import { expand, occurrenceAt } from '../ical/occurrences.ts'
import { placeAt, wallSpanOf } from '../ical/wall-spans.ts'
import { wallOf } from '../ical/series.ts'

// Data that meetings copy from their events, and later updates to it.

type Event = Row<'events'>

/** A participant of an event: a person of the organization, or an external address. */
interface EventParticipant {
  person_id: Id<'users'> | null
  email: string | null
  name: string | null
}

/** Fields of an event, or of one occurrence of a series, that its meeting shares. */
export interface MeetingSource {
  /** The id of the event or occurrence. */
  event_id: string
  uid: string
  title: string
  starts_at: number
  ends_at: number
  /** The organizer first; omits the owner of the calendar if there are no others. */
  people: EventParticipant[]
  organizer: EventParticipant | undefined
  isCancelled: boolean
  /** Whether its title is external text. */
  isExternal: boolean
}

/** Event before and after a change. */
export interface EventChange {
  before: MeetingSource | undefined
  /** Whether the event was active before the change. */
  wasActive: boolean
  /** Undefined if it is gone. */
  after: MeetingSource | undefined
}

/** The planned meeting of an event or occurrence. */
interface EventFollower {
  event_id: string
  follow: (scope: AccessScope, notify: Tell, change: EventChange) => Promise<void>
}

/** Meetings of events: registered by their module. */
export interface EventFollowers {
  /** Planned meetings of an event and of its occurrences. */
  plannedOf: (scope: AccessScope, eventId: string) => Promise<EventFollower[]>
  /** Moves them to another row of the same event, after a server received it. */
  transfer: (scope: Pick<AccessScope, 'all'>, from: Event, to: Event) => Promise<void>
  /** Followers of events or occurrences that the caller may see, by event or occurrence id. */
  visibleMeetingsOf: (
    viewer: Viewer,
    events: readonly { id: string; uid: string }[],
  ) => Promise<Map<string, { id: string; title: string }>>
}

export const eventFollowers = new ExtensionPoint<EventFollowers>()

async function plannedOf(scope: AccessScope, eventId: string): Promise<EventFollower[]> {
  const plannedFollowers = []
  for (const followers of eventFollowers.entries)
    plannedFollowers.push(...(await followers.plannedOf(scope, eventId)))
  return plannedFollowers
}

/** A planned meeting without an event in the person's calendar. */
export interface PlannedMeeting extends TimeSpan {
  person_id: Id<'users'>
  id: Id<'meetings'>
  title: string
  /** Path of its page in the web app. */
  path: string
}

/** Meetings that make people busy within a period; registered by their module. */
export const meetingsInTime = new ExtensionPoint<
  (
    scope: Pick<AccessScope, 'all' | 'actor'>,
    people: readonly Id<'users'>[],
    within: TimeSpan,
  ) => Promise<PlannedMeeting[]>
>()

/** Planned meetings without an event, for people visible to the caller. */
export async function plannedMeetings(
  viewer: Viewer,
  people: readonly Id<'users'>[],
  within: TimeSpan,
): Promise<PlannedMeeting[]> {
  const meetings: PlannedMeeting[] = []
  for (const read of meetingsInTime.entries)
    meetings.push(...(await read(accessScopeOf(viewer), people, within)))
  return meetings
}

/** Meetings of events or occurrences visible to the caller, by event id. */
export async function meetingsOf(
  reader: Viewer,
  events: readonly { id: string; uid: string }[],
): Promise<Map<string, { id: string; title: string }>> {
  const meetingsByEvent = new Map<string, { id: string; title: string }>()
  for (const followers of eventFollowers.entries)
    for (const [id, shown] of await followers.visibleMeetingsOf(reader, events))
      meetingsByEvent.set(id, shown)
  return meetingsByEvent
}

/** Moves an event's meetings to another row of the same event, after a server received it. */
export async function transferMeeting(
  scope: Pick<AccessScope, 'all'>,
  from: Event,
  to: Event,
): Promise<void> {
  for (const followers of eventFollowers.entries) await followers.transfer(scope, from, to)
}

/**
 * Data that a meeting copies from the event named by an argument. The id of a series stands for its next occurrence.
 * Undefined if the event cannot be read or has no such occurrence.
 */
export async function meetingSourceOf(
  viewer: Viewer,
  eventRow: Event,
): Promise<MeetingSource | undefined> {
  const { row, place } = occurrencePlace(eventRow)
  const s = accessScopeOf(viewer)
  const reader = await calendarOwnerOf(s, row)
  return reader && readMeetingSource(s, row, place ?? nextPlace(row, reader, s.now), reader)
}

interface CalendarOwner {
  zone: string
  ownAddresses: ReadonlySet<string>
}

async function calendarOwnerOf(
  { all }: Pick<AccessScope, 'all'>,
  row: Event,
): Promise<CalendarOwner | undefined> {
  const ownerCalendar = await all
    .selectFrom('calendars')
    .innerJoin('users', 'users.id', 'calendars.owner_id')
    .select(['calendars.timezone', 'users.email'])
    .where('calendars.id', '=', row.calendar_id)
    .executeTakeFirst()
  return (
    ownerCalendar && {
      zone: ownerCalendar.timezone,
      ownAddresses: await ownAddressesOf(all, row.owner_id, ownerCalendar.email),
    }
  )
}

/** The place of a series' next or last occurrence; '' for a single event. */
function nextPlace(row: Event, { zone }: CalendarOwner, now: number): string {
  if (row.is_series === 0 || row.unreadable !== null) return ''
  const object = readObject(row.raw_ics)
  const next = expand(object, now, now + lookAheadMs, zone, 1).occurrences[0]
  return (next ?? expand(object, row.starts_at - 1, now, zone).occurrences.at(-1))?.place ?? ''
}

const lookAheadMs = 2 * 366 * 86_400_000

async function readMeetingSource(
  scope: Pick<AccessScope, 'all' | 'actor'>,
  row: Event,
  place: string,
  { zone, ownAddresses }: CalendarOwner,
): Promise<MeetingSource | undefined> {
  const occurrence =
    row.unreadable === null ? eventTimeOf(row, readObject(row.raw_ics), place, zone) : undefined
  if (!occurrence) return undefined
  const fields = eventFields(occurrence.component, ownAddresses)
  const parties = [...(fields.organizer ? [fields.organizer] : []), ...fields.attendees]
  const people = await partiesOf(scope, row, parties, ownAddresses)
  return {
    event_id: occurrenceIdOf(row, place),
    uid: row.uid,
    title: fields.title,
    isExternal: row.trust === 'external',
    starts_at: occurrence.starts_at,
    ends_at: occurrence.ends_at,
    people,
    organizer: fields.organizer ? people[0] : undefined,
    isCancelled: fields.status === 'cancelled',
  }
}

function eventTimeOf(
  row: Event,
  object: CalendarObject,
  place: string,
  zone: string,
): { component: Component; starts_at: number; ends_at: number } | undefined {
  if (place !== '') return occurrenceAt(object, place, zone)
  return {
    component: object.master ?? object.exceptions[0]!,
    starts_at: row.starts_at,
    ends_at: row.ends_at,
  }
}

async function partiesOf(
  { all }: Pick<AccessScope, 'all'>,
  row: Event,
  recipients: readonly { address: string; name?: string }[],
  ownAddresses: ReadonlySet<string>,
): Promise<EventParticipant[]> {
  const addresses = [...new Set(recipients.map((item) => item.address))]
  const people =
    addresses.length === 0
      ? []
      : await all
          .selectFrom('users')
          .select(['id', 'email'])
          .where('org_id', '=', row.org_id)
          .where('status', '<>', 'deactivated')
          .where('email', 'in', addresses)
          .execute()
  const byEmail = new Map(people.map((person) => [person.email.toLowerCase(), person.id]))
  const parties = recipients.map(({ address, name }): EventParticipant => {
    const person_id = ownAddresses.has(address) ? row.owner_id : (byEmail.get(address) ?? null)
    return {
      person_id,
      email: person_id === null ? address : null,
      name: person_id === null ? (name ?? null) : null,
    }
  })
  return [...new Map(parties.map((party) => [partyKeyOf(party), party])).values()]
}

export function partyKeyOf({ person_id, email }: EventParticipant): string {
  return person_id ?? email!
}

/**
 * Updates the planned meetings of a changed event: time, title and people if they matched the previous event,
 * cancelled if it is cancelled. Values chosen for the meeting itself stay.
 */
export async function followEvent(
  after: Event | undefined,
  before: Event | undefined,
  scope: AccessScope,
  tell: Tell,
): Promise<void> {
  if (
    after &&
    before &&
    after.raw_ics === before.raw_ics &&
    (after.deleted_at === null) === (before.deleted_at === null)
  )
    return
  const meetings = await plannedOf(scope, (after ?? before)!.id)
  if (meetings.length === 0) return
  const reader = await calendarOwnerOf(scope, (after ?? before)!)
  if (!reader) return
  for (const meeting of meetings) {
    const place = meeting.event_id.slice(eventIdLength + 1)
    const sourceBefore = before && (await readMeetingSource(scope, before, place, reader))
    const newPlace = after && placeAfter(before, after, place, reader.zone)
    const now =
      after && newPlace !== undefined
        ? await readMeetingSource(scope, after, newPlace, reader)
        : undefined
    await meeting.follow(scope, tell, {
      before: sourceBefore,
      wasActive:
        before === undefined || (before.deleted_at === null && sourceBefore?.isCancelled === false),
      after: after?.deleted_at === null ? now : undefined,
    })
  }
}

/** After a series was split, moves the meetings of its second part to the new event. */
export async function followSplit(
  viewer: Viewer,
  tell: Tell,
  split: { before: Event; cut: Event; created: Event; place: string },
): Promise<void> {
  const { before, created, place } = split
  const s = accessScopeOf(viewer)
  const meetings = (await plannedOf(s, before.id)).filter(
    (eventFollower) => eventFollower.event_id.length > eventIdLength,
  )
  const reader = meetings.length === 0 ? undefined : await calendarOwnerOf(s, created)
  if (!reader) return
  const [old, cut, now] = [
    readObject(before.raw_ics),
    readObject(split.cut.raw_ics),
    readObject(created.raw_ics),
  ]
  const oldStart = wallOf(old, place, reader.zone)
  const to = now.master && wallSpanOf(now, now.master, reader.zone).wall
  if (oldStart === undefined || to === undefined) return
  for (const meeting of meetings) {
    const at = meeting.event_id.slice(eventIdLength + 1)
    if (!occurrenceAt(old, at, reader.zone) || occurrenceAt(cut, at, reader.zone)) continue
    const there = occurrenceAt(now, at, reader.zone)
      ? at
      : movedPlace(old, now, at, oldStart, to, reader.zone)
    const next =
      there === undefined ? undefined : await readMeetingSource(s, created, there, reader)
    if (next)
      await meeting.follow(s, tell, {
        before: await readMeetingSource(s, before, at, reader),
        wasActive: true,
        after: next,
      })
  }
}

/** Position of an occurrence after a change of its series: unchanged, or shifted by as much as the series was moved. */
function placeAfter(
  before: Event | undefined,
  after: Event,
  place: string,
  zone: string,
): string | undefined {
  if (place === '' || after.unreadable !== null) return place
  const now = readObject(after.raw_ics)
  if (occurrenceAt(now, place, zone) || !before || before.unreadable !== null) return place
  const old = readObject(before.raw_ics)
  if (!old.master || !now.master) return undefined
  if (after.is_series === 0) return undefined
  return movedPlace(
    old,
    now,
    place,
    wallSpanOf(old, old.master, zone).wall,
    wallSpanOf(now, now.master, zone).wall,
    zone,
  )
}

function movedPlace(
  old: CalendarObject,
  now: CalendarObject,
  place: string,
  from: string,
  to: string,
  zone: string,
): string | undefined {
  const wall = wallOf(old, place, zone)
  if (wall === undefined || !now.master) return undefined
  const span = wallSpanOf(now, now.master, zone)
  const shift = Temporal.PlainDateTime.from(from).until(Temporal.PlainDateTime.from(to), {
    largestUnit: 'day',
  })
  const moved = Temporal.PlainDateTime.from(wall).add(shift).toString({ smallestUnit: 'second' })
  const there = placeAt(moved, span.zone.instant(moved), span.isDay)
  return occurrenceAt(now, there, zone) ? there : undefined
}
