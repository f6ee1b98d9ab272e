import type { Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'

/** The version of a visible page at a revision, and its first revision; undefined if unknown. */
export async function versionAt(
  viewer: Viewer,
  row: Pick<Row<'pages'>, 'id'>,
  revision: number,
): Promise<{ number: number; page_revision: number } | undefined> {
  const version = await accessScopeOf(viewer)
    .all.selectFrom('page_versions')
    .select(['number', 'page_revision'])
    .where('page_id', '=', row.id)
    .where('page_revision', '<=', revision)
    .orderBy('number', 'desc')
    .executeTakeFirst()
  return version && { number: version.number, page_revision: version.page_revision ?? 0 }
}

/** Authors of the versions after a given one, in order. The reader must be able to see the page. */
export async function authorsAfter(
  reader: Viewer,
  row: Pick<Row<'pages'>, 'id'>,
  number: number,
  limit: number,
): Promise<Row<'page_versions'>['created_by'][]> {
  const versions = await accessScopeOf(reader)
    .all.selectFrom('page_versions')
    .select('created_by')
    .where('page_id', '=', row.id)
    .where('number', '>', number)
    .groupBy('created_by')
    .orderBy((eb) => eb.fn.min('number'))
    .limit(limit)
    .execute()
  return versions.map((version) => version.created_by)
}

/** All authors of a visible page's versions, most active first; only versions written live have entries. */
export async function authorsOfVersions(
  viewer: Viewer,
  ids: readonly Row<'page_versions'>['id'][],
): Promise<Map<string, string[]>> {
  const authors = new Map<string, string[]>()
  if (ids.length === 0) return authors
  const authorRows = await accessScopeOf(viewer)
    .all.selectFrom('page_version_authors')
    .select(['version_id', 'person_id'])
    .where('version_id', 'in', ids)
    .orderBy('chars', 'desc')
    .orderBy('person_id')
    .execute()
  for (const { version_id: id, person_id: person } of authorRows)
    authors.set(id, [...(authors.get(id) ?? []), person])
  return authors
}
