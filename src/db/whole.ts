// Checking a large database for damage takes long. A server that shuts down cleanly therefore leaves a marker for the
// next one with the file's identity and last change. The marker counts once and only if the file is unchanged: not
// after a crash, a restored backup or a write by a command.

import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { quantity } from '../kernel/text/quantity.ts'

/**
 * Whether this file is unchanged since a clean shutdown. Removes the marker: if this run does not end cleanly, the next one
 * checks.
 */
export function takeIntactMarker(path: string): boolean {
  try {
    return readFileSync(intactMarkerPath(path), 'utf8') === fileFingerprint(path)
  } catch {
    return false // no marker, or an unreadable one
  } finally {
    rmSync(intactMarkerPath(path), { force: true })
  }
}

/** Writes the marker that the file is intact. All connections must be closed. */
export function markIntact(path: string): void {
  try {
    const state = fileFingerprint(path)
    if (state !== undefined) writeFileSync(intactMarkerPath(path), state, { mode: 0o600 })
  } catch {
    // A full disk, for example: the next start simply checks.
  }
}

const intactMarkerPath = (path: string) => `${path}-whole`

/**
 * Value that changes with any change of the file; undefined if there is a write-ahead log, which may contain more than
 * the file.
 */
function fileFingerprint(path: string): string | undefined {
  if (statSync(`${path}-wal`, { throwIfNoEntry: false })) return undefined
  const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
  return [ino, size, mtimeNs, ctimeNs].join(' ') // ctime cannot be set: a copy that keeps its times still differs
}

/**
 * Describes the faults of a whole database: its pages and indexes (including full-text indexes), then its references.
 */
export function findFaults(db: Database.Database): string[] {
  const pages = (db.pragma('integrity_check(5)') as { integrity_check: string }[])
    .map((row) => toOneLine(row.integrity_check))
    .filter((text) => text !== 'ok')
  const references = db.pragma('foreign_key_check') as { table: string; parent: string }[]
  if (references.length === 0) return pages
  const [first] = references as [{ table: string; parent: string }]
  return [
    ...pages,
    `${quantity(references.length, 'row refers to a missing row', 'rows refer to missing rows')}, the first in ${first.table}, to ${first.parent}`,
  ]
}

/** SQLite reports findings over several lines. */
function toOneLine(text: string): string {
  return text.replace(/\*\*\* in database main \*\*\*\n?/, '').replaceAll('\n', '; ')
}
