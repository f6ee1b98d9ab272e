import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { mintKey } from '../keys/format.ts'
import type { Module } from '../operations/module.ts'
import { operation } from '../operations/operation.ts'
import { modules } from '../modules/index.ts'
import { serveWorkspace, type TestResponse, type ServedWorkspace } from '../testing/server.ts'
import { z } from 'zod'

const quotaExceeded = 'https://iana.org/assignments/http-problem-types#quota-exceeded'
let releases: (() => void)[] = []

/** Calls that run until released. */
const waiting: Module = {
  name: 'waiting',
  about: 'Waits.',
  operations: [
    operation({
      name: 'wait_here',
      kind: 'read',
      rest: 'GET /api/wait',
      about: 'Wait until somebody says go',
      input: { turn: z.int() },
      output: z.strictObject({ turn: z.int() }),
      handle: ({ turn }) => new Promise((resolve) => releases.push(() => resolve({ turn }))),
    }),
  ],
}

let served: ServedWorkspace
let key: string
before(async () => {
  served = await serveWorkspace({
    modules: [...modules, waiting],
    settings: {
      limits: true,
      rate_key: 60,
      rate_burst: 10,
      rate_organization: 100,
      rate_address: 12,
      rate_concurrent: 4,
      abuse_bad_credentials: 0,
      abuse_loop: 0,
    },
  })
  served.clock.stop()
})
after(() => served.close())
beforeEach(async () => {
  served.clock.wait(120_000)
  key = (await served.keyFor(served.bob)).key
})

const get = (path = '/api/labels', headers: Record<string, string> = {}) =>
  served.ask('GET', path, { key, headers })
const message = (method: string, params: object = {}) =>
  served.ask('POST', '/mcp', {
    key,
    headers: { accept: 'application/json' },
    body: { jsonrpc: '2.0', id: 7, method, params },
  })
const statuses = (all: TestResponse[]) => all.map((testResponse) => testResponse.status)
const rateHeaders = ({ headers }: TestResponse) => [
  headers.get('ratelimit-policy'),
  headers.get('ratelimit'),
]

async function repeat(count: number, ask: () => Promise<TestResponse>): Promise<TestResponse[]> {
  const all: TestResponse[] = []
  for (let i = 0; i < count; i++) all.push(await ask())
  return all
}

test('every response to a key has its rate policy and remainder, including refusals and MCP', async () => {
  await message('tools/list') // the first call builds the schemas, which may take a second
  served.clock.wait(10_000)
  assert.deepEqual(rateHeaders(await get()), ['"key";q=60;w=60', '"key";r=9;t=1'])
  assert.deepEqual(rateHeaders(await get('/api/nothing')), ['"key";q=60;w=60', '"key";r=8;t=2'])
  assert.deepEqual(rateHeaders(await message('tools/list')), ['"key";q=60;w=60', '"key";r=7;t=3'])
  assert.deepEqual(
    rateHeaders(await message('tools/call', { name: 'list_labels', arguments: {} })),
    ['"key";q=60;w=60', '"key";r=6;t=4'],
  )
  assert.deepEqual(rateHeaders(await served.ask('PUT', '/api/labels', { key })), [
    '"key";q=60;w=60',
    '"key";r=5;t=5',
  ])
  assert.deepEqual(rateHeaders(await served.ask('POST', '/api/labels', { key, body: {} })), [
    '"key";q=60;w=60',
    '"key";r=4;t=6',
  ])
  assert.deepEqual(rateHeaders(await served.ask('GET', '/api/labels', { key: undefined })), [
    null,
    null,
  ])
})

test('REST and MCP share one bucket; beyond it is 429 with the retry time in the format of each', async () => {
  assert.deepEqual(statuses(await repeat(10, () => get())), Array(10).fill(200))
  const rest = await get()
  assert.equal(rest.status, 429)
  assert.deepEqual(
    [rest.json.type, rest.json.code, rest.json['violated-policies']],
    [quotaExceeded, 'rate_limited', ['key']],
  )
  assert.equal(rest.headers.get('content-type'), 'application/problem+json; charset=utf-8')
  assert.equal(rest.headers.get('retry-after'), '1')
  assert.equal(rest.headers.get('ratelimit'), '"key";r=0;t=1')
  const mcp = await message('tools/call', { name: 'list_labels', arguments: {} })
  assert.equal(mcp.status, 429)
  assert.deepEqual(
    [mcp.json.jsonrpc, mcp.json.error.data.code, mcp.headers.get('retry-after')],
    ['2.0', 'rate_limited', '1'],
  )
  served.clock.wait(1000)
  assert.deepEqual(statuses(await repeat(2, () => get())), [200, 429])
})

test('other keys are unaffected', async () => {
  await repeat(11, () => get())
  assert.equal((await get()).status, 429)
  const other = (await served.keyFor(served.bob)).key
  assert.equal((await served.ask('GET', '/api/labels', { key: other })).status, 200)
})

test('spelling a request differently does not give it another bucket', async () => {
  await repeat(10, () => get())
  for (const path of [
    '/api/labels',
    '/api/labels/',
    '/API/labels',
    '/api//labels',
    '/api/labels?x=1',
    '/api/labels%2F',
    '/mcp',
    '/api/tools.sha256',
    '/api/connect',
    '/sse',
  ]) {
    const got = await get(path)
    assert.ok(
      got.status === 429 || (got.status === 404 && got.headers.get('ratelimit') === null),
      `${path} ${got.status}`,
    )
  }
  for (const method of ['HEAD', 'POST', 'PATCH', 'DELETE', 'PUT'])
    assert.equal((await served.ask(method, '/api/labels', { key })).status, 429, method)
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip'])
    assert.equal((await get('/api/labels', { [name]: '203.0.113.9' })).status, 429, name)
})

test('a heavy operation counts as several, over MCP and REST', async () => {
  assert.equal(rateHeaders(await get('/api/tasks/search?query=word'))[1], '"key";r=5;t=5')
  assert.equal(
    rateHeaders(
      await message('tools/call', { name: 'search_tasks', arguments: { query: 'word' } }),
    )[1],
    '"key";r=0;t=10',
  )
  served.clock.wait(4000)
  const heavy = await get('/api/tasks/search?query=word')
  assert.deepEqual(
    [heavy.status, heavy.headers.get('retry-after'), heavy.headers.get('ratelimit')],
    [429, '1', '"key";r=4;t=1'],
  )
  assert.equal((await get()).status, 200)
})

test('a refused request is one call log entry under the name of its operation', async () => {
  await repeat(10, () => get())
  const refused = [
    await get(),
    await message('tools/call', { name: 'list_teams', arguments: {} }),
    await message('tools/list'),
  ]
  for (const [i, response] of refused.entries()) {
    const id = response.headers.get('x-request-id')!
    const rows = served.app.store.raw.read
      .prepare('SELECT tool, status, error_code FROM calls WHERE request_id = ?')
      .all(id)
    assert.deepEqual(rows, [
      {
        tool: ['list_labels', 'list_teams', 'tools/list'][i],
        status: 'error',
        error_code: 'rate_limited',
      },
    ])
  }
})

test('all keys of an organization share a limit, separate from other organizations', async () => {
  const keys = await Promise.all(
    Array.from({ length: 4 }, async () => (await served.keyFor(served.carol)).key),
  )
  const got: TestResponse[] = []
  for (const name of keys)
    for (let i = 0; i < 8; i++) got.push(await served.ask('GET', '/api/labels', { key: name }))
  const refused = got.filter((testResponse) => testResponse.status === 429)
  assert.equal(got.length - refused.length, 20)
  assert.deepEqual(refused[0]!.json['violated-policies'], ['organization'])
  const { key: foreign } = await served.keyFor(served.eve)
  assert.equal((await served.ask('GET', '/api/labels', { key: foreign })).status, 200)
})

test('concurrent calls of a key are limited', async () => {
  releases = []
  const runningCalls = Array.from({ length: 4 }, (_, turn) => get(`/api/wait?turn=${turn}`))
  while (releases.length < 4) await new Promise((go) => setTimeout(go, 5))
  const fifth = await get('/api/wait?turn=5')
  assert.deepEqual(
    [fifth.status, fifth.json['violated-policies'], fifth.headers.get('retry-after')],
    [429, ['concurrent'], '1'],
  )
  const tool = await message('tools/call', { name: 'list_labels', arguments: {} })
  assert.deepEqual(
    [tool.json.result.isError, JSON.parse(tool.json.result.content[0].text).code],
    [true, 'rate_limited'],
  )
  for (const go of releases) go()
  assert.deepEqual(statuses(await Promise.all(runningCalls)), [200, 200, 200, 200])
  assert.equal((await get()).status, 200)
})

test('requests without a valid key are limited per address; a valid key is still served', async () => {
  const without = await repeat(13, () => served.ask('GET', '/api/labels', { key: undefined }))
  assert.deepEqual(statuses(without), [...Array(12).fill(401), 429])
  assert.deepEqual(without.at(-1)!.json['violated-policies'], ['address'])
  assert.equal((await served.ask('GET', '/api/labels', { key: mintKey().key })).status, 429)
  assert.equal((await served.ask('GET', '/api/openapi.json', { key: undefined })).status, 429)
  assert.equal((await served.ask('POST', '/mcp', { key: undefined, body: {} })).status, 429)
  assert.equal((await served.ask('GET', '/healthz', { key: undefined })).status, 200)
  assert.equal((await get()).status, 200)
})

test('usage shows what remains', async () => {
  const { json } = await get('/api/api-keys/current/usage')
  assert.deepEqual([json.rate_limit.per_minute, json.rate_limit.remaining], [60, 9])
  assert.ok(Date.parse(json.rate_limit.resets_at) >= served.clock.now())
})
