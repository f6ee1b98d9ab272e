import type Database from 'better-sqlite3'
import { assetsIn } from './assets.ts'
import { portableSchema, sqliteOnly, strict } from './schema.ts'

export interface Migration {
  name: string
  sql: string
}

/** The migrations in order; the first is the schema of the first release. PRAGMA user_version counts those applied. */
export function migrations(): Migration[] {
  const folder = assetsIn('migrations/')
  return folder
    .paths()
    .filter((name) => name.endsWith('.sql'))
    .map((name) => ({ name, sql: folder.read(name).toString() }))
}

/** Thrown where a database is newer than this program. */
export class NewerSchema extends Error {}

/**
 * Brings the database to the newest schema, each step in a transaction of its own, so that a crash leaves it at a whole
 * step. A fresh file gets schema.sql at once. Returns the names of the steps applied ('schema.sql' for a fresh one).
 */
export function migrate(
  db: Database.Database,
  steps: readonly Migration[] = migrations(),
): string[] {
  const at = db.pragma('user_version', { simple: true }) as number
  if (at > steps.length) {
    throw new NewerSchema(
      `The database has schema version ${at}, this program knows ${steps.length}. Start the newer version of workspace, or restore a backup made by this one.`,
    )
  }
  if (at === 0 && isEmpty(db)) {
    step(db, strict(portableSchema()) + sqliteOnly(), steps.length, isEmpty) // asked again inside: a command may be making it at this moment
    return ['schema.sql']
  }
  const due = steps.slice(at)
  due.forEach((migration, i) => step(db, strict(migration.sql), at + i + 1))
  return due.map((migration) => migration.name)
}

/** Whether the file has no tables yet. */
export function isEmpty(db: Database.Database): boolean {
  return db.prepare("SELECT count(*) FROM sqlite_schema WHERE type = 'table'").pluck().get() === 0
}

function step(
  db: Database.Database,
  sql: string,
  version: number,
  due: (db: Database.Database) => boolean = () => true,
): void {
  db.pragma('foreign_keys = OFF') // a step may rebuild tables; the check below holds before it commits
  try {
    db.transaction(() => {
      if (!due(db)) return
      db.exec(sql)
      const broken = db.pragma('foreign_key_check') as unknown[]
      if (broken.length > 0)
        throw new Error(`Migration to version ${version} would break ${broken.length} references.`)
      const found = db.pragma('integrity_check(1)', { simple: true })
      if (found !== 'ok')
        throw new Error(
          `Migration to version ${version} would leave the database damaged: ${String(found)}.`,
        )
      db.pragma(`user_version = ${version}`)
    }).immediate()
  } finally {
    db.pragma('foreign_keys = ON')
  }
}
