import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Connection, SqlText } from './connection.ts'
import type { IndexFile } from './index-file.ts'
import { noteWhole, takeWholeness } from './whole.ts'
import { kyselyOver, readingOver } from './dialect.ts'
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
  /** Reads committed data, or inside a writer job the job's view: for the few rows that every request needs first. */
  readonly committed: SqlText
  /** False once closed or closing. */
  readonly isOpen: boolean
  /** A number that changes when another process has committed. */
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
export class Damaged extends Error {}

/** Whether a SQLite code means a damaged file or a failing disk. */
export function isDamage(code: unknown): boolean {
  return /^SQLITE_(IOERR|CORRUPT|NOTADB)/.test(String(code))
}

/** Thrown to a command if there is no workspace yet and the command does not create one. */
export class NoDatabase extends Error {}

/** Thrown to a command if the server has not yet upgraded the database to this program's schema. */
export class OlderSchema extends Error {}

/**
 * `server`: checks the whole file, unless a server shut down cleanly, and migrates it; its own lock ensures that only
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
 * @throws Damaged, NewerSchema, UnreleasedSchema; for a command also NoDatabase, OlderSchema
 */
export function openStore(
  dataDir: string,
  role: ProcessRole = 'server',
  steps: readonly Migration[] = migrations(),
): Store {
  const path = databasePath(dataDir)
  const existed = statSync(path, { throwIfNoEntry: false }) !== undefined
  if (!existed && existsSync(join(dataDir, 'search.db')))
    throw new NoDatabase(
      `The workspace of ${dataDir} is in a PostgreSQL database. Name it with WORKSPACE_DATABASE.`,
    )
  const isBesideServer = role === 'command' || role === 'backup'
  if (isBesideServer && !existed)
    throw new NoDatabase(
      `There is no workspace in ${dataDir}. Start \`workspace serve\` there first, or name another folder with --data.`,
    )
  if (!isBesideServer) mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (!existed) closeSync(openSync(path, 'a', 0o600)) // before SQLite makes it readable for others
  if (role === 'server' && existed && !takeWholeness(path)) requireIntactDatabase(path)
  const write = new Database(path, { timeout: 2000 })
  const applied = onOpening(write, () => {
    configure(write)
    if (role === 'server') return upgrade(write, steps)
    return role === 'backup' && isUpgradeDue(write, steps) ? [] : beginMigration(write, steps)
  })
  write.pragma('temp_store = MEMORY') // else a savepoint puts copies of pages into a file of the system's temporary folder; not for migrations, which may sort whole tables
  const read = new Database(path, { readonly: true, timeout: 200 })
  read.pragma('trusted_schema = OFF')
  const writer = new SqliteWriter(write)
  const writing = kyselyOver<Tables>(write)
  const reading = readingOver<Tables>(write, read)
  return {
    path,
    writer,
    write: writing,
    committed: writing,
    read: reading,
    index: {
      path,
      writer,
      raw: { write, read },
      queries: reading,
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
      if (role === 'server') noteWhole(path)
    },
  }
}

/** Runs the first work on a connection; on failure closes it, and distinguishes damage from other errors. */
function onOpening<T>(db: Database.Database, work: () => T): T {
  try {
    const result = work()
    db.pragma('busy_timeout = 0') // from here on the writer waits by itself, without stopping the event loop
    return result
  } catch (error) {
    db.close()
    if (/NOTADB|CORRUPT/.test(String((error as { code?: string }).code)))
      throw new Damaged(`${db.name} is damaged: ${(error as Error).message}. ${untouched}`)
    throw error
  }
}

/** Startup of commands that do not migrate: creates a missing database, and refuses one with another schema. */
function beginMigration(db: Database.Database, steps: readonly Migration[]): string[] {
  const at = db.pragma('user_version', { simple: true }) as number
  if (at < newestVersion(steps) && !isEmpty(db))
    throw new OlderSchema(
      `${db.name} has an older version. Start \`workspace serve\` once to upgrade it.`,
    )
  return migrate(db, steps)
}

const untouched =
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
  db.pragma('secure_delete = ON') // what is erased, secrets above all, is not left in the free places of the file
  db.pragma('journal_size_limit = 67108864')
  db.pragma('wal_autocheckpoint = 4000') // 16 MB: hot pages are copied back once for many commits
}

/**
 * Reads the whole file on a read-only connection: closing a writable one would checkpoint the log into a damaged
 * file.
 */
function requireIntactDatabase(path: string): void {
  if (statSync(path).size === 0)
    throw new Damaged(`${path} is empty, but was a database before. ${untouched}`)
  const db = new Database(path, { readonly: true, timeout: 2000 })
  const integrity = onOpening(db, () => db.pragma('quick_check(1)', { simple: true }))
  db.close()
  if (integrity !== 'ok')
    throw new Damaged(
      `${path} is damaged: ${String(integrity)
        .replace(/^.*in database main.*\n/, '')
        .replaceAll('\n', '; ')}. ${untouched}`,
    )
}
