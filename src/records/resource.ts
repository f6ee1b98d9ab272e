import { ResourceLookup } from './lookup/resource-lookup.ts'
import { RowParam } from './lookup/row-param.ts'
import type { ResourceDefinition } from './resource-definition.ts'
import type { ItemTable } from './row.ts'

export type { ItemRef } from './lookup/resource-queries.ts'
export { type Mode, RowParam } from './lookup/row-param.ts'
export type { ItemTable, Level, Row, Scoped, TableName } from './row.ts'

const resources = new Map<string, Resource<ItemTable>>()
const byPrefix = new Map<string, Resource<ItemTable>>()

/**
 * Resource of one table, defined by its module: the row parameters, the list queries, and the lookup of single rows.
 */
export class Resource<T extends ItemTable> extends ResourceLookup<T> {
  /** Row parameters, for `on`. */
  get see(): RowParam<T, 'one'> {
    return new RowParam(this, 'see', 'one')
  }

  get edit(): RowParam<T, 'one'> {
    return new RowParam(this, 'edit', 'one')
  }

  get own(): RowParam<T, 'one'> {
    return new RowParam(this, 'own', 'one')
  }
}

/** Defines the resource of a table. Called once per table, in its module's access.ts. */
export function resource<T extends ItemTable>(
  table: T,
  definition: ResourceDefinition<T>,
  options: { trash?: boolean } = {},
): Resource<T> {
  const created = new Resource(table, definition, options.trash ?? false)
  if (resources.has(table)) throw new Error(`Table ${table} has two resources.`)
  if (byPrefix.has(definition.prefix))
    throw new Error(`Two resources have ids with ${definition.prefix}_.`)
  const erased = created as unknown as Resource<ItemTable>
  resources.set(table, erased)
  byPrefix.set(definition.prefix, erased)
  return created
}

export function resourceOf(table: string): Resource<ItemTable> {
  const definedResource = resources.get(table)
  if (!definedResource) throw new Error(`Table ${table} has no resource.`)
  return definedResource
}

export function resourceByPrefix(prefix: string | undefined): Resource<ItemTable> | undefined {
  return prefix === undefined ? undefined : byPrefix.get(prefix)
}

/** Every resource that is a separate item (without parts of items), sorted by type. */
export function itemResources(): Resource<ItemTable>[] {
  return [...resources.values()]
    .filter((item) => !item.definition.partOf)
    .sort((a, b) => (a.definition.type < b.definition.type ? -1 : 1))
}

export function allResources(): Resource<ItemTable>[] {
  return [...resources.values()]
}
