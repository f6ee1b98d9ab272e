import { closeSync, fsyncSync, globSync, openSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type Database from 'better-sqlite3'
import { baseline, migrate, newestVersion, type Migration } from './migrate.ts'

/** Path of the copy of a database before its upgrade to this version. */
function copyBefore(path: string, version: number): string {
  return `${path}-before-${version}`
}

/**
 * Upgrades a database to the newest schema and keeps a copy of its previous state beside it. The copy of an earlier
 * upgrade is deleted once a later one succeeds.
 * @returns the steps applied
 */
export function upgrade(db: Database.Database, steps: readonly Migration[]): string[] {
  const at = db.pragma('user_version', { simple: true }) as number
  const isUpgrade = at >= baseline && at < newestVersion(steps)
  if (!isUpgrade) return migrate(db, steps)
  const copy = copyBefore(db.name, at + 1)
  keepCopy(db, copy)
  const applied = migrate(db, steps)
  for (const older of copiesOf(db.name)) if (older !== copy) rmSync(older)
  return applied
}

/** The copies that upgrades left beside a database. */
function copiesOf(path: string): string[] {
  return globSync(`${basename(path)}-before-*`, { cwd: dirname(path) }).map((name) =>
    join(dirname(path), name),
  )
}

/** Atomic, readable by its owner alone; a crash leaves at most a draft, which the next start recreates. */
function keepCopy(db: Database.Database, copy: string): void {
  const draft = `${copy}.part`
  rmSync(draft, { force: true })
  closeSync(openSync(draft, 'wx', 0o600)) // VACUUM INTO fills an empty file, and keeps who may read it
  db.prepare('VACUUM INTO ?').run(draft)
  putInPlace(draft, copy)
}

/** Renames a finished draft once it is durable. */
export function putInPlace(draft: string, path: string): void {
  const file = openSync(draft, 'r+')
  fsyncSync(file)
  closeSync(file)
  renameSync(draft, path)
}
