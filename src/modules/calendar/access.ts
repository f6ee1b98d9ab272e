import { sql, type Expression, type SqlBool } from 'kysely'
import { extend } from '../../records/resource-extensions.ts'
import { resource, type Row, type Scoped } from '../../records/resource.ts'
import { type Ref, trustOf } from '../../records/shapes.ts'
import { accessScopeOf, type Viewer, type AccessScope } from '../../records/access-scope.ts'
import { ownAddressesOf, eventIdLength, occurrenceIdPattern } from './events/access-ids.ts'
import { followEvent } from './events/access-meetings.ts'
import { queueRemoteDeletion } from './sync/access-pushes.ts'

export {
  ownAddressesOf,
  eventIdLength,
  occurrenceIdOf,
  occurrencePlace,
} from './events/access-ids.ts'
export {
  eventFollowers,
  meetingSourceOf,
  partyKeyOf,
  meetingsInTime,
  meetingsOf,
  type EventChange,
  type EventFollowers,
  type MeetingSource,
  type PlannedMeeting,
} from './events/access-meetings.ts'

/** Calendars are visible only to their owner. Calendars of an account that is being removed are hidden already. */
export const calendar = resource('calendars', {
  type: 'calendar',
  approval: { ignore: true },
  prefix: 'cal',
  see: calendarsOfOwner,
  edit: (s) => calendarsOfOwner(s).where('calendars.access', 'in', ['owner', 'writer']),
  rule: { edit: 'This calendar is shared with you for reading only.' },
  alias: (query, text) =>
    text === 'primary' ? query.where('calendars.account_id', 'is', null) : undefined,
  names: {
    columns: ['name'],
    details: (row) => ({
      access: row.access,
      account_id: row.account_id,
      built_in: row.account_id === null ? true : undefined,
    }),
  },
  takes: 'id, name or primary',
  list: { tool: 'list_calendars' },
  title: (row) => row.name,
  path: (row) => `calendar/${row.id}`,
  unaudited: ['ctag', 'sync_token', 'synced_at', 'remote_url'],
})

function calendarsOfOwner(scope: AccessScope): Scoped<'calendars'> {
  const removedAccounts = scope.all
    .selectFrom('accounts')
    .select('accounts.id')
    .where('accounts.owner_id', '=', scope.actor.id)
    .where('accounts.removed_at', 'is not', null)
  return scope.all
    .selectFrom('calendars')
    .where('calendars.owner_id', '=', scope.actor.id)
    .where((eb) =>
      eb.or([
        eb('calendars.account_id', 'is', null),
        eb('calendars.account_id', 'not in', removedAccounts),
      ]),
    )
}

/**
 * Events are visible only to their owner; colleagues see only busy times through get_availability. Single events and
 * series are rows; an id argument also accepts the id of one occurrence, which occurrencePlace() resolves.
 */
export const event = resource(
  'events',
  {
    type: 'event',
    prefix: 'evt',
    see: (s) =>
      s.all
        .selectFrom('events')
        .where('events.calendar_id', 'in', calendar.visibleTo(s).select('calendars.id')),
    edit: (s) =>
      s.all
        .selectFrom('events')
        .where('events.calendar_id', 'in', calendar.editableBy(s).select('calendars.id')),
    own: (s) =>
      s.all
        .selectFrom('events')
        .where('events.calendar_id', 'in', calendar.editableBy(s).select('calendars.id')),
    rule: {
      edit: 'This calendar is shared with you for reading only.',
      own: 'This calendar is shared with you for reading only.',
    },
    alias: seriesOfOccurrence,
    names: {
      columns: ['title'],
      details: (row) => ({ starts_at: new Date(row.starts_at).toISOString() }),
    },
    list: { tool: 'list_events', by: 'container' },
    title: (row) => row.title,
    isExternal: (row) => row.trust === 'external',
    path: (row) => `calendar/events/${row.id}`,
    hardDelete: true,
    unaudited: [
      'raw_ics',
      'synced_ics',
      'synced_revision',
      'push_problem',
      'etag',
      'remote_href',
      'description',
      'uid',
      'sequence',
      'ends_by',
      'remind_at',
      'busy',
      'is_series',
      'expanded_revision',
      'expanded_from',
      'expanded_until',
      'trust',
      'unreadable',
    ],
    search: async (row) => ({
      title: row.title,
      body: [row.location, row.description].filter(Boolean).join('\n'),
      container: row.owner_id,
      part: 'item',
      item_id: row.id,
      item_type: 'event',
      at: row.starts_at,
    }),
  },
  { trash: true },
)

extend(event, 'refusals', {
  insteadOfUnknown: () =>
    'list_events shows your events; create_meeting(event_id) starts a meeting for one.',
})

extend(event, 'changes', {
  afterChange: (after, before, s, notify) => followEvent(after, before, s, notify),
})

extend(event, 'formerIds', {
  currentIds: async (_, ids) =>
    new Map(
      ids.flatMap((id) => {
        const match = occurrenceIdPattern.exec(id)
        return match ? [[id, match[1]!]] : []
      }),
    ),
})

extend(event, 'undo', {
  undoCreate: async (row, ctx) => {
    if (row.remote_href === null) return ctx.trash('events', row)
    await queueRemoteDeletion(ctx, row) // it may be on its server by now
    await ctx.remove('events', row)
  },
})

/** Whether an address belongs to the organizer or an attendee of an event. */
export function isParticipant(email: string): Expression<SqlBool> {
  const address = email.toLowerCase()
  const isAttendee = sql`select 1 from json_each(events.attendees_json) as one where lower(one.value ->> 'address') = ${address}`
  return sql<SqlBool>`(exists (${isAttendee}) or lower(events.organizer_json ->> 'address') = ${address})`
}

/** The row of an occurrence's series, with the occurrence's place beside its columns. */
function seriesOfOccurrence(query: Scoped<'events'>, text: string): Scoped<'events'> | undefined {
  const [, series, place] = occurrenceIdPattern.exec(text) ?? []
  if (series === undefined || place === undefined) return undefined
  return query
    .where(sql<SqlBool>`events.id = ${series}`)
    .select(sql.val(place).as('place')) as Scoped<'events'>
}

/** The caller's built-in calendar. */
export function builtInCalendar(viewer: Viewer): Promise<Row<'calendars'>> {
  return calendar
    .visibleTo(viewer)
    .selectAll('calendars')
    .where('calendars.account_id', 'is', null)
    .executeTakeFirstOrThrow()
}

/** The caller's calendars by id. */
export async function calendarsById(reader: Viewer): Promise<Map<string, Row<'calendars'>>> {
  return new Map(
    (await calendar.visibleTo(reader).selectAll('calendars').execute()).map((row) => [row.id, row]),
  )
}

/** The caller's own addresses in lists of attendees, lower case: the sign-in address and those of their accounts. */
export function ownAddresses(viewer: Viewer): Promise<Set<string>> {
  const s = accessScopeOf(viewer)
  return ownAddressesOf(s.all, s.actor.id, s.actor.email)
}

/** The caller's own event or copy for a meeting: id and title, by meeting id. */
export async function eventsOfMeetings(
  reader: Viewer,
  meetings: readonly Row<'meetings'>[],
): Promise<Map<string, Ref>> {
  const uids = [...new Set(meetings.flatMap((meeting) => meeting.event_uid ?? []))]
  if (uids.length === 0) return new Map()
  const rows = await event
    .visibleTo(reader)
    .select(['events.id', 'events.uid', 'events.title', 'events.trust'])
    .where('events.owner_id', '=', accessScopeOf(reader).actor.id)
    .where('events.uid', 'in', uids)
    .orderBy('events.id')
    .execute()
  return new Map(
    meetings.flatMap((meeting) => {
      if (meeting.event_id === null) return []
      const row =
        rows.find((candidate) => meeting.event_id!.startsWith(candidate.id)) ??
        rows.find((each) => each.uid === meeting.event_uid)
      if (!row) return []
      const id = `${row.id}${meeting.event_id.slice(eventIdLength)}`
      return [[meeting.id, { id, title: row.title, ...trustOf(row.trust === 'external') }]]
    }),
  )
}
