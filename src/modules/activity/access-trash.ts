import { type SqlBool, sql } from 'kysely'
import { type Viewer, accessScopeOf, withTrash } from '../../records/access-scope.ts'
import { extensionOf } from '../../records/resource-extensions.ts'
import type { ItemTable, Resource } from '../../records/resource.ts'
import { anyRows } from '../../records/row.ts'

/** A row in the trash, of whatever table. */
export type Trashed = Record<string, unknown> & {
  id: string
  deleted_at: number
  deleted_by: string | null
  deleted_with: string | null
}

/** Items of one resource that the actor may take out of the trash, newest first; not what merely went along with another one. */
export async function trashedIn(
  from: Viewer,
  of: Resource<ItemTable>,
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
  const column = (name: string) => sql.ref(`${of.table}.${name}`)
  let query = anyRows(of.restorable(from))
    .selectAll(of.table as 'tasks')
    .where(column('org_id'), '=', accessScopeOf(from).actor.org_id)
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
export async function lyingWith(
  from: Viewer,
  of: Resource<ItemTable>,
  id: string,
): Promise<{ type: string; count: number }[]> {
  const seen = anyRows(of.visibleTo(withTrash(from))) // some of a tree of pages may belong to others
  const column = (name: string) => sql.ref(`${of.table}.${name}`)
  const along = await seen
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(column('deleted_with'), '=', id)
    .where(column('deleted_at'), 'is not', null)
    .where(column('id'), '<>', id)
    .executeTakeFirst()
  const others = (await extensionOf(of, 'trash')?.restoredWith?.(id, accessScopeOf(from))) ?? []
  return [...(along ? [{ type: of.definition.type, count: along.count }] : []), ...others].filter(
    (item) => item.count > 0,
  )
}
