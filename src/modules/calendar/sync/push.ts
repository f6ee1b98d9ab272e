import { DavFailure, objectAt, putObject, removeObject } from '../../../connectors/caldav.ts'
import type { Row } from '../../../records/resource.ts'
import type { CalendarRow } from './sync-run.ts'
import type { SyncRun } from './sync-run.ts'
import {
  asOwner,
  isPending,
  parseObject,
  acknowledgeEvent,
  applyServerDeletion,
  storeSyncedObject,
} from './intake.ts'

type EventRow = Row<'events'>

/** Maximum number of merge attempts while the server keeps changing an event. */
const maxRounds = 5

/** Sends local changes and deletions to the server. */
export async function push(on: SyncRun, calendar: CalendarRow): Promise<void> {
  for (const deletion of await deletionsOf(on, calendar)) await pushDeletion(on, calendar, deletion)
  for (const id of await pendingIn(on, calendar)) await pushEvent(on, calendar, id)
}

function deletionsOf({ job }: SyncRun, calendar: CalendarRow) {
  return job.write((system) =>
    system.all
      .selectFrom('calendar_deletions')
      .selectAll()
      .where('calendar_id', '=', calendar.id)
      .orderBy('added_at')
      .execute(),
  )
}

async function pendingIn({ job }: SyncRun, calendar: CalendarRow): Promise<EventRow['id'][]> {
  const rows = await job.write((system) =>
    system.all
      .selectFrom('events')
      .select('id')
      .where('calendar_id', '=', calendar.id)
      .where('remote_href', 'is not', null)
      .where('unreadable', 'is', null)
      .where((eb) =>
        eb.or([eb('synced_revision', 'is', null), eb('synced_revision', '<>', eb.ref('revision'))]),
      )
      .orderBy('updated_at')
      .execute(),
  )
  return rows.map((row) => row.id)
}

async function pushDeletion(
  on: SyncRun,
  calendar: CalendarRow,
  deletion: Row<'calendar_deletions'>,
): Promise<void> {
  const { job, server } = on
  const existsAgain = await job.write((system) =>
    system.all
      .selectFrom('events')
      .select('id')
      .where('calendar_id', '=', calendar.id)
      .where('remote_href', '=', deletion.href)
      .executeTakeFirst(),
  )
  const outcome = existsAgain
    ? 'done'
    : await withRefusalAsProblem(() =>
        removeObject(server, deletion.href, deletion.etag ?? undefined),
      )
  if (typeof outcome === 'object')
    return recordDeletionProblem(on, calendar, deletion, outcome.problem)
  if (outcome === 'changed') {
    const theirs = await objectAt(server, deletion.href)
    if (theirs)
      return job.write((system) =>
        storeSyncedObject(system, { ...on, calendar }, parseObject({ ...on, calendar }, theirs)),
      )
  }
  await job.write((system) =>
    system.all
      .deleteFrom('calendar_deletions')
      .where('calendar_id', '=', calendar.id)
      .where('href', '=', deletion.href)
      .execute(),
  )
}

async function recordDeletionProblem(
  { job }: SyncRun,
  calendar: CalendarRow,
  { href }: Row<'calendar_deletions'>,
  problem: string,
): Promise<void> {
  await job.write((system) =>
    system.all
      .updateTable('calendar_deletions')
      .set({ problem })
      .where('calendar_id', '=', calendar.id)
      .where('href', '=', href)
      .execute(),
  )
}

/** Sends one event's current state; if the server has changed it meanwhile, both are merged first. */
async function pushEvent(on: SyncRun, calendar: CalendarRow, id: EventRow['id']): Promise<void> {
  const { job, server } = on
  for (let round = 0; round < maxRounds; round++) {
    job.signal.throwIfAborted()
    const row = await job.write((system) =>
      system.all
        .selectFrom('events')
        .selectAll()
        .where('id', '=', id)
        .where('calendar_id', '=', calendar.id)
        .executeTakeFirst(),
    )
    if (!row || !isPending(row)) return
    const href = row.remote_href!
    if (row.synced_ics === null)
      await job.write((system) => acknowledgeEvent(system, row, { synced_ics: row.raw_ics })) // base for a merge if the server stores it and the response is lost
    const putResult = await withRefusalAsProblem(() =>
      putObject(server, href, row.raw_ics, row.etag ?? undefined),
    )
    if ('problem' in putResult) return recordRefusal(on, row, putResult.problem)
    if (putResult.done) return recordAcceptance(on, calendar, row, putResult.etag)
    const theirs = await objectAt(server, href)
    await job.write((system) =>
      theirs
        ? storeSyncedObject(system, { ...on, calendar }, parseObject({ ...on, calendar }, theirs))
        : applyServerDeletion(system, { ...on, calendar }, href),
    )
  }
  throw new DavFailure(412, 'The event changes on the server faster than it can be merged.')
}

/** The server accepted it. Without an ETag the server may have rewritten it, so it is read back. */
async function recordAcceptance(
  on: SyncRun,
  calendar: CalendarRow,
  row: EventRow,
  etag: string | undefined,
): Promise<void> {
  const { job, server } = on
  const theirs =
    etag === undefined
      ? await objectAt(server, row.remote_href!)
      : { href: row.remote_href!, etag, ics: row.raw_ics }
  await job.write(async (system) => {
    await acknowledgeEvent(system, row, {
      etag: theirs?.etag ?? null,
      synced_ics: row.raw_ics,
      synced_revision: row.revision,
      push_problem: null,
    })
    if (theirs && theirs.ics !== row.raw_ics)
      await storeSyncedObject(system, { ...on, calendar }, parseObject({ ...on, calendar }, theirs))
  })
}

/** The server refuses it: the local version stays, and its owner is notified once. */
async function recordRefusal(on: SyncRun, row: EventRow, problem: string): Promise<void> {
  await on.job.write(async (system) => {
    await acknowledgeEvent(system, row, { push_problem: problem })
    if (row.push_problem !== null) return
    await asOwner(system, on, async (ctx) =>
      ctx.notify(
        'automation',
        [row.owner_id],
        'events',
        row,
        'The calendar server rejected a change to an event; the change is kept only here.',
      ),
    )
  })
}

/**
 * Returns permanent refusals as a problem, so that the other objects continue; any other error stops the sync, which
 * is retried.
 */
async function withRefusalAsProblem<T>(work: () => Promise<T>): Promise<T | { problem: string }> {
  try {
    return await work()
  } catch (error) {
    if (
      error instanceof DavFailure &&
      error.status >= 400 &&
      error.status < 500 &&
      error.status !== 429
    )
      return { problem: error.message }
    throw error
  }
}
