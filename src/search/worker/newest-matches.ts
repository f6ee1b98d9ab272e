import { fullText, runLookups } from '../full-text.ts'
import type { Terms } from '../query.ts'
import type { SearchScope } from './protocol.ts'
import type { DocLocation } from './document-map.ts'
import type { SearchData } from './search-data.ts'
import type { WordMatch } from './word-matches.ts'

/** Maximum texts found by words, and maximum found by meaning. */
export const maxTexts = 200

/**
 * Finds the newest texts that contain all words, unranked, for very frequent words; at most 200 of those that
 * `isInside` accepts.
 */
export function newestMatches(
  { queries, statements }: SearchData,
  terms: Terms,
  { containers, types }: SearchScope,
  isInScope: (location: DocLocation) => boolean,
): WordMatch[] {
  const scope = { containers: containers ?? undefined, types }
  const { matches } = runLookups(fullText(queries, terms, scope), (lookup) => {
    const { n } = statements.get(lookup.sql).get(...lookup.parameters) as { n: number }
    return n
  })
  const { sql, parameters } = matches
    .select(['d.rowid_', 'd.item_id', 'd.item_type', 'd.container', 'd.at'])
    .compile()
  const rows = statements.get(sql).iterate(...parameters) as Iterable<
    DocLocation & { rowid_: number; score: number }
  >
  const newest: WordMatch[] = []
  for (const row of rows) {
    if (isInScope(row)) newest.push({ rowid: row.rowid_, score: row.score })
    if (newest.length >= maxTexts) break
  }
  return newest
}
