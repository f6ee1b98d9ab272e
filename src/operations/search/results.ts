// Requests and results of a search over items.

import type { Query } from '../../search/query.ts'
import type { RankedHit, SearchRequest } from '../../search/worker/protocol.ts'
import type { PageRequest } from '../../records/paging.ts'
import type { Narrow, VisibleRow } from './narrow.ts'
import type { ItemFilter, Searchable } from './searchable.ts'
import { byScore } from '../../kernel/text/order.ts'

/** Maximum number of ranked hits; others are not shown. */
export const maxHits = 150
export interface SearchOptions {
  /** Query, or a text for which similar ones are searched. */
  query: Query
  mode: SearchRequest['mode']
  kinds: readonly Searchable[]
  filter?: ItemFilter
  /** Further conditions on items, by kind. */
  only?: ReadonlyMap<string, Narrow>
  after?: number | undefined
  before?: number | undefined
  /** Items whose neighbours gain score, as from the best hit. */
  near?: readonly string[]
  /** An item to exclude. */
  except?: string
  /** True if each text is a hit by itself (the lines of a transcript). */
  each?: boolean
  /** True if links add items; default: true, unless `each`. */
  withLinks?: boolean
  limit?: number
  /** The page: only its hits are returned, plus the next one. Default: all hits. */
  page?: PageRequest
  /** True if a reranker may sort the best hits: for queries that people and assistants write. */
  rerank?: boolean
  /** True if hits have a snippet; default: true. */
  withSnippets?: boolean
}

export interface SearchResults {
  hits: ItemHit[]
  /** Number of the best hits of each type, on all pages. */
  countByType: Readonly<Record<string, number>>
  /** Method that produced the hits. */
  by: 'words' | 'words and meaning' | 'meaning'
  /** The model of the vectors, if any: static-256, or that of a provider. */
  model?: string | undefined
  /** Explains in words what was left out and why. */
  note: string | undefined
  /** Visible items whose texts wait for vectors; very large numbers are not counted in full. */
  pending: number
}

/** A search result with its row. */
export interface ItemHit
  extends VisibleRow,
    Pick<
      RankedHit,
      | 'id'
      | 'foundBy'
      | 'via'
      | 'part'
      | 'ref'
      | 'start'
      | 'nearness'
      | 'distanceFromRest'
      | 'snippet'
      | 'ranges'
      | 'title'
      | 'text'
      | 'at'
    > {
  /** 0 to 1, comparable across kinds and searches. */
  score: number
  /** Words of the query that occur in it. */
  terms: string[]
  /** Share of the query that the hit covers, 0 to 1. */
  coverage: number
}

/** Sorts hits in the order that pageOfHits expects. */
export function sortHits(hits: ItemHit[]): ItemHit[] {
  return hits.sort(byScore)
}
