import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { prefixOf } from '../../../kernel/ids.ts'
import type { AnyItem } from '../../../records/items.ts'
import { resourceByPrefix, type ItemRef as Reference } from '../../../records/resource.ts'
import type { Viewer } from '../../../records/access-scope.ts'
import { ItemRef } from '../../../records/shapes.ts'

/** Source of a statement: the item, if the reader sees it now; otherwise, or if it no longer exists, `hidden`. */
export const FactSource = z.union([ItemRef, z.literal('hidden')])

/** Source columns of a row. */
export interface SourceColumns {
  source_type: string | null
  source_id: string | null
}

/** Columns that identify a source. */
export function sourceColumnsOf(item: AnyItem | undefined): {
  source_type: string | null
  source_id: string | null
} {
  return item
    ? { source_type: item.resource.definition.type, source_id: item.row.id }
    : { source_type: null, source_id: null }
}

/** Currently visible items of any kind, by id, including former ids. */
export async function itemsAmong(
  viewer: Viewer,
  ids: Iterable<string | null | undefined>,
): Promise<Map<string, AnyItem>> {
  const itemsById = new Map<string, AnyItem>()
  const uniqueIds = [...new Set([...ids].filter((id) => id != null))]
  for (const [resource, some] of Map.groupBy(uniqueIds, (id) => resourceByPrefix(prefixOf(id)))) {
    if (!resource) continue
    for (const [id, row] of await resource.among(viewer, some))
      itemsById.set(id, { resource, row: row as AnyItem['row'] })
  }
  return itemsById
}

/** The same as references. */
export async function itemRefs(
  ctx: ReadContext,
  ids: Iterable<string | null | undefined>,
): Promise<Map<string, Reference>> {
  const items = await itemsAmong(ctx, ids)
  return new Map([...items].map(([id, { resource, row }]) => [id, resource.ref(row, ctx.baseUrl)]))
}

/** The field for a row's source; omitted if there is none. */
export function sourceField(
  row: SourceColumns,
  refs: ReadonlyMap<string, Reference>,
): { source?: Reference | 'hidden' } {
  return row.source_id === null ? {} : { source: refs.get(row.source_id) ?? 'hidden' }
}
