import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Tool } from '@modelcontextprotocol/server'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import { toolListHash } from './hash.ts'

let served: ServedWorkspace
before(async () => {
  served = await serveWorkspace()
})
after(() => served.close())

const path = '/api/tools.sha256'
const hash = async (query = '', headers: Record<string, string> = {}, key = served.bearer) =>
  (await served.ask('GET', path + query, { headers, key })).text

/** Computes the hash as a client would: from the list it receives, without our code. */
async function clientHash(mcp: string): Promise<string> {
  const { json } = await served.ask('POST', mcp, {
    headers: { accept: 'application/json' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  })
  const sorted = (value: any): any => {
    if (Array.isArray(value)) return value.map(sorted)
    if (!value || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.keys(value)
        .sort()
        .map((name) => [name, sorted(value[name])]),
    )
  }
  const tools = json.result.tools.map(({ name, description, inputSchema, annotations }: Tool) =>
    sorted({ name, description, inputSchema, annotations }),
  )
  return createHash('sha256')
    .update(JSON.stringify(tools.sort((a: Tool, b: Tool) => (a.name < b.name ? -1 : 1))))
    .digest('hex')
}

test('the hash covers the tool list shown for the same selection', async () => {
  for (const query of ['', '?preset=core', '?preset=compact', '?toolsets=labels&readonly=1'])
    assert.equal(await hash(query), `${await clientHash(`/mcp${query}`)}  tools/list\n`, query)
  assert.equal(await hash('?toolsets=labels'), `${await clientHash('/mcp/x/labels')}  tools/list\n`)
  assert.equal(await hash('', { 'x-mcp-readonly': '1' }), await hash('?readonly=1'))
  assert.equal(
    await hash('?output_schemas=1'),
    await hash(),
    'output schemas are not part of the hash',
  )
  const { key } = await served.keyFor(served.bob, { readOnly: true })
  assert.equal(await hash('', {}, key), await hash('?readonly=1'))
})

test('the hash is plain text, requires a key, and is not sent again on a matching ETag', async () => {
  const got = await served.ask('GET', path)
  assert.match(got.text, /^[0-9a-f]{64} {2}tools\/list\n$/)
  assert.match(got.headers.get('content-type')!, /^text\/plain/)
  const etag = got.headers.get('etag')!
  const again = await served.ask('GET', path, { headers: { 'if-none-match': etag } })
  assert.deepEqual([again.status, again.text], [304, ''])
  assert.equal(
    (await served.ask('GET', `${path}?readonly=1`, { headers: { 'if-none-match': etag } })).status,
    200,
  )
  assert.equal((await served.ask('GET', path, { key: undefined })).status, 401)
  assert.equal((await served.ask('POST', path)).status, 405)
  const wrong = await served.ask('GET', `${path}?toolsets=tsaks`)
  assert.deepEqual([wrong.status, wrong.json.code], [400, 'invalid_argument'])
})

test('any change to a tool changes the hash; reordering does not', () => {
  const tool = (more: object) =>
    ({
      name: 'a_tool',
      description: 'x',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
      ...more,
    }) as Tool
  const hashOf = (...more: object[]) => toolListHash(more.map(tool))
  assert.equal(hashOf({}, { name: 'b_tool' }), hashOf({ name: 'b_tool' }, {}))
  assert.equal(
    hashOf({ inputSchema: { type: 'object', properties: {} } }),
    hashOf({ inputSchema: { properties: {}, type: 'object' } }),
  )
  const changes = [
    { description: 'y' },
    { name: 'c_tool' },
    { inputSchema: { type: 'object', properties: {} } },
    { annotations: { readOnlyHint: false } },
  ]
  assert.equal(
    new Set([hashOf({}), ...changes.map((change) => hashOf(change))]).size,
    changes.length + 1,
  )
})
