// The vectors of a large backlog are written in slices, calls take precedence, and the result does not depend on them.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { newId } from '../kernel/ids.ts'
import { openStore, type Store } from '../db/open.ts'
import { recordRuns } from '../testing/runs.ts'
import { SearchEngine } from './engine.ts'
import { SearchIndex } from './index.ts'
import type { SliceLimits } from './slices.ts'

const org = newId<'orgs'>('org', 1)
const words = 'pump valve invoice server outage budget meeting customer harbor paint'.split(' ')

/** Dissimilar texts, one of them long enough for hundreds of passages. */
function backlog(count: number): { id: string; title: string; body: string }[] {
  const sentence = (i: number) =>
    `${words.map((word, n) => ((i >> n) & 1 ? word : `${word}s${i % 97}`)).join(' ')}.`
  const long = Array.from({ length: 900 }, (_, i) => sentence(i)).join(' ')
  return Array.from({ length: count }, (_, i) => ({
    id: `t${i}`,
    title: `Note ${i}`,
    body: i === 7 ? long : `${sentence(i)} ${sentence(i * 31)}`,
  }))
}

async function openBacklog(
  t: TestContext,
  slice?: SliceLimits,
): Promise<{ store: Store; engine: SearchEngine }> {
  const dir = mkdtempSync(join(tmpdir(), 'slices-'))
  const store = openStore(dir)
  const engine = new SearchEngine(store, () => 1_800_000_000_000, { slice })
  t.after(async () => {
    await engine.close()
    await store.close()
    rmSync(dir, { recursive: true })
  })
  store.raw.write
    .prepare(
      "insert into orgs (id, name, default_timezone, work_week_json, holidays_json, severity_scale_json, deal_stages_json, trash_days, revision, created_at, updated_at) values (?, 'A', 'UTC', '[]', '[]', '[]', '[]', 30, 1, 0, 0)",
    )
    .run(org)
  const index = new SearchIndex()
  await store.writer.run(async () => {
    for (const { id, title, body } of backlog(250))
      await index.put(store.write, id, org, {
        title,
        body,
        container: 'one',
        part: 'item',
        item_id: id,
        item_type: 'page',
        at: 1,
      })
  })
  return { store, engine }
}

/** True if a search statement is a step; the last step of a text marks it as done. */
const isStep = (statement: string) =>
  /search_/.test(statement) && !/delete from search_todo/.test(statement)

/** Reads all stored vectors and words, without the ids of the spaces. */
function readStored({ raw }: Store): unknown[] {
  return [
    'select v.doc, v.n, v.start, v.length, hex(v.vector) as vector, v.scale, s.state from search_vectors as v join search_spaces as s on s.id = v.space order by v.doc, s.state, v.n',
    'select t.stem, t.passages, hex(t.vector) as vector, t.scale, s.state from search_terms as t join search_spaces as s on s.id = t.space order by t.stem',
    'select doc, provider from search_todo',
    'select provider, passages, state from search_spaces',
  ].map((sql) => raw.read.prepare(sql).all())
}

const sliceLimits: [string, SliceLimits, maxSteps: number][] = [
  ['steps', { ms: Infinity, steps: 20, elapsed: () => 0 }, 20],
  ['time', { ms: 20, steps: 250, elapsed: clock() }, 19],
]

/** A clock that advances by a millisecond with each reading. */
function clock(): () => number {
  let readings = 0
  return () => readings++
}

for (const [bound, slice, maxSteps] of sliceLimits)
  test(`a call waits for at most one slice of a backlog, and a slice is bounded by ${bound}`, async (t) => {
    const { store, engine } = await openBacklog(t, slice)
    const call = store.raw.write.prepare("update orgs set name = 'B' where id = ?")
    const { counts } = store.writer
    const waits: number[] = []
    const { transactions } = await recordRuns(async () => {
      let isDone = false
      const maintenance = engine.maintain().finally(() => (isDone = true))
      while (!isDone) {
        const before = counts.batches
        await store.writer.run(async () => void call.run(org))
        const after = counts.batches
        waits.push(after - before)
        while (!isDone && counts.batches === after)
          await new Promise((resolve) => setImmediate(resolve))
      }
      await maintenance
    })
    assert.ok(waits.length > 10, `${waits.length} calls while the backlog was processed`)
    assert.ok(
      Math.max(...waits) <= 2,
      `a call was committed with batch ${Math.max(...waits)}, its own included`,
    )
    const steps = transactions.map((statements) => statements.filter(isStep).length)
    assert.equal(Math.max(...steps), maxSteps, 'the limit is reached and not exceeded')
    assert.ok(steps.reduce((sum, n) => sum + n) > 600, 'the backlog was large enough')
    const mixedTransactions = transactions.filter(
      (all) => all.some((s) => /search_/.test(s)) && all.some((s) => /update orgs/.test(s)),
    )
    assert.deepEqual(mixedTransactions, [], 'no call shares its transaction with a slice')
  })

test('slices of every size produce the same vectors, words and spaces', async (t) => {
  const unsliced = await openBacklog(t, { ms: Infinity, steps: Infinity, elapsed: () => 0 })
  await unsliced.engine.maintain()
  const expected = readStored(unsliced.store)
  assert.ok((expected[0] as unknown[]).length > 300 && (expected[1] as unknown[]).length > 100)
  for (const steps of [20]) {
    const { store, engine } = await openBacklog(t, { ms: Infinity, steps, elapsed: () => 0 })
    await engine.maintain()
    assert.deepEqual(readStored(store), expected, `${steps} steps a slice`)
  }
})

test('a text that changes between two slices gets the vectors of its new body', async (t) => {
  const { store, engine } = await openBacklog(t, { ms: Infinity, steps: 40, elapsed: () => 0 })
  const index = new SearchIndex()
  const body = 'Something else entirely.'
  const count = store.raw.read.prepare(
    "select count(*) from search_vectors where doc = (select rowid_ from search_docs where ref = 't7')",
  )
  const maintained = engine.maintain()
  while (count.pluck().get() === 0) await new Promise((go) => setImmediate(go))
  await store.writer.run(() =>
    index.put(store.write, 't7', org, {
      title: 'Note 7',
      body,
      container: 'one',
      part: 'item',
      item_id: 't7',
      item_type: 'page',
      at: 1,
    }),
  )
  await maintained
  await engine.maintain()
  const spans = store.raw.read
    .prepare(
      "select v.start, v.length from search_vectors as v join search_docs as d on d.rowid_ = v.doc where d.ref = 't7'",
    )
    .all()
  assert.deepEqual(spans, [{ start: 0, length: body.length }])
})
