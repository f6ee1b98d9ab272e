// The messages between the search engine and its thread.

import type { Query } from '../query.ts'
import type { ScoreTerms } from '../ranker.ts'
import type { PassageVector } from './pool.ts'

/** A request to the thread; its answer has the same number. */
export type Request =
  | { do: 'search'; search: SearchRequest }
  | { do: 'rank'; requestId: number; rank: RankRequest }
  | { do: 'embed'; limit: number }
  | { do: 'load'; space: string; embedded: readonly EmbeddedText[] }
  | { do: 'count'; after: number; limit: number }
  | { do: 'learn'; after: number; limit: number }
  | { do: 'adapt' }
  | { do: 'reembed'; after: number; limit: number }
  | { do: 'missing'; space: string; after: number; limit: number }
  | { do: 'due'; space: string; limit: number }
  | { do: 'activate'; space: string | null }
  | { do: 'status'; space?: string }

/** Items of a type that the caller may see. */
export interface VisibleItems {
  type: string
  /** Containers in which they see everything of it. */
  containers: readonly string[]
  /** Ids of further items that they see. */
  items: readonly string[]
}

export interface SearchScope {
  /** SearchText.container of searchable texts; null: all. */
  containers: readonly string[] | null
  /** Restricts to these types, as named in search_docs. */
  types: readonly string[]
  /**
   * The part of the scope that the caller sees, by type: nothing else is searched. If it is unset,
   * they see all.
   */
  visible?: readonly VisibleItems[]
  after?: number | undefined
  before?: number | undefined
  /** Only these items. */
  items?: readonly string[]
}

/** The vector of a query in a space that the thread does not embed itself. */
export interface QueryVector {
  space: string
  vector: Float32Array
}

export interface SearchRequest {
  query: Query
  scope: SearchScope
  /** Organization whose texts determine the rarity of a word; default: all. */
  organization?: string | undefined
  /** keyword: words only; semantic: meaning only. */
  mode: 'keyword' | 'semantic' | 'hybrid'
  vector?: QueryVector | undefined
  /** Each text is a separate hit, identified by its ref instead of its item (the lines of a transcript). */
  isPerText?: boolean | undefined
  /** An item to exclude. */
  exceptItem?: string | undefined
  /** Maximum candidates; default 150. */
  limit?: number
  /** false: does not search for mentions of the best candidates. */
  links?: boolean | undefined
  /** Returns ranked hits immediately, in one round trip: for searches without links. */
  ranked?: Ranking | undefined
}

/** Ranking of hits without links. */
export interface Ranking {
  /** Ids of the candidates that the caller can see; undefined: all. */
  allowed?: readonly string[] | undefined
  limit: number
  /** Default: true. */
  withSnippets?: boolean
  /** Returns a longer excerpt of the text for this many of the best hits shown, regardless of the page. */
  texts?: { count: number; length: number } | undefined
  /** The requested hits, plus one; undefined: all of them. */
  page?: { limit: number; after?: { score: number; id: string } | undefined } | undefined
}

/** A potential hit, best first; its visibility has not been checked. */
export interface Candidate {
  /** Id of the item, or the ref of the text if each is a separate hit. */
  id: string
  item_id: string
}

export interface Candidates {
  candidates: Candidate[]
  /** Links between the best candidates and the items that mention them or that they mention. */
  mentions: Link[]
  /** True if meaning was used: there are vectors, and a word of the query has one. */
  byMeaning: boolean
  /** The space that was used. */
  space: string | undefined
  /** Texts waiting for vectors. */
  pending: number
  /** A sentence about the search words that were left out. */
  note: string | undefined
  /** The hits, if requested. */
  ranked: RankedHits | undefined
}

export interface Link {
  from: string
  to: string
  /** Kind of link: reply, parent, mention … */
  kind: string
  /** 0 to 1. */
  weight: number
}

export interface RankRequest extends Ranking {
  allowed: readonly string[]
  links: readonly Link[]
  /** Items whose linked items gain score as from the best hit. */
  nearItems?: readonly string[]
}

/** Hits in order. */
export interface RankedHits {
  /** Requested hits. */
  hits: RankedHit[]
  /** Number of hits of each type, requested or not. */
  countByType: Readonly<Record<string, number>>
}

export interface RankedHit {
  /** Id of the candidate. */
  id: string
  item_id: string
  item_type: string
  score: number
  why: ScoreTerms
  /** The cosine of its nearest passage, 0 to 1: unlike the score, an absolute measure. */
  nearness: number
  /** Distance above the mean of all others, in standard deviations. */
  distanceFromRest: number
  /** Whether it was found by words, meaning or links. */
  foundBy: ('keyword' | 'vector' | 'graph')[]
  /** Better hits from which links lead to it. */
  via: { from: string; kind: string }[]
  part: string
  ref: string
  title: string
  /**
   * Start of the passage nearest in meaning; undefined if only words
   * matched.
   */
  start: number | undefined
  snippet: string
  /** A longer excerpt, if requested. */
  text: string
  /** Query words in the snippet: [start, length] in characters. */
  ranges: [number, number][]
  at: number
}

/** A text with its vectors. */
export interface EmbeddedText {
  doc: number
  version: number
  /** undefined: the text was deleted. */
  passages: PassageVector[] | undefined
}

/** A text to be embedded by a provider. */
export interface PendingText {
  doc: number
  version: number
  /** Its passages, each preceded by the title; undefined: the text was deleted. */
  passages: { start: number; length: number; text: string }[] | undefined
  /** Its existing vectors, if it was only moved. */
  vectors: PassageVector[] | undefined
}

export interface VectorStatus {
  localSpaceId: string | undefined
  /** Passages of the requested space, or of the local one. */
  passages: number
  bytes: number
  pending: number
}
