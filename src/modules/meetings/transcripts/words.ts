import { parseQuery } from '../../../search/query.ts'

/** A query that demands each of its words, as a filter of a list does; undefined where it has none. */
export function everyWordOf(query: string): string | undefined {
  const { any, phrases } = parseQuery(query).terms
  if (any.length === 0) return undefined
  return [...any.map((word) => [word]), ...phrases].map((words) => `"${words.join(' ')}"`).join(' ')
}
