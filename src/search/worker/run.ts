// One search, in the thread: first candidates by words and meaning, then ranking of those that the caller can see.

import {
  countByType,
  displayScore,
  isRelevant,
  scoreOf,
  scoreTermsOf,
  trustInWordsOf,
  weights,
  weightsTrusting,
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
import { StemFinder, textTokens, type StemPositions } from '../tokens.ts'
import { byScore } from '../../kernel/text/order.ts'

interface WeighedItem {
  item: Item
  text: ItemText
  gain: Gain | undefined
  why: ScoreTerms
  nearnessSignals: Pick<RankedHit, 'nearness' | 'distanceFromRest'>
}

interface ScoredItem extends WeighedItem {
  score: number
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
  rankWithoutLinks({ allowed, ...ranking }: Ranking, candidates: readonly Candidate[]): RankedHits {
    return this.rank({
      ...ranking,
      allowed: allowed ?? candidates.map((candidate) => candidate.id),
      links: [],
    })
  }

  rank({
    allowed,
    links,
    nearItems = [],
    limit,
    page,
    texts = { count: 0, length: 0 },
    withSnippets = true,
  }: RankRequest): RankedHits {
    const visibleIds = new Set(allowed)
    const pool = [...this.#candidates.items.values()]
      .filter((item) => visibleIds.has(item.id))
      .sort((a, b) => b.candidateScore - a.candidateScore || (a.id < b.id ? 1 : -1))
    const best = pool[0]?.candidateScore ?? 1
    const linkSources = new Map([
      ...pool
        .slice(0, seedCount)
        .map((item): [string, number] => [item.id, item.candidateScore / (best || 1)]),
      ...nearItems.map((id): [string, number] => [id, 1]),
    ])
    const gains = gainsOf(
      linkSources,
      links.filter(
        (link) =>
          (visibleIds.has(link.from) || nearItems.includes(link.from)) && visibleIds.has(link.to),
      ),
    )
    const poolIds = new Set(pool.map((item) => item.id))
    const linkedItems = this.#candidates.addLinked(
      [...gains.keys()].filter((id) => !poolIds.has(id)),
    )
    const ranked = this.#score(
      [...pool, ...linkedItems].flatMap((item) => this.#weigh(item, gains.get(item.id)) ?? []),
    )
      .sort(
        (a, b) =>
          b.score - a.score || b.text.doc.at - a.text.doc.at || (a.item.id < b.item.id ? 1 : -1),
      )
      .slice(0, limit)
    const relevantItems = relevantOnly(ranked)
    const withText = new Set(relevantItems.slice(0, texts.count))
    const requested = page ? [...withText.union(new Set(onPage(relevantItems, page)))] : ranked
    return {
      hits: requested.map((weighed) =>
        this.#presentHit(weighed, withSnippets, withText.has(weighed) ? texts.length : 0),
      ),
      countByType: countByType(relevantItems.map(({ item }) => item.type)),
    }
  }

  #score(items: readonly WeighedItem[]): ScoredItem[] {
    const by = this.#candidates.vector
      ? weightsTrusting(trustInWordsOf(items.map(({ why }) => why)))
      : weights
    return items.map((item) => ({ ...item, score: scoreOf(item.why, by) }))
  }

  #weigh(item: Item, gain: Gain | undefined): WeighedItem | undefined {
    const text = bestTextOf(item)
    if (!text) return undefined
    const why = scoreTermsOf(this.#request.query, (name) => this.#candidates.rarity(name), {
      ...item,
      gain: gain?.sum ?? 0,
      words: this.#placesIn(text),
    })
    return { item, text, gain, why, nearnessSignals: nearnessOf(item) }
  }

  /** `textLength`: of the longer excerpt; 0: none. */
  #presentHit(
    { item, text, gain, why, score, nearnessSignals }: ScoredItem,
    withSnippet: boolean,
    textLength: number,
  ): RankedHit {
    const foundBy = matchKindsOf(item, gain)
    const { doc, nearestPassage } = text
    const { part, title, body } = this.#data.texts.read(doc.rowid_)
    const { stems } = this.#request.query
    const excerpt = withSnippet ? this.#excerptOf(text, body) : ''
    return {
      id: item.id,
      item_id: item.item_id,
      item_type: item.type,
      score,
      why,
      ...nearnessSignals,
      foundBy,
      via: gain?.via ?? [],
      part,
      ref: doc.ref,
      title,
      start: nearestPassage?.start,
      snippet: excerpt,
      text: textLength > 0 ? this.#excerptOf(text, body, textLength) : '',
      ranges: rangesOf(excerpt, stems),
      at: doc.at,
    }
  }

  /** The excerpt that best shows why the text matches. */
  #excerptOf({ nearestPassage, bm25 }: ItemText, body: string, length?: number): string {
    const text =
      nearestPassage && bm25 === 0
        ? body.slice(nearestPassage.start, nearestPassage.start + nearestPassage.length)
        : body
    return snippet(text, this.#request.query.stems, length)
  }

  /** Positions of the query's stems in a text; for a long text, also around the near passage. */
  #placesIn({ doc, nearestPassage }: ItemText): StemPositions {
    const { texts } = this.#data
    if (!nearestPassage || nearestPassage.start + nearestPassage.length < maxCharacters)
      return this.#candidates.positionsIn(doc.rowid_)
    const { title, body } = texts.read(doc.rowid_)
    return this.#finder.positionsIn(
      textTokens(title, excerptAround(body, nearestPassage), indexLanguage(title, body)),
    )
  }
}

/** The best matching text of an item. */
function bestTextOf({ texts }: Item): ItemText | undefined {
  let best: { text: ItemText; score: number } | undefined
  for (const text of texts) {
    const score = text.bm25 / 10 + text.cosine
    if (!best || score > best.score) best = { text, score }
  }
  return best?.text
}

function matchKindsOf(
  { wordRank, meaningRank }: Item,
  gain: Gain | undefined,
): RankedHit['foundBy'] {
  return [
    ...(wordRank === undefined ? [] : ['keyword' as const]),
    ...(meaningRank === undefined ? [] : ['vector' as const]),
    ...(gain ? ['graph' as const] : []),
  ]
}

/** Nearness of an item's nearest text. */
function nearnessOf({ texts }: Item): Pick<RankedHit, 'nearness' | 'distanceFromRest'> {
  let [nearness, distanceFromRest] = [0, 0]
  for (const { cosine, nearestPassage } of texts) {
    nearness = Math.max(nearness, cosine)
    distanceFromRest = Math.max(distanceFromRest, nearestPassage?.standardScore ?? 0)
  }
  return { nearness, distanceFromRest }
}

const relevantOnly = (ranked: readonly ScoredItem[]) =>
  ranked.filter(({ item, gain, nearnessSignals }) =>
    isRelevant({ foundBy: matchKindsOf(item, gain), ...nearnessSignals }),
  )

/** Selects the hits of a page, plus one more. */
function onPage(
  relevantHits: readonly ScoredItem[],
  { limit, after }: NonNullable<RankRequest['page']>,
): ScoredItem[] {
  const listed = relevantHits.map((weighed) => ({
    scored: weighed,
    id: weighed.item.id,
    score: displayScore(weighed.score),
  }))
  const following = after
    ? listed.filter(
        (hit) => hit.score < after.score || (hit.score === after.score && hit.id < after.id),
      )
    : listed
  return following
    .sort(byScore)
    .slice(0, limit + 1)
    .map((hit) => hit.scored)
}

/** Returns the surroundings of the near passage and the beginning of the text. */
function excerptAround(body: string, near: NearPassage): string {
  return `${body.slice(Math.max(0, near.start - 1000), near.start + near.length + 1000)}\n${body.slice(0, maxCharacters / 2)}`
}
