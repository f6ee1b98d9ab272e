import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { SqlText } from '../connection.ts'
import { sqliteConnection } from '../dialect.ts'
import type { IndexColumns, IndexFile } from '../index-file.ts'
import { migrate, newestVersion } from '../migrate.ts'
import type { Tables } from '../tables.ts'
import { SqliteWriter } from '../writer.ts'

/** Texts copied per batch. */
const batchSize = 500

interface ChangedText {
  version: number
  doc: number
  ref: string | null
  item_type: string
  item_id: string
  part: string
  org_id: string
  container: string
  title: string
  body: string
  at: number
}

/**
 * The search index of a server on PostgreSQL: words and vectors of all texts in its own SQLite file, copied in the
 * order of changes. It can be rebuilt from the database if lost. `indexColumns` comes from src/search, which this
 * file cannot import.
 */
export class SearchFile implements IndexFile {
  readonly path: string
  readonly raw: { write: Database.Database; read: Database.Database }
  readonly writer: SqliteWriter
  readonly queries: IndexFile['queries']
  readonly #source: SqlText
  readonly #indexColumns: IndexColumns
  #version: number
  #refreshing: Promise<void> | undefined
  #queuedRefresh: Promise<void> | undefined

  constructor(options: {
    dataDir: string
    databaseId: string
    source: SqlText
    indexColumns: IndexColumns
  }) {
    mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
    this.path = join(options.dataDir, 'search.db')
    this.#source = options.source
    this.#indexColumns = options.indexColumns
    const write = openOrRecreate(this.path, options.databaseId)
    const read = new Database(this.path, { readonly: true, timeout: 200 })
    this.raw = { write, read }
    this.writer = new SqliteWriter(write)
    this.queries = sqliteConnection<Tables>(read)
    this.#version = write.prepare('SELECT version FROM search_place').pluck().get() as number
  }

  /** Copies all changes committed before the call; concurrent callers share one run. */
  refresh(): Promise<void> {
    if (!this.#refreshing) return this.#startRefresh()
    this.#queuedRefresh ??= this.#refreshing.catch(() => {}).then(() => this.#startRefresh())
    return this.#queuedRefresh
  }

  async close(): Promise<void> {
    await this.#refreshing?.catch(() => {})
    await this.writer.close()
    this.raw.read.close()
    this.raw.write.close()
  }

  #startRefresh(): Promise<void> {
    this.#queuedRefresh = undefined
    this.#refreshing = this.#copyAll().finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  async #copyAll(): Promise<void> {
    for (;;) {
      const texts = await this.#source.all<ChangedText>(
        'SELECT c.version, c.doc, d.ref, d.item_type, d.item_id, d.part, d.org_id, d.container, d.title, d.body, d.at FROM search_changes c LEFT JOIN search_docs d ON d.rowid_ = c.doc WHERE c.version > ? ORDER BY c.version LIMIT ?',
        this.#version,
        batchSize,
      )
      const last = texts.at(-1)
      if (!last) return
      await this.writer.run(async () => this.#applyChanges(texts, last.version))
      this.#version = last.version
      if (texts.length < batchSize) return
    }
  }

  #applyChanges(changed: readonly ChangedText[], lastVersion: number): void {
    const db = this.raw.write
    const copiedVersion = db.prepare('SELECT version FROM search_place').pluck().get() as number
    const texts = changed.filter(({ version }) => version > copiedVersion) // another process may have copied some already
    const deleteText = db.prepare(
      'DELETE FROM search_docs WHERE rowid_ = ? OR ref = ? RETURNING rowid_',
    )
    const deleteWords = db.prepare('DELETE FROM search_fts WHERE rowid = ?')
    const insert = db.prepare('INSERT INTO search_docs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    const insertWords = db.prepare(
      'INSERT INTO search_fts (rowid, title, body, acl) VALUES (?, ?, ?, ?)',
    )
    for (const { doc, ref, item_type, item_id, part, org_id, container, ...text } of texts) {
      for (const { rowid_ } of deleteText.all(doc, ref) as { rowid_: number }[])
        deleteWords.run(rowid_)
      if (ref === null) continue
      const { title, body, at } = text
      insert.run(doc, ref, item_type, item_id, part, org_id, container, title, body, at)
      insertWords.run(doc, ...this.#indexColumns({ item_type, container, title, body }))
    }
    db.prepare('UPDATE search_place SET version = max(version, ?)').run(lastVersion)
  }
}

/** Opens the existing file if it belongs to this database and program version; else replaces it. */
function openOrRecreate(path: string, databaseId: string): Database.Database {
  const db = openConfigured(path)
  if (belongsTo(db, databaseId)) return db
  db.close()
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
  const empty = openConfigured(path)
  migrate(empty)
  empty.pragma('foreign_keys = OFF') // the rows that texts refer to are in the main database
  empty.exec('CREATE TABLE search_place (database_id TEXT NOT NULL, version INTEGER NOT NULL)')
  empty.prepare('INSERT INTO search_place VALUES (?, 0)').run(databaseId)
  return empty
}

function openConfigured(path: string): Database.Database {
  closeSync(openSync(path, 'a', 0o600)) // SQLite would create it readable by other users
  const db = new Database(path, { timeout: 2000 })
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL') // the copied version is stored in the same transactions as the texts: texts lost in a crash are copied again
  db.pragma('foreign_keys = OFF')
  db.pragma('trusted_schema = OFF')
  db.pragma('secure_delete = ON')
  return db
}

function belongsTo(db: Database.Database, databaseId: string): boolean {
  if (db.pragma('user_version', { simple: true }) !== newestVersion()) return false
  const placeTable = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'search_place'").get()
  if (!placeTable) return false
  return db.prepare('SELECT database_id FROM search_place').pluck().get() === databaseId
}
