import { closeSync, openSync, rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import type pg from 'pg'
import type { IndexColumns } from '../index-file.ts'
import { newestVersion } from '../migrate.ts'
import { portableSchema, sqliteAdditions, strict } from '../schema.ts'
import { publishDraft } from '../upgrade.ts'
import { findFaults } from '../whole.ts'
import { requireSameRows, type TableDigest } from './digest.ts'
import { postgresRows } from './postgres.ts'
import { copyVectors, fillSqlite, sqliteDigest } from './sqlite.ts'
import { movedTables } from './tables.ts'

export interface MoveIntoSqliteOptions {
  /** In a transaction that blocks other writers. */
  source: pg.Client
  /** Database to create, atomically. */
  path: string
  /** Up-to-date search index file of the PostgreSQL database. */
  indexPath: string
  indexColumns: IndexColumns
  onTableMoved: (table: TableDigest) => void
}

/**
 * Copies all rows of a PostgreSQL database into a new SQLite file, and compares the result.
 * @returns the digests of the tables
 */
export async function moveIntoSqlite(options: MoveIntoSqliteOptions): Promise<TableDigest[]> {
  const temporaryPath = `${options.path}.part`
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${temporaryPath}${suffix}`, { force: true })
  closeSync(openSync(temporaryPath, 'wx', 0o600)) // created here, since SQLite would make it readable by other users
  const db = new Database(temporaryPath)
  try {
    const moved = await fillDatabase(db, options)
    db.close()
    publishDraft(temporaryPath, options.path)
    return moved
  } catch (error) {
    db.close()
    for (const suffix of ['', '-journal']) rmSync(`${temporaryPath}${suffix}`, { force: true })
    throw error
  }
}

async function fillDatabase(
  db: Database.Database,
  { source, indexPath, indexColumns, onTableMoved }: MoveIntoSqliteOptions,
): Promise<TableDigest[]> {
  db.pragma('foreign_keys = OFF') // rows are inserted in any order; references are checked at the end
  db.exec(`BEGIN; ${strict(portableSchema())}`)
  const tables = movedTables()
  const moved: TableDigest[] = []
  for (const table of tables) {
    const digest = await fillSqlite(db, table, postgresRows(source, table))
    moved.push(digest)
    onTableMoved(digest)
  }
  db.exec(sqliteAdditions()) // triggers are created after the rows, which include those that triggers derived
  fillFullTextIndex(db, indexColumns)
  db.pragma(`user_version = ${newestVersion()}`)
  db.exec('COMMIT')
  copyVectors(indexPath, db)
  requireSameRows(
    moved,
    tables.map((table) => sqliteDigest(db, table)),
  )
  requireUndamaged(db)
  return moved
}

function fillFullTextIndex(
  db: Database.Database,
  indexColumns: MoveIntoSqliteOptions['indexColumns'],
): void {
  const insert = db.prepare('INSERT INTO search_fts (rowid, title, body, acl) VALUES (?, ?, ?, ?)')
  const texts = db.prepare(
    'SELECT rowid_, title, body, item_type, container FROM search_docs WHERE rowid_ > ? ORDER BY rowid_ LIMIT 1000',
  )
  for (let last = -1; ; ) {
    const batch = texts.all(last) as {
      rowid_: number
      title: string
      body: string
      item_type: string
      container: string
    }[]
    for (const text of batch) insert.run(text.rowid_, ...indexColumns(text))
    const end = batch.at(-1)
    if (!end) return
    last = end.rowid_
  }
}

/** @throws Error */
function requireUndamaged(db: Database.Database): void {
  const faults = findFaults(db)
  if (faults.length > 0)
    throw new Error(`The new database is damaged: ${faults.join('; ')}. Nothing was moved.`)
}
