import { columnOf, itemRow } from '../../../records/row.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { itemResources, type ItemRef, type Row } from '../../../records/resource.ts'
import type { Image } from '../../../records/row-images.ts'
import type { AnyItem } from '../../../records/items.ts'
import { refsAnywhere } from '../../../records/item-refs.ts'

/**
 * References to the item of each change, by seq. The changes are visible to the reader; an erased item is shown in
 * its last state.
 */
export async function changeRefs(
  ctx: ReadContext,
  rows: readonly Row<'changes'>[],
): Promise<Map<number, ItemRef>> {
  const refs = await refsAnywhere(
    ctx,
    rows.map((row) => ({ type: row.item_type, id: row.item_id })),
    ctx.baseUrl,
  )
  return new Map(
    rows.flatMap((row) => {
      const ref = refs.get(row.item_id) ?? erasedItemRef(row, ctx.baseUrl)
      return ref ? [[row.seq, ref] as const] : []
    }),
  )
}

function erasedItemRef(row: Row<'changes'>, baseUrl: string): ItemRef | undefined {
  const resource = itemResources().find(
    (itemResource) => itemResource.definition.type === row.item_type,
  )
  const images = JSON.parse(row.images_json ?? '[]') as Image[]
  const last = images.find(
    (image) =>
      image.table === resource?.table && image.key.id === row.item_id && image.op === 'remove',
  )
  return resource && last?.before ? resource.ref(itemRow(last.before), baseUrl) : undefined
}

/** Id of the item that an event belongs to: a part (such as a comment) counts as its parent item. */
export function itemIdOf({ resource, row }: AnyItem): string {
  const { partOf } = resource.definition
  return partOf ? String(columnOf(row, partOf.by)) : row.id
}
