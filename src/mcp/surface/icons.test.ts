import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import { iconNames } from './icons.ts'

let served: ServedWorkspace
before(async () => {
  served = await serveWorkspace()
})
after(() => served.close())

async function connect(mode: 'auto' | 'legacy', path = '/mcp'): Promise<Client> {
  const client = new Client({ name: 'tests', version: '1.0' }, { versionNegotiation: { mode } })
  const headers = { authorization: `Bearer ${served.bearer}` }
  const url = new URL(served.url + path)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  return client
}

for (const mode of ['auto', 'legacy'] as const)
  test(`each tool of a detailed list has the icon of its module, and each module its own (${mode})`, async () => {
    const client = await connect(mode, '/mcp?details=1')
    const { tools } = await client.listTools()
    for (const tool of tools) {
      const { module } = served.app.catalogue.requireEntry(tool.name)
      const src = `${served.app.baseUrl}/icons/${module}.svg`
      assert.deepEqual(tool.icons, [{ src }], tool.name)
    }
    const names = ['workspace', ...served.app.catalogue.toolsets].sort()
    assert.deepEqual([...iconNames].sort(), names)
    await client.close()
  })

test('a tool that calls others by name has an icon, too', async () => {
  const client = await connect('auto', '/mcp/p/compact?details=1')
  const tool = (await client.listTools()).tools.find(({ name }) => name === 'call_tool')
  assert.equal(tool?.icons?.[0]?.src, `${served.app.baseUrl}/icons/system.svg`)
  await client.close()
})

test('a list has no icons and no titles unless requested', async () => {
  const client = await connect('auto')
  const { tools } = await client.listTools()
  assert.deepEqual(
    tools.filter((tool) => tool.icons !== undefined || tool.title !== undefined),
    [],
  )
  await client.close()
})

for (const mode of ['auto', 'legacy'] as const)
  test(`the server identifies itself with an icon, a URL and a description (${mode})`, async () => {
    const client = await connect(mode)
    const { baseUrl } = served.app
    const { icons, websiteUrl, description } = client.getServerVersion() ?? {}
    const src = `${baseUrl}/icons/workspace.svg`
    assert.deepEqual(icons, [{ src, mimeType: 'image/svg+xml', sizes: ['any'] }])
    assert.equal(websiteUrl, baseUrl)
    assert.match(description ?? '', /^Tasks, mail/)
    await client.close()
  })

test('other responses carry only the name and version of the server, not its full introduction', async () => {
  const client = await connect('auto')
  for (const { _meta } of [
    await client.listTools(),
    await client.listPrompts(),
    await client.callTool({ name: 'get_me', arguments: {} }),
  ]) {
    const signature = _meta?.['io.modelcontextprotocol/serverInfo'] as object | undefined
    assert.deepEqual(Object.keys(signature ?? {}).sort(), ['name', 'title', 'version'])
  }
  await client.close()
})

test('every icon is a script-free SVG that anyone may embed and cache', async () => {
  for (const name of iconNames) {
    const got = await served.ask('GET', `/icons/${name}.svg`, { key: undefined })
    assert.equal(got.status, 200, name)
    assert.equal(got.headers.get('content-type'), 'image/svg+xml')
    assert.equal(got.headers.get('cross-origin-resource-policy'), 'cross-origin')
    assert.equal(got.headers.get('cache-control'), 'public, max-age=86400')
    assert.match(got.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    assert.match(
      got.text,
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^>]*>(<rect [^>]*\/>)(<path [^>]*\/>)<\/svg>$/,
    )
  }
  const again = await served.ask('GET', '/icons/tasks.svg', {
    key: undefined,
    headers: {
      'if-none-match': (await served.ask('GET', '/icons/tasks.svg')).headers.get('etag')!,
    },
  })
  assert.equal(again.status, 304)
  assert.equal((await served.ask('GET', '/icons/none.svg', { key: undefined })).status, 404)
  assert.equal((await served.ask('POST', '/icons/tasks.svg', { key: undefined })).status, 405)
})
