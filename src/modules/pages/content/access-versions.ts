import type { Row } from '../../../records/resource.ts'
import { sightOf, type Viewer } from '../../../records/access-scope.ts'

/** The number of the version that a page, which was seen, had at a revision; undefined where that is not known. */
export async function versionAt(
  from: Viewer,
  row: Pick<Row<'pages'>, 'id'>,
  revision: number,
): Promise<number | undefined> {
  const found = await sightOf(from)
    .all.selectFrom('page_versions')
    .select('number')
    .where('page_id', '=', row.id)
    .where('page_revision', '<=', revision)
    .orderBy('number', 'desc')
    .executeTakeFirst()
  return found?.number
}

/** Who wrote the versions after one, of a page that was seen. */
export async function writersAfter(
  from: Viewer,
  row: Pick<Row<'pages'>, 'id'>,
  number: number,
  limit: number,
): Promise<Row<'page_versions'>['created_by'][]> {
  const found = await sightOf(from)
    .all.selectFrom('page_versions')
    .select('created_by')
    .distinct()
    .where('page_id', '=', row.id)
    .where('number', '>', number)
    .limit(limit)
    .execute()
  return found.map((version) => version.created_by)
}
