import { omitNullish } from '../../../kernel/present.ts'
import {
  changeFile,
  DriveFailure,
  fileAt,
  googleFolder,
  keepRevision,
  makeFolder,
  requestFileId,
  type RemoteChanges,
  type RemoteFile,
} from '../../../connectors/google/drive.ts'
import { sendContent } from '../../../connectors/google/drive-contents.ts'
import { streamBlob, type Blob } from '../../../files/blobs.ts'
import type { WriteContext } from '../../../operations/context.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import {
  isPending,
  isRemote,
  isPlaceholderId,
  sharedWithMe,
  displayNameOf,
  parseRemoteState,
  type RemoteState,
} from '../files/google-files.ts'
import { hasUnsent, saveToBuiltInDrive } from './conflict-copies.ts'
import type { SyncRun } from './sync-run.ts'
import { removeLostFile } from './pull.ts'
import { applyRemoteFile, headOf, parentsOf, remoteState, markFileSynced } from './intake.ts'

type FileRow = Row<'files'>

/** A locally changed file, with its drive and folder. */
interface LocalChange {
  row: FileRow
  drive: Row<'drives'>
  folder: FileRow | undefined
}

/** Uploads local changes to Google. @returns the number of files */
export async function push(on: SyncRun): Promise<number> {
  const { job, account } = on
  const rows = await job.write(({ all }) =>
    all
      .selectFrom('files')
      .innerJoin('drives', 'drives.id', 'files.drive_id')
      .select('files.id')
      .where('drives.account_id', '=', account.id)
      .where('files.remote_id', 'is not', null)
      .whereRef('files.synced_revision', '<>', 'files.revision')
      .orderBy('files.id')
      .execute(),
  )
  for (const { id } of rows) {
    job.signal.throwIfAborted()
    await pushFile(on, id)
  }
  return rows.length
}

/** Folders before what is in them: what is in a folder follows it into Google's trash and out of it. */
async function pushFile(on: SyncRun, id: FileRow['id']): Promise<void> {
  let changed = await loadPendingFile(on, id)
  if (changed?.folder && isRemote(changed.folder) && isPending(changed.folder)) {
    await pushFile(on, changed.folder.id)
    changed = await loadPendingFile(on, id)
  }
  if (!changed) return
  const { row } = changed
  if (row.is_root === 1 || row.remote_id === sharedWithMe)
    return on.job.write((system) => markFileSynced(system, row))
  try {
    await (row.remote_json === null ? createRemoteFile(on, changed) : updateRemoteFile(on, changed))
  } catch (error) {
    if (!(error instanceof DriveFailure) || error.isTransient) throw error
    if (error.isMissing && row.remote_json !== null && (await isGone(on, row)))
      return removeLostFile(on, changed.drive, row.remote_id!)
    await revertRefusedChange(on, changed, error)
  }
}

function loadPendingFile({ job }: SyncRun, id: FileRow['id']): Promise<LocalChange | undefined> {
  return job.write(async ({ all }) => {
    const row = await all.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row || row.remote_id === null || !isPending(row)) return undefined
    const drive = await all
      .selectFrom('drives')
      .selectAll()
      .where('id', '=', row.drive_id!)
      .executeTakeFirstOrThrow()
    const folder =
      row.parent_id === null
        ? undefined
        : await all
            .selectFrom('files')
            .selectAll()
            .where('id', '=', row.parent_id)
            .executeTakeFirst()
    return { row, drive, folder }
  })
}

async function isGone({ server }: SyncRun, row: FileRow): Promise<boolean> {
  try {
    await fileAt(server, row.remote_id!)
    return false
  } catch (error) {
    if (error instanceof DriveFailure && error.isMissing) return true
    throw error
  }
}

/** Creates a file at Google under an id stored before, so that a retry does not create it twice. */
async function createRemoteFile(on: SyncRun, { row, folder, drive }: LocalChange): Promise<void> {
  const { server, job } = on
  if (row.deleted_at !== null) return job.write((system) => markFileSynced(system, row)) // made and trashed here: it goes there when it is restored
  if (!folder || folder.remote_id === null || folder.drive_id !== row.drive_id)
    throw new DriveFailure(403, 'noFolder', 'its folder is not in Google Drive.')
  const id = isPlaceholderId(row.remote_id!) ? await requestFileId(server) : row.remote_id!
  if (id !== row.remote_id)
    await job.record(({ all }) =>
      all.updateTable('files').set({ remote_id: id }).where('id', '=', row.id).execute(),
    )
  const { name, description } = row
  const parent = folder.remote_id
  const file =
    row.type === 'folder'
      ? await makeFolder(server, { id, name, parent, description, mime: googleFolder })
      : await uploadNewFile(on, row, { id, name, parent, description })
  await finishUpload(on, { row, drive }, file)
}

async function uploadNewFile(
  { server, job }: SyncRun,
  row: FileRow,
  { id, ...newFile }: { id: string; name: string; parent: string; description: string | null },
): Promise<RemoteFile> {
  const upload = { id, ...contentIn(job.settings.data, row) }
  try {
    return await sendContent(server, { ...upload, newFile })
  } catch (error) {
    if (!(error instanceof DriveFailure) || error.status !== 409) throw error
    const there = await fileAt(server, id)
    return there.sha256 === row.sha256 ? there : sendContent(server, upload)
  }
}

function contentIn(
  data: string,
  { sha256, size_bytes, mime_type }: Pick<FileRow, 'sha256' | 'size_bytes' | 'mime_type'>,
) {
  const blob: Blob = { sha256, size: size_bytes }
  return {
    mime: mime_type,
    size: size_bytes,
    bytes: async (from: number, to: number) =>
      new Uint8Array(await new Response(streamBlob(data, blob, from, to)).arrayBuffer()),
  }
}

/** Applies local changes to a file at Google; remote changes of other fields are kept. */
async function updateRemoteFile(on: SyncRun, { row, folder, drive }: LocalChange): Promise<void> {
  const { server } = on
  const base = parseRemoteState(row)!
  const remoteFile = await fileAt(server, row.remote_id!)
  const move = moveOf(row, folder, base, remoteFile)
  const changes = remoteChangesOf(row, base, remoteFile)
  const updatedFile =
    Object.keys(changes).length > 0 || move
      ? await changeFile(server, remoteFile.id, changes, move)
      : remoteFile
  await finishUpload(on, { row, drive }, await pushContent(on, row, base, updatedFile))
}

function remoteChangesOf(row: FileRow, base: RemoteState, there: RemoteFile): RemoteChanges {
  const isTrashed = row.deleted_at !== null
  const isTrashedWithFolder = isTrashed && row.deleted_with !== row.id // with a folder, which takes it into the trash there, too
  return omitNullish({
    name: row.name !== displayNameOf(base.name) && row.name !== there.name ? row.name : undefined,
    description:
      row.description !== base.description && row.description !== there.description
        ? (row.description ?? '')
        : undefined,
    trashed:
      isTrashed !== base.trashed && isTrashed !== there.trashed && !isTrashedWithFolder
        ? isTrashed
        : undefined,
  })
}

function moveOf(
  row: FileRow,
  folder: FileRow | undefined,
  base: RemoteState,
  there: RemoteFile,
): { from: string | null; to: string } | undefined {
  const to = folder?.remote_id ?? null
  if (to === null || to === base.parent || to === there.parent || to === sharedWithMe)
    return undefined
  if (isPlaceholderId(to) || folder!.drive_id !== row.drive_id)
    throw new DriveFailure(403, 'noFolder', 'its new folder is not in Google Drive.')
  return { from: there.parent, to }
}

/** Overwrites the remote content. Content written there meanwhile is kept by Google for good as a version. */
async function pushContent(
  on: SyncRun,
  row: FileRow,
  base: RemoteState,
  there: RemoteFile,
): Promise<RemoteFile> {
  const { server, job, account } = on
  if (row.sha256 === '' || row.sha256 === there.sha256 || row.deleted_at !== null) return there
  const changedRemotely = headOf(there) !== base.head
  if (changedRemotely && there.head !== null) await keepRevision(server, there.id, there.head)
  const file = await sendContent(server, { id: there.id, ...contentIn(job.settings.data, row) })
  const notifyOverwritten = (ctx: WriteContext) =>
    ctx.notify(
      'automation',
      [account.owner_id],
      'files',
      row,
      'This file was changed in Google Drive while it was changed here. Your version is current; the one from Google Drive is the previous version.',
    )
  if (changedRemotely)
    await job.record((system) =>
      system.as(account.owner_id, async (ctx) => notifyOverwritten(ctx), { via: 'sync' }),
    )
  return file
}

/** Marks both as the same, unless changed here again. The content is from now on fetched from Google. */
async function finishUpload(
  { job, account, people }: SyncRun,
  { row, drive }: Pick<LocalChange, 'row' | 'drive'>,
  file: RemoteFile,
): Promise<void> {
  await job.record(async (system) => {
    const { all } = system
    const now = await all
      .selectFrom('files')
      .selectAll()
      .where('id', '=', row.id)
      .executeTakeFirst()
    if (!now || now.remote_id === null) return
    const { round = 1 } = parseRemoteState(now) ?? {}
    const version = file.mime === googleFolder ? 0 : row.version
    await all
      .updateTable('files')
      .set({ remote_json: JSON.stringify(remoteState(file, version, round)) })
      .where('id', '=', row.id)
      .execute()
    if (row.sha256 !== '' && row.sha256 === file.sha256) await dropLocalContent(system, row, file)
    if (now.revision !== row.revision) return
    await markFileSynced(system, row)
    const current = await all
      .selectFrom('files')
      .selectAll()
      .where('id', '=', row.id)
      .executeTakeFirstOrThrow()
    await system.as(
      account.owner_id,
      async (ctx) => applyRemainingChanges(system, ctx, { drive, people, round }, current, file),
      { via: 'sync' },
    )
  })
}

/** Drops the reference to local content that Google has now. */
async function dropLocalContent(
  { all }: TickContext,
  row: FileRow,
  file: RemoteFile,
): Promise<void> {
  await all
    .updateTable('files')
    .set({ sha256: '' })
    .where('id', '=', row.id)
    .where('sha256', '=', row.sha256)
    .execute()
  await all
    .updateTable('file_versions')
    .set({ sha256: '', remote_id: file.head })
    .where('file_id', '=', row.id)
    .where('number', '=', row.version)
    .execute()
}

/** Applies remote changes made in the meantime to columns that were not changed here. */
async function applyRemainingChanges(
  system: TickContext,
  ctx: WriteContext,
  into: Parameters<typeof applyRemoteFile>[2],
  row: FileRow,
  file: RemoteFile,
): Promise<void> {
  const state = { ...parseRemoteState(row)!, round: 0 } // so that applyRemoteFile compares every column
  await applyRemoteFile(
    system,
    ctx,
    into,
    { ...row, remote_json: JSON.stringify(state) },
    file,
    await parentsOf(system, into.drive, [file]),
  )
}

/** Reverts a change that Google rejected; local content is saved to the built-in drive. */
async function revertRefusedChange(
  on: SyncRun,
  { row, drive }: LocalChange,
  error: DriveFailure,
): Promise<void> {
  const { job, account, server, people } = on
  const there = row.remote_json === null ? undefined : await fileAt(server, row.remote_id!)
  await job.record((system) =>
    system.as(
      account.owner_id,
      async (ctx) => {
        if (hasUnsent(row)) await saveToBuiltInDrive(system, ctx, row, error.message)
        else
          ctx.notify(
            'automation',
            [account.owner_id],
            'files',
            row,
            `Google Drive rejected a change to a file, so the file is unchanged: ${error.message}`,
          )
        if (!there) return
        await system.all.updateTable('files').set({ sha256: '' }).where('id', '=', row.id).execute()
        const state = { ...parseRemoteState(row)!, head: null, round: 0 }
        await applyRemoteFile(
          system,
          ctx,
          { drive, people, round: parseRemoteState(row)!.round },
          { ...row, sha256: '', remote_json: JSON.stringify(state) },
          there,
          await parentsOf(system, drive, [there]),
        )
      },
      { via: 'sync' },
    ),
  )
}
