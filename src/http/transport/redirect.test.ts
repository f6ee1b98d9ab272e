import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import { bearerOf } from './cleartext.ts'
import { startRedirect, type Redirect } from './redirect.ts'

let served: ServedWorkspace
let redirect: Redirect
let sentKeys: string[] = []
before(async () => {
  served = await serveWorkspace()
  redirect = await startRedirect(
    { host: '127.0.0.1', port: 0 },
    () => 'https://work.test',
    (key) => sentKeys.push(key),
  )
})
after(async () => {
  await redirect.close()
  await served.close()
})

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${redirect.port}${path}`, { redirect: 'manual', ...init })

test('browser page requests are redirected to https on this host only', async () => {
  for (const path of ['/', '/setup?token=a', '/api/docs', '/tasks/ENG-1']) {
    const got = await ask(path, { headers: { 'x-forwarded-host': 'evil.test' } })
    assert.deepEqual([got.status, got.headers.get('location')], [308, `https://work.test${path}`])
  }
  assert.equal((await ask('//evil.test/x')).headers.get('location'), 'https://work.test/')
})

test('API clients are refused, and the key that they sent is recorded', async () => {
  sentKeys = []
  const requests: [string, string][] = [
    ['GET', '/api/labels'],
    ['POST', '/mcp'],
    ['POST', '/mcp/readonly'],
    ['GET', '/sse'],
    ['POST', '/messages'],
    ['POST', '/web/sign-in'],
    ['GET', '/metrics'],
    ['GET', '/API/labels'],
    ['GET', '/%61pi/labels'],
    ['GET', '/'],
    ['POST', '/setup'],
  ]
  for (const [method, path] of requests) {
    const got = await ask(path, { method, headers: { authorization: `Bearer ${served.bearer}` } })
    assert.equal(got.status, 403, path)
    assert.equal(((await got.json()) as { code: string }).code, 'tls_required')
  }
  assert.deepEqual(new Set(sentKeys), new Set([served.bearer]))
  assert.equal(sentKeys.length, requests.length)
  assert.equal(bearerOf('bearer  x'), 'x')
})
