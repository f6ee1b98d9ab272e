// Finds texts that match the words of a query, best first. SQLite's full-text index returns the texts that contain
// a word; the ranking is computed here: SQLite's own reads each list twice, in the order of the texts,
// and counts the words of other organizations.

import type Database from 'better-sqlite3'
import { completePlan, frequent, largeIndex, matchFor, planOf, type Plan } from '../full-text.ts'
import { languages, type Language } from '../languages/endings.ts'
import { languageMark } from '../languages/forms.ts'
import type { Terms } from '../query.ts'
import { stem } from '../stem.ts'
import type { StemFinder, StemPlaces } from '../tokens.ts'
import type { DocumentMap } from './document-map.ts'
import type { SearchData } from './search-data.ts'
import { TopScores } from './top-scores.ts'

/** Maximum rows in the lists of one query; words beyond that are sampled. */
const maxRows = 30_000
/** Newest texts examined for a sampled word. */
const sampleSize = 1000
/** A word in more than this share of the texts is sampled. */
const maxShare = 0.1
/** Maximum texts that are fully scored. */
const maxWeighed = 300
/** Bytes of a text that are searched for words. */
const maxBytes = 20_000
/** BM25: saturation of repeated words, and weight of the text length. */
const k1 = 1.2
const b = 0.75
/** A word in the title counts as this many in the text. */
const titleWeight = 2

/** The texts with a word. */
interface WordList {
  stem: string
  /** Ascending. */
  rowids: number[]
  /** True if these are only the newest. */
  isSample: boolean
  /** Approximate number of texts with it. */
  count: number
}

export interface WordMatch {
  rowid: number
  score: number
}

/** Texts that a search may use. */
export interface WordReach {
  /** By number of type and container: whether it is searched completely. */
  isWholeByType: Uint8Array
  /** By number of type and container: whether its words are counted. */
  counted: Uint8Array
  organization: string | undefined
  /** Additional texts. */
  also: ReadonlySet<number> | undefined
  /** No others. */
  only: ReadonlySet<number> | undefined
  /** Whether a changed or unknown text may be searched. */
  isInside(rowid: number): boolean
}

export class WordSearch {
  readonly #data: SearchData
  readonly #documents: DocumentMap
  readonly #reach: WordReach
  /** Number of texts of the organization, by stem. */
  readonly #having = new Map<string, number>()
  plan: Plan | undefined

  readonly #finder: StemFinder
  readonly #places = new Map<number, StemPlaces>()
  #indexLanguages: readonly Language[] | undefined

  /** `finder`: for the stems of the query. */
  constructor(data: SearchData, reach: WordReach, finder: StemFinder) {
    this.#finder = finder
    this.#data = data
    this.#documents = data.texts.documents
    this.#reach = reach
  }

  /** The best matches within reach; undefined if there are too many to rank. */
  best(terms: Terms): WordMatch[] | undefined {
    const lists = this.#lists(terms)
    if (!lists) return undefined
    const phrases = terms.phrases.length > 0 ? this.#withPhrases(terms) : undefined
    return this.#weighed(lists, this.#selected(lists, phrases))
  }

  /** Looks up the words only for their rarity. */
  count(terms: Terms): void {
    this.#lists(terms)
  }

  /** Informativeness of a stem: ln 2 if all texts contain it, more if fewer do. */
  rarity(name: string): number {
    return Math.log(1 + this.#texts / ((this.#having.get(name) ?? 0) + 1))
  }

  get #texts(): number {
    return this.#documents.totals(this.#reach.organization).texts
  }

  /** The BM25 weight of a stem. */
  #idf(name: string): number {
    const having = this.#having.get(name) ?? 0
    const texts = Math.max(this.#texts, having)
    return Math.max(1e-6, Math.log((texts - having + 0.5) / (having + 0.5)))
  }

  #lists({ any, ...rest }: Terms): WordList[] | undefined {
    const estimates = new Map(any.map((word) => [word, this.#share(stem(word))]))
    const share = (word: string) => estimates.get(word) ?? 0
    const isLarge = this.#documents.end >= largeIndex
    const counts = new Map<string, number>()
    const lists = new Map<string, WordList>()
    let left = maxRows
    for (const word of any.toSorted((word, other) => share(word) - share(other))) {
      const list = this.#list(word, share(word), left)
      left -= list.rowids.length
      counts.set(word, list.count)
      if (list.rowids.length === 0) continue
      lists.set(list.stem, list)
      this.#having.set(list.stem, this.#havingOf(list))
    }
    this.plan = isLarge ? planOf({ any, ...rest }, counts) : completePlan({ any, ...rest })
    if (this.plan.order === 'newest') return undefined
    const planStems = new Set(this.plan.terms.any.map(stem))
    return [...lists.values()].filter((list) => planStems.has(list.stem))
  }

  /** The share of passages with a stem at build time of the space. */
  #share(name: string): number {
    const { embeddings } = this.#data
    return embeddings && embeddings.passages > 0
      ? embeddings.passagesWith(name) / embeddings.passages
      : 0
  }

  #list(word: string, share: number, left: number): WordList {
    const match = matchFor({ any: [word], phrases: [], languages: this.#languages })
    let count = Math.min(frequent, Math.round(share * this.#documents.end))
    if ((share <= maxShare || count <= sampleSize) && left > 0) {
      const rowids = this.#rowids('', match, frequent)
      count = rowids.length
      if (count < frequent) return { stem: stem(word), rowids, isSample: false, count }
    }
    const rowids = this.#rowids('order by rowid desc', match, sampleSize).reverse()
    const isSample = rowids.length >= sampleSize
    return { stem: stem(word), rowids, isSample, count: Math.max(count, rowids.length) }
  }

  /** Languages with texts in the index: forms in others are not looked up. */
  get #languages(): readonly Language[] {
    this.#indexLanguages ??= languages.filter(
      (language) =>
        language === 'ru' || this.#rowids('', `"${languageMark(language)}"`, 1).length > 0,
    )
    return this.#indexLanguages
  }

  #rowids(order: string, match: string, limit: number): number[] {
    const statement = this.#data.statements.get(
      `select rowid from search_fts where search_fts match ? ${order} limit ?`,
    ) as Database.Statement<[string, number], number>
    return statement.pluck().all(match, limit)
  }

  #withPhrases({ phrases }: Terms): ReadonlySet<number> {
    const match = matchFor({ any: [], phrases })
    return new Set(this.#rowids('order by rowid desc', match, frequent))
  }

  /** Counts within the organization only: scores reveal nothing about another's texts. */
  #havingOf({ rowids, isSample }: WordList): number {
    const { counted } = this.#reach
    let matchCount = 0
    for (const rowid of rowids) matchCount += counted[this.#documents.groupAt(rowid)] ?? 0
    if (!isSample) return matchCount
    let among = 0
    for (let rowid = rowids[0] ?? 0; rowid < this.#documents.end; rowid++)
      among += counted[this.#documents.groupAt(rowid)] ?? 0
    return (this.#texts * matchCount) / Math.max(1, among)
  }

  /** The most promising texts with some of the words, by which words and by length. */
  #selected(lists: readonly WordList[], phrases: ReadonlySet<number> | undefined): number[] {
    const { scores, end } = this.#summed(lists)
    const top = new TopScores(maxWeighed)
    for (let rowid = end - 1; rowid > 0; rowid--) {
      const score = scores[rowid] ?? 0
      if (score === 0) continue
      scores[rowid] = 0
      if (score > top.least && (!phrases || phrases.has(rowid)) && this.isReached(rowid))
        top.add(rowid, score)
    }
    return top.sorted().map((entry) => entry.slot)
  }

  #summed(lists: readonly WordList[]): { scores: Float32Array; end: number } {
    const end = 1 + lists.reduce((highest, { rowids }) => Math.max(highest, rowids.at(-1) ?? 0), 0)
    const scores = scratchOf(end)
    const norm = this.#lengthNorm()
    for (const { stem: name, rowids } of lists) {
      const weight = this.#idf(name) * (k1 + 1)
      for (const rowid of rowids)
        scores[rowid]! += weight / (1 + norm(this.#documents.sizeAt(rowid)))
    }
    return { scores, end }
  }

  /** Normalizes the count of a word by the length of a text. */
  #lengthNorm(): (bytes: number) => number {
    const { texts, bytes } = this.#documents.totals(this.#reach.organization)
    const averageBytes = Math.max(1, bytes / Math.max(1, texts))
    return (size) => k1 * (1 - b + (b * Math.min(maxBytes, size)) / averageBytes)
  }

  /** Whether the search may include a text, as far as that is known without reading it. */
  isReached(rowid: number): boolean {
    const { isWholeByType, also, only } = this.#reach
    if (only && !only.has(rowid)) return false
    const group = this.#documents.groupAt(rowid)
    if (group === 0 || this.#data.texts.changed.has(rowid)) return this.#reach.isInside(rowid)
    return isWholeByType[group] === 1 || also?.has(rowid) === true
  }

  placesIn(rowid: number): StemPlaces {
    const cached = this.#places.get(rowid)
    if (cached) return cached
    const places = this.#finder.placesIn(this.#data.texts.tokens(rowid))
    this.#places.set(rowid, places)
    return places
  }

  /** BM25 scores, best first; ties by newest first. */
  #weighed(lists: readonly WordList[], rowids: readonly number[]): WordMatch[] {
    const norm = this.#lengthNorm()
    const weighedLists = lists.map((list) => ({ ...list, weight: this.#idf(list.stem) * (k1 + 1) }))
    const matches = rowids.map((rowid) => {
      const { places, titleLength } = this.placesIn(rowid)
      const added = norm(this.#documents.sizeAt(rowid))
      let score = 0
      for (const { stem: name, rowids: having, weight } of weighedLists) {
        const stemPlaces = places.get(name)
        const count = stemPlaces
          ? weighedCount(stemPlaces, titleLength)
          : Number(includes(having, rowid))
        score += (weight * count) / (count + added)
      }
      return { rowid, score }
    })
    return matches.sort((hit, other) => other.score - hit.score || other.rowid - hit.rowid)
  }
}

function weighedCount(places: readonly number[], titleLength: number): number {
  let inTitle = 0
  while ((places[inTitle] ?? Infinity) < titleLength) inTitle++
  return places.length + (titleWeight - 1) * inTitle
}

function includes(ascending: readonly number[], wanted: number): boolean {
  let [low, high] = [0, ascending.length]
  for (let middle = high >> 1; low < high; middle = (low + high) >> 1)
    if ((ascending[middle] ?? Infinity) < wanted) low = middle + 1
    else high = middle
  return ascending[low] === wanted
}

let scratch = new Float32Array(1024)

/** A buffer of zeros; callers must restore the zeros. */
function scratchOf(length: number): Float32Array {
  if (length > scratch.length) scratch = new Float32Array(Math.ceil(length * 1.25))
  return scratch
}
