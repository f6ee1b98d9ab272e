// A search query, tokenized once for the full-text index, the embeddings, the ranker and the snippets.

import type { Language } from './languages/endings.ts'
import { stem } from './stem.ts'
import { StemSet } from './languages/stem-set.ts'
import { lowerCaseWords } from './tokens.ts'

/** Words that are irrelevant to the subject of a text. */
const stopWords = new Set(
  (
    'a about above after again all also am an and any are as at be because been before being below between both but by can cannot could did do does doing don down during each few for from further had has have ' +
    'having he her here hers him his how i if in into is it its itself just me more most my no nor not now of off on once only or other our out over own same she should so some such t than that the their them ' +
    'then there these they this those through to too under until up us very was we were what when where which while who whom why will with would you your s ll re ve d m'
  ).split(' '),
)

const maxTerms = 48
const maxTermLength = 64
const maxPhrases = 8
const maxPairs = 40

/** Terms looked up in the full-text index. */
export interface Terms {
  /** Any of these may match: content words, or all words if there are no others. */
  any: string[]
  /** Quoted phrases, each of which must match. */
  phrases: string[][]
  /** The column to match; default: title and body. */
  field?: 'title' | 'body'
  /** Languages of inflected forms; default: all. */
  languages?: readonly Language[]
}

export interface Query {
  text: string
  terms: Terms
  /** The stems of all words, in order. */
  allStems: readonly string[]
  /** The stems of the content words, each once. */
  stems: StemSet
  /** The query's first word with each stem, in lower case. */
  words: ReadonlyMap<string, string>
  /** Adjacent content stems. */
  pairs: readonly (readonly [string, string])[]
}

/** Tokenizes a query. One without searchable words has no `stems`. */
export function parseQuery(text: string): Query {
  const words = lowerCaseWords(text)
  const terms = { any: contentWords(words), phrases: quotedPhrases(text) }
  const wordByStem = new Map(terms.any.toReversed().map((word) => [stem(word), word]))
  const stems = new StemSet(terms.any)
  const allStems = words.map(stem)
  const contentStemList = allStems.filter((name) => stems.has(name))
  const pairs = contentStemList.slice(1).map((next, i) => [contentStemList[i]!, next] as const)
  return {
    text,
    terms,
    allStems,
    stems,
    words: wordByStem,
    pairs: pairs.filter(([left, right]) => left !== right).slice(0, maxPairs),
  }
}

/** Stems of a text's content words; of all words if it has none. */
export function contentStems(text: string): StemSet {
  return new StemSet(contentWords(lowerCaseWords(text)))
}

function contentWords(words: readonly string[]): string[] {
  const distinct = [...new Set(words.map((word) => word.slice(0, maxTermLength)))]
  const content = distinct.filter((word) => !stopWords.has(word))
  return (content.length > 0 ? content : distinct).slice(0, maxTerms)
}

function quotedPhrases(text: string): string[][] {
  return [...text.matchAll(/"([^"]*)"/g)]
    .map((match) => lowerCaseWords(match[1]!).slice(0, maxTerms))
    .filter((words) => words.length > 0)
    .slice(0, maxPhrases)
}
