// Finds texts that match the words of a query, best first. SQLite's full-text index returns the texts that contain
// a word; the ranking is computed here: SQLite's own ranking reads each list twice, in the order of the texts,
// and counts the words of other organizations.

import type Database from 'better-sqlite3'
import {
  completePlan,
  frequentCount,
  largeIndex,
  matchFor,
  choosePlanFor,
  type Plan,
} from '../full-text.ts'
import { languages, type Language } from '../languages/endings.ts'
import { languageMarker } from '../languages/forms.ts'
import type { Terms } from '../query.ts'
import { stem } from '../stem.ts'
import type { StemFinder, StemPositions } from '../tokens.ts'
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
const maxScored = 300
/** Bytes of a text that are searched for words. */
const maxBytes = 20_000
/** BM25: saturation of repeated words, and weight of the text length. */
const bm25Saturation = 1.2
const bm25LengthWeight = 0.75
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
export interface SearchableTexts {
  /** By number of type and container: whether it is searched completely. */
  isWholeByType: Uint8Array
  /** By number of type and container: whether its words are counted. */
  isCountedByType: Uint8Array
  organization: string | undefined
  /** Texts that are searched in addition to complete groups. */
  alwaysIncluded: ReadonlySet<number> | undefined
  /** If set, only these texts. */
  onlyRowids: ReadonlySet<number> | undefined
  /** Whether a changed or unknown text may be searched. */
  isInScope(rowid: number): boolean
}

export class WordSearch {
  readonly #data: SearchData
  readonly #documents: DocumentMap
  readonly #searchable: SearchableTexts
  /** Number of texts of the organization, by stem. */
  readonly #textCounts = new Map<string, number>()
  plan: Plan | undefined

  readonly #finder: StemFinder
  readonly #places = new Map<number, StemPositions>()
  #indexLanguages: readonly Language[] | undefined

  /** `finder`: for the stems of the query. */
  constructor(data: SearchData, reach: SearchableTexts, finder: StemFinder) {
    this.#finder = finder
    this.#data = data
    this.#documents = data.texts.documents
    this.#searchable = reach
  }

  /** The best matches among searchable texts; undefined if there are too many to rank. */
  best(terms: Terms): WordMatch[] | undefined {
    const lists = this.#wordLists(terms)
    if (!lists) return undefined
    const phrases = terms.phrases.length > 0 ? this.#withPhrases(terms) : undefined
    return this.#scoreMatches(lists, this.#selectCandidates(lists, phrases))
  }

  /** Looks up the words only for their rarity. */
  count(terms: Terms): void {
    this.#wordLists(terms)
  }

  /** Inverse document frequency of a stem: ln 2 if all texts contain it, more if fewer do. */
  rarity(name: string): number {
    return Math.log(1 + this.#texts / ((this.#textCounts.get(name) ?? 0) + 1))
  }

  get #texts(): number {
    return this.#documents.totals(this.#searchable.organization).texts
  }

  /** The BM25 weight of a stem. */
  #idf(name: string): number {
    const having = this.#textCounts.get(name) ?? 0
    const texts = Math.max(this.#texts, having)
    return Math.max(1e-6, Math.log((texts - having + 0.5) / (having + 0.5)))
  }

  #wordLists({ any, ...rest }: Terms): WordList[] | undefined {
    const estimates = new Map(any.map((word) => [word, this.#share(stem(word))]))
    const share = (word: string) => estimates.get(word) ?? 0
    const isLarge = this.#documents.end >= largeIndex
    const counts = new Map<string, number>()
    const lists = new Map<string, WordList>()
    let rowBudget = maxRows
    for (const word of any.toSorted((word, other) => share(word) - share(other))) {
      const list = this.#wordList(word, share(word), rowBudget)
      rowBudget -= list.rowids.length
      counts.set(word, list.count)
      if (list.rowids.length === 0) continue
      lists.set(list.stem, list)
      this.#textCounts.set(list.stem, this.#countTexts(list))
    }
    this.plan = isLarge ? choosePlanFor({ any, ...rest }, counts) : completePlan({ any, ...rest })
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

  #wordList(word: string, share: number, rowBudget: number): WordList {
    const match = matchFor({ any: [word], phrases: [], languages: this.#languages })
    let count = Math.min(frequentCount, Math.round(share * this.#documents.end))
    if ((share <= maxShare || count <= sampleSize) && rowBudget > 0) {
      const rowids = this.#rowids('', match, frequentCount)
      count = rowids.length
      if (count < frequentCount) return { stem: stem(word), rowids, isSample: false, count }
    }
    const rowids = this.#rowids('order by rowid desc', match, sampleSize).reverse()
    const isSample = rowids.length >= sampleSize
    return { stem: stem(word), rowids, isSample, count: Math.max(count, rowids.length) }
  }

  /** Languages with texts in the index: forms in others are not looked up. */
  get #languages(): readonly Language[] {
    this.#indexLanguages ??= languages.filter(
      (language) =>
        language === 'ru' || this.#rowids('', `"${languageMarker(language)}"`, 1).length > 0,
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
    return new Set(this.#rowids('order by rowid desc', match, frequentCount))
  }

  /** Estimates the texts of the organization with a word; those of others do not count, so that scores do not reveal them. */
  #countTexts({ rowids, isSample }: WordList): number {
    const { isCountedByType } = this.#searchable
    let matchCount = 0
    for (const rowid of rowids) matchCount += isCountedByType[this.#documents.groupAt(rowid)] ?? 0
    if (!isSample) return matchCount
    let sampledTexts = 0
    for (let rowid = rowids[0] ?? 0; rowid < this.#documents.end; rowid++)
      sampledTexts += isCountedByType[this.#documents.groupAt(rowid)] ?? 0
    return (this.#texts * matchCount) / Math.max(1, sampledTexts)
  }

  /** The most promising texts with some of the words, estimated from the words that occur and the text length. */
  #selectCandidates(
    lists: readonly WordList[],
    phrases: ReadonlySet<number> | undefined,
  ): number[] {
    const { scores, end } = this.#sumScores(lists)
    const top = new TopScores(maxScored)
    for (let rowid = end - 1; rowid > 0; rowid--) {
      const score = scores[rowid] ?? 0
      if (score === 0) continue
      scores[rowid] = 0
      if (score > top.threshold && (!phrases || phrases.has(rowid)) && this.isSearchable(rowid))
        top.add(rowid, score)
    }
    return top.sorted().map((entry) => entry.slot)
  }

  #sumScores(lists: readonly WordList[]): { scores: Float32Array; end: number } {
    const end = 1 + lists.reduce((highest, { rowids }) => Math.max(highest, rowids.at(-1) ?? 0), 0)
    const scores = zeroedScores(end)
    const norm = this.#lengthNorm()
    for (const { stem: name, rowids } of lists) {
      const weight = this.#idf(name) * (bm25Saturation + 1)
      for (const rowid of rowids)
        scores[rowid]! += weight / (1 + norm(this.#documents.sizeAt(rowid)))
    }
    return { scores, end }
  }

  /** Normalizes the count of a word by the length of a text. */
  #lengthNorm(): (bytes: number) => number {
    const { texts, bytes } = this.#documents.totals(this.#searchable.organization)
    const averageBytes = Math.max(1, bytes / Math.max(1, texts))
    return (size) =>
      bm25Saturation *
      (1 - bm25LengthWeight + (bm25LengthWeight * Math.min(maxBytes, size)) / averageBytes)
  }

  /** Whether the search may include a text, as far as that is known without reading it. */
  isSearchable(rowid: number): boolean {
    const { isWholeByType, alwaysIncluded, onlyRowids } = this.#searchable
    if (onlyRowids && !onlyRowids.has(rowid)) return false
    const group = this.#documents.groupAt(rowid)
    if (group === 0 || this.#data.texts.changedRowids.has(rowid))
      return this.#searchable.isInScope(rowid)
    return isWholeByType[group] === 1 || alwaysIncluded?.has(rowid) === true
  }

  positionsIn(rowid: number): StemPositions {
    const cached = this.#places.get(rowid)
    if (cached) return cached
    const places = this.#finder.positionsIn(this.#data.texts.tokens(rowid))
    this.#places.set(rowid, places)
    return places
  }

  /** BM25 scores, best first; ties by newest first. */
  #scoreMatches(lists: readonly WordList[], rowids: readonly number[]): WordMatch[] {
    const norm = this.#lengthNorm()
    const weighedLists = lists.map((list) => ({
      ...list,
      weight: this.#idf(list.stem) * (bm25Saturation + 1),
    }))
    const matches = rowids.map((rowid) => {
      const { places, titleLength } = this.positionsIn(rowid)
      const added = norm(this.#documents.sizeAt(rowid))
      let score = 0
      for (const { stem: name, rowids: having, weight } of weighedLists) {
        const stemPlaces = places.get(name)
        const count = stemPlaces
          ? weightedCount(stemPlaces, titleLength)
          : Number(includes(having, rowid))
        score += (weight * count) / (count + added)
      }
      return { rowid, score }
    })
    return matches.sort((hit, other) => other.score - hit.score || other.rowid - hit.rowid)
  }
}

function weightedCount(places: readonly number[], titleLength: number): number {
  let inTitle = 0
  while ((places[inTitle] ?? Infinity) < titleLength) inTitle++
  return places.length + (titleWeight - 1) * inTitle
}

function includes(ascending: readonly number[], target: number): boolean {
  let [low, high] = [0, ascending.length]
  for (let middle = high >> 1; low < high; middle = (low + high) >> 1)
    if ((ascending[middle] ?? Infinity) < target) low = middle + 1
    else high = middle
  return ascending[low] === target
}

let scoreBuffer = new Float32Array(1024)

/** A buffer of zeros; callers must restore the zeros. */
function zeroedScores(length: number): Float32Array {
  if (length > scoreBuffer.length) scoreBuffer = new Float32Array(Math.ceil(length * 1.25))
  return scoreBuffer
}
