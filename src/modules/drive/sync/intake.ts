import { googleFolder, type RemoteFile } from '../../../connectors/google/drive.ts'
import type { WriteContext } from '../../../operations/context.ts'
import { newId } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import { SearchIndex } from '../../../search/index.ts'
import { textOfFile } from '../files/access-texts.ts'
import { foldFileName, maxReadBytes } from '../files/creation.ts'
import { fileTypeOf, folderType, mayHaveText } from '../files/file-types.ts'
import {
  isGoogleDocument,
  isPending,
  displayNameOf,
  parseRemoteState,
  type RemoteState,
} from '../files/google-files.ts'
import type { DriveRow } from './drives.ts'

type FileRow = Row<'files'>

/** The drive that files are imported into. */
export interface ImportTarget {
  drive: DriveRow
  /** People of the organization by their address. */
  people: ReadonlyMap<string, Row<'users'>['id']>
  round: number
}

export type Parents = ReadonlyMap<string, FileRow['id']>

/** Identifier of a file's content: a different one means that the content was written. */
export function headOf(file: RemoteFile): string | null {
  return isGoogleDocument(file.mime) ? String(file.modified) : file.head
}

export function remoteState(file: RemoteFile, version: number, round: number): RemoteState {
  const { name, description, parent, trashed, mime, sha256, can, target, link } = file
  return {
    name,
    description,
    parent,
    trashed,
    mime,
    head: headOf(file),
    sha256,
    version,
    can,
    target,
    link,
    round,
  }
}

/** Columns that Google decides. */
function remoteFileColumns(
  file: RemoteFile,
  { drive, people }: ImportTarget,
  parent: FileRow['id'] | null,
) {
  const isFolder = file.mime === googleFolder
  const name = displayNameOf(file.name)
  return {
    name,
    name_folded: foldFileName(name),
    description: file.description,
    mime_type: isFolder ? folderType : (file.target?.mime ?? file.mime),
    type: isFolder ? ('folder' as const) : fileTypeOf(file.target?.mime ?? file.mime),
    parent_id: parent,
    modified_at: file.modified,
    modified_by: people.get(file.modifiedBy ?? '') ?? drive.owner_id,
  }
}

/** Columns that change with the content: its text must be extracted again. */
function contentColumns(file: RemoteFile, version: number) {
  const mayContainText =
    mayHaveText(file.mime) &&
    (isGoogleDocument(file.mime) || (file.size > 0 && file.size <= maxReadBytes)) &&
    file.can.download
  return {
    version,
    size_bytes: file.size,
    sha256: '',
    content_base64: '',
    trust: 'external' as const,
    text_status: mayContainText ? ('pending' as const) : ('none' as const),
  }
}

/** Inserts files that existed before the first sync, without recording changes. */
export async function addWithoutChanges(
  { all }: TickContext,
  into: ImportTarget,
  files: readonly RemoteFile[],
  parents: Parents,
): Promise<void> {
  const { drive, round } = into
  const rows = files.map((file): FileRow => {
    const version = file.mime === googleFolder ? 0 : 1
    const defaults = {
      revision: 1,
      synced_revision: 1,
      created_at: file.created,
      updated_at: file.modified,
      created_by: drive.owner_id,
      created_via: 'sync' as const,
      deleted_at: null,
      deleted_by: null,
      deleted_with: null,
    }
    return {
      ...defaults,
      ...remoteFileColumns(file, into, parents.get(file.parent ?? '') ?? null),
      ...contentColumns(file, version),
      id: newId('fil', file.created) as FileRow['id'],
      org_id: drive.org_id,
      place: 'drive',
      drive_id: drive.id,
      project_id: null,
      owner_id: drive.owner_id,
      is_root: 0,
      remote_id: file.id,
      remote_json: JSON.stringify(remoteState(file, version, round)),
    }
  })
  if (rows.length === 0) return
  await all.insertInto('files').values(rows).execute()
  const versions = rows.flatMap((row, i) => (row.version === 0 ? [] : [versionOf(row, files[i]!)]))
  if (versions.length > 0) await all.insertInto('file_versions').values(versions).execute()
  await new SearchIndex().addAll(
    all,
    drive.org_id,
    rows.map((row) => ({ ...textOfFile(row, undefined), ref: row.id })),
  )
}

function versionOf(row: FileRow, file: RemoteFile): Row<'file_versions'> {
  return {
    id: newId('fvr', row.modified_at) as Row<'file_versions'>['id'],
    org_id: row.org_id,
    file_id: row.id,
    number: row.version,
    mime_type: file.mime,
    size_bytes: file.size,
    sha256: '',
    trust: 'external',
    comment: null,
    remote_id: file.head,
    created_at: file.modified,
    created_by: row.modified_by,
    created_via: 'sync',
  }
}

/** Stores a file as Google has it now. Local changes not sent yet are left to the push, which merges both. */
export async function storeRemoteFile(
  system: TickContext,
  ctx: WriteContext,
  into: ImportTarget,
  file: RemoteFile,
  parents: Parents,
): Promise<void> {
  const row = await remoteFileRow(system, into.drive, file.id)
  if (row)
    return isPending(row) || row.is_root === 1
      ? recordRound(system, row, into.round)
      : applyRemoteFile(system, ctx, into, row, file, parents)
  if (file.trashed) return
  const version = file.mime === googleFolder ? 0 : 1
  const { id: remote_id } = file
  const added = await ctx.add('files', {
    ...remoteFileColumns(file, into, parents.get(file.parent ?? '') ?? null),
    ...contentColumns(file, version),
    place: 'drive',
    drive_id: into.drive.id,
    owner_id: into.drive.owner_id,
    is_root: 0,
    remote_id,
    remote_json: JSON.stringify(remoteState(file, version, into.round)),
    synced_revision: 1,
  })
  if (version > 0)
    await system.all.insertInto('file_versions').values(versionOf(added, file)).execute()
  await markFileSynced(system, added)
}

/** Updates a file without unsent local changes to Google's state. */
export async function applyRemoteFile(
  system: TickContext,
  ctx: WriteContext,
  into: ImportTarget,
  row: FileRow,
  file: RemoteFile,
  parents: Parents,
): Promise<void> {
  const state = parseRemoteState(row)
  const hasNewContent = row.type !== 'folder' && state?.head !== headOf(file)
  const version = hasNewContent ? row.version + 1 : row.version
  const next = JSON.stringify(remoteState(file, version, into.round))
  if (next === row.remote_json && row.drive_id === into.drive.id) return
  const parent =
    parents.get(file.parent ?? '') ?? (file.parent === state?.parent ? row.parent_id : null)
  const changed = await ctx.change('files', row, {
    ...remoteFileColumns(file, into, parent),
    ...(hasNewContent ? contentColumns(file, version) : {}),
    drive_id: into.drive.id,
  })
  if (hasNewContent) await addVersionRow(system, changed, file)
  if (hasNewContent) ctx.event('file.version_added', 'files', changed)
  await system.all
    .updateTable('files')
    .set({ remote_json: next })
    .where('id', '=', row.id)
    .execute()
  await applyTrashState(system, ctx, changed, file)
  await markFileSynced(system, changed)
}

/** Adds the version row of a file. Google's own documents have only a current version: they change with every word. */
async function addVersionRow({ all }: TickContext, row: FileRow, file: RemoteFile): Promise<void> {
  if (isGoogleDocument(file.mime))
    await all.deleteFrom('file_versions').where('file_id', '=', row.id).execute()
  await all.insertInto('file_versions').values(versionOf(row, file)).execute()
}

async function applyTrashState(
  system: TickContext,
  ctx: WriteContext,
  row: FileRow,
  file: RemoteFile,
): Promise<void> {
  if (file.trashed && row.deleted_at === null) await ctx.trash('files', row)
  if (file.trashed || row.deleted_at === null) return
  await system.all
    .updateTable('files')
    .set({ deleted_with: row.id })
    .where('id', '=', row.id)
    .execute() // only itself: Google reports each file below separately
  await ctx.restore('files', { ...row, deleted_with: row.id })
}

/** Marks a file as the same here and at Google. */
export async function markFileSynced(
  { all }: TickContext,
  { id }: Pick<FileRow, 'id'>,
): Promise<void> {
  await all
    .updateTable('files')
    .set((eb) => ({ synced_revision: eb.ref('revision') }))
    .where('id', '=', id)
    .execute()
}

async function recordRound({ all }: TickContext, row: FileRow, round: number): Promise<void> {
  const state = parseRemoteState(row)
  if (state && state.round !== round)
    await all
      .updateTable('files')
      .set({ remote_json: JSON.stringify({ ...state, round }) })
      .where('id', '=', row.id)
      .execute()
}

/** The row of a Google file: in the given drive, or in another one of the account where it was before. */
async function remoteFileRow(
  { all }: TickContext,
  drive: DriveRow,
  remoteId: string,
): Promise<FileRow | undefined> {
  const drives = all
    .selectFrom('drives')
    .select('drives.id')
    .where('drives.account_id', '=', drive.account_id)
  const rows = await all
    .selectFrom('files')
    .selectAll()
    .where('drive_id', 'in', drives)
    .where('remote_id', '=', remoteId)
    .execute()
  return rows.find((row) => row.drive_id === drive.id) ?? rows[0]
}

/** Ids of local folders, by Google's ids. */
export async function parentsOf(
  { all }: TickContext,
  drive: DriveRow,
  files: readonly Pick<RemoteFile, 'parent'>[],
): Promise<Parents> {
  const remoteIds = [...new Set(files.flatMap((file) => file.parent ?? []))]
  if (remoteIds.length === 0) return new Map()
  const rows = await all
    .selectFrom('files')
    .select(['id', 'remote_id'])
    .where('drive_id', '=', drive.id)
    .where('remote_id', 'in', remoteIds)
    .execute()
  return new Map(rows.map((row) => [row.remote_id!, row.id]))
}
