import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Kysely } from 'kysely'
import { kyselyOver } from './dialect.ts'
import { migrate } from './migrate.ts'
import type { Tables } from './tables.ts'
import { Writer } from './writer.ts'

/** An open database: one connection that writes, one that can only read. */
export interface Store {
  readonly path: string
  readonly writer: Writer
  /** Queries inside the writer's jobs; nowhere else. */
  readonly write: Kysely<Tables>
  readonly read: Kysely<Tables>
  /** The raw connections, for the few statements that Kysely has no words for. */
  readonly raw: { write: Database.Database; read: Database.Database }
  /** Migrations applied while opening. */
  readonly applied: string[]
  close(): Promise<void>
}

/** Thrown where the file is there but is not a whole database. */
export class Damaged extends Error {}

export function databasePath(dataDir: string): string {
  return join(dataDir, 'workspace.db')
}

/**
 * Opens (and on the first start makes) the database of a data directory.
 * @throws Damaged, NewerSchema
 */
export function openStore(dataDir: string): Store {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = databasePath(dataDir)
  const existed = existsSync(path)
  const write = connect(path)
  if (!existed) chmodSync(path, 0o600)
  try {
    if (existed) check(write)
    configure(write)
  } catch (error) {
    write.close()
    if (String((error as { code?: string }).code).match(/NOTADB|CORRUPT/)) throw new Damaged(`${path} is damaged: ${(error as Error).message}.`)
    throw error
  }
  const applied = migrate(write)
  const read = new Database(path, { readonly: true, timeout: 200 })
  read.pragma('trusted_schema = OFF')
  const writer = new Writer(write)
  return {
    path,
    writer,
    write: kyselyOver<Tables>(write),
    read: kyselyOver<Tables>(read),
    raw: { write, read },
    applied,
    async close() {
      await writer.close()
      read.close()
      write.pragma('wal_checkpoint(TRUNCATE)')
      write.close()
    },
  }
}

function connect(path: string): Database.Database {
  return new Database(path, { timeout: 2000 })
}

/** FULL is set in words: a reopened WAL database has NORMAL, which loses acknowledged writes with the power. */
function configure(db: Database.Database): void {
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  db.pragma('trusted_schema = OFF')
  db.pragma('cell_size_check = ON')
  db.pragma('journal_size_limit = 67108864')
  db.pragma('busy_timeout = 0') // the writer waits by itself, without stopping the event loop
}

function check(db: Database.Database): void {
  const found = db.pragma('quick_check(1)', { simple: true })
  if (found !== 'ok') throw new Damaged(`${db.name} is damaged: ${String(found)}. Restore a backup; the file was not touched.`)
}
