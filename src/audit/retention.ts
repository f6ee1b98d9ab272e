// Entries of the call log go once they are old: all up to one are sealed, which keeps its hash, and then deleted a few at a time.
// The chain is checked from the seal on.

import type { Store } from '../db/open.ts'
import { recordForEach } from './act.ts'
import { addHeads, type End } from './heads.ts'

const dayLength = 24 * 60 * 60 * 1000
const atOnce = 400

interface Segment extends End {
  at: number
  entries: number
}

/**
 * Does one piece: seals what is older than so many days, or deletes some of what is sealed. Seals about once a day.
 * @returns whether there is more
 */
export async function sealOldCalls(
  store: Store,
  dataDir: string,
  now: number,
  keepDays: number,
): Promise<boolean> {
  const orgs = store.raw.read.prepare('SELECT id FROM orgs ORDER BY id').pluck().all() as string[]
  for (const org of orgs) {
    if (await deleteSealed(store, org)) return true
    const segment = oldSegment(store, org, now - keepDays * dayLength)
    if (!segment) continue
    addHeads(dataDir, 'sealed', [segment], now) // first: a seal that nobody has signed is taken for a forged one
    await store.writer.run(async () => seal(store, segment, now))
    return true
  }
  return false
}

/** Deletes the oldest entries of what is sealed; whether there were any. */
async function deleteSealed(store: Store, org: string): Promise<boolean> {
  const through = store.raw.read
    .prepare('SELECT max(through_seq) FROM call_seals WHERE org_id = ?')
    .pluck()
    .get(org) as number | null
  const first = store.raw.read
    .prepare('SELECT min(seq) FROM calls WHERE org_id = ?')
    .pluck()
    .get(org) as number | null
  if (through === null || first === null || first > through) return false
  const last = Math.min(through, first + atOnce - 1)
  await store.writer.run(
    async () =>
      void store.raw.write
        .prepare('DELETE FROM calls WHERE org_id = ? AND seq <= ?')
        .run(org, last),
  )
  return true
}

/**
 * All before the first entry that is to stay, where the oldest is a day past its time. By their order and not by their times, which a
 * clock that was set may have mixed up; and never the last one, which the next entry goes on from.
 */
function oldSegment(store: Store, org: string, before: number): Segment | undefined {
  const db = store.raw.read
  const first = db
    .prepare('SELECT seq, at FROM calls WHERE org_id = ? ORDER BY seq LIMIT 1')
    .get(org) as { seq: number; at: number } | undefined
  if (!first || first.at >= before - dayLength) return undefined
  const young = db
    .prepare('SELECT seq FROM calls WHERE org_id = ? AND at >= ? ORDER BY seq LIMIT 1')
    .pluck()
    .get(org, before) as number | undefined
  const last = db.prepare('SELECT max(seq) FROM calls WHERE org_id = ?').pluck().get(org) as number
  const through = Math.min(young ?? last, last) - 1
  if (through < first.seq) return undefined
  const end = db
    .prepare('SELECT org_id, seq, hash, at FROM calls WHERE org_id = ? AND seq = ?')
    .get(org, through) as Omit<Segment, 'entries'>
  return { ...end, entries: through - first.seq + 1 }
}

function seal(store: Store, { org_id, seq, hash, at, entries }: Segment, now: number): void {
  store.raw.write
    .prepare(
      'INSERT INTO call_seals (org_id, through_seq, last_hash, last_at, entries, sealed_at) VALUES (?, ?, ?, ?, ?, ?)',
    )
    .run(org_id, seq, hash, at, entries, now)
  recordForEach(
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
