import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setClientPolicy } from '../../oauth/client-list.ts'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { serveWorkspace, type ServedWorkspace, type TestResponse } from '../../testing/server.ts'
import {
  allow,
  authorizationOf,
  authorize,
  connectProgram,
  loopbackRedirect,
  newPkcePair,
  register,
} from './testing.ts'

let served: ServedWorkspace
before(async () => {
  served = await serveWorkspace()
  await givePasswords(served, served.bob)
})
after(() => served.close())

interface Registration {
  client_id: string
  registration_client_uri: string
  registration_access_token: string
}

async function registerWithSecret(): Promise<Registration> {
  const got = await served.ask('POST', '/oauth/register', {
    key: undefined,
    body: {
      client_name: 'With a secret',
      redirect_uris: [loopbackRedirect],
      token_endpoint_auth_method: 'client_secret_basic',
    },
  })
  assert.equal(got.status, 201, got.text)
  return got.json
}

const remove = (clientId: string, token: string | undefined): Promise<TestResponse> =>
  served.ask('DELETE', `/oauth/register/${clientId}`, { key: token })

const startAuthorization = (clientId: string) =>
  authorize(served, authorizationOf(clientId, newPkcePair().challenge))

test('a client’s own registration is deleted with its token, along with its pending authorization requests', async () => {
  const { client_id, registration_client_uri, registration_access_token } =
    await registerWithSecret()
  assert.equal(registration_client_uri, `${served.url}/oauth/register/${client_id}`)
  assert.match((await startAuthorization(client_id)).location.pathname, /^\/connect\//)
  const got = await remove(client_id, registration_access_token)
  assert.deepEqual([got.status, got.text], [204, ''])
  assert.equal((await startAuthorization(client_id)).status, 400)
  assert.equal((await remove(client_id, registration_access_token)).status, 401)
})

test('no other token deletes a registration, and a shared registration has no token', async () => {
  const [first, other] = [await registerWithSecret(), await registerWithSecret()]
  const shared = await register(served)
  const { key } = await served.keyFor(served.ann)
  for (const [clientId, token] of [
    [first.client_id, other.registration_access_token],
    [first.client_id, key],
    [first.client_id, undefined],
    [first.client_id, 'x'],
    [shared, first.registration_access_token],
    ['cl_unknown', first.registration_access_token],
    ['x%00', first.registration_access_token],
  ] as const) {
    const got = await remove(clientId, token)
    assert.deepEqual([got.status, got.json.error], [401, 'invalid_client'], got.text)
  }
  const again = await served.ask('POST', '/oauth/register', {
    key: undefined,
    body: { client_name: 'Test program', redirect_uris: [loopbackRedirect] },
  })
  assert.equal(again.json.client_id, shared)
  assert.ok(!('registration_access_token' in again.json))
})

test('a client that is connected, or decided on by an administrator, cannot be deleted', async () => {
  const bob = await new Browser(served).signIn('bob@acme.test')
  const connected = await registerWithSecret()
  await allow(bob, (await startAuthorization(connected.client_id)).location)
  const decided = await registerWithSecret()
  await setClientPolicy(served.app.store, served.clock.now(), decided.client_id, 'refuse')
  for (const { client_id, registration_access_token } of [connected, decided]) {
    const got = await remove(client_id, registration_access_token)
    assert.deepEqual([got.status, got.json.error], [403, 'access_denied'], got.text)
  }
})

test('no other kind of token deletes a registration, and other methods are refused in JSON', async () => {
  const { client_id, registration_access_token } = await registerWithSecret()
  const bob = await new Browser(served).signIn('bob@acme.test')
  const { access, refresh } = await connectProgram(served, bob)
  for (const token of [access, refresh, `${registration_access_token}x`, 'x'.repeat(4000)]) {
    const got = await remove(client_id, token)
    assert.deepEqual([got.status, got.json.error], [401, 'invalid_client'], got.text)
  }
  for (const method of ['GET', 'PUT', 'PATCH', 'POST']) {
    const got = await served.ask(method, `/oauth/register/${client_id}`, {
      key: registration_access_token,
      ...(method === 'GET' ? {} : { body: { client_name: 'Other' } }),
    })
    assert.equal(got.status, 405, `${method}: ${got.text}`)
    assert.match(got.headers.get('content-type') ?? '', /json/)
  }
  assert.equal((await remove(client_id, registration_access_token)).status, 204)
})
