// The kinds that a search covers, narrowed by its filters and the caller's access.

import type { Narrow, VisibleRow } from './narrow.ts'
import { sql, type Compilable } from 'kysely'
import { chunks } from '../../kernel/chunks.ts'
import { prepared } from '../../records/prepared.ts'
import type { ItemTable, Scoped } from '../../records/resource.ts'
import type { VisibleItems } from '../../search/worker/protocol.ts'
import type { ReadContext } from '../context.ts'
import { accessScopeOf, type Viewer } from '../../records/access-scope.ts'
import { anyRows } from '../../records/row.ts'
import type { SearchOptions } from './results.ts'
import { searchScopeOf, type Searchable } from './searchable.ts'

/** Maximum items that a filter may list; above that, each hit is checked against the filter afterwards. */
const maxFilteredIds = 20_000
/** Maximum texts without vectors that are read, and items among them that are counted. */
const maxPendingTexts = 10_000
const maxPendingItems = 500
/** Maximum ids in one compiled query. */
const maxListed = 202

/** A kind with its narrowing by filters. */
export interface NarrowedKind {
  kind: Searchable
  containers: readonly string[]
  visible: VisibleItems
  /** undefined: no filters. */
  narrow: Narrow | undefined
}

/** The kinds with items that the caller can see and that match the filters. */
export async function narrowedKinds(
  ctx: ReadContext,
  { kinds, filter = {}, only }: SearchOptions,
): Promise<NarrowedKind[]> {
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const narrowed: NarrowedKind[] = []
  for (const kind of kinds) {
    const condition = only?.get(kind.kind)
    if (isFiltered && !(await kind.narrow?.(ctx, kind.resource.visibleTo(ctx), filter))) continue
    const filtered: Narrow = (rows) => (isFiltered ? kind.narrow!(ctx, rows, filter)! : rows)
    const narrow: Narrow | undefined =
      isFiltered || condition ? (rows) => condition?.(filtered(rows)) ?? filtered(rows) : undefined
    const { containers, visible } = await searchScopeOf(ctx, kind)
    if (containers.length > 0) narrowed.push({ kind, containers, visible, narrow })
  }
  return narrowed
}

/** The ids of the given items that the caller can see and that match the filters. */
export async function visibleIds(
  ctx: Viewer,
  kinds: readonly NarrowedKind[],
  ids: readonly string[],
): Promise<Set<string>> {
  const visible = new Set<string>()
  for (const [of, own] of ownOf(kinds, ids)) {
    const rows = of.narrow
      ? await idsAmong(of.narrow(of.kind.resource.visibleTo(ctx)), of.kind.resource, own).execute()
      : await queriesOf(of.kind.resource).ids(ctx, { own })
    for (const row of rows) visible.add(row.id)
  }
  return visible
}

/** Like visibleIds(), with the rows. */
export async function visibleAmong(
  ctx: Viewer,
  kinds: readonly NarrowedKind[],
  ids: readonly string[],
): Promise<Map<string, VisibleRow>> {
  const visible = new Map<string, VisibleRow>()
  for (const [of, own] of ownOf(kinds, ids)) {
    const rows = of.narrow
      ? await rowsAmong(of.narrow(of.kind.resource.visibleTo(ctx)), of.kind.resource, own).execute()
      : await queriesOf(of.kind.resource).rows(ctx, { own })
    for (const row of rows) visible.set(row.id, { searchable: of.kind, row })
  }
  return visible
}

/** Splits ids by kind, in lists short enough for one query. */
function ownOf(
  kinds: readonly NarrowedKind[],
  ids: readonly string[],
): [NarrowedKind, readonly string[]][] {
  return kinds.flatMap((narrowed) => {
    const kindIds = ids.filter((id) =>
      id.startsWith(`${narrowed.kind.resource.definition.prefix}_`),
    )
    return [...chunks(kindIds, maxListed)].map((batch): [NarrowedKind, readonly string[]] => [
      narrowed,
      batch,
    ])
  })
}

type AnyResource = Searchable['resource']

function idsAmong(rows: Scoped<ItemTable>, { table }: AnyResource, ids: readonly string[]) {
  const id = sql.ref<string>(`${table}.id`)
  return anyRows(rows).where(id, 'in', ids).select(id.as('id'))
}

function rowsAmong(rows: Scoped<ItemTable>, { table }: AnyResource, itemIds: readonly string[]) {
  return anyRows(rows)
    .where(sql.ref(`${table}.id`), 'in', itemIds)
    .selectAll(table as 'tasks') as Compilable<VisibleRow['row']> & {
    execute(): Promise<VisibleRow['row'][]>
  }
}

/** Queries for kinds without filters, compiled once per resource. */
const compiled = new WeakMap<AnyResource, ReturnType<typeof compiledQueries>>()

function queriesOf(resource: AnyResource): ReturnType<typeof compiledQueries> {
  const cached = compiled.get(resource)
  if (cached) return cached
  const queries = compiledQueries(resource)
  compiled.set(resource, queries)
  return queries
}

function compiledQueries(resource: AnyResource) {
  return {
    ids: prepared((from, { own }: { own: readonly string[] }) =>
      idsAmong(resource.visibleTo(from), resource, own),
    ),
    rows: prepared((from, { own }: { own: readonly string[] }) =>
      rowsAmong(resource.visibleTo(from), resource, own),
    ),
  }
}

/** The ids of all items that match the filters, if few enough to list. */
export async function filteredIds(
  ctx: Viewer,
  kinds: readonly NarrowedKind[],
): Promise<string[] | undefined> {
  if (kinds.every((kind) => kind.narrow === undefined)) return undefined
  const ids: string[] = []
  for (const { kind, narrow } of kinds) {
    if (!narrow) return undefined
    const rows = await anyRows(narrow(kind.resource.visibleTo(ctx)))
      .select(sql<string>`${sql.ref(`${kind.resource.table}.id`)}`.as('id'))
      .limit(maxFilteredIds + 1)
      .execute()
    ids.push(...rows.map((row) => row.id))
    if (ids.length > maxFilteredIds) return undefined
  }
  return ids
}

/**
 * Visible items whose texts wait for vectors: a container may have items that the caller cannot see, so each item is
 * checked.
 */
export async function countPending(
  ctx: Viewer,
  kinds: readonly NarrowedKind[],
  containers: readonly string[],
): Promise<number> {
  const inside = new Set(containers)
  const due = await accessScopeOf(ctx)
    .all.selectFrom('search_todo')
    .innerJoin('search_docs', 'search_docs.rowid_', 'search_todo.doc')
    .select(['search_docs.item_id', 'search_docs.container'])
    .limit(maxPendingTexts)
    .execute()
  const ids = new Set(due.filter((item) => inside.has(item.container)).map((item) => item.item_id))
  return (await visibleAmong(ctx, kinds, [...ids].slice(0, maxPendingItems))).size
}
