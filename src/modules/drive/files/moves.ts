import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { shortText } from '../../../kernel/fields.ts'
import { sanitizeFileName } from '../../../kernel/text/file-names.ts'
import { operation } from '../../../operations/operation.ts'
import { denied, invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { deletedRef, peopleRefs } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { project } from '../../portfolio/access.ts'
import { drive, file } from '../access.ts'
import {
  childNamed,
  maxFolderDepth,
  filesWithParents,
  maxFilesInTree,
  pathUp,
  wholeTree,
} from './access-tree.ts'
import {
  addFile,
  addFolder,
  requireFileName,
  requireDriveQuota,
  foldFileName,
  folderOrRoot,
  placeInFolder,
  refuseAttached,
  nameTaken,
} from './creation.ts'
import { blobOfFile } from './contents.ts'
import { requireRight, isRemote } from './google-files.ts'
import { changeReaders, type Difference } from '../shares/readers.ts'
import { File, presentFile } from '../shapes.ts'
import { prefetchContent, type PrefetchedContent } from '../sync/downloads.ts'

export const moveFile = operation({
  name: 'move_file',
  searchHint: 'put into a folder, reorganize files',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/files/{file_id}/move',
  about: 'Move a file or folder to another folder; warns when that changes who can see it',
  on: { file: file.edit, folder: file.edit },
  dryRun: true,
  output: File,
  async handle({ file: row, folder }, ctx) {
    await requireMovable(ctx, row, folder)
    if (row.parent_id === folder.id)
      return {
        ...(await presentFile(ctx, row)),
        readers: { gained: [], lost: [] },
        warnings: [],
        dry_run: ctx.dryRun,
      }
    const tree = await requireTree(ctx, row)
    const place = placeInFolder(ctx, folder)
    requireOutside(folder, row, tree)
    await requireTreeDepth(ctx, folder, tree)
    const existing = await childNamed(ctx, folder.id, row.name_folded)
    if (existing) throw nameTaken(existing)
    if (place.owner_id !== row.owner_id && !isRemote(folder))
      await requireDriveQuota(
        ctx,
        place.owner_id,
        tree.reduce((sum, item) => sum + item.size_bytes, 0),
      )
    const { result: moved, difference } = await changeReaders(
      ctx,
      row,
      () => moveTree(ctx, row, tree, place),
      (changed) => changed,
    )
    const changesOwner = moved.owner_id !== row.owner_id || moved.project_id !== row.project_id
    const changesReaders = difference.gained.length + difference.lost.length > 0
    if ((changesOwner || changesReaders) && !(await wasOwnedByCaller(ctx, row)))
      throw onlyOwnerMoves(changesOwner)
    ctx.event('file.moved', 'files', moved)
    if (difference.gained.length > 0)
      ctx.notify(
        'share',
        difference.gained,
        'files',
        moved,
        `${ctx.actor.display_name} moved “${moved.name}” to a place you can see`,
      )
    return {
      ...(await presentMoved(ctx, moved, row)),
      ...(await presentFileReaders(ctx, difference)),
      dry_run: ctx.dryRun,
    }
  },
})

/** @throws Refusal if a folder would be moved into itself; `tree` is everything that moves */
function requireOutside(
  folder: Row<'files'>,
  moved: Row<'files'>,
  tree: readonly { id: string }[],
): void {
  if (!tree.some((item) => item.id === folder.id)) return
  throw invalid(
    'folder_id',
    folder.id === moved.id
      ? 'a folder cannot be inside itself.'
      : 'that folder is inside the one you are moving.',
  )
}

function onlyOwnerMoves(isGiven: boolean): Refusal {
  return denied(
    isGiven
      ? 'This move would give the file a new owner; only its owner may do that.'
      : 'This move would change who can see the file; only its owner may do that.',
    'Copy it, or ask its owner.',
  )
}

async function requireMovable(
  ctx: ReadContext,
  row: Row<'files'>,
  folder: Row<'files'>,
): Promise<void> {
  if (row.is_root === 1)
    throw denied(
      row.place === 'project'
        ? 'A project folder cannot be moved.'
        : 'The top folder of a drive cannot be moved.',
    )
  refuseAttached(row)
  requireRight(row, 'rename')
  await folderOrRoot(ctx, folder)
  await requireSameAccount(ctx, row, folder)
}

/** A file moves within the built-in drive and the projects, or within one Google account. */
async function requireSameAccount(
  ctx: ReadContext,
  row: Row<'files'>,
  folder: Row<'files'>,
): Promise<void> {
  if (!isRemote(row) && !isRemote(folder)) return
  const drives = await drive.among(
    ctx,
    [row.drive_id, folder.drive_id].flatMap((id) => id ?? []),
  )
  const accounts = [row, folder].map((item) =>
    isRemote(item) ? drives.get(item.drive_id!)?.account_id : undefined,
  )
  if (accounts[0] !== accounts[1])
    throw new Refusal(
      'conflict',
      `“${row.name}” cannot be moved to the drive of another account.`,
      {
        hint: 'Copy it there with copy_file, then trash it here.',
        next: { tool: 'copy_file', arguments: { file_id: row.id, folder_id: folder.id } },
      },
    )
  if (row.type === 'folder' && row.drive_id !== folder.drive_id)
    throw new Refusal(
      'conflict',
      'Google does not move folders between drives.',
      'Create a folder there and move the files.',
    )
}

/** A file with everything below it. @throws Refusal if it is too large for one call */
async function requireTree(ctx: ReadContext, row: Row<'files'>): Promise<Row<'files'>[]> {
  const tree = await wholeTree(ctx, row.id)
  if (tree.length > maxFilesInTree)
    throw new Refusal(
      'too_large',
      `“${row.name}” contains more than ${maxFilesInTree} files.`,
      'Process its subfolders one by one.',
    )
  return tree
}

async function requireTreeDepth(
  ctx: ReadContext,
  folder: Row<'files'>,
  tree: readonly Row<'files'>[],
): Promise<void> {
  const levels = new Map<string, number>()
  for (const row of tree)
    levels.set(
      row.id,
      row.parent_id !== null && levels.has(row.parent_id) ? levels.get(row.parent_id)! + 1 : 1,
    )
  const above = pathUp(await filesWithParents(ctx, [folder.id]), folder.id).length
  if (above + Math.max(...levels.values()) > maxFolderDepth)
    throw new Refusal(
      'conflict',
      `Folders can be nested at most ${maxFolderDepth} levels deep.`,
      'Choose a place closer to the top.',
    )
}

/** Moves the contents of a folder along: they belong to the owner of the new place. */
async function moveTree(
  ctx: WriteContext,
  row: Row<'files'>,
  tree: readonly Row<'files'>[],
  place: ReturnType<typeof placeInFolder>,
): Promise<Row<'files'>> {
  const { parent_id, ...location } = place
  const owner = (item: Row<'files'>) =>
    location.place === 'project' && item.place === 'project' ? item.owner_id : location.owner_id
  const moved = await ctx.change('files', row, { ...location, owner_id: owner(row), parent_id })
  for (const item of tree.slice(1))
    await ctx.change('files', item, { ...location, owner_id: owner(item) })
  return moved
}

/** Whether the caller owned the file before the move. */
async function wasOwnedByCaller(ctx: ReadContext, row: Row<'files'>): Promise<boolean> {
  if (row.place === 'project')
    return (await project.find(ctx, row.project_id!, 'edit')) !== undefined
  return row.owner_id === ctx.actor.id
}

/** Presents a file as the caller sees it after the move; if the caller lost access by it, as it was moved. */
async function presentMoved(ctx: ReadContext, moved: Row<'files'>, before: Row<'files'>) {
  return presentFile(ctx, (await file.find(ctx, moved.id)) ?? { ...before, ...moved })
}

async function presentFileReaders(ctx: ReadContext, { gained, lost }: Difference) {
  const people = await peopleRefs(ctx, [...gained, ...lost])
  const sortedPeople = (ids: readonly string[]) =>
    ids
      .map((id) => ({ id, title: people.get(id)?.title ?? '' }))
      .sort((a, b) => (a.title < b.title ? -1 : 1))
  const warnings = [
    ...(gained.length > 0
      ? [`${gained.length} more ${gained.length === 1 ? 'person' : 'people'} can see it there.`]
      : []),
    ...(lost.length > 0
      ? [`${lost.length} ${lost.length === 1 ? 'person' : 'people'} can no longer see it.`]
      : []),
  ]
  return { readers: { gained: sortedPeople(gained), lost: sortedPeople(lost) }, warnings }
}

export const copyFile = operation({
  name: 'copy_file',
  searchHint: 'duplicate a document',
  kind: 'write',
  weight: 5,
  rest: 'POST /api/files/{file_id}/copy',
  creates: 'item',
  about: 'Copy a file, including between drives',
  on: { file: file.see, folder: file.edit.maybe.describe('default: the top of your own drive') },
  input: { name: shortText(1000).min(1).optional() },
  output: File,
  fetch: ({ file: row }, outside) => prefetchContent(outside, row),
  async handle({ file: row, folder, name }, ctx) {
    if (row.type === 'folder')
      throw invalid('file_id', `“${row.name}” is a folder.`, 'Copy the files in it one by one.')
    requireRight(row, 'download')
    const brought = ctx.prefetched as PrefetchedContent | undefined
    const blob = brought?.blob ?? blobOfFile(ctx, row)
    return presentFile(
      ctx,
      await addFile(ctx, {
        name: name ?? brought?.name ?? row.name,
        mime: brought?.mime ?? row.mime_type,
        blob,
        folder,
        trust: row.trust,
      }),
    )
  },
})

export const createFolder = operation({
  name: 'create_folder',
  searchHint: 'directory, new folder',
  kind: 'write',
  rest: 'POST /api/folders',
  about: 'Create a folder, with missing parents when a path is given',
  on: { parent: file.edit.maybe.describe('default: the top of your own drive') },
  input: {
    name: shortText(1000).min(1),
    path: shortText(4000)
      .optional()
      .describe('folders below the parent, such as Reports/2026; missing ones are created'),
  },
  output: File,
  async handle({ parent, name, path }, ctx) {
    if (name.includes('/'))
      throw invalid('name', 'a name cannot contain slashes.', 'Send the folders above it as path.')
    let parentFolder = await folderOrRoot(ctx, parent, 'parent_id')
    for (const part of pathSegmentsOf(path))
      parentFolder =
        (await folderNamed(ctx, parentFolder, part)) ?? (await addFolder(ctx, parentFolder, part))
    return presentFile(ctx, await addFolder(ctx, parentFolder, requireFileName(name)))
  },
})

/** The names in a path. Dot segments are refused, not resolved. */
function pathSegmentsOf(path: string | undefined): string[] {
  const parts = (path ?? '').split('/').filter((part) => part !== '')
  const invalidPart = parts.find(
    (part) => sanitizeFileName(part.normalize('NFC')) !== part.normalize('NFC').trim(),
  )
  if (invalidPart !== undefined)
    throw invalid(
      'path',
      `${JSON.stringify(invalidPart.slice(0, 80))} is not a valid folder name.`,
      'Separate names with slashes; names cannot begin with a dot.',
    )
  if (parts.length > maxFolderDepth)
    throw invalid('path', `contains more than ${maxFolderDepth} folders.`)
  return parts.map((part) => requireFileName(part, 'path'))
}

async function folderNamed(
  ctx: ReadContext,
  parentFolder: Row<'files'>,
  name: string,
): Promise<Row<'files'> | undefined> {
  const existing = await childNamed(ctx, parentFolder.id, foldFileName(name))
  if (existing && existing.type !== 'folder') throw nameTaken(existing)
  return existing
}

export const trashFile = operation({
  name: 'trash_file',
  searchHint: 'delete a file, remove a document, throw away a document',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/files/{file_id}',
  about: 'Move a file or folder to the trash; restore_item brings it back',
  on: { file: file.edit },
  dryRun: true,
  output: DeletedRef,
  async handle({ file: row }, ctx) {
    if (row.is_root === 1)
      throw denied(
        row.place === 'project'
          ? 'A project folder is deleted with its project.'
          : 'The top folder of a drive cannot be trashed.',
      )
    requireRight(row, 'trash')
    const [, ...descendants] = await requireTree(ctx, row)
    const deletedCounts =
      descendants.length === 0 ? [] : [{ type: 'file', count: descendants.length }]
    const answer = await deletedRef(ctx, file.ref(row, ctx.baseUrl), deletedCounts)
    await ctx.trash('files', row, descendants)
    return answer
  },
})
