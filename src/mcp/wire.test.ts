import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import { operation } from '../operations/operation.ts'
import type { Module } from '../operations/module.ts'
import { modules } from '../modules/index.ts'
import { serveWorkspace, type TestResponse, type ServedWorkspace } from '../testing/server.ts'

// Tests the wire format byte by byte, with requests as a client would write them by hand.

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
const oddities: Module = {
  name: 'oddities',
  about: 'For the tests of MCP.',
  operations: [hidden, buggy],
}

let served: ServedWorkspace
before(async () => {
  served = await serveWorkspace({
    modules: [...modules, oddities],
    settings: { api_origins: 'none' },
  })
})
after(() => served.close())

const acceptBoth = { accept: 'application/json, text/event-stream' }
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '1' },
}

/** A request of the current protocol. */
function modern(
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  const nameHeader = typeof params.name === 'string' ? { 'mcp-name': params.name } : {}
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method,
    params: { ...params, _meta: { ...envelope, ...(params._meta as object) } },
  }
  return served.ask('POST', '/mcp', {
    headers: {
      ...acceptBoth,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...nameHeader,
      ...headers,
    },
    body,
  })
}

/** A request of the older protocols. */
function legacy(
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string> = acceptBoth,
): Promise<TestResponse> {
  return served.ask('POST', '/mcp', {
    headers,
    body: { jsonrpc: '2.0', id: 'a-1', method, params },
  })
}

/** The message in an event stream. */
function eventIn(text: string): any {
  return JSON.parse(/^data: (\{.*)$/m.exec(text)![1]!)
}

test('current protocol: discovery without a handshake', async () => {
  const got = await modern('server/discover')
  assert.equal(got.status, 200)
  assert.deepEqual(got.json.result.supportedVersions, ['2026-07-28'])
  assert.deepEqual(got.json.result.capabilities, {
    tools: {},
    resources: { subscribe: true },
    prompts: {},
    completions: {},
    extensions: {
      'io.modelcontextprotocol/skills': {},
      'io.modelcontextprotocol/tasks': {},
      'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] },
    },
  })
  assert.equal(got.json.result.cacheScope, 'private')
  assert.match(got.json.result.instructions, /labels/)
})

test('current protocol: a list and a call are plain JSON with the required result fields', async () => {
  const list = await modern('tools/list')
  assert.equal(list.headers.get('content-type'), 'application/json')
  assert.equal(list.json.id, 1)
  const { resultType, ttlMs, cacheScope, _meta } = list.json.result
  assert.deepEqual({ resultType, cacheScope }, { resultType: 'complete', cacheScope: 'private' })
  assert.ok(ttlMs > 0)
  assert.equal(_meta['io.modelcontextprotocol/serverInfo'].name, 'workspace')
  const call = await modern('tools/call', { name: 'list_labels', arguments: {} })
  assert.equal(call.status, 200)
  assert.equal(call.headers.get('content-type'), 'application/json')
  assert.equal(call.headers.get('x-accel-buffering'), 'no')
  assert.equal(call.json.result.resultType, 'complete')
  assert.match(call.json.result._meta['workspace/call_id'], /^clg_/)
})

test('current protocol: headers and body must match', async () => {
  assert.equal(
    (await modern('tools/list', {}, { 'mcp-method': 'tools/call' })).json.error.code,
    -32020,
  )
  assert.equal(
    (await modern('tools/list', {}, { 'mcp-protocol-version': '2025-11-25' })).json.error.code,
    -32020,
  )
  assert.equal(
    (
      await modern(
        'tools/call',
        { name: 'list_labels', arguments: {} },
        { 'mcp-name': 'create_label' },
      )
    ).json.error.code,
    -32020,
  )
  const unknown = await modern(
    'tools/list',
    { _meta: { 'io.modelcontextprotocol/protocolVersion': '2030-01-01' } },
    { 'mcp-protocol-version': '2030-01-01' },
  )
  assert.equal(unknown.status, 400)
  assert.equal(unknown.json.error.code, -32022)
  const method = await modern('no/such/method')
  assert.equal(method.status, 404)
  assert.equal(method.json.error.code, -32601)
})

test('current protocol: every kind of error has its status and code', async () => {
  const labels = { name: 'list_labels', arguments: {} }
  const without = (name: string) => ({ _meta: { [name]: undefined } })
  const wrong: [string, Promise<TestResponse>, number, number][] = [
    ['no Mcp-Method', modern('tools/list', {}, { 'mcp-method': '' }), 400, -32020],
    ['no Mcp-Name', modern('tools/call', labels, { 'mcp-name': '' }), 400, -32020],
    [
      'another resource in Mcp-Name',
      modern(
        'resources/read',
        { uri: 'workspace://tasks/1' },
        { 'mcp-name': 'workspace://tasks/2' },
      ),
      400,
      -32020,
    ],
    [
      'no version in the body',
      modern('tools/list', without('io.modelcontextprotocol/protocolVersion')),
      400,
      -32602,
    ],
    [
      'no capabilities',
      modern('tools/list', without('io.modelcontextprotocol/clientCapabilities')),
      400,
      -32602,
    ],
    ['an unknown tool', modern('tools/call', { name: 'no_such', arguments: {} }), 200, -32602],
    ['an unknown prompt', modern('prompts/get', { name: 'no_such' }), 200, -32602],
    [
      'an unknown resource',
      modern(
        'resources/read',
        { uri: 'workspace://tasks/ENG-1' },
        { 'mcp-name': 'workspace://tasks/ENG-1' },
      ),
      200,
      -32602,
    ],
    ['parameters of the wrong shape', modern('completion/complete', { ref: 5 }), 200, -32602],
    ...['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'no/such'].map(
      (method): [string, Promise<TestResponse>, number, number] => [
        method,
        modern(method),
        404,
        -32601,
      ],
    ),
  ]
  for (const [label, got, status, code] of wrong) {
    const { json, ...answer } = await got
    assert.deepEqual(
      [answer.status, json.error.code, answer.headers.get('content-type')],
      [status, code, 'application/json'],
      label,
    )
    assert.doesNotMatch(answer.text, /\\n|"expected"/, label)
  }
})

test('current protocol: the Accept header and an old session id are ignored', async () => {
  for (const headers of [
    { accept: 'text/html' },
    { accept: 'application/json' },
    { 'mcp-session-id': 'of long ago' },
  ]) {
    for (const method of ['server/discover', 'tools/list'])
      assert.equal((await modern(method, {}, headers as Record<string, string>)).status, 200)
  }
  const notified = await served.ask('POST', '/mcp', {
    headers: {
      ...acceptBoth,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'notifications/cancelled',
    },
    body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
  })
  assert.deepEqual([notified.status, notified.text], [202, ''])
})

test('older protocols: every kind of error has its status and code', async () => {
  const wrong: [string, Promise<TestResponse>, number, number][] = [
    ['an unknown method', legacy('no/such'), 200, -32601],
    ['a method of the current protocol', legacy('server/discover'), 200, -32601],
    ['an unknown tool', legacy('tools/call', { name: 'no_such', arguments: {} }), 200, -32602],
    [
      'an unknown resource',
      legacy('resources/read', { uri: 'workspace://tasks/ENG-1' }),
      200,
      -32602,
    ],
    ['parameters of the wrong shape', legacy('resources/read', { uri: 5 }), 200, -32602],
    ['a handshake of the wrong shape', legacy('initialize', {}), 200, -32602],
    [
      'a stream accepted, but no JSON',
      legacy('ping', {}, { accept: 'text/event-stream' }),
      406,
      -32000,
    ],
    [
      'an unknown version',
      legacy('ping', {}, { ...acceptBoth, 'mcp-protocol-version': '1999-01-01' }),
      400,
      -32000,
    ],
    [
      'an unknown session',
      legacy('ping', {}, { ...acceptBoth, 'mcp-session-id': 'of long ago' }),
      404,
      -32600,
    ],
  ]
  for (const [label, sent, status, code] of wrong) {
    const got = await sent
    assert.deepEqual(
      [got.status, (got.json ?? eventIn(got.text)).error.code],
      [status, code],
      label,
    )
    assert.doesNotMatch(got.text, /\\n|"expected"/, label)
  }
})

test('both: an id must be a string or a number, and foreign origins and hosts are refused', async () => {
  for (const id of [null, {}, 1.5, true])
    assert.equal(
      (
        await served.ask('POST', '/mcp', {
          headers: acceptBoth,
          body: { jsonrpc: '2.0', id, method: 'ping' },
        })
      ).status,
      400,
    )
  for (const path of ['/mcp', '/sse', '/messages']) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const foreign = await served.ask(method, path, {
        headers: { origin: 'https://elsewhere.test' },
      })
      assert.deepEqual([foreign.status, foreign.json.error.data.code], [403, 'permission_denied'])
      assert.match(
        await served.wire(
          `${method} ${path} HTTP/1.1\r\nHost: elsewhere.test\r\nContent-Length: 0\r\n\r\n`,
        ),
        /^HTTP\/1.1 421 /,
      )
      const keyless = await served.ask(method, path, { key: undefined })
      assert.deepEqual([keyless.status, keyless.headers.has('www-authenticate')], [401, true])
    }
  }
})

test('older protocols: a handshake in every version, and calls without a session', async () => {
  for (const protocolVersion of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    const got = await legacy('initialize', {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: 'wire', version: '1' },
    })
    const { result } = eventIn(got.text)
    assert.equal(result.protocolVersion, protocolVersion)
    assert.match(got.headers.get('mcp-session-id')!, /^[\w-]{32}$/)
  }
  const initialized = await served.ask('POST', '/mcp', {
    headers: acceptBoth,
    body: { jsonrpc: '2.0', method: 'notifications/initialized' },
  })
  assert.equal(initialized.status, 202)
  assert.equal(initialized.text, '')
  const call = await legacy('tools/call', { name: 'list_labels', arguments: {} })
  assert.equal(call.headers.get('content-type'), 'text/event-stream')
  assert.equal(eventIn(call.text).id, 'a-1')
  assert.deepEqual(eventIn((await legacy('ping')).text).result, {})
})

test('older protocols: a client that accepts no event stream gets plain JSON', async () => {
  for (const headers of [{ accept: 'application/json' }, { accept: '*/*' }, {}] as Record<
    string,
    string
  >[]) {
    for (const [method, params] of [
      ['tools/list', {}],
      ['tools/call', { name: 'list_labels', arguments: {} }],
      ['ping', {}],
    ] as const) {
      const got = await legacy(method, params, headers)
      assert.equal(got.status, 200, `${method} ${headers.accept}`)
      assert.equal(
        got.headers.get('content-type'),
        'application/json',
        `${method} ${headers.accept}`,
      )
      assert.equal(got.json.id, 'a-1')
      assert.ok(got.json.result)
    }
  }
})

test('a list has the same bytes each time except for the id, compressed or not', async () => {
  for (const send of [modern, legacy]) {
    const texts = new Set<string>()
    for (const encoding of ['identity', 'gzip', 'identity', 'gzip'])
      texts.add((await send('tools/list', {}, { ...acceptBoth, 'accept-encoding': encoding })).text)
    assert.equal(texts.size, 1)
    const [text] = texts
    const other = await served.ask('POST', '/mcp', {
      headers: { ...acceptBoth, 'accept-encoding': 'gzip' },
      body: { jsonrpc: '2.0', id: 'é"\\', method: 'tools/list' },
    })
    assert.equal(other.headers.get('content-encoding'), 'gzip')
    assert.equal(other.json.id, 'é"\\')
    if (send === legacy) assert.deepEqual(other.json.result, JSON.parse(text!).result)
  }
})

test('a list request that is not quite valid is left to the SDK', async () => {
  assert.equal((await modern('tools/list', {}, { 'mcp-method': '' })).status, 400)
  const cursor = await modern('tools/list', { cursor: 'x' })
  assert.equal(cursor.status, 200)
  assert.ok(cursor.json.result.tools.length > 0)
  const future = await legacy(
    'tools/list',
    {},
    { ...acceptBoth, 'mcp-protocol-version': '1999-01-01' },
  )
  assert.equal(future.status, 400)
  assert.equal(
    (
      await served.ask('POST', '/mcp', {
        headers: acceptBoth,
        body: { jsonrpc: '1.0', id: 1, method: 'tools/list' },
      })
    ).status,
    400,
  )
})

test('only POST is accepted, one message at a time, as strictly as over REST', async () => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const got = await served.ask(method, '/mcp')
    assert.equal(got.status, 405, method)
    assert.equal(got.headers.get('allow'), 'POST, OPTIONS')
    assert.ok(got.json.error, method)
  }
  const refused: [unknown, number, number][] = [
    ['[]', 400, -32600],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400, -32600],
    ['{', 400, -32700],
    ['', 400, -32600],
    ['{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 400, -32600],
    [
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_labels","arguments":{"limit":1,"limit":2}}}`,
      400,
      -32600,
    ],
    [`{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(100_000)}`, 400, -32600],
    [Buffer.from([0x7b, 0xff, 0x7d]), 400, -32700],
    ['x'.repeat(2 ** 21), 413, -32600],
    ['null', 400, -32600],
    ['1', 400, -32600],
  ]
  for (const [body, status, code] of refused) {
    const got = await served.ask('POST', '/mcp', {
      headers: { ...acceptBoth, 'content-type': 'application/json' },
      body,
    })
    assert.equal(got.status, status, String(body).slice(0, 60))
    assert.equal(got.json.error.code, code, String(body).slice(0, 60))
  }
  assert.equal(
    (
      await served.ask('POST', '/mcp', {
        headers: { ...acceptBoth, 'content-type': 'text/plain' },
        body: '{}',
      })
    ).status,
    415,
  )
})

test('REST-only operations are not tools', async () => {
  const listed = (await modern('tools/list')).json.result.tools.map(
    (tool: { name: string }) => tool.name,
  )
  assert.ok(!listed.includes('download_hidden'))
  assert.equal(
    (await modern('tools/call', { name: 'download_hidden', arguments: {} })).json.error.code,
    -32602,
  )
})

test('an internal error exposes only a reference', async (t) => {
  t.mock.method(console, 'error', () => {})
  for (const got of [
    await modern('tools/call', { name: 'get_bug', arguments: {} }),
    await legacy('tools/call', { name: 'get_bug', arguments: {} }, {}),
  ]) {
    assert.equal(got.json.result.isError, true)
    assert.equal(got.json.result.structuredContent.code, 'internal')
    assert.doesNotMatch(got.text, /secret|stack|\.ts/)
  }
})

test('arguments and meta of the wrong type are refused with a reason, not an internal error', async () => {
  for (const args of [[], 'x', 5]) {
    const got = await modern('tools/call', { name: 'list_labels', arguments: args })
    assert.ok(got.status < 500)
    assert.equal(got.json.error?.code, -32602)
  }
  const key = await modern('tools/call', {
    name: 'create_label',
    arguments: { name: 'x' },
    _meta: { idempotencyKey: 5 },
  })
  assert.equal(key.json.result.structuredContent.field, '_meta.idempotencyKey')
})

test('a call of a nonexistent tool is logged too', async () => {
  await modern('tools/call', { name: 'never_heard_of', arguments: {} })
  const row = served.app.store.raw.read
    .prepare("SELECT status, error_code FROM calls WHERE tool = 'never_heard_of'")
    .get()
  assert.deepEqual(row, { status: 'error', error_code: 'not_found' })
})

test('a refusal before the protocol layer carries the message id if readable', async () => {
  const refused = async (body: unknown) =>
    (await served.ask('POST', '/mcp?preset=nonsense', { headers: acceptBoth, body })).json
  const { id, error } = await refused({ jsonrpc: '2.0', id: 'a-7', method: 'tools/list' })
  assert.deepEqual([id, error.code, error.data.code], ['a-7', -32600, 'invalid_argument'])
  assert.equal((await refused({ jsonrpc: '2.0', id: {}, method: 'tools/list' })).id, null)
  assert.equal((await refused('{')).id, null)
})

test('null for an optional member of a message is the same as omitting it', async () => {
  const messages = [
    { method: 'tools/call', params: { name: 'get_me', arguments: null } },
    { method: 'tools/call', params: { name: 'get_me', arguments: {}, _meta: null } },
    { method: 'tools/call', params: { name: 'get_me', _meta: { progressToken: null } } },
    { method: 'tools/list', params: null },
    { method: 'tools/list', params: { cursor: null } },
    { method: 'ping', params: null },
  ]
  for (const message of messages) {
    const answer = await served.ask('POST', '/mcp', {
      headers: acceptBoth,
      body: { jsonrpc: '2.0', id: 7, ...message },
    })
    assert.equal(answer.status, 200, answer.text)
    const text = answer.text.startsWith('{')
      ? answer.text
      : /^data: (\{.*)$/m.exec(answer.text)?.[1]
    const { id, result, error } = JSON.parse(text ?? '')
    assert.deepEqual([id, error, typeof result], [7, undefined, 'object'], JSON.stringify(message))
  }
  const { json } = await modern('tools/call', { name: 'get_me', arguments: null })
  assert.equal(json.error, undefined)
})
