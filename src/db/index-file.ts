import type Database from 'better-sqlite3'
import type { Kysely } from 'kysely'
import type { SqlText } from './connection.ts'
import type { Tables } from './tables.ts'
import type { Writer } from './writer.ts'

/**
 * The SQLite file with the words and vectors of texts: the database itself, or a separate file of a server on
 * PostgreSQL.
 */
export interface IndexFile {
  readonly path: string
  readonly writer: Writer
  readonly raw: { write: Database.Database; read: Database.Database }
  /** Reads from this file. */
  readonly queries: Kysely<Tables> & SqlText
  /** Updates this file to the committed state; does nothing if it is the database itself. */
  refresh(): Promise<void>
}

/** Converts a text to the columns of the full-text index: title, body, acl. */
export type IndexColumns = (text: {
  item_type: string
  container: string
  title: string
  body: string
}) => [title: string, body: string, acl: string]

const indexFiles = new WeakMap<object, IndexFile>()

/** Registers a separate index file for a database. */
export function registerIndexFile(db: Kysely<Tables>, index: IndexFile): void {
  indexFiles.set(db, index)
}

/** The separate index file of a database; undefined if the database contains the index itself. */
export function separateIndexFile(db: Kysely<Tables>): IndexFile | undefined {
  return indexFiles.get(db)
}
