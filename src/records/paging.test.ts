import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { sqliteConnection } from '../db/dialect.ts'
import { cut, decodeCursor, encodeCursor, paged, type Order } from './paging.ts'
import { Refusal } from '../kernel/refusal.ts'

interface Thing {
  id: number
  name: string
  due: number | null
}

const raw = new Database(':memory:')
raw.exec('CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL, due INTEGER) STRICT')
const db = sqliteConnection<{ things: Thing }>(raw)
const insert = raw.prepare('INSERT OR REPLACE INTO things VALUES (?, ?, ?)')

function fill(count: number): void {
  raw.exec('DELETE FROM things')
  for (let i = 1; i <= count; i++) insert.run(i, `n${i % 3}`, i % 4 === 0 ? null : i % 5)
}

const all = () => db.selectFrom('things').selectAll()
const byId = (dir: 'asc' | 'desc'): Order[] => [{ by: 'things.id', as: 'id', dir }]
const byDue = (due: 'asc' | 'desc', name: 'asc' | 'desc'): Order[] => [
  { by: 'things.due', as: 'due', dir: due, nullable: true },
  { by: 'things.name', as: 'name', dir: name },
  { by: 'things.id', as: 'id', dir: 'asc' },
]

/** Collects ids page by page; `between` runs after each page. */
async function walk(
  order: Order[],
  limit: number,
  between = (_: number[]): void => {},
): Promise<number[]> {
  const seen: number[] = []
  let cursor: string | undefined
  do {
    const page = await paged(all(), order, { limit, cursor })
    assert.ok(page.items.length <= limit)
    assert.equal(page.has_more, page.next_cursor !== undefined)
    seen.push(...page.items.map((item) => item.id))
    cursor = page.next_cursor
    between(seen)
  } while (cursor !== undefined)
  return seen
}

test('pages return every row once and in order, for any mix of directions and nulls', async () => {
  fill(47)
  const orders: Order[][] = [
    byId('asc'),
    byId('desc'),
    byDue('asc', 'asc'),
    byDue('asc', 'desc'),
    byDue('desc', 'asc'),
    byDue('desc', 'desc'),
    [
      { by: 'things.name', as: 'name', dir: 'desc' },
      { by: 'things.id', as: 'id', dir: 'desc' },
    ],
  ]
  for (const order of orders) {
    const whole = (await paged(all(), order, { limit: 100 })).items.map((item) => item.id)
    assert.equal(new Set(whole).size, 47)
    for (const limit of [1, 2, 7, 46, 47, 48]) assert.deepEqual(await walk(order, limit), whole)
  }
})

test('rows without a value come last in both directions', async () => {
  fill(12)
  for (const dir of ['asc', 'desc'] as const) {
    const dues = (await paged(all(), byDue(dir, 'asc'), { limit: 100 })).items.map(
      (item) => item.due,
    )
    assert.deepEqual(dues.slice(-3), [null, null, null])
    const present = dues.slice(0, -3) as number[]
    assert.deepEqual(
      present,
      [...present].sort((a, b) => (dir === 'asc' ? a - b : b - a)),
    )
  }
})

test('rows added or removed between pages neither repeat nor hide others', async () => {
  fill(30)
  let next = 100
  const seen = await walk(byId('desc'), 4, (done) => {
    insert.run(next++, 'new', null) // before the place: not seen any more
    raw.prepare('DELETE FROM things WHERE id = ?').run(done.at(-1)! - 1) // behind it: gone
  })
  assert.equal(new Set(seen).size, seen.length)
  assert.deepEqual(
    seen.filter((id) => id >= 100),
    [],
  )
  for (const id of [30, 27, 26, 22, 21])
    assert.equal(seen.includes(id), id !== 26 && id !== 21, String(id))
})

test('the last page is marked as such, even when it is full', async () => {
  fill(10)
  assert.equal((await paged(all(), byId('asc'), { limit: 10 })).has_more, false)
  assert.equal((await paged(all(), byId('asc'), { limit: 9 })).has_more, true)
  fill(0)
  assert.deepEqual(await paged(all(), byId('asc'), { limit: 5 }), { items: [], has_more: false })
})

test('a cursor of another order or list, or an invalid one, is refused by name', async () => {
  fill(10)
  const { next_cursor } = await paged(all(), byId('asc'), { limit: 2 })
  const refused = (error: unknown) =>
    error instanceof Refusal && error.code === 'invalid_argument' && error.more.field === 'cursor'
  await assert.rejects(paged(all(), byId('desc'), { limit: 2, cursor: next_cursor }), refused)
  await assert.rejects(
    paged(all(), byDue('asc', 'asc'), { limit: 2, cursor: next_cursor }),
    refused,
  )
  for (const cursor of [
    'x',
    '',
    '%%%',
    'bnVsbA',
    Buffer.from('[{"a":1}]').toString('base64url'),
    Buffer.from('["id+"]').toString('base64url'),
    Buffer.from('["id+",1,2]').toString('base64url'),
  ]) {
    await assert.rejects(paged(all(), byId('asc'), { limit: 2, cursor }), refused, cursor)
  }
})

test('values survive the round trip through a cursor', () => {
  assert.deepEqual(decodeCursor(encodeCursor(['ü"\\', 1.5, null, ''])), ['ü"\\', 1.5, null, ''])
  assert.deepEqual(cut([1, 2, 3], 2, String), { items: [1, 2], next_cursor: '2', has_more: true })
})
