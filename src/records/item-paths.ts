import { allResources, type ItemTable, type Resource, type Row } from './resource.ts'

/** Path at which the web app shows items of one kind. */
export interface ItemPath {
  type: string
  /** Id prefix: `tsk`. */
  prefix: string
  /** Route: `/tasks/$id`; `$of` stands for the parent item, and parts without pages have its path. */
  path: string
}

/** The paths of all kinds, as declared by their resources. */
export function itemPaths(): ItemPath[] {
  return allResources().map((resource) => ({
    type: resource.definition.type,
    prefix: resource.definition.prefix,
    path: routeOf(resource),
  }))
}

/** The path of a row whose columns are all placeholders. */
function routeOf(resource: Resource<ItemTable>): string {
  const columns = new Proxy({} as Row<ItemTable>, {
    get: (_, name) => (name === 'id' || name === 'key' ? '$id' : '$of'),
  })
  return resource.url(columns, '').replace(/#.*/, '')
}
