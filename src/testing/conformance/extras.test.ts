import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { serveWorkspace, type ServedWorkspace } from '../server.ts'
import { conformanceExtras } from './extras.ts'

let shipped: ServedWorkspace
let extended: ServedWorkspace
before(async () => {
  shipped = await serveWorkspace()
  extended = await serveWorkspace({ mcpExtras: conformanceExtras() })
})
after(() => Promise.all([shipped.close(), extended.close()]))

/** All items in a server's lists. */
async function shown({ url, bearer }: ServedWorkspace, mode: 'auto' | 'legacy') {
  const client = new Client({ name: 'extras', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${bearer}` } },
    }),
  )
  const { tools } = await client.listTools()
  const { prompts } = await client.listPrompts()
  const { resources } = await client.listResources()
  const { resourceTemplates } = await client.listResourceTemplates()
  await client.close()
  return {
    names: [...tools, ...prompts].map((tool) => tool.name),
    uris: [
      ...resources.map((resource) => resource.uri),
      ...resourceTemplates.map((resourceTemplate) => resourceTemplate.uriTemplate),
    ],
  }
}

const ofSuite =
  /^test_(?!automation$)|^(json_schema_2020_12_tool|greet|slow_compute|failing_job|protocol_error_job|confirm_delete|multi_input)$/ // test_automation is ours

for (const mode of ['auto', 'legacy'] as const) {
  test(`the shipped server lists nothing of the conformance suite (${mode})`, async () => {
    const { names, uris } = await shown(shipped, mode)
    assert.ok(names.includes('list_tasks'))
    assert.deepEqual(
      [
        ...names.filter((name) => ofSuite.test(name)),
        ...uris.filter((uri) => uri.startsWith('test:')),
      ],
      [],
    )
  })

  test(`with the suite's fixtures it lists them next to its own (${mode})`, async () => {
    const [own, all] = [await shown(shipped, mode), await shown(extended, mode)]
    assert.deepEqual(
      all.names.filter((name) => !ofSuite.test(name)),
      own.names,
    )
    assert.ok(all.names.filter((name) => ofSuite.test(name)).length > 30)
    assert.ok(all.uris.includes('test://template/{id}/data'))
  })
}

test('a fixture call is unknown to the shipped server', async () => {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'test_simple_text', arguments: {} },
  }
  const headers = { accept: 'application/json' }
  const [own, suite] = [
    await shipped.ask('POST', '/mcp', { body, headers }),
    await extended.ask('POST', '/mcp', { body, headers }),
  ]
  assert.equal(own.json.error.code, -32602)
  assert.equal(suite.json.result.content[0].text, 'This is a simple text response for testing.')
})

test('only the two files that pass fixtures on know their entry point, and only the server accepts any', () => {
  const root = new URL('../..', import.meta.url).pathname
  const product = globSync('**/*.ts', { cwd: root }).filter(
    (file) => !/\.test\.ts$|(^|\/)testing(\.ts$|\/)/.test(file),
  )
  const naming = (word: RegExp) =>
    product.filter((file) => word.test(readFileSync(root + file, 'utf8'))).sort()
  assert.deepEqual(naming(/mcpExtras/), ['http/server.ts', 'http/web-app.ts'])
  assert.deepEqual(naming(/conformance/i), [])
  for (const file of naming(/startServer\(/))
    assert.doesNotMatch(readFileSync(root + file, 'utf8'), /startServer\(app, \{[^}]*\},/, file)
})
