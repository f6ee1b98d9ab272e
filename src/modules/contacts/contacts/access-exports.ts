import { sql, type Expression } from 'kysely'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'

/** Maximum custom fields with a column in a file; the most used ones are included. */
const maxFields = 200

/** Names of the custom fields in these rows, from A to Z. */
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
