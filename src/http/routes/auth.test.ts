import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { mintKey } from '../../keys/format.ts'
import { revokeKey } from '../../keys/issue.ts'
import { serveWorkspace, type TestResponse, type ServedWorkspace } from '../../testing/server.ts'

let served: ServedWorkspace
before(async () => {
  served = await serveWorkspace()
})
after(() => served.close())

const path = '/api/labels'

function askWith(authorization: string): Promise<TestResponse> {
  return served.ask('GET', path, { key: undefined, headers: { authorization } })
}

test('a request without a key gets the plain challenge', async () => {
  const got = await served.ask('GET', path, { key: undefined })
  assert.equal(got.status, 401)
  assert.equal(got.headers.get('www-authenticate'), 'Bearer realm="workspace"')
  assert.equal(got.headers.get('content-type'), 'application/problem+json; charset=utf-8')
  assert.equal(got.json.code, 'unauthenticated')
})

test('every invalid key gets the same response', async () => {
  const expired = await served.keyFor(served.bob, {
    name: 'short',
    expiresAt: served.clock.now() + 1000,
  })
  const revoked = await served.keyFor(served.bob, { name: 'gone' })
  await revokeKey(served.app.store, served.clock, served.dataDir, { key: revoked.id })
  served.clock.pass(2000)
  const { bearer: key } = served
  const bad = [
    '',
    'Bearer',
    'Bearer x',
    `Bearer ${mintKey().key}`,
    `Bearer ${expired.key}`,
    `Bearer ${revoked.key}`,
    `Bearer ${key}x`,
    `Bearer "${key}"`,
    `Bearer ${key} x`,
    `Bearer ${key}, Bearer ${key}`,
    `Basic ${Buffer.from(`x:${key}`).toString('base64')}`,
    `Bearer ${key.toLowerCase()}`,
    key,
  ]
  const bodies = new Set<string>()
  for (const authorization of bad) {
    const got = await askWith(authorization)
    assert.equal(got.status, 401, authorization)
    assert.equal(
      got.headers.get('www-authenticate'),
      'Bearer realm="workspace", error="invalid_token"',
      authorization,
    )
    bodies.add(JSON.stringify({ ...got.json, request_id: '' }))
  }
  assert.equal(bodies.size, 1)
})

test('the scheme is case-insensitive', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER'])
    assert.equal((await askWith(`${scheme} ${served.bearer}`)).status, 200)
})

test('a key outside the Authorization header is ignored', async () => {
  const { bearer: key } = served
  const placements: [string, Record<string, string>][] = [
    [`${path}?key=${key}`, {}],
    [`${path}?access_token=${key}`, {}],
    [path, { 'x-api-key': key }],
    [path, { cookie: `key=${key}; Authorization=Bearer ${key}` }],
    [path, { 'proxy-authorization': `Bearer ${key}` }],
  ]
  for (const [address, headers] of placements)
    assert.equal(
      (await served.ask('GET', address, { key: undefined, headers })).status,
      401,
      address,
    )
  assert.equal(
    (
      await served.ask('POST', path, {
        key: undefined,
        body: { name: 'x', key, authorization: `Bearer ${key}` },
      })
    ).status,
    401,
  )
})

test('two Authorization headers are refused, even with the same valid key', async () => {
  const line = `Authorization: Bearer ${served.bearer}\r\n`
  const answer = await served.wire(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${line}${line}\r\n`)
  assert.match(answer, /^HTTP\/1.1 401 /)
  assert.match(answer, /error="invalid_token"/)
})

test('authentication comes before any check of address, method, body or arguments', async () => {
  const requests: [string, string, unknown?][] = [
    ['GET', '/api/no/such/thing'],
    ['PUT', path],
    ['POST', path, '{broken'],
    ['POST', path, 'x'.repeat(2 ** 21)],
    ['GET', `${path}?limit=0`],
    ['POST', '/mcp', '[]'],
    ['GET', '/mcp'],
    ['DELETE', '/mcp'],
  ]
  for (const [method, address, body] of requests)
    assert.equal(
      (await served.ask(method, address, { key: undefined, body })).status,
      401,
      `${method} ${address}`,
    )
})

test('a revoked key is refused from the next request on, over REST and MCP', async () => {
  const { key, id } = await served.keyFor(served.carol, { name: 'soon gone' })
  assert.equal((await served.ask('GET', path, { key })).status, 200)
  await revokeKey(served.app.store, served.clock, served.dataDir, { key: id })
  assert.equal((await served.ask('GET', path, { key })).status, 401)
  assert.equal(
    (
      await served.ask('POST', '/mcp', {
        key,
        body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      })
    ).status,
    401,
  )
})

test('a read-only key can read but not write', async () => {
  const { key } = await served.keyFor(served.ann, { name: 'looks', readOnly: true })
  assert.equal((await served.ask('GET', path, { key })).status, 200)
  const got = await served.ask('POST', path, { key, body: { name: 'x' } })
  assert.equal(got.status, 403)
  assert.equal(got.json.code, 'permission_denied')
})

test('MCP answers an invalid key with the same status and challenge, and a JSON-RPC error', async () => {
  const got = await served.ask('POST', '/mcp', {
    key: 'svc_x',
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  })
  assert.equal(got.status, 401)
  assert.equal(
    got.headers.get('www-authenticate'),
    `Bearer realm="workspace", error="invalid_token", resource_metadata="${served.url}/.well-known/oauth-protected-resource/mcp", scope="workspace:read workspace:write"`,
  )
  assert.equal(got.json.jsonrpc, '2.0')
  assert.equal(got.json.error.data.code, 'unauthenticated')
})
