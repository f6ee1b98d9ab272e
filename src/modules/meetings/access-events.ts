// Meetings created from events follow the changes of those events.
import { chunks } from '../../kernel/chunks.ts'
import { omitUndefined } from '../../kernel/present.ts'
import { sql, type SqlBool } from 'kysely'
import type { Id } from '../../kernel/ids.ts'
import type { Row } from '../../records/resource.ts'
import type { Tell } from '../../records/row-changes.ts'
import type { Viewer, AccessScope } from '../../records/access-scope.ts'
import { SearchIndex } from '../../search/index.ts'
import {
  eventIdLength,
  partyKeyOf,
  type EventChange,
  type EventFollowers,
  type MeetingSource,
} from '../calendar/access.ts'
import { meeting } from './access.ts'

type Event = Row<'events'>
type Meeting = Row<'meetings'>
type MeetingTitle = Pick<Meeting, 'id' | 'title'>

/** Visible meetings of events or occurrences, by event id; including those a colleague created from their copy. */
async function visibleMeetingsOf(
  viewer: Viewer,
  events: readonly { id: string; uid: string }[],
): Promise<Map<string, MeetingTitle>> {
  const uids = [...new Set(events.map((item) => item.uid))]
  if (uids.length === 0) return new Map()
  const rows = await meeting
    .visibleTo(viewer)
    .select(['meetings.id', 'meetings.title', 'meetings.event_id', 'meetings.event_uid'])
    .where('meetings.event_uid', 'in', uids)
    .orderBy('meetings.id')
    .execute()
  const meetingsByEvent = new Map<string, MeetingTitle>()
  for (const { id, uid } of events) {
    const uidRows = rows.filter((row) => row.event_uid === uid)
    const meetingAt = (occurrences: string[]) =>
      uidRows.findLast((row) => row.event_id === id) ??
      uidRows.findLast((row) => occurrences.includes(row.event_id!.slice(eventIdLength)))
    const meetingRow = meetingAt([id.slice(eventIdLength)]) ?? meetingAt([''])
    if (meetingRow) meetingsByEvent.set(id, meetingRow)
  }
  return meetingsByEvent
}

/** Moves an event's meetings to another row of the same event, once a calendar server has stored it. */
async function transferMeetings(
  { all }: Pick<AccessScope, 'all'>,
  from: Event,
  to: Event,
): Promise<void> {
  await all
    .updateTable('meetings')
    .set({
      event_id: sql<string>`${to.id} || substr(event_id, ${eventIdLength + 1})`,
      event_uid: to.uid,
      cancelled_at: null,
    })
    .where(isOfEvent(from.id))
    .execute()
}

/** Planned meetings of an event or its occurrences. */
function meetingsFrom({ all }: Pick<AccessScope, 'all'>, eventId: string): Promise<Meeting[]> {
  return all
    .selectFrom('meetings')
    .selectAll()
    .where(isOfEvent(eventId))
    .where('status', '=', 'planned')
    .orderBy('id')
    .execute()
}

/** Ids of an event and its occurrences, `<id>` or `<id>_…`, as a range: '`' is the character after '_'. */
function isOfEvent(eventId: string) {
  return sql<SqlBool>`event_id >= ${eventId} and event_id < ${`${eventId}\``}`
}

async function syncMeetingToEvent(
  scope: AccessScope,
  tell: Tell,
  row: Meeting,
  { before, wasActive, after }: EventChange,
): Promise<void> {
  const isLive = after !== undefined && !after.isCancelled
  const hasTime =
    before !== undefined &&
    after !== undefined &&
    row.starts_at === before.starts_at &&
    row.ends_at === before.ends_at
  const cancelledNow = wasActive && row.cancelled_at === null ? scope.now : undefined
  const patch = changedFields(
    row,
    omitUndefined({
      cancelled_at: isLive ? null : cancelledNow,
      ...(hasTime
        ? { starts_at: after.starts_at, ends_at: after.ends_at, takes_place_at: after.starts_at }
        : {}),
      title:
        after !== undefined && row.title === before?.title && after.title !== ''
          ? after.title
          : undefined,
      ...(after !== undefined ? { event_id: after.event_id, event_uid: after.uid } : {}),
    }),
  )
  const people =
    before !== undefined && after !== undefined
      ? await syncParticipants(scope, row, before, after)
      : { gained: [], lost: [], changed: false }
  if (Object.keys(patch).length === 0 && !people.changed) return
  const newRevision = { revision: row.revision + 1, updated_at: scope.now }
  await scope.all
    .updateTable('meetings')
    .set({ ...patch, ...newRevision })
    .where('id', '=', row.id)
    .execute()
  const changed = { ...row, ...patch, ...newRevision }
  const text =
    patch.title === undefined || row.deleted_at !== null
      ? undefined
      : await meeting.definition.search!(changed, scope)
  if (text) await new SearchIndex().put(scope.all, row.id, row.org_id, text)
  if (row.deleted_at !== null) return
  tell.event('meeting.updated', 'meetings', changed)
  const readers = await otherReaders(scope, changed)
  if (readers === 'everybody') return
  for (const id of people.gained)
    if (!readers.has(id)) tell.access('access_gained', 'meetings', changed, id)
  for (const id of people.lost)
    if (!readers.has(id)) tell.access('access_lost', 'meetings', changed, id)
}

function changedFields(row: Meeting, patch: Partial<Meeting>): Partial<Meeting> {
  return Object.fromEntries(
    Object.entries(patch).filter(([name, value]) => row[name as keyof Meeting] !== value),
  )
}

interface PeopleChange {
  gained: Id<'users'>[]
  lost: Id<'users'>[]
  changed: boolean
}

/** Adds newly invited people and removes uninvited ones, if all of the event's people were participants before. */
async function syncParticipants(
  { all, now: at }: AccessScope,
  row: Meeting,
  eventBefore: MeetingSource,
  eventAfter: MeetingSource,
): Promise<PeopleChange> {
  const participants = await all
    .selectFrom('meeting_people')
    .selectAll()
    .where('meeting_id', '=', row.id)
    .execute()
  const keys = new Set(participants.map((item) => item.address))
  if (!eventBefore.people.every((person) => keys.has(partyKeyOf(person))))
    return { gained: [], lost: [], changed: false }
  const [keysBefore, keysAfter] = [
    new Set(eventBefore.people.map(partyKeyOf)),
    new Set(eventAfter.people.map(partyKeyOf)),
  ]
  const isInternal = eventAfter.organizer === undefined || eventAfter.organizer.person_id !== null // external organizers do not decide which colleagues can read it
  const added = eventAfter.people.filter(
    (person) => !keys.has(partyKeyOf(person)) && (isInternal || person.person_id === null),
  )
  const removedPeople = participants.filter(
    (item) =>
      keysBefore.has(item.address) &&
      !keysAfter.has(item.address) &&
      item.address !== row.organizer_id &&
      item.address !== row.created_by,
  )
  for (const item of removedPeople)
    await all
      .deleteFrom('meeting_people')
      .where('meeting_id', '=', row.id)
      .where('address', '=', item.address)
      .execute()
  const last = Math.max(0, ...participants.map((item) => item.position))
  const rows = added.map((party, i) => ({
    meeting_id: row.id,
    address: partyKeyOf(party),
    org_id: row.org_id,
    position: last + 1 + i,
    ...party,
    added_at: at,
  }))
  for (const batch of chunks(rows, 100))
    await all.insertInto('meeting_people').values(batch).execute()
  return {
    gained: added.flatMap((party) => party.person_id ?? []),
    lost: removedPeople.flatMap((item) => item.person_id ?? []),
    changed: added.length + removedPeople.length > 0,
  }
}

/** People who can read a meeting because of its visibility, whether or not they take part. */
async function otherReaders(
  { all }: Pick<AccessScope, 'all'>,
  row: Meeting,
): Promise<Set<string> | 'everybody'> {
  if (row.visibility === 'organization') return 'everybody'
  if (row.visibility === 'participants' || row.project_id === null) return new Set()
  const members = await all
    .selectFrom('project_members')
    .select('person_id')
    .where('project_id', '=', row.project_id)
    .execute()
  return new Set(members.map((member) => member.person_id))
}

/** Follower that keeps meetings in step with their events. */
export const meetingsOfEvents: EventFollowers = {
  plannedOf: async (s, eventId) =>
    (await meetingsFrom(s, eventId)).map((row) => ({
      event_id: row.event_id!,
      follow: (system, tell, change) => syncMeetingToEvent(system, tell, row, change),
    })),
  transfer: transferMeetings,
  visibleMeetingsOf,
}
