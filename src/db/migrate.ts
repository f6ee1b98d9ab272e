import type Database from 'better-sqlite3'
import { assetsIn } from './assets.ts'
import { portableSchema, sqliteAdditions, strict } from './schema.ts'
import { quantity } from '../kernel/text/quantity.ts'

export interface Migration {
  name: string
  sql: string
}

/** The schema version of release 0.1.0: older databases cannot be upgraded. */
export const baseline = 29

/**
 * Migrations since release 0.1.0, in order. Each is named after its target schema version, such as
 * `030-due-days.sql`.
 */
export function migrations(): Migration[] {
  const folder = assetsIn('migrations/')
  return folder
    .paths()
    .filter((name) => name.endsWith('.sql'))
    .map((name) => ({ name, sql: folder.read(name).toString() }))
}

/** The schema version that a migration leads to. */
export function versionOf({ name }: Migration): number {
  return Number.parseInt(name, 10)
}

/** The newest schema version known to this program: that of schema.sql. */
export function newestVersion(steps: readonly Migration[] = migrations()): number {
  const last = steps.at(-1)
  return last === undefined ? baseline : versionOf(last)
}

/** Thrown if a database is newer than this program. */
export class NewerSchema extends Error {}

/** Thrown if a database was created before release 0.1.0. */
export class UnreleasedSchema extends Error {}

/**
 * Upgrades the database to the newest schema, each step in its own transaction, so that a crash leaves a complete
 * step. A new file gets schema.sql directly.
 * @returns the names of the steps applied ('schema.sql' for a new file)
 * @throws NewerSchema, UnreleasedSchema
 */
export function migrate(
  db: Database.Database,
  steps: readonly Migration[] = migrations(),
): string[] {
  const currentVersion = db.pragma('user_version', { simple: true }) as number
  const newest = newestVersion(steps)
  if (currentVersion > newest) {
    throw new NewerSchema(
      `The database has schema version ${currentVersion}, this program knows ${newest}. Start the newer version of workspace, or restore a backup made by this one.`,
    )
  }
  if (currentVersion === 0 && isEmpty(db)) {
    applyMigration(db, strict(portableSchema()) + sqliteAdditions(), newest, isEmpty) // checked again inside the transaction: a command may be creating the schema at this moment
    return ['schema.sql']
  }
  if (currentVersion < baseline) {
    throw new UnreleasedSchema(
      `The database has schema version ${currentVersion}, from before release 0.1.0 (version ${baseline}), and cannot be upgraded. Start a new workspace in an empty folder.`,
    )
  }
  const due = steps.filter((migration) => versionOf(migration) > currentVersion)
  for (const migration of due) applyMigration(db, strict(migration.sql), versionOf(migration))
  return due.map((migration) => migration.name)
}

/** Whether the next start of a server upgrades the database: it has the schema of an earlier release. */
export function isUpgradeDue(
  db: Database.Database,
  steps: readonly Migration[] = migrations(),
): boolean {
  const at = db.pragma('user_version', { simple: true }) as number
  return at >= baseline && at < newestVersion(steps) && !isEmpty(db)
}

/** Whether the file has no tables yet. */
export function isEmpty(db: Database.Database): boolean {
  return db.prepare("SELECT count(*) FROM sqlite_schema WHERE type = 'table'").pluck().get() === 0
}

function applyMigration(
  db: Database.Database,
  sql: string,
  version: number,
  isStillDue: (db: Database.Database) => boolean = () => true,
): void {
  db.pragma('foreign_keys = OFF') // a step may rebuild tables; references are checked below, before it commits
  try {
    db.transaction(() => {
      if (!isStillDue(db)) return
      db.exec(sql)
      const broken = db.pragma('foreign_key_check') as unknown[]
      if (broken.length > 0)
        throw new Error(
          `Migration to version ${version} would break ${quantity(broken.length, 'reference')}.`,
        )
      const integrity = db.pragma('integrity_check(1)', { simple: true })
      if (integrity !== 'ok')
        throw new Error(
          `Migration to version ${version} would leave the database damaged: ${String(integrity)}.`,
        )
      db.pragma(`user_version = ${version}`)
    }).immediate()
  } finally {
    db.pragma('foreign_keys = ON')
  }
}
