import { foldText } from '../../../kernel/text/folded-text.ts'

/** One thing that a text can be completed by. */
export interface Suggestion {
  key: string
  /** What is put into the text. */
  insert: string
  label: string
  hint?: string | undefined
  icon?: string | undefined
}

/** Those whose words begin with what was typed, the best first. */
export function matching<T>(items: readonly T[], query: string, nameOf: (item: T) => string): T[] {
  const wanted = foldText(query)
  const rank = (item: T) => {
    const name = foldText(nameOf(item))
    if (name.startsWith(wanted)) return 0
    return name.split(/[\s._-]+/).some((word) => word.startsWith(wanted)) ? 1 : 2
  }
  return items
    .map((item) => ({ item, rank: rank(item) }))
    .filter(({ rank }) => rank < 2)
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}
