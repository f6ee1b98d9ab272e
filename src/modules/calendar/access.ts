import { sql, type SqlBool } from 'kysely'
import { resource, type Row, type Scoped } from '../../core/resource.ts'
import { sightOf, type Seer, type Sight } from '../../core/sight.ts'
import { followEvent } from './access-meetings.ts'
import { noteDeletion } from './access-pushes.ts'

/** What an id of one occurrence ends in, behind the id of its series: an instant, or a day where it is all-day. */
const occurrenceId = /^(evt_[0-9a-hjkmnp-tv-z]{26})_(\d{8}(?:T\d{6}Z)?)$/

/** Calendars (V-CAL): their owner's alone. Those of an account that is being removed are gone already. */
export const calendar = resource('calendars', {
  type: 'calendar',
  prefix: 'cal',
  see: own,
  edit: s => own(s).where('calendars.access', 'in', ['owner', 'writer']),
  rule: { edit: 'This calendar is shared with you for reading only.' },
  alias: (query, text) => (text === 'primary' ? query.where('calendars.account_id', 'is', null) : undefined),
  title: row => row.name,
  path: row => `calendar/${row.id}`,
  quiet: ['ctag', 'sync_token', 'synced_at', 'remote_url'],
})

function own(s: Sight): Scoped<'calendars'> {
  const leaving = s.all.selectFrom('accounts').select('accounts.id').where('accounts.owner_id', '=', s.actor.id).where('accounts.removed_at', 'is not', null)
  return s.all
    .selectFrom('calendars')
    .where('calendars.owner_id', '=', s.actor.id)
    .where(eb => eb.or([eb('calendars.account_id', 'is', null), eb('calendars.account_id', 'not in', leaving)]))
}

/**
 * Events (V-CAL): their owner's alone; colleagues get busy times by get_availability and nothing else. Single ones and series are
 * rows; an id argument takes the id of one occurrence as well, which placeOf() tells.
 */
export const event = resource(
  'events',
  {
    type: 'event',
    prefix: 'evt',
    see: s => s.all.selectFrom('events').where('events.calendar_id', 'in', calendar.seen(s).select('calendars.id')),
    edit: s => s.all.selectFrom('events').where('events.calendar_id', 'in', calendar.editable(s).select('calendars.id')),
    own: s => s.all.selectFrom('events').where('events.calendar_id', 'in', calendar.editable(s).select('calendars.id')),
    rule: { edit: 'This calendar is shared with you for reading only.', own: 'This calendar is shared with you for reading only.' },
    alias: occurrenceOf,
    movedTo: async (_, ids) => new Map(ids.flatMap(id => { const found = occurrenceId.exec(id); return found ? [[id, found[1]!]] : [] })),
    absent: () => 'list_events shows your events; create_meeting(event_id) starts a meeting for one.',
    title: row => row.title,
    path: row => `calendar/events/${row.id}`,
    erased: true,
    settle: (after, before, s, tell) => followEvent(after, before, s, tell),
    takeBack: async (row, ctx) => {
      if (row.remote_href === null) return ctx.trash('events', row)
      await noteDeletion(ctx, row) // it may be on its server by now
      await ctx.remove('events', row)
    },
    quiet: ['raw_ics', 'synced_ics', 'synced_revision', 'push_problem', 'etag', 'remote_href', 'description', 'uid', 'sequence', 'ends_by', 'remind_at', 'busy', 'is_series', 'expanded_revision', 'expanded_from', 'expanded_until', 'trust', 'unreadable'],
    search: async row => ({ title: row.title, body: [row.location, row.description].filter(Boolean).join('\n'), container: row.owner_id, part: 'item', item_id: row.id, item_type: 'event', at: row.starts_at }),
  },
  { trash: true },
)

/** The row of the series that an occurrence belongs to, with the place of that occurrence beside its columns. */
function occurrenceOf(query: Scoped<'events'>, text: string): Scoped<'events'> | undefined {
  const [, series, place] = occurrenceId.exec(text) ?? []
  if (series === undefined || place === undefined) return undefined
  return query.where(sql<SqlBool>`events.id = ${series}`).select(sql.val(place).as('place')) as unknown as Scoped<'events'>
}

/** Which occurrence an argument named, and the row as it is stored. */
export function placeOf(given: Row<'events'>): { row: Row<'events'>; place: string | undefined } {
  const { place, ...row } = given as Row<'events'> & { place?: string }
  return { row, place }
}

/** The id of an occurrence; of a single event its own. */
export function idOf(row: { id: string }, place: string): string {
  return place === '' ? row.id : `${row.id}_${place}`
}

/** The id that an argument named an event or occurrence by. */
export function namedId(given: Row<'events'>): string {
  const { row, place } = placeOf(given)
  return idOf(row, place ?? '')
}

/** Everybody's built-in calendar. */
export function builtIn(from: Seer): Promise<Row<'calendars'>> {
  return calendar.seen(from).selectAll('calendars').where('calendars.account_id', 'is', null).executeTakeFirstOrThrow()
}

/** The caller's calendars by id. */
export async function calendarsById(from: Seer): Promise<Map<string, Row<'calendars'>>> {
  return new Map((await calendar.seen(from).selectAll('calendars').execute()).map(row => [row.id, row]))
}

/** Addresses that are the caller's own in lists of attendees: of sign-in and of their accounts, lower case. */
export function ownAddresses(from: Seer): Promise<Set<string>> {
  const s = sightOf(from)
  return addressesOf(s.all, s.actor.id, s.actor.email)
}

/** The same of somebody, for those who work for them. */
export async function addressesOf(all: Sight['all'], ownerId: Row<'users'>['id'], email: string): Promise<Set<string>> {
  const rows = await all.selectFrom('accounts').select('accounts.address').where('accounts.owner_id', '=', ownerId).execute()
  return new Set([email, ...rows.map(row => row.address)].map(one => one.toLowerCase()))
}
