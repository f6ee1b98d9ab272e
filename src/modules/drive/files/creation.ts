import { isUtf8 } from 'node:buffer'
import { putBlob, readBlob, type Blob } from '../../../files/blobs.ts'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { sanitizeFileName, numberedName, mimeTypeOf } from '../../../kernel/text/file-names.ts'
import type { Id } from '../../../kernel/ids.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { file } from '../access.ts'
import { rootOf } from './access-folders.ts'
import {
  announcedUploadsOf,
  childNamed,
  maxFolderDepth,
  filesWithParents,
  storeFileText,
  namesWithPrefix,
  usedBytesOf,
  pathUp,
} from './access-tree.ts'
import { fileTypeOf, folderType, isPlainText, mayHaveText } from './file-types.ts'
import { requireRight, requireWritable, isRemote, placeholderId } from './google-files.ts'

/** A file to add to the drive; its content is already stored. */
export interface NewContent {
  name: string
  blob: Blob
  /** Default: by the extension of the name. */
  mime?: string | undefined
  /** A folder that the caller may change; default: the top of their own drive. */
  folder?: Row<'files'> | undefined
  /** Behavior if a file of that name exists. Default: rename. */
  onConflict?: 'rename' | 'new_version' | 'fail' | undefined
  /** external: written by people outside. */
  trust?: 'internal' | 'external' | undefined
}

/** Larger files are not read for search. */
export const maxReadBytes = 50 * 2 ** 20
/** Plain text up to this size is indexed immediately; everything else in the background. */
const maxImmediateBytes = 256 * 1024

/** The sanitized name. @throws Refusal invalid_argument if nothing of it is left */
export function requireFileName(text: string, field = 'name'): string {
  const name = sanitizeFileName(text.normalize('NFC'))
  if (name === '')
    throw invalid(field, 'this name has no usable characters.', 'Send a name such as report.pdf.')
  return name
}

export const foldFileName = (name: string) => name.normalize('NFC').toLowerCase()

/** The folder that a call names, or the top of the caller's own drive. @throws Refusal */
export async function folderOrRoot(
  ctx: ReadContext,
  row: Row<'files'> | undefined,
  field = 'folder_id',
): Promise<Row<'files'>> {
  const folder = row ?? (await file.demand(ctx, rootOf(ctx.actor.id), 'edit', field))
  if (folder.type !== 'folder') throw invalid(field, `“${folder.name}” is a file, not a folder.`)
  requireRight(folder, 'add')
  return folder
}

/** Refuses attachments of tasks and messages: they are in no folder and have no versions. */
export function refuseAttached(row: Row<'files'>): void {
  if (row.place === 'attached')
    throw new Refusal('conflict', `“${row.name}” is an attachment, not a file in the drive.`, {
      hint: 'Copy it to the drive with copy_file.',
      next: { tool: 'copy_file', arguments: { file_id: row.id } },
    })
}

/** Location columns of a new item in a folder. In a project, each person's own files count toward their own quota. */
export function placeInFolder(
  ctx: ReadContext,
  folder: Row<'files'>,
): Pick<Row<'files'>, 'place' | 'drive_id' | 'project_id' | 'owner_id' | 'parent_id'> {
  const { place, drive_id, project_id } = folder
  return {
    place,
    drive_id,
    project_id,
    owner_id: place === 'project' ? ctx.actor.id : folder.owner_id,
    parent_id: folder.id,
  }
}

/** Additional columns of a new file or folder in a Google drive: they mark it for upload. */
function uploadMark(
  folder: Row<'files'>,
): Partial<Pick<Row<'files'>, 'remote_id' | 'synced_revision'>> {
  return isRemote(folder) ? { remote_id: placeholderId(), synced_revision: 0 } : {}
}

/** @throws Refusal storage_full if a person's quota would be exceeded */
export async function requireDriveQuota(
  ctx: ReadContext,
  personId: Id<'users'>,
  more: number,
): Promise<void> {
  const quota = ctx.settings.drive_quota_megabytes * 2 ** 20
  if (quota === 0) return
  const used = await usedBytesOf(ctx, personId)
  if (used + more <= quota) return
  throw new Refusal(
    'storage_full',
    `The drive has room for ${quota} bytes; ${used} are used, and this would add ${more}.`,
    {
      hint: 'Trashed files and earlier versions count until they are erased. The operator of this instance can raise the quota with --drive-quota-megabytes.',
      context: { quota_bytes: quota, used_bytes: used },
    },
  )
}

/** The same, including announced uploads that are still open. */
export async function requireQuotaForUpload(
  ctx: ReadContext,
  personId: Id<'users'>,
  more: number,
): Promise<void> {
  const { bytes } = await announcedUploadsOf(ctx, ctx.actor.id)
  await requireDriveQuota(ctx, personId, more + bytes)
}

/** Adds a file to a folder, or a version to the file of that name there. @throws Refusal */
export async function addFile(ctx: WriteContext, content: NewContent): Promise<Row<'files'>> {
  const folder = await folderOrRoot(ctx, content.folder)
  const name = requireFileName(content.name)
  const existing = await childNamed(ctx, folder.id, foldFileName(name))
  if (existing && content.onConflict === 'fail') throw nameTaken(existing)
  if (existing && content.onConflict === 'new_version') {
    if (existing.type === 'folder') throw nameTaken(existing)
    return (await addVersion(ctx, existing, content.blob, { trust: content.trust })).row
  }
  const place = placeInFolder(ctx, folder)
  if (!isRemote(folder)) await requireDriveQuota(ctx, place.owner_id, content.blob.size)
  const mime = contentType(content.mime, name)
  const trust = content.trust ?? 'internal'
  const finalName = existing ? await freeName(ctx, folder.id, name) : name
  const row = await ctx.add('files', {
    ...newFileColumns(ctx, finalName, mime),
    ...place,
    ...uploadMark(folder),
    size_bytes: content.blob.size,
    sha256: content.blob.sha256,
    version: 1,
    trust,
    text_status: textStatusOf(mime, content.blob),
  })
  await ctx.add('file_versions', {
    file_id: row.id,
    number: 1,
    mime_type: mime,
    size_bytes: content.blob.size,
    sha256: content.blob.sha256,
    trust,
    comment: null,
  })
  await ctx.limits.plans.checkStorage(ctx.actor.org_id, ctx.now)
  return indexFileText(ctx, row, content.blob)
}

/** The media type of a content: the declared one, unless that is a folder's. */
function contentType(declaredType: string | undefined, name: string): string {
  return declaredType === undefined || fileTypeOf(declaredType) === 'folder'
    ? mimeTypeOf(name)
    : declaredType
}

/** Adds a content as the current version of a file. @throws Refusal */
export async function addVersion(
  ctx: WriteContext,
  row: Row<'files'>,
  blob: Blob,
  more: {
    trust?: 'internal' | 'external' | undefined
    comment?: string | undefined
    mime?: string | undefined
  } = {},
): Promise<{ row: Row<'files'>; version: Row<'file_versions'> }> {
  requireWritable(row)
  refuseAttached(row)
  if (row.type === 'folder')
    throw invalid('file_id', `“${row.name}” is a folder and has no content.`)
  if (!isRemote(row)) await requireDriveQuota(ctx, row.owner_id, blob.size)
  const number = row.version + 1
  const trust = more.trust ?? 'internal'
  const mime = more.mime ?? row.mime_type
  const version = await ctx.add('file_versions', {
    file_id: row.id,
    number,
    mime_type: mime,
    size_bytes: blob.size,
    sha256: blob.sha256,
    trust,
    comment: more.comment ?? null,
  })
  await ctx.limits.plans.checkStorage(ctx.actor.org_id, ctx.now)
  const now = (await file.find(ctx, row.id))!
  const text_status = textStatusOf(mime, blob)
  const changed = await ctx.change('files', now, {
    version: number,
    mime_type: mime,
    type: fileTypeOf(mime),
    size_bytes: blob.size,
    sha256: blob.sha256,
    content_base64: '',
    trust,
    modified_at: ctx.now,
    modified_by: ctx.actor.id,
    text_status: text_status === 'pending' ? 'pending' : 'none',
  })
  ctx.event('file.version_added', 'files', changed)
  return { row: await indexFileText(ctx, changed, blob), version }
}

/** Common columns of new file rows. */
function newFileColumns(ctx: ReadContext, name: string, mime: string) {
  return {
    is_root: 0 as const,
    type: fileTypeOf(mime),
    name,
    name_folded: foldFileName(name),
    mime_type: mime,
    size_bytes: 0,
    sha256: '',
    content_base64: '',
    version: 0,
    modified_at: ctx.now,
    modified_by: ctx.actor.id,
    trust: 'internal' as const,
    text_status: 'none' as const,
  }
}

/** Stores a small file that is in no drive, only attached to an item. */
export async function storeAttached(
  ctx: WriteContext,
  { name, bytes }: { name: string; bytes: Uint8Array },
): Promise<Row<'files'>> {
  const { sha256, size } = putBlob(ctx.settings.data, bytes)
  return ctx.add('files', {
    ...newFileColumns(ctx, name, mimeTypeOf(name)),
    place: 'attached',
    owner_id: ctx.actor.id,
    size_bytes: size,
    sha256,
  })
}

/** Creates a folder. @throws Refusal if the name is taken */
export async function addFolder(
  ctx: WriteContext,
  parent: Row<'files'>,
  name: string,
): Promise<Row<'files'>> {
  const existing = await childNamed(ctx, parent.id, foldFileName(name))
  if (existing) throw nameTaken(existing)
  await requireDepth(ctx, parent, 1)
  return ctx.add('files', {
    ...newFileColumns(ctx, name, folderType),
    ...placeInFolder(ctx, parent),
    ...uploadMark(parent),
  })
}

/** @throws Refusal if that many more levels below a folder exceed the maximum depth */
async function requireDepth(ctx: ReadContext, folder: Row<'files'>, more: number): Promise<void> {
  const above = pathUp(await filesWithParents(ctx, [folder.id]), folder.id).length
  if (above + more > maxFolderDepth)
    throw new Refusal(
      'conflict',
      `Folders can be nested at most ${maxFolderDepth} levels deep.`,
      'Choose a place closer to the top.',
    )
}

/** The refusal for a name that is already used in the folder. */
export function nameTaken(existing: Row<'files'>): Refusal {
  return new Refusal(
    'conflict',
    `This folder already has a ${existing.type === 'folder' ? 'folder' : 'file'} named “${existing.name}”.`,
    {
      hint:
        existing.type === 'folder'
          ? 'Use that one, or choose another name.'
          : 'Choose another name, or write a new version of it with update_file_content.',
      context: { existing_id: existing.id },
    },
  )
}

/** `report (2).pdf`, with the first number that is free. */
async function freeName(ctx: ReadContext, parent: Id<'files'>, name: string): Promise<string> {
  const stem = name.replace(/\.[^.\s]{1,16}$/, '')
  const takenNames = await namesWithPrefix(
    ctx,
    parent,
    foldFileName([...stem].slice(0, 50).join('')),
  )
  for (let n = 2; ; n++) {
    const candidate = numberedName(name, n)
    if (!takenNames.has(foldFileName(candidate))) return candidate
  }
}

function textStatusOf(mime: string, blob: Blob): 'none' | 'pending' {
  if (
    !mayHaveText(mime) ||
    blob.size === 0 ||
    blob.size > maxReadBytes ||
    isIndexedImmediately(mime, blob)
  )
    return 'none'
  return 'pending'
}

function isIndexedImmediately(mime: string, { size }: Blob): boolean {
  return isPlainText(mime) && size > 0 && size <= maxImmediateBytes
}

/** Indexes small plain text immediately, and queues the extraction of the rest. */
async function indexFileText(
  ctx: WriteContext,
  row: Row<'files'>,
  blob: Blob,
): Promise<Row<'files'>> {
  if (isIndexedImmediately(row.mime_type, blob)) {
    const bytes = readBlob(ctx.settings.data, blob)
    if (!isUtf8(bytes))
      return queueTextExtraction(ctx, await ctx.change('files', row, { text_status: 'pending' }))
    await storeFileText(ctx, row, {
      body: bytes.toString('utf8').replace(/^\ufeff/, ''),
      format: row.mime_type === 'text/markdown' ? 'markdown' : 'text',
      problem: null,
    })
    return ctx.change('files', row, { text_status: 'indexed' })
  }
  return row.text_status === 'pending' ? queueTextExtraction(ctx, row) : row
}

async function queueTextExtraction(ctx: WriteContext, row: Row<'files'>): Promise<Row<'files'>> {
  await ctx.job('read_file_text', { file_id: row.id }, { uniqueKey: row.id, whileRunning: 'again' })
  return row
}
