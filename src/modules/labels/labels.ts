import { z } from 'zod'
import type { ReadContext } from '../../core/context.ts'
import { color, paging, pageOf, shortText, title } from '../../core/fields.ts'
import { containsText } from '../../core/folded.ts'
import { operation } from '../../core/operation.ts'
import { paged, shown } from '../../core/paging.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Row } from '../../core/resource.ts'
import { deletedRef } from '../people/shapes.ts'
import { DeletedRef } from '../../core/shapes.ts'
import { contact, contactLabel } from '../contacts/access.ts'
import { file, fileLabel } from '../drive/access.ts'
import { page, pageLabel } from '../pages/access.ts'
import { task, taskLabel } from '../tasks/access.ts'
import { label } from './access.ts'
import { Label, showLabels, type LabelUses } from './shapes.ts'

const itemTypes = ['task', 'page', 'contact', 'deal', 'file', 'incident'] as const

export const listLabels = operation({
  name: 'list_labels',
  searchHint: 'tags, categories, which tags',
  kind: 'read',
  rest: 'GET /api/labels',
  about: 'Labels of the organization with usage counts per item type',
  input: {
    query: shortText(200).optional(),
    item_type: z.enum(itemTypes).optional().describe('only labels used on items of this type'),
    ...paging,
  },
  output: pageOf(Label),
  async handle({ query, item_type, limit, cursor }, ctx) {
    let found = label.seen(ctx).selectAll('labels')
    if (query) found = found.where(containsText(['labels.name'], query))
    if (item_type) found = found.where('labels.id', 'in', usedOn(ctx, item_type))
    const page = await paged(
      found,
      [
        { by: 'labels.name', as: 'name', dir: 'asc' },
        { by: 'labels.id', as: 'id', dir: 'asc' },
      ],
      { limit, cursor },
    )
    return shown(page, await withUses(ctx, page.items))
  },
})

export const createLabel = operation({
  name: 'create_label',
  searchHint: 'tag, new tag, category',
  kind: 'write',
  rest: 'POST /api/labels',
  about: 'Create a label; if the name exists, that label is returned with existing: true',
  input: { name: title(), color: color().optional(), description: shortText(2000).optional() },
  output: Label,
  async handle({ name, color, description }, ctx) {
    const existing = await label.find(ctx, name.trim())
    if (existing) return { ...(await one(ctx, existing)), existing: true as const }
    return one(
      ctx,
      await ctx.add('labels', {
        name: name.trim(),
        color: color ?? '#64748b',
        description: description ?? null,
      }),
    )
  },
})

export const updateLabel = operation({
  name: 'update_label',
  searchHint: 'rename a tag, tag color',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/labels/{label_id}',
  about: 'Change the name, color or description of a label',
  on: { label: label.edit },
  input: {
    name: title().optional(),
    color: color().optional(),
    description: shortText(2000).nullable().optional(),
  },
  output: Label,
  async handle({ label: row, name, color, description }, ctx) {
    const other = name ? await label.find(ctx, name.trim()) : undefined
    if (other && other.id !== row.id)
      throw new Refusal('conflict', `A label named "${other.name}" already exists.`, {
        field: 'name',
        context: { existing_id: other.id },
      })
    return one(
      ctx,
      await ctx.change('labels', row, {
        ...(name ? { name: name.trim() } : {}),
        ...(color ? { color } : {}),
        ...(description !== undefined ? { description } : {}),
      }),
    )
  },
})

export const deleteLabel = operation({
  name: 'delete_label',
  searchHint: 'remove a tag, drop a category',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/labels/{label_id}',
  about: 'Delete a label and remove it from all items',
  on: { label: label.own },
  dryRun: true,
  output: DeletedRef,
  async handle({ label: row }, ctx) {
    const {
      task: tasks = 0,
      page: pages = 0,
      contact: contacts = 0,
      file: files = 0,
    } = (await usesOf(ctx, [row.id])).get(row.id) ?? {}
    await ctx.trash('labels', row)
    return deletedRef(
      ctx,
      label.ref(row, ctx.baseUrl),
      [
        { type: 'task_label', count: tasks },
        { type: 'page_label', count: pages },
        { type: 'contact_label', count: contacts },
        { type: 'file_label', count: files },
      ].filter((one) => one.count > 0),
    )
  },
})

async function one(ctx: ReadContext, row: Row<'labels'>) {
  return (await withUses(ctx, [row]))[0]!
}

async function withUses(ctx: ReadContext, rows: Row<'labels'>[]) {
  return showLabels(
    ctx,
    rows,
    await usesOf(
      ctx,
      rows.map((row) => row.id),
    ),
  )
}

async function usesOf(
  ctx: ReadContext,
  ids: Row<'labels'>['id'][],
): Promise<Map<string, LabelUses>> {
  if (ids.length === 0) return new Map()
  const onTasks = await taskLabel
    .of(ctx, ids, 'label_id')
    .where(task.holds(ctx, 'task_labels.task_id'))
    .select((eb) => ['task_labels.label_id', eb.fn.countAll<number>().as('count')])
    .groupBy('task_labels.label_id')
    .execute()
  const onPages = await pageLabel
    .of(ctx, ids, 'label_id')
    .where(page.holds(ctx, 'page_labels.page_id'))
    .select((eb) => ['page_labels.label_id', eb.fn.countAll<number>().as('count')])
    .groupBy('page_labels.label_id')
    .execute()
  const onContacts = await contactLabel
    .of(ctx, ids, 'label_id')
    .where(contact.holds(ctx, 'contact_labels.contact_id'))
    .select((eb) => ['contact_labels.label_id', eb.fn.countAll<number>().as('count')])
    .groupBy('contact_labels.label_id')
    .execute()
  const onFiles = await fileLabel
    .of(ctx, ids, 'label_id')
    .where(file.holds(ctx, 'file_labels.file_id'))
    .select((eb) => ['file_labels.label_id', eb.fn.countAll<number>().as('count')])
    .groupBy('file_labels.label_id')
    .execute()
  const counted = (counts: { label_id: string; count: number }[], id: string) =>
    counts.find((one) => one.label_id === id)?.count ?? 0
  return new Map(
    ids.map((id) => [
      id,
      {
        task: counted(onTasks, id),
        page: counted(onPages, id),
        contact: counted(onContacts, id),
        file: counted(onFiles, id),
      },
    ]),
  )
}

/** Ids of the labels on items of a kind, of those that the caller sees. */
function usedOn(ctx: ReadContext, type: (typeof itemTypes)[number]) {
  if (type === 'task') return usedOnTasks(ctx)
  if (type === 'page') return usedOnPages(ctx)
  if (type === 'file')
    return file
      .seen(ctx)
      .innerJoin('file_labels', 'file_labels.file_id', 'files.id')
      .select('file_labels.label_id')
  return type === 'contact'
    ? contact
        .seen(ctx)
        .innerJoin('contact_labels', 'contact_labels.contact_id', 'contacts.id')
        .select('contact_labels.label_id')
    : []
}

/** Ids of the labels on tasks that the caller sees. */
function usedOnTasks(ctx: ReadContext) {
  return task
    .seen(ctx)
    .innerJoin('task_labels', 'task_labels.task_id', 'tasks.id')
    .select('task_labels.label_id')
}

/** The same of pages. */
function usedOnPages(ctx: ReadContext) {
  return page
    .seen(ctx)
    .innerJoin('page_labels', 'page_labels.page_id', 'pages.id')
    .select('page_labels.label_id')
}
