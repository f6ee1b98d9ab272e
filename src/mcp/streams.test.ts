import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { after, afterEach, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { serve } from 'srvx'
import { limits } from '../http/transport/timeouts.ts'
import { WebApp } from '../http/web-app.ts'
import { EventReader } from '../testing/events.ts'
import type { Someone } from '../testing/harness.ts'
import { testLimitMs, untilTrue } from '../testing/limits.ts'
import { serveWorkspace, type ServedWorkspace } from '../testing/server.ts'

// Tests of open streams: subscriptions of the current protocol and of sessions, and their shutdown.

let served: ServedWorkspace
let uri: string
before(async () => {
  served = await serveWorkspace()
  await served.ann.call('create_project', {
    name: 'Engine',
    key: 'ENG',
    member_ids: [served.bob.id],
  })
  await served.ann.call('create_task', { project_id: 'ENG', title: 'Oil the valves' })
  uri = 'workspace://tasks/ENG-1'
})
after(() => served.close())
// The server sees the end of a stream later than the client does; the next test counts streams.
afterEach(() => untilTrue(() => served.app.live.streams === 0, 'A stream stays open'))

const subscriptionId = 'io.modelcontextprotocol/subscriptionId'
let changes = 0
const change = () =>
  served.ann.call('update_task', { task_id: 'ENG-1', title: `Oil the valves ${changes++}` })

async function listen(
  key: string,
  notifications: unknown = { resourceSubscriptions: [uri] },
  baseUrl = served.url,
): Promise<Response> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return fetch(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 'sub-1',
      method: 'subscriptions/listen',
      params: { notifications, _meta },
    }),
  })
}

/** A session of the newest protocol with sessions, and a function that opens its own stream. */
async function startSession(
  server = served,
): Promise<{ headers: Record<string, string>; get: () => Promise<Response> }> {
  const headers = {
    authorization: `Bearer ${server.bearer}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  }
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  }
  const initialized = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  })
  await initialized.text()
  const sessionHeaders = {
    'mcp-session-id': initialized.headers.get('mcp-session-id')!,
    'mcp-protocol-version': '2025-11-25',
  }
  return {
    headers,
    get: () => fetch(`${server.url}/mcp`, { headers: { ...headers, ...sessionHeaders } }),
  }
}

/** An open, acknowledged stream. */
async function acknowledgedStream(key: string): Promise<EventReader> {
  const stream = new EventReader(await listen(key))
  assert.deepEqual((await stream.next())!.json, {
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: {
      notifications: { resourceSubscriptions: [uri] },
      _meta: { [subscriptionId]: 'sub-1' },
    },
  })
  return stream
}

async function keyOf(who: Someone): Promise<string> {
  return (await served.keyFor(who)).key
}

const updated = { jsonrpc: '2.0', method: 'notifications/resources/updated' }

test('a listener is notified of the requested resources under its request id', async () => {
  const response = await listen(served.bearer)
  assert.equal(response.headers.get('x-accel-buffering'), 'no')
  const stream = new EventReader(response)
  await stream.next()
  await change()
  assert.deepEqual((await stream.next())!.json, {
    ...updated,
    params: { uri, _meta: { [subscriptionId]: 'sub-1' } },
  })
  await stream.cancel()
})

test('two people listening to the same resource each get only what they may see', async () => {
  const [anns, bobs] = [
    await acknowledgedStream(served.bearer),
    await acknowledgedStream(await keyOf(served.bob)),
  ]
  await change()
  assert.equal((await anns.message()).params.uri, uri)
  assert.equal((await bobs.message()).params.uri, uri)
  await served.ann.call('remove_project_member', { project_id: 'ENG', person_id: served.bob.id })
  await change()
  assert.equal((await anns.message()).params.uri, uri)
  await assert.rejects(bobs.next(150), /Nothing came/)
  for (const stream of [anns, bobs]) await stream.cancel()
})

test('invisible, missing and invalid resources cannot be listened to', async () => {
  const carols = await keyOf(served.carol)
  const refusals: { code: number; message: string }[] = []
  for (const name of [uri, 'workspace://tasks/ENG-99', 'https://elsewhere.test/']) {
    const response = await listen(carols, { resourceSubscriptions: [name] })
    assert.equal(response.headers.get('content-type'), 'application/json')
    const { id, error } = (await response.json()) as {
      id: string
      error: { code: number; message: string }
    }
    assert.deepEqual([id, error.code], ['sub-1', -32602])
    refusals.push(error)
  }
  assert.equal(refusals[0]!.message.replace('ENG-1', 'ENG-99'), refusals[1]!.message)
  const listStream = new EventReader(await listen(carols, { toolsListChanged: true }))
  assert.deepEqual((await listStream.message()).params.notifications, {}, 'no list ever changes')
  assert.equal((await listStream.message()).result.resultType, 'complete')
  assert.equal(
    ((await (await listen(carols, 5)).json()) as { error: { code: number } }).error.code,
    -32602,
  )
})

test('open streams per key are limited', async () => {
  const key = await keyOf(served.ann)
  const open: EventReader[] = []
  const { streams } = served.app.live
  const maxStreams = served.app.settings.mcp_streams_per_key
  for (let i = 0; i < maxStreams; i++) open.push(await acknowledgedStream(key))
  const refused = await listen(key)
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  for (const stream of open) await stream.cancel()
  await untilTrue(() => served.app.live.streams === streams, 'The server keeps cancelled streams')
  await (await acknowledgedStream(key)).cancel()
})

test('the stream of a revoked key ends within five seconds with a completion message', async () => {
  const { key, id } = await served.keyFor(served.ann)
  const stream = await acknowledgedStream(key)
  served.app.store.raw.write
    .prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ?')
    .run(served.clock.now(), id)
  const [last, ...more] = await stream.rest()
  assert.deepEqual(
    [last!.json.id, last!.json.result.resultType, last!.json.result._meta[subscriptionId], more],
    ['sub-1', 'complete', 'sub-1', []],
  )
})

test('the current client listens through its own methods', async () => {
  const client = new Client(
    { name: 'tests', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  )
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${served.bearer}` } },
    }),
  )
  const received = new Promise<string>((resolve) =>
    client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
      resolve(params.uri),
    ),
  )
  const subscription = await client.listen({ resourceSubscriptions: [uri] })
  await change()
  assert.equal(await received, uri)
  await subscription.close()
  await client.close()
})

for (const [name, connect] of [
  ['of the first generation', oldClient],
  ['of the current version, in an older protocol,', legacyClient],
] as const) {
  test(`the client ${name} subscribes in its session and unsubscribes`, async () => {
    const { streams } = served.app.live
    const { client, received } = await connect()
    await client.subscribeResource({ uri })
    await change()
    await untilTrue(() => received.length > 0, 'No event of the change')
    await client.unsubscribeResource({ uri })
    await change()
    await client.subscribeResource({ uri })
    await change()
    await untilTrue(() => received.length > 1, 'No event after subscribing again')
    assert.deepEqual(received, [uri, uri])
    await assert.rejects(
      client.subscribeResource({ uri: 'workspace://tasks/ENG-99' }),
      (error: { code?: number }) => error.code === -32002 || error.code === -32602,
    )
    await client.close()
    await untilTrue(() => served.app.live.streams === streams, 'The session keeps its stream')
  })
}

interface Subscriber {
  subscribeResource(params: { uri: string }): Promise<unknown>
  unsubscribeResource(params: { uri: string }): Promise<unknown>
  close(): Promise<void>
}

const withKey = () => ({ requestInit: { headers: { authorization: `Bearer ${served.bearer}` } } })

/** Resolves when one more stream is open: clients open that of their session in the background. */
function streamOpened(): Promise<void> {
  const { streams } = served.app.live
  return untilTrue(() => served.app.live.streams > streams, 'The session has no stream')
}

async function oldClient(): Promise<{ client: Subscriber; received: string[] }> {
  const client = new OldClient({ name: 'tests', version: '1' })
  const received: string[] = []
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void received.push(params.uri),
  )
  const opened = streamOpened()
  await client.connect(new OldTransport(new URL(`${served.url}/mcp`), withKey()) as never)
  await opened
  return { client, received }
}

async function legacyClient(): Promise<{ client: Subscriber; received: string[] }> {
  const client = new Client(
    { name: 'tests', version: '1' },
    { versionNegotiation: { mode: 'legacy' } },
  )
  const received: string[] = []
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void received.push(params.uri),
  )
  const opened = streamOpened()
  await client.connect(new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`), withKey()))
  await opened
  return { client, received }
}

test('subscribing without a session is refused with a remedy', async () => {
  const got = await served.ask('POST', '/mcp', {
    headers: { accept: 'application/json' },
    body: { jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri } },
  })
  assert.equal(got.json.error.code, -32600)
  assert.match(got.json.error.message, /Mcp-Session-Id/)
})

test('every idle stream gets keepalive comments', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { headers, get } = await startSession()
  const streams = [
    new EventReader(await get()),
    new EventReader(await fetch(`${served.url}/sse`, { headers })),
    await acknowledgedStream(served.bearer),
  ]
  t.mock.timers.tick(15_000)
  for (const stream of streams) {
    await stream.comment(/keepalive/)
    await stream.cancel()
  }
})

test('the limits for slow clients end no stream', async () => {
  const web = new WebApp(served.app, { host: '127.0.0.1' })
  const node = { ...limits, connectionsCheckingInterval: 20 }
  const server = serve({
    fetch: web.fetch,
    hostname: '127.0.0.1',
    port: 0,
    silent: true,
    gracefulShutdown: false,
    node,
  })
  await server.ready()
  const stream = new EventReader(
    await listen(served.bearer, undefined, server.url!.replace(/\/$/, '')),
  )
  await stream.next()
  Object.assign(server.node!.server as Server, {
    headersTimeout: 100,
    requestTimeout: 100,
    keepAliveTimeout: 50,
  })
  const partial = connect(Number(new URL(server.url!).port), '127.0.0.1')
  partial.resume().write('GET / HTTP/1.1\r\n')
  await once(partial, 'close') // the limits have been enforced
  await change()
  assert.equal((await stream.message()).params.uri, uri)
  await web.endStreams()
  assert.equal((await stream.message()).result.resultType, 'complete')
  await server.close(true)
})

test('on shutdown everything open ends cleanly and quickly', async () => {
  const other = await serveWorkspace()
  const { headers, get } = await startSession(other)
  const sessionStream = new EventReader(await get())
  const sse = new EventReader(await fetch(`${other.url}/sse`, { headers }))
  const subscription = new EventReader(
    await listen(other.bearer, { resourceSubscriptions: ['workspace://people/me'] }, other.url),
  )
  for (const stream of [sessionStream, sse, subscription]) await stream.next()
  const closed = other.server.close(testLimitMs) // a stream that stayed open would hold it up for the whole grace period
  assert.deepEqual(await sessionStream.rest(), [{ retry: '2000' }])
  assert.deepEqual(await sse.rest(), [])
  assert.equal((await subscription.rest()).at(-1)!.json.result.resultType, 'complete')
  await closed
  await other.close()
})
