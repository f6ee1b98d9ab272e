import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'

/** What search holds of one row. */
export interface SearchText {
  title: string
  body: string
  /** The access token of the index: everyone who sees this container may find the text. */
  container: string
  part: 'item' | 'comment' | 'attachment'
  /** The item a hit leads to. */
  item_id: string
  item_type: string
  at: number
}

/** One of many texts of a row: its ref is the row's id, a colon, and what tells it from the others. */
export type SearchLine = SearchText & { ref: string }

/** Where the texts of rows are kept for search, in the transaction of the row that they show. */
export interface TextIndex {
  add(db: Kysely<Tables>, ref: string, orgId: string, text: SearchText): Promise<void>
  addAll(db: Kysely<Tables>, orgId: string, texts: readonly SearchLine[]): Promise<void>
  put(db: Kysely<Tables>, ref: string, orgId: string, text: SearchText): Promise<void>
  remove(db: Kysely<Tables>, ref: string): Promise<void>
  recontain(db: Kysely<Tables>, itemId: string, container: string): Promise<void>
}
