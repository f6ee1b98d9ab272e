import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { after, before, test, type TestContext } from 'node:test'
import type { DoctorFinding } from '../doctor/finding.ts'
import { minute } from '../../testing/harness.ts'
import { waitLimitMs } from '../../testing/limits.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import type { AddressesOf } from './address.ts'
import { checkSignInSteps } from './check.ts'
import { requestLimits } from './requests.ts'

// The connection steps of an assistant that signs in, through proxies that break one step after the other.

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

const noAddresses: AddressesOf = async () => []
/** The steps with their results; the total time depends on the machine. */
const stepResults = (findings: readonly DoctorFinding[]) =>
  findings
    .filter(({ says }) => !says.startsWith('Discovery took'))
    .map(({ check, state }) => `${check} ${state}`)
const clients = () =>
  served.app.store.read.selectFrom('oauth_clients').select('client_id').execute()

test('the check follows the whole flow up to the consent page, and removes its registration', async () => {
  const before = await clients()
  for (const path of ['/mcp', '/mcp/p/core', '/mcp?preset=core']) {
    const findings = await checkSignInSteps(served.url + path, noAddresses)
    assert.deepEqual(
      stepResults(findings),
      ['challenge ok', 'resource ok', 'server ok', 'client ok', 'consent ok', 'cleanup ok'],
      JSON.stringify(findings),
    )
    served.clock.wait(10 * minute)
  }
  assert.deepEqual(await clients(), before)
  const requests = await served.app.store.read.selectFrom('oauth_requests').selectAll().execute()
  assert.deepEqual(requests, [])
})

type Intercept = (incoming: IncomingMessage, response: ServerResponse) => boolean

/** A proxy for the workspace, under its own name; it answers itself where `spoil` does. */
async function startProxy(t: TestContext, intercept: Intercept): Promise<void> {
  const original = served.url
  const target = new URL(original)
  const proxy = createServer((incoming, response) => {
    if (intercept(incoming, response)) return
    const forwarded = request(
      {
        host: target.hostname,
        port: target.port,
        path: incoming.url,
        method: incoming.method,
        headers: incoming.headers,
      },
      (answer) => {
        const proxyHeaders = response.getHeaders()
        response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...proxyHeaders })
        answer.pipe(response)
      },
    )
    incoming.pipe(forwarded)
  }).listen(0, '127.0.0.1')
  t.after(() => proxy.close())
  await once(proxy, 'listening')
  const address = proxy.address()
  assert.ok(address !== null && typeof address === 'object')
  proxyUrl = `http://127.0.0.1:${address.port}`
}

let proxyUrl = ''

const answerAt = (path: string, answer: (response: ServerResponse) => void): Intercept => {
  return ({ url = '' }, response) => {
    if (!url.startsWith(path)) return false
    answer(response)
    return true
  }
}
const json = (body: unknown) => (response: ServerResponse) =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
const status = (code: number) => (response: ServerResponse) => void response.writeHead(code).end()

const brokenSetups: [what: string, spoil: Intercept, says: RegExp, fix: RegExp][] = [
  [
    'a login page',
    answerAt('/mcp', (response) => response.end('<html>Sign in</html>')),
    /\/mcp answers 200 where it should answer 401/,
    /through the proxy unchanged, without a login page/,
  ],
  [
    'a redirect to a login page',
    answerAt('/mcp', (response) =>
      response.writeHead(302, { location: 'https://login.example/' }).end(),
    ),
    /redirects to https:\/\/login\.example\/; hosted assistants do not follow/,
    /through the proxy/,
  ],
  [
    'an unknown host name',
    answerAt('/mcp', status(421)),
    /does not answer to the name/,
    /set --base-url to the address that people give/,
  ],
  [
    'a challenge for keys only',
    answerAt('/mcp', (response) =>
      response.writeHead(401, { 'www-authenticate': 'Bearer realm="workspace"' }).end(),
    ),
    /takes keys only: connecting by OAuth is off there/,
    /set --oauth to auto or yes/,
  ],
  [
    'a challenge without metadata',
    answerAt('/mcp', (response) => response.writeHead(401, { 'www-authenticate': 'Basic' }).end()),
    /has no resource_metadata in WWW-Authenticate/,
    /through the proxy/,
  ],
  [
    'blocked metadata',
    answerAt('/.well-known/oauth-protected-resource', status(404)),
    /oauth-protected-resource\/mcp answers 404 with no type, where JSON is expected/,
    /\.well-known\/oauth-\* through the proxy/,
  ],
  [
    'metadata of another address',
    answerAt(
      '/.well-known/oauth-protected-resource',
      json({ resource: 'https://inside.example/mcp' }),
    ),
    /is about https:\/\/inside\.example\/mcp, not about/,
    /set --base-url/,
  ],
  [
    'no PKCE',
    ({ headers, url }, response) =>
      answerAt(
        '/.well-known/oauth-authorization-server',
        json({ issuer: `http://${headers.host}`, code_challenge_methods_supported: ['plain'] }),
      )({ url } as IncomingMessage, response),
    /does not offer PKCE with S256/,
    /reach the workspace itself/,
  ],
  [
    'no CORS',
    (_, response) => {
      response.setHeader('access-control-allow-origin', 'https://elsewhere.example')
      return false
    },
    /has no Access-Control-Allow-Origin: \*/,
    /through the proxy/,
  ],
  [
    'a token endpoint answered by something else',
    answerAt('/oauth/token', status(403)),
    /\/oauth\/token answers 403 in place of an OAuth error/,
    /through the proxy/,
  ],
  [
    'an authorization endpoint answered by something else',
    answerAt('/oauth/authorize', (response) => response.end('<html>')),
    /\/oauth\/authorize answers 200 to a request without a program/,
    /through the proxy/,
  ],
  [
    'refused registrations',
    answerAt('/oauth/register', status(403)),
    /\/oauth\/register answers 403 to a registration, where it should answer 201/,
    /through the proxy/,
  ],
  [
    'too many registrations',
    answerAt('/oauth/register', status(429)),
    /too many registrations from here/,
    /try again in some minutes/,
  ],
  [
    'a missing consent page',
    answerAt('/connect/', status(404)),
    /\/connect\/… answers 404 where the consent page should be/,
    /\/connect/,
  ],
  [
    'a consent page that is cut off from its opener',
    ({ url = '' }, response) => {
      if (url.startsWith('/connect/'))
        response.setHeader('cross-origin-opener-policy', 'same-origin')
      return false
    },
    /has Cross-Origin-Opener-Policy: same-origin, which cuts it off/,
    /do not let the proxy add this header/,
  ],
]

for (const [label, spoil, says, fix] of brokenSetups)
  test(`reports ${label} with a fix, and leaves nothing behind`, async (t) => {
    const before = await clients()
    await startProxy(t, spoil)
    const findings = await checkSignInSteps(`${proxyUrl}/mcp`, noAddresses)
    const failed: DoctorFinding[] = findings.filter(({ state }) => state === 'fail')
    assert.equal(failed.length, 1, JSON.stringify(findings))
    assert.match(failed[0]?.says ?? '', says)
    assert.match(failed[0]?.fix ?? '', fix)
    assert.deepEqual(await clients(), before)
    served.clock.wait(10 * minute)
  })

test('without registration the check uses a client document; if neither is accepted, it says so', async (t) => {
  const closed = await serveWorkspace({
    settings: { oauth_registration: 'no', outbound: false },
  })
  t.after(() => closed.close())
  const findings = await checkSignInSteps(`${closed.url}/mcp`, noAddresses)
  assert.deepEqual(
    stepResults(findings),
    ['challenge ok', 'resource ok', 'server ok', 'client ok', 'consent ok'],
    JSON.stringify(findings),
  )
  const manualOnly = await serveWorkspace({
    settings: { oauth_registration: 'no', oauth_documents: 'no' },
  })
  t.after(() => manualOnly.close())
  const refused = (await checkSignInSteps(`${manualOnly.url}/mcp`, noAddresses)).at(-1)
  assert.match(refused?.says ?? '', /takes neither registrations nor documents/)
  assert.match(refused?.fix ?? '', /workspace oauth clients add/)
})

test('plain http to another machine ends the check at once', async () => {
  const findings = await checkSignInSteps('http://work.example/mcp', noAddresses)
  assert.deepEqual(stepResults(findings), ['address fail'])
  assert.match(findings[0]?.says ?? '', /is not https/)
})
