import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose'
import { registerManually } from '../../oauth/clients.ts'
import { setClientPolicy } from '../../oauth/client-list.ts'
import { manualMetadata } from '../../oauth/metadata.ts'
import { nonPublicHosts } from '../../outbound/testing.ts'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { minute } from '../../testing/harness.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import {
  allow,
  authorize,
  postForm,
  loopbackRedirect,
  newPkcePair,
  nowhere,
  register,
  authorizationOf,
} from './testing.ts'

let served: ServedWorkspace
let bob: Browser
before(async () => {
  served = await serveWorkspace({ settings: { outbound: false } }) // documents cannot be fetched: built-in copies are used
  await givePasswords(served, served.bob)
  bob = await new Browser(served).signIn('bob@acme.test')
})
after(() => served.close())

test('redirect addresses resembling those of a client are refused on our own page without a redirect', async () => {
  const claude = 'https://claude.ai/oauth/mcp-oauth-client-metadata'
  const good = 'https://claude.ai/api/mcp/auth_callback'
  const lookalikes: [string, string][] = [
    ['https://claude.ai.evil.example/oauth/mcp-oauth-client-metadata', good],
    ['https://claude.ai:8443/oauth/mcp-oauth-client-metadata', good],
    ['https://me@claude.ai/oauth/mcp-oauth-client-metadata', good],
    ['https://claude.ai/oauth/%2e%2e/mcp-oauth-client-metadata', good],
    ['https://claude.ai/oauth/../oauth/mcp-oauth-client-metadata', good],
    ['https://claude.ai/oauth/mcp-oauth-client-metadata/', good],
    ['http://claude.ai/oauth/mcp-oauth-client-metadata', good],
    ['https://claude.ai/oauth/mcp-oauth-client-metadata#x', good],
    ...nonPublicHosts.map((host): [string, string] => [`https://${host}/client.json`, good]),
    [claude, 'https://claude.ai.evil.example/api/mcp/auth_callback'],
    [claude, `${good}/`],
    [claude, `${good}?next=https://evil.example`],
    [claude, `${good}#x`],
    [claude, 'https://me@claude.ai/api/mcp/auth_callback'],
    [claude, 'https://claude.ai/api/mcp/../mcp/auth_callback'],
    [claude, 'https://claude.ai:443/api/mcp/auth_callback'],
    [claude, 'http://claude.ai/api/mcp/auth_callback'],
    [claude, 'http://localhost:1234/callback'],
    [
      'https://claude.ai/oauth/claude-code-client-metadata',
      'http://localhost@evil.example/callback',
    ],
    [
      'https://claude.ai/oauth/claude-code-client-metadata',
      'http://localhost.evil.example/callback',
    ],
    ['https://claude.ai/oauth/claude-code-client-metadata', 'http://[::1]:80/callback'],
    ['https://claude.ai/oauth/claude-code-client-metadata', 'https://localhost/callback'],
    ['cl_unknown', loopbackRedirect],
  ]
  for (const [clientId, redirect] of lookalikes) {
    const { status, location, text } = await authorize(
      served,
      authorizationOf(clientId, newPkcePair().challenge, redirect),
    )
    assert.deepEqual([status, location.href], [400, nowhere], `${clientId} ${redirect}`)
    assert.match(text, /cannot be connected/)
    assert.doesNotMatch(text, /<script|onerror/i)
  }
})

test('other authorization errors are returned to the client with its state and our issuer', async () => {
  const clientId = await register(served)
  const { challenge } = newPkcePair()
  const good = authorizationOf(clientId, challenge)
  const wrong: [Record<string, string>, string][] = [
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
    [{ code_challenge: '' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
    [{ resource: `${served.url}/api` }, 'invalid_target'],
    [{ resource: `${served.url}/mcp/x/nothing` }, 'invalid_target'],
    [{ resource: 'noise' }, 'invalid_target'],
    [{ request: 'x' }, 'request_not_supported'],
    [{ request_uri: 'https://x.example' }, 'request_uri_not_supported'],
    [{ prompt: 'none' }, 'interaction_required'],
  ]
  for (const [more, error] of wrong) {
    const { status, location } = await authorize(served, { ...good, ...more })
    assert.equal(status, 303)
    assert.equal(location.origin + location.pathname, loopbackRedirect)
    const received = location.searchParams
    assert.deepEqual(
      [received.get('error'), received.get('state'), received.get('iss'), received.get('code')],
      [error, 'a state', served.url, null],
      JSON.stringify(more),
    )
  }
  const { code_challenge: _, ...withoutChallenge } = good
  const { location } = await authorize(served, withoutChallenge)
  assert.equal(location.searchParams.get('error'), 'invalid_request', 'PKCE is mandatory')
})

test('identical registrations get the same id; an invalid one is refused per RFC 7591', async () => {
  assert.equal(await register(served), await register(served))
  assert.notEqual(await register(served), await register(served, { client_name: 'Other' }))
  const wrong: [unknown, string][] = [
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{}, 'invalid_redirect_uri'],
    [{ redirect_uris: ['http://evil.example/callback'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['data:text/html,x'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [`https://x.example/${'x'.repeat(600)}`] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [loopbackRedirect], grant_types: ['password'] }, 'invalid_client_metadata'],
    [
      { redirect_uris: [loopbackRedirect], token_endpoint_auth_method: 'tls_client_auth' },
      'invalid_client_metadata',
    ],
    [
      { redirect_uris: [loopbackRedirect], token_endpoint_auth_method: 'private_key_jwt' },
      'invalid_client_metadata',
    ],
    [[], 'invalid_client_metadata'],
    ['{broken', 'invalid_request'],
  ]
  for (const [body, error] of wrong) {
    const got = await served.ask('POST', '/oauth/register', { key: undefined, body })
    assert.deepEqual([got.status, got.json?.error], [400, error], JSON.stringify(body))
  }
})

test('a custom URI scheme can be registered alongside others, but an unknown one is never redirected to', async () => {
  const clientId = await register(served, {
    redirect_uris: ['evil-app://callback', loopbackRedirect],
  })
  const { challenge } = newPkcePair()
  assert.equal(
    (await authorize(served, authorizationOf(clientId, challenge, 'evil-app://callback'))).status,
    400,
  )
  assert.equal((await authorize(served, authorizationOf(clientId, challenge))).status, 303)
})

test('a client name is shown on one line without bidirectional control characters', async () => {
  const clientId = await register(served, { client_name: 'Cla\u202eude\n\n<b>\u0000 '.repeat(20) })
  const { location } = await authorize(served, authorizationOf(clientId, newPkcePair().challenge))
  const token = location.pathname.replace('/connect/', '')
  const { name } = (await bob.get(`/web/connect/requests/${token}`)).json.client
  assert.ok(name.length <= 100)
  assert.doesNotMatch(name, /[\p{C}\n]/u)
})

test('a manually added client authenticates with its secret only, in the header or the form', async () => {
  const redirect = 'https://global.consent.azure-apim.net/redirect/crew'
  const { store } = served.app
  const { client, secret } = await store.writer.run(() =>
    registerManually(store, served.clock.now(), manualMetadata('Copilot Studio', [redirect])),
  )
  const basic = (name: string, password: string) => ({
    authorization: `Basic ${Buffer.from(`${encodeURIComponent(name)}:${encodeURIComponent(password)}`).toString('base64')}`,
  })
  const newGrant = async () => {
    const { verifier, challenge } = newPkcePair()
    const { location } = await authorize(
      served,
      authorizationOf(client.clientId, challenge, redirect),
    )
    const callback = await allow(bob, location)
    return {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: redirect,
    }
  }
  const grant = await newGrant()
  const id = { client_id: client.clientId }
  for (const [fields, headers] of [
    [{ ...grant, ...id }, {}],
    [{ ...grant, ...id, client_secret: 'wcs_wrong' }, {}],
    [grant, basic(client.clientId, 'wrong')],
    [grant, { authorization: 'Basic !!!' }],
    [{ ...grant, ...id, client_secret: secret }, basic(client.clientId, secret)],
    [{ ...grant, client_id: 'cl_other', client_secret: secret }, {}],
  ] as const) {
    const got = await postForm(served, '/oauth/token', fields, headers)
    assert.deepEqual([got.status, got.json.error], [401, 'invalid_client'], got.text)
  }
  assert.equal(
    (await postForm(served, '/oauth/token', grant, basic(client.clientId, secret))).status,
    200,
  )
  const again = await postForm(served, '/oauth/token', {
    ...(await newGrant()),
    ...id,
    client_secret: secret,
  })
  assert.equal(again.status, 200)
  await store.writer.run(() =>
    setClientPolicy(store, served.clock.now(), client.clientId, 'refuse'),
  )
  const refused = await postForm(
    served,
    '/oauth/token',
    { grant_type: 'refresh_token', refresh_token: again.json.refresh_token },
    basic(client.clientId, secret),
  )
  assert.deepEqual([refused.status, refused.json.error], [401, 'invalid_client'])
  assert.equal(
    (await authorize(served, authorizationOf(client.clientId, newPkcePair().challenge, redirect)))
      .status,
    400,
  )
})

test('a signed assertion is valid once, within its lifetime, for this server, signed with the client’s own key', async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const otherKeys = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256' }
  const clientId = await register(served, {
    client_name: 'Signing',
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [jwk] },
  })
  let serial = 0
  const signAssertion = (
    more: { aud?: string; key?: CryptoKey; iss?: string; exp?: number; jti?: string } = {},
  ) =>
    new SignJWT({ jti: more.jti ?? `jti-${serial++}` })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(more.iss ?? clientId)
      .setSubject(clientId)
      .setAudience(more.aud ?? served.url)
      .setExpirationTime(Math.floor(served.clock.now() / 1000) + (more.exp ?? 60))
      .sign(more.key ?? privateKey)
  const { verifier, challenge } = newPkcePair()
  const { location } = await authorize(served, authorizationOf(clientId, challenge))
  const callback = await allow(bob, location)
  const send = (assertion: string, fields: Record<string, string> = {}) =>
    postForm(served, '/oauth/token', {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: loopbackRedirect,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
      ...fields,
    })
  const unsignedHeader = Buffer.from('{"alg":"none"}').toString('base64url')
  const claims = Buffer.from(
    JSON.stringify({ iss: clientId, sub: clientId, aud: served.url, exp: 9e9, jti: 'x' }),
  )
  for (const assertion of [
    await signAssertion({ aud: 'https://other.example' }),
    await signAssertion({ key: otherKeys.privateKey }),
    await signAssertion({ iss: 'somebody else' }),
    await signAssertion({ exp: -120 }),
    await signAssertion({ exp: 2 * 3600 }),
    await signAssertion({ jti: '' }),
    `${unsignedHeader}.${claims.toString('base64url')}.`,
    'noise',
  ]) {
    const got = await send(assertion)
    assert.deepEqual([got.status, got.json.error], [401, 'invalid_client'], got.text)
  }
  const plain = await send('', { client_assertion: '', client_id: clientId })
  assert.equal(plain.json.error, 'invalid_client', 'a client_id alone does not authenticate')
  const assertion = await signAssertion({ aud: `${served.url}/oauth/token` })
  const tokens = await send(assertion)
  assert.equal(tokens.status, 200, tokens.text)
  assert.equal((await send(assertion)).json.error, 'invalid_client', 'an assertion works once')
  served.clock.wait(5 * minute)
})

/** OAuth grants that this server does not support. */
const unsupportedGrants = [
  'password',
  'client_credentials',
  'implicit',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:ietf:params:oauth:grant-type:device_code',
  'urn:ietf:params:oauth:grant-type:token-exchange',
]

test('unsupported grants in a registration are ignored, and only supported ones are granted', async () => {
  const got = await served.ask('POST', '/oauth/register', {
    key: undefined,
    body: {
      client_name: 'Of many grants',
      redirect_uris: [loopbackRedirect],
      grant_types: ['authorization_code', 'refresh_token', ...unsupportedGrants],
      response_types: ['code', 'id_token token'],
    },
  })
  assert.deepEqual(
    [got.status, got.json.grant_types, got.json.response_types],
    [201, ['authorization_code', 'refresh_token'], ['code']],
  )
  const { location } = await authorize(
    served,
    authorizationOf(got.json.client_id, newPkcePair().challenge),
  )
  assert.match(location.pathname, /^\/connect\//)
})

test('the token endpoint answers every bad request in JSON and never with a server error', async () => {
  const clientId = await register(served)
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const bad: [string, Record<string, string>, number, string][] = [
    ['', {}, 401, 'invalid_client'],
    ['client_id=', {}, 401, 'invalid_client'],
    [`client_id=${clientId}`, {}, 400, 'invalid_request'],
    ...unsupportedGrants.map((grant): [string, Record<string, string>, number, string] => [
      `client_id=${clientId}&grant_type=${encodeURIComponent(grant)}`,
      {},
      400,
      'unsupported_grant_type',
    ]),
    [`client_id=${clientId}&grant_type=refresh_token`, {}, 400, 'invalid_request'],
    [`client_id=${clientId}&grant_type=refresh_token&refresh_token=x`, {}, 400, 'invalid_grant'],
    [`client_id=${clientId}&client_id=${clientId}`, {}, 400, 'invalid_request'],
    ['{}', { 'content-type': 'application/json' }, 400, 'invalid_request'],
    [`client_id=${'x'.repeat(20_000)}`, {}, 413, 'invalid_request'],
    ['client_id=%ff%fe', {}, 401, 'invalid_client'],
    ['client_id=\u0000', {}, 401, 'invalid_client'],
  ]
  for (const [body, headers, status, error] of bad) {
    const got = await postForm(served, '/oauth/token', body, { ...type, ...headers })
    assert.deepEqual(
      [got.status, got.json?.error],
      [status, error],
      `${body.slice(0, 80)} ${got.text}`,
    )
    assert.match(got.headers.get('content-type') ?? '', /^application\/json/)
    assert.equal(got.headers.get('cache-control'), 'no-store')
  }
  for (const path of ['/oauth/token', '/oauth/register', '/oauth/revoke']) {
    const got = await served.ask('GET', path, { key: undefined })
    assert.deepEqual([got.status, got.headers.get('allow')], [405, 'POST, OPTIONS'])
    const preflight = await served.ask('OPTIONS', path, {
      key: undefined,
      headers: { origin: 'https://inspector.example' },
    })
    assert.deepEqual(
      [preflight.status, preflight.headers.get('access-control-allow-origin')],
      [204, '*'],
    )
  }
})
