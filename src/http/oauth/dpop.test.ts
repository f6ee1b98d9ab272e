import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import {
  allow,
  authorizationOf,
  authorize,
  loopbackRedirect,
  newPkcePair,
  postForm,
  register,
} from './testing.ts'

let served: ServedWorkspace
let bob: Browser
before(async () => {
  served = await serveWorkspace()
  await givePasswords(served, served.bob)
  bob = await new Browser(served).signIn('bob@acme.test')
})
after(() => served.close())

test('DPoP is neither required nor advertised: tokens are bearer tokens and nothing else', async () => {
  const clientId = await register(served)
  const { verifier, challenge } = newPkcePair()
  const { location } = await authorize(served, {
    ...authorizationOf(clientId, challenge),
    dpop_jkt: 'x'.repeat(43),
  })
  const callback = await allow(bob, location)
  const got = await postForm(
    served,
    '/oauth/token',
    {
      grant_type: 'authorization_code',
      client_id: clientId,
      code: callback.searchParams.get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: loopbackRedirect,
      token_type: 'DPoP',
    },
    { dpop: 'not.a.proof' },
  )
  assert.deepEqual([got.status, got.json.token_type], [200, 'Bearer'], got.text)
  const metadata = await served.ask('GET', '/.well-known/oauth-authorization-server')
  assert.equal(metadata.json.dpop_signing_alg_values_supported, undefined)
  const call = (scheme: string) =>
    fetch(`${served.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `${scheme} ${got.json.access_token}`,
        dpop: 'not.a.proof',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    })
  assert.equal((await call('Bearer')).status, 200)
  const refused = await call('DPoP')
  assert.equal(refused.status, 401)
  assert.match(refused.headers.get('www-authenticate') ?? '', /^Bearer /)
})
