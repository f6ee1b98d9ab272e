// What a search reads, and what it knows of texts and items while it runs.

import type Database from 'better-sqlite3'
import type { Kysely } from 'kysely'
import type { Statements } from '../../db/dialect.ts'
import type { Tables } from '../../db/tables.ts'
import type { TextStems } from '../ranker.ts'
import type { Embeddings } from './embeddings.ts'
import type { NearPassage, VectorPool } from './pool.ts'
import type { ScopeFilter } from './scope.ts'
import type { TitleIndex } from './titles.ts'

/** What the thread has in memory and on disk. */
export interface SearchData {
  readonly db: Database.Database
  /** Builds queries for `db`, which `statements` keeps prepared. */
  readonly queries: Kysely<Tables>
  readonly statements: Statements
  readonly titles: TitleIndex
  /** The space of this program, once it is there. */
  readonly embeddings: Embeddings | undefined
  /** The vectors of a space; undefined: it is not loaded. */
  pool(space: string): VectorPool | undefined
  /** The space of this program. */
  readonly own: string | undefined
  /** By number of type and container: whether a search may look there. */
  groups(scope: ScopeFilter): Uint8Array
  /** Where an item lies in the index; undefined: it has no text of its own there. */
  locationOf(item: string): DocLocation | undefined
  /** The stems of a text, remembered by its place. */
  words(rowid: number, title: string, text: () => string): TextStems
}

/** What says whether a search may know of a text. */
export type DocLocation = Pick<Doc, 'item_id' | 'item_type' | 'container' | 'at'>

export interface Doc {
  rowid_: number
  ref: string
  item_id: string
  item_type: string
  part: string
  container: string
  title: string
  body: string
  at: number
}

/** What is known of an item while a search goes on. */
export interface Item {
  id: string
  item_id: string
  type: string
  docs: Map<number, { bm25: number; cosine: number; near: NearPassage | undefined }>
  bm25: number
  cosine: number
  wordRank: number | undefined
  meaningRank: number | undefined
  base: number
}
