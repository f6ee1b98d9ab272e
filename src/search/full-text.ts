// A full-text query: the MATCH expression, its execution, and the words that are too frequent for ranking. Ranking
// every text with a very frequent word would keep the single thread busy for a second, with little benefit: such words
// are omitted beside rarer ones, and alone they match the newest texts, unranked. Used on the main thread and on the
// search thread.

import { omitNullish } from '../kernel/present.ts'
import { sql, type Kysely, type SqlBool } from 'kysely'
import type { Tables } from '../db/tables.ts'
import { aclToken } from './index.ts'
import { formsOf } from './languages/forms.ts'
import { indexWord } from './scripts/index-text.ts'
import type { Terms } from './query.ts'
import { isSingleCharacter } from './scripts/words.ts'

/** In an index with fewer texts, every match is ranked. */
export const largeIndex = 100_000
/** A word in this many texts is frequent. */
export const frequentCount = 20_000
/** Approximate maximum of texts ranked by one query. */
const maxRanked = 40_000
/** Maximum of newest texts with frequent words read by one query. */
const maxNewest = 50_000
/** Above this number of containers, each match is checked instead of listing them all in the MATCH expression. */
export const maxContainers = 300
/** Above this number of types, the MATCH expression lists only containers. */
const maxTypes = 2

export interface FullTextScope {
  /** SearchText.container; undefined: anywhere. */
  containers?: readonly string[] | undefined
  types: readonly string[]
}

/** Execution plan for the words of a query. */
export interface Plan {
  terms: Terms
  /**
   * newest: all words are frequent, so texts with all of them are sorted by age; best: texts with any of them are
   * ranked.
   */
  order: 'best' | 'newest'
  /** Words that are not looked up, since the others are more specific. */
  skipped: string[]
  /** True if every word is looked up, as in a small index. */
  isComplete: boolean
}

/** A number that the plan depends on: SQL that returns one row with one column. */
export interface Lookup {
  sql: string
  parameters: readonly string[]
}

interface Match {
  rowid: number
  rank: number
}

/**
 * Builds the query for matching texts: `d` is the text, `score` its rank, best first. Rows are streamed, so added
 * conditions are checked on no more rows than necessary; only joins that keep this order may be added. Yields the
 * numbers that the plan depends on, so that it can be run synchronously or asynchronously; `note` describes
 * omissions.
 */
export function* fullText(db: Kysely<Tables>, terms: Terms, scope: FullTextScope) {
  const plan = yield* choosePlan(terms)
  const match = matchExpression(
    plan,
    (yield* isScopeSelective(plan, scope)) ? narrowScope(scope) : {},
  )
  const newestMatches = sql<Match>`(select search_fts.rowid as rowid, -1.0 as rank from search_fts where search_fts match ${match} order by search_fts.rowid desc limit ${sql.lit(maxNewest)})`
  const matches = db
    .selectFrom((plan.order === 'best' ? sql<Match>`search_fts` : newestMatches).as('h'))
    .crossJoin('search_docs as d')
    .where(sql<SqlBool>`d.rowid_ = h.rowid`)
    .where('d.item_type', 'in', scope.types)
    .select(sql<number>`-h.rank`.as('score'))
  const note = planNote(plan)
  if (plan.order === 'newest') return { matches, note }
  const ranked = matches
    .where(sql<SqlBool>`h.search_fts match ${match} and h.rank match 'bm25(2.0, 1.0, 0.0)'`)
    .orderBy('h.rank')
  return { matches: ranked, note }
}

/** The MATCH expression for texts with a name in their body. */
export function matchName(words: string[]): string {
  return matchFor({ any: [], phrases: [words], field: 'body' })
}

/** Answers each lookup of a builder with a synchronous function. */
export function runLookups<T>(
  steps: Generator<Lookup, T, number>,
  read: (lookup: Lookup) => number,
): T {
  let step = steps.next()
  while (!step.done) step = steps.next(read(step.value))
  return step.value
}

/** Answers each lookup of a builder with an asynchronous function. */
export async function awaitLookups<T>(
  steps: Generator<Lookup, T, number>,
  read: (lookup: Lookup) => Promise<number>,
): Promise<T> {
  let step = steps.next()
  while (!step.done) step = steps.next(await read(step.value))
  return step.value
}

const lastRowidLookup: Lookup = {
  sql: 'select coalesce(max(rowid_), 0) as n from search_docs',
  parameters: [],
}

/** Counts matching texts, up to `frequent`. */
const matchCountQuery = (match: string): Lookup => ({
  sql: `select count(*) as n from (select 1 from search_fts where search_fts match ? limit ${frequentCount})`,
  parameters: [match],
})

function* choosePlan(terms: Terms): Generator<Lookup, Plan, number> {
  if ((yield lastRowidLookup) < largeIndex) return completePlan(terms)
  const counts = new Map<string, number>()
  for (const word of terms.any)
    counts.set(word, yield matchCountQuery(matchFor({ any: [word], phrases: [] })))
  return choosePlanFor(terms, counts)
}

/**
 * Containers and types with very many texts narrow a query only slightly, but listing them makes ranking read all
 * their texts.
 */
function* isScopeSelective(
  { order, isComplete }: Plan,
  scope: FullTextScope,
): Generator<Lookup, boolean, number> {
  if (isComplete || order === 'newest') return true
  const { containers, types } = narrowScope(scope)
  if (!containers && !types) return false
  return (
    (yield matchCountQuery(matchFor({ any: [], phrases: [] }, containers, types))) < frequentCount
  )
}

/** Reduces a scope to the parts that are few enough for a MATCH expression. */
function narrowScope({ containers, types }: FullTextScope): Partial<FullTextScope> {
  return omitNullish({
    containers: containers && containers.length <= maxContainers ? containers : undefined,
    types: types.length > 0 && types.length <= maxTypes ? types : undefined,
  })
}

/** `counts`: number of texts per word, capped at `frequent`. */
export function choosePlanFor(terms: Terms, counts: ReadonlyMap<string, number>): Plan {
  const count = (word: string) => counts.get(word) ?? 0
  const knownWords = terms.any.filter((word) => count(word) > 0) // a word without matches is not a rare one
  if (knownWords.length === 0) return completePlan(terms)
  const rare = knownWords
    .filter((word) => count(word) < frequentCount)
    .sort((a, b) => count(a) - count(b))
  if (rare.length === 0)
    return { terms: { ...terms, any: knownWords }, order: 'newest', skipped: [], isComplete: false }
  let sum = rare.reduce((all, word) => all + count(word), 0)
  while (rare.length > 2 && sum > maxRanked) sum -= count(rare.pop()!)
  return {
    terms: { ...terms, any: terms.any.filter((word) => rare.includes(word)) },
    order: 'best',
    skipped: knownWords.filter((word) => !rare.includes(word)),
    isComplete: false,
  }
}

/** A plan that looks up every word. */
export function completePlan(terms: Terms): Plan {
  return { terms, order: 'best', skipped: [], isComplete: true }
}

/** The MATCH expression of a plan. */
export function matchExpression(
  { terms, order }: Plan,
  { containers, types }: Partial<FullTextScope> = {},
): string {
  if (order === 'best') return matchFor(terms, containers, types)
  const [first, ...others] = terms.any.map((word): Terms => ({ ...terms, any: [word] }))
  return [
    matchFor(first!, containers, types),
    ...others.map((word) => matchFor({ ...word, phrases: [] })),
  ]
    .map((part) => `(${part})`)
    .join(' AND ')
}

/** Describes the words that a plan leaves out; undefined if there are none. */
export function planNote({ terms, order, skipped }: Plan): string | undefined {
  if (order === 'newest')
    return `${wordsAsSubject(terms.any)} in very many texts: showing the newest with ${terms.any.length > 1 ? 'all of them' : 'it'}, unranked. A rarer word gives better results.`
  return skipped.length === 0
    ? undefined
    : `${wordsAsSubject(skipped)} in very many texts, so only the rarer words were searched.`
}

function wordsAsSubject(words: readonly string[]): string {
  return `${words.map((word) => `“${word}”`).join(', ')} ${words.length > 1 ? 'stand' : 'stands'}`
}

/**
 * The MATCH expression for a query: words, in any form, combined with OR, phrases required, everything quoted, so
 * that no text is a syntax error. Containers exclude rows of others before ranking; types exclude rows of other
 * types.
 */
export function matchFor(
  { any, phrases, field, languages }: Terms,
  containers?: readonly string[],
  types?: readonly string[],
): string {
  const fields = field ?? 'title body'
  const words =
    any.length === 0
      ? []
      : [`{${fields}} : (${any.flatMap((word) => wordAndForms(word, languages)).join(' OR ')})`]
  const requiredPhrases = phrases.map((phrase) => `{${fields}} : ${quotedWords(phrase)}`)
  const aclTerms =
    containers || types
      ? (containers ?? [undefined]).flatMap((container) =>
          (types ?? [undefined]).map((type) => quoteSearchTerm(aclToken(container, type))),
        )
      : []
  const where = aclTerms.length > 0 ? [`acl : (${aclTerms.join(' OR ')})`] : []
  return [...where, ...requiredPhrases, ...words].map((part) => `(${part})`).join(' AND ')
}

/** A word, and its forms in other languages. */
function wordAndForms(word: string, languages: Terms['languages']): string[] {
  return [quotedWords([word]), ...formsOf(word, languages).map(quoteSearchTerm)]
}

/** Adjacent words. A single character is indexed as the beginning of a pair. */
function quotedWords(words: readonly string[]): string {
  return `${quoteSearchTerm(words.map(indexWord).join(' '))}${isSingleCharacter(words.at(-1) ?? '') ? '*' : ''}`
}

function quoteSearchTerm(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
