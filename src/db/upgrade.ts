import { closeSync, fsyncSync, globSync, openSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type Database from 'better-sqlite3'
import { baseline, migrate, newestVersion, type Migration } from './migrate.ts'

/** The copy of a database as it was before it came to this version. */
function copyBefore(path: string, version: number): string {
  return `${path}-before-${version}`
}

/**
 * Brings a database to the newest schema, with a copy of what it was before kept beside it. A copy of an earlier upgrade
 * goes once a later one is through.
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

/** Whole or not at all, for its owner alone; a crash leaves at most a draft, which the next start makes anew. */
function keepCopy(db: Database.Database, copy: string): void {
  const draft = `${copy}.part`
  rmSync(draft, { force: true })
  closeSync(openSync(draft, 'wx', 0o600)) // VACUUM INTO fills an empty file, and keeps who may read it
  db.prepare('VACUUM INTO ?').run(draft)
  putInPlace(draft, copy)
}

/** Gives a finished draft its name, once it is on the disk. */
export function putInPlace(draft: string, path: string): void {
  const file = openSync(draft, 'r+')
  fsyncSync(file)
  closeSync(file)
  renameSync(draft, path)
}
