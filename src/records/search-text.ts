import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'

/** Text of one row in the search index. */
export interface SearchText {
  title: string
  body: string
  /** The access token of the index: everyone who can see this container can find the text. */
  container: string
  part: 'item' | 'comment' | 'attachment'
  /** The item a hit leads to. */
  item_id: string
  item_type: string
  at: number
}

/** One of many texts of a row: its ref is the row's id, a colon, and a unique suffix. */
export type SearchLine = SearchText & { ref: string }

/** Stores the search texts of rows, in the same transaction as the row. */
export interface TextIndex {
  add(db: Kysely<Tables>, ref: string, orgId: string, text: SearchText): Promise<void>
  addAll(db: Kysely<Tables>, orgId: string, texts: readonly SearchLine[]): Promise<void>
  put(db: Kysely<Tables>, ref: string, orgId: string, text: SearchText): Promise<void>
  remove(db: Kysely<Tables>, ref: string): Promise<void>
  moveToContainer(db: Kysely<Tables>, itemId: string, container: string): Promise<void>
}
