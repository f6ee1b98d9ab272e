// Data sources of a search, and its working state on texts and items.

import type Database from 'better-sqlite3'
import type { Kysely } from 'kysely'
import type { Statements } from '../../db/dialect.ts'
import type { Tables } from '../../db/tables.ts'
import type { Doc } from './document-map.ts'
import type { Embeddings } from './embeddings.ts'
import type { NearPassage, VectorPool } from './pool.ts'
import type { TextCache } from './texts.ts'

/** Data that the thread holds in memory and on disk. */
export interface SearchData {
  readonly db: Database.Database
  /** Builds queries for `db`; `statements` keeps them prepared. */
  readonly queries: Kysely<Tables>
  readonly statements: Statements
  readonly texts: TextCache
  /** This program's space, once available. */
  readonly embeddings: Embeddings | undefined
  /** The vectors of a space; undefined if it is not loaded. */
  pool(space: string): VectorPool | undefined
  /** The id of this program's space. */
  readonly localSpaceId: string | undefined
}

/** A text of an item that was found by words or meaning. */
export interface ItemText {
  doc: Doc
  bm25: number
  cosine: number
  nearestPassage: NearPassage | undefined
}

/** Working state of an item during a search. */
export interface Item {
  id: string
  item_id: string
  type: string
  texts: ItemText[]
  bm25: number
  cosine: number
  wordRank: number | undefined
  meaningRank: number | undefined
  candidateScore: number
}
