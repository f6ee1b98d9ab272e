import { sql, type Kysely, type SqlBool } from 'kysely'
import type { CoveredItem } from '../../../records/resource-definition.ts'
import type { Row } from '../../../records/resource.ts'
import type { AccessScope } from '../../../records/access-scope.ts'
import type { Tables } from '../../../db/tables.ts'

/** Maximum pages with an address per publication; more stay unpublished. */
const maxPublished = 1000

/** Whether a page is public: published itself, or below a page that is published with its subpages. */
export async function isPublic(row: Row<'pages'>, scope: AccessScope): Promise<boolean> {
  if (row.version === 0 || row.deleted_at !== null) return false
  const isOrCoversPublished = sql<SqlBool>`exists (select 1 from page_publications as web where web.page_id = above.id and (above.depth = 0 or web.include_children = 1))`
  const self = scope.all
    .selectFrom('pages')
    .select([
      'pages.id',
      sql<string | null>`cast(${row.parent_id} as text)`.as('parent_id'),
      'pages.owner_id',
      sql<number>`0`.as('depth'),
    ])
    .where('pages.id', '=', row.id)
  const publishedPage = await scope.all
    .withRecursive('above', (db) =>
      self.unionAll(
        db
          .selectFrom('pages')
          .innerJoin('above', 'above.parent_id', 'pages.id')
          .select([
            'pages.id',
            'pages.parent_id',
            'pages.owner_id',
            sql<number>`above.depth + 1`.as('depth'),
          ])
          .where('above.depth', '<', 200),
      ),
    )
    .selectFrom('above')
    .select('above.id')
    .where(isOrCoversPublished)
    .where(sql<SqlBool>`(above.owner_id = ${row.owner_id} or ${row.visibility} = 'organization')`) // private pages of colleagues are not published along
    .executeTakeFirst()
  return publishedPage !== undefined
}

/** Subpages that are published with a page. */
export async function coveredPages(
  row: Row<'pages'>,
  accessScope: AccessScope,
): Promise<CoveredItem[]> {
  return (await publishedBelow(accessScope.all, row, accessScope.actor.role === 'guest')).map(
    ({ id, title, revision }) => ({ type: 'page', id, title, revision }),
  )
}

/** Subpages published along with a page. */
export function publishedBelow(
  all: Kysely<Tables>,
  root: Row<'pages'>,
  onlyOwn: boolean,
): Promise<Row<'pages'>[]> {
  return all
    .withRecursive('below', (db) =>
      db
        .selectFrom('pages')
        .select(['pages.id', sql<number>`1`.as('depth')])
        .where('pages.parent_id', '=', root.id)
        .where('pages.deleted_at', 'is', null)
        .where(isPublishedAlong(root, onlyOwn))
        .unionAll(
          db
            .selectFrom('below')
            .innerJoin('pages', 'pages.parent_id', 'below.id')
            .select(['pages.id', sql<number>`below.depth + 1`.as('depth')])
            .where('pages.deleted_at', 'is', null)
            .where(isPublishedAlong(root, onlyOwn)),
        ),
    )
    .selectFrom('below')
    .innerJoin('pages', 'pages.id', 'below.id')
    .selectAll('pages')
    .orderBy('below.depth')
    .orderBy('pages.position')
    .orderBy('pages.id')
    .limit(maxPublished - 1)
    .execute()
}

function isPublishedAlong(root: Row<'pages'>, onlyOwn: boolean) {
  return sql<SqlBool>`(pages.owner_id = ${root.owner_id} or (pages.visibility = 'organization' and ${onlyOwn ? 0 : 1} = 1))`
}
