// The candidates of one search: items whose texts match its words or are similar in meaning.

import { planNote } from '../full-text.ts'
import type { Terms } from '../query.ts'
import { providerCandidateWeights, candidateWeights } from '../ranker.ts'
import { bagOfStems } from './embeddings.ts'
import { Mentions } from './mentions.ts'
import { maxTexts, newestMatches } from './newest-matches.ts'
import type { VectorPool } from './pool.ts'
import type { Candidate, Candidates, QueryVector, SearchRequest } from './protocol.ts'
import type { StemFinder, StemPositions } from '../tokens.ts'
import { quantize } from './scan.ts'
import { kindOfType, ScopeFilter } from './scope.ts'
import { WordSearch, type SearchableTexts } from './word-matches.ts'
import type { Doc, DocLocation } from './document-map.ts'
import { docColumns } from './texts.ts'
import type { Item, ItemText, SearchData } from './search-data.ts'

/** Maximum number of fully ranked items. */
const maxCandidates = 150
/** Number of best candidates whose mentions are searched and which raise the scores of linked items. */
export const seedCount = 10
/** Number of items below which the words of quoted phrases are looked up as well. */
const minItemsByPhrase = 10

/** The items found by a search, with their texts; `find` fills it. */
export class CandidateSet {
  readonly #data: SearchData
  readonly #request: SearchRequest
  readonly items = new Map<string, Item>()
  readonly docs = new Map<number, Doc>()
  readonly #filter: ScopeFilter
  readonly #onlyItems: ReadonlySet<string> | undefined
  /** The vector of the request, if its space is loaded. */
  readonly vector: QueryVector | undefined
  readonly #words: WordSearch
  #visibleRowids: ReadonlySet<number> | undefined
  #onlyRowids: ReadonlySet<number> | undefined
  /** Note about words that were left out. */
  #note: string | undefined

  /** `finder`: for the stems of the query. */
  constructor(data: SearchData, request: SearchRequest, finder: StemFinder) {
    this.#data = data
    this.#request = request
    this.#filter = new ScopeFilter(request.scope)
    this.#onlyItems = request.scope.items && new Set(request.scope.items)
    this.#onlyRowids = this.#onlyItems && this.#rowidsOf([...this.#onlyItems])
    if (this.#filter.items.length > 0) this.#visibleRowids = this.#rowidsOf(this.#filter.items)
    this.#words = new WordSearch(data, this.#wordReach(request.organization), finder)
    this.vector = request.vector && data.pool(request.vector.space) ? request.vector : undefined
  }

  /** Weights of words and meaning; if one of them was not searched, the other counts alone. */
  #weights(hasSpace: boolean): { words: number; meaning: number } {
    if (this.#request.mode === 'semantic') return { words: 0, meaning: 1 }
    if (!hasSpace) return { words: 1, meaning: 0 }
    return this.vector ? providerCandidateWeights : candidateWeights
  }

  find(pending: number): Omit<Candidates, 'ranked'> {
    const { mode, exceptItem } = this.#request
    if (mode === 'semantic') this.#words.count(this.#request.query.terms)
    else this.#findByWords()
    const space = mode === 'keyword' ? undefined : this.#findByMeaning()
    if (exceptItem !== undefined) this.items.delete(exceptItem)
    const { words, meaning } = this.#weights(space !== undefined)
    let [bestWord, bestMeaning] = [1e-9, 1e-9]
    for (const item of this.items.values()) {
      bestWord = Math.max(bestWord, item.bm25)
      bestMeaning = Math.max(bestMeaning, item.cosine)
    }
    for (const item of this.items.values()) {
      item.bm25 = Math.max(0, item.bm25) / bestWord
      item.cosine = Math.max(0, item.cosine) / bestMeaning
      item.candidateScore = words * item.bm25 + meaning * item.cosine
    }
    const best = [...this.items.values()]
      .sort((a, b) => b.candidateScore - a.candidateScore || (a.id < b.id ? 1 : -1))
      .slice(0, this.#request.limit ?? maxCandidates)
    const candidates = best.map(({ id, item_id }): Candidate => ({ id, item_id }))
    return {
      candidates,
      mentions:
        this.#request.isPerText || this.#request.links === false
          ? []
          : this.#mentions().linksFrom(best.slice(0, seedCount)),
      byMeaning: space !== undefined,
      space,
      pending,
      note: this.#note,
    }
  }

  /** The space to use: it computes its own vectors, or the request has a vector for it. */
  #findByMeaning(): string | undefined {
    const { query, scope } = this.#request
    const { embeddings, localSpaceId } = this.#data
    const queryVector = this.vector
    const vector = queryVector?.vector ?? embeddings?.embed(bagOfStems(query.allStems))
    const space = queryVector?.space ?? localSpaceId
    const pool = space === undefined ? undefined : this.#data.pool(space)
    if (!vector || !pool || pool.passages === 0 || vector.every((x) => x === 0)) return undefined
    const nearestPassages = pool.nearest(
      quantize(vector),
      this.#data.texts.documents.fullySearched(this.#filter),
      scope.after === undefined && scope.before === undefined ? maxTexts : 5 * maxTexts,
      this.#visibleRowids,
      this.#onlyRowids,
    ) // times are checked below, therefore the higher limit
    const docs = this.#read(nearestPassages.map((nearPassage) => nearPassage.doc))
    let rank = 0
    for (const nearPassage of nearestPassages) {
      const doc = docs.get(nearPassage.doc)
      if (!doc || !this.#isInScope(doc)) continue // the text was deleted or moved after its vector was computed
      const item = this.#itemOf(doc)
      if (item.meaningRank === undefined) item.meaningRank = rank++
      const text = this.#textOf(item, doc)
      text.nearestPassage ??= nearPassage
      text.cosine = Math.max(text.cosine, nearPassage.cosine)
      item.cosine = Math.max(item.cosine, nearPassage.cosine)
    }
    this.#addCosines(pool)
    return space
  }

  /** Adds similarities for keyword matches, which are near in meaning to some degree, too. */
  #addCosines(pool: VectorPool): void {
    for (const item of this.items.values())
      for (const text of item.texts) {
        if (text.nearestPassage) continue
        text.cosine = pool.cosineOf(text.doc.rowid_)
        item.cosine = Math.max(item.cosine, text.cosine)
      }
  }

  #rowidsOf(items: readonly string[]): ReadonlySet<number> {
    return new Set(
      this.#data.statements
        .get('select rowid_ from search_docs where item_id in (select value from json_each(?))')
        .pluck()
        .all(JSON.stringify(items)) as number[],
    )
  }

  #findByWords(): void {
    const { terms } = this.#request.query
    if (terms.any.length === 0) return
    this.#addMatches(terms)
    if (terms.phrases.length > 0 && this.items.size < minItemsByPhrase)
      this.#addMatches({ any: terms.any, phrases: [] })
  }

  #addMatches(terms: Terms): void {
    if (this.#request.scope.containers?.length === 0) return
    const matches =
      this.#words.best(terms) ??
      newestMatches(this.#data, terms, this.#request.scope, (location) => this.#isInScope(location))
    this.#note ??= this.#words.plan && planNote(this.#words.plan)
    const { after, before } = this.#request.scope
    const isTimed = after !== undefined || before !== undefined
    const best = isTimed ? matches : matches.slice(0, maxTexts)
    const docs = this.#read(best.map((match) => match.rowid))
    let [rank, texts] = [this.items.size, 0]
    for (const { rowid, score } of best) {
      const doc = docs.get(rowid)
      if (!doc || !this.#isInScope(doc)) continue
      if (texts++ >= maxTexts) break
      const item = this.#itemOf(doc)
      if (item.wordRank === undefined) item.wordRank = rank++
      item.bm25 = Math.max(item.bm25, score)
      this.#textOf(item, doc).bm25 = score
    }
  }

  #wordReach(organization: string | undefined): SearchableTexts {
    const { documents } = this.#data.texts
    return {
      isWholeByType: documents.fullySearched(this.#filter),
      isCountedByType: documents.inOrganization(organization),
      organization,
      alwaysIncluded: this.#visibleRowids,
      onlyRowids: this.#onlyRowids,
      isInScope: (rowid) => {
        const location = this.#data.texts.locationAt(rowid)
        return location !== undefined && this.#isInScope(location)
      },
    }
  }

  /** Rarity of a stem among the texts of the organization. */
  rarity(stem: string): number {
    return this.#words.rarity(stem)
  }

  positionsIn(rowid: number): StemPositions {
    return this.#words.positionsIn(rowid)
  }

  #isInScope({ item_id, item_type, container, at }: DocLocation): boolean {
    if (this.#onlyItems && !this.#onlyItems.has(item_id)) return false
    const { after, before } = this.#request.scope
    return (
      this.#filter.has(item_type, container, item_id) &&
      (after === undefined || at >= after) &&
      (before === undefined || at <= before)
    )
  }

  #read(rowids: readonly number[]): Map<number, Doc> {
    const missing = rowids.filter((rowid) => !this.docs.has(rowid))
    for (const [rowid, doc] of this.#data.texts.docs(missing)) this.docs.set(rowid, doc)
    return this.docs
  }

  #itemOf({ ref, item_id, item_type }: Doc): Item {
    const id = this.#request.isPerText ? ref : item_id
    const existing = this.items.get(id)
    if (existing) return existing
    const created: Item = {
      id,
      item_id,
      type: kindOfType(item_type),
      texts: [],
      bm25: 0,
      cosine: 0,
      wordRank: undefined,
      meaningRank: undefined,
      candidateScore: 0,
    }
    this.items.set(id, created)
    return created
  }

  #textOf(item: Item, doc: Doc): ItemText {
    const existing = item.texts.find((text) => text.doc.rowid_ === doc.rowid_)
    if (existing) return existing
    const created: ItemText = { doc, bm25: 0, cosine: 0, nearestPassage: undefined }
    item.texts.push(created)
    return created
  }

  /** Adds items that are found only by links. */
  addLinked(ids: readonly string[]): Item[] {
    const rows = this.#data.statements
      .get(
        `select ${docColumns} from search_docs where item_id in (select value from json_each(?)) and part = 'item' order by rowid_`,
      )
      .all(JSON.stringify(ids)) as Doc[]
    return rows.flatMap((row) => {
      if (this.items.has(row.item_id) || !this.#isInScope(row)) return []
      this.docs.set(row.rowid_, row)
      const item = this.#itemOf(row)
      this.#textOf(item, row)
      return [item]
    })
  }

  #mentions(): Mentions {
    return new Mentions(this.#data, {
      isSearchable: (rowid) => this.#words.isSearchable(rowid),
      isInScope: (location) => this.#isInScope(location),
      read: (rowids) => this.#read(rowids),
    })
  }
}
