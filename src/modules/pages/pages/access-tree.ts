import { prepared } from '../../../records/prepared.ts'
import { sql, type SelectQueryBuilder, type SqlBool } from 'kysely'
import { chunks } from '../../../kernel/chunks.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import type { Tables } from '../../../db/tables.ts'
import { pageContainer, listedPages, page } from '../access.ts'

type PageId = Id<'pages'>

/** Maximum nesting of pages. */
export const maxPageDepth = 100

/** Columns of a page in the tree. */
export type PageNode = Pick<
  Row<'pages'>,
  'id' | 'parent_id' | 'owner_id' | 'visibility' | 'title' | 'position'
>
const nodeColumns = [
  'pages.id',
  'pages.parent_id',
  'pages.owner_id',
  'pages.visibility',
  'pages.title',
  'pages.position',
] as const

/**
 * Parents of some pages, including invisible ones and those in the trash: presence in the result does
 * not permit disclosing a page.
 */
export async function pagesAbove(
  viewer: Viewer,
  ids: readonly PageId[],
): Promise<Map<PageId, PageNode>> {
  if (ids.length === 0) return new Map()
  const rows = await accessScopeOf(viewer)
    .all.withRecursive('above', (db) =>
      db
        .selectFrom('pages')
        .select(['pages.id', 'pages.parent_id'])
        .where('pages.id', 'in', ids)
        .union(
          db
            .selectFrom('pages')
            .innerJoin('above', 'above.parent_id', 'pages.id')
            .select(['pages.id', 'pages.parent_id']),
        ),
    )
    .selectFrom('pages')
    .innerJoin('above', 'above.id', 'pages.id')
    .select(nodeColumns)
    .distinct()
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** The path from a page up to the top level, nearest first, from the result of pagesAbove. */
export function pathToRoot(nodes: ReadonlyMap<PageId, PageNode>, id: PageId | null): PageNode[] {
  const path: PageNode[] = []
  for (
    let at = id === null ? undefined : nodes.get(id);
    at && path.length <= maxPageDepth && !path.includes(at);
    at = at.parent_id === null ? undefined : nodes.get(at.parent_id)
  )
    path.push(at)
  return path
}

/** A page and everything below it, visible or not, excluding the trash, parents first. */
export async function pageTreeRows(viewer: Viewer, id: PageId): Promise<Row<'pages'>[]> {
  return accessScopeOf(viewer)
    .all.withRecursive('below', (db) =>
      db
        .selectFrom('pages')
        .select(['pages.id', sql<number>`0`.as('depth')])
        .where('pages.id', '=', id)
        .unionAll(
          db
            .selectFrom('pages')
            .innerJoin('below', 'below.id', 'pages.parent_id')
            .select(['pages.id', sql<number>`below.depth + 1`.as('depth')])
            .where('pages.deleted_at', 'is', null)
            .where('below.depth', '<=', 2 * maxPageDepth),
        ),
    )
    .selectFrom('below')
    .innerJoin('pages', 'pages.id', 'below.id')
    .selectAll('pages')
    .orderBy('below.depth')
    .orderBy('pages.position')
    .orderBy('pages.id')
    .execute()
}

/** Narrows to everything below a page, at any depth. */
export function belowPage(pages: Scoped<'pages'>, id: PageId): Scoped<'pages'> {
  return pages.where(
    sql<SqlBool>`pages.id in (with recursive down (id) as (select under.id from pages as under where under.parent_id = ${id} union select under.id from pages as under join down on under.parent_id = down.id) select down.id from down)`,
  )
}

/** Visible pages below one (or all), with the data for a tree. */
export async function visibleNodes(
  viewer: Viewer,
  root: PageId | undefined,
  narrow: (pages: Scoped<'pages'>) => Scoped<'pages'> = (pages) => pages,
) {
  const seen = narrow(listedPages(viewer))
  return (root === undefined ? seen : belowPage(seen, root))
    .select([
      'pages.id',
      'pages.title',
      'pages.icon',
      'pages.parent_id',
      'pages.position',
      'pages.version',
    ])
    .orderBy('pages.position')
    .orderBy('pages.id')
    .execute()
}

/** Position of the last page under a parent (null: top level), visible to the actor or not. */
export async function lastPosition(reader: Viewer, parent: PageId | null): Promise<string | null> {
  const row = await siblings(reader, parent)
    .select('pages.position')
    .orderBy('pages.position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.position ?? null
}

/** The position after a sibling; ignores `moved` itself. */
export async function positionAfter(
  viewer: Viewer,
  parent: PageId | null,
  position: string | null,
  moved: PageId,
): Promise<string | null> {
  const all = siblings(viewer, parent).where('pages.id', '<>', moved)
  const row = await (position === null ? all : all.where('pages.position', '>', position))
    .select('pages.position')
    .orderBy('pages.position')
    .limit(1)
    .executeTakeFirst()
  return row?.position ?? null
}

/** Includes the trash: restored pages must not share a position. */
function siblings(reader: Viewer, parent: PageId | null) {
  const { all, actor } = accessScopeOf(reader)
  return all
    .selectFrom('pages')
    .where('pages.org_id', '=', actor.org_id)
    .where('pages.parent_id', parent === null ? 'is' : '=', parent)
}

/** Shares of these pages, visible or not. For access rules only. */
export async function sharesOn(
  viewer: Viewer,
  ids: readonly PageId[],
): Promise<Pick<Row<'page_shares'>, 'page_id' | 'person_id' | 'role'>[]> {
  const shareRows: Pick<Row<'page_shares'>, 'page_id' | 'person_id' | 'role'>[] = []
  for (const batch of chunks(ids, 500)) {
    shareRows.push(
      ...(await accessScopeOf(viewer)
        .all.selectFrom('page_shares')
        .select(['page_id', 'person_id', 'role'])
        .where('page_id', 'in', batch)
        .execute()),
    )
  }
  return shareRows
}

/** Number of earlier versions that must be read to restore the text of a page's current one. */
export async function versionDepth(
  reader: Viewer,
  row: Pick<Row<'pages'>, 'id' | 'version'>,
): Promise<number> {
  const version = await accessScopeOf(reader)
    .all.selectFrom('page_versions')
    .select('depth')
    .where('page_id', '=', row.id)
    .where('number', '=', row.version)
    .executeTakeFirst()
  return version?.depth ?? 0
}

/** People who see organization pages: all active ones except guests. */
export async function organizationReaders(viewer: Viewer): Promise<Id<'users'>[]> {
  const { all, actor } = accessScopeOf(viewer)
  const rows = await all
    .selectFrom('users')
    .select('id')
    .where('org_id', '=', actor.org_id)
    .where('status', '=', 'active')
    .where('role', '<>', 'guest')
    .execute()
  return rows.map((row) => row.id)
}

/**
 * Pages shared with the actor, with the containers of their texts: their owners, or the organization, whose texts
 * a guest cannot see otherwise.
 */
export async function sharedPageContainers(
  reader: Viewer,
): Promise<{ id: PageId; container: string }[]> {
  return (await sharedPages(reader, {})).map((row) => ({
    id: row.id,
    container: pageContainer(row),
  }))
}

const sharedPages = prepared((from) => {
  const { actor } = accessScopeOf(from)
  const others = listedPages(from).where(({ not, and, eb }) =>
    not(and([eb('pages.visibility', '=', 'private'), eb('pages.owner_id', '=', actor.id)])),
  )
  const shared = actor.role === 'guest' ? others : others.where('pages.visibility', '=', 'private')
  return shared.select(['pages.id', 'pages.visibility', 'pages.org_id', 'pages.owner_id'])
})

/**
 * Whether the actor may add pages below a visible one: with edit access, and anywhere among organization pages except
 * as a guest.
 */
export async function mayAddBelow(viewer: Viewer, parent: Row<'pages'>): Promise<boolean> {
  if (parent.visibility === 'organization' && accessScopeOf(viewer).actor.role !== 'guest')
    return true
  return (await page.find(viewer, parent.id, 'edit')) !== undefined
}

/** Narrows to pages with a label. */
export function withLabel(pages: Scoped<'pages'>, labelId: Id<'labels'>): Scoped<'pages'> {
  return pages.where(
    sql<SqlBool>`pages.id in (select tied.page_id from page_labels as tied where tied.label_id = ${labelId})`,
  )
}

/** Narrows to comments with resolved or unresolved threads. */
export function withResolvedState<O>(
  comments: SelectQueryBuilder<Tables, 'page_comments', O>,
  resolved: boolean,
): SelectQueryBuilder<Tables, 'page_comments', O> {
  return comments.where(
    sql<SqlBool>`coalesce((select first.resolved from page_comments as first where first.id = page_comments.reply_to_id), page_comments.resolved) = ${resolved ? 1 : 0}`,
  )
}
