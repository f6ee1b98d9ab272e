import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace } from '../../testing/harness.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import { makeFetch } from '../server.ts'
import { WebApp } from '../web-app.ts'

let served: ServedWorkspace
before(async () => {
  served = await serveWorkspace()
})
after(() => served.close())

function get(lines: string[], target = '/api/labels'): Promise<string> {
  return served.wire(
    `GET ${target} HTTP/1.1\r\n${[...lines, `Authorization: Bearer ${served.bearer}`].join('\r\n')}\r\n\r\n`,
  )
}

function status(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
}

test('the host of the base URL and local host names are accepted', async () => {
  const { port } = new URL(served.url)
  for (const host of [
    'workspace.test',
    'WORKSPACE.test',
    'workspace.test:80',
    `127.0.0.1:${port}`,
    `localhost:${port}`,
    'localhost:9999',
    '[::1]',
  ])
    assert.equal(status(await get([`Host: ${host}`])), 200, host)
})

test('any other host is 421, also in an absolute-form target', async () => {
  for (const host of [
    'evil.test',
    'workspace.test.evil.test',
    'workspace.test:8080',
    '127.0.0.1.evil.test',
    '10.0.0.1',
    'localhost.evil.test',
    'x@workspace.test',
  ]) {
    const answer = await get([`Host: ${host}`])
    assert.equal(status(answer), 421, host)
    assert.match(answer, /"code":"misdirected"/)
  }
  assert.equal(status(await get(['Host: 127.0.0.1'], 'http://evil.test/api/labels')), 421)
  assert.equal(status(await get(['Host: evil.test'], 'http://127.0.0.1/api/labels')), 421)
  assert.equal(status(await get(['Host: 127.0.0.1'], 'http://127.0.0.1/api/labels')), 200)
})

test('a missing or duplicate Host header is 400', async () => {
  assert.equal(status(await get([])), 400)
  assert.equal(status(await served.wire('GET /api/labels HTTP/1.0\r\n\r\n')), 400)
  assert.equal(status(await get(['Host: 127.0.0.1', 'Host: 127.0.0.1'])), 400)
  assert.equal(status(await get(['Host: 127.0.0.1', 'Host: evil.test'])), 400)
})

test('forwarded headers change neither the requested host nor the client address', async () => {
  assert.equal(
    status(
      await get([
        'Host: evil.test',
        'X-Forwarded-Host: workspace.test',
        'Forwarded: host=workspace.test',
      ]),
    ),
    421,
  )
  await get(['Host: 127.0.0.1', 'X-Forwarded-For: 203.0.113.7', 'X-Request-Id: forwarded-one'])
  const row = served.app.store.raw.read
    .prepare("SELECT details_json FROM calls WHERE request_id = 'forwarded-one'")
    .get() as { details_json: string }
  assert.equal(JSON.parse(row.details_json).ip, '127.0.0.1')
})

const mcp = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

test('browser apps can call REST and MCP with their key from any origin', async () => {
  for (const origin of [
    'app://obsidian.md',
    'null',
    'http://localhost:6274',
    'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
    'https://tools.example.org',
  ]) {
    for (const [method, path, body] of [
      ['GET', '/api/labels', undefined],
      ['POST', '/mcp', mcp],
    ] as const) {
      const answer = await served.ask(method, path, { headers: { origin }, body })
      assert.equal(answer.status, 200, `${path} ${origin}: ${answer.text}`)
      assert.equal(answer.headers.get('access-control-allow-origin'), '*')
      assert.match(answer.headers.get('access-control-expose-headers') ?? '', /mcp-session-id/)
      const preflight = await served.ask('OPTIONS', path, {
        key: undefined,
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization, content-type, mcp-protocol-version',
        },
      })
      assert.equal(preflight.status, 204)
      assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
      assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /authorization/)
    }
    const { status, headers } = await served.ask('POST', '/mcp', {
      key: undefined,
      headers: { origin },
      body: mcp,
    })
    assert.equal(status, 401, 'without a key it gets no access')
    assert.equal(
      headers.get('access-control-allow-origin'),
      '*',
      'and the page can read the challenge',
    )
  }
  const sameOrigin = await served.ask('GET', '/api/labels', {})
  assert.equal(sameOrigin.headers.get('access-control-allow-origin'), null)
})

test('pages of other sites cannot reach cookie-authenticated endpoints', async () => {
  for (const path of ['/web/session', '/scim/v2/Users']) {
    const { status, headers } = await served.ask('GET', path, {
      headers: { origin: 'https://evil.test' },
    })
    assert.equal(status, 403, path)
    assert.equal(headers.get('access-control-allow-origin'), null)
  }
})

test('pages of unlisted origins can call neither REST nor MCP; pages of this site can', async (t) => {
  const served = await serveWorkspace({ settings: { api_origins: 'https://tools.example.org' } })
  t.after(() => served.close())
  const { port } = new URL(served.url)
  const statusesFrom = async (origin: string) => [
    (await served.ask('GET', '/api/labels', { headers: { origin } })).status,
    (await served.ask('POST', '/mcp', { headers: { origin }, body: mcp })).status,
  ]
  assert.deepEqual(await statusesFrom('https://tools.example.org'), [200, 200])
  for (const origin of [
    'http://evil.test',
    'null',
    'https://workspace.test',
    'http://workspace.test.evil.test',
    'http://workspace.test:8080',
    `http://localhost:${port}`,
    'http://WORKSPACE.test/',
  ])
    assert.deepEqual(await statusesFrom(origin), [403, 403], origin)
  assert.deepEqual(await statusesFrom('http://workspace.test'), [200, 200])
  const refused = await served.ask('POST', '/mcp', {
    headers: { origin: 'http://evil.test' },
    body: mcp,
  })
  assert.equal(refused.json.error.data.code, 'permission_denied')
})

test('with a local base URL, all local names on the same port count as this site', async () => {
  const workspace = await makeWorkspace({ settings: { api_origins: 'none' } })
  workspace.app.baseUrl = 'http://localhost:8787'
  const fetch = makeFetch(workspace.app)
  const statusFrom = async (origin: string) =>
    (await fetch(new Request('http://127.0.0.1:8787/api/labels', { headers: { origin } }))).status
  for (const origin of ['http://localhost:8787', 'http://127.0.0.1:8787', 'http://[::1]:8787'])
    assert.equal(await statusFrom(origin), 401, origin)
  for (const origin of ['http://localhost:8788', 'https://localhost:8787', 'http://localhost'])
    assert.equal(await statusFrom(origin), 403, origin)
  await workspace.close()
})

test('a server bound to a network address accepts only the host of its base URL, except for health', async () => {
  const workspace = await makeWorkspace()
  workspace.app.baseUrl = 'https://work.acme.test'
  const web = new WebApp(workspace.app, { host: '0.0.0.0' })
  const statusOf = async (url: string) => (await web.fetch(new Request(url))).status
  assert.equal(await statusOf('https://work.acme.test/'), 200)
  assert.equal(await statusOf('http://work.acme.test:443/'), 200)
  for (const url of ['http://localhost/', 'http://127.0.0.1:8787/', 'http://192.0.2.1/'])
    assert.equal(await statusOf(url), 421, url)
  assert.equal(await statusOf('http://10.1.2.3:8787/healthz'), 200)
  const got = await web.fetch(new Request('https://work.acme.test/'))
  assert.match(got.headers.get('strict-transport-security')!, /max-age=31536000/)
  await workspace.close()
})
