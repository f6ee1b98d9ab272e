import { chunks } from '../../../kernel/chunks.ts'
import { omitUndefined } from '../../../kernel/present.ts'
import { changesSince, objectsAt, type DavObject } from '../../../connectors/caldav.ts'
import type { CalendarRow } from './sync-run.ts'
import type { SyncRun } from './sync-run.ts'
import { parseObject, applyServerDeletion, storeSyncedObject, type ParsedObject } from './intake.ts'

/** Objects read per batch, and maximum duration of the transaction that stores them, so that other writers get their turn. */
const batchSize = 40
const batchMs = 40

/**
 * Stores changes from a server calendar. The token is saved at the end: after an interruption, changes are read again
 * and recognized by ETag.
 */
export async function pull(
  on: SyncRun,
  calendar: CalendarRow,
  { ctag, hasTokens }: { ctag: string | undefined; hasTokens: boolean },
): Promise<void> {
  const { job, server } = on
  if (calendar.access === 'free_busy') return recordPull(on, calendar, { ctag })
  if (ctag !== undefined && ctag === calendar.ctag) return recordPull(on, calendar, { ctag })
  const url = calendar.remote_url!
  const changes = await changesSince(server, url, calendar.sync_token ?? undefined, hasTokens)
  const etags = await etagsOf(on, calendar)
  const hrefsToFetch = changes.changed
    .filter((item) => etags.get(item.href) !== item.etag)
    .map((item) => item.href)
  const listedHrefs = new Set(changes.changed.map((item) => item.href))
  const removedHrefs = changes.isWhole
    ? [...etags.keys()].filter((href) => !listedHrefs.has(href))
    : changes.removed.filter((href) => etags.has(href))
  const isFirstSync = calendar.synced_at === null
  let doneCount = 0
  for await (const objects of objectsAt(server, url, hrefsToFetch)) {
    await storeAll(on, calendar, objects.filter(isEvent), isFirstSync)
    job.progress((doneCount += objects.length), hrefsToFetch.length)
    job.signal.throwIfAborted()
  }
  for (const href of removedHrefs)
    await job.write((system) => applyServerDeletion(system, { ...on, calendar }, href))
  await recordPull(on, calendar, { ctag, token: changes.token })
}

/** Calendars may also contain tasks and journals. */
function isEvent({ ics }: DavObject): boolean {
  return !/^BEGIN:(VTODO|VJOURNAL|VFREEBUSY)\b/im.test(ics) || /^BEGIN:VEVENT\b/im.test(ics)
}

async function storeAll(
  on: SyncRun,
  calendar: CalendarRow,
  objects: DavObject[],
  isQuiet: boolean,
): Promise<void> {
  for (const batch of chunks(objects, batchSize)) {
    const ready: ParsedObject[] = batch.map((object) => parseObject({ ...on, calendar }, object))
    while (ready.length > 0) {
      await on.job.write(async (system) => {
        const end = performance.now() + batchMs
        while (ready.length > 0 && performance.now() < end) {
          await storeSyncedObject(system, { ...on, calendar, isQuiet }, ready[0]!)
          ready.shift()
        }
      })
    }
  }
}

/** Etags of the objects known to be on the server. */
async function etagsOf({ job }: SyncRun, calendar: CalendarRow): Promise<Map<string, string>> {
  const rows = await job.write((system) =>
    system.all
      .selectFrom('events')
      .select(['remote_href', 'etag'])
      .where('calendar_id', '=', calendar.id)
      .where('etag', 'is not', null)
      .execute(),
  )
  return new Map(rows.map((row) => [row.remote_href!, row.etag!]))
}

async function recordPull(
  { job }: SyncRun,
  calendar: CalendarRow,
  { ctag, token }: { ctag: string | undefined; token?: string | undefined },
): Promise<void> {
  const patch = omitUndefined({
    ctag: ctag ?? null,
    synced_at: job.now(),
    sync_token: token,
  })
  await job.write((system) =>
    system.all.updateTable('calendars').set(patch).where('id', '=', calendar.id).execute(),
  ) // not recorded as a change
}
