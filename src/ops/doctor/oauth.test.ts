import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { after, before, test, type TestContext } from 'node:test'
import { waitLimitMs } from '../../testing/limits.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import { addressTroubles, type AddressesOf, type NamedAddress } from '../discovery/address.ts'
import { requestLimits } from '../discovery/requests.ts'
import { checkDiscovery } from './oauth.ts'

let served: ServedWorkspace
const { timeoutMs } = requestLimits
before(async () => {
  requestLimits.timeoutMs = waitLimitMs
  served = await serveWorkspace()
})
after(async () => {
  requestLimits.timeoutMs = timeoutMs
  await served.close()
})

const addressesByHost: Record<string, NamedAddress[]> = {
  '10.0.0.7': [{ address: '10.0.0.7', isPublic: false }],
  'work.example': [{ address: '93.184.216.34', isPublic: true }],
  'six.example': [{ address: '2606:2800:21f::1', isPublic: true }],
}
const addressesOf: AddressesOf = async (host) => addressesByHost[host] ?? []
const localSettings = { base_url: '', oauth: 'auto' }

async function startOtherServer(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return `http://127.0.0.1:${address.port}`
}

test('discovery from the address to the sign-in succeeds on our own server', async () => {
  const findings = await checkDiscovery(served, localSettings, addressesOf)
  assert.deepEqual(findings, [
    {
      check: 'oauth',
      state: 'ok',
      says: `Assistants find their way from ${served.url}/mcp to the sign-in.`,
    },
  ])
})

test('obstacles are reported', async (t) => {
  const metadata = (path: string) => `Bearer resource_metadata="http://${path}"`
  const cases: [RequestListener, RegExp][] = [
    [(_, response) => response.end('<html>Sign in</html>'), /\/mcp answers 200 where it should/],
    [
      (_, response) => response.writeHead(302, { location: 'https://login.example/' }).end(),
      /redirects to https:\/\/login\.example\//,
    ],
    [(_, response) => response.writeHead(401).end(), /no resource_metadata in WWW-Authenticate/],
    [
      ({ url, headers }, response) =>
        url === '/mcp'
          ? response
              .writeHead(401, { 'www-authenticate': metadata(`${headers.host}/metadata`) })
              .end()
          : response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      /\/metadata answers 200 with text\/html, where JSON is expected/,
    ],
    [
      ({ url, headers }, response) =>
        url === '/mcp'
          ? response
              .writeHead(401, { 'www-authenticate': metadata(`${headers.host}/metadata`) })
              .end()
          : response.end(JSON.stringify({ resource: 'https://inside.example/mcp' })),
      /is about https:\/\/inside\.example\/mcp, not about/,
    ],
  ]
  for (const [answer, says] of cases) {
    const [finding, ...more] = await checkDiscovery(
      { url: await startOtherServer(t, answer) },
      localSettings,
      addressesOf,
    )
    assert.equal(more.length, 0)
    assert.equal(finding?.state, 'warn')
    assert.match(finding?.says ?? '', says)
  }
})

test('an address that accepts connections and does not answer is reported after the limit', async (t) => {
  const limitMs = requestLimits.timeoutMs
  requestLimits.timeoutMs = 50
  t.after(() => {
    requestLimits.timeoutMs = limitMs
  })
  const [finding] = await checkDiscovery(
    { url: await startOtherServer(t, () => {}) },
    localSettings,
    addressesOf,
  )
  assert.deepEqual(finding?.state, 'warn')
  assert.match(finding.says, /\/mcp did not answer within 0\.05 seconds/)
})

test('an address that hosted assistants cannot reach is reported', async () => {
  const reportFor = async (address: string) => {
    const troubles = await addressTroubles(new URL(address), addressesOf)
    return troubles.map(({ says }) => says).join('\n')
  }
  assert.match(await reportFor('http://work.example'), /is not https/)
  assert.match(await reportFor('https://10.0.0.7:8443'), /is on port 8443[^]*cannot reach private/)
  assert.match(await reportFor('https://nowhere.invalid'), /nowhere\.invalid is not in the DNS/)
  assert.match(await reportFor('https://six.example'), /has no IPv4 address/)
  assert.equal(await reportFor('https://work.example'), '')
  const off = await checkDiscovery(
    served,
    { base_url: 'https://work.example', oauth: 'no' },
    addressesOf,
  )
  assert.deepEqual(
    off.map(({ state }) => state),
    ['ok'],
  )
})
