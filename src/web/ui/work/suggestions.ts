import { foldText } from '../../../kernel/text/folded-text.ts'

/** A suggestion for completing a text. */
export interface Suggestion {
  key: string
  insert: string
  label: string
  hint?: string | undefined
  icon?: string | undefined
}

/** Filters items with words that begin with the query, best first. */
export function rankSuggestions<T>(
  items: readonly T[],
  query: string,
  nameOf: (item: T) => string,
): T[] {
  const foldedQuery = foldText(query)
  const rank = (item: T) => {
    const name = foldText(nameOf(item))
    if (name.startsWith(foldedQuery)) return 0
    return name.split(/[\s._-]+/).some((word) => word.startsWith(foldedQuery)) ? 1 : 2
  }
  return items
    .map((item) => ({ item, rank: rank(item) }))
    .filter(({ rank }) => rank < 2)
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}
