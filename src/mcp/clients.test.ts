import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { makeFetch } from '../http/server.ts'
import { serveWorkspace, type ServedWorkspace } from '../testing/server.ts'
import { isForResearch } from './surface/presets.ts'

// The official clients, of both generations, against a real server.

let served: ServedWorkspace
before(async () => {
  served = await serveWorkspace()
})
after(() => served.close())

const info = { name: 'tests', version: '1.0' }

interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[]; nextCursor?: string | undefined }>
  callTool(params: {
    name: string
    arguments: Record<string, unknown>
    _meta?: Record<string, unknown>
  }): Promise<any>
  getInstructions(): string | undefined
  getServerVersion(): { name: string; version: string } | undefined
  close(): Promise<void>
}

const url = () => new URL(`${served.url}/mcp`)
const withKey = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } })

async function newClient(mode: 'auto' | 'legacy', key = served.bearer): Promise<AnyClient> {
  const client = new Client(info, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(url(), withKey(key)))
  return client as unknown as AnyClient
}

async function oldClient(key = served.bearer): Promise<AnyClient> {
  const client = new OldClient(info)
  await client.connect(new OldTransport(url(), withKey(key)) as never)
  return client as unknown as AnyClient
}

const clients: [string, (key?: string) => Promise<AnyClient>][] = [
  ['the client of the current protocol', (key) => newClient('auto', key)],
  ['the same client in the older protocol', (key) => newClient('legacy', key)],
  ['the client of the first generation', oldClient],
]

/** All tools but those of the preset research. */
const listedByDefault = () => served.app.catalogue.entries.filter((entry) => !isForResearch(entry))

for (const [name, connect] of clients) {
  test(`${name} lists all tools in one page, with all four hints`, async () => {
    const client = await connect()
    const { tools, nextCursor } = await client.listTools()
    assert.equal(nextCursor, undefined)
    assert.deepEqual(
      tools.map((tool) => tool.name),
      listedByDefault().map((entry) => entry.operation.name),
    )
    for (const tool of tools as unknown as {
      name: string
      description: string
      annotations: object
      inputSchema: { type: string }
    }[]) {
      assert.ok('readOnlyHint' in tool.annotations || 'destructiveHint' in tool.annotations)
      assert.ok('openWorldHint' in tool.annotations, tool.name)
      assert.ok(tool.description, tool.name)
      assert.equal(tool.inputSchema.type, 'object', tool.name)
    }
    assert.equal(client.getServerVersion()?.name, 'workspace')
    assert.match(client.getInstructions()!, /You act as the owner of the key/)
    await client.close()
  })

  test(`${name} calls tools and gets the value as text and as an object`, async () => {
    const client = await connect()
    const label = await client.callTool({ name: 'create_label', arguments: { name: `By ${name}` } })
    assert.equal(label.isError, undefined)
    assert.equal(label.content.length, 1)
    assert.deepEqual(JSON.parse(label.content[0].text), label.structuredContent)
    assert.equal(label.structuredContent.created_via, 'mcp')
    const listed = await client.callTool({
      name: 'list_labels',
      arguments: { query: name, limit: '5' },
    })
    assert.deepEqual(
      listed.structuredContent.items.map((item: { id: string }) => item.id),
      [label.structuredContent.id],
    )
    await client.close()
  })

  test(`${name} gets refusals as results with a remedy`, async () => {
    const client = await connect()
    const refused = await client.callTool({
      name: 'update_label',
      arguments: { label_id: 'nothing', name: 'x' },
    })
    assert.equal(refused.isError, true)
    assert.equal(refused.structuredContent.code, 'not_found')
    assert.deepEqual(JSON.parse(refused.content[0].text), refused.structuredContent)
    const wrong = await client.callTool({
      name: 'create_label',
      arguments: { name: 'x', colour: 'red' },
    })
    assert.match(wrong.structuredContent.message, /colour: unknown argument.*takes name/)
    await client.close()
  })

  test(`${name} gets a protocol error for a nonexistent tool`, async () => {
    const client = await connect()
    await assert.rejects(
      client.callTool({ name: 'no_such_tool', arguments: {} }),
      (error: { code?: number }) => error.code === -32602,
    )
    await client.close()
  })

  test(`${name} repeats a write with the same idempotency key without a second execution`, async () => {
    const client = await connect()
    const call = (title: string) =>
      client.callTool({
        name: 'create_label',
        arguments: { name: title },
        _meta: { idempotencyKey: `key of ${name}` },
      })
    const [first, again] = [await call('Idempotent'), await call('Idempotent')]
    assert.deepEqual(again.structuredContent, first.structuredContent)
    assert.equal((await call('Other')).structuredContent.code, 'idempotency_conflict')
    await client.close()
  })

  test(`${name} with a read-only key sees only reading tools and is refused the others`, async () => {
    const { key } = await served.keyFor(served.bob, { name: 'looks', readOnly: true })
    const client = await connect(key)
    const { tools } = await client.listTools()
    assert.ok(tools.length > 0)
    for (const tool of tools)
      assert.equal(served.app.catalogue.requireEntry(tool.name).operation.kind, 'read', tool.name)
    const refused = await client.callTool({ name: 'create_label', arguments: { name: 'x' } })
    assert.equal(refused.structuredContent.code, 'permission_denied')
    await client.close()
  })

  test(`${name} with a key for certain toolsets sees only those`, async () => {
    const { key } = await served.keyFor(served.bob, {
      name: 'labels',
      toolsets: ['labels'],
      modules: ['labels'],
    })
    const client = await connect(key)
    const { tools } = await client.listTools()
    assert.deepEqual(tools.map((tool) => tool.name).sort(), [
      'create_label',
      'delete_label',
      'list_labels',
      'update_label',
    ])
    await client.close()
  })
}

test('no client connects without a valid key', async () => {
  for (const [, connect] of clients) await assert.rejects(connect('svc_wrong'))
})

test('the name and version of an assistant are in the call log', async () => {
  const client = await newClient('auto')
  await client.callTool({ name: 'list_labels', arguments: { limit: 7 } })
  const row = served.app.store.raw.read
    .prepare(
      "SELECT transport, details_json FROM calls WHERE tool = 'list_labels' ORDER BY at DESC, seq DESC LIMIT 1",
    )
    .get() as { transport: string; details_json: string }
  assert.equal(row.transport, 'mcp')
  assert.deepEqual(JSON.parse(row.details_json).client, info)
  await client.close()
})

test('a client that calls the handler in process, without a port, is served by the same code', async () => {
  const fetch = makeFetch(served.app)
  const client = new Client(info, { versionNegotiation: { mode: 'auto' } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://workspace.test/mcp'), {
      ...withKey(served.bearer),
      fetch: (url, init) => fetch(new Request(url, init)),
    }),
  )
  assert.equal((await client.listTools()).tools.length, listedByDefault().length)
  assert.ok((await client.callTool({ name: 'list_labels', arguments: {} })).structuredContent)
  await client.close()
})
