import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import Database from 'better-sqlite3'
import { EventReader } from '../src/testing/events.ts'
import { scratch, serve, workspace, workspaceJson, type Served } from '../src/testing/process.ts'
import {
  noProxy,
  proxyPorts,
  startProxy,
  type Proxy,
  type ProxyName,
} from '../src/testing/proxies.ts'
import { waitLimitMs } from '../src/testing/limits.ts'

// The published nginx and Caddy configurations, run by nginx and Caddy in front of our server: clients get the same
// responses as from the server itself.

const password = 'otter lamp seven moss'
/** Client address on this machine, like the proxy's, but not trusted as a proxy. */
const client = '127.0.0.9'

for (const name of ['nginx', 'caddy'] as const satisfies ProxyName[])
  suite(`behind ${name}`, { skip: noProxy(name) }, () => behind(name))

function behind(name: ProxyName): void {
  const { dir, remove } = scratch()
  let server: Served
  let proxy: Proxy
  let key: string
  let base: string

  before(async () => {
    const ports = await proxyPorts()
    base = `https://work.test:${ports.https}`
    await workspaceJson('orgs', 'create', '--name', 'Acme', '--data', dir)
    const userCreation = await workspace(
      [
        'users',
        'create',
        '--email',
        'ann@acme.test',
        '--name',
        'Ann',
        '--admin',
        '--password-stdin',
        '--data',
        dir,
      ],
      password,
    )
    assert.equal(userCreation.code, 0, userCreation.stderr)
    key = (
      await workspaceJson<{ key: string }>(
        'keys',
        'create',
        '--user',
        'ann@acme.test',
        '--name',
        'laptop',
        '--data',
        dir,
      )
    ).key
    server = await serve(dir, '--base-url', base, '--trusted-proxies', '127.0.0.1')
    const { listens_at } = JSON.parse(readFileSync(join(dir, 'server.json'), 'utf8')) as {
      listens_at: string
    }
    proxy = await startProxy(name, ports, Number(new URL(listens_at).port))
    const created = await ask('POST', '/api/projects', { body: { name: 'Engine', key: 'ENG' } })
    assert.equal(created.status, 201, created.text)
  })
  after(async () => {
    await proxy?.stop()
    await server?.end()
    remove()
  })

  const bearer = () => ({ authorization: `Bearer ${key}` })

  async function ask(
    method: string,
    path: string,
    { body, headers = bearer() }: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<{ status: number; headers: Headers; text: string; json: any }> {
    const answer = await proxy.from(client)(base + path, {
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      json: text.startsWith('{') ? JSON.parse(text) : undefined,
    }
  }

  const newTask = (title: string) =>
    ask('POST', '/api/tasks', { body: { project_id: 'ENG', title } })

  async function follow(path: string, headers: Record<string, string>): Promise<EventReader> {
    const answer = await proxy.from(client)(base + path, {
      headers: { accept: 'text/event-stream', ...headers },
    })
    assert.equal(answer.status, 200, path)
    return new EventReader(answer)
  }

  function lastCall(tool: string): { details_json: string } {
    const db = new Database(join(dir, 'workspace.db'), { readonly: true })
    try {
      return db
        .prepare('SELECT details_json FROM calls WHERE tool = ? ORDER BY seq DESC LIMIT 1')
        .get(tool) as { details_json: string }
    } finally {
      db.close()
    }
  }

  test('REST responses match those of the server itself, with one Strict-Transport-Security header', async () => {
    const got = await ask('GET', '/api/tasks?limit=5')
    assert.equal(got.status, 200, got.text)
    assert.equal(got.headers.get('strict-transport-security'), 'max-age=31536000')
    assert.equal((await ask('GET', '/api/tasks', { headers: {} })).json.code, 'unauthenticated')
  })

  test('links start with the address of the proxy', async () => {
    const { json } = await newTask('Oil')
    assert.ok(json.url.startsWith(`${base}/`), json.url)
  })

  test('the call log has the client address, whatever headers the client sends', async () => {
    for (const forged of [
      {},
      { 'x-forwarded-for': '203.0.113.9' },
      {
        'x-forwarded-for': '203.0.113.9, 127.0.0.1',
        'x-real-ip': '203.0.113.9',
        forwarded: 'for=203.0.113.9',
      },
    ] as Record<string, string>[]) {
      const { status } = await ask('GET', '/api/labels', { headers: { ...bearer(), ...forged } })
      assert.equal(status, 200)
      assert.match(lastCall('list_labels').details_json, /"127\.0\.0\.9"/)
      assert.doesNotMatch(lastCall('list_labels').details_json, /203\.0\.113\.9/)
    }
  })

  test('no request can forge another host or scheme', async () => {
    const forged = await ask('GET', '/api/labels', {
      headers: { ...bearer(), 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'http' },
    })
    assert.equal(forged.status, 200)
    const other = await ask('GET', '/api/labels', { headers: { ...bearer(), host: 'evil.test' } })
    if (name === 'nginx') assert.deepEqual([other.status, other.json.code], [421, 'misdirected'])
    else assert.equal(other.text, '', 'Caddy passes on its own names alone')
    assert.equal(
      (await ask('GET', '/web/session', { headers: { ...bearer(), origin: 'https://evil.test' } }))
        .status,
      403,
    )
    assert.equal(
      (await ask('GET', '/api/labels', { headers: { ...bearer(), origin: base } })).status,
      200,
    )
  })

  test('the official client speaks MCP through it, with a session', async () => {
    const assistant = new Client({ name: 'test', version: '1' })
    await assistant.connect(
      new StreamableHTTPClientTransport(new URL(`${base}/mcp`), {
        fetch: proxy.from(client),
        requestInit: { headers: bearer() },
      }),
    )
    const { tools } = await assistant.listTools()
    assert.ok(tools.length > 100)
    const called = await assistant.callTool({
      name: 'create_task',
      arguments: { project_id: 'ENG', title: 'By an assistant' },
    })
    assert.notEqual(called.isError, true, JSON.stringify(called.structuredContent))
    await assistant.close()
  })

  test('an event arrives while its stream stays open, over HTTP/1.1 and HTTP/2', async () => {
    const reader = await follow('/api/events', bearer())
    assert.equal((await reader.next())!.event, 'ready')
    const socket = await proxy.secure(['h2'])
    assert.equal(socket.alpnProtocol, 'h2')
    const session = connectHttp2(base, { createConnection: () => socket })
    session.on('error', () => undefined)
    const stream = session.request({
      ':path': '/api/events',
      accept: 'text/event-stream',
      ...bearer(),
    })
    let text = ''
    stream.setEncoding('utf8').on('data', (part: string) => (text += part))
    await once(stream, 'data')
    await newTask('Seen at once')
    assert.equal((await reader.next())!.json.item.title, 'Seen at once')
    while (!text.includes('Seen at once'))
      await once(stream, 'data', { signal: AbortSignal.timeout(waitLimitMs) })
    await reader.cancel()
    session.destroy()
  })

  test('the older HTTP+SSE transport returns its endpoint and its responses', async () => {
    const reader = await follow('/sse', bearer())
    const { event, data } = (await reader.next())!
    assert.equal(event, 'endpoint')
    const hello = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2024-11-05',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      },
    }
    const sent = await proxy.from(client)(new URL(data!, base), {
      method: 'POST',
      headers: { ...bearer(), 'content-type': 'application/json' },
      body: JSON.stringify(hello),
    })
    assert.equal(sent.status, 202)
    assert.equal((await reader.message()).id, 1)
    await reader.cancel()
  })

  test('a file of 20 MB passes through, and a body of 2 MB is refused with the server’s own message', async () => {
    const bytes = randomBytes(20 * 2 ** 20)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const session = await ask('POST', '/api/upload-sessions', {
      body: { name: 'video.bin', size_bytes: bytes.length, sha256 },
    })
    assert.ok(session.json.upload_url.startsWith(`${base}/uploads/`), session.text)
    const put = await proxy.from(client)(session.json.upload_url, { method: 'PUT', body: bytes })
    assert.ok(put.ok, await put.text())
    const refused = await newTask('x'.repeat(2 * 2 ** 20))
    assert.deepEqual([refused.status, refused.json?.code], [413, 'too_large'])
  })

  test('signing in sets https-only cookies for this host, and pages receive live events', async () => {
    const got = await ask('POST', '/web/sign-in', {
      headers: { origin: base, 'sec-fetch-site': 'same-origin' },
      body: { email: 'ann@acme.test', password },
    })
    assert.equal(got.status, 200, got.text)
    const [session] = got.headers.getSetCookie()
    assert.match(session!, /^__Host-ws=[\w-]+; .*Secure/)
    const reader = await follow('/web/events', { cookie: session!.split(';')[0]! })
    await reader.next()
    await newTask('Seen by a page')
    assert.match(JSON.stringify(await reader.next()), /task/)
    await reader.cancel()
  })

  test('http:// redirects to https://, and websocket upgrades are not performed', async () => {
    const outgoing = request({
      host: '127.0.0.1',
      port: proxy.ports.http,
      path: '/tasks?x=1',
      headers: { host: 'work.test' },
    }).end()
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
    answer.resume()
    assert.equal(answer.statusCode, 308)
    assert.match(answer.headers.location!, /^https:\/\/work\.test(:\d+)?\/tasks\?x=1$/)
    const upgradeResponse = await ask('GET', '/api/labels', {
      headers: {
        ...bearer(),
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      },
    })
    assert.notEqual(upgradeResponse.status, 101)
  })
}
