import { closeSync, openSync, rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import type pg from 'pg'
import type { IndexColumns } from '../index-file.ts'
import { newestVersion } from '../migrate.ts'
import { portableSchema, sqliteOnly, strict } from '../schema.ts'
import { putInPlace } from '../upgrade.ts'
import { faultsOf } from '../whole.ts'
import { requireSame, type TableDigest } from './digest.ts'
import { postgresRows } from './postgres.ts'
import { copyIndex, fillSqlite, sqliteDigest } from './sqlite.ts'
import { movedTables } from './tables.ts'

export interface IntoSqlite {
  /** In a transaction that blocks other writers. */
  source: pg.Client
  /** Database to create, atomically. */
  path: string
  /** Up-to-date search index file of the PostgreSQL database. */
  indexPath: string
  indexColumns: IndexColumns
  note: (table: TableDigest) => void
}

/**
 * Copies all rows of a PostgreSQL database into a new SQLite file, and compares the result.
 * @returns the digests of the tables
 */
export async function moveIntoSqlite(order: IntoSqlite): Promise<TableDigest[]> {
  const draft = `${order.path}.part`
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${draft}${suffix}`, { force: true })
  closeSync(openSync(draft, 'wx', 0o600)) // before SQLite makes it readable for others
  const db = new Database(draft)
  try {
    const moved = await fill(db, order)
    db.close()
    putInPlace(draft, order.path)
    return moved
  } catch (error) {
    db.close()
    for (const suffix of ['', '-journal']) rmSync(`${draft}${suffix}`, { force: true })
    throw error
  }
}

async function fill(
  db: Database.Database,
  { source, indexPath, indexColumns, note }: IntoSqlite,
): Promise<TableDigest[]> {
  db.pragma('foreign_keys = OFF') // rows come in any order; all are checked at the end
  db.exec(`BEGIN; ${strict(portableSchema())}`)
  const tables = movedTables()
  const moved: TableDigest[] = []
  for (const table of tables) {
    const digest = await fillSqlite(db, table, postgresRows(source, table))
    moved.push(digest)
    note(digest)
  }
  db.exec(sqliteOnly()) // the triggers come after the rows, among which are those that they derive
  fillWords(db, indexColumns)
  db.pragma(`user_version = ${newestVersion()}`)
  db.exec('COMMIT')
  copyIndex(indexPath, db)
  requireSame(
    moved,
    tables.map((table) => sqliteDigest(db, table)),
  )
  requireWhole(db)
  return moved
}

function fillWords(db: Database.Database, indexColumns: IntoSqlite['indexColumns']): void {
  const insert = db.prepare('INSERT INTO search_fts (rowid, title, body, acl) VALUES (?, ?, ?, ?)')
  const texts = db.prepare(
    'SELECT rowid_, title, body, item_type, container FROM search_docs WHERE rowid_ > ? ORDER BY rowid_ LIMIT 1000',
  )
  for (let last = -1; ; ) {
    const page = texts.all(last) as {
      rowid_: number
      title: string
      body: string
      item_type: string
      container: string
    }[]
    for (const text of page) insert.run(text.rowid_, ...indexColumns(text))
    const end = page.at(-1)
    if (!end) return
    last = end.rowid_
  }
}

/** @throws Error */
function requireWhole(db: Database.Database): void {
  const faults = faultsOf(db)
  if (faults.length > 0)
    throw new Error(`The new database is damaged: ${faults.join('; ')}. Nothing was moved.`)
}
