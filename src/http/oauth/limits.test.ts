import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { serveWorkspace, type ServedWorkspace, type TestResponse } from '../../testing/server.ts'
import {
  authorizationOf,
  callTool,
  connectProgram,
  loopbackRedirect,
  newPkcePair,
  postForm,
  register,
} from './testing.ts'

// Each address has its own count per endpoint, and receives an OAuth error with the time to retry.

let served: ServedWorkspace
let clientId: string
before(async () => {
  served = await serveWorkspace({ settings: { limits: true } })
  await givePasswords(served, served.bob)
  clientId = await register(served)
})
after(() => served.close())

/** Repeats requests until limited; returns that answer and the number answered before. */
async function exhaust(
  ask: () => Promise<TestResponse>,
  maxRequests = 100,
): Promise<{ answered: number; refused: TestResponse }> {
  for (let answered = 0; answered < maxRequests; answered++) {
    const got = await ask()
    if (got.status === 429) return { answered, refused: got }
  }
  throw new Error(`None of ${maxRequests} requests was too many.`)
}

function requireSlowDown({ status, json, headers }: TestResponse, maxSeconds: number): void {
  assert.deepEqual([status, json?.error], [429, 'slow_down'])
  assert.match(json.error_description, /^Too many/)
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('access-control-allow-origin'), '*')
  const seconds = Number(headers.get('retry-after'))
  assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= maxSeconds, `${seconds}`)
}

const refresh = () =>
  postForm(served, '/oauth/token', {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: 'wrt_guessed',
  })

const newRegistration = () =>
  served.ask('POST', '/oauth/register', {
    key: undefined,
    body: { client_name: 'Again', redirect_uris: [loopbackRedirect] },
  })

test('excess token, revocation or removal requests are slow_down with Retry-After; other callers are unaffected', async () => {
  const bob = await new Browser(served).signIn('bob@acme.test')
  const { access } = await connectProgram(served, bob)
  for (const ask of [
    refresh,
    () => postForm(served, '/oauth/revoke', { client_id: clientId, token: 'wat_x' }),
    () => served.ask('DELETE', `/oauth/register/${clientId}`, { key: 'wcs_x' }),
  ]) {
    served.clock.wait(60_000)
    const { answered, refused } = await exhaust(ask)
    assert.ok(answered >= 15, `${answered} were answered`)
    requireSlowDown(refused, 60)
    assert.equal((await newRegistration()).status, 201, 'registrations have a count of their own')
    assert.equal((await callTool(served, access)).status, 200, 'valid tokens still work')
    served.clock.wait(Number(refused.headers.get('retry-after')) * 1000)
    assert.notEqual((await ask()).status, 429, 'requests are accepted again after that time')
  }
})

test('an address can make twenty registrations an hour; the next is slow_down with the time to wait', async () => {
  served.clock.wait(3_600_000)
  const { answered, refused } = await exhaust(newRegistration)
  assert.equal(answered, 20)
  requireSlowDown(refused, 180)
  assert.equal((await refresh()).json.error, 'invalid_grant', 'tokens have a count of their own')
  served.clock.wait(Number(refused.headers.get('retry-after')) * 1000)
  assert.equal((await newRegistration()).status, 201)
})

test('excess authorization requests show the person a page with 429 and Retry-After', async () => {
  served.clock.wait(60_000)
  const query = new URLSearchParams(authorizationOf(clientId, newPkcePair().challenge))
  const ask = (accept: string) => () =>
    served.ask('GET', `/oauth/authorize?${query}`, { key: undefined, headers: { accept } })
  const { refused } = await exhaust(ask('text/html'))
  assert.match(refused.text, /Too many requests[^]*Nothing was connected/)
  assert.match(refused.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  assert.ok(Number(refused.headers.get('retry-after')) >= 1)
  const asProgram = await ask('application/json')()
  assert.deepEqual([asProgram.status, asProgram.json.error], [429, 'slow_down'])
})
