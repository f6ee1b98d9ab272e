import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { operation } from '../../operations/operation.ts'
import { omitNullish } from '../../kernel/present.ts'
import { shape } from '../../kernel/shape.ts'
import { anyItem, type AnyItem } from '../../records/items.ts'
import { resourceOf } from '../../records/resource.ts'
import { ItemRef } from '../../records/shapes.ts'

const FoundItem = shape('FoundItem', {
  ...ItemRef.shape,
  part_of: ItemRef.optional().describe('for comments, versions and other parts of an item'),
  item: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('as `read_with` answers; absent for parts that only their item shows'),
  read_with: z.string().describe('the tool that reads such items'),
})

export const getItem = operation({
  name: 'get_item',
  searchHint:
    'open a link, open this address, look up an id, what is this id or key, resolve a reference, read any item',
  kind: 'read',
  rest: 'GET /api/items/{item_id}',
  about: 'Any item by id, key, web address or unique name, with its kind and its fields',
  on: { item: anyItem.see.describe('id, key, web address or unique name of any kind of item') },
  output: FoundItem,
  async handle({ item: { resource, row } }, ctx) {
    const itemPresenter = ctx.catalogue.presenters.get(resource.definition.type)
    const parent = await parentOf(ctx, { resource, row })
    const reader = itemPresenter?.reader ?? itemReaderOf(ctx, parent) ?? 'list_activity'
    const refusal = ctx.refusalFor(ctx.catalogue.requireEntry(reader))
    if (refusal) throw refusal
    const item = (await itemPresenter?.item(ctx, row)) as Record<string, unknown> | undefined
    return omitNullish({
      ...resource.ref(row, ctx.baseUrl),
      ...(typeof item?.id === 'string' ? { id: item.id } : {}),
      part_of: parent?.resource.ref(parent.row, ctx.baseUrl),
      item,
      read_with: reader,
    })
  },
})

const itemReaderOf = (ctx: ReadContext, item: AnyItem | undefined) =>
  ctx.catalogue.presenters.get(item?.resource.definition.type ?? '')?.reader

/** The parent item of a row, if visible to the caller. */
async function parentOf(
  ctx: ReadContext,
  { resource, row }: AnyItem,
): Promise<AnyItem | undefined> {
  const { partOf } = resource.definition
  if (!partOf) return undefined
  const owner = resourceOf(partOf.table)
  const id = String(Reflect.get(row, partOf.by))
  const parentRow = (await owner.among(ctx, [id])).get(id)
  if (!parentRow) return undefined
  return { resource: owner, row: parentRow }
}
