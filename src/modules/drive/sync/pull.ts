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
import { hasUnsent, keepFileAside } from './conflict-copies.ts'
import type { Syncing } from './sync-run.ts'
import { sharedFolder, type DriveRow } from './drives.ts'
import { addQuietly, parentsOf, storeRemoteFile, type Into } from './intake.ts'

/** Milliseconds that one transaction spends on storing files: others write, too. */
const maxWriteMs = 40
const batchSize = 100

/** Progress of reading a drive: first all of it, page by page, then its changes. */
interface Mark {
  round: number
  token?: string
  listing?: { page: string | null; then: string }
}

/** Takes in what is new in a drive. It may end anywhere: each page is kept with the place where the next one begins. */
export async function pull(on: Syncing, drive: DriveRow): Promise<void> {
  const mark = markOf(drive)
  try {
    await readOn(on, drive, mark)
  } catch (error) {
    if (!(error instanceof DriveFailure && error.isStale)) throw error
    await readOn(on, drive, { round: mark.round + 1 })
  }
}

function markOf({ sync_token }: DriveRow): Mark {
  return sync_token === null ? { round: 1 } : (JSON.parse(sync_token) as Mark)
}

async function readOn(on: Syncing, drive: DriveRow, mark: Mark): Promise<void> {
  const token = mark.token ?? (await listAll(on, drive, mark))
  await takeChanges(on, drive, { round: mark.round, token })
}

const remoteOf = (drive: DriveRow) =>
  drive.kind === 'google_shared' ? drive.remote_id! : undefined

function keepMark(
  { all }: TickContext,
  drive: DriveRow,
  mark: Mark,
  more: { synced_at?: number } = {},
): Promise<unknown> {
  return all
    .updateTable('drives')
    .set({ sync_token: JSON.stringify(mark), ...more })
    .where('id', '=', drive.id)
    .execute() // nothing that anybody follows
}

/** Lists a whole drive. What was there before and is not shown is gone. The answer is from where on changes are to be asked for. */
async function listAll(on: Syncing, drive: DriveRow, { round, listing }: Mark): Promise<string> {
  const { job, server, people } = on
  const into: Into = { drive, people, round }
  const then = listing?.then ?? (await changesStartToken(server, remoteOf(drive)))
  let page = listing?.page ?? null
  let doneCount = 0
  do {
    const { files, next } = await filesOf(server, remoteOf(drive), page ?? undefined)
    await takeAll(on, into, files, drive.synced_at === null)
    page = next ?? null
    if (page !== null)
      await job.write((system) => keepMark(system, drive, { round, listing: { page, then } }))
    job.progress((doneCount += files.length))
    job.signal.throwIfAborted()
  } while (page !== null)
  await joinFolders(on, drive)
  if (drive.synced_at !== null)
    for (const id of await unseen(on, drive, round)) await lookAfter(on, into, id)
  await job.write((system) =>
    keepMark(system, drive, { round, token: then }, { synced_at: system.now }),
  )
  return then
}

async function takeChanges(
  on: Syncing,
  drive: DriveRow,
  mark: Mark & { token: string },
): Promise<void> {
  const { job, server, people } = on
  const into: Into = { drive, people, round: mark.round }
  for (let token = mark.token, more = true; more; ) {
    const { changes, next, token: last } = await listDriveChanges(server, remoteOf(drive), token)
    const here = changes.filter(
      (change) => change.file === undefined || change.file.driveId === (remoteOf(drive) ?? null),
    )
    await takeAll(
      on,
      into,
      here.flatMap((remoteChange) => remoteChange.file ?? []),
      false,
    )
    if (here.length > 0) await joinFolders(on, drive)
    for (const remoteChange of here.filter(isGone)) await takeAway(on, drive, remoteChange.id)
    more = next !== undefined
    token = next ?? last ?? token
    await job.write((system) =>
      keepMark(system, drive, { round: mark.round, token }, { synced_at: system.now }),
    )
    job.signal.throwIfAborted()
  }
}

function isGone(change: RemoteChange): boolean {
  return change.file === undefined
}

async function takeAll(
  on: Syncing,
  into: Into,
  files: readonly RemoteFile[],
  isQuiet: boolean,
): Promise<void> {
  for (const batch of chunks(files, batchSize)) {
    const left = isQuiet ? await takeNew(on, into, batch) : batch
    for (let done = 0; done < left.length; ) done += await takeSome(on, into, left.slice(done))
  }
}

/** Inserts the new files of a first listing at once, and returns the rest. */
function takeNew(
  { job }: Syncing,
  into: Into,
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
    await addQuietly(
      system,
      into,
      files.filter((file) => !existingIds.has(file.id)),
      await parentsOf(system, into.drive, files),
    )
    return files.filter((file) => existingIds.has(file.id))
  })
}

/** Takes in as many as the patience of the others allows; how many. */
function takeSome(
  { job, account }: Syncing,
  into: Into,
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

/** Puts files into their folders that came before them. What is in no folder that is seen here stands in a folder of its own. */
async function joinFolders({ job }: Syncing, drive: DriveRow): Promise<void> {
  const loose = await job.write(({ all }) =>
    all
      .selectFrom('files')
      .select(['id', 'remote_json'])
      .where('drive_id', '=', drive.id)
      .where('parent_id', 'is', null)
      .where('is_root', '=', 0)
      .where('remote_json', 'is not', null)
      .execute(),
  )
  const left = loose.map((row) => ({ id: row.id, parent: parseRemoteState(row)!.parent }))
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
async function lookAfter(on: Syncing, into: Into, remoteId: string): Promise<void> {
  try {
    await takeAll(on, into, [await fileAt(on.server, remoteId)], false)
  } catch (error) {
    if (!(error instanceof DriveFailure && error.isMissing)) throw error
    await takeAway(on, into.drive, remoteId)
  }
}

/** Google's ids of files that a whole listing did not show. */
async function unseen({ job }: Syncing, drive: DriveRow, round: number): Promise<string[]> {
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

/** A file is gone for good, or not for this person any more. */
export async function takeAway(
  { job, account }: Pick<Syncing, 'job' | 'account'>,
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
          await keepFileAside(system, ctx, row, 'it no longer exists there.')
        if (row.deleted_at === null) await ctx.trash('files', row)
      },
      { via: 'sync' },
    )
    return row.id
  })
  if (removedId !== undefined) await job.erase('files', removedId)
}
