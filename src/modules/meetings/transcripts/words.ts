import { parseQuery } from '../../../search/query.ts'

/** The query changed so that each of its words is required, as in a list filter; undefined without words. */
export function requireEveryWord(query: string): string | undefined {
  const { any, phrases } = parseQuery(query).terms
  if (any.length === 0) return undefined
  return [...any.map((word) => [word]), ...phrases].map((words) => `"${words.join(' ')}"`).join(' ')
}
