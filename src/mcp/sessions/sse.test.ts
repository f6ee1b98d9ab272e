import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { operation } from '../../operations/operation.ts'
import type { Module } from '../../operations/module.ts'
import { modules } from '../../modules/index.ts'
import { EventReader } from '../../testing/events.ts'
import { untilTrue } from '../../testing/limits.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'

// HTTP+SSE of 2024-11-05: with the official client of that version, and at wire level.

let begunCount = 0
let ended = 0
const slow = operation({
  name: 'get_slow',
  kind: 'read',
  rest: 'GET /api/slow',
  about: 'Takes its time',
  output: z.object({}),
  handle: async (_, ctx) => {
    begunCount++
    return pause(60_000, {}, { signal: ctx.signal! }).catch(() => {
      ended++
      return {}
    })
  },
})
const oddities: Module = { name: 'oddities', about: 'For the tests of MCP.', operations: [slow] }

let served: ServedWorkspace
before(async () => {
  served = await serveWorkspace({
    modules: [...modules, oddities],
    settings: { api_origins: 'none' },
  })
})
after(() => served.close())

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

async function connect(path = '/sse', key = served.bearer): Promise<Client> {
  const client = new Client({ name: 'old-timer', version: '0.1' })
  await client.connect(
    new SSEClientTransport(new URL(served.url + path), {
      requestInit: { headers: bearer(key) },
    }) as never,
  )
  return client
}

/** Opens a stream by hand, and returns the address for messages. */
async function open(
  key = served.bearer,
): Promise<{ stream: EventReader; endpoint: string; response: Response }> {
  const response = await fetch(`${served.url}/sse`, {
    headers: { accept: 'text/event-stream', ...bearer(key) },
  })
  const stream = new EventReader(response)
  const { event, data } = (await stream.next())!
  assert.equal(event, 'endpoint')
  return { stream, endpoint: data!, response }
}

function post(
  endpoint: string,
  body: unknown,
  key: string | undefined = served.bearer,
  headers: Record<string, string> = {},
) {
  return served.ask('POST', endpoint, { key, body, headers })
}

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

test('the official client of that time lists and calls tools, and reads and subscribes to resources', async () => {
  const client = await connect()
  const { tools } = await client.listTools()
  assert.ok(tools.some((tool) => tool.name === 'create_label'))
  const project = await client.callTool({
    name: 'create_project',
    arguments: { name: 'Over SSE', key: 'SSE' },
  })
  assert.equal((project.structuredContent as { key: string }).key, 'SSE')
  const uri = 'workspace://projects/SSE'
  assert.match(JSON.stringify((await client.readResource({ uri })).contents), /Over SSE/)
  const received = new Promise<string>((resolve) =>
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
      resolve(params.uri),
    ),
  )
  await client.subscribeResource({ uri })
  await client.callTool({
    name: 'update_project',
    arguments: { project_id: 'SSE', name: 'Renamed' },
  })
  assert.equal(await received, uri)
  const { details_json } = served.app.store.raw.read
    .prepare("SELECT details_json FROM calls WHERE tool = 'create_project' ORDER BY seq DESC")
    .get() as { details_json: string }
  assert.deepEqual((JSON.parse(details_json) as { client: unknown }).client, {
    name: 'old-timer',
    version: '0.1',
  })
  await assert.rejects(
    client.callTool({ name: 'no_such_tool', arguments: {} }),
    (error: { code?: number }) => error.code === -32602,
  )
  await client.close()
})

test('a selection in the stream address applies to its messages', async () => {
  const client = await connect('/sse?toolsets=labels&readonly=1')
  assert.deepEqual(
    (await client.listTools()).tools.map((tool) => tool.name),
    ['list_labels'],
  )
  const refused = (await client.callTool({
    name: 'create_label',
    arguments: { name: 'never' },
  })) as { isError?: boolean }
  assert.equal(refused.isError, true)
  await client.close()
  assert.equal(
    (
      await served.ask('GET', '/sse?toolsets=nothing_of_that_name', {
        headers: { accept: 'text/event-stream' },
      })
    ).status,
    400,
  )
})

test('the stream starts with the message endpoint, which responds with 202', async () => {
  const { stream, endpoint, response } = await open()
  assert.match(endpoint, /^\/messages\?sessionId=[\w-]{32}$/)
  assert.equal(response.headers.get('x-accel-buffering'), 'no')
  const accepted = await post(endpoint, ping)
  assert.deepEqual([accepted.status, accepted.text], [202, ''])
  assert.deepEqual((await stream.next())!.json, { jsonrpc: '2.0', id: 1, result: {} })
})

test('a stream belongs to one key', async () => {
  const { endpoint } = await open()
  const { key: another } = await served.keyFor(served.ann)
  const { key: bobs } = await served.keyFor(served.bob)
  for (const key of [another, bobs]) assert.equal((await post(endpoint, ping, key)).status, 404)
  assert.equal((await served.ask('POST', endpoint, { key: undefined, body: ping })).status, 401)
  for (const path of ['/messages', '/messages?sessionId=', '/messages?sessionId=unknown'])
    assert.equal((await post(path, ping)).status, 404)
  const session = /sessionId=(.*)/.exec(endpoint)![1]!
  assert.equal(
    (
      await post('/mcp', ping, served.bearer, {
        accept: 'application/json, text/event-stream',
        'mcp-session-id': session,
      })
    ).status,
    404,
  )
})

test('an invalid message is refused in the response to its POST', async () => {
  const { endpoint } = await open()
  const refused: [unknown, number, number][] = [
    ['{', 400, -32700],
    ['[]', 400, -32600],
    [{ id: 1 }, 400, -32600],
    ['', 400, -32600],
    ['x'.repeat(2 ** 21), 413, -32600],
  ]
  for (const [body, status, code] of refused) {
    const got = await post(endpoint, body, served.bearer, { 'content-type': 'application/json' })
    assert.deepEqual([got.status, got.json.error.code], [status, code], String(body).slice(0, 40))
  }
  assert.equal(
    (await post(endpoint, '{}', served.bearer, { 'content-type': 'text/plain' })).status,
    415,
  )
})

test('methods, types, hosts and origins are checked as at /mcp', async () => {
  for (const [method, path, allow] of [
    ['POST', '/sse', 'GET, OPTIONS'],
    ['DELETE', '/sse', 'GET, OPTIONS'],
    ['GET', '/messages', 'POST, OPTIONS'],
    ['PUT', '/messages', 'POST, OPTIONS'],
  ] as const) {
    const got = await served.ask(method, path)
    assert.deepEqual([got.status, got.headers.get('allow')], [405, allow], `${method} ${path}`)
  }
  for (const path of ['/sse', '/messages'])
    assert.equal((await served.ask('OPTIONS', path)).status, 204)
  assert.equal(
    (await served.ask('GET', '/sse', { headers: { accept: 'application/json' } })).status,
    406,
  )
  assert.equal((await served.ask('GET', '/sse', { key: undefined })).status, 401)
  assert.equal(
    (await served.ask('GET', '/sse', { headers: { origin: 'https://elsewhere.test' } })).status,
    403,
  )
  assert.equal(
    (await post('/messages?sessionId=x', ping, served.bearer, { origin: 'https://elsewhere.test' }))
      .status,
    403,
  )
  assert.match(
    await served.wire(
      `GET /sse HTTP/1.1\r\nHost: elsewhere.test\r\nAuthorization: Bearer ${served.bearer}\r\n\r\n`,
    ),
    /^HTTP\/1.1 421 /,
  )
})

test('a call ends when it is cancelled or its stream closes', async () => {
  const { stream, endpoint } = await open()
  const call = (id: number) =>
    post(endpoint, {
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'get_slow', arguments: {} },
    })
  await call(5)
  await untilTrue(() => begunCount === 1, 'The call does not begin')
  await post(endpoint, {
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: 5 },
  })
  await untilTrue(() => ended === 1, 'The call does not end')
  await call(6)
  await untilTrue(() => begunCount === 2, 'The call does not begin')
  await stream.cancel()
  await untilTrue(() => ended === 2, 'The call does not end')
  await untilTrue(
    async () => (await post(endpoint, ping)).status === 404,
    'The session does not end',
  )
})

test('streams count towards the sessions of a key', async () => {
  const { key } = await served.keyFor(served.ann)
  Object.assign(served.app.settings, { mcp_sessions_per_key: 2 })
  const streams = [await open(key), await open(key)]
  const refused = await served.ask('GET', '/sse', { key, headers: { accept: 'text/event-stream' } })
  assert.equal(refused.status, 429)
  assert.match(refused.json.error.message, /2 sessions/)
  for (const { stream } of streams) await stream.cancel()
  Object.assign(served.app.settings, { mcp_sessions_per_key: 100 })
})

test('the stream of a revoked key ends within five seconds', async () => {
  const { key, id } = await served.keyFor(served.ann)
  const { stream, endpoint } = await open(key)
  served.app.store.raw.write
    .prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ?')
    .run(served.clock.now(), id)
  assert.deepEqual(await stream.rest(), [])
  assert.equal((await post(endpoint, ping, key)).status, 401)
})
