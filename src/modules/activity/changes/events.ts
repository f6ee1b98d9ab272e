// The changes of list_changes as an event stream: followers receive the changes visible to them at that time.

import { omitNullish } from '../../../kernel/present.ts'
import type { CatalogueView } from '../../../operations/entry.ts'
import type { ReadContext } from '../../../operations/context.ts'
import {
  eventNames,
  type EventFeed,
  type EventPlace,
  type EventQuery,
  type ChangeSubscription,
  type FeedEvent,
} from '../../../operations/event-feed.ts'
import { findItem } from '../../../records/items.ts'
import { nearestNames } from '../../../kernel/text/nearest.ts'
import { decodeCursor, encodeCursor } from '../../../records/paging.ts'
import { invalid } from '../../../kernel/refusal.ts'
import { itemResources } from '../../../records/resource.ts'
import { newestSeq, newestSeqIn } from './access-changes.ts'
import {
  hasMoreChangesAfter,
  changesAfter,
  erasedVisibleAmong,
  visibleItemsAmong,
  type EventChangeRow,
} from './access-events.ts'
import { knownTypes } from './item-types.ts'
import { changeRefs } from './item-refs.ts'
import { lastChanges } from './last-changes.ts'
import { originsOf } from './origins.ts'
import { payloadsOf, type Payload, type VisibleChange } from './payloads.ts'

/**
 * A reader with a larger backlog of the organization's changes must list again, which is quicker for both
 * sides.
 */
const maxLag = 20_000
/** Changes read per batch. */
const batchSize = 100

/** Events that notify one person of gained or lost access to an item. */
const accessEvents: Partial<Record<EventChangeRow['op'], string>> = {
  access_gained: 'access.gained',
  access_lost: 'access.lost',
}

export const eventFeed: EventFeed = {
  permissionsOf: 'list_changes',
  lastChanges,
  position: newestSeqIn,
  cursorAt: (seq) => cursor({ seq, sent: 0 }),
  async follow(ctx, query) {
    const filter = await filterOf(ctx, query)
    return {
      ...(await changeFeedStart(ctx, query.since_cursor)),
      mayMatch: (change) => matchesFilter(filter, change),
      cursor,
      position: ({ seq, sent }) => (sent === 0 ? seq : seq + 1),
      next: (ctx, from) => next(ctx, filter, from),
    }
  },
}

interface Filter {
  types: ReadonlySet<string> | undefined
  /** Complete names, and `task.*`. */
  events: ReadonlySet<string> | undefined
  items: ReadonlySet<string> | undefined
  projectId: string | undefined
}

async function filterOf(
  ctx: ReadContext,
  { types, events, items, project_id }: EventQuery,
): Promise<Filter> {
  const ids: string[] = []
  for (const [i, text] of (items ?? []).entries())
    ids.push((await findItem(ctx, text, 'anywhere', `items[${i}]`)).row.id)
  return {
    types: types && new Set(knownTypes(types)),
    events: events && new Set(knownEvents(ctx.catalogue, events)),
    items: items && new Set(ids),
    projectId: project_id === undefined ? undefined : await projectOf(ctx, project_id),
  }
}

async function projectOf(ctx: ReadContext, text: string): Promise<string> {
  const project = itemResources().find((itemResource) => itemResource.table === 'projects')!
  return (await project.demand(ctx, text, 'see', 'project_id')).id
}

function knownEvents(catalogue: CatalogueView, names: readonly string[]): readonly string[] {
  const availableEvents = [...eventNames(catalogue), ...Object.values(accessEvents)]
  const all = new Set([
    ...availableEvents,
    ...availableEvents.map((name) => `${eventItemType(name)}.*`),
  ])
  const unknown = names.find((name) => !all.has(name))
  if (unknown === undefined) return names
  const suggestions = nearestNames(unknown, [...all])
  throw invalid(
    'events',
    `unknown event ${JSON.stringify(unknown)}.`,
    suggestions.length > 0
      ? `Did you mean ${suggestions.join(', ')}?`
      : 'Use an event such as task.completed, or task.* for all task events.',
  )
}

const eventItemType = (name: string) => name.slice(0, name.indexOf('.'))

/** Whether a change can match, regardless of visibility. */
function matchesFilter(
  { types, events, items, projectId }: Filter,
  { item, project_id, events: names, op }: Parameters<ChangeSubscription['mayMatch']>[0],
): boolean {
  if (types && !types.has(item.type)) return false
  if (items && !items.has(item.id)) return false
  if (projectId !== undefined && project_id !== projectId && item.id !== projectId) return false
  return eventNamesOf(names, op).some((name) => isSubscribed(events, name))
}

function isSubscribed(events: Filter['events'], name: string): boolean {
  return !events || events.has(name) || events.has(`${eventItemType(name)}.*`)
}

function eventNamesOf(names: readonly string[], op: string): readonly string[] {
  const accessEvent = accessEvents[op as EventChangeRow['op']]
  return accessEvent && names.length === 0 ? [accessEvent] : names
}

/** @throws Refusal invalid_argument if the text is not a valid cursor */
async function changeFeedStart(
  ctx: ReadContext,
  since: string | undefined,
): Promise<Pick<ChangeSubscription, 'start' | 'reset'>> {
  const newest = await newestSeq(ctx)
  const now = { seq: newest, sent: 0 }
  if (since === undefined) return { start: now, reset: undefined }
  const start = parseEventCursor(since)
  if (start.seq > newest) return { start: now, reset: 'unknown' } // from changes that a restored backup does not contain
  if (await hasMoreChangesAfter(ctx, start.seq, maxLag)) return { start: now, reset: 'too_old' }
  return { start, reset: undefined }
}

function parseEventCursor(text: string): EventPlace {
  const [listName, seq, sent = 0] = decodeCursor(text, 'since_cursor')
  if (listName === 'changes' && Number.isSafeInteger(seq) && Number.isSafeInteger(sent))
    return { seq: seq as number, sent: sent as number }
  throw invalid(
    'since_cursor',
    'is not a cursor of list_changes.',
    'Send since_cursor of list_changes, or the id of an event, unchanged.',
  )
}

function cursor({ seq, sent }: EventPlace): string {
  return encodeCursor(sent === 0 ? ['changes', seq] : ['changes', seq, sent])
}

async function next(
  ctx: ReadContext,
  filter: Filter,
  from: EventPlace,
): ReturnType<ChangeSubscription['next']> {
  const rows = await changesAfter(ctx, from.seq, batchSize)
  const changes = rows.map((row) => ({
    row,
    names: eventNamesOf(JSON.parse(row.events_json) as string[], row.op),
  }))
  const matching = changes.filter(
    ({ row, names }) =>
      isForReader(ctx, row) &&
      matchesFilter(filter, {
        item: { type: row.item_type, id: row.item_id },
        project_id: row.project_id,
        events: names,
        op: row.op,
      }),
  )
  const seen = await visibleChanges(
    ctx,
    matching.map((item) => item.row),
  )
  const payloads = await streamPayloads(ctx, [...seen.values()])
  const events = matching.flatMap(({ row, names }) => {
    const payload = payloads.get(row.seq)
    return payload
      ? eventsOf(filter, row, names, payload, row.seq === from.seq + 1 ? from.sent : 0)
      : []
  })
  const place = rows.length === 0 ? from : { seq: rows.at(-1)!.seq, sent: 0 }
  return { events, place, more: rows.length === batchSize }
}

/**
 * Stream payloads of changes: the webhook payload, and the data with which a client keeps its copy of the items
 * correct.
 */
async function streamPayloads(
  ctx: ReadContext,
  seen: readonly StreamChange[],
): Promise<Map<number, (event: string) => Payload>> {
  const payloads = await payloadsOf(ctx, seen)
  const origins = await originsOf(
    ctx,
    seen.map((item) => item.change),
  )
  return new Map(
    seen.map(({ change, revision }, i) => [
      change.seq,
      (event) => ({
        ...payloads.get(change.seq)?.(event),
        ...omitNullish({ revision }),
        ...origins[i],
      }),
    ]),
  )
}

/** A change to be sent, with all its data. */
interface StreamChange extends VisibleChange {
  change: EventChangeRow
  /** The item's revision at the time of sending. */
  revision?: number | undefined
}

function isForReader({ actor }: ReadContext, row: EventChangeRow): boolean {
  return row.for_person_id === null || row.for_person_id === actor.id
}

/** Items of the changes, as the reader sees them; invisible ones are left out, except for lost access. */
async function visibleChanges(
  ctx: ReadContext,
  rows: readonly EventChangeRow[],
): Promise<Map<number, StreamChange>> {
  const seenBySeq = new Map<number, StreamChange>()
  const others = rows.filter((row) => row.op !== 'access_lost')
  for (const change of rows)
    if (change.op in accessEvents)
      seenBySeq.set(change.seq, { change, item: { type: change.item_type, id: change.item_id } })
  const visible = await visibleItemsAmong(ctx, others)
  for (const change of others) {
    const { resource, row } = visible.get(change.seq) ?? {}
    if (resource && row)
      seenBySeq.set(change.seq, {
        change,
        item: resource.ref(row, ctx.baseUrl),
        revision: 'revision' in row ? (row.revision as number) : undefined,
      })
  }
  const erased = await erasedVisibleAmong(
    ctx,
    others.filter((other) => !visible.has(other.seq)),
  )
  const refs = await changeRefs(ctx, erased)
  for (const change of erased)
    seenBySeq.set(change.seq, {
      change,
      item: refs.get(change.seq) ?? { type: change.item_type, id: change.item_id },
    })
  return seenBySeq
}

/**
 * The events of one change, each with the position after it: if several, all but the last refer to the incomplete
 * change, so that a reader who resumes between them misses none and receives none twice. `sent`: number of names
 * already sent.
 */
function eventsOf(
  filter: Filter,
  row: EventChangeRow,
  names: readonly string[],
  payload: (event: string) => Payload,
  sent: number,
): FeedEvent[] {
  const last = names.findLastIndex((name) => isSubscribed(filter.events, name))
  return names.flatMap((event, i) => {
    if (i < sent || !isSubscribed(filter.events, event)) return []
    const place = i === last ? { seq: row.seq, sent: 0 } : { seq: row.seq - 1, sent: i + 1 }
    return [{ id: cursor(place), event, payload: payload(event), place }]
  })
}
