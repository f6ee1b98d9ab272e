import { linksOf } from '../../search/links.ts'
import type { Link } from '../../search/worker/protocol.ts'
import { accessScopeOf, type Viewer } from '../../records/access-scope.ts'
import type { ItemHit } from './results.ts'

/** Thresholds of similarity to the query: a hit has a third of its words, or is much nearer than the rest. */
const minSimilar = { coverage: 0.34, nearness: 0.12, distanceFromRest: 1.5 } as const

/** True if a hit is relevant, and not only the next best. */
export function isSimilar({
  coverage,
  nearness,
  distanceFromRest,
}: Pick<ItemHit, 'coverage' | 'nearness' | 'distanceFromRest'>): boolean {
  return (
    coverage >= minSimilar.coverage ||
    (nearness >= minSimilar.nearness && distanceFromRest >= minSimilar.distanceFromRest)
  )
}

/**
 * Links of a visible item in its own tables. The targets must still be checked against the caller's
 * access.
 */
export function linksFrom(viewer: Viewer, ids: readonly string[]): Promise<Link[]> {
  return linksOf(accessScopeOf(viewer), ids)
}

/** The start of the text of a visible item, used to find similar ones. */
export async function leadingText(reader: Viewer, id: string, maxLength = 2000): Promise<string> {
  const rows = await accessScopeOf(reader)
    .all.selectFrom('search_docs')
    .select(['title', 'body'])
    .where('item_id', '=', id)
    .orderBy('part', 'desc')
    .orderBy('rowid_')
    .limit(20)
    .execute()
  return rows
    .map((row) => `${row.title}\n${row.body.slice(0, maxLength)}`)
    .join('\n')
    .slice(0, maxLength)
    .toWellFormed()
}
