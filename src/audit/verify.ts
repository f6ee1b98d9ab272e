import type { SqlText } from '../db/connection.ts'
import { callHash, detailsHash, firstHash, type ChainedCall } from './record.ts'

export interface ChainReport {
  org_id: string
  entries: number
  /** Number of the last sealed entry, up to which entries may be deleted; 0 if none is sealed. */
  sealed: number
  /** First break of the chain, in words; undefined: the chain is intact. */
  broken?: { seq: number; id: string; why: string }
}

/** Entries read per query. */
const batchSize = 1000

interface Seal {
  through_seq: number
  last_hash: string
}

type StoredCall = ChainedCall & {
  seq: number
  id: string
  prev_hash: string
  hash: string
  details_json: string | null
  salt: string | null
  details_hash: string
}

/** Recomputes every organization's chain from its first entry. Reads only; works while the server runs. */
export async function verifyCalls(db: SqlText): Promise<ChainReport[]> {
  const reports: ChainReport[] = []
  for (const { id } of await db.all<{ id: string }>('SELECT id FROM orgs ORDER BY id'))
    reports.push(await verifyChain(db, id))
  return reports
}

async function verifyChain(db: SqlText, org_id: string): Promise<ChainReport> {
  for (;;) {
    const seal = await lastSeal(db, org_id)
    const report = await verifyFrom(db, org_id, seal)
    // Entries sealed and deleted meanwhile are not missing.
    if (!report.broken || (await lastSeal(db, org_id)).through_seq === seal.through_seq)
      return report
  }
}

async function lastSeal(db: SqlText, org_id: string): Promise<Seal> {
  const seal = await db.one<Seal>(
    'SELECT through_seq, last_hash FROM call_seals WHERE org_id = ? ORDER BY through_seq DESC LIMIT 1',
    org_id,
  )
  return seal ?? { through_seq: 0, last_hash: firstHash }
}

/** All entries of an organization in order, read in batches. */
async function* entriesOf(db: SqlText, org_id: string): AsyncGenerator<StoredCall> {
  for (let last = 0; ; ) {
    const rows = await db.all<StoredCall>(
      'SELECT * FROM calls WHERE org_id = ? AND seq > ? ORDER BY seq LIMIT ?',
      org_id,
      last,
      batchSize,
    )
    yield* rows
    if (rows.length < batchSize) return
    last = rows.at(-1)!.seq
  }
}

async function verifyFrom(db: SqlText, org_id: string, seal: Seal): Promise<ChainReport> {
  const sealed = seal.through_seq
  let expected: { prev: string; seq: number } | undefined
  let entries = 0
  for await (const row of entriesOf(db, org_id)) {
    entries++
    expected ??= expectedStart(row, seal)
    const why =
      findEntryProblem(row, expected.prev, expected.seq) ??
      (row.seq === sealed && row.hash !== seal.last_hash
        ? 'it is not the entry that was sealed'
        : undefined)
    if (why) return { org_id, entries, sealed, broken: { seq: row.seq, id: row.id, why } }
    expected = { prev: row.hash, seq: row.seq + 1 }
  }
  if (entries === 0 && sealed > 0)
    return {
      org_id,
      entries,
      sealed,
      broken: { seq: sealed + 1, id: '', why: `entry ${sealed + 1} is missing` },
    }
  return { org_id, entries, sealed }
}

/** Predecessor that the first existing entry must follow: the first sealed entries may already be deleted. */
function expectedStart(first: StoredCall, seal: Seal): { prev: string; seq: number } {
  if (first.seq > seal.through_seq) return { prev: seal.last_hash, seq: seal.through_seq + 1 }
  return { prev: first.seq === 1 ? firstHash : first.prev_hash, seq: first.seq }
}

function findEntryProblem(row: StoredCall, prev: string, expected: number): string | undefined {
  if (row.seq !== expected) return `entry ${expected} is missing`
  if (row.prev_hash !== prev) return 'it does not follow the entry before it'
  if (callHash(prev, row) !== row.hash) return 'its columns were changed'
  if (
    row.details_json !== null &&
    detailsHash(row.salt ?? '', row.details_json) !== row.details_hash
  )
    return 'its details were changed'
  return undefined
}
