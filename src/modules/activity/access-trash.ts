import { type SqlBool, sql } from 'kysely'
import { type Viewer, accessScopeOf, withTrash } from '../../records/access-scope.ts'
import { extensionOf } from '../../records/resource-extensions.ts'
import type { ItemTable, Resource } from '../../records/resource.ts'
import { anyRows } from '../../records/row.ts'

/** A row of any table in the trash. */
export type Trashed = Record<string, unknown> & {
  id: string
  deleted_at: number
  deleted_by: string | null
  deleted_with: string | null
}

/** Items of one resource that the actor may restore, newest first; without those trashed along with another one. */
export async function trashedIn(
  viewer: Viewer,
  resource: Resource<ItemTable>,
  {
    by,
    since,
    place,
    limit,
  }: {
    by?: string | undefined
    since?: number | undefined
    place?: { at: number; id: string } | undefined
    limit: number
  },
): Promise<Trashed[]> {
  const column = (name: string) => sql.ref(`${resource.table}.${name}`)
  let query = anyRows(resource.restorable(viewer))
    .selectAll(resource.table as 'tasks')
    .where(column('org_id'), '=', accessScopeOf(viewer).actor.org_id)
    .where(column('deleted_with'), '=', column('id'))
  if (by !== undefined) query = query.where(column('deleted_by'), '=', by)
  if (since !== undefined) query = query.where(column('deleted_at'), '>=', since)
  if (place)
    query = query.where(
      sql<SqlBool>`(${column('deleted_at')}, ${column('id')}) < (${place.at}, ${place.id})`,
    )
  return (await query
    .orderBy(column('deleted_at'), 'desc')
    .orderBy(column('id'), 'desc')
    .limit(limit)
    .execute()) as Trashed[]
}

/**
 * Rows that are restored together with an item, by type: those trashed along with it, and those that its resource
 * restores in addition.
 */
export async function countsRestoredWith(
  reader: Viewer,
  itemType: Resource<ItemTable>,
  id: string,
): Promise<{ type: string; count: number }[]> {
  const visible = anyRows(itemType.visibleTo(withTrash(reader))) // some pages of a tree may belong to others
  const column = (name: string) => sql.ref(`${itemType.table}.${name}`)
  const trashedWith = await visible
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(column('deleted_with'), '=', id)
    .where(column('deleted_at'), 'is not', null)
    .where(column('id'), '<>', id)
    .executeTakeFirst()
  const others =
    (await extensionOf(itemType, 'trash')?.restoredWith?.(id, accessScopeOf(reader))) ?? []
  return [
    ...(trashedWith ? [{ type: itemType.definition.type, count: trashedWith.count }] : []),
    ...others,
  ].filter((item) => item.count > 0)
}
