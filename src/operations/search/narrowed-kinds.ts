// The kinds that a search looks through, with what its filters and the caller's access leave of
// them.

import type { Narrow, VisibleRow } from './narrow.ts'
import { sql } from 'kysely'
import type { VisibleItems } from '../../search/worker/protocol.ts'
import type { ReadContext } from '../context.ts'
import { sightOf, type Viewer } from '../../records/access-scope.ts'
import { anyRows } from '../../records/row.ts'
import type { SearchOptions } from './results.ts'
import { searchScopeOf, type Searchable } from './searchable.ts'

/** Items that a filter may name; with more, each hit is checked against the filter afterwards. */
const maxFilteredIds = 20_000
/** Texts without vectors that are read, and items that are counted of them. */
const maxPendingTexts = 10_000
const maxPendingItems = 500

/** A kind with what the filters leave of it. */
export interface NarrowedKind {
  kind: Searchable
  containers: readonly string[]
  visible: VisibleItems
  /** undefined: there are no filters. */
  narrow: Narrow | undefined
}

/** The kinds of which the caller can see something that passes the filters. */
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

/** The ids of those of some items that the caller may see and the filters let through. */
export async function visibleIds(
  ctx: Viewer,
  kinds: readonly NarrowedKind[],
  ids: readonly string[],
): Promise<Set<string>> {
  const visible = new Set<string>()
  for (const { kind, narrow } of kinds) {
    const own = ids.filter((id) => id.startsWith(`${kind.resource.definition.prefix}_`))
    if (own.length === 0) continue
    const seen = kind.resource.visibleTo(ctx)
    const rows = await anyRows(narrow?.(seen) ?? seen)
      .where(sql.ref(`${kind.resource.table}.id`), 'in', own)
      .select(sql<string>`${sql.ref(`${kind.resource.table}.id`)}`.as('id'))
      .execute()
    for (const row of rows) visible.add(row.id)
  }
  return visible
}

/** The same with their rows. */
export async function visibleAmong(
  ctx: Viewer,
  kinds: readonly NarrowedKind[],
  ids: readonly string[],
): Promise<Map<string, VisibleRow>> {
  const visible = new Map<string, VisibleRow>()
  for (const { kind, narrow } of kinds) {
    const own = ids.filter((id) => id.startsWith(`${kind.resource.definition.prefix}_`))
    if (own.length === 0) continue
    const seen = kind.resource.visibleTo(ctx)
    const rows = (await anyRows(narrow?.(seen) ?? seen)
      .where(sql.ref(`${kind.resource.table}.id`), 'in', own)
      .selectAll(kind.resource.table as 'tasks')
      .execute()) as unknown as VisibleRow['row'][]
    for (const row of rows) visible.set(row.id, { searchable: kind, row })
  }
  return visible
}

/** The ids of all items that the filters leave, where they are few enough to name. */
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
 * Visible items whose texts wait for vectors: a container may have more than the caller sees, so
 * each item is checked.
 */
export async function countPending(
  ctx: Viewer,
  kinds: readonly NarrowedKind[],
  containers: readonly string[],
): Promise<number> {
  const inside = new Set(containers)
  const due = await sightOf(ctx)
    .all.selectFrom('search_todo')
    .innerJoin('search_docs', 'search_docs.rowid_', 'search_todo.doc')
    .select(['search_docs.item_id', 'search_docs.container'])
    .limit(maxPendingTexts)
    .execute()
  const ids = new Set(due.filter((item) => inside.has(item.container)).map((item) => item.item_id))
  return (await visibleAmong(ctx, kinds, [...ids].slice(0, maxPendingItems))).size
}
