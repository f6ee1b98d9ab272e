// Ranks search results: eight weighted terms of words, meaning and links. The weights were fitted on public collections
// (`npm run search-eval` measures them); each term is between 0 and about 1.

import type { Query } from './query.ts'
import type { StemPositions } from './tokens.ts'

/** Ranking signals of a candidate. */
export interface Signals {
  /** Relative to the best candidate of the search, 0 to 1; 0: no word matches. */
  bm25: number
  /** Rank by words, from 0; undefined if no word matches. */
  wordRank: number | undefined
  /** Relative to the best candidate of the search, 0 to 1. */
  cosine: number
  meaningRank: number | undefined
  /** Score that the candidate receives over links from the best hits. */
  gain: number
  words: StemPositions
}

/** The terms of a candidate's score. */
export interface ScoreTerms {
  bm25: number
  cosine: number
  /** Share of the query that it contains, weighted by the rarity of each word. */
  coverage: number
  /** Proximity in the text of words that are adjacent in the query. */
  proximity: number
  /** Coverage of the title alone. */
  title: number
  gain: number
  wordPlace: number
  meaningPlace: number
  /** Words of the query that occur in it. */
  terms: string[]
}

export type Weights = Readonly<Record<Exclude<keyof ScoreTerms, 'terms'>, number>>

/** Fitted with the bundled table. */
export const weights: Weights = {
  bm25: 1.3,
  cosine: 0.8,
  coverage: 0.7,
  proximity: 2.3,
  title: 0.9,
  gain: 1.4,
  wordPlace: 1.2,
  meaningPlace: 0.98,
}

/** Weights of words and meaning in the preliminary score, which selects the candidates. */
export const candidateWeights = { words: 0.6, meaning: 0.4 } as const

/** The same for vectors of a model, which captures meaning better than a table of words. */
export const providerCandidateWeights = { words: 0.4, meaning: 0.6 } as const
/**
 * Fitted with the built-in encoder on thirteen collections, five of them English, seven in other languages or across
 * two, and a synthetic workspace.
 */
const providerWeights: Weights = {
  bm25: 0.85,
  cosine: 1.15,
  coverage: 0.83,
  proximity: 2.3,
  title: 0.92,
  gain: 1.65,
  wordPlace: 0.77,
  meaningPlace: 1.07,
}

/** Maximum distance of nearby words. */
const maxDistance = 10
const reciprocalRank = (rank: number | undefined) => (rank === undefined ? 0 : 10 / (10 + rank))

export function scoreTermsOf(
  query: Query,
  idf: (stem: string) => number,
  signals: Signals,
): ScoreTerms {
  const { words, pairs } = query
  const stems = [...query.stems]
  const { places, titleLength } = signals.words
  const totalIdf = (stems: readonly string[]) => stems.reduce((sum, name) => sum + idf(name), 0)
  const totalWeight = totalIdf(stems) || 1
  const present = stems.filter((name) => places.has(name))
  return {
    bm25: signals.bm25,
    cosine: signals.cosine,
    coverage: totalIdf(present) / totalWeight,
    proximity: proximityOf(pairs, places, idf),
    title: totalIdf(present.filter((name) => places.get(name)![0]! < titleLength)) / totalWeight,
    gain: Math.min(1.5, signals.gain),
    wordPlace: reciprocalRank(signals.wordRank),
    meaningPlace: reciprocalRank(signals.meaningRank),
    terms: present.map((name) => words.get(name) ?? name),
  }
}

export function scoreOf(why: ScoreTerms, by: Weights = weights): number {
  let sum = 0
  for (const name of Object.keys(by) as (keyof Weights)[]) sum += by[name] * why[name]
  return sum
}

/** Share of a query that the best hit must cover for its words to count in full. Fitted like the weights. */
const minCoverage = 0.28

/**
 * Trust in words for vectors of a model, 0 to 1. Where no hit has the words of the query, because it is in another
 * language, the few words that they share mislead.
 */
export function trustInWordsOf(terms: readonly ScoreTerms[]): number {
  const best = terms.reduce((best, { coverage }) => Math.max(best, coverage), 0)
  return Math.min(1, best / minCoverage)
}

/** Weights for vectors of a model, at some trust in words. */
export function weightsTrusting(trustInWords: number): Weights {
  const { bm25, coverage, proximity, title, wordPlace } = providerWeights
  return {
    ...providerWeights,
    bm25: bm25 * trustInWords,
    coverage: coverage * trustInWords,
    proximity: proximity * trustInWords,
    title: title * trustInWords,
    wordPlace: wordPlace * trustInWords,
  }
}

function proximityOf(
  pairs: Query['pairs'],
  places: StemPositions['places'],
  idf: (stem: string) => number,
): number {
  let [sum, all] = [0, 0]
  for (const [a, b] of pairs) {
    const mass = idf(a) + idf(b)
    all += mass
    const distance = smallestDistance(places.get(a), places.get(b))
    if (distance <= maxDistance) sum += mass / Math.sqrt(distance)
  }
  return all === 0 ? 0 : sum / all
}

/** The smallest distance between two ascending lists of positions. */
function smallestDistance(
  places: readonly number[] | undefined,
  others: readonly number[] | undefined,
): number {
  if (!places || !others) return Infinity
  let [i, j, best] = [0, 0, Infinity]
  while (i < places.length && j < others.length) {
    const distance = places[i]! - others[j]!
    best = Math.min(best, Math.abs(distance))
    if (distance < 0) i++
    else j++
  }
  return best
}

/** A medium score, displayed as 0.63. */
const scoreScale = 3

/** A score as displayed: between 0 and 1, in the same order as the scores. */
export const displayScore = (score: number) =>
  Math.round((1 - Math.exp(-Math.max(0, score) / scoreScale)) * 1e6) / 1e6

/**
 * Minimum distance of purely semantic hits from the rest: every query has nearest texts, relevant or not. Measured on the collections of
 * `npm run search-eval`.
 */
const minNearness = 0.1
const minAbove = 1

/** True if a hit is shown: it matches by words or links, or its meaning is much nearer than that of the rest. */
export function isRelevant({
  foundBy,
  nearness,
  distanceFromRest,
}: {
  foundBy: readonly string[]
  nearness: number
  distanceFromRest: number
}): boolean {
  return (
    foundBy.some((name) => name !== 'vector') ||
    (nearness >= minNearness && distanceFromRest >= minAbove)
  )
}

export function countByType(types: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const type of types) counts[type] = (counts[type] ?? 0) + 1
  return counts
}
