import { type Viewer, withTrash } from './access-scope.ts'
import type { Row } from './row.ts'
import { type ItemRef, type ItemTable, type Resource, itemResources } from './resource.ts'

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
