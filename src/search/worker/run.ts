// One search, in the thread: candidates by words and meaning first; then, of those that the caller
// may see, the order.

import {
  displayScore,
  isRelevant,
  providerWeights,
  scoreOf,
  scoreTermsOf,
  weights,
  type ScoreTerms,
} from '../ranker.ts'
import { rangesOf, snippet } from '../text.ts'
import { CandidateSet, seedCount } from './candidates.ts'
import { gainsOf, type Gain } from './gains.ts'
import type { NearPassage } from './pool.ts'
import type {
  Candidate,
  Candidates,
  RankedHit,
  Ranking,
  RankRequest,
  SearchRequest,
} from './protocol.ts'
import type { Doc, Item, SearchData } from './search-data.ts'

/** Characters of a text that are read for ranking. */
const maxCharacters = 20_000

interface Weighed {
  item: Item
  doc: Doc
  near: NearPassage | undefined
  gain: Gain | undefined
  why: ScoreTerms
  score: number
}

export class SearchRun {
  readonly #data: SearchData
  readonly #request: SearchRequest
  readonly #candidates: CandidateSet

  constructor(data: SearchData, request: SearchRequest) {
    this.#data = data
    this.#request = request
    this.#candidates = new CandidateSet(data, request)
  }

  /** `pending`: texts within the scope that wait for their vectors. */
  candidates(pending: number): Omit<Candidates, 'hits'> {
    return this.#candidates.find(pending)
  }

  /** The hits of a search without links. */
  rankedAlone({ allowed, ...ranking }: Ranking, candidates: readonly Candidate[]): RankedHit[] {
    return this.ranked({
      ...ranking,
      allowed: allowed ?? candidates.map((candidate) => candidate.id),
      links: [],
    })
  }

  ranked({ allowed, links, near = [], limit, page }: RankRequest): RankedHit[] {
    const seen = new Set(allowed)
    const pool = [...this.#candidates.items.values()]
      .filter((item) => seen.has(item.id))
      .sort((a, b) => b.base - a.base || (a.id < b.id ? 1 : -1))
    const best = pool[0]?.base ?? 1
    const lenders = new Map([
      ...pool
        .slice(0, seedCount)
        .map((item): [string, number] => [item.id, item.base / (best || 1)]),
      ...near.map((id): [string, number] => [id, 1]),
    ])
    const gains = gainsOf(
      lenders,
      links.filter(
        (link) => (seen.has(link.from) || near.includes(link.from)) && seen.has(link.to),
      ),
    )
    const known = new Set(pool.map((item) => item.id))
    const brought = this.#candidates.linked([...gains.keys()].filter((id) => !known.has(id)))
    const ranked = [...pool, ...brought]
      .flatMap((item) => this.#weighed(item, gains.get(item.id)) ?? [])
      .sort((a, b) => b.score - a.score || b.doc.at - a.doc.at || (a.item.id < b.item.id ? 1 : -1))
      .slice(0, limit)
      .map((weighed) => this.#shown(weighed))
    for (const { shown, of } of page ? onPage(ranked, page) : ranked)
      Object.assign(shown, this.#snippetOf(of))
    return ranked.map((item) => item.shown)
  }

  #weighed(item: Item, gain: Gain | undefined): Weighed | undefined {
    const doc = this.#bestOf(item)
    if (!doc) return undefined
    const near = item.docs.get(doc.rowid_)!.near
    const why = scoreTermsOf(this.#request.query, (name) => this.#idf(name), {
      ...item,
      gain: gain?.sum ?? 0,
      words: this.#data.words(doc.rowid_, doc.title, () => lookedAt(doc.body, near)),
    })
    return {
      item,
      doc,
      near,
      gain,
      why,
      score: scoreOf(why, this.#candidates.vector ? providerWeights : weights),
    }
  }

  /** The text of an item that speaks most for it. */
  #bestOf({ docs }: Item): Doc | undefined {
    let best: { rowid: number; score: number } | undefined
    for (const [rowid, { bm25, cosine }] of docs)
      if (!best || bm25 / 10 + cosine > best.score) best = { rowid, score: bm25 / 10 + cosine }
    return best && this.#candidates.docs.get(best.rowid)
  }

  #shown(of: Weighed): { shown: RankedHit; of: Weighed } {
    const { item, doc, near, gain, why, score } = of
    const by = [
      ...(item.wordRank === undefined ? [] : ['keyword' as const]),
      ...(item.meaningRank === undefined ? [] : ['vector' as const]),
      ...(gain ? ['graph' as const] : []),
    ]
    const texts = [...item.docs.values()]
    const nearness = Math.max(0, ...texts.map((text) => text.cosine))
    const above = Math.max(0, ...texts.map((text) => text.near?.above ?? 0))
    const { part, ref, title, at } = doc
    const shown = {
      id: item.id,
      item_id: item.item_id,
      item_type: item.type,
      score,
      why,
      nearness,
      above,
      by,
      via: gain?.via ?? [],
      part,
      ref,
      title,
      start: near?.start,
      snippet: '',
      ranges: [],
      at,
    }
    return { shown, of }
  }

  #snippetOf({ item, doc, near }: Weighed): Pick<RankedHit, 'snippet' | 'ranges'> {
    const text =
      near && item.docs.get(doc.rowid_)!.bm25 === 0
        ? doc.body.slice(near.start, near.start + near.length)
        : doc.body
    const { stems } = this.#request.query
    const shown = snippet(text, stems)
    return { snippet: shown, ranges: rangesOf(shown, stems) }
  }

  #idf(name: string): number {
    const { embeddings } = this.#data
    return embeddings && embeddings.passages > 0 ? embeddings.idf(name) : 1
  }
}

/** Those of the hits that a page shows, with one more. */
function onPage<T extends { shown: RankedHit }>(
  ranked: readonly T[],
  { limit, behind }: NonNullable<RankRequest['page']>,
): T[] {
  const listed = ranked
    .filter((item) => isRelevant(item.shown))
    .map((item) => ({ one: item, id: item.shown.id, score: displayScore(item.shown.score) }))
  const rest = behind
    ? listed.filter(
        (item) => item.score < behind.score || (item.score === behind.score && item.id < behind.id),
      )
    : listed
  return rest
    .sort((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1))
    .slice(0, limit + 1)
    .map((item) => item.one)
}

/** Of a long text, what is around the passage that is near, and its beginning. */
function lookedAt(body: string, near: NearPassage | undefined): string {
  if (body.length <= maxCharacters || !near) return body.slice(0, maxCharacters)
  return `${body.slice(Math.max(0, near.start - 1000), near.start + near.length + 1000)}\n${body.slice(0, maxCharacters / 2)}`
}
