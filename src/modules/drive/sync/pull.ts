import { chunks } from '../../../kernel/chunks.ts'
import {
  listDriveChanges,
  DriveFailure,
  fileAt,
  filesOf,
  changesStartToken,
  type RemoteChange,
  type RemoteFile,
} from '../../../connectors/google/drive.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import { isPending, parseRemoteState } from '../files/google-files.ts'
import { hasUnsent, saveToBuiltInDrive } from './conflict-copies.ts'
import type { SyncRun } from './sync-run.ts'
import { sharedFolder, type DriveRow } from './drives.ts'
import { addWithoutChanges, parentsOf, storeRemoteFile, type ImportTarget } from './intake.ts'

/** Milliseconds that one transaction spends on storing files: others write, too. */
const maxWriteMs = 40
const batchSize = 100

/** Progress of reading a drive: first all of it, page by page, then its changes. */
interface SyncPosition {
  round: number
  token?: string
  listing?: { page: string | null; then: string }
}

/** Imports remote changes of a drive. It may stop anywhere: each page is stored with the start of the next. */
export async function pull(on: SyncRun, drive: DriveRow): Promise<void> {
  const mark = markOf(drive)
  try {
    await continueReading(on, drive, mark)
  } catch (error) {
    if (!(error instanceof DriveFailure && error.isStale)) throw error
    await continueReading(on, drive, { round: mark.round + 1 })
  }
}

function markOf({ sync_token }: DriveRow): SyncPosition {
  return sync_token === null ? { round: 1 } : (JSON.parse(sync_token) as SyncPosition)
}

async function continueReading(on: SyncRun, drive: DriveRow, mark: SyncPosition): Promise<void> {
  const token = mark.token ?? (await listAll(on, drive, mark))
  await importChanges(on, drive, { round: mark.round, token })
}

const remoteOf = (drive: DriveRow) =>
  drive.kind === 'google_shared' ? drive.remote_id! : undefined

function savePosition(
  { all }: TickContext,
  drive: DriveRow,
  mark: SyncPosition,
  more: { synced_at?: number } = {},
): Promise<unknown> {
  return all
    .updateTable('drives')
    .set({ sync_token: JSON.stringify(mark), ...more })
    .where('id', '=', drive.id)
    .execute() // not recorded as a change
}

/** Lists a whole drive; files no longer listed are gone. @returns the token from which changes continue */
async function listAll(
  on: SyncRun,
  drive: DriveRow,
  { round, listing }: SyncPosition,
): Promise<string> {
  const { job, server, people } = on
  const into: ImportTarget = { drive, people, round }
  const then = listing?.then ?? (await changesStartToken(server, remoteOf(drive)))
  let page = listing?.page ?? null
  let doneCount = 0
  do {
    const { files, next } = await filesOf(server, remoteOf(drive), page ?? undefined)
    await importFiles(on, into, files, drive.synced_at === null)
    page = next ?? null
    if (page !== null)
      await job.write((system) => savePosition(system, drive, { round, listing: { page, then } }))
    job.progress((doneCount += files.length))
    job.signal.throwIfAborted()
  } while (page !== null)
  await placeInFolders(on, drive)
  if (drive.synced_at !== null)
    for (const id of await missingRemoteIds(on, drive, round)) await checkMissing(on, into, id)
  await job.write((system) =>
    savePosition(system, drive, { round, token: then }, { synced_at: system.now }),
  )
  return then
}

async function importChanges(
  on: SyncRun,
  drive: DriveRow,
  mark: SyncPosition & { token: string },
): Promise<void> {
  const { job, server, people } = on
  const into: ImportTarget = { drive, people, round: mark.round }
  for (let token = mark.token, more = true; more; ) {
    const { changes, next, token: last } = await listDriveChanges(server, remoteOf(drive), token)
    const ownChanges = changes.filter(
      (change) => change.file === undefined || change.file.driveId === (remoteOf(drive) ?? null),
    )
    await importFiles(
      on,
      into,
      ownChanges.flatMap((remoteChange) => remoteChange.file ?? []),
      false,
    )
    if (ownChanges.length > 0) await placeInFolders(on, drive)
    for (const remoteChange of ownChanges.filter(isGone))
      await removeLostFile(on, drive, remoteChange.id)
    more = next !== undefined
    token = next ?? last ?? token
    await job.write((system) =>
      savePosition(system, drive, { round: mark.round, token }, { synced_at: system.now }),
    )
    job.signal.throwIfAborted()
  }
}

function isGone(change: RemoteChange): boolean {
  return change.file === undefined
}

async function importFiles(
  on: SyncRun,
  into: ImportTarget,
  files: readonly RemoteFile[],
  isFirstListing: boolean,
): Promise<void> {
  for (const batch of chunks(files, batchSize)) {
    const remaining = isFirstListing ? await insertNewFiles(on, into, batch) : batch
    for (let done = 0; done < remaining.length; )
      done += await importBatch(on, into, remaining.slice(done))
  }
}

/** Inserts the new files of a first listing at once, and returns the rest. */
function insertNewFiles(
  { job }: SyncRun,
  into: ImportTarget,
  files: readonly RemoteFile[],
): Promise<RemoteFile[]> {
  return job.write(async (system) => {
    const existingIds = new Set(
      (
        await system.all
          .selectFrom('files')
          .select('remote_id')
          .where('drive_id', '=', into.drive.id)
          .where(
            'remote_id',
            'in',
            files.map((file) => file.id),
          )
          .execute()
      ).map((row) => row.remote_id),
    )
    await addWithoutChanges(
      system,
      into,
      files.filter((file) => !existingIds.has(file.id)),
      await parentsOf(system, into.drive, files),
    )
    return files.filter((file) => existingIds.has(file.id))
  })
}

/** Imports as many files as fit into a short transaction. @returns their number */
function importBatch(
  { job, account }: SyncRun,
  into: ImportTarget,
  files: readonly RemoteFile[],
): Promise<number> {
  return job.write(async (system) => {
    const parents = await parentsOf(system, into.drive, files)
    const end = performance.now() + maxWriteMs
    let done = 0
    await system.as(
      account.owner_id,
      async (ctx) => {
        do await storeRemoteFile(system, ctx, into, files[done++]!, parents)
        while (done < files.length && performance.now() < end)
      },
      { via: 'sync' },
    )
    return done
  })
}

/** Moves files without a folder into theirs, which may arrive later; others go into a folder of their own. */
async function placeInFolders({ job }: SyncRun, drive: DriveRow): Promise<void> {
  const withoutFolder = await job.write(({ all }) =>
    all
      .selectFrom('files')
      .select(['id', 'remote_json'])
      .where('drive_id', '=', drive.id)
      .where('parent_id', 'is', null)
      .where('is_root', '=', 0)
      .where('remote_json', 'is not', null)
      .execute(),
  )
  const left = withoutFolder.map((row) => ({ id: row.id, parent: parseRemoteState(row)!.parent }))
  for (const batch of chunks(left, batchSize)) {
    await job.write(async (system) => {
      const parents = await parentsOf(system, drive, batch)
      for (const { id, parent } of batch) {
        const folder =
          parents.get(parent ?? '') ??
          (drive.kind === 'google_shared'
            ? (drive.root_folder_id as Row<'files'>['id'])
            : await sharedFolder(system, drive))
        if (folder !== id)
          await system.all
            .updateTable('files')
            .set({ parent_id: folder })
            .where('id', '=', id)
            .execute()
      }
    })
  }
}

/** Checks a file that was not listed: it is deleted on the server, or in the trash there. */
async function checkMissing(on: SyncRun, into: ImportTarget, remoteId: string): Promise<void> {
  try {
    await importFiles(on, into, [await fileAt(on.server, remoteId)], false)
  } catch (error) {
    if (!(error instanceof DriveFailure && error.isMissing)) throw error
    await removeLostFile(on, into.drive, remoteId)
  }
}

/** Google's ids of files that a whole listing did not show. */
async function missingRemoteIds(
  { job }: SyncRun,
  drive: DriveRow,
  round: number,
): Promise<string[]> {
  const rows = await job.write(({ all }) =>
    all
      .selectFrom('files')
      .select(['remote_id', 'remote_json'])
      .where('drive_id', '=', drive.id)
      .where('deleted_at', 'is', null)
      .where('is_root', '=', 0)
      .where('remote_json', 'is not', null)
      .execute(),
  )
  return rows
    .filter((row) => parseRemoteState(row)!.round > 0 && parseRemoteState(row)!.round < round)
    .map((row) => row.remote_id!)
}

/** Removes a file that is gone for good, or that this person can no longer access. */
export async function removeLostFile(
  { job, account }: Pick<SyncRun, 'job' | 'account'>,
  drive: Pick<DriveRow, 'id'>,
  remoteId: string,
): Promise<void> {
  const removedId = await job.write(async (system) => {
    const row = await system.all
      .selectFrom('files')
      .selectAll()
      .where('drive_id', '=', drive.id)
      .where('remote_id', '=', remoteId)
      .where('is_root', '=', 0)
      .executeTakeFirst()
    if (!row || row.remote_json === null) return undefined
    await system.as(
      account.owner_id,
      async (ctx) => {
        if (isPending(row) && hasUnsent(row))
          await saveToBuiltInDrive(system, ctx, row, 'it no longer exists there.')
        if (row.deleted_at === null) await ctx.trash('files', row)
      },
      { via: 'sync' },
    )
    return row.id
  })
  if (removedId !== undefined) await job.erase('files', removedId)
}
