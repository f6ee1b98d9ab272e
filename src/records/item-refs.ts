import { type Viewer, withTrash } from './access-scope.ts'
import type { Row } from './row.ts'
import { type ItemRef, type ItemTable, type Resource, itemResources } from './resource.ts'

/** References to items of mixed kinds, by id; those that the viewer may not see are left out. */
export async function refsOf(
  from: Viewer,
  wanted: readonly { type: string; id: string }[],
  baseUrl: string,
): Promise<Map<string, ItemRef>> {
  const refs = new Map<string, ItemRef>()
  for (const resource of itemResources()) {
    const ids = wanted
      .filter((item) => item.type === resource.definition.type)
      .map((item) => item.id)
    for (const [id, row] of await resource.among(from, ids))
      refs.set(id, resource.ref(row, baseUrl))
  }
  return refs
}

/** References to items that the actor may see, those in the trash included. */
export function refsAnywhere(
  from: Viewer,
  wanted: readonly { type: string; id: string }[],
  baseUrl: string,
): Promise<Map<string, ItemRef>> {
  return refsOf(withTrash(from), wanted, baseUrl)
}

/** Rows of one resource that the actor may see, those in the trash included. */
export function amongAnywhere<T extends ItemTable>(
  from: Viewer,
  of: Resource<T>,
  ids: readonly string[],
): Promise<Map<string, Row<T>>> {
  return of.among(withTrash(from), ids)
}
