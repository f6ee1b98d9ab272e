import { Temporal } from 'temporal-polyfill'
import { sql, type SqlBool } from 'kysely'
import type { Id } from '../../core/ids.ts'
import type { Row } from '../../core/resource.ts'
import type { Tell } from '../../core/row-changes.ts'
import { sightOf, type Seer, type Sight } from '../../core/sight.ts'
import { SearchIndex } from '../../search/index.ts'
import { meeting } from '../meetings/access.ts'
import { addressesOf, idLength, idOf, placeOf } from './access-ids.ts'
import { fieldsOf } from './event-fields.ts'
import { readObject, type CalendarObject, type Component } from './ical.ts'
import { expand, occurrenceAt, placeAt, spanOf } from './occurrences.ts'
import { wallOf } from './series.ts'

// Meetings of events: what a meeting takes over from its event, and how it follows the event later.

type Event = Row<'events'>
type Meeting = Row<'meetings'>
type MeetingPart = Pick<Meeting, 'id' | 'title'>

/** Somebody whom an event names: a person of the organization, or an address outside it. */
interface Party {
  person_id: Id<'users'> | null
  email: string | null
  name: string | null
}

/** What an event, or one occurrence of a series, says that a meeting of it has as well. */
export interface Gathering {
  /** The id of the event or occurrence. */
  event_id: string
  uid: string
  title: string
  starts_at: number
  ends_at: number
  /** The organizer first; without the owner of the calendar where nobody else is named. */
  people: Party[]
  organizer: Party | undefined
  isCancelled: boolean
}

/**
 * What a meeting takes over from the event that an argument named. The id of a series stands for its next occurrence.
 * Undefined where the event cannot be read or has no such occurrence.
 */
export async function gatheringOf(from: Seer, given: Event): Promise<Gathering | undefined> {
  const { row, place } = placeOf(given)
  const s = sightOf(from)
  const reader = await readerFor(s, row)
  return reader && gather(s, row, place ?? nextPlace(row, reader, s.now), reader)
}

interface Reader {
  zone: string
  own: ReadonlySet<string>
}

async function readerFor({ all }: Pick<Sight, 'all'>, row: Event): Promise<Reader | undefined> {
  const of = await all
    .selectFrom('calendars')
    .innerJoin('users', 'users.id', 'calendars.owner_id')
    .select(['calendars.timezone', 'users.email'])
    .where('calendars.id', '=', row.calendar_id)
    .executeTakeFirst()
  return of && { zone: of.timezone, own: await addressesOf(all, row.owner_id, of.email) }
}

/** The place of the next occurrence of a series, or of its last; '' of a single event. */
function nextPlace(row: Event, { zone }: Reader, now: number): string {
  if (row.is_series === 0 || row.unreadable !== null) return ''
  const object = readObject(row.raw_ics)
  const next = expand(object, now, now + lookAhead, zone, 1).occurrences[0]
  return (next ?? expand(object, row.starts_at - 1, now, zone).occurrences.at(-1))?.place ?? ''
}

const lookAhead = 2 * 366 * 86_400_000

async function gather(
  s: Pick<Sight, 'all' | 'actor'>,
  row: Event,
  place: string,
  { zone, own }: Reader,
): Promise<Gathering | undefined> {
  const found =
    row.unreadable === null ? timeOf(row, readObject(row.raw_ics), place, zone) : undefined
  if (!found) return undefined
  const fields = fieldsOf(found.component, own)
  const named = [...(fields.organizer ? [fields.organizer] : []), ...fields.attendees]
  const people = await partiesOf(s, row, named, own)
  return {
    event_id: idOf(row, place),
    uid: row.uid,
    title: fields.title,
    starts_at: found.starts_at,
    ends_at: found.ends_at,
    people,
    organizer: fields.organizer ? people[0] : undefined,
    isCancelled: fields.status === 'cancelled',
  }
}

function timeOf(
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
  { all }: Pick<Sight, 'all'>,
  row: Event,
  named: readonly { address: string; name?: string }[],
  own: ReadonlySet<string>,
): Promise<Party[]> {
  const addresses = [...new Set(named.map((one) => one.address))]
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
  const byEmail = new Map(people.map((one) => [one.email.toLowerCase(), one.id]))
  const parties = named.map(({ address, name }): Party => {
    const person_id = own.has(address) ? row.owner_id : (byEmail.get(address) ?? null)
    return {
      person_id,
      email: person_id === null ? address : null,
      name: person_id === null ? (name ?? null) : null,
    }
  })
  return [...new Map(parties.map((one) => [keyOf(one), one])).values()]
}

function keyOf({ person_id, email }: Party): string {
  return person_id ?? email!
}

/** The meetings that the caller sees of events or occurrences, by the id of what they belong to: also those that a colleague made from their copy of the event. */
export async function meetingsOf(
  from: Seer,
  shown: readonly { id: string; uid: string }[],
): Promise<Map<string, MeetingPart>> {
  const uids = [...new Set(shown.map((one) => one.uid))]
  if (uids.length === 0) return new Map()
  const rows = await meeting
    .seen(from)
    .select(['meetings.id', 'meetings.title', 'meetings.event_id', 'meetings.event_uid'])
    .where('meetings.event_uid', 'in', uids)
    .orderBy('meetings.id')
    .execute()
  const found = new Map<string, MeetingPart>()
  for (const { id, uid } of shown) {
    const own = rows.filter((row) => row.event_uid === uid)
    const at = (places: string[]) =>
      own.findLast((row) => row.event_id === id) ??
      own.findLast((row) => places.includes(row.event_id!.slice(idLength)))
    const met = at([id.slice(idLength)]) ?? at([''])
    if (met) found.set(id, met)
  }
  return found
}

/**
 * Brings the planned meetings of an event to what it says after a change: time, title and people where they were those of
 * the event before, cancelled where it is. What somebody chose for the meeting itself stays.
 */
export async function followEvent(
  after: Event | undefined,
  before: Event | undefined,
  s: Sight,
  tell: Tell,
): Promise<void> {
  if (
    after &&
    before &&
    after.raw_ics === before.raw_ics &&
    (after.deleted_at === null) === (before.deleted_at === null)
  )
    return
  const meetings = await meetingsFrom(s, (after ?? before)!.id)
  if (meetings.length === 0) return
  const reader = await readerFor(s, (after ?? before)!)
  if (!reader) return
  for (const row of meetings) {
    const place = row.event_id!.slice(idLength + 1)
    const was = before && (await gather(s, before, place, reader))
    const there = after && placeAfter(before, after, place, reader.zone)
    const now = after && there !== undefined ? await gather(s, after, there, reader) : undefined
    await follow(s, tell, row, {
      was,
      wasLive: before === undefined || (before.deleted_at === null && was?.isCancelled === false),
      now: after?.deleted_at === null ? now : undefined,
    })
  }
}

/** After a series was split, meetings of its second part go on with the event that this part became. */
export async function followSplit(
  from: Seer,
  tell: Tell,
  of: { before: Event; cut: Event; made: Event; place: string },
): Promise<void> {
  const { before, made, place } = of
  const s = sightOf(from)
  const meetings = (await meetingsFrom(s, before.id)).filter(
    (one) => one.event_id!.length > idLength,
  )
  const reader = meetings.length === 0 ? undefined : await readerFor(s, made)
  if (!reader) return
  const [old, cut, now] = [
    readObject(before.raw_ics),
    readObject(of.cut.raw_ics),
    readObject(made.raw_ics),
  ]
  const from_ = wallOf(old, place, reader.zone)
  const to = now.master && spanOf(now, now.master, reader.zone).wall
  if (from_ === undefined || to === undefined) return
  for (const row of meetings) {
    const at = row.event_id!.slice(idLength + 1)
    if (!occurrenceAt(old, at, reader.zone) || occurrenceAt(cut, at, reader.zone)) continue
    const there = occurrenceAt(now, at, reader.zone)
      ? at
      : movedPlace(old, now, at, from_, to, reader.zone)
    const next = there === undefined ? undefined : await gather(s, made, there, reader)
    if (next)
      await follow(s, tell, row, {
        was: await gather(s, before, at, reader),
        wasLive: true,
        now: next,
      })
  }
}

/** Meetings of an event go on with another row of the same event: a server has it now. */
export async function handOver({ all }: Pick<Sight, 'all'>, from: Event, to: Event): Promise<void> {
  await all
    .updateTable('meetings')
    .set({
      event_id: sql<string>`${to.id} || substr(event_id, ${idLength + 1})`,
      event_uid: to.uid,
      cancelled_at: null,
    })
    .where(isOf(from.id))
    .execute()
}

/** Planned meetings of an event or of its occurrences. */
function meetingsFrom({ all }: Pick<Sight, 'all'>, eventId: string): Promise<Meeting[]> {
  return all
    .selectFrom('meetings')
    .selectAll()
    .where(isOf(eventId))
    .where('status', '=', 'planned')
    .orderBy('id')
    .execute()
}

/** '`' is the sign after '_'. */
function isOf(eventId: string) {
  return sql<SqlBool>`event_id >= ${eventId} and event_id < ${`${eventId}\``}`
}

/** Where an occurrence stands after its series was changed: where it stood, or as far from there as the series was moved. */
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
    spanOf(old, old.master, zone).wall,
    spanOf(now, now.master, zone).wall,
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
  const span = spanOf(now, now.master, zone)
  const by = Temporal.PlainDateTime.from(from).until(Temporal.PlainDateTime.from(to), {
    largestUnit: 'day',
  })
  const moved = Temporal.PlainDateTime.from(wall).add(by).toString({ smallestUnit: 'second' })
  const there = placeAt(moved, span.zone.instant(moved), span.isDay)
  return occurrenceAt(now, there, zone) ? there : undefined
}

interface Change {
  was: Gathering | undefined
  /** Whether the event took place before the change. */
  wasLive: boolean
  /** Undefined: it is gone. */
  now: Gathering | undefined
}

async function follow(
  s: Sight,
  tell: Tell,
  row: Meeting,
  { was, wasLive, now }: Change,
): Promise<void> {
  const isLive = now !== undefined && !now.isCancelled
  const hasTime =
    was !== undefined &&
    now !== undefined &&
    row.starts_at === was.starts_at &&
    row.ends_at === was.ends_at
  const patch = differing(row, {
    ...(isLive
      ? { cancelled_at: null }
      : wasLive && row.cancelled_at === null
        ? { cancelled_at: s.now }
        : {}),
    ...(hasTime
      ? { starts_at: now.starts_at, ends_at: now.ends_at, takes_place_at: now.starts_at }
      : {}),
    ...(now !== undefined && row.title === was?.title && now.title !== ''
      ? { title: now.title }
      : {}),
    ...(now !== undefined ? { event_id: now.event_id, event_uid: now.uid } : {}),
  })
  const people =
    was !== undefined && now !== undefined
      ? await followPeople(s, row, was, now)
      : { gained: [], lost: [], changed: false }
  if (Object.keys(patch).length === 0 && !people.changed) return
  const stamp = { revision: row.revision + 1, updated_at: s.now }
  await s.all
    .updateTable('meetings')
    .set({ ...patch, ...stamp })
    .where('id', '=', row.id)
    .execute()
  const changed = { ...row, ...patch, ...stamp }
  const text =
    patch.title === undefined || row.deleted_at !== null
      ? undefined
      : await meeting.definition.search!(changed, s)
  if (text) await new SearchIndex().put(s.all, row.id, row.org_id, text)
  if (row.deleted_at !== null) return
  tell.event('meeting.updated', 'meetings', changed)
  const readers = await otherReaders(s, changed)
  if (readers === 'everybody') return
  for (const id of people.gained)
    if (!readers.has(id)) tell.access('access_gained', 'meetings', changed, id)
  for (const id of people.lost)
    if (!readers.has(id)) tell.access('access_lost', 'meetings', changed, id)
}

function differing(row: Meeting, patch: Partial<Meeting>): Partial<Meeting> {
  return Object.fromEntries(
    Object.entries(patch).filter(([name, value]) => row[name as keyof Meeting] !== value),
  )
}

interface PeopleChange {
  gained: Id<'users'>[]
  lost: Id<'users'>[]
  changed: boolean
}

/** Adds who was asked meanwhile and takes away who is asked no more, where everybody of the event took part before. */
async function followPeople(
  { all, now: at }: Sight,
  row: Meeting,
  was: Gathering,
  now: Gathering,
): Promise<PeopleChange> {
  const there = await all
    .selectFrom('meeting_people')
    .selectAll()
    .where('meeting_id', '=', row.id)
    .execute()
  const keys = new Set(there.map((one) => one.address))
  if (!was.people.every((one) => keys.has(keyOf(one))))
    return { gained: [], lost: [], changed: false }
  const [before, after] = [new Set(was.people.map(keyOf)), new Set(now.people.map(keyOf))]
  const isOurs = now.organizer === undefined || now.organizer.person_id !== null // nobody outside decides which colleagues read a meeting
  const added = now.people.filter(
    (one) => !keys.has(keyOf(one)) && (isOurs || one.person_id === null),
  )
  const gone = there.filter(
    (one) =>
      before.has(one.address) &&
      !after.has(one.address) &&
      one.address !== row.organizer_id &&
      one.address !== row.created_by,
  )
  for (const one of gone)
    await all
      .deleteFrom('meeting_people')
      .where('meeting_id', '=', row.id)
      .where('address', '=', one.address)
      .execute()
  const last = Math.max(0, ...there.map((one) => one.position))
  const rows = added.map((one, i) => ({
    meeting_id: row.id,
    address: keyOf(one),
    org_id: row.org_id,
    position: last + 1 + i,
    ...one,
    added_at: at,
  }))
  for (let i = 0; i < rows.length; i += 100)
    await all
      .insertInto('meeting_people')
      .values(rows.slice(i, i + 100))
      .execute()
  return {
    gained: added.flatMap((one) => one.person_id ?? []),
    lost: gone.flatMap((one) => one.person_id ?? []),
    changed: added.length + gone.length > 0,
  }
}

/** Who reads a meeting by its visibility, whether they take part or not. */
async function otherReaders(
  { all }: Pick<Sight, 'all'>,
  row: Meeting,
): Promise<Set<string> | 'everybody'> {
  if (row.visibility === 'organization') return 'everybody'
  if (row.visibility === 'participants' || row.project_id === null) return new Set()
  const members = await all
    .selectFrom('project_members')
    .select('person_id')
    .where('project_id', '=', row.project_id)
    .execute()
  return new Set(members.map((one) => one.person_id))
}
