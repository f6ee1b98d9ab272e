import { parseQuery } from '../../../search/query.ts'

/** A query requiring each of its words, like a list filter; undefined without words. */
export function everyWordOf(query: string): string | undefined {
  const { any, phrases } = parseQuery(query).terms
  if (any.length === 0) return undefined
  return [...any.map((word) => [word]), ...phrases].map((words) => `"${words.join(' ')}"`).join(' ')
}
