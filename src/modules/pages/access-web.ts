import { sql, type SqlBool } from 'kysely'
import type { Row } from '../../core/resource.ts'
import type { Sight } from '../../core/sight.ts'

/** What visitors of a published page see of it, and where it stands among the published ones. */
const shown = ['version', 'title', 'icon', 'parent_id', 'visibility', 'deleted_at'] as const

/**
 * Whether a change puts something of a page on the web, because it is published, or stands below a page that is published with those below.
 * Asked for keys alone that send nothing without a person: what others write on a published page is published by that, as it should be.
 */
export async function comesToTheWeb(row: Row<'pages'>, before: Row<'pages'> | undefined, s: Sight): Promise<boolean> {
  if (!s.actor.key?.hold_outbound || row.deleted_at !== null || row.version === 0) return false
  if (before && shown.every(column => row[column] === before[column])) return false
  const published = sql<SqlBool>`exists (select 1 from page_publications as web where web.page_id = above.id and (above.depth = 0 or web.include_children = 1))`
  const found = await s.all
    .withRecursive('above', db =>
      db
        .selectFrom('pages')
        .select(['pages.id', 'pages.parent_id', 'pages.owner_id', sql<number>`0`.as('depth')])
        .where('pages.id', '=', row.id)
        .unionAll(db.selectFrom('pages').innerJoin('above', 'above.parent_id', 'pages.id').select(['pages.id', 'pages.parent_id', 'pages.owner_id', sql<number>`above.depth + 1`.as('depth')]).where('above.depth', '<', 200)),
    )
    .selectFrom('above')
    .select('above.id')
    .where(published)
    .where(sql<SqlBool>`(above.owner_id = ${row.owner_id} or ${row.visibility} = 'organization')`) // what a colleague keeps private is not published along
    .executeTakeFirst()
  return found !== undefined
}
