import { closeSync, fsyncSync, globSync, openSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type Database from 'better-sqlite3'
import { baseline, migrate, newestVersion, type Migration } from './migrate.ts'

/** Path of the copy of a database before its upgrade to this version. */
function upgradeCopyPath(path: string, version: number): string {
  return `${path}-before-${version}`
}

/**
 * Upgrades a database to the newest schema and keeps a copy of its previous state beside it. The copy of an earlier
 * upgrade is deleted once a later one succeeds.
 * @returns the steps applied
 */
export function upgrade(db: Database.Database, steps: readonly Migration[]): string[] {
  const currentVersion = db.pragma('user_version', { simple: true }) as number
  const isUpgrade = currentVersion >= baseline && currentVersion < newestVersion(steps)
  if (!isUpgrade) return migrate(db, steps)
  const copyPath = upgradeCopyPath(db.name, currentVersion + 1)
  makeCopy(db, copyPath)
  const applied = migrate(db, steps)
  for (const older of findUpgradeCopies(db.name)) if (older !== copyPath) rmSync(older)
  return applied
}

/** The copies that upgrades left beside a database. */
function findUpgradeCopies(path: string): string[] {
  return globSync(`${basename(path)}-before-*`, { cwd: dirname(path) }).map((name) =>
    join(dirname(path), name),
  )
}

/** Copies a database atomically, readable by its owner alone; a crash leaves at most a draft, which the next start recreates. */
function makeCopy(db: Database.Database, copy: string): void {
  const draft = `${copy}.part`
  rmSync(draft, { force: true })
  closeSync(openSync(draft, 'wx', 0o600)) // VACUUM INTO fills an empty file and keeps its permissions
  db.prepare('VACUUM INTO ?').run(draft)
  publishDraft(draft, copy)
}

/** Makes a finished draft durable and renames it. */
export function publishDraft(draft: string, path: string): void {
  const file = openSync(draft, 'r+')
  fsyncSync(file)
  closeSync(file)
  renameSync(draft, path)
}
