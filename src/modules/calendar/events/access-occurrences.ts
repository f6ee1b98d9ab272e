import { sql, type SqlBool } from 'kysely'
import { chunks } from '../../../kernel/chunks.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer, type AccessScope } from '../../../records/access-scope.ts'
import { dayLength } from '../../../kernel/time/times.ts'
import { event } from '../access.ts'
import { readObject, Unreadable } from '../ical/objects.ts'
import { expand, overlaps } from '../ical/occurrences.ts'
import type { Occurrence } from '../ical/wall-spans.ts'
import { eventFields } from '../ical/event-fields.ts'
import { compareText } from '../../../kernel/text/order.ts'

// The table of occurrences is only an index: an event's entries are used only if they are of its current revision and
// cover the requested time. Other events are expanded when read.

/** Indexed time range around now for endless series. */
const indexedBefore = 400 * dayLength
const indexedAfter = 500 * dayLength
/** The index is extended when it ends sooner than this from now. */
const minIndexedAhead = 420 * dayLength
const forever = 9e15

/** An event at one time. */
export interface OccurrenceTime {
  event_id: Id<'events'>
  place: string
  starts_at: number
  ends_at: number
  busy: 0 | 1
  is_exception: 0 | 1
}

type Db = AccessScope['all']
type ExpandableEvent = Pick<
  Row<'events'>,
  | 'id'
  | 'org_id'
  | 'owner_id'
  | 'calendar_id'
  | 'raw_ics'
  | 'ends_by'
  | 'is_series'
  | 'unreadable'
  | 'revision'
>

/** Rebuilds the index of an event after its row was written; inside a writer job. */
export async function indexEvent(
  viewer: Viewer,
  row: ExpandableEvent,
  zone: string,
  ownAddresses: ReadonlySet<string>,
): Promise<void> {
  const { all, now } = accessScopeOf(viewer)
  await indexIn(all, now, row, zone, ownAddresses)
}

/** The same for code that writes rows itself. */
export async function indexIn(
  all: Db,
  now: number,
  row: ExpandableEvent,
  zone: string,
  ownerAddresses: ReadonlySet<string>,
): Promise<void> {
  const { id, org_id, owner_id, calendar_id } = row
  const span =
    row.is_series === 0 || row.ends_by !== null
      ? ([-forever, forever] as const)
      : ([now - indexedBefore, now + indexedAfter] as const)
  const { occurrences, isComplete } =
    row.unreadable === null
      ? expandIfReadable(row, span[0], span[1], zone, ownerAddresses)
      : { occurrences: [], isComplete: true }
  await all.deleteFrom('event_occurrences').where('event_id', '=', id).execute()
  if (!isComplete)
    return void (await all
      .updateTable('events')
      .set({ expanded_revision: null })
      .where('id', '=', id)
      .execute())
  const rows = occurrences.map(({ event_id, ...occurrence }) => ({
    event_id,
    org_id,
    owner_id,
    calendar_id,
    ...occurrence,
  }))
  for (const batch of chunks(rows, 200))
    await all.insertInto('event_occurrences').values(batch).execute()
  await all
    .updateTable('events')
    .set({ expanded_revision: row.revision, expanded_from: span[0], expanded_until: span[1] })
    .where('id', '=', id)
    .execute()
}

/** Events stored by an older version that this one cannot read have no occurrences. */
function expandIfReadable(
  ...[row, from, until, zone, ownAddresses]: Parameters<typeof expandRow>
): ReturnType<typeof expandRow> {
  try {
    return expandRow(row, from, until, zone, ownAddresses)
  } catch (error) {
    if (error instanceof Unreadable) return { occurrences: [], isComplete: true }
    throw error
  }
}

/** The occurrences of one event in a period, from its iCalendar text. */
function expandRow(
  row: Pick<Row<'events'>, 'id' | 'raw_ics'>,
  from: number,
  until: number,
  zone: string,
  ownAddresses: ReadonlySet<string>,
): { occurrences: OccurrenceTime[]; isComplete: boolean } {
  const { occurrences, isComplete } = expand(readObject(row.raw_ics), from, until, zone)
  const busy = new Map<Occurrence['component'], 0 | 1>()
  const indexRows = occurrences.map((occurrence) => {
    if (!busy.has(occurrence.component))
      busy.set(occurrence.component, eventFields(occurrence.component, ownAddresses).busy ? 1 : 0)
    return {
      event_id: row.id,
      place: occurrence.place,
      starts_at: occurrence.starts_at,
      ends_at: occurrence.ends_at,
      busy: busy.get(occurrence.component)!,
      is_exception: occurrence.isException ? 1 : 0,
    } as const
  })
  return { occurrences: indexRows, isComplete }
}

/** Calendars to search: the caller's, or a colleague's for busy times. */
export interface OccurrenceFilter {
  owner: Id<'users'>
  calendars?: readonly Id<'calendars'>[]
  event?: Id<'events'>
}

/**
 * Occurrences of the caller's own events within a period, in order. Times without a zone are read in the zone of
 * their calendar.
 */
export async function ownOccurrences(
  viewer: Viewer,
  filter: Omit<OccurrenceFilter, 'owner'>,
  start: number,
  end: number,
  ownAddresses: ReadonlySet<string>,
): Promise<OccurrenceTime[]> {
  const s = accessScopeOf(viewer)
  const ids = await event.visibleTo(viewer).select('events.calendar_id').distinct().execute()
  const visibleIds = new Set<string>(ids.map((item) => item.calendar_id))
  const calendars =
    filter.calendars?.filter((id) => visibleIds.has(id)) ?? ids.map((item) => item.calendar_id)
  return occurrencesIn(s.all, { ...filter, owner: s.actor.id, calendars }, start, end, ownAddresses)
}

/** The same over whole tables, for code that may disclose others' busy times. */
export async function occurrencesIn(
  all: Db,
  within: OccurrenceFilter,
  start: number,
  end: number,
  ownerAddresses: ReadonlySet<string>,
): Promise<OccurrenceTime[]> {
  if (within.calendars?.length === 0) return []
  const indexed = await all
    .selectFrom('event_occurrences')
    .innerJoin('events', 'events.id', 'event_occurrences.event_id')
    .select([
      'event_occurrences.event_id',
      'place',
      'event_occurrences.starts_at',
      'event_occurrences.ends_at',
      'event_occurrences.busy',
      'is_exception',
    ])
    .where('event_occurrences.owner_id', '=', within.owner)
    .where('event_occurrences.starts_at', '<', end)
    .where('event_occurrences.ends_at', '>=', start)
    .where('events.deleted_at', 'is', null)
    .where(isIndexedFor(start, end))
    .$if(within.calendars !== undefined, (query) =>
      query.where('event_occurrences.calendar_id', 'in', within.calendars!),
    )
    .$if(within.event !== undefined, (query) =>
      query.where('event_occurrences.event_id', '=', within.event!),
    )
    .execute()
  const unindexed = await notIndexed(all, within, start, end)
  const expanded = unindexed.flatMap(
    (row) => expandRow(row, start, end, row.zone, ownerAddresses).occurrences,
  )
  return [...indexed, ...expanded].filter((item) => overlaps(item, start, end)).sort(byStart)
}

/** Sort order of lists. */
function byStart(a: OccurrenceTime, b: OccurrenceTime): number {
  return (
    a.starts_at - b.starts_at ||
    compareText(a.event_id, b.event_id) ||
    compareText(a.place, b.place)
  )
}

const isIndexedFor = (start: number, end: number) =>
  sql<SqlBool>`(events.expanded_revision = events.revision and events.expanded_from <= ${start} and events.expanded_until >= ${end})`

function notIndexed(
  all: Db,
  { owner, calendars, event: only }: OccurrenceFilter,
  start: number,
  end: number,
) {
  return all
    .selectFrom('events')
    .innerJoin('calendars', 'calendars.id', 'events.calendar_id')
    .select(['events.id', 'events.raw_ics', 'calendars.timezone as zone'])
    .where('events.owner_id', '=', owner)
    .where('events.deleted_at', 'is', null)
    .where('events.unreadable', 'is', null)
    .where((eb) => eb.or([eb('events.ends_by', 'is', null), eb('events.ends_by', '>=', start)]))
    .where((eb) => eb.or([eb('events.is_series', '=', 1), eb('events.starts_at', '<', end)]))
    .where(sql<SqlBool>`(events.expanded_revision is null or not ${isIndexedFor(start, end)})`)
    .$if(calendars !== undefined, (query) => query.where('events.calendar_id', 'in', calendars!))
    .$if(only !== undefined, (query) => query.where('events.id', '=', only!))
    .execute()
}

/** Events that are not deleted, with the default zone of their texts and the owner's address. */
export function ownedEvents(all: Db) {
  return all
    .selectFrom('events')
    .innerJoin('calendars', 'calendars.id', 'events.calendar_id')
    .innerJoin('users', 'users.id', 'events.owner_id')
    .selectAll('events')
    .select(['calendars.timezone as zone', 'users.email as owner_email'])
    .where('events.deleted_at', 'is', null)
}

/** Series whose index is outdated or no longer reaches far enough; at most `limit`. */
export function staleEvents({ all, now }: TickContext, limit: number) {
  return ownedEvents(all)
    .where('events.unreadable', 'is', null)
    .where((eb) =>
      eb.or([
        eb.and([
          eb('events.is_series', '=', 1),
          eb('events.expanded_until', '<', now + minIndexedAhead),
          eb('events.expanded_revision', 'is not', null),
        ]),
        sql<SqlBool>`events.expanded_revision <> events.revision`,
      ]),
    )
    .limit(limit)
    .execute()
}
