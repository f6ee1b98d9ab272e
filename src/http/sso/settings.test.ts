import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import { startOidcServer, type OidcServer } from '../../testing/servers/oidc.ts'

let served: ServedWorkspace
let oidc: OidcServer
let ann: Browser
let eve: Browser

before(async () => {
  oidc = await startOidcServer()
  oidc.allow('https://work.example/callback')
  served = await serveWorkspace({ settings: { outbound_allow: new URL(oidc.issuer).host } })
  await givePasswords(served, served.ann, served.bob, served.eve)
  ann = await new Browser(served).signIn(served.ann.actor.email)
  eve = await new Browser(served).signIn(served.eve.actor.email)
})
after(async () => {
  await served.close()
  await oidc.close()
})

const newProvider = (more: Record<string, unknown> = {}) => ({
  name: 'Keycloak',
  issuer: oidc.issuer,
  client_id: 'workspace',
  client_secret: 'a secret that no answer shows',
  ...more,
})

test('an administrator adds, changes, tests and removes a provider, and no response contains its secret', async () => {
  const added = await ann.post('/web/sso/providers', newProvider())
  assert.equal(added.status, 201, added.text)
  const { id, redirect_uri } = added.json
  assert.equal(redirect_uri, `${served.app.baseUrl}/web/sso/${id}/callback`)
  const { id: team } = await served.ann.call('create_team', { name: 'Engineering' })
  const rules = [
    { group: 'admins', role: 'admin' },
    { group: 'eng', team_id: team },
  ]
  const path = `/web/sso/providers/${id}`
  const changed = await ann.post(path, {
    name: 'KC',
    domains: ['acme.test'],
    accounts: 'domain',
    rules,
  })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual(changed.json.rules, rules)
  assert.equal(changed.json.client_id, 'workspace')
  const { json, text } = await ann.get('/web/sso/settings')
  assert.deepEqual([json.providers[0].name, json.providers[0].accounts], ['KC', 'domain'])
  assert.ok(!text.includes('a secret that no answer shows'))
  oidc.allow(redirect_uri)
  const refused = await ann.post(`${path}/check`)
  assert.match(refused.json.message, /does not accept the client id and secret/)
  await ann.post(path, { client_secret: oidc.clientSecret, client_auth: 'basic' })
  const checked = await ann.post(`${path}/check`)
  assert.equal(checked.status, 200, checked.text)
  const { issuer, keys, client_auth, unchecked } = checked.json
  assert.deepEqual([issuer, keys, client_auth], [oidc.issuer, 1, 'client_secret_basic'])
  assert.match(unchecked.join(), /that a person can sign in there/)
  for (const wrong of [
    { issuer: 'https://evil.example' },
    { accounts: 'domain', domains: [] },
    { rules: [{ group: 'x' }] },
    { rules: [{ group: 'x', team_id: 'tea_none' }] },
    { name: '' },
  ])
    assert.equal((await ann.post(path, wrong)).status, 400, JSON.stringify(wrong))
  assert.equal((await ann.post(`${path}/remove`)).status, 200)
  assert.deepEqual((await ann.get('/web/sso/settings')).json.providers, [])
})

test('members, stale sessions and administrators of another organization change and see nothing', async () => {
  const { id } = (await ann.post('/web/sso/providers', newProvider())).json
  const issued = await ann.post(`/web/sso/providers/${id}/scim-tokens`, { name: 'Sync' })
  assert.equal(issued.status, 201, issued.text)
  const bob = await new Browser(served).signIn(served.bob.actor.email)
  const requests: [path: string, body: Record<string, unknown>][] = [
    [`/web/sso/providers/${id}`, { name: 'Mine' }],
    [`/web/sso/providers/${id}/remove`, {}],
    [`/web/sso/providers/${id}/check`, {}],
    [`/web/sso/providers/${id}/scim-tokens`, { name: 'x' }],
    [`/web/sso/scim-tokens/${issued.json.id}/revoke`, {}],
    ['/web/sso/emergency', { person_id: served.bob.id, emergency: true }],
  ]
  for (const [path, body] of requests) {
    assert.equal((await bob.post(path, body)).status, 403, path)
    assert.equal((await eve.post(path, body)).status, 404, path)
  }
  assert.equal((await bob.get('/web/sso/settings')).status, 403)
  assert.equal((await bob.post('/web/sso/providers', newProvider())).status, 403)
  assert.deepEqual((await eve.get('/web/sso/settings')).json.providers, [])
  served.clock.pass(16 * 60_000)
  assert.equal((await ann.post(`/web/sso/providers/${id}/remove`)).json.code, 'password_required')
  await ann.signIn(served.ann.actor.email)
  const used = await served.ask('GET', '/scim/v2/Users?count=0', { key: issued.json.token })
  assert.equal(used.status, 200)
  const [scimToken] = (await ann.get('/web/sso/settings')).json.providers[0].scim_tokens
  assert.deepEqual([scimToken.id, scimToken.name], [issued.json.id, 'Sync'])
  await ann.post(`/web/sso/scim-tokens/${issued.json.id}/revoke`)
  const afterRevocation = await served.ask('GET', '/scim/v2/Users?count=0', {
    key: issued.json.token,
  })
  assert.equal(afterRevocation.status, 401)
  await ann.post(`/web/sso/providers/${id}/remove`)
})

test('provider-only sign-in requires a provider and an administrator with another way in', async () => {
  const setOnly = (value: boolean) => ann.post('/web/sso/only', { only: value })
  assert.match((await setOnly(true)).json.message, /no provider/)
  const { id } = (await ann.post('/web/sso/providers', newProvider())).json
  assert.match((await setOnly(true)).json.message, /No administrator could sign in/)
  const setEmergency = (value: boolean) =>
    ann.post('/web/sso/emergency', { person_id: served.ann.id, emergency: value })
  await setEmergency(true)
  assert.deepEqual((await setOnly(true)).json, { only: true })
  assert.equal((await setEmergency(false)).status, 409)
  assert.equal((await ann.post(`/web/sso/providers/${id}/remove`)).status, 409)
  const { json } = await ann.get('/web/sso/settings')
  assert.equal(json.only, true)
  assert.deepEqual(json.emergency, [
    { id: served.ann.id, name: 'Ann', email: served.ann.actor.email, is_admin: true },
  ])
  await setOnly(false)
  assert.equal((await setEmergency(false)).status, 200)
  assert.equal((await ann.post(`/web/sso/providers/${id}/remove`)).status, 200)
})

test('with several organizations, the sign-in page names a provider only for its domain or id', async () => {
  const { id } = (await ann.post('/web/sso/providers', newProvider({ domains: ['acme.test'] })))
    .json
  const signedOut = new Browser(served)
  const providerIds = async (query: string) => {
    const { json } = await signedOut.get(`/web/sso/providers${query}`)
    assert.equal(json.by_domain, true)
    return json.items.map((item: { id: string }) => item.id)
  }
  for (const query of ['', '?domain=other.test', '?domain=test', '?provider=sso_x', '?domain='])
    assert.deepEqual(await providerIds(query), [], query)
  assert.deepEqual(await providerIds('?domain=ACME.test'), [id])
  assert.deepEqual(await providerIds(`?provider=${id}`), [id])
  assert.deepEqual((await eve.get('/web/sso/providers')).json, { items: [], by_domain: false })
  const ownProviders = (await ann.get('/web/sso/providers')).json
  assert.deepEqual([ownProviders.items.length, ownProviders.by_domain], [1, false])
  await ann.post(`/web/sso/providers/${id}/remove`)
})

test('SCIM requests and sign-ins are counted by outcome', async () => {
  const recordedSteps: string[] = []
  served.app.meter = {
    recordCall() {},
    recordRequest() {},
    recordConnectingStep() {},
    recordSsoStep: (step, outcome) => void recordedSteps.push(`${step} ${outcome}`),
    recordRerank() {},
    text: async () => ({ type: 'text/plain', text: '' }),
  }
  await served.ask('GET', '/scim/v2/Users')
  const { id } = (await ann.post('/web/sso/providers', newProvider())).json
  await new Browser(served).post(`/web/sso/${id}/start`)
  await new Browser(served).navigate(`/web/sso/${id}/callback?state=x`)
  assert.deepEqual(recordedSteps, ['scim unauthenticated', 'start sign_in', 'callback conflict'])
})
