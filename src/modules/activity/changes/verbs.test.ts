import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gather } from './batches.ts'
import { verbOf, viaGroup, viasOf } from './verbs.ts'

test('the verb is the most specific event of a change', () => {
  assert.equal(verbOf('created', ['task.created', 'task.assigned']), 'created')
  assert.equal(
    verbOf('updated', ['task.updated', 'task.status_changed', 'task.completed']),
    'completed',
  )
  assert.equal(verbOf('updated', ['task.updated', 'task.status_changed']), 'status_changed')
  assert.equal(verbOf('updated', ['task.updated', 'task.comment_added']), 'commented')
  assert.equal(
    verbOf('updated', ['task.updated', 'task.comment_added', 'task.commented']),
    'commented',
  )
  assert.equal(verbOf('updated', ['task.updated']), 'updated')
  assert.equal(verbOf('updated', []), 'updated')
})

test('the command line counts as the API, and a synchronization as an automation', () => {
  assert.deepEqual(['web', 'api', 'cli', 'mcp', 'sync'].map(viaGroup), [
    'web',
    'api',
    'api',
    'mcp',
    'automation',
  ])
  assert.deepEqual(viasOf('api'), ['api', 'cli'])
})

/** A log in which every n-th row is visible to the reader. */
function logOf(length: number, every: number) {
  const rows = Array.from({ length }, (_, i) => i + 1)
  return (beyond: number | undefined, stretch: number, limit: number) => {
    const batch = rows.filter((row) => row > (beyond ?? 0)).slice(0, stretch)
    return Promise.resolve({
      rows: batch.filter((row) => row % every === 0).slice(0, limit),
      end: batch.length < stretch ? undefined : batch.at(-1)!,
    })
  }
}

test('log pages return every row once, however rare the matches', async () => {
  for (const [length, every, limit] of [
    [50, 1, 7],
    [5000, 1000, 2],
    [60_000, 9000, 3],
    [199, 1, 199],
    [200, 1, 200],
    [0, 1, 5],
    [30_000, 40_000, 5],
  ] as const) {
    const seen: number[] = []
    let place: number | undefined
    for (let more = true; more; ) {
      const page = await gather(limit, place, (row: number) => row, logOf(length, every))
      assert.ok(page.rows.length <= limit)
      seen.push(...page.rows)
      more = page.more
      place = page.next
    }
    assert.deepEqual(
      seen,
      Array.from({ length: Math.floor(length / every) }, (_, i) => (i + 1) * every),
    )
  }
})
