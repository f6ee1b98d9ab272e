// One search, in the thread: first candidates by words and meaning, then ranking of those that the caller can see.

import {
  countByType,
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
  RankedHits,
  Ranking,
  RankRequest,
  SearchRequest,
} from './protocol.ts'
import type { Item, ItemText, SearchData } from './search-data.ts'
import { maxCharacters } from './texts.ts'
import { indexLanguage } from '../languages/forms.ts'
import { StemFinder, textTokens, type StemPlaces } from '../tokens.ts'

interface Weighed {
  item: Item
  text: ItemText
  gain: Gain | undefined
  why: ScoreTerms
  score: number
  isNear: Pick<RankedHit, 'nearness' | 'above'>
}

export class SearchRun {
  readonly #data: SearchData
  readonly #request: SearchRequest
  readonly #candidates: CandidateSet
  readonly #finder: StemFinder

  constructor(data: SearchData, request: SearchRequest) {
    this.#data = data
    this.#request = request
    this.#finder = new StemFinder(request.query.stems)
    this.#candidates = new CandidateSet(data, request, this.#finder)
  }

  /** `pending`: texts within the scope that wait for vectors. */
  candidates(pending: number): Omit<Candidates, 'ranked'> {
    return this.#candidates.find(pending)
  }

  /** Ranked hits of a search without links. */
  rankedAlone({ allowed, ...ranking }: Ranking, candidates: readonly Candidate[]): RankedHits {
    return this.ranked({
      ...ranking,
      allowed: allowed ?? candidates.map((candidate) => candidate.id),
      links: [],
    })
  }

  ranked({
    allowed,
    links,
    near = [],
    limit,
    page,
    texts = { count: 0, length: 0 },
    withSnippets = true,
  }: RankRequest): RankedHits {
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
    const poolIds = new Set(pool.map((item) => item.id))
    const brought = this.#candidates.linked([...gains.keys()].filter((id) => !poolIds.has(id)))
    const ranked = [...pool, ...brought]
      .flatMap((item) => this.#weighed(item, gains.get(item.id)) ?? [])
      .sort(
        (a, b) =>
          b.score - a.score || b.text.doc.at - a.text.doc.at || (a.item.id < b.item.id ? 1 : -1),
      )
      .slice(0, limit)
    const listed = relevant(ranked)
    const withText = new Set(listed.slice(0, texts.count))
    const wanted = page ? [...withText.union(new Set(onPage(listed, page)))] : ranked
    return {
      hits: wanted.map((weighed) =>
        this.#presentHit(weighed, withSnippets, withText.has(weighed) ? texts.length : 0),
      ),
      countByType: countByType(listed.map(({ item }) => item.type)),
    }
  }

  #weighed(item: Item, gain: Gain | undefined): Weighed | undefined {
    const text = bestOf(item)
    if (!text) return undefined
    const why = scoreTermsOf(this.#request.query, (name) => this.#candidates.rarity(name), {
      ...item,
      gain: gain?.sum ?? 0,
      words: this.#placesIn(text),
    })
    return {
      item,
      text,
      gain,
      why,
      score: scoreOf(why, this.#candidates.vector ? providerWeights : weights),
      isNear: nearnessOf(item),
    }
  }

  /** `textLength`: of the longer excerpt; 0: none. */
  #presentHit(
    { item, text, gain, why, score, isNear }: Weighed,
    withSnippet: boolean,
    textLength: number,
  ): RankedHit {
    const by = waysTo(item, gain)
    const { doc, near } = text
    const { part, title, body } = this.#data.texts.read(doc.rowid_)
    const { stems } = this.#request.query
    const excerpt = withSnippet ? this.#pieceOf(text, body) : ''
    return {
      id: item.id,
      item_id: item.item_id,
      item_type: item.type,
      score,
      why,
      ...isNear,
      by,
      via: gain?.via ?? [],
      part,
      ref: doc.ref,
      title,
      start: near?.start,
      snippet: excerpt,
      text: textLength > 0 ? this.#pieceOf(text, body, textLength) : '',
      ranges: rangesOf(excerpt, stems),
      at: doc.at,
    }
  }

  /** The excerpt that best shows why the text matches. */
  #pieceOf({ near, bm25 }: ItemText, body: string, length?: number): string {
    const text = near && bm25 === 0 ? body.slice(near.start, near.start + near.length) : body
    return snippet(text, this.#request.query.stems, length)
  }

  /** Positions of the query's stems in a text; for a long text, also around the near passage. */
  #placesIn({ doc, near }: ItemText): StemPlaces {
    const { texts } = this.#data
    if (!near || near.start + near.length < maxCharacters)
      return this.#candidates.placesIn(doc.rowid_)
    const { title, body } = texts.read(doc.rowid_)
    return this.#finder.placesIn(
      textTokens(title, lookedAt(body, near), indexLanguage(title, body)),
    )
  }
}

/** The best matching text of an item. */
function bestOf({ texts }: Item): ItemText | undefined {
  let best: { text: ItemText; score: number } | undefined
  for (const text of texts) {
    const score = text.bm25 / 10 + text.cosine
    if (!best || score > best.score) best = { text, score }
  }
  return best?.text
}

function waysTo({ wordRank, meaningRank }: Item, gain: Gain | undefined): RankedHit['by'] {
  return [
    ...(wordRank === undefined ? [] : ['keyword' as const]),
    ...(meaningRank === undefined ? [] : ['vector' as const]),
    ...(gain ? ['graph' as const] : []),
  ]
}

/** Nearness of an item's nearest text. */
function nearnessOf({ texts }: Item): Pick<RankedHit, 'nearness' | 'above'> {
  let [nearness, above] = [0, 0]
  for (const { cosine, near } of texts) {
    nearness = Math.max(nearness, cosine)
    above = Math.max(above, near?.above ?? 0)
  }
  return { nearness, above }
}

const relevant = (ranked: readonly Weighed[]) =>
  ranked.filter(({ item, gain, isNear }) => isRelevant({ by: waysTo(item, gain), ...isNear }))

/** Selects the hits of a page, plus one more. */
function onPage(
  relevantHits: readonly Weighed[],
  { limit, behind }: NonNullable<RankRequest['page']>,
): Weighed[] {
  const listed = relevantHits.map((weighed) => ({
    of: weighed,
    id: weighed.item.id,
    score: displayScore(weighed.score),
  }))
  const rest = behind
    ? listed.filter(
        (hit) => hit.score < behind.score || (hit.score === behind.score && hit.id < behind.id),
      )
    : listed
  return rest
    .sort((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1))
    .slice(0, limit + 1)
    .map((hit) => hit.of)
}

/** Returns the surroundings of the near passage and the beginning of the text. */
function lookedAt(body: string, near: NearPassage): string {
  return `${body.slice(Math.max(0, near.start - 1000), near.start + near.length + 1000)}\n${body.slice(0, maxCharacters / 2)}`
}
