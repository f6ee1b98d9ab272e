import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openStore, type Store } from '../../db/open.ts'
import { frequentCount, largeIndex } from '../../search/full-text.ts'
import { aclTokensOf } from '../../search/index.ts'
import { parseQuery } from '../../search/query.ts'
import type { Actor } from '../../kernel/actor.ts'
import { textMatches } from './hits.ts'
import { accessScope } from '../../records/access-scope.ts'

/**
 * Fills a store with this many texts containing "benchmark", the newest of which also contain "zanzibar" if
 * their number is listed.
 */
function filled(t: TestContext, texts: number, first: number, rare: readonly number[]): Store {
  const folder = mkdtempSync(join(tmpdir(), 'workspace-hits-'))
  const store = openStore(folder)
  t.after(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const { write } = store.raw
  write.pragma('foreign_keys = OFF') // the organization of these texts is of no matter
  const doc = write.prepare(
    "insert into search_docs (rowid_, ref, item_type, item_id, part, org_id, container, title, body, at) values (?, ?, 'task', ?, 'item', 'org_1', 'prj_1', ?, '', 1)",
  )
  const words = write.prepare(
    "insert into search_fts (rowid, title, body, acl) values (?, ?, '', ?)",
  )
  write.transaction(() => {
    for (let i = first; i < first + texts; i++) {
      const title = rare.includes(i) ? 'Benchmark of zanzibar' : 'Benchmark'
      doc.run(i, `tsk_${i}`, `tsk_${i}`, title)
      words.run(i, title, aclTokensOf('task', 'prj_1'))
    }
  })()
  return store
}

const from = (store: Store) =>
  accessScope({
    all: store.read,
    actor: { id: 'usr_1', org_id: 'org_1' } as unknown as Actor,
    now: 1,
  })

test('matching texts are streamed by rank, without sorting after reading', async (t) => {
  const store = filled(t, 3, 1, [2])
  const { matches } = await textMatches(from(store), parseQuery('benchmark zanzibar').terms, {
    containers: ['prj_1'],
    types: ['task'],
  })
  const { sql, parameters } = matches.select('d.item_id').compile()
  const plan = store.raw.read.prepare(`explain query plan ${sql}`).all(...parameters) as {
    detail: string
  }[]
  assert.equal(plan.length, 2)
  assert.match(plan[0]!.detail, /^SCAN h VIRTUAL TABLE/)
  assert.match(plan[1]!.detail, /^SEARCH d USING INTEGER PRIMARY KEY/)
  assert.deepEqual(
    (await matches.select('d.item_id').execute()).map((row) => row.item_id)[0],
    'tsk_2',
  )
})

test('in a large index a frequent word finds the newest texts with a note; next to a rarer word it is skipped', async (t) => {
  const first = largeIndex
  const store = filled(t, frequentCount, first, [first + 7])
  const alone = await textMatches(from(store), parseQuery('benchmark').terms, {
    containers: ['prj_1'],
    types: ['task'],
  })
  assert.equal(
    (await alone.matches.select('d.item_id').execute())[0]!.item_id,
    `tsk_${first + frequentCount - 1}`,
  )
  assert.match(alone.note!, /“benchmark” stands in very many texts: showing the newest/)
  const beside = await textMatches(from(store), parseQuery('benchmark zanzibar').terms, {
    containers: ['prj_1'],
    types: ['task'],
  })
  assert.deepEqual(
    (await beside.matches.select('d.item_id').execute()).map((row) => row.item_id),
    [`tsk_${first + 7}`],
  )
  assert.match(beside.note!, /only the rarer words/)
  assert.equal(
    (
      await (
        await textMatches(from(store), parseQuery('benchmark').terms, { types: ['contact'] })
      ).matches
        .select('d.item_id')
        .execute()
    ).length,
    0,
  )
})
