import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import { modules } from '../modules/index.ts'
import { makeWorkspace, type TestWorkspace } from '../testing/harness.ts'
import { call, type Answer } from './call/index.ts'
import type { CallRequest } from './call/request.ts'
import { bytesOf } from './answer-cuts.ts'
import { pageOf, paging } from '../kernel/fields.ts'
import { operation } from './operation.ts'
import type { Module } from './module.ts'
import { decodeCursor, encodeCursor } from '../records/paging.ts'

const count = { reads: 0, writes: 0 }
const Thing = z.strictObject({ id: z.string(), text: z.string() })
/** Items of growing length: the text of the nth has n hundred characters. */
const things = Array.from({ length: 60 }, (_, i) => ({
  id: `thing_${i}`,
  text: 'x'.repeat(i * 100),
}))
const listThings = operation({
  name: 'list_things',
  kind: 'read',
  rest: 'GET /api/things/{shelf}',
  about: 'Things',
  input: {
    shelf: z.string().max(40),
    query: z.string().max(20).optional(),
    tags: z.array(z.string()).optional(),
    ...paging,
  },
  output: pageOf(Thing),
  handle: async ({ limit, cursor }) => {
    count.reads++
    const from = cursor === undefined ? 0 : Number(decodeCursor(cursor)[0])
    const items = things.slice(from, from + limit)
    return from + limit < things.length
      ? { items, has_more: true, next_cursor: encodeCursor([from + limit]) }
      : { items, has_more: false }
  },
})
const listGiants = operation({
  name: 'list_giants',
  kind: 'read',
  rest: 'GET /api/giants',
  about: 'Giants',
  input: paging,
  output: z.strictObject({
    items: z.array(Thing),
    next_cursor: z.string().optional(),
    has_more: z.boolean(),
  }),
  handle: async ({ limit }) => ({
    items: Array.from({ length: limit }, (_, i) => ({
      id: `giant_${i}`,
      text: 'y'.repeat(90_000),
    })),
    has_more: true,
    next_cursor: encodeCursor([limit]),
  }),
})
const listStubborn = operation({
  name: 'list_stubborn',
  kind: 'read',
  rest: 'GET /api/stubborn',
  about: 'Ignores its limit',
  input: paging,
  output: z.strictObject({ items: z.array(Thing), has_more: z.boolean() }),
  handle: async () => {
    count.reads++
    return { items: things, has_more: false }
  },
})
const makeMuch = operation({
  name: 'make_much',
  kind: 'write',
  rest: 'POST /api/much',
  about: 'Much',
  input: { limit: z.int().optional() },
  output: pageOf(Thing),
  handle: async () => {
    count.writes++
    return { items: things, has_more: false }
  },
})
const oddities: Module = {
  name: 'oddities',
  about: 'For the tests of limits.',
  operations: [listThings, listGiants, listStubborn, makeMuch],
}

let w: TestWorkspace
before(async () => {
  w = await makeWorkspace({ modules: [...modules, oddities] })
})
after(() => w.close())

type Page = {
  items: { id: string; text: string }[]
  has_more: boolean
  next_cursor?: string
  truncated?: { bytes: number }
}

async function callTool(
  tool: string,
  args: Record<string, unknown> = {},
  overrides: Partial<CallRequest> = {},
): Promise<Answer & { value: Page }> {
  return (await call(w.app, w.ann.actor, {
    tool,
    args,
    transport: 'mcp',
    requestId: 'r',
    route: 'test',
    ip: '',
    ...overrides,
  })) as never
}

test('without a limit nothing is cut, and a result that fits is unchanged', async () => {
  const whole = await callTool('list_things', { shelf: 'a', limit: 60 })
  assert.deepEqual([whole.value.items.length, whole.cut, whole.text], [60, undefined, undefined])
  const fitting = await callTool(
    'list_things',
    { shelf: 'a', limit: 60 },
    { maxBytes: bytesOf(whole.value) },
  )
  assert.deepEqual(
    [fitting.value, fitting.cut, fitting.text],
    [whole.value, undefined, JSON.stringify(whole.value)],
  )
})

test('a page that is too large has as many items as fit, and its cursor continues exactly there', async () => {
  const seen: string[] = []
  let pages = 0
  for (let cursor: string | undefined; ; pages++) {
    count.reads = 0
    const { value, text, cut } = await callTool(
      'list_things',
      { shelf: 'a', limit: 60, ...(cursor ? { cursor } : {}) },
      { maxBytes: 20_000 },
    )
    assert.equal(text, JSON.stringify(value))
    assert.ok(Buffer.byteLength(text!) <= 20_000)
    assert.ok(count.reads <= 3, `${count.reads} reads for one page`)
    seen.push(...value.items.map((item) => item.id))
    if (!value.next_cursor) break
    const next = things[seen.length]!
    assert.ok(
      bytesOf({ ...value, items: [...value.items, next] }) > 20_000,
      'the next item would have fitted',
    )
    assert.deepEqual(cut!.parts, [])
    assert.equal(cut!.items!.shown, value.items.length)
    assert.equal(value.truncated!.bytes, cut!.fullBytes)
    cursor = value.next_cursor
  }
  assert.deepEqual(
    seen,
    things.map((thing) => thing.id),
  )
  assert.ok(pages >= 9)
})

test('a page that is queried again is one call in the log, with the number of items shown', async () => {
  const { value, callId } = await callTool(
    'list_things',
    { shelf: 'a', limit: 60 },
    { maxBytes: 9000 },
  )
  const row = w.app.store.raw.read
    .prepare('SELECT count(*) AS n, max(result_count) AS items FROM calls WHERE id = ?')
    .get(callId) as { n: number; items: number }
  assert.deepEqual(row, { n: 1, items: value.items.length })
})

test('the hint on how to get the rest contains the arguments of the call', async () => {
  const { cut } = await callTool(
    'list_things',
    { shelf: 'top shelf', query: 'a&b', tags: ['x', 'y'], limit: 60 },
    { maxBytes: 9000 },
  )
  assert.deepEqual(cut!.call, {
    kind: 'read',
    rest: 'GET http://workspace.test/api/things/top%20shelf?query=a%26b&tags=x%2Cy&limit=60',
    narrowedBy: ['fields', 'query'],
  })
})

test('a single item that is too large is cut inside, with a cursor that continues after it', async () => {
  const { value, cut } = await callTool('list_giants', { limit: 30 }, { maxBytes: 10_000 })
  assert.deepEqual([value.items.length, value.next_cursor], [1, encodeCursor([1])])
  assert.deepEqual(cut!.items, { shown: 1, whole: 30 })
  assert.deepEqual(cut!.parts, [
    {
      path: 'items[0].text',
      shown: value.items[0]!.text.length,
      whole: 90_000,
      unit: 'characters',
    },
  ])
  assert.ok(bytesOf(value) <= 10_000 && bytesOf(value) > 9900)
})

test('a list that ignores its limit is queried at most twice, and cut', async () => {
  count.reads = 0
  const { value, cut } = await callTool('list_stubborn', {}, { maxBytes: 10_000 })
  assert.equal(count.reads, 2)
  assert.ok(bytesOf(value) <= 10_000)
  assert.equal(cut!.parts.at(-1)!.path.startsWith('items'), true)
})

test('a write is executed once whatever it returns, and its full first response is stored', async () => {
  count.writes = 0
  const first = await callTool('make_much', {}, { maxBytes: 10_000, idempotencyKey: 'once' })
  assert.equal(count.writes, 1)
  assert.ok(bytesOf(first.value) <= 10_000)
  assert.equal(first.cut!.call.kind, 'write')
  const again = await callTool('make_much', {}, { idempotencyKey: 'once' })
  assert.deepEqual([again.replayed, again.value.items.length, count.writes], [true, 60, 1])
})
