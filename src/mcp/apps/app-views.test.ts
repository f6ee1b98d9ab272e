import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { buildApps } from '../../testing/apps.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import { appViews } from './app-views.ts'

let served: ServedWorkspace
before(async () => {
  await buildApps()
  served = await serveWorkspace()
})
after(() => served.close())

const mimeType = 'text/html;profile=mcp-app'
const eras = ['auto', 'legacy'] as const
const maxViewBytes = 60_000
const maxListGrowth = 0.02

interface ConnectOptions {
  mode?: (typeof eras)[number]
  path?: string
  mimeTypes?: string[]
}

async function connect(
  t: { after(work: () => unknown): void },
  { mode = 'auto', path = '/mcp', mimeTypes }: ConnectOptions,
): Promise<Client> {
  const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: mimeTypes ?? [] } }
  const client = new Client(
    { name: 'tests', version: '1' },
    { capabilities: mimeTypes ? { extensions } : {}, versionNegotiation: { mode } },
  )
  await client.connect(
    new StreamableHTTPClientTransport(new URL(served.url + path), {
      requestInit: { headers: { authorization: `Bearer ${served.bearer}` } },
    }),
  )
  t.after(() => client.close())
  return client
}

async function viewsByTool(client: Client): Promise<Record<string, string>> {
  const { tools } = await client.listTools()
  return Object.fromEntries(
    tools.flatMap(({ name, _meta }) => {
      const { ui } = (_meta ?? {}) as { ui?: { resourceUri: string } }
      return ui ? [[name, ui.resourceUri]] : []
    }),
  )
}

const expected = Object.fromEntries(
  appViews.flatMap(({ name, tools }) =>
    tools.map((tool) => [tool, `ui://workspace/${name}.html`] as const),
  ),
)

for (const mode of eras) {
  test(`tools name their views only to a client that renders them (${mode})`, async (t) => {
    const renderingClient = await connect(t, { mode, mimeTypes: [mimeType] })
    assert.deepEqual(await viewsByTool(renderingClient), expected)
    for (const mimeTypes of [undefined, [], ['text/html']])
      assert.deepEqual(
        await viewsByTool(await connect(t, mimeTypes ? { mode, mimeTypes } : { mode })),
        {},
      )
    assert.deepEqual(
      await viewsByTool(renderingClient),
      expected,
      'the other connections did not change this list',
    )
    assert.deepEqual(
      renderingClient.getServerCapabilities()?.extensions?.['io.modelcontextprotocol/ui'],
      {
        mimeTypes: [mimeType],
      },
    )
  })

  test(`each view is read as one page without any network access (${mode})`, async (t) => {
    const client = await connect(t, { mode, mimeTypes: [mimeType] })
    const { resources } = await client.listResources()
    const listed = resources.filter(({ uri }) => uri.startsWith('ui://'))
    assert.deepEqual(
      listed.map(({ uri }) => uri).sort(),
      [...new Set(Object.values(expected))].sort(),
    )
    for (const { uri, _meta, mimeType: listedType } of listed) {
      const { contents } = await client.readResource({ uri })
      const [page] = contents
      assert.ok(page && 'text' in page)
      assert.deepEqual([page.mimeType, listedType], [mimeType, mimeType])
      assert.deepEqual(page._meta, _meta)
      assert.deepEqual(page._meta?.ui, {
        csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
        prefersBorder: true,
      })
      assert.ok(Buffer.byteLength(page.text) <= maxViewBytes, uri)
      assertNoNetwork(page.text)
    }
  })
}

/** Asserts that only the page's own script and styles are allowed, by hash. */
function assertNoNetwork(html: string): void {
  const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const [, script] = /<script>(.*)<\/script>/s.exec(html)!
  const [, style] = /<style>(.*)<\/style>/s.exec(html)!
  const [, policy] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html)!
  assert.equal(
    policy,
    `default-src 'none'; script-src ${hashOf(script!)}; style-src ${hashOf(style!)}; base-uri 'none'; form-action 'none'`,
  )
  assert.doesNotMatch(html, /<(link|img|iframe|object|embed)\b/)
  assert.ok(html.indexOf('<meta http-equiv') < html.indexOf('<style>'))
}

test('a client that does not render views gets none in the list of resources', async (t) => {
  const { resources } = await (await connect(t, {})).listResources()
  assert.deepEqual(
    resources.filter(({ uri }) => uri.startsWith('ui://')),
    [],
  )
})

test('a view is available where its tool is, and other addresses are refused', async (t) => {
  const elsewhere = await connect(t, { path: '/mcp/x/labels', mimeTypes: [mimeType] })
  assert.deepEqual(await viewsByTool(elsewhere), {})
  const client = await connect(t, { mimeTypes: [mimeType] })
  const refused = [
    [elsewhere, expected.list_tasks!],
    ...['ui://workspace/none.html', 'ui://workspace/../package.json', 'ui://'].map(
      (uri) => [client, uri] as const,
    ),
  ] as const
  for (const [reader, uri] of refused)
    await assert.rejects(reader.readResource({ uri }), { code: -32602 }, uri)
})

test('reading a view is logged', async (t) => {
  const client = await connect(t, { mimeTypes: [mimeType] })
  await client.readResource({ uri: expected.list_tasks! })
  const { items } = await served.ann.call('list_api_calls', { tool: 'resources/read', limit: 1 })
  assert.equal(items.length, 1)
})

test('views add little to the list of tools, and every tool with a view exists', async (t) => {
  const sizeFor = async (options: ConnectOptions) =>
    JSON.stringify(await (await connect(t, options)).listTools()).length
  const [plain, withViews] = [await sizeFor({}), await sizeFor({ mimeTypes: [mimeType] })]
  assert.ok(withViews > plain && withViews < plain * (1 + maxListGrowth), `${plain} ${withViews}`)
  for (const tool of Object.keys(expected)) assert.ok(served.app.catalogue.find(tool), tool)
})

test('an HTTP+SSE session gets views according to its initialize message', async () => {
  const response = await fetch(`${served.url}/sse`, {
    headers: { authorization: `Bearer ${served.bearer}`, accept: 'text/event-stream' },
  })
  const events = eventsOf(response.body!)
  const address = (await events.next()).value!
  const post = (message: object) =>
    fetch(served.url + address, {
      method: 'POST',
      headers: { authorization: `Bearer ${served.bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
  await post({
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2024-11-05',
      clientInfo: { name: 'tests', version: '1' },
      capabilities: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [mimeType] } } },
    },
  })
  await events.next()
  await post({ method: 'notifications/initialized' })
  await post({ id: 2, method: 'tools/list' })
  const { result } = JSON.parse((await events.next()).value!)
  await events.return(undefined)
  const tool = result.tools.find(({ name }: { name: string }) => name === 'list_tasks')
  assert.equal(tool._meta.ui.resourceUri, expected.list_tasks)
})

/** The data of each event of a stream. */
async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end))
      text = text.slice(end + 2)
      if (data) yield data[1]!
    }
  }
}
