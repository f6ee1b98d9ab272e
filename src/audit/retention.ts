// Retention of the call log: old entries are sealed, which keeps the hash of the last one, and then deleted a few at a
// time. The chain is verified from the seal on.

import type { Store } from '../db/open.ts'
import { recordForEachOrg } from './act.ts'
import { addHeads, type ChainEnd } from './heads.ts'

const dayLength = 24 * 60 * 60 * 1000
const batchSize = 400

interface Segment extends ChainEnd {
  at: number
  entries: number
}

/**
 * Performs one step: seals entries older than this many days, or deletes some sealed ones. Seals about once a day.
 * @returns whether more remains
 */
export async function sealOldCalls(
  store: Store,
  dataDir: string,
  now: number,
  keepDays: number,
): Promise<boolean> {
  const orgs = await store.read.all<{ id: string }>('SELECT id FROM orgs ORDER BY id')
  for (const { id: org } of orgs) {
    if (await deleteSealed(store, org)) return true
    const segment = await findExpiredSegment(store, org, now - keepDays * dayLength)
    if (!segment) continue
    addHeads(dataDir, 'sealed', [segment], now) // first: an unsigned seal would count as forged
    await store.writer.run(() => seal(store, segment, now))
    return true
  }
  return false
}

/** Deletes the oldest sealed entries; returns whether there were any. */
async function deleteSealed(store: Store, org: string): Promise<boolean> {
  const bounds = await store.read.one<{
    through: number | null
    first: number | null
  }>(
    'SELECT (SELECT max(through_seq) FROM call_seals WHERE org_id = o.id) AS through, (SELECT min(seq) FROM calls WHERE org_id = o.id) AS first FROM orgs o WHERE o.id = ?',
    org,
  )
  const { through = null, first = null } = bounds ?? {}
  if (through === null || first === null || first > through) return false
  const last = Math.min(through, first + batchSize - 1)
  await store.writer.run(() =>
    store.write.run('DELETE FROM calls WHERE org_id = ? AND seq <= ?', org, last),
  )
  return true
}

/**
 * All entries before the first one to keep, if the oldest is overdue by a day. Uses their order rather than the time,
 * which a clock change may have mixed up, and never includes the last entry, to which the next one links.
 */
async function findExpiredSegment(
  store: Store,
  org: string,
  cutoff: number,
): Promise<Segment | undefined> {
  const db = store.read
  const first = await db.one<{ seq: number; at: number }>(
    'SELECT seq, at FROM calls WHERE org_id = ? ORDER BY seq LIMIT 1',
    org,
  )
  if (!first || first.at >= cutoff - dayLength) return undefined
  const firstToKeep = await db.one<{ seq: number }>(
    'SELECT seq FROM calls WHERE org_id = ? AND at >= ? ORDER BY seq LIMIT 1',
    org,
    cutoff,
  )
  const last = await db.one<{ seq: number }>(
    'SELECT max(seq) AS seq FROM calls WHERE org_id = ?',
    org,
  )
  if (!last) return undefined
  const through = Math.min(firstToKeep?.seq ?? last.seq, last.seq) - 1
  if (through < first.seq) return undefined
  const end = await db.one<Omit<Segment, 'entries'>>(
    'SELECT org_id, seq, hash, at FROM calls WHERE org_id = ? AND seq = ?',
    org,
    through,
  )
  return end && { ...end, entries: through - first.seq + 1 }
}

async function seal(
  store: Store,
  { org_id, seq, hash, at, entries }: Segment,
  now: number,
): Promise<void> {
  await store.write.run(
    'INSERT INTO call_seals (org_id, through_seq, last_hash, last_at, entries, sealed_at) VALUES (?, ?, ?, ?, ?, ?)',
    ...[org_id, seq, hash, at, entries, now],
  )
  await recordForEachOrg(
    store,
    {
      tool: 'seal_calls',
      route: 'retention',
      kind: 'destructive',
      via: 'cli',
      at: now,
      items: [],
      arguments: { through_seq: seq, entries },
    },
    org_id,
  )
}
