import { foldText } from '../../../../kernel/text/folded-text.ts'
import { foldTitle } from '../../../../kernel/text/order.ts'

/** A title normalized for search: lower case, without accents, white space collapsed. */
export const plainTitle = (title: string): string => foldText(foldTitle(title))

/** Pages whose title contains all words of the query: first those that start with it, then those with words that do. */
export function filterByTitle<N extends { title: string }>(
  pages: readonly N[],
  query: string,
): N[] {
  const plainQuery = plainTitle(query)
  const words = plainQuery.split(' ')
  const rank = ({ title }: N) => {
    const name = plainTitle(title)
    if (!words.every((word) => name.includes(word))) return 3
    if (name.startsWith(plainQuery)) return name === plainQuery ? -1 : 0
    return words.every((word) => ` ${name}`.includes(` ${word}`)) ? 1 : 2
  }
  return pages
    .map((node) => ({ node, rank: rank(node) }))
    .filter((item) => item.rank < 3)
    .sort((a, b) => a.rank - b.rank || a.node.title.localeCompare(b.node.title))
    .map(({ node }) => node)
}

/** A link by title, or by id if the title is ambiguous. */
export function pageLink({ id, title }: { id: string; title: string }, isUnique: boolean): string {
  const isPlain = isUnique && title.length <= 500 && !/[[\]|#/\n]|^pag_/.test(title)
  return isPlain ? `[[${title}]]` : `[[${id}|${title.replaceAll(/[[\]\n]/g, '').slice(0, 500)}]]`
}
