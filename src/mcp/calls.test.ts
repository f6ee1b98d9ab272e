import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import fc from '../testing/properties.ts'
import { H3 } from 'h3'
import { serve } from 'srvx'
import { z } from 'zod'
import { pageOf, paging } from '../kernel/fields.ts'
import { operation } from '../operations/operation.ts'
import type { Module } from '../operations/module.ts'
import { Refusal } from '../kernel/refusal.ts'
import { Incoming } from '../http/transport/request-info.ts'
import { mcpPage } from '../http/routes/mcp.ts'
import { modules } from '../modules/index.ts'
import { EventReader } from '../testing/events.ts'
import { serveWorkspace, type ServedWorkspace } from '../testing/server.ts'
import { McpEndpoint } from './handler.ts'
import { resultMessage, resultOf } from './tools/results.ts'
import type { McpTuning } from './server.ts'

// Each message is sent on both paths, bypassing the SDK and through it, and must get the same answer. The only difference
// is that an answer that bypasses the SDK has a length.

let waits = 0
const abort: { seen?: () => void } = {}
const hidden = operation({
  name: 'download_hidden',
  kind: 'read',
  unlisted: true,
  rest: 'GET /api/hidden',
  about: 'Not a tool',
  output: z.object({}),
  handle: async () => ({}),
})
const buggy = operation({
  name: 'get_bug',
  kind: 'read',
  rest: 'GET /api/bug',
  about: 'Fails',
  output: z.object({}),
  handle: async () => Promise.reject(new Error('secret detail')),
})
const list = operation({
  name: 'get_numbers',
  kind: 'read',
  rest: 'GET /api/numbers',
  about: 'Is no object',
  output: z.array(z.number()),
  handle: async () => [1, 2],
})
const slow = operation({
  name: 'get_slow',
  kind: 'read',
  rest: 'GET /api/slow',
  about: 'Takes its time',
  output: z.object({ waits: z.number() }),
  handle: async () => pause(100, { waits: ++waits }),
})
const endless = operation({
  name: 'get_endless',
  kind: 'read',
  rest: 'GET /api/endless',
  about: 'Ends when the caller goes',
  output: z.object({ ended: z.boolean() }),
  handle: async (_, ctx) =>
    new Promise<{ ended: boolean }>((resolve) => {
      abort.seen?.()
      ctx.signal!.addEventListener('abort', () => resolve({ ended: true }))
    }),
})
const gate: { open: () => void } = { open() {} }
const gated = operation({
  name: 'get_gated',
  kind: 'read',
  rest: 'GET /api/gated',
  about: 'Ends when it is let',
  output: z.object({ waits: z.number() }),
  handle: async () =>
    new Promise<{ waits: number }>((resolve) => {
      waits++
      gate.open = () => resolve({ waits })
    }),
})
const long = operation({
  name: 'get_long',
  kind: 'read',
  rest: 'GET /api/long',
  about: 'Is long',
  output: z.object({ id: z.string(), body: z.string(), 'odd\u202ename': z.array(z.string()) }),
  handle: async () => ({
    id: 'long_1',
    body: 'Ünd \u200b\u{1f600} "so" '.repeat(10_000),
    'odd\u202ename': ['a\u0007', '\ud800', 'b'],
  }),
})
const many = operation({
  name: 'list_many',
  kind: 'read',
  rest: 'GET /api/many',
  about: 'Are many',
  input: paging,
  output: pageOf(z.object({ id: z.string(), text: z.string() })),
  handle: async ({ limit }) => ({
    items: Array.from({ length: limit }, (_, i) => ({ id: `many_${i}`, text: 'x'.repeat(2000) })),
    has_more: true,
    next_cursor: String(limit),
  }),
})
const followed = operation({
  name: 'get_followed',
  kind: 'read',
  rest: 'GET /api/followed',
  about: 'Tells how far it is',
  output: z.object({ done: z.number() }),
  reportsProgress: true,
  handle: async (_, ctx) => {
    ctx.progress(1, 4, 'a \u202etale')
    return { done: 4 }
  },
})
const oddities: Module = {
  name: 'oddities',
  about: 'For the tests of MCP.',
  operations: [hidden, buggy, list, slow, endless, gated, long, many, followed],
}

interface TestEndpoint {
  url: string
  endpoint: McpEndpoint
  close(): Promise<void>
}

let served: ServedWorkspace
let direct: TestEndpoint
let throughSdk: TestEndpoint
let impatient: TestEndpoint
let keptAlive: TestEndpoint
before(async () => {
  served = await serveWorkspace({ modules: [...modules, oddities] })
  direct = await open({ plainCalls: true, streamDelayMs: 5000 })
  throughSdk = await open({ plainCalls: false, streamDelayMs: 5000 })
  impatient = await open({ plainCalls: true, streamDelayMs: 5 })
  keptAlive = await open({ plainCalls: true, streamDelayMs: 5, keepAliveMs: 20 })
})
after(async () => {
  for (const way of [direct, throughSdk, impatient, keptAlive]) await way.close()
  await served.close()
})

async function open(ways: Partial<McpTuning>): Promise<TestEndpoint> {
  const endpoint = new McpEndpoint(served.app, { ways })
  const page = mcpPage(served.app, async () => endpoint)
  const routes = new H3().all('/mcp', (event) => page(new Incoming(event)))
  const server = serve({
    fetch: (request) => routes.fetch(request as never),
    hostname: '127.0.0.1',
    port: 0,
    silent: true,
    gracefulShutdown: false,
  })
  await server.ready()
  return { url: `${server.url!.replace(/\/$/, '')}/mcp`, endpoint, close: () => server.close(true) }
}

const versionKey = 'io.modelcontextprotocol/protocolVersion'
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'
const envelope = {
  [versionKey]: '2026-07-28',
  [capabilitiesKey]: {},
  'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '1' },
}
const acceptBoth = { accept: 'application/json, text/event-stream' }

interface TestMessage {
  headers: Record<string, string>
  body: Record<string, unknown>
}

/** A call in the current protocol; `more` replaces members of the message, undefined removes one. */
function modern(
  params: Record<string, unknown>,
  {
    headers = {},
    ...more
  }: { headers?: Record<string, string | undefined> } & Record<string, unknown> = {},
): TestMessage {
  const all = {
    ...acceptBoth,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
    ...headers,
  }
  const { _meta = {} } = params
  const meta =
    _meta && Object.getPrototypeOf(_meta) === Object.prototype ? { ...envelope, ..._meta } : _meta
  return {
    headers: withoutUndefined(all),
    body: withoutUndefined({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { ...params, _meta: meta },
      ...more,
    }),
  }
}

/** The same in the older protocols. */
function legacy(
  params: unknown,
  {
    headers = acceptBoth,
    ...more
  }: { headers?: Record<string, string> } & Record<string, unknown> = {},
): TestMessage {
  return {
    headers,
    body: withoutUndefined({ jsonrpc: '2.0', id: 1, method: 'tools/call', params, ...more }),
  }
}

function withoutUndefined<T>(record: Record<string, T | undefined>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== undefined),
  ) as Record<string, T>
}

async function send(
  way: TestEndpoint,
  { headers, body }: TestMessage,
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(way.url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${served.bearer}`,
      'content-type': 'application/json',
      'x-request-id': 'request-of-test',
      'user-agent': 'agent/1',
      ...headers,
    },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  })
}

const fetchFrom = send

const transportHeaders = ['content-length', 'transfer-encoding', 'date', 'keep-alive']

/** An answer without its variable parts, as parsed JSON. */
async function comparable(response: Response) {
  const text = (await response.text())
    .replace(/clg_\w+/g, 'clg')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'reference')
  const event = /^event: message\ndata: ([^\n]*)\n\n$/.exec(text)?.[1]
  const json = JSON.parse(event ?? (text === '' ? 'null' : text)) as {
    result?: { content: { text: string }[] }
  } | null
  const texts = json?.result?.content.map((item, i) =>
    i === 0 ? (JSON.parse(item.text) as unknown) : item.text,
  )
  return {
    status: response.status,
    isEvent: event !== undefined,
    json,
    texts,
    headers: Object.fromEntries(
      [...response.headers].filter(([name]) => !transportHeaders.includes(name)),
    ),
  }
}

async function compare(sent: TestMessage, isPlain: boolean) {
  const label = JSON.stringify(sent)
  const [directResponse, sdkResponse] = [await send(direct, sent), await send(throughSdk, sent)]
  assert.equal(
    directResponse.headers.has('content-length') &&
      !directResponse.headers.has('transfer-encoding'),
    isPlain,
    `in front of the SDK: ${label}`,
  )
  assert.equal(sdkResponse.headers.get('content-length') ?? '0', '0', `through the SDK: ${label}`)
  const got = await comparable(directResponse)
  assert.deepEqual(got, await comparable(sdkResponse), label)
  return got
}

const labels = { name: 'list_labels', arguments: { limit: 5 } }
const calls: Record<string, unknown>[] = [
  labels,
  { name: 'list_labels' },
  { name: 'get_numbers', arguments: {} },
  { name: 'list_labels', arguments: { limit: 'many', 'ünknown "argument"\n\u2028': [null] } },
  { name: 'update_label', arguments: { label_id: 'nothing', name: 'x' } },
  {
    name: 'create_label',
    arguments: { name: 'Über "quotes" \\ and \u{1f600}' },
    _meta: { idempotencyKey: 'the same both times' },
  },
  { name: 'create_label', arguments: { name: 'x' }, _meta: { idempotencyKey: 5 } },
  { ...labels, _meta: { progressToken: 1 } },
  { ...labels, _meta: { progressToken: 'of the client' } },
  {
    ...labels,
    _meta: {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      'vendor/tool': 'x',
    },
  },
]
const ids = [0, -1, 7, 2 ** 53 - 1, '', 'é"\\\n', 'x'.repeat(5000)]

test('plain calls of the current protocol bypass the SDK with the same answers', async () => {
  for (const call of calls) assert.equal((await compare(modern(call), true)).isEvent, false)
  for (const id of ids) await compare(modern(labels, { id }), true)
  for (const accept of [undefined, '*/*', 'text/html', 'text/event-stream', 'application/json'])
    await compare(modern(labels, { headers: { accept } }), true)
  await compare(
    modern({ ...labels, _meta: { 'io.modelcontextprotocol/clientInfo': undefined } }),
    true,
  )
})

test('plain calls of the older protocols bypass the SDK, too, with and without a stream', async () => {
  for (const call of calls) assert.equal((await compare(legacy(call), true)).isEvent, true)
  for (const id of ids) await compare(legacy(labels, { id }), true)
  for (const accept of ['*/*', 'application/json', 'text/html'])
    assert.equal((await compare(legacy(labels, { headers: { accept } }), true)).isEvent, false)
  for (const protocolVersion of ['2024-11-05', '2025-11-25'])
    await compare(
      legacy(labels, { headers: { ...acceptBoth, 'mcp-protocol-version': protocolVersion } }),
      true,
    )
  await compare(
    legacy({
      ...labels,
      _meta: { 'io.modelcontextprotocol/clientInfo': { name: 'early', version: '2' } },
    }),
    true,
  )
})

test('overlong answers are truncated the same on both paths, with a notice', async () => {
  for (const send of [modern, legacy]) {
    const { json, texts } = (await compare(send({ name: 'get_long' }), true)) as any
    assert.deepEqual(texts[0], json.result.structuredContent)
    assert.ok(Buffer.byteLength(json.result.content[0].text) <= 65_536)
    assert.match(
      texts[1],
      /^This answer was cut: .* limit over MCP is 65536\.\nOnly the beginning is shown of body \(\d+ of 130000 characters\)\.\n.*GET http:\S+\/api\/long$/,
    )
    const cut = json.result._meta['workspace/cut']
    assert.deepEqual(
      [cut.largest_bytes, cut.parts[0].path, cut.parts[0].whole],
      [65_536, 'body', 130_000],
    )
    const page = (await compare(
      send({ name: 'list_many', arguments: { limit: 100 } }),
      true,
    )) as any
    assert.equal(page.json.result.structuredContent.next_cursor, String(page.texts[0].items.length))
    assert.match(page.texts[1], /The page shows 32 of its 100 items.*next_cursor/)
    assert.deepEqual(page.json.result._meta['workspace/cut'].items, { shown: 32, whole: 100 })
  }
})

test('invisible characters are in no answer on either path', async () => {
  for (const send of [modern, legacy]) {
    const { json } = (await compare(send({ name: 'get_long' }), true)) as any
    const { body, oddname } = json.result.structuredContent
    assert.deepEqual(oddname, ['a', '', 'b'])
    assert.ok(body.startsWith('Ünd \u{1f600} "so" Ünd') && !body.includes('\u200b'))
    const refused = (await compare(
      send({ name: 'list_labels', arguments: { 'na\u202eme\u{e0041}': 1 } }),
      true,
    )) as any
    assert.match(refused.texts[0].message, /^name: unknown argument/)
  }
})

test('a call requesting progress goes through the SDK only if progress can be delivered', async () => {
  for (const send of [modern, legacy]) {
    await compare(send({ name: 'get_followed' }), true)
    const response = await (
      await fetchFrom(direct, send({ name: 'get_followed', _meta: { progressToken: 'mine' } }))
    ).text()
    const messages = [...response.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data!))
    assert.deepEqual(
      messages.map((item) => item.method ?? item.result.structuredContent),
      ['notifications/progress', { done: 4 }],
    )
    const { progressToken, progress, total, message } = messages[0].params
    assert.deepEqual(
      { progressToken, progress, total, message },
      { progressToken: 'mine', progress: 1, total: 4, message: 'a tale' },
    )
  }
  const inJson = await fetchFrom(
    direct,
    legacy(
      { name: 'get_followed', _meta: { progressToken: 1 } },
      { headers: { accept: 'application/json' } },
    ),
  )
  assert.deepEqual(
    ((await inJson.json()) as any).result.structuredContent,
    { done: 4 },
    'a client that accepts no stream gets only the answer',
  )
})

test('an internal error looks the same on both paths and reveals nothing', async (t) => {
  t.mock.method(console, 'error', () => {})
  for (const send of [modern, legacy])
    assert.doesNotMatch(
      JSON.stringify(await compare(send({ name: 'get_bug' }), true)),
      /secret|\.ts/,
    )
})

test('anything other than a plain valid call is left to the SDK', async () => {
  const odd: Record<string, unknown>[] = [
    { name: 'no_such_tool', arguments: {} },
    { name: 'download_hidden', arguments: {} },
    { name: '' },
    { name: 5 },
    { name: null },
    {},
    ...[[], 'x', 5].map((args) => ({ name: 'list_labels', arguments: args })),
    ...[5, []].map((_meta) => ({ ...labels, _meta })),
    { ...labels, _meta: { progressToken: 1.5 } },
    { ...labels, _meta: { progressToken: {} } },
    { ...labels, _meta: { 'io.modelcontextprotocol/logLevel': 'debug' } },
    { ...labels, _meta: { 'io.modelcontextprotocol/related-task': { taskId: 'x' } } },
    { ...labels, inputResponses: {} },
    { ...labels, requestState: 'x' },
    { ...labels, requestState: 5 },
    { ...labels, task: { ttl: 1 } },
    { ...labels, more: 1 },
  ]
  for (const params of odd) for (const send of [modern, legacy]) await compare(send(params), false)
  for (const send of [modern, legacy])
    await compare(send({ name: 'list_labels', arguments: null }), true)
  const messages: Record<string, unknown>[] = [
    { id: undefined },
    { id: null },
    { id: 1.5 },
    { id: {} },
    { jsonrpc: '1.0' },
    { jsonrpc: undefined },
    { more: 1 },
    { method: 'tools/Call' },
    { params: undefined },
    { params: [] },
  ]
  for (const more of messages)
    for (const send of [modern, legacy]) await compare(send(labels, more), false)
})

test('mismatched headers and envelopes are left to the SDK to refuse', async () => {
  const headers: Record<string, string | undefined>[] = [
    { 'mcp-name': undefined },
    { 'mcp-name': 'create_label' },
    { 'mcp-name': '=?base64?!?=' },
    { 'mcp-method': undefined },
    { 'mcp-method': 'tools/list' },
    { 'mcp-method': '' },
    { 'mcp-protocol-version': undefined },
    { 'mcp-protocol-version': '2025-11-25' },
    { 'mcp-protocol-version': '2030-01-01' },
  ]
  for (const mismatch of headers)
    assert.ok((await compare(modern(labels, { headers: mismatch }), false)).status >= 400)
  const encoded = `=?base64?${Buffer.from('list_labels').toString('base64')}?=`
  assert.equal(
    (await compare(modern(labels, { headers: { 'mcp-name': encoded } }), false)).status,
    200,
  )
  for (const wrong of [
    { [capabilitiesKey]: undefined },
    { [capabilitiesKey]: 5 },
    { [versionKey]: 5 },
    { [versionKey]: '2030-01-01' },
    { [versionKey]: '2025-11-25' },
    { 'io.modelcontextprotocol/clientInfo': 5 },
  ]) {
    await compare(modern({ ...labels, _meta: wrong }), false)
  }
  await compare(
    modern(
      { ...labels, _meta: { [versionKey]: '2030-01-01' } },
      { headers: { 'mcp-protocol-version': '2030-01-01' } },
    ),
    false,
  )
  for (const headers of [
    { accept: 'text/event-stream' },
    { ...acceptBoth, 'mcp-protocol-version': '1999-01-01' },
    { ...acceptBoth, 'mcp-protocol-version': '2026-07-28' },
  ]) {
    assert.ok(
      (await compare(legacy(labels, { headers: headers as Record<string, string> }), false))
        .status >= 400,
    )
  }
})

test('the call log is the same for both paths', async () => {
  const last = served.app.store.raw.read.prepare(
    'SELECT transport, tool, kind, status, error_code, result_count, changed, request_id, idempotency_key, details_json FROM calls ORDER BY at DESC, seq DESC LIMIT 1',
  )
  for (const call of calls) {
    for (const sent of [modern(call), legacy(call)]) {
      const rows: unknown[] = []
      for (const way of [direct, throughSdk]) {
        await (await send(way, sent)).text()
        rows.push(last.get())
      }
      assert.deepEqual(rows[0], rows[1])
    }
  }
  await (await send(direct, modern(labels))).text()
  assert.deepEqual(JSON.parse((last.get() as { details_json: string }).details_json).client, {
    name: 'wire',
    version: '1',
  })
})

test('a slow call gets the SDK stream and is executed once', async () => {
  const before = waits
  const response = await send(impatient, legacy({ name: 'get_slow' }))
  assert.equal(response.headers.has('content-length'), false)
  const { json, isEvent, headers } = await comparable(response)
  assert.equal(waits, before + 1)
  assert.deepEqual((json as any).result.structuredContent, { waits })
  assert.deepEqual(
    { isEvent, headers },
    (({ isEvent, headers }) => ({ isEvent, headers }))(
      await comparable(await send(throughSdk, legacy({ name: 'get_slow' }))),
    ),
  )
})

test('a slow call of the current protocol is answered in a stream with keepalives and is executed once', async () => {
  const before = waits
  const response = await send(keptAlive, modern({ name: 'get_gated' }))
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/)
  const stream = new EventReader(response)
  const next = stream.next()
  while (stream.comments.length < 2) await pause(5)
  gate.open()
  const { result } = (await next)?.json ?? {}
  assert.equal(await stream.next(), undefined)
  assert.deepEqual(result.structuredContent, { waits: before + 1 })
  assert.equal(waits, before + 1)
  const behindIt = await comparable(await send(throughSdk, modern({ name: 'get_slow' })))
  assert.deepEqual(Object.keys(result).sort(), Object.keys(behindIt.json?.result ?? {}).sort())
})

test('a disconnecting client ends the call', async () => {
  for (const sent of [modern({ name: 'get_endless' }), legacy({ name: 'get_endless' })]) {
    const controller = new AbortController()
    const logged = served.app.store.raw.read.prepare(
      "SELECT count(*) AS n FROM calls WHERE tool = 'get_endless'",
    )
    const { n } = logged.get() as { n: number }
    const started = new Promise<void>((resolve) => (abort.seen = resolve))
    const answer = send(direct, sent, controller.signal)
    await started
    controller.abort()
    await assert.rejects(answer)
    while ((logged.get() as { n: number }).n === n) await pause(5) // it is logged once it has ended
  }
})

test('a call whose client has disconnected is not executed', async () => {
  const { n } = served.app.store.raw.read.prepare('SELECT count(*) AS n FROM calls').get() as {
    n: number
  }
  const { headers, body } = modern(labels)
  const request = new Request(direct.url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    signal: AbortSignal.abort(),
  })
  const from = { actor: { id: 'nobody' }, requestId: 'r', ip: '', client: undefined } as never
  assert.equal(
    ((await direct.endpoint.answer({ request, body, from, gzip: false })) as Response).status,
    499,
  )
  assert.equal(
    (served.app.store.raw.read.prepare('SELECT count(*) AS n FROM calls').get() as { n: number }).n,
    n,
  )
})

test('the message matches the result for any value', () => {
  const signature = { 'io.modelcontextprotocol/serverInfo': { name: 'workspace', version: '1' } }
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.oneof(fc.integer(), fc.string({ unit: 'grapheme' })),
      (value, id) => {
        const answer = { value, callId: 'clg_1', replayed: false }
        const result = JSON.parse(JSON.stringify(resultOf(answer))) as Record<string, unknown>
        assert.deepEqual(JSON.parse(resultMessage(answer, id, undefined)), {
          jsonrpc: '2.0',
          id: JSON.parse(JSON.stringify(id)),
          result,
        })
        const stamped = {
          ...result,
          resultType: 'complete',
          _meta: { 'workspace/call_id': 'clg_1', ...signature },
        }
        assert.deepEqual(JSON.parse(resultMessage(answer, id, signature)).result, stamped)
      },
    ),
  )
  const refusal = new Refusal('not_found', 'There is none.', {
    context: { candidates: Array.from({ length: 5000 }, (_, i) => `candidate\u200b ${i}`) },
  })
  assert.ok(resultMessage(refusal, 1, undefined).length < 40_000, 'a refusal is bounded, too')
  assert.deepEqual(
    JSON.parse(resultMessage(refusal, 1, undefined)).result,
    JSON.parse(JSON.stringify(resultOf(refusal))),
  )
})
