import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Connection, SqlText } from './connection.ts'
import type { IndexFile } from './index-file.ts'
import { markIntact, takeIntactMarker } from './whole.ts'
import { sqliteConnection, readOnlyConnection } from './dialect.ts'
import {
  isEmpty,
  isUpgradeDue,
  migrate,
  migrations,
  newestVersion,
  type Migration,
} from './migrate.ts'
import type { Tables } from './tables.ts'
import { upgrade } from './upgrade.ts'
import { SqliteWriter, type Writer } from './writer.ts'

/** An open database: one writing connection, one read-only connection. */
export interface Store {
  readonly path: string
  readonly writer: Writer
  /** Queries for the writer's jobs only. */
  readonly write: Connection
  /** Reads committed data, even inside a writer job; cannot write. */
  readonly read: Connection
  /** Reads committed data, or inside a writer job the uncommitted data of that job: for the few rows that every request reads first. */
  readonly committed: SqlText
  /** False once closed or closing. */
  readonly isOpen: boolean
  /** A number that changes whenever another process commits. */
  commitMark(): Promise<number>
  /** The file with the words and vectors of texts. */
  readonly index: IndexFile
  /** The SQLite connections, for tools that work on the file. @throws Error if the workspace is on PostgreSQL */
  readonly raw: { write: Database.Database; read: Database.Database }
  /** Migrations applied while opening. */
  readonly applied: string[]
  close(): Promise<void>
}

/** Thrown if the file exists but is not an intact database. */
export class DatabaseDamaged extends Error {}

/** Whether a SQLite code means a damaged file or a failing disk. */
export function isDamageCode(code: unknown): boolean {
  return /^SQLITE_(IOERR|CORRUPT|NOTADB)/.test(String(code))
}

/** Thrown to a command if there is no workspace yet and the command does not create one. */
export class NoDatabase extends Error {}

/** Thrown to a command if the server has not yet upgraded the database to this program's schema. */
export class OlderSchema extends Error {}

/**
 * `server`: checks the whole file, unless the last server shut down cleanly, and migrates it; its lock ensures that only
 * one does. `command`: works beside a running server, so it does neither and leaves checkpoints to it. `begin`: like
 * `command`, but creates the database if there is none. `backup`: like `command`, but accepts a database of an older
 * version.
 */
export type ProcessRole = 'server' | 'command' | 'begin' | 'backup'

export function databasePath(dataDir: string): string {
  return join(dataDir, 'workspace.db')
}

/**
 * Opens the database of a data directory, creating it on the first start.
 * @throws DatabaseDamaged, NewerSchema, UnreleasedSchema; for a command also NoDatabase, OlderSchema
 */
export function openStore(
  dataDir: string,
  role: ProcessRole = 'server',
  steps: readonly Migration[] = migrations(),
): Store {
  const path = databasePath(dataDir)
  const fileExisted = statSync(path, { throwIfNoEntry: false }) !== undefined
  if (!fileExisted && existsSync(join(dataDir, 'search.db')))
    throw new NoDatabase(
      `The workspace of ${dataDir} is in a PostgreSQL database. Name it with WORKSPACE_DATABASE.`,
    )
  const requiresDatabase = role === 'command' || role === 'backup'
  if (requiresDatabase && !fileExisted)
    throw new NoDatabase(
      `There is no workspace in ${dataDir}. Start \`workspace serve\` there first, or name another folder with --data.`,
    )
  if (!requiresDatabase) mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (!fileExisted) closeSync(openSync(path, 'a', 0o600)) // created here, since SQLite would make it readable by other users
  if (role === 'server' && fileExisted && !takeIntactMarker(path)) requireIntactDatabase(path)
  const write = new Database(path, { timeout: 2000 })
  const applied = configureOrClose(write, () => {
    configure(write)
    return applyMigrations(write, role, steps)
  })
  write.pragma('temp_store = MEMORY') // otherwise savepoints copy pages to a file in the system's temporary folder; not set for migrations, which may sort whole tables
  const read = new Database(path, { readonly: true, timeout: 200 })
  read.pragma('trusted_schema = OFF')
  const writer = new SqliteWriter(write)
  const writeConnection = sqliteConnection<Tables>(write)
  const readConnection = readOnlyConnection<Tables>(write, read)
  return {
    path,
    writer,
    write: writeConnection,
    committed: writeConnection,
    read: readConnection,
    index: {
      path,
      writer,
      raw: { write, read },
      queries: readConnection,
      refresh: () => Promise.resolve(),
    },
    raw: { write, read },
    applied,
    get isOpen() {
      return read.open
    },
    async commitMark() {
      return read.pragma('data_version', { simple: true }) as number
    },
    async close() {
      await writer.close()
      read.close()
      if (role === 'server') write.pragma('wal_checkpoint(TRUNCATE)')
      write.close()
      if (role === 'server') markIntact(path)
    },
  }
}

/** Brings the schema up to date as far as a process of this role may; returns the names of what it applied. */
function applyMigrations(
  write: Database.Database,
  role: ProcessRole,
  steps: readonly Migration[],
): string[] {
  if (role === 'server') return upgrade(write, steps)
  return role === 'backup' && isUpgradeDue(write, steps) ? [] : createOrRequireNewest(write, steps)
}

/** Runs the first statements on a connection; on failure closes it, and throws DatabaseDamaged if the file is damaged. */
function configureOrClose<T>(db: Database.Database, work: () => T): T {
  try {
    const result = work()
    db.pragma('busy_timeout = 0') // from here on the writer waits by itself, without stopping the event loop
    return result
  } catch (error) {
    db.close()
    if (/NOTADB|CORRUPT/.test(String((error as { code?: string }).code)))
      throw new DatabaseDamaged(
        `${db.name} is damaged: ${(error as Error).message}. ${restoreHint}`,
      )
    throw error
  }
}

/** Startup of commands that do not migrate: creates a missing database, and refuses one with another schema. */
function createOrRequireNewest(db: Database.Database, steps: readonly Migration[]): string[] {
  const currentVersion = db.pragma('user_version', { simple: true }) as number
  if (currentVersion < newestVersion(steps) && !isEmpty(db))
    throw new OlderSchema(
      `${db.name} has an older version. Start \`workspace serve\` once to upgrade it.`,
    )
  return migrate(db, steps)
}

const restoreHint =
  'The file was not touched. Restore a backup into an empty folder: workspace restore <backup> --data <folder>.'

/**
 * Sets FULL explicitly: a reopened WAL database defaults to NORMAL, which loses acknowledged writes in a power
 * failure.
 */
function configure(db: Database.Database): void {
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  db.pragma('trusted_schema = OFF')
  db.pragma('cell_size_check = ON')
  db.pragma('secure_delete = ON') // erased data, above all secrets, does not remain in the free pages of the file
  db.pragma('journal_size_limit = 67108864')
  db.pragma('wal_autocheckpoint = 4000') // 16 MB: hot pages are copied back once for many commits
}

/**
 * Reads the whole file on a read-only connection: closing a writable one would checkpoint the log into a damaged
 * file.
 */
function requireIntactDatabase(path: string): void {
  if (statSync(path).size === 0)
    throw new DatabaseDamaged(`${path} is empty, but was a database before. ${restoreHint}`)
  const db = new Database(path, { readonly: true, timeout: 2000 })
  const integrity = configureOrClose(db, () => db.pragma('quick_check(1)', { simple: true }))
  db.close()
  if (integrity !== 'ok')
    throw new DatabaseDamaged(
      `${path} is damaged: ${String(integrity)
        .replace(/^.*in database main.*\n/, '')
        .replaceAll('\n', '; ')}. ${restoreHint}`,
    )
}
