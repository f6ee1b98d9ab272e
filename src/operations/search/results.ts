// Requests and results of a search over items.

import type { Query } from '../../search/query.ts'
import type { RankedHit, SearchRequest } from '../../search/worker/protocol.ts'
import type { PageRequest } from '../../records/paging.ts'
import type { Narrow, VisibleRow } from './narrow.ts'
import type { ItemFilter, Searchable } from './searchable.ts'

/** Hits that are ranked; any beyond that are not shown. */
export const maxHits = 150
export interface SearchOptions {
  /** Query, or a text for which similar ones are searched. */
  query: Query
  mode: SearchRequest['mode']
  kinds: readonly Searchable[]
  filter?: ItemFilter
  /** A further condition on the items of a kind, by its name. */
  only?: ReadonlyMap<string, Narrow>
  after?: number | undefined
  before?: number | undefined
  /** Items that lend to their neighbours as the best hit does. */
  near?: readonly string[]
  /** An item that is left out. */
  except?: string
  /** Whether each text is a hit by itself (the lines of a transcript). */
  each?: boolean
  /** Whether links bring items; default: yes, unless `each`. */
  withLinks?: boolean
  limit?: number
  /** The page that is shown: only its hits are returned, with the one after. Default: all hits. */
  page?: PageRequest
  /** Whether a reranker may put the best hits in order: for queries that people and assistants write. */
  rerank?: boolean
  /** Whether hits have a snippet; default: yes. */
  withSnippets?: boolean
}

export interface SearchResults {
  hits: ItemHit[]
  /** Number of the best hits of each type, on all pages. */
  countByType: Readonly<Record<string, number>>
  /** Method that produced the hits. */
  by: 'words' | 'words and meaning' | 'meaning'
  /** The model whose vectors answered, if any: static-256, or that of a provider. */
  model?: string | undefined
  /** Explains in words what was left out and why. */
  note: string | undefined
  /** Visible items whose texts wait for their vectors; of very many not all are counted. */
  pending: number
}

/** An item that was found, with its row. */
export interface ItemHit
  extends VisibleRow,
    Pick<
      RankedHit,
      | 'id'
      | 'by'
      | 'via'
      | 'part'
      | 'ref'
      | 'start'
      | 'nearness'
      | 'above'
      | 'snippet'
      | 'ranges'
      | 'title'
      | 'text'
      | 'at'
    > {
  /** 0 to 1, comparable across kinds and searches. */
  score: number
  /** Words of the query that are in it. */
  terms: string[]
  /** Share of the query that the hit covers, 0 to 1. */
  coverage: number
}

/** Sorts hits in the order that pageOfHits expects. */
export function sortHits(hits: ItemHit[]): ItemHit[] {
  return hits.sort((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1))
}
