// Word queries inside other queries: if the word index is in a separate file, the results replace the query.

import { sql, type Kysely, type RawBuilder } from 'kysely'
import { separateIndexFile } from '../db/index-file.ts'
import type { Tables } from '../db/tables.ts'

/** Maximum number of texts from a separate file in one query. */
const maxTexts = 20_000

/** The `rowid_` of texts that match a word query, as a subquery to join with. */
export async function matchingRowids(
  db: Kysely<Tables>,
  query: RawBuilder<{ rowid_: number }>,
): Promise<RawBuilder<{ rowid_: number }>> {
  const index = separateIndexFile(db)
  if (!index) return sql`(${query})`
  await index.refresh()
  const { rows } = await query.execute(index.queries)
  const rowids = rows.slice(0, maxTexts).map((row) => row.rowid_)
  return sql`(select place as rowid_ from unnest(${rowids}::bigint[]) as place)`
}

/**
 * The items of one type with texts that match an expression, as a subquery for `in`. A separate file is read as of the
 * last search.
 */
export function itemsMatching(db: Kysely<Tables>, type: string, match: string): RawBuilder<string> {
  const query = sql<{
    item_id: string
  }>`select d.item_id from search_fts join search_docs as d on d.rowid_ = search_fts.rowid where search_fts match ${match} and d.item_type = ${type}`
  const index = separateIndexFile(db)
  if (!index) return sql`(${query})`
  const { sql: text, parameters } = query.compile(index.queries)
  const rows = index.raw.read.prepare(`${text} limit ${maxTexts}`).all(...parameters) as {
    item_id: string
  }[]
  return sql`(select unnest(${rows.map((row) => row.item_id)}::text[]))`
}
