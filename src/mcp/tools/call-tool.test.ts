import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { z } from 'zod'
import { operation } from '../../operations/operation.ts'
import type { Module } from '../../operations/module.ts'
import { modules } from '../../modules/index.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'

const walk = operation({
  name: 'walk_slowly',
  kind: 'read',
  rest: 'GET /api/walks',
  about: 'Tells how far it is',
  reportsProgress: true,
  output: z.object({ arrived: z.boolean() }),
  handle: async (_, { progress }) => {
    progress(1, 3, 'one step')
    return { arrived: true }
  },
})
const slowly: Module = { name: 'slowly', about: 'For the tests of call_tool.', operations: [walk] }

let served: ServedWorkspace
const clients: TestClient[] = []
before(async () => {
  served = await serveWorkspace({ modules: [...modules, slowly] })
})
after(async () => {
  for (const client of clients) await client.close()
  await served.close()
})

type TestClient = Pick<OldClient, 'listTools' | 'callTool' | 'close'>

async function connect(
  query: string,
  generation: 'first' | 'second' = 'second',
  key = served.bearer,
): Promise<TestClient> {
  const options = { requestInit: { headers: { authorization: `Bearer ${key}` } } }
  const url = new URL(`${served.url}/mcp?${query}`)
  const client =
    generation === 'first'
      ? new OldClient({ name: 'old', version: '1' })
      : new Client({ name: 'new', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(
    (generation === 'first'
      ? new OldTransport(url, options)
      : new StreamableHTTPClientTransport(url, options)) as never,
  )
  clients.push(client as unknown as TestClient)
  return client as unknown as TestClient
}

const call = (
  client: TestClient,
  args: Record<string, unknown>,
  _meta?: Record<string, unknown>,
): Promise<any> =>
  client.callTool({ name: 'call_tool', arguments: args, ...(_meta ? { _meta } : {}) })
const lastCall = () =>
  served.app.store.raw.read
    .prepare(
      'SELECT tool, kind, status, error_code, idempotency_key, details_json FROM calls ORDER BY rowid DESC LIMIT 1',
    )
    .get() as Record<string, string>
const names = async (client: TestClient) =>
  (await client.listTools()).tools.map((tool) => tool.name).sort()

for (const generation of ['first', 'second'] as const) {
  test(`compact for the client of the ${generation} generation: three tools give access to all the others`, async () => {
    const client = await connect('preset=compact', generation)
    assert.deepEqual(await names(client), ['call_tool', 'get_tool', 'search_tools'])
    const search = (await client.callTool({
      name: 'search_tools',
      arguments: { query: 'create a label' },
    })) as any
    const { name, kind } = search.structuredContent.items[0]
    const label = await call(client, {
      tool_name: name,
      arguments: { name: `By ${generation}` },
      kind,
    })
    assert.equal(label.isError, undefined)
    assert.equal(label.structuredContent.name, `By ${generation}`)
    assert.equal(label.structuredContent.created_via, 'mcp')
    const { details_json, ...row } = lastCall()
    assert.deepEqual(row, {
      tool: 'create_label',
      kind: 'write',
      status: 'ok',
      error_code: null,
      idempotency_key: null,
    })
    assert.equal(JSON.parse(details_json!).route, 'tools/call call_tool')
    assert.deepEqual(
      await call(client, { tool_name: 'get_label', kind: 'read' }).then((item) => [
        item.isError,
        item.structuredContent.code,
        item.structuredContent.candidates.includes('create_label'),
      ]),
      [true, 'not_found', true],
    )
  })
}

test('the given kind must match the tool, and a refusal names the right one', async () => {
  const client = await connect('preset=compact')
  for (const [tool_name, kind, actualKind] of [
    ['create_label', 'read', 'write'],
    ['delete_label', 'write', 'destructive'],
    ['list_labels', 'destructive', 'read'],
  ] as const) {
    const refused = await call(client, { tool_name, kind, arguments: {} })
    assert.equal(refused.structuredContent.field, 'kind')
    assert.match(
      refused.structuredContent.message,
      new RegExp(
        `${tool_name} is ${actualKind}, not ${kind}\\. If you mean to call it, use kind ${actualKind}`,
      ),
    )
    const { tool, status, error_code } = lastCall()
    assert.deepEqual([tool, status, error_code], [tool_name, 'error', 'invalid_argument'])
  }
})

test('arguments are coerced, and refused under their own names, as in a direct call', async () => {
  const client = await connect('preset=compact')
  const listed = await call(client, {
    tool_name: 'list_labels',
    arguments: '{"limit": "2"}',
    kind: 'read',
  })
  assert.equal(listed.isError, undefined)
  const args = { name: '', colour: 'red' }
  const [direct, viaCallTool] = [
    await client.callTool({ name: 'create_label', arguments: args }),
    await call(client, { tool_name: 'create_label', arguments: args, kind: 'write' }),
  ] as any[]
  assert.deepEqual(viaCallTool.structuredContent, direct.structuredContent)
  assert.match(viaCallTool.structuredContent.message, /colour: unknown argument/)
})

test('the arguments of call_tool are also refused by name, and it cannot call itself', async () => {
  const client = await connect('preset=compact')
  const refusals: [Record<string, unknown>, RegExp][] = [
    [{ kind: 'read' }, /tool_name: is required/],
    [{ tool_name: 'list_labels' }, /kind: is required/],
    [{ tool_name: 'list_labels', kind: 'reads' }, /kind: must be one of read, write, destructive/],
    [
      { tool_name: 'list_labels', kind: 'read', limit: 1 },
      /limit: unknown argument.*call_tool takes tool_name, arguments, kind/,
    ],
    [
      {
        tool_name: 'call_tool',
        kind: 'destructive',
        arguments: { tool_name: 'call_tool', kind: 'destructive' },
      },
      /cannot call itself/,
    ],
    [{ tool_name: 'download_file', kind: 'read' }, /There is no tool "download_file"/],
  ]
  for (const [args, message] of refusals) {
    const { isError, structuredContent } = await call(client, args)
    assert.equal(isError, true)
    assert.match(structuredContent.message, message)
    assert.equal(lastCall().status, 'error')
  }
})

test('the idempotency key and the connection’s restrictions apply to the called tool', async () => {
  const client = await connect('preset=compact&exclude=delete_label')
  const again = () =>
    call(
      client,
      { tool_name: 'create_label', arguments: { name: 'Once' }, kind: 'write' },
      { idempotencyKey: 'once' },
    )
  assert.deepEqual((await again()).structuredContent, (await again()).structuredContent)
  assert.equal(lastCall().idempotency_key, 'once')
  const refused = await call(client, {
    tool_name: 'delete_label',
    arguments: { label_id: 'Once' },
    kind: 'destructive',
  })
  assert.equal(refused.structuredContent.code, 'permission_denied')
  assert.match(refused.structuredContent.message, /excluded from this connection \(set by exclude=/)
  assert.equal(lastCall().status, 'denied')
})

test('progress notifications pass through call_tool', async () => {
  for (const generation of ['first', 'second'] as const) {
    const client = await connect('preset=compact', generation)
    const received: unknown[] = []
    const params = { name: 'call_tool', arguments: { tool_name: 'walk_slowly', kind: 'read' } }
    const onprogress = (notice: unknown) => void received.push(notice)
    const done =
      generation === 'first'
        ? await (client as OldClient).callTool(params, undefined, { onprogress })
        : await (client as unknown as Client).callTool(params, { onprogress })
    assert.deepEqual(done.structuredContent, { arrived: true })
    assert.deepEqual(received, [{ progress: 1, total: 3, message: 'one step' }], generation)
  }
})

test('on a read-only connection call_tool is marked as reading and calls only reading tools', async () => {
  const { key } = await served.keyFor(served.bob, { readOnly: true })
  for (const client of [
    await connect('preset=compact&readonly=1'),
    await connect('preset=compact', 'second', key),
  ]) {
    const tool = (await client.listTools()).tools.find((item) => item.name === 'call_tool')!
    assert.deepEqual(
      tool.annotations,
      { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
      'an export reads, and goes outside',
    )
    assert.deepEqual((tool.inputSchema.properties as any).kind.enum, ['read'])
    assert.equal(
      (await call(client, { tool_name: 'list_labels', kind: 'read' })).isError,
      undefined,
    )
    for (const kind of ['read', 'write'])
      assert.equal(
        (await call(client, { tool_name: 'create_label', arguments: { name: 'x' }, kind }))
          .structuredContent.code,
        'permission_denied',
      )
  }
  const writing = (await (await connect('preset=compact')).listTools()).tools.find(
    (tool) => tool.name === 'call_tool',
  )!
  assert.deepEqual(writing.annotations, {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  })
  assert.deepEqual((writing.inputSchema.properties as any).kind.enum, [
    'read',
    'write',
    'destructive',
  ])
})

test('toolsets combined with compact limit the callable tools and keep the two search tools', async () => {
  const client = await connect('preset=compact&toolsets=labels')
  assert.deepEqual(await names(client), ['call_tool', 'get_tool', 'search_tools'])
  assert.equal((await call(client, { tool_name: 'list_labels', kind: 'read' })).isError, undefined)
  assert.match(
    (await call(client, { tool_name: 'list_tasks', kind: 'read' })).structuredContent.message,
    /allows only labels/,
  )
})

test('for a key that cannot search, the schema lists the tools', async () => {
  const { key } = await served.keyFor(served.bob, { toolsets: ['labels:ro'], modules: ['labels'] })
  const client = await connect('preset=compact', 'second', key)
  const [tool, ...others] = (await client.listTools()).tools
  assert.equal(others.length, 0)
  assert.deepEqual((tool!.inputSchema.properties as any).tool_name.enum, ['list_labels'])
})

test('the tool exists only in compact', async () => {
  for (const query of ['', 'preset=core', 'preset=daily', 'preset=all']) {
    const client = await connect(query)
    assert.ok(!(await names(client)).includes('call_tool'))
    await assert.rejects(
      call(client, { tool_name: 'list_labels', kind: 'read' }),
      (error: { code?: number }) => error.code === -32602,
      query,
    )
  }
})
