// Words that very many texts have. To rank each of those texts would keep the one thread, and everybody with it, for a second, and would
// tell little: such words are left out where rarer ones stand beside them, and alone they find the newest texts, unranked.

import { matchFor, type Terms } from '../text.ts'

/** Of fewer texts, all that match are ranked. */
export const manyTexts = 100_000
/** A word in so many texts is frequent. */
export const frequent = 20_000
/** Texts that one search ranks, about. */
const mostRanked = 40_000
/** The newest texts with frequent words that one search looks at. */
export const mostNewest = 50_000

/** How the words of a query are looked up. */
export interface Plan {
  terms: Terms
  /** newest: all of the words are frequent, so that texts with all of them are found by age; best: texts with any of them by rank. */
  order: 'best' | 'newest'
  /** Words that are not looked up, since the others tell more. */
  left: string[]
  /** Whether every word is looked up as it would be among few texts. */
  isWhole: boolean
}

/** `countOf`: texts that have a word; of more than `frequent`, that number. */
export function planOf(terms: Terms, countOf: ReadonlyMap<string, number>): Plan {
  const count = (word: string) => countOf.get(word) ?? 0
  const known = terms.any.filter((word) => count(word) > 0) // a word that no text has is no rare one
  if (known.length === 0) return wholePlan(terms)
  const rare = known.filter((word) => count(word) < frequent).sort((a, b) => count(a) - count(b))
  if (rare.length === 0)
    return { terms: { ...terms, any: known }, order: 'newest', left: [], isWhole: false }
  let sum = rare.reduce((all, word) => all + count(word), 0)
  while (rare.length > 2 && sum > mostRanked) sum -= count(rare.pop()!)
  return {
    terms: { ...terms, any: terms.any.filter((word) => rare.includes(word)) },
    order: 'best',
    left: known.filter((word) => !rare.includes(word)),
    isWhole: false,
  }
}

/** Looks up every word. */
export function wholePlan(terms: Terms): Plan {
  return { terms, order: 'best', left: [], isWhole: true }
}

/** SQL that counts the texts that match, up to `frequent`. */
export const counting = `select count(*) as n from (select 1 from search_fts where search_fts match ? limit ${frequent})`

export function matchOf(
  { terms, order }: Plan,
  containers?: readonly string[],
  types?: readonly string[],
): string {
  if (order === 'best') return matchFor(terms, containers, types)
  return terms.any
    .map(
      (word, i) =>
        `(${matchFor({ ...terms, any: [word], phrases: i === 0 ? terms.phrases : [] }, ...(i === 0 ? ([containers, types] as const) : []))})`,
    )
    .join(' AND ')
}

/** What of the words was bounded, to be said to whoever asked; undefined: nothing was. */
export function boundOf({ terms, order, left }: Plan): string | undefined {
  if (order === 'newest')
    return `${wordsOf(terms.any)} in very many texts: showing the newest with ${terms.any.length > 1 ? 'all of them' : 'it'}, unranked. A rarer word gives better results.`
  return left.length === 0
    ? undefined
    : `${wordsOf(left)} in very many texts, so only the rarer words were searched.`
}

function wordsOf(words: readonly string[]): string {
  return `${words.map((word) => `“${word}”`).join(', ')} ${words.length > 1 ? 'stand' : 'stands'}`
}
