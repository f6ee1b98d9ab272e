import { omitUndefined } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { color, paging, pageOf, shortText, title } from '../../kernel/fields.ts'
import { containsText } from '../../db/text-conditions.ts'
import { operation } from '../../operations/operation.ts'
import { paged, pageWithItems } from '../../records/paging.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Row } from '../../records/resource.ts'
import { deletedRef } from '../directory/shapes.ts'
import { DeletedRef } from '../../records/shapes.ts'
import { isUsedOn, label, labelledTypes } from './access.ts'
import { presentLabels, usesOf } from './presenter.ts'
import { Label } from './shapes.ts'

export const listLabels = operation({
  name: 'list_labels',
  searchHint: 'tags, categories, which tags',
  kind: 'read',
  rest: 'GET /api/labels',
  about: 'Labels of the organization with usage counts per item type',
  input: {
    query: shortText(200).optional(),
    item_type: z.enum(labelledTypes).optional().describe('only labels used on items of this type'),
    ...paging,
  },
  output: pageOf(Label),
  async handle({ query, item_type, limit, cursor }, ctx) {
    let labelQuery = label.visibleTo(ctx).selectAll('labels')
    if (query) labelQuery = labelQuery.where(containsText(['labels.name'], query))
    if (item_type) labelQuery = labelQuery.where(isUsedOn(ctx, item_type))
    const page = await paged(
      labelQuery,
      [
        { by: 'labels.name', as: 'name', dir: 'asc' },
        { by: 'labels.id', as: 'id', dir: 'asc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await presentLabels(ctx, page.items))
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
    if (existing) return { ...(await presentLabel(ctx, existing)), existing: true as const }
    return presentLabel(
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
    return presentLabel(
      ctx,
      await ctx.change(
        'labels',
        row,
        omitUndefined({
          name: name ? name.trim() : undefined,
          color: color || undefined,
          description,
        }),
      ),
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
    const uses = (await usesOf(ctx, [row.id])).get(row.id) ?? {}
    await ctx.trash('labels', row)
    return deletedRef(
      ctx,
      label.ref(row, ctx.baseUrl),
      labelledTypes
        .map((type) => ({ type: `${type}_label`, count: uses[type] ?? 0 }))
        .filter((item) => item.count > 0),
    )
  },
})

async function presentLabel(ctx: ReadContext, row: Row<'labels'>) {
  return (await presentLabels(ctx, [row]))[0]!
}
