import type Database from 'better-sqlite3'
import { callHash, detailsHash, firstHash, type ChainedCall } from './record.ts'

export interface ChainReport {
  org_id: string
  entries: number
  /** Where the chain breaks first, in words; undefined: it holds. */
  broken?: { seq: number; id: string; why: string }
}

type StoredCall = ChainedCall & { seq: number; id: string; prev_hash: string; hash: string; details_json: string | null; salt: string | null; details_hash: string }

/** Recomputes every organization's chain from its first entry. Reads only; works while the server runs. */
export function verifyCalls(db: Database.Database): ChainReport[] {
  const orgs = db.prepare('SELECT id FROM orgs ORDER BY id').pluck().all() as string[]
  return orgs.map(org => verifyChain(db, org))
}

function verifyChain(db: Database.Database, org_id: string): ChainReport {
  const rows = db.prepare('SELECT * FROM calls WHERE org_id = ? ORDER BY seq').iterate(org_id) as IterableIterator<StoredCall>
  let prev = firstHash
  let entries = 0
  for (const row of rows) {
    entries++
    const why = wrong(row, prev, entries)
    if (why) return { org_id, entries, broken: { seq: row.seq, id: row.id, why } }
    prev = row.hash
  }
  return { org_id, entries }
}

function wrong(row: StoredCall, prev: string, expected: number): string | undefined {
  if (row.seq !== expected) return `entry ${expected} is missing`
  if (row.prev_hash !== prev) return 'it does not follow the entry before it'
  if (callHash(prev, row) !== row.hash) return 'its columns were changed'
  if (row.details_json !== null && detailsHash(row.salt ?? '', row.details_json) !== row.details_hash) return 'its details were changed'
  return undefined
}
