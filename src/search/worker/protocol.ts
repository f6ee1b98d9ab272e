// The messages between the search engine and its thread.

import type { Query } from '../query.ts'
import type { ScoreTerms } from '../ranker.ts'
import type { PassageVector } from './pool.ts'

/** A request to the thread; its answer has the same number. */
export type Request =
  | { do: 'search'; search: SearchRequest }
  | { do: 'rank'; of: number; rank: RankRequest }
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
  /** SearchText.container of what may be found; null: everything. */
  containers: readonly string[] | null
  /** Restricts to these types, as named in search_docs. */
  types: readonly string[]
  /**
   * Part of it that the caller sees, by type: nothing else takes part in the search. Without it
   * they see all.
   */
  visible?: readonly VisibleItems[]
  after?: number | undefined
  before?: number | undefined
  /** These items only. */
  items?: readonly string[]
}

/** The vector of a query in a space whose embeddings the thread does not compute itself. */
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
  /**
   * Each text is a hit by itself, under its ref, instead of the item that it is from (the lines of
   * a transcript).
   */
  each?: boolean | undefined
  /** An item that is left out. */
  except?: string | undefined
  /** Candidates at most; default 150. */
  limit?: number
  /** false: mentions of the best candidates are not looked for. */
  links?: boolean | undefined
  /** Answers with the ranked hits at once, in one trip: for searches without links. */
  ranked?: Ranking | undefined
}

/** Ranking of hits without links. */
export interface Ranking {
  /** The candidates that the caller may see, by their ids; undefined: all of them. */
  allowed?: readonly string[] | undefined
  limit: number
  /** Default: yes. */
  withSnippets?: boolean
  /** Returns a longer excerpt of the text for this many of the best hits shown, regardless of the page. */
  texts?: { count: number; length: number } | undefined
  /** The hits that are wanted, with one more; undefined: all of them. */
  page?: { limit: number; behind?: { score: number; id: string } | undefined } | undefined
}

/**
 * An item that may be among the hits, best first; whether the caller may see it has not been
 * checked.
 */
export interface Candidate {
  /** The item's, or the ref of the text where each is a hit by itself. */
  id: string
  item_id: string
}

export interface Candidates {
  candidates: Candidate[]
  /** Links between the best of them and the items that mention them or that they mention. */
  mentions: Link[]
  /** Whether meaning took part: there are vectors, and a word of the query has one. */
  byMeaning: boolean
  /** The space that answered. */
  space: string | undefined
  /** Texts that wait for their vectors. */
  pending: number
  /** Explains in words which search words were left out. */
  note: string | undefined
  /** The hits, where the request asked for them. */
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
  /** Items that lend to their neighbours as the best hit does. */
  near?: readonly string[]
}

/** Hits in their order. */
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
  /**
   * The cosine of its nearest passage, 0 to 1: unlike the score it says how near, not only which is
   * nearest.
   */
  nearness: number
  /** Distance above the mean of all others, in standard deviations. */
  above: number
  /** Whether words, meaning, links brought it. */
  by: ('keyword' | 'vector' | 'graph')[]
  /** Through which better hits it came. */
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
  /** A longer piece, where it was asked for. */
  text: string
  /** Query words in the snippet: [start, length] in characters. */
  ranges: [number, number][]
  at: number
}

/** A text with its vectors. */
export interface EmbeddedText {
  doc: number
  version: number
  /** undefined: the text is gone. */
  passages: PassageVector[] | undefined
}

/** A text whose vectors a provider is to compute. */
export interface PendingText {
  doc: number
  version: number
  /** Its passages, with the title before each; undefined: the text is gone. */
  passages: { start: number; length: number; text: string }[] | undefined
  /** The vectors that it has, where it was only moved. */
  kept: PassageVector[] | undefined
}

export interface VectorStatus {
  own: string | undefined
  /** Passages of the requested space, or of the local one. */
  passages: number
  bytes: number
  pending: number
}
