import type { DavObject } from '../../../connectors/caldav.ts'
import type { WriteContext } from '../../../operations/context.ts'
import { newId } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import { SearchIndex } from '../../../search/index.ts'
import type { AccountRow } from '../../accounts/access.ts'
import { event } from '../access.ts'
import { transferMeeting } from '../events/access-meetings.ts'
import { indexIn } from '../events/access-occurrences.ts'
import { eventColumns, type EventColumns, type ReadingContext } from '../ical/event-columns.ts'
import { conflictCopy, merge } from '../ical/merge.ts'
import type { CalendarRow } from './sync-run.ts'
import { notifyResponses } from '../invitations/responses.ts'
import { hrefOf } from '../events/object-store.ts'

type EventRow = Row<'events'>

/** Calendar and owner that receive objects. */
export interface SyncTarget {
  account: AccountRow
  calendar: CalendarRow
  ownAddresses: ReadonlySet<string>
  job: { now(): number }
  /** First sync: adds existing objects without recording changes. */
  isQuiet?: boolean
}

/** A parsed server object, prepared outside any transaction. */
export interface ParsedObject {
  object: DavObject
  columns: EventColumns
}

export function parseObject(into: SyncTarget, object: DavObject): ParsedObject {
  return { object, columns: eventColumns(object.ics, syncReaderOf(into), lastPart(object.href)) }
}

function syncReaderOf({ calendar, ownAddresses, job }: SyncTarget): ReadingContext {
  return { zone: calendar.timezone, ownAddresses, now: job.now() }
}

/** Columns that record the server's version of an object. */
function serverColumns({ object, columns }: ParsedObject) {
  return { etag: object.etag ?? null, synced_ics: object.ics, push_problem: null, ...columns }
}

/**
 * Stores the server's current version of an object. Local unsent changes are merged into it, so that neither is lost.
 */
export async function storeSyncedObject(
  system: TickContext,
  target: SyncTarget,
  parsed: ParsedObject,
): Promise<void> {
  const { calendar } = target
  const row = await rowAt(system, calendar, parsed.object.href)
  const deletion = await system.all
    .selectFrom('calendar_deletions')
    .selectAll()
    .where('calendar_id', '=', calendar.id)
    .where('href', '=', parsed.object.href)
    .executeTakeFirst()
  if (deletion && !row && deletion.etag === (parsed.object.etag ?? null)) return // its deletion is not yet pushed
  if (deletion)
    await system.all
      .deleteFrom('calendar_deletions')
      .where('calendar_id', '=', calendar.id)
      .where('href', '=', parsed.object.href)
      .execute()
  const existing = row ?? (await findUnconfirmed(system, calendar, parsed))
  const invitationCopy = existing ? undefined : await removeInvitationCopy(system, target, parsed)
  if (!existing && target.isQuiet) return addWithoutChange(system, target, parsed, invitationCopy)
  await asOwner(system, target, async (ctx) => {
    if (!existing) {
      const added = await ctx.add('events', {
        ...(await newEvent(system, target, parsed)),
        synced_revision: 1,
      })
      if (invitationCopy) await transferMeeting(system, invitationCopy, added)
      await reindex(system, target, added)
      if (deletion)
        ctx.notify(
          'automation',
          [added.owner_id],
          'events',
          added,
          'An event that you deleted was changed elsewhere; that version was restored.',
        )
    } else if (isPending(existing)) await mergeEvent(system, target, ctx, existing, parsed)
    else await applyServerEvent(system, target, ctx, existing, parsed)
  })
}

/** Without pending local changes, the event takes the server's state. */
async function applyServerEvent(
  system: TickContext,
  into: SyncTarget,
  ctx: WriteContext,
  row: EventRow,
  ready: ParsedObject,
): Promise<void> {
  const { uid: _, ...columns } = serverColumns(ready)
  if (row.raw_ics === columns.raw_ics)
    return acknowledgeEvent(system, row, {
      etag: columns.etag,
      synced_ics: columns.synced_ics,
      remote_href: ready.object.href,
    })
  const changed = await ctx.change('events', row, { ...columns, remote_href: ready.object.href })
  await acknowledgeEvent(system, changed, { synced_revision: changed.revision })
  await reindex(system, into, changed)
  if (row.status !== 'cancelled' && changed.status === 'cancelled')
    ctx.event('event.cancelled', 'events', changed)
  notifyResponses(ctx, row, changed, into.ownAddresses)
}

/** Merges an event that was changed on both sides. */
async function mergeEvent(
  system: TickContext,
  into: SyncTarget,
  ctx: WriteContext,
  row: EventRow,
  { object, columns }: ParsedObject,
): Promise<void> {
  const syncColumns = {
    etag: object.etag ?? null,
    synced_ics: object.ics,
    remote_href: object.href,
    push_problem: null,
  }
  if (row.synced_ics === object.ics || columns.unreadable !== null)
    return acknowledgeEvent(system, row, syncColumns)
  const merged = merge(row.synced_ics ?? object.ics, row.raw_ics, object.ics) // without a known server version, the server's is taken as the base
  const text = merged.hasOurs ? merged.ics : object.ics
  const { uid: _, ...columnsOfText } = eventColumns(text, syncReaderOf(into), row.uid)
  const changed = await ctx.change('events', row, { ...columnsOfText, ...syncColumns })
  await acknowledgeEvent(system, changed, {
    synced_revision: merged.hasOurs ? 0 : changed.revision,
  })
  await reindex(system, into, changed)
  notifyResponses(ctx, row, changed, into.ownAddresses)
  if (merged.overlaps.length > 0)
    await addConflictCopy(system, into, ctx, row, changed, merged.overlaps)
}

/** Adds our conflicting version as a separate event. */
async function addConflictCopy(
  system: TickContext,
  into: SyncTarget,
  ctx: WriteContext,
  ours: EventRow,
  theirs: EventRow,
  overlaps: string[],
): Promise<void> {
  const uid = crypto.randomUUID()
  const columns = eventColumns(
    conflictCopy(ours.raw_ics, uid, 'your version'),
    syncReaderOf(into),
    uid,
  )
  const row = await ctx.add('events', {
    ...baseColumns(into),
    ...columns,
    remote_href: hrefOf(into.calendar.remote_url!, uid),
    etag: null,
    synced_ics: null,
    synced_revision: 0,
    trust: ours.trust,
  })
  await reindex(system, into, row)
  ctx.notify(
    'automation',
    [row.owner_id],
    'events',
    row,
    `An event was changed here and elsewhere at once (${overlaps.join(', ')}). Their version was kept; yours was saved next to it.`,
  )
}

/** The server no longer has an object. If it was changed here meanwhile, it is created there again. */
export async function applyServerDeletion(
  system: TickContext,
  into: SyncTarget,
  href: string,
): Promise<void> {
  await system.all
    .deleteFrom('calendar_deletions')
    .where('calendar_id', '=', into.calendar.id)
    .where('href', '=', href)
    .execute()
  const row = await rowAt(system, into.calendar, href)
  if (!row || row.etag === null) return
  await asOwner(system, into, async (ctx) => {
    if (!isPending(row)) return removeEvent(system, ctx, row, { isGone: true })
    const newRemoteColumns = {
      remote_href: hrefOf(into.calendar.remote_url!, crypto.randomUUID()),
      etag: null,
      synced_ics: null,
      push_problem: null,
    }
    const updated = await ctx.change('events', row, newRemoteColumns)
    await acknowledgeEvent(system, updated, { synced_revision: 0 })
    ctx.notify(
      'automation',
      [row.owner_id],
      'events',
      updated,
      'An event was deleted elsewhere while you changed it here; it was restored with your change.',
    )
  })
}

/** Erases an event missing on its server. */
export async function removeEvent(
  system: TickContext,
  ctx: WriteContext,
  row: EventRow,
  { isGone }: { isGone: boolean },
): Promise<void> {
  if (isGone && row.status !== 'cancelled') ctx.event('event.cancelled', 'events', row)
  await ctx.remove('events', row)
}

/** Whether it has changes not yet sent to the server. */
export function isPending(row: EventRow): boolean {
  return row.remote_href !== null && row.synced_revision !== row.revision
}

/** Columns that only the sync uses: not a change of the event. */
export async function acknowledgeEvent(
  system: TickContext,
  row: Pick<EventRow, 'id'>,
  patch: Partial<
    Pick<EventRow, 'etag' | 'synced_ics' | 'synced_revision' | 'push_problem' | 'remote_href'>
  >,
): Promise<void> {
  await system.all.updateTable('events').set(patch).where('id', '=', row.id).execute()
}

export function asOwner<T>(
  system: TickContext,
  { account }: Pick<SyncTarget, 'account'>,
  work: (ctx: WriteContext) => Promise<T>,
): Promise<T> {
  return system.as(account.owner_id, work, { via: 'sync' })
}

function rowAt(
  system: TickContext,
  calendar: CalendarRow,
  href: string,
): Promise<EventRow | undefined> {
  return system.all
    .selectFrom('events')
    .selectAll()
    .where('calendar_id', '=', calendar.id)
    .where('remote_href', '=', href)
    .executeTakeFirst()
}

/** Finds a local event with that UID that the server has not confirmed: it may store it at another address. */
function findUnconfirmed(
  system: TickContext,
  calendar: CalendarRow,
  { columns }: ParsedObject,
): Promise<EventRow | undefined> {
  return system.all
    .selectFrom('events')
    .selectAll()
    .where('calendar_id', '=', calendar.id)
    .where('uid', '=', columns.uid)
    .where('etag', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/**
 * Removes an invitation from the built-in calendar, received by mail or from a colleague, once the server has it;
 * unless only the copy has the owner's response.
 */
async function removeInvitationCopy(
  system: TickContext,
  into: SyncTarget,
  { columns }: ParsedObject,
): Promise<EventRow | undefined> {
  const { owner_id } = into.account
  const twin = await system.all
    .selectFrom('events')
    .selectAll()
    .where('owner_id', '=', owner_id)
    .where('uid', '=', columns.uid)
    .where('remote_href', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (
    !twin ||
    twin.organizer_json === null ||
    into.ownAddresses.has((JSON.parse(twin.organizer_json) as { address: string }).address)
  )
    return undefined
  if (twin.my_response !== 'needs_action' && columns.my_response === 'needs_action')
    return undefined
  await asOwner(system, into, (ctx) => ctx.remove('events', twin))
  return twin
}

async function newEvent(system: TickContext, into: SyncTarget, ready: ParsedObject) {
  const { columns, object } = ready
  const sameUid = await system.all
    .selectFrom('events')
    .select('id')
    .where('calendar_id', '=', into.calendar.id)
    .where('uid', '=', columns.uid)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const uid = sameUid ? `${columns.uid} ${lastPart(object.href)}`.slice(0, 1000) : columns.uid // for a server with the same UID twice
  return {
    ...baseColumns(into),
    ...serverColumns(ready),
    uid,
    remote_href: object.href,
    trust: 'external' as const,
  }
}

function baseColumns({ account, calendar }: SyncTarget) {
  return { owner_id: account.owner_id, calendar_id: calendar.id, invites_pending: 0 as const }
}

/** Adds a row and its text during the first sync, without notifying anyone. */
async function addWithoutChange(
  system: TickContext,
  into: SyncTarget,
  ready: ParsedObject,
  twin: EventRow | undefined,
): Promise<void> {
  const { account } = into
  const commonColumns = {
    id: newId<'events'>('evt', system.now),
    org_id: account.org_id,
    revision: 1,
    synced_revision: 1,
    created_at: system.now,
    updated_at: system.now,
    created_by: account.owner_id,
    created_via: 'sync' as const,
  }
  const row = { ...(await newEvent(system, into, ready)), ...commonColumns }
  const added = await system.all
    .insertInto('events')
    .values(row)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (twin) await transferMeeting(system, twin, added)
  const text = await event.definition.search!(added, undefined as never)
  if (text) await new SearchIndex().add(system.all, added.id, account.org_id, text)
  await reindex(system, into, added)
}

function reindex(
  system: TickContext,
  { calendar, ownAddresses }: SyncTarget,
  row: EventRow,
): Promise<void> {
  return indexIn(system.all, system.now, row, calendar.timezone, ownAddresses)
}

function lastPart(href: string): string {
  return decodeURIComponent(href.replace(/\/$/, '').split('/').pop() ?? href).slice(0, 500)
}
