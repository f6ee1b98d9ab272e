import { sql, type Expression } from 'kysely'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'

/** No file has columns for more custom fields than this; those that are used most get one. */
const maxFields = 200

/** Names of the custom fields in rows that were seen, A to Z. */
export async function fieldNamesOf(
  viewer: Viewer,
  rows: Expression<{ fields: string }>,
): Promise<string[]> {
  const { rows: fieldRows } = await sql<{ name: string }>`
    select field.key as name from (${rows}) as r, json_each(r.fields) as field
    group by field.key order by count(*) desc, field.key limit ${maxFields}
  `.execute(accessScopeOf(viewer).all)
  return fieldRows.map((row) => row.name).toSorted()
}
