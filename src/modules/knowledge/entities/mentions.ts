import { chunks } from '../../../kernel/chunks.ts'
import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import type { Ref } from '../../../records/shapes.ts'
import { entity, entityName, linksFrom } from '../access.ts'
import { entityIdsOf, sourceIds } from './access-counts.ts'
import { entityRef } from '../shapes.ts'
import { itemsAmong } from '../facts/sources.ts'

const maxEntities = 10
const maxItems = 200
const maxNames = 5
/** Ids per compiled query. */
const maxListed = 404

/** Visible entities that represent items or have them as source; by item id. */
export async function entitiesOf(
  ctx: ReadContext,
  itemIds: readonly string[],
): Promise<Map<string, Ref[]>> {
  const ids = await entityIdsOf(ctx, itemIds)
  const rows = await entity.among(
    ctx,
    [...ids.values()].flatMap((ids) => [...ids]),
  )
  return new Map(
    [...ids].map(([item, some]) => [
      item,
      [...some]
        .flatMap((id) => rows.get(id) ?? [])
        .slice(0, maxEntities)
        .map(entityRef),
    ]),
  )
}

/** Ids of visible items related to an entity: its own item, its sources, and those linked with it or its item. */
export async function itemsOfEntity(ctx: ReadContext, row: Row<'entities'>): Promise<string[]> {
  const sources = (await sourceIds(ctx, [row.id], maxItems)).get(row.id)!
  const visibleItems = await itemsAmong(ctx, [row.item_id, ...sources])
  const ownIds =
    row.item_id !== null && visibleItems.has(row.item_id) ? [row.id, row.item_id] : [row.id]
  const links = await linksAt(ctx, ownIds)
  const linkedIds = links
    .flatMap((link) => [link.from_id, link.to_id])
    .filter((id) => !ownIds.includes(id))
  return [...new Set([...visibleItems.keys(), ...linkedIds])]
}

/** Links of items with both ends visible, newest first. */
export async function linksAt(
  ctx: ReadContext,
  ids: readonly string[],
  limit = maxItems,
): Promise<Row<'item_links'>[]> {
  const rows: Row<'item_links'>[] = []
  for (const side of ['from_id', 'to_id'] as const) {
    const links: Row<'item_links'>[] = []
    for (const batch of chunks(ids, maxListed))
      links.push(...(await linksFrom(ctx, side, batch, limit)))
    rows.push(...links.sort(newestFirst).slice(0, limit))
  }
  return [...new Map(rows.map((row) => [row.id, row])).values()].sort(newestFirst)
}

const newestFirst = (a: { id: string }, b: { id: string }) => (a.id < b.id ? 1 : -1)

/** An entity's name and a few alternatives, as search words. */
export async function wordsOfEntity(ctx: ReadContext, row: Row<'entities'>): Promise<string> {
  const names = await entityName
    .of(ctx, [row.id])
    .select('entity_names.name')
    .orderBy('entity_names.added_at')
    .limit(maxNames)
    .execute()
  return [row.name, ...names.map((name) => name.name)].join(' ')
}
