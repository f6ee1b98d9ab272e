import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { pageOf, paging, shortText } from '../../../kernel/fields.ts'
import { equals, filters, oneOf, since } from '../../../operations/filters.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems, type Order } from '../../../records/paging.ts'
import { denied } from '../../../kernel/refusal.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { label } from '../../labels/access.ts'
import { person } from '../../directory/access.ts'
import { drive, file, fileLabel, fileStar, listedFiles } from '../access.ts'
import { rootOf } from './access-folders.ts'
import { topLevelFiles, childNamed, narrowByStar } from './access-tree.ts'
import { requireFileName, foldFileName, nameTaken } from './creation.ts'
import { fileTypes } from './file-types.ts'
import { requireRight } from './google-files.ts'
import { File, ListedFile, presentFile, presentFiles } from '../shapes.ts'

export const typeList = () => z.array(z.enum(fileTypes)).min(1).max(fileTypes.length).optional()

const orders: Record<'name' | 'modified_at' | 'size', Order[]> = {
  name: [
    { by: 'files.name_folded', as: 'name_folded', dir: 'asc' },
    { by: 'files.id', as: 'id', dir: 'asc' },
  ],
  modified_at: [
    { by: 'files.modified_at', as: 'modified_at', dir: 'desc' },
    { by: 'files.id', as: 'id', dir: 'desc' },
  ],
  size: [
    { by: 'files.size_bytes', as: 'size_bytes', dir: 'desc' },
    { by: 'files.id', as: 'id', dir: 'desc' },
  ],
}

const fileFilters = filters('files', {
  modified_by: equals('files.modified_by', person.see.maybe.named('modified_by')),
  type: oneOf('files.type', typeList()),
  modified_after: since('files.modified_at'),
  starred: {
    input: z.boolean().optional(),
    where: (query, wanted, ctx) => narrowByStar(query, ctx, wanted),
  },
})

export const listFiles = operation({
  name: 'list_files',
  searchHint: 'folder contents, documents in a folder, recent files, browse',
  kind: 'read',
  rest: 'GET /api/files',
  about: 'Files and folders in a place, or by type, owner and date',
  on: {
    drive: drive.see.maybe.describe('its top level; with a filter, everything in it'),
    folder: file.see.maybe.describe('items directly in it'),
    ...fileFilters.on,
  },
  input: {
    ...fileFilters.input,
    trashed: z.boolean().optional().describe('true: items you may restore'),
    sort: z.enum(['name', 'modified_at', 'size']).default('name'),
    ...paging,
  },
  output: pageOf(ListedFile),
  async handle({ drive, folder, trashed, sort, limit, cursor, ...filter }, ctx) {
    const values = await fileFilters.read(ctx, filter)
    const isFiltered = Object.keys(values).length > 0 || trashed === true
    let files = trashed ? trashedFiles(ctx) : filesInPlace(ctx, drive, folder, isFiltered)
    if (trashed && drive) files = files.where('files.drive_id', '=', drive.id)
    if (trashed && folder) files = files.where('files.parent_id', '=', folder.id)
    const query = fileFilters.apply(files, values, ctx)
    const page = await paged(query.selectAll('files'), orders[sort], { limit, cursor })
    return pageWithItems(page, await presentFiles(ctx, page.items as Row<'files'>[]))
  },
})

/** Files in a folder; at the top of a drive, or of everything the caller has; with filters, all visible ones. */
function filesInPlace(
  ctx: ReadContext,
  drive: Row<'drives'> | undefined,
  folder: Row<'files'> | undefined,
  isFiltered: boolean,
): Scoped<'files'> {
  if (folder) return listedFiles(ctx).where('files.parent_id', '=', folder.id)
  if (isFiltered)
    return drive
      ? listedFiles(ctx).where('files.drive_id', '=', drive.id).where('files.is_root', '=', 0)
      : listedFiles(ctx).where('files.is_root', '=', 0).where('files.place', '<>', 'attached')
  if (drive && drive.kind !== 'builtin')
    return listedFiles(ctx).where(
      'files.parent_id',
      '=',
      drive.root_folder_id as Row<'files'>['id'],
    )
  return topLevelFiles(ctx, rootOf(ctx.actor.id))
}

function trashedFiles(ctx: ReadContext): Scoped<'files'> {
  return file.restorable(ctx).where('files.place', '<>', 'attached')
}

export const getFile = operation({
  name: 'get_file',
  searchHint: 'file details, who has access to a file, where is it',
  kind: 'read',
  rest: 'GET /api/files/{file_id}',
  about: 'Metadata of a file or folder with path, shares and current version',
  on: { file: file.see },
  output: File,
  async handle({ file: row }, ctx) {
    return presentFile(ctx, row)
  },
})

export const updateFile = operation({
  name: 'update_file',
  searchHint: 'rename a file, star a file, tag a document',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/files/{file_id}',
  about:
    'Rename, describe, star or label a file or folder; use update_file_content for its content',
  on: {
    file: file.see.describe('a star is personal and needs no right to change the file'),
    add_labels: label.see.many.maybe.named('add_label_ids'),
    remove_labels: label.see.many.maybe.named('remove_label_ids'),
  },
  input: {
    name: shortText(1000).min(1).optional(),
    description: shortText(10_000).optional().describe('empty: none'),
    starred: z.boolean().optional(),
  },
  output: File,
  revision: 'file',
  async handle({ file: row, name, description, starred, add_labels, remove_labels }, ctx) {
    const needsEditRight =
      name !== undefined ||
      description !== undefined ||
      add_labels !== undefined ||
      remove_labels !== undefined
    if (needsEditRight) await file.demand(ctx, row.id, 'edit', 'file_id')
    if (name !== undefined || description !== undefined) requireRight(row, 'rename')
    let now = name === undefined ? row : await rename(ctx, row, requireFileName(name))
    if (description !== undefined)
      now = await ctx.change('files', now, {
        description: description.trim() === '' ? null : description,
      })
    await relabel(ctx, row, add_labels ?? [], remove_labels ?? [])
    if (starred !== undefined) await star(ctx, row, starred)
    return presentFile(ctx, (await file.find(ctx, row.id))!)
  },
})

async function rename(ctx: WriteContext, row: Row<'files'>, name: string): Promise<Row<'files'>> {
  if (name === row.name) return row
  if (row.is_root === 1)
    throw denied(
      row.place === 'project'
        ? 'A project folder has the name of its project.'
        : 'The top folder of a drive cannot be renamed.',
      row.place === 'project' ? 'Rename the project with update_project.' : undefined,
    )
  const existing =
    row.parent_id === null ? undefined : await childNamed(ctx, row.parent_id, foldFileName(name))
  if (existing && existing.id !== row.id) throw nameTaken(existing)
  return ctx.change('files', row, {
    name,
    name_folded: foldFileName(name),
    modified_at: ctx.now,
    modified_by: ctx.actor.id,
  })
}

async function relabel(
  ctx: WriteContext,
  row: Row<'files'>,
  add: readonly Row<'labels'>[],
  remove: readonly Row<'labels'>[],
): Promise<void> {
  const labelLinks = new Map(
    (await fileLabel.of(ctx, [row.id]).selectAll('file_labels').execute()).map((tie) => [
      tie.label_id,
      tie,
    ]),
  )
  for (const item of add)
    if (!labelLinks.has(item.id))
      await ctx.add('file_labels', { file_id: row.id, label_id: item.id })
  for (const item of remove) {
    const tie = labelLinks.get(item.id)
    if (tie) await ctx.remove('file_labels', tie)
  }
}

async function star(ctx: WriteContext, row: Row<'files'>, isStarred: boolean): Promise<void> {
  const existingStar = await fileStar
    .of(ctx, [row.id])
    .selectAll('file_stars')
    .where('file_stars.person_id', '=', ctx.actor.id)
    .executeTakeFirst()
  if (isStarred && !existingStar)
    await ctx.add('file_stars', { file_id: row.id, person_id: ctx.actor.id })
  if (!isStarred && existingStar) await ctx.remove('file_stars', existingStar)
}
