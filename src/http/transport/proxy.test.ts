import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parseNetworks } from '../../kernel/networks.ts'
import { serveWorkspace, type TestResponse, type ServedWorkspace } from '../../testing/server.ts'
import { Proxies } from './proxy.ts'
import { untilTrue } from '../../testing/limits.ts'

const proxies = new Proxies(parseNetworks('127.0.0.1, 10.0.0.0/8, fd00::/8')!)

function ipOf(peer: string, chain?: string): string {
  return proxies.senderOf(peer, false, (name) => (name === 'x-forwarded-for' ? chain : undefined))
    .ip
}

test('forwarded addresses are trusted only from configured proxies', () => {
  assert.equal(ipOf('203.0.113.9', '198.51.100.1'), '203.0.113.9')
  assert.equal(ipOf('127.0.0.1', '198.51.100.1'), '198.51.100.1')
  assert.equal(ipOf('::ffff:127.0.0.1', '198.51.100.1'), '198.51.100.1')
  assert.equal(ipOf('fd00::17', '2001:db8::1'), '2001:db8::1')
  assert.equal(ipOf('10.255.0.1'), '10.255.0.1')
  assert.equal(new Proxies([]).senderOf('127.0.0.1', false, () => '1.2.3.4').ip, '127.0.0.1')
})

test('in a chain, addresses before the last untrusted one are ignored', () => {
  assert.equal(ipOf('127.0.0.1', '8.8.8.8, 198.51.100.1'), '198.51.100.1')
  assert.equal(ipOf('127.0.0.1', '8.8.8.8, 198.51.100.1, 10.0.0.7'), '198.51.100.1')
  assert.equal(
    ipOf('127.0.0.1', '10.0.0.8, 10.0.0.7'),
    '10.0.0.8',
    'in a chain of proxies only, the first one is the client',
  )
  assert.equal(ipOf('127.0.0.1', '8.8.8.8, nonsense, 10.0.0.7'), '10.0.0.7')
  assert.equal(ipOf('127.0.0.1', '198.51.100.1:4711'), '198.51.100.1')
  assert.equal(ipOf('127.0.0.1', '[2001:db8::1]:4711'), '2001:db8::1')
  assert.equal(ipOf('127.0.0.1', ','), '127.0.0.1')
})

test('networks are given as lists of addresses with or without a prefix length', () => {
  for (const text of ['', '127.0.0.1', '10.0.0.0/8,fd00::/8', ' ::1 , 192.0.2.0/24 '])
    assert.ok(parseNetworks(text), text)
  for (const text of ['localhost', '10.0.0.0/33', '::/129', '10.0.0/8', '1.2.3.4/x', '0x7f.1', '1'])
    assert.equal(parseNetworks(text), undefined, text)
})

let served: ServedWorkspace
before(async () => {
  served = await serveWorkspace({
    settings: {
      trusted_proxies: '127.0.0.1',
      base_url: 'https://work.test',
      also_at: 'https://work.lan:8443',
      limits: true,
      api_origins: 'none',
    },
  })
  served.app.baseUrl = 'https://work.test'
})
after(() => served.close())

const proxyHeaders = (scheme: string, more: Record<string, string> = {}) => ({
  'x-forwarded-proto': scheme,
  'x-forwarded-host': 'work.test',
  ...more,
})
const askLabels = (headers: Record<string, string>): Promise<TestResponse> =>
  served.ask('GET', '/api/labels', { headers })

test('an https request via a trusted proxy is served, with its address in the call log and HSTS in the response', async () => {
  const got = await askLabels(proxyHeaders('https', { 'x-forwarded-for': '8.8.8.8, 198.51.100.7' }))
  assert.equal(got.status, 200)
  assert.equal(got.headers.get('strict-transport-security'), 'max-age=31536000')
  const row = served.app.store.raw.read
    .prepare('SELECT details_json FROM calls ORDER BY seq DESC LIMIT 1')
    .get() as { details_json: string }
  assert.match(row.details_json, /198\.51\.100\.7/)
})

test('a plain-http request via the proxy is 403 tls_required for API clients, and its key counts as exposed', async () => {
  for (const headers of [
    proxyHeaders('http'),
    proxyHeaders('https, http'),
    { 'x-forwarded-host': 'work.test' },
  ]) {
    const got = await askLabels(headers)
    assert.deepEqual([got.status, got.json.code], [403, 'tls_required'], JSON.stringify(headers))
    assert.match(got.json.message, /https:\/\/work\.test/)
  }
  const mcp = await served.ask('POST', '/mcp', {
    headers: proxyHeaders('http'),
    body: { jsonrpc: '2.0', id: 1, method: 'ping' },
  })
  assert.equal(mcp.status, 403)
  assert.equal(mcp.json.error.data.code, 'tls_required')
  const findingCount = () =>
    served.app.store.raw.read
      .prepare("SELECT count(*) FROM abuse_findings WHERE rule = 'exposed-key'")
      .pluck()
      .get() as number
  await untilTrue(() => findingCount() > 0, 'no finding was recorded')
})

test('a browser page requested over plain http is redirected to https on the configured host', async () => {
  const got = await fetch(`${served.url}/setup?token=x`, {
    headers: proxyHeaders('http', { 'x-forwarded-host': 'evil.test' }),
    redirect: 'manual',
  })
  assert.deepEqual(
    [got.status, got.headers.get('location')],
    [308, 'https://work.test/setup?token=x'],
  )
})

test('the host forwarded by the proxy is the one that counts', async () => {
  assert.equal(
    (await askLabels(proxyHeaders('https', { 'x-forwarded-host': 'work.lan:8443' }))).status,
    200,
  )
  assert.equal(
    (await askLabels(proxyHeaders('https', { 'x-forwarded-host': 'evil.test' }))).status,
    421,
  )
  assert.equal(
    (
      await askLabels(
        proxyHeaders('https', { 'x-forwarded-host': 'work.test', origin: 'https://work.lan:8443' }),
      )
    ).status,
    200,
  )
  assert.equal((await askLabels(proxyHeaders('https', { origin: 'https://work.lan' }))).status, 403)
})

test('an unlisted proxy is not trusted for address, https or host', async () => {
  const other = await serveWorkspace()
  try {
    const got = await other.ask('GET', '/api/labels', {
      headers: proxyHeaders('https', {
        'x-forwarded-for': '198.51.100.7',
        'x-forwarded-host': 'evil.test',
      }),
    })
    assert.equal(got.status, 200)
    assert.equal(got.headers.get('strict-transport-security'), null)
    const row = other.app.store.raw.read
      .prepare('SELECT details_json FROM calls ORDER BY seq DESC LIMIT 1')
      .get() as { details_json: string }
    assert.doesNotMatch(row.details_json, /198\.51\.100\.7/)
  } finally {
    await other.close()
  }
})

test('health is served over any scheme', async () => {
  assert.equal((await served.ask('GET', '/healthz')).status, 200)
})
