import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { after, afterEach, before, test } from 'node:test'
import { z } from 'zod'
import { operation } from '../../operations/operation.ts'
import type { Module } from '../../operations/module.ts'
import { modules } from '../../modules/index.ts'
import { EventReader } from '../../testing/events.ts'
import { minute } from '../../testing/harness.ts'
import { untilTrue, waitLimitMs } from '../../testing/limits.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'

// Sessions of the protocols before 2026-07-28, at wire level.

const slowCalls = { begun: 0, ended: 0, finishLast: () => {} }
const slow = operation({
  name: 'get_slow',
  kind: 'read',
  rest: 'GET /api/slow',
  about: 'Takes its time',
  input: { milliseconds: z.number() },
  output: z.object({ done: z.boolean() }),
  handle: async ({ milliseconds }, ctx) => {
    slowCalls.begun++
    const finish = new AbortController()
    slowCalls.finishLast = () => finish.abort()
    const signal = AbortSignal.any([ctx.signal!, finish.signal])
    await pause(milliseconds, undefined, { signal }).catch(() => {
      if (!finish.signal.aborted) slowCalls.ended++
    })
    return { done: true }
  },
})
const oddities: Module = { name: 'oddities', about: 'For the tests of MCP.', operations: [slow] }

let served: ServedWorkspace
before(async () => {
  served = await serveOddities(waitLimitMs)
})

/** `graceMs`: how long a call continues without its client. */
async function serveOddities(graceMs: number): Promise<ServedWorkspace> {
  const tuning = { sessionStreamDelayMs: 40, graceMs }
  const mcpExtras = { capabilities: {}, extend: (all: object) => all as never, tuning }
  return serveWorkspace({ modules: [...modules, oddities], mcpExtras })
}

after(() => served.close())
afterEach(() => untilTrue(() => served.app.live.streams === 0, 'A stream stays open'))

const acceptBoth = { accept: 'application/json, text/event-stream' }
const latestVersion = '2025-11-25'

/** One client in one session. */
class Client {
  readonly id: string
  readonly key: string
  readonly version: string

  constructor(id: string, key: string, version: string) {
    this.id = id
    this.key = key
    this.version = version
  }

  get headers(): Record<string, string> {
    return {
      authorization: `Bearer ${this.key}`,
      'mcp-session-id': this.id,
      'mcp-protocol-version': this.version,
    }
  }

  send(
    body: object,
    more: { headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<Response> {
    const headers = {
      ...acceptBoth,
      'content-type': 'application/json',
      ...this.headers,
      ...more.headers,
    }
    return fetch(`${served.url}/mcp`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
      signal: more.signal ?? null,
    })
  }

  call(
    name: string,
    args: object,
    { id = 1, ...more }: { id?: number; signal?: AbortSignal } = {},
  ): Promise<Response> {
    return this.send({ id, method: 'tools/call', params: { name, arguments: args } }, more)
  }

  get(more: { headers?: Record<string, string>; signal?: AbortSignal } = {}): Promise<Response> {
    return fetch(`${served.url}/mcp`, {
      headers: { accept: 'text/event-stream', ...this.headers, ...more.headers },
      signal: more.signal ?? null,
    })
  }

  delete(): Promise<Response> {
    return fetch(`${served.url}/mcp`, { method: 'DELETE', headers: this.headers })
  }

  /** Whether the session exists. */
  async isOpen(): Promise<boolean> {
    const response = await this.send({ id: 99, method: 'ping' })
    await response.body?.cancel()
    return response.status === 200
  }
}

async function initialize(key: string, version = latestVersion, name = 'wire'): Promise<Response> {
  return fetch(`${served.url}/mcp`, {
    method: 'POST',
    headers: { ...acceptBoth, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: version, capabilities: {}, clientInfo: { name, version: '7' } },
    }),
  })
}

async function connect(
  key = served.bearer,
  version = latestVersion,
  name?: string,
): Promise<Client> {
  const response = await initialize(key, version, name)
  assert.equal(response.status, 200)
  const { result } = await new EventReader(response).message()
  assert.equal(result.protocolVersion, version)
  const client = new Client(response.headers.get('mcp-session-id')!, key, version)
  assert.equal((await client.send({ method: 'notifications/initialized' })).status, 202)
  return client
}

async function newKey(): Promise<string> {
  return (await served.keyFor(served.ann)).key
}

async function errorOf(response: Response): Promise<{ code: number; message: string }> {
  return ((await response.json()) as { error: { code: number; message: string } }).error
}

const until = (condition: () => boolean) => untilTrue(condition, () => condition.toString())

test('every version has sessions, with unguessable ids', async () => {
  const ids = new Set<string>()
  for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', latestVersion]) {
    const client = await connect(served.bearer, version)
    assert.match(client.id, /^[\w-]{32}$/)
    ids.add(client.id)
    const { result } = await new EventReader(await client.call('list_labels', {})).message()
    const value = JSON.parse(result.content[0].text)
    assert.deepEqual(Object.keys(value), ['items', 'has_more'])
    const hasStructuredContent = version >= '2025-06-18'
    assert.deepEqual(result.structuredContent, hasStructuredContent ? value : undefined, version)
    assert.equal((await client.delete()).status, 200)
  }
  assert.equal(ids.size, 4)
})

test('a session belongs to one key: for another key or person, or after its end, it does not exist', async () => {
  const client = await connect()
  const { key: bobs } = await served.keyFor(served.bob)
  const strangers = [
    new Client(client.id, await newKey(), latestVersion),
    new Client(client.id, bobs, latestVersion),
    new Client('of-long-ago', client.key, latestVersion),
  ]
  for (const stranger of strangers) {
    for (const response of [
      await stranger.send({ id: 1, method: 'ping' }),
      await stranger.call('list_labels', {}),
      await stranger.get(),
      await stranger.delete(),
    ]) {
      assert.equal(response.status, 404)
      assert.match((await errorOf(response)).message, /Session not found/)
    }
  }
  assert.equal(await client.isOpen(), true)
  assert.equal((await client.delete()).status, 200)
  for (const response of [
    await client.send({ id: 1, method: 'ping' }),
    await client.get(),
    await client.delete(),
  ])
    assert.equal(response.status, 404)
})

test('session messages are validated as the SDK does', async () => {
  const client = await connect()
  for (const body of [
    { id: 1, method: 'tools/list' },
    { id: 1, method: 'tools/call', params: { name: 'list_labels' } },
    { id: 1, method: 'ping' },
    { method: 'notifications/cancelled', params: { requestId: 1 } },
  ]) {
    assert.equal(
      (await client.send(body, { headers: { 'mcp-protocol-version': '1999-01-01' } })).status,
      400,
    )
  }
  assert.equal(
    (await client.get({ headers: { 'mcp-protocol-version': '1999-01-01' } })).status,
    400,
  )
  assert.equal((await client.get({ headers: { accept: 'application/json' } })).status, 406)
  assert.equal(
    (await client.send({ id: 1, method: 'ping' }, { headers: { accept: 'application/json' } }))
      .status,
    406,
  )
  assert.equal(
    (await client.send({ id: 1, method: 'ping' }, { headers: { 'content-type': 'text/plain' } }))
      .status,
    415,
  )
  assert.equal((await errorOf(await client.send({ id: 1, nothing: true }))).code, -32600)
  const unknown = await new EventReader(await client.send({ id: 1, method: 'no/such' })).message()
  assert.equal(unknown.error.code, -32601)
  const put = await fetch(`${served.url}/mcp`, { method: 'PUT', headers: client.headers })
  assert.deepEqual([put.status, put.headers.get('allow')], [405, 'GET, POST, DELETE, OPTIONS'])
  await client.delete()
})

test('without a session id GET and DELETE are refused, and calls are answered individually', async () => {
  for (const method of ['GET', 'DELETE', 'HEAD', 'PUT']) {
    const got = await served.ask(method, '/mcp', {
      headers: { accept: 'text/event-stream', 'mcp-protocol-version': latestVersion },
    })
    assert.deepEqual([got.status, got.headers.get('allow')], [405, 'POST, OPTIONS'], method)
  }
  const ping = await served.ask('POST', '/mcp', {
    headers: { ...acceptBoth, 'mcp-protocol-version': latestVersion },
    body: { jsonrpc: '2.0', id: 1, method: 'ping' },
  })
  assert.equal(ping.status, 200)
  assert.equal(ping.headers.get('mcp-session-id'), null)
})

test('an initialize that is invalid or accepts no stream starts no session', async () => {
  const params = {
    protocolVersion: latestVersion,
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  }
  const plain = await served.ask('POST', '/mcp', {
    headers: { accept: 'application/json' },
    body: { jsonrpc: '2.0', id: 1, method: 'initialize', params },
  })
  assert.equal(plain.json.result.protocolVersion, latestVersion)
  assert.equal(plain.headers.get('mcp-session-id'), null)
  const wrong = await served.ask('POST', '/mcp', {
    headers: acceptBoth,
    body: { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} },
  })
  assert.equal(wrong.headers.get('mcp-session-id'), null)
  assert.match(wrong.text, /-32602/)
})

test('a client that initializes again with an old id gets a new session', async () => {
  const client = await connect()
  const again = await client.send({
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: latestVersion,
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    },
  })
  assert.equal(again.status, 200)
  assert.notEqual(again.headers.get('mcp-session-id'), client.id)
  await again.body?.cancel()
})

test('the key is that of the message, and the client name that of the handshake', async () => {
  const { key, id } = await served.keyFor(served.ann)
  const client = await connect(key, latestVersion, 'the-assistant')
  await (await client.call('get_slow', { milliseconds: 1 })).text()
  const { raw } = served.app.store
  const logged = raw.read
    .prepare("SELECT details_json FROM calls WHERE tool = 'get_slow' ORDER BY seq DESC")
    .get() as { details_json: string }
  assert.deepEqual((JSON.parse(logged.details_json) as { client: unknown }).client, {
    name: 'the-assistant',
    version: '7',
  })
  raw.write.prepare('UPDATE api_keys SET read_only = 1 WHERE id = ?').run(id)
  const refused = await new EventReader(
    await client.call('create_label', { name: 'never' }),
  ).message()
  assert.equal(refused.result.isError, true)
  const listed = (await (await client.send({ id: 1, method: 'tools/list' })).json()) as {
    result: { tools: { name: string }[] }
  }
  assert.ok(!listed.result.tools.some((tool) => tool.name === 'create_label'))
  const narrowed = await fetch(`${served.url}/mcp?toolsets=labels`, {
    method: 'POST',
    headers: { ...acceptBoth, 'content-type': 'application/json', ...client.headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  assert.deepEqual(
    ((await narrowed.json()) as typeof listed).result.tools.map((tool) => tool.name),
    ['list_labels'],
  )
})

test('an unused session expires, and an open stream counts as use', async () => {
  const [idle, open, used] = [await connect(), await connect(), await connect()]
  const stream = await open.get()
  served.clock.pass(20 * minute)
  await used.isOpen()
  served.clock.pass(20 * minute)
  assert.deepEqual(
    [await idle.isOpen(), await open.isOpen(), await used.isOpen()],
    [false, true, true],
  )
  await stream.body?.cancel()
  await untilTrue(() => served.app.live.streams === 0, 'The server does not see the end')
  served.clock.pass(31 * minute)
  assert.equal(await open.isOpen(), false)
})

test('sessions per key are limited: the longest idle one makes room unless all are in use', async () => {
  const key = await newKey()
  Object.assign(served.app.settings, { mcp_sessions_per_key: 3 })
  const first = await connect(key)
  const streams = [await first.get()]
  const second = await connect(key)
  served.clock.pass(1000)
  const third = await connect(key)
  served.clock.pass(1000)
  await second.isOpen()
  const fourth = await connect(key)
  assert.deepEqual(
    [await first.isOpen(), await second.isOpen(), await third.isOpen()],
    [true, true, false],
  )
  streams.push(await second.get(), await fourth.get())
  const refused = await initialize(key)
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('retry-after'), '60')
  assert.match((await errorOf(refused)).message, /3 sessions/)
  assert.equal((await initialize(await newKey())).status, 200)
  for (const stream of streams) await stream.body?.cancel()
  Object.assign(served.app.settings, { mcp_sessions_per_key: 100 })
})

test('sessions of a revoked key end within five seconds, with their streams and calls', async () => {
  const { key, id } = await served.keyFor(served.ann)
  const [client, other] = [await connect(key), await connect(key)]
  const stream = new EventReader(await client.get())
  const { ended } = slowCalls
  const call = await other.call('get_slow', { milliseconds: 60_000 })
  served.app.store.raw.write
    .prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ?')
    .run(served.clock.now(), id)
  await Promise.all([stream.rest(), call.text()])
  await until(() => slowCalls.ended === ended + 1)
  assert.equal((await client.send({ id: 1, method: 'ping' })).status, 401)
})

test('notifications/cancelled ends a call at once, whether it bypasses the SDK or not', async () => {
  const client = await connect()
  for (const wait of [0, 100]) {
    const { begun, ended } = slowCalls
    const answer = client
      .call('get_slow', { milliseconds: 60_000 }, { id: 5 })
      .then((response) => response.text())
    await until(() => slowCalls.begun === begun + 1)
    await pause(wait)
    assert.equal(
      (
        await client.send({
          method: 'notifications/cancelled',
          params: { requestId: 5, reason: 'no need' },
        })
      ).status,
      202,
    )
    assert.equal(slowCalls.ended, ended + 1, `after ${wait} ms`)
    await answer
  }
  await client.send({ method: 'notifications/cancelled', params: { requestId: 'unknown' } })
  assert.equal(await client.isOpen(), true)
  await client.delete()
})

test('a cancelled call cannot be resumed: an EventSource gets a 204', async () => {
  const client = await connect()
  const stream = new EventReader(await client.call('get_slow', { milliseconds: 60_000 }, { id: 5 }))
  const { id } = (await stream.next())!
  await client.send({ method: 'notifications/cancelled', params: { requestId: 5 } })
  assert.deepEqual(await stream.rest(), [])
  assert.equal((await client.get({ headers: { 'last-event-id': id! } })).status, 204)
  await client.delete()
})

test('a client that lost its stream gets the answer when it reconnects in time', async () => {
  const client = await connect()
  const controller = new AbortController()
  const { ended } = slowCalls
  const stream = new EventReader(
    await client.call('get_slow', { milliseconds: 600_000 }, { id: 8, signal: controller.signal }),
  )
  const opened = (await stream.next())!
  assert.deepEqual([opened.data, opened.retry], ['', '2000'])
  controller.abort()
  await pause(50)
  const resumed = new EventReader(await client.get({ headers: { 'last-event-id': opened.id! } }))
  await resumed.next() // the reconnection delay
  slowCalls.finishLast()
  const message = await resumed.next()
  assert.deepEqual([message!.json.id, message!.json.result.structuredContent], [8, { done: true }])
  assert.equal(await resumed.next(), undefined)
  const late = new EventReader(await client.get({ headers: { 'last-event-id': opened.id! } }))
  assert.equal((await late.message()).id, 8)
  assert.equal(slowCalls.ended, ended)
  await client.delete()
})

test('a client that reconnects before the loss is noticed takes over its stream', async () => {
  const client = await connect()
  const first = new EventReader(await client.call('get_slow', { milliseconds: 600_000 }, { id: 8 }))
  const { id } = (await first.next())!
  const second = new EventReader(await client.get({ headers: { 'last-event-id': id! } }))
  assert.deepEqual(await first.rest(), [])
  slowCalls.finishLast()
  assert.equal((await second.message()).id, 8)
  await client.delete()
})

/** Begins an endless call with the id `waitMs + 1` and abandons it, after `waitMs` milliseconds of waiting for its answer. */
async function abandon(client: Client, waitMs: number): Promise<void> {
  const { begun } = slowCalls
  const leave = new AbortController()
  const answer = client
    .call('get_slow', { milliseconds: 600_000 }, { id: waitMs + 1, signal: leave.signal })
    .then((response) => response.text())
    .catch(() => {})
  await until(() => slowCalls.begun === begun + 1)
  await pause(waitMs)
  leave.abort()
  await answer
}

test('an abandoned call goes on during the grace period', async () => {
  const client = await connect()
  const { ended } = slowCalls
  for (const waitMs of [0, 100]) {
    await abandon(client, waitMs)
    await pause(60)
    assert.equal(slowCalls.ended, ended, 'it goes on')
  }
  for (const requestId of [1, 101])
    await client.send({ method: 'notifications/cancelled', params: { requestId } })
  await until(() => slowCalls.ended === ended + 2)
  await client.delete()
})

test('an abandoned call ends after the grace period', async () => {
  const sharedServer = served
  served = await serveOddities(150)
  try {
    const client = await connect()
    for (const waitMs of [0, 100]) {
      const { ended } = slowCalls
      await abandon(client, waitMs)
      await until(() => slowCalls.ended === ended + 1)
    }
  } finally {
    await served.close()
    served = sharedServer
  }
})

test('without a session a disconnecting client ends its call at once', async () => {
  const versions = [
    {},
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'get_slow' },
  ]
  for (const headers of versions) {
    const { begun, ended } = slowCalls
    const leave = new AbortController()
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const params = {
      name: 'get_slow',
      arguments: { milliseconds: 60_000 },
      ...('mcp-method' in headers ? { _meta } : {}),
    }
    const answer = fetch(`${served.url}/mcp`, {
      method: 'POST',
      headers: {
        ...acceptBoth,
        authorization: `Bearer ${served.bearer}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      signal: leave.signal,
    }).catch(() => {})
    await until(() => slowCalls.begun === begun + 1)
    leave.abort()
    await answer
    await until(() => slowCalls.ended === ended + 1) // long before it would end by itself
  }
})

test('a session has one standalone stream, which opens at once and can be resumed', async () => {
  const client = await connect()
  const response = await client.get()
  assert.equal(response.headers.get('x-accel-buffering'), 'no')
  assert.equal(response.headers.get('content-type'), 'text/event-stream')
  const stream = new EventReader(response)
  assert.deepEqual(await stream.next(), { retry: '2000' })
  assert.equal((await client.get()).status, 409)
  await served.ann.call('create_project', { name: 'Own stream', key: 'OWN' })
  await new EventReader(
    await client.send({
      id: 1,
      method: 'resources/subscribe',
      params: { uri: 'workspace://projects/OWN' },
    }),
  ).message()
  await served.ann.call('update_project', { project_id: 'OWN', name: 'Renamed' })
  const received = (await stream.next())!
  assert.deepEqual(received.json, {
    jsonrpc: '2.0',
    method: 'notifications/resources/updated',
    params: { uri: 'workspace://projects/OWN' },
  })
  const again = new EventReader(await client.get({ headers: { 'last-event-id': received.id! } }))
  assert.equal(await stream.next(), undefined)
  await again.next()
  await served.ann.call('update_project', { project_id: 'OWN', name: 'Renamed again' })
  assert.equal((await again.message()).method, 'notifications/resources/updated')
  await client.delete()
  assert.equal(await again.next().then((event) => event?.json), undefined)
})

test('an expired event id is reported as such', async () => {
  const client = await connect()
  const got = await client.get({ headers: { 'last-event-id': '12345' } })
  assert.equal(got.status, 400)
  assert.match((await errorOf(got)).message, /no longer stored.*Send the request again/)
  await client.delete()
})

test('a deactivated person has no session any more', async () => {
  const dora = await served.person('Dora')
  const { key } = await served.keyFor(dora)
  const stream = new EventReader(await (await connect(key)).get())
  served.app.store.raw.write
    .prepare("UPDATE users SET status = 'deactivated' WHERE id = ?")
    .run(dora.id)
  assert.ok((await stream.rest()).every((event) => event.retry))
})
