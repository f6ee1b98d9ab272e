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
  /** Builds queries for `db`, which `statements` keeps prepared. */
  readonly queries: Kysely<Tables>
  readonly statements: Statements
  readonly texts: TextCache
  /** The space of this program, once it is there. */
  readonly embeddings: Embeddings | undefined
  /** The vectors of a space; undefined: it is not loaded. */
  pool(space: string): VectorPool | undefined
  /** The space of this program. */
  readonly own: string | undefined
}

/** A text of an item that words or meaning brought. */
export interface ItemText {
  doc: Doc
  bm25: number
  cosine: number
  near: NearPassage | undefined
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
  base: number
}
