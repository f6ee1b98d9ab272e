import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import { dayLong, minute } from '../../testing/harness.ts'
import {
  allow,
  authorize,
  callTool,
  connectProgram,
  postForm,
  loopbackRedirect,
  newPkcePair,
  register,
  authorizationOf,
} from './testing.ts'

let served: ServedWorkspace
let bob: Browser
before(async () => {
  served = await serveWorkspace()
  await givePasswords(served, served.bob, served.carol, served.eve)
  bob = await new Browser(served).signIn('bob@acme.test')
})
after(() => served.close())

const requestRefresh = (clientId: string, token: string, more: Record<string, string> = {}) =>
  postForm(served, '/oauth/token', {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: token,
    ...more,
  })

const assertRefused = (
  got: { status: number; json: any; text: string },
  status: number,
  error: string,
) => assert.deepEqual([got.status, got.json?.error], [status, error], got.text)

/** Opens the consent page of a new program and allows it. */
async function startFlow(parameters: Record<string, string> = {}) {
  const clientId = await register(served)
  const { verifier, challenge } = newPkcePair()
  const { location } = await authorize(served, {
    ...authorizationOf(clientId, challenge),
    ...parameters,
  })
  const callback = await allow(bob, location)
  return { clientId, verifier, answered: callback, code: callback.searchParams.get('code') ?? '' }
}

const exchangeCode = (
  { clientId, verifier, code }: { clientId: string; verifier: string; code: string },
  more: Record<string, string> = {},
) =>
  postForm(served, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: loopbackRedirect,
    ...more,
  })

test('a connected client calls on behalf of its person, but not over REST', async () => {
  const { access, tokenResponse } = await connectProgram(served, bob)
  assert.match(access, /^wat_[0-9A-Za-z]{49}$/)
  assert.match(tokenResponse.refresh_token, /^wrt_[0-9A-Za-z]{49}$/)
  assert.deepEqual(
    [tokenResponse.token_type, tokenResponse.expires_in, tokenResponse.scope],
    ['Bearer', 3600, 'workspace:read workspace:write'],
  )
  const called = await callTool(served, access)
  assert.equal(called.status, 200, called.text)
  assert.match(called.text, /bob@acme.test/)
  assert.equal((await served.ask('GET', '/api/labels', { key: access })).status, 401)
})

test('the authorization response has the state, the issuer and a single code', async () => {
  const authorization = await startFlow()
  const { searchParams, origin, pathname } = authorization.answered
  assert.equal(origin + pathname, loopbackRedirect)
  assert.deepEqual(
    [...searchParams.keys()].map((name) => [name, searchParams.getAll(name).length]),
    [
      ['code', 1],
      ['state', 1],
      ['iss', 1],
    ],
  )
  assert.equal(searchParams.get('state'), 'a state')
  assert.equal(searchParams.get('iss'), served.url)
})

test('a code works once: of two simultaneous uses one fails, and the connection survives', async () => {
  const authorization = await startFlow()
  const got = await Promise.all([exchangeCode(authorization), exchangeCode(authorization)])
  assert.deepEqual(got.map(({ status }) => status).sort(), [200, 400])
  const [granted, refused] = got.toSorted((first, other) => first.status - other.status)
  assert.equal(refused?.json.error, 'invalid_grant')
  const { access_token } = granted?.json ?? {}
  assert.equal((await callTool(served, access_token)).status, 200)
})

test('a code reused later, or with another verifier, ends the connection', async () => {
  for (const replay of [
    (flow: Awaited<ReturnType<typeof startFlow>>) =>
      exchangeCode(flow, { code_verifier: newPkcePair().verifier }),
    async (flow: Awaited<ReturnType<typeof startFlow>>) => {
      served.clock.wait(11_000)
      return exchangeCode(flow)
    },
  ]) {
    const authorization = await startFlow()
    const { access_token } = (await exchangeCode(authorization)).json
    assertRefused(await replay(authorization), 400, 'invalid_grant')
    assert.equal((await callTool(served, access_token)).status, 401)
  }
})

test('a code is valid for a minute and only with its client, redirect address, verifier and resource', async () => {
  const other = await register(served, { client_name: 'Another' })
  const wrong: [Record<string, string>, string][] = [
    [{ client_id: other }, 'invalid_grant'],
    [{ redirect_uri: 'http://127.0.0.1:9998/callback' }, 'invalid_grant'],
    [{ code_verifier: newPkcePair().verifier }, 'invalid_grant'],
    [{ code_verifier: 'short' }, 'invalid_grant'],
    [{ resource: `${served.url}/mcp/readonly` }, 'invalid_target'],
  ]
  const authorization = await startFlow()
  for (const [more, error] of wrong)
    assertRefused(await exchangeCode(authorization, more), 400, error)
  assert.equal((await exchangeCode(authorization, { resource: `${served.url}/mcp` })).status, 200)
  const late = await startFlow()
  served.clock.wait(minute)
  assertRefused(await exchangeCode(late), 400, 'invalid_grant')
})

test('a resource is compared in canonical form at every step', async () => {
  const upper = served.url.replace('http', 'HTTP')
  for (const [requested, sent] of [
    [served.url, served.url],
    [`${served.url}/`, `${served.url}/mcp`],
    [`${served.url}/mcp/`, `${served.url}/`],
    [`${upper}/mcp/readonly`, `${served.url}/mcp/readonly/`],
    [`${served.url}/mcp?preset=core`, `${upper}/mcp?preset=core`],
    ['', `${served.url}/mcp`],
  ] as const) {
    const connection = await startFlow({ resource: requested })
    const { status, json } = await exchangeCode(connection, { resource: sent })
    assert.equal(status, 200, `${requested} and ${sent}`)
    const again = await requestRefresh(connection.clientId, json.refresh_token, {
      resource: requested,
    })
    assert.equal(again.status, 200, requested)
    const other = `${served.url}/mcp/p/compact`
    const refused = await requestRefresh(connection.clientId, again.json.refresh_token, {
      resource: other,
    })
    assertRefused(refused, 400, 'invalid_target')
  }
})

test('a refresh token is rotated; for two minutes the old one returns the newest, the same for all requests', async () => {
  const { clientId, refresh, access } = await connectProgram(served, bob, {
    redirect: 'https://app.example/callback',
  })
  const burst = await Promise.all([1, 2, 3].map(() => requestRefresh(clientId, refresh)))
  const next = new Set(burst.map(({ json }) => json.refresh_token as string))
  assert.equal(next.size, 1)
  assert.ok(!next.has(refresh))
  const [second] = next
  const third = (await requestRefresh(clientId, second ?? '')).json.refresh_token
  served.clock.wait(minute)
  assert.equal((await requestRefresh(clientId, refresh)).json.refresh_token, third)
  for (const token of [access, ...burst.map(({ json }) => json.access_token)])
    assert.equal((await callTool(served, token)).status, 200)
  assert.equal((await requestRefresh(clientId, third)).status, 200)
})

test('a rotated refresh token reused after its grace period ends the connection and records a finding', async () => {
  const { clientId, refresh } = await connectProgram(served, bob, {
    redirect: 'https://late.example/callback',
  })
  const { access_token, refresh_token } = (await requestRefresh(clientId, refresh)).json
  served.clock.wait(2 * minute + 1000)
  assertRefused(await requestRefresh(clientId, refresh), 400, 'invalid_grant')
  assert.equal((await callTool(served, access_token)).status, 401)
  assertRefused(await requestRefresh(clientId, refresh_token), 400, 'invalid_grant')
  const { items } = await served.bob.call('list_api_keys', { status: 'revoked', limit: 100 })
  const ended = items.find((item: any) =>
    item.findings?.some((finding: any) => finding.rule === 'replayed-token'),
  )
  assert.ok(ended)
})

test('a local client has a grace period of ten minutes', async () => {
  const { clientId, refresh } = await connectProgram(served, bob)
  await requestRefresh(clientId, refresh)
  served.clock.wait(9 * minute)
  assert.equal((await requestRefresh(clientId, refresh)).status, 200)
  served.clock.wait(2 * minute)
  assertRefused(await requestRefresh(clientId, refresh), 400, 'invalid_grant')
})

test('an access token expires after an hour and an unused connection after thirty days; turning back the clock revives neither', async () => {
  bob = await new Browser(served).signIn('bob@acme.test') // with a recent password check
  const { clientId, access, refresh } = await connectProgram(served, bob)
  served.clock.wait(61 * minute)
  assert.equal((await callTool(served, access)).status, 401)
  served.clock.pass(-2 * 60 * minute)
  assert.equal((await callTool(served, access)).status, 401)
  assertRefused(await requestRefresh(clientId, refresh), 400, 'invalid_grant')
  served.clock.pass(2 * 60 * minute)
  const { refresh_token } = (await requestRefresh(clientId, refresh)).json
  served.clock.wait(30 * dayLong)
  assertRefused(await requestRefresh(clientId, refresh_token), 400, 'invalid_grant')
})

test('a refresh can narrow the scope but not widen it', async () => {
  bob = await new Browser(served).signIn('bob@acme.test') // the session of a month ago is over
  const { clientId, refresh } = await connectProgram(served, bob, {
    parameters: { scope: 'workspace:read openid offline_access' },
  })
  assertRefused(
    await requestRefresh(clientId, refresh, { scope: 'workspace:write' }),
    400,
    'invalid_scope',
  )
  const got = await requestRefresh(clientId, refresh, { scope: 'workspace:read offline_access' })
  assert.deepEqual([got.status, got.json.scope], [200, 'workspace:read'], got.text)
})

test('unknown scopes are shown to the person and not granted; a request without any known scope is refused', async () => {
  const request = async (scope: string) => {
    const clientId = await register(served)
    const { location } = await authorize(served, {
      ...authorizationOf(clientId, newPkcePair().challenge),
      scope,
    })
    return location
  }
  for (const scope of ['admin', 'admin offline_access', 'workspace:admin openid', 'ünknown']) {
    const { searchParams } = await request(scope)
    assert.equal(searchParams.get('error'), 'invalid_scope', scope)
    assert.match(searchParams.get('error_description') ?? '', /workspace:read/)
  }
  const unknownOf = async (scope: string) => {
    const token = (await request(scope)).pathname.split('/').at(-1)!
    const got = await bob.get(`/web/connect/requests/${token}`)
    return got.json.unknown_scopes
  }
  assert.deepEqual(await unknownOf('workspace:write admin files:all'), ['admin', 'files:all'])
  assert.equal(await unknownOf('workspace:write openid profile'), undefined)
  assert.equal(await unknownOf('offline_access'), undefined)
  const { refresh, clientId } = await connectProgram(served, bob, {
    parameters: { scope: 'workspace:read admin' },
  })
  assert.equal((await requestRefresh(clientId, refresh)).json.scope, 'workspace:read')
})

test('a connection that never requested write scope gets a scope challenge before anything is written; one that was denied it does not', async () => {
  const connection = await connectProgram(served, bob, { parameters: { scope: 'workspace:read' } })
  const create = { name: 'create_label', args: { name: 'Stepping up' } }
  const got = await callTool(served, connection.access, create)
  assert.equal(got.status, 403, got.text)
  assert.equal(
    got.headers.get('www-authenticate'),
    `Bearer realm="workspace", error="insufficient_scope", resource_metadata="${served.url}/.well-known/oauth-protected-resource/mcp", scope="workspace:read workspace:write"`,
  )
  assert.equal(got.json.error.data.code, 'permission_denied')
  const denied = await connectProgram(served, bob, { choice: { read_only: true } })
  const result = await callTool(served, denied.access, create)
  assert.equal(result.status, 200)
  assert.match(result.text, /"isError":true/)
  const [, data = ''] = /^data: (.*)$/m.exec(result.text) ?? []
  assert.deepEqual(JSON.parse(data).result._meta['mcp/www_authenticate'], [
    got.headers.get('www-authenticate'),
  ])
  const narrow = await connectProgram(served, bob, {
    parameters: { scope: 'workspace:read', resource: `${served.url}/mcp/readonly` },
  })
  assert.equal(
    (await callTool(served, narrow.access, { ...create, path: '/mcp/readonly' })).status,
    200,
  )
  const { items } = await served.bob.call('list_labels')
  assert.deepEqual(
    items.filter((item: any) => item.name === 'Stepping up'),
    [],
  )
})

test('a token is valid at its own address and below, and nowhere else', async () => {
  const { access } = await connectProgram(served, bob, {
    parameters: { resource: `${served.url}/mcp/x/labels` },
  })
  const callAt = (path: string) => callTool(served, access, { name: 'list_labels', path })
  assert.deepEqual(
    await Promise.all(
      ['/mcp/x/labels', '/mcp/x/labels/readonly', '/mcp', '/mcp/x/tasks', '/mcp/readonly'].map(
        async (path) => (await callAt(path)).status,
      ),
    ),
    [200, 200, 401, 401, 401],
  )
  const withPreset = await connectProgram(served, bob, {
    parameters: { resource: `${served.url}/mcp?preset=core` },
  })
  assert.equal(
    (await callTool(served, withPreset.access, { path: '/mcp?preset=core' })).status,
    200,
  )
  assert.equal((await callTool(served, withPreset.access, { path: '/mcp' })).status, 401)
  const [key] = (await served.bob.call('list_api_keys', { limit: 1 })).items
  assert.equal(key.kind, 'connection')
})

test('a connection is revoked by its client, by its person, or by deactivating the person', async () => {
  const connection = await connectProgram(served, bob)
  const foreign = await register(served, { client_name: 'Foreign' })
  const revoke = (clientId: string, token: string) =>
    postForm(served, '/oauth/revoke', { client_id: clientId, token })
  assert.equal((await revoke(foreign, connection.access)).status, 200)
  assert.equal(
    (await callTool(served, connection.access)).status,
    200,
    'another program cannot end it',
  )
  assert.equal((await revoke(connection.clientId, 'noise')).status, 200)
  assert.equal((await revoke(connection.clientId, connection.refresh)).status, 200)
  assert.equal((await callTool(served, connection.access)).status, 401)
  assertRefused(await requestRefresh(connection.clientId, connection.refresh), 400, 'invalid_grant')

  const byPerson = await connectProgram(served, bob)
  const [{ id }] = (await served.bob.call('list_api_keys', { limit: 1 })).items
  assert.equal((await bob.post(`/web/api-keys/${id}/revoke`)).status, 200)
  assert.equal((await callTool(served, byPerson.access)).status, 401)
  assertRefused(await requestRefresh(byPerson.clientId, byPerson.refresh), 400, 'invalid_grant')

  const carol = await new Browser(served).signIn('carol@acme.test')
  const deactivated = await connectProgram(served, carol)
  await served.app.store.writer.run(async () => {
    await served.app.store.write
      .updateTable('users')
      .set({ status: 'deactivated' })
      .where('id', '=', served.carol.id)
      .execute()
  })
  assert.equal((await callTool(served, deactivated.access)).status, 401)
  assertRefused(
    await requestRefresh(deactivated.clientId, deactivated.refresh),
    400,
    'invalid_grant',
  )
})

test('reconnecting a hosted client replaces the earlier connection and ends its tokens', async () => {
  const redirect = 'https://again.example/callback'
  const clientId = await register(served, { redirect_uris: [redirect] })
  const first = await connectProgram(served, bob, { clientId, redirect })
  const second = await connectProgram(served, bob, {
    clientId,
    redirect,
    choice: { read_only: true },
  })
  assert.equal((await callTool(served, first.access)).status, 401)
  assertRefused(await requestRefresh(clientId, first.refresh), 400, 'invalid_grant')
  assert.equal((await callTool(served, second.access)).status, 200)
  const { items } = await bob.get('/web/api-keys?limit=200').then(({ json }) => json)
  const same = items.filter((item: any) => item.prefix === 'again.example')
  assert.deepEqual(
    same.map((item: any) => [item.kind, item.read_only, item.state]),
    [['connection', true, 'active']],
  )
})

test('restrictions set by the person apply: read-only, modules, expiry, and approval before sending', async () => {
  const { access, tokenResponse } = await connectProgram(served, bob, {
    choice: {
      hold_outbound: false,
      toolsets: ['labels'],
      expires_at: new Date(served.clock.now() + 10 * minute).toISOString(),
    },
  })
  assert.equal(tokenResponse.expires_in, 600)
  assert.equal(tokenResponse.scope, 'workspace:read workspace:write workspace:send')
  assert.equal((await callTool(served, access, { name: 'list_labels' })).status, 200)
  assert.match((await callTool(served, access, { name: 'list_tasks' })).text, /"isError":true/)
  served.clock.wait(10 * minute)
  assert.equal((await callTool(served, access)).status, 401)
})

test('a consent page is decided once, by a signed-in person with a recent password check', async () => {
  bob = await new Browser(served).signIn('bob@acme.test')
  const clientId = await register(served)
  const { challenge } = newPkcePair()
  const { location } = await authorize(served, authorizationOf(clientId, challenge))
  const path = `/web/connect/requests/${location.pathname.replace('/connect/', '')}`
  const signedOut = new Browser(served)
  assert.equal((await signedOut.get(path)).status, 401)
  const consent = (await bob.get(path)).json
  assert.deepEqual(consent.client, { name: 'Test program', source: 'registered' })
  assert.deepEqual(consent.redirect, { host: '127.0.0.1', kind: 'loopback' })
  served.clock.wait(16 * minute)
  assert.equal((await bob.get(path)).status, 404, 'its ten minutes are over')
  const again = await authorize(served, authorizationOf(clientId, challenge))
  const choice = { name: 'x', read_only: false, hold_outbound: true }
  const next = `/web/connect/requests/${again.location.pathname.replace('/connect/', '')}`
  assert.equal((await bob.post(next, choice)).json.code, 'password_required')
  const denied = await bob.post(`${next}/deny`)
  const callback = new URL(denied.json.redirect_to)
  assert.deepEqual(
    [callback.searchParams.get('error'), callback.searchParams.get('state')],
    ['access_denied', 'a state'],
  )
  assert.equal((await bob.post(`${next}/deny`)).status, 404)
  bob = await new Browser(served).signIn('bob@acme.test')
  assert.equal((await bob.post(next, choice)).status, 404)
})
