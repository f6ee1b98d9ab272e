// Reading a whole database to see that it is not damaged takes long where it is large. A server that was stopped in order leaves
// word of it, so that the next one need not: which file it was, and when it was last touched. The word counts once, and only while
// the file is as it was left: not after a crash, nor for a backup that was copied over it, nor where a command wrote meanwhile.

import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { quantity } from '../kernel/text/quantity.ts'

/** Whether this file is as a server left it. Takes the word away: should this start not end in order, the next one checks. */
export function takeWholeness(path: string): boolean {
  try {
    return readFileSync(wholeMarkerPath(path), 'utf8') === fileFingerprint(path)
  } catch {
    return false // no word, or none that can be read
  } finally {
    rmSync(wholeMarkerPath(path), { force: true })
  }
}

/** Leaves word that the file is whole. The connections to it are closed. */
export function noteWhole(path: string): void {
  try {
    const state = fileFingerprint(path)
    if (state !== undefined) writeFileSync(wholeMarkerPath(path), state, { mode: 0o600 })
  } catch {
    // a full disk, say: the next start checks, and that is all
  }
}

const wholeMarkerPath = (path: string) => `${path}-whole`

/**
 * Value that changes with any change of the file; undefined if there is a log beside it, which may contain more than
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
export function faultsOf(db: Database.Database): string[] {
  const pages = (db.pragma('integrity_check(5)') as { integrity_check: string }[])
    .map((row) => inOneLine(row.integrity_check))
    .filter((text) => text !== 'ok')
  const references = db.pragma('foreign_key_check') as { table: string; parent: string }[]
  if (references.length === 0) return pages
  const [first] = references as [{ table: string; parent: string }]
  return [
    ...pages,
    `${quantity(references.length, 'row refers to a missing row', 'rows refer to missing rows')}, the first in ${first.table}, to ${first.parent}`,
  ]
}

/** SQLite says what it finds over several lines. */
function inOneLine(text: string): string {
  return text.replace(/\*\*\* in database main \*\*\*\n?/, '').replaceAll('\n', '; ')
}
