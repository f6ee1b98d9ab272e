import { sql, type SqlBool } from 'kysely'
import { prefixOf } from '../kernel/ids.ts'
import { accessScopeOf, type Viewer, withTrash } from './access-scope.ts'
import { anyRows, itemRow, type Row, wholeRows } from './row.ts'
import {
  type ItemRef,
  type ItemTable,
  type Resource,
  itemResources,
  resourceByPrefix,
} from './resource.ts'

/** References to items of mixed kinds, by id, without those that the viewer cannot see. */
export async function refsOf(
  viewer: Viewer,
  wanted: readonly { type: string; id: string }[],
  baseUrl: string,
): Promise<Map<string, ItemRef>> {
  const refs = new Map<string, ItemRef>()
  for (const resource of itemResources()) {
    const ids = wanted
      .filter((item) => item.type === resource.definition.type)
      .map((item) => item.id)
    for (const [id, row] of await resource.among(viewer, ids))
      refs.set(id, resource.ref(row, baseUrl))
  }
  return refs
}

/** References to items that the actor can see, including the trash. */
export function refsAnywhere(
  reader: Viewer,
  wanted: readonly { type: string; id: string }[],
  baseUrl: string,
): Promise<Map<string, ItemRef>> {
  return refsOf(withTrash(reader), wanted, baseUrl)
}

/** Rows of one resource that the actor can see, including the trash. */
export function amongAnywhere<T extends ItemTable>(
  viewer: Viewer,
  resource: Resource<T>,
  ids: readonly string[],
): Promise<Map<string, Row<T>>> {
  return resource.among(withTrash(viewer), ids)
}

/** The ids of items with text written by outsiders, visible or not. Erased items are treated as such. */
export async function externalIds(
  reader: Viewer,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const external = new Set<string>()
  for (const [prefix, some] of Map.groupBy(new Set(ids), prefixOf)) {
    const resource = resourceByPrefix(prefix)
    const isExternal = resource?.definition.isExternal
    if (!resource || !isExternal) continue
    const rows = await wholeRows(
      anyRows(accessScopeOf(reader).all.selectFrom(resource.table as 'tasks')).where(
        sql<SqlBool>`${sql.ref(`${resource.table}.id`)} in (${sql.join(some)})`,
      ),
      resource.table as 'tasks',
    )
    const byId = new Map(rows.map((row) => [row.id as string, itemRow(row)]))
    for (const id of some) {
      const row = byId.get(id)
      if (!row || isExternal(row)) external.add(id)
    }
  }
  return external
}
