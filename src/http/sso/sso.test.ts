import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { decodeJwt, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose'
import { signOutEverywhere } from '../../identity/people.ts'
import { ProviderClient } from '../../sso/client.ts'
import { setEmergencyAccount, setProviderOnly } from '../../sso/policy.ts'
import type { NewProvider } from '../../sso/provider-checks.ts'
import {
  deleteProvider,
  requireProvider,
  replaceRules,
  secretLocation,
  type Provider,
} from '../../sso/providers.ts'
import { callbackUrl } from '../../sso/sign-in.ts'
import { postForm } from '../oauth/testing.ts'
import { addKeycloak, withGroups } from './testing.ts'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { serveWorkspace, type ServedWorkspace, type TestResponse } from '../../testing/server.ts'
import { startOidcServer, throughProvider, type OidcServer } from '../../testing/servers/oidc.ts'

let served: ServedWorkspace
let oidc: OidcServer
let provider: Provider

before(async () => {
  oidc = await startOidcServer()
  served = await serveWorkspace({
    settings: { outbound_allow: new URL(oidc.issuer).host },
  })
  await givePasswords(served, served.ann, served.bob, served.carol)
  provider = await addProvider({})
  oidc.allow(callbackUrl(served.app.baseUrl, provider.id))
})
after(async () => {
  await served.close()
  await oidc.close()
})
beforeEach(async () => {
  await updateProvider({
    accounts: 'invited',
    linking: 'ask',
    domains_json: '[]',
    rules_json: '[]',
    client_auth: 'auto',
  })
  oidc.metadata = (metadata) => metadata
  oidc.intercept = () => false
})

function addProvider(more: Partial<NewProvider>): Promise<Provider> {
  return addKeycloak(served, oidc, { ...withGroups, ...more })
}

async function updateProvider(values: {
  accounts?: Provider['accounts']
  linking?: Provider['linking']
  domains_json?: string
  rules_json?: string
  client_auth?: Provider['client_auth']
}): Promise<void> {
  const { store } = served.app
  await store.writer.run(() =>
    store.write.updateTable('sso_providers').set(values).where('id', '=', provider.id).execute(),
  )
}

/** Signs in at the provider and returns the callback address to which it redirects the browser. */
async function signInAtProvider(
  browser: Browser,
  body: Record<string, unknown> = {},
  id: string = provider.id,
): Promise<URL> {
  const started = await browser.post(`/web/sso/${id}/start`, body)
  assert.equal(started.status, 200, started.text)
  return throughProvider(new URL(started.json.location), served.app.baseUrl)
}

function openCallback(browser: Browser, url: URL): Promise<TestResponse> {
  return browser.navigate(url.pathname + url.search)
}

async function signIn(browser = new Browser(served)): Promise<TestResponse> {
  return openCallback(browser, await signInAtProvider(browser))
}

async function roleOf(email: string): Promise<string | undefined> {
  const row = await served.app.store.read
    .selectFrom('users')
    .select('role')
    .where('email', '=', email)
    .executeTakeFirst()
  return row?.role
}

test('a person from an allowed domain gets an account at the first sign-in and the same one at the second', async () => {
  await updateProvider({ accounts: 'domain', domains_json: '["acme.test"]' })
  oidc.person = { sub: 'dora', email: 'Dora@acme.test', email_verified: true, name: 'Dora' }
  const browser = new Browser(served)
  const got = await openCallback(browser, await signInAtProvider(browser, { to: '/tasks' }))
  assert.equal(got.status, 303, got.text)
  assert.equal(got.headers.get('location'), '/tasks')
  const { json } = await browser.get('/web/session')
  assert.equal(json.person.email, 'dora@acme.test')
  assert.equal(json.person.role, 'member')
  oidc.person = { ...oidc.person, email: 'renamed@elsewhere.test' } // the account is identified by the subject
  const again = new Browser(served)
  assert.equal((await signIn(again)).status, 303)
  assert.equal((await again.get('/web/session')).json.person.id, json.person.id)
})

test('an unverified address, or one of another domain, cannot join', async () => {
  await updateProvider({ accounts: 'domain', domains_json: '["acme.test"]' })
  for (const person of [
    { sub: 'e1', email: 'e1@acme.test', email_verified: false },
    { sub: 'e2', email: 'e2@acme.test' },
    { sub: 'e3', email: 'e3@evil.acme.test', email_verified: true },
    { sub: 'e4', email: 'e4@acme.test.evil.test', email_verified: true },
    { sub: 'e5' },
  ]) {
    oidc.person = person
    const got = await signIn()
    assert.equal(got.status, 400, got.text)
    assert.equal(got.headers.getSetCookie().length, 0)
  }
  assert.equal(await roleOf('e2@acme.test'), undefined)
})

test('an invitation for the verified address creates the account; without one there is none', async () => {
  oidc.person = { sub: 'ivy', email: 'ivy@acme.test', email_verified: true, name: 'Ivy' }
  assert.match((await signIn()).text, /There is no account for ivy@acme\.test here/)
  const ann = await new Browser(served).signIn(served.ann.actor.email)
  const invitation = await ann.post('/web/invitations', { email: 'ivy@acme.test', role: 'guest' })
  assert.equal(invitation.status, 201, invitation.text)
  assert.equal((await signIn()).status, 303)
  assert.equal(await roleOf('ivy@acme.test'), 'guest')
})

test('a matching address does not open an existing account: its owner must sign in once to connect it', async () => {
  oidc.person = { sub: 'bob', email: served.bob.actor.email, email_verified: true }
  const browser = new Browser(served)
  const first = await signIn(browser)
  assert.equal(first.headers.get('location'), `/sign-in?link=${provider.id}&to=%2F`)
  assert.equal((await browser.get('/web/session')).json.signed_in, false)
  await browser.signIn(served.bob.actor.email)
  const linked = await openCallback(
    browser,
    await signInAtProvider(browser, { purpose: 'link', to: '/tasks' }),
  )
  assert.equal(linked.headers.get('location'), '/tasks', linked.text)
  const { items } = (await browser.get('/web/sso/identities')).json
  assert.deepEqual(
    items.map((item: { provider: { name: string } }) => item.provider.name),
    ['Keycloak'],
  )
  const other = new Browser(served)
  assert.equal((await signIn(other)).status, 303)
  assert.equal((await other.get('/web/session')).json.person.id, served.bob.id)
  const carol = await new Browser(served).signIn(served.carol.actor.email)
  const conflict = await openCallback(carol, await signInAtProvider(carol, { purpose: 'link' }))
  assert.match(conflict.text, /belongs to another person/)
})

test('a trusted provider connects members of its domain, but no administrators and no unverified addresses', async () => {
  await updateProvider({ linking: 'trusted', domains_json: '["acme.test"]' })
  oidc.person = { sub: 'carol-x', email: served.carol.actor.email, email_verified: false }
  assert.match((await signIn()).headers.get('location') ?? '', /^\/sign-in\?link=/)
  oidc.person = { sub: 'ann', email: served.ann.actor.email, email_verified: true }
  assert.match((await signIn()).headers.get('location') ?? '', /^\/sign-in\?link=/)
  oidc.person = { sub: 'carol', email: served.carol.actor.email }
  const browser = new Browser(served)
  assert.equal((await signIn(browser)).headers.get('location'), '/')
  assert.equal((await browser.get('/web/session')).json.person.id, served.carol.id)
})

test('a response is valid once, in the requesting browser, for the requested provider', async () => {
  await updateProvider({ accounts: 'anyone' })
  oidc.person = { sub: 'fay', email: 'fay@acme.test', email_verified: true }
  const browser = new Browser(served)
  const url = await signInAtProvider(browser)
  assert.match((await openCallback(new Browser(served), url)).text, /not begun in this browser/)
  assert.equal((await openCallback(browser, url)).status, 303)
  assert.match((await openCallback(browser, url)).text, /not begun in this browser/)
  const second = await addProvider({ name: 'Other', issuer: `${oidc.issuer}/other` })
  const mixedUpUrl = await signInAtProvider(browser)
  mixedUpUrl.pathname = mixedUpUrl.pathname.replace(provider.id, second.id)
  assert.match((await openCallback(browser, mixedUpUrl)).text, /not begun in this browser/)
  const forged = await signInAtProvider(browser)
  forged.searchParams.set('iss', 'https://evil.example')
  assert.match((await openCallback(browser, forged)).text, /was not accepted/)
  await served.app.store.writer.run(() => deleteProvider(served.app, second))
})

test('a sign-in request expires after ten minutes', async () => {
  oidc.person = { sub: 'fay', email: 'fay@acme.test', email_verified: true }
  const browser = new Browser(served)
  const url = await signInAtProvider(browser)
  served.clock.pass(10 * 60_000 + 1)
  assert.match((await openCallback(browser, url)).text, /took too long/)
})

test('groups grant and revoke roles and teams at each sign-in', async () => {
  await updateProvider({ accounts: 'anyone' })
  const { id: team } = await served.ann.call('create_team', { name: 'Engineering' })
  const rules = [
    { group: 'admins', role: 'admin' as const },
    { group: 'guests', role: 'guest' as const },
    { group: 'eng', team_id: team },
  ]
  await served.app.store.writer.run(() => replaceRules(served.app, provider, rules))
  const person = { sub: 'gus', email: 'gus@acme.test', email_verified: true, name: 'Gus' }
  const teamsOfGus = async () => {
    const { items } = await served.ann.call('list_teams', { query: 'Engineering' })
    return items[0].members.map((member: { person: { title: string } }) => member.person.title)
  }
  oidc.person = { ...person, groups: ['admins', 'guests', 'eng'] }
  assert.equal((await signIn()).status, 303)
  assert.equal(await roleOf('gus@acme.test'), 'admin')
  assert.deepEqual(await teamsOfGus(), ['Gus'])
  oidc.person = person // without a groups claim, nothing is revoked
  await signIn()
  assert.equal(await roleOf('gus@acme.test'), 'admin')
  oidc.person = { ...person, groups: ['others'] }
  await signIn()
  assert.equal(await roleOf('gus@acme.test'), 'member')
  assert.deepEqual(await teamsOfGus(), [])
})

test('when the provider is the only sign-in method, passwords work only for emergency accounts', async () => {
  const { store, clock } = served.app
  const org = served.ann.actor.org_id
  const setOnlyMethod = (isOnly: boolean) =>
    store.writer.run(() => setProviderOnly(store, clock.now(), org, isOnly))
  await assert.rejects(setOnlyMethod(true), /No administrator could sign in/)
  await store.writer.run(() => setEmergencyAccount(store, clock.now(), served.ann.actor, true))
  await setOnlyMethod(true)
  const browser = new Browser(served)
  await browser.signIn(served.ann.actor.email)
  await assert.rejects(browser.signIn(served.bob.actor.email), /identity provider only/)
  oidc.person = { sub: 'bob', email: served.bob.actor.email, email_verified: true }
  assert.equal((await signIn()).status, 303)
  await setOnlyMethod(false)
  await browser.signIn(served.bob.actor.email)
})

test('a session is reconfirmed only by a new provider sign-in as the same person', async () => {
  oidc.person = { sub: 'bob', email: served.bob.actor.email, email_verified: true }
  const browser = new Browser(served)
  await signIn(browser)
  const createKey = () => browser.post('/web/api-keys', { name: 'x' })
  assert.equal((await createKey()).status, 201) // the sign-in at the provider is recent
  served.clock.pass(16 * 60_000)
  assert.equal((await createKey()).json.code, 'password_required')
  oidc.person = { sub: 'carol', email: served.carol.actor.email }
  const wrong = await openCallback(browser, await signInAtProvider(browser, { purpose: 'verify' }))
  assert.match(wrong.text, /is not connected with yours/)
  oidc.person = { sub: 'bob', email: served.bob.actor.email, email_verified: true }
  const callbackResponse = await openCallback(
    browser,
    await signInAtProvider(browser, { purpose: 'verify', to: '/keys' }),
  )
  assert.equal(callbackResponse.headers.get('location'), '/keys', callbackResponse.text)
  assert.equal((await createKey()).status, 201)
})

test('a deactivated person gets an explanation instead of a session', async () => {
  const { store } = served.app
  const setStatus = (value: 'active' | 'deactivated') =>
    store.writer.run(() =>
      store.write
        .updateTable('users')
        .set({ status: value })
        .where('id', '=', served.bob.id)
        .execute(),
    )
  await setStatus('deactivated')
  oidc.person = { sub: 'bob', email: served.bob.actor.email, email_verified: true }
  assert.match((await signIn()).text, /deactivated/)
  await setStatus('active')
})

function sendLogoutToken(token: string): Promise<TestResponse> {
  return postForm(served, `/sso/${provider.id}/backchannel-logout`, { logout_token: token })
}

const logoutEvents = { 'http://schemas.openid.net/event/backchannel-logout': {} }

/** Claims of the provider's logout token for bob. */
function logoutClaims(more: Record<string, unknown> = {}): JWTPayload {
  const iat = Math.floor(Date.now() / 1000)
  const { issuer: iss, clientId: aud } = oidc
  return {
    iss,
    aud,
    iat,
    exp: iat + 120,
    jti: randomUUID(),
    sub: 'bob',
    events: logoutEvents,
    ...more,
  }
}

test('a logout token from the provider ends exactly the sessions that it names', async () => {
  oidc.person = { sub: 'bob', email: served.bob.actor.email, email_verified: true }
  const browser = new Browser(served)
  await signIn(browser)
  const withPassword = await new Browser(served).signIn(served.bob.actor.email)
  const isSignedIn = async (client: Browser) => (await client.get('/web/session')).json.signed_in
  await sendLogoutToken(await oidc.sign(logoutClaims({ sub: 'carol' })))
  await sendLogoutToken(await oidc.sign(logoutClaims({ sub: 'dora', sid: 'another' })))
  assert.equal(await isSignedIn(browser), true)
  const got = await sendLogoutToken(await oidc.sign(logoutClaims()))
  assert.equal(got.status, 200, got.text)
  assert.equal(await isSignedIn(browser), false)
  assert.equal(await isSignedIn(withPassword), true)
})

test('a logout token not issued by the provider for this client ends no session', async () => {
  oidc.person = { sub: 'bob', email: served.bob.actor.email, email_verified: true }
  const browser = new Browser(served)
  await signIn(browser)
  const { privateKey } = await generateKeyPair('RS256')
  const unsigned = new UnsecuredJWT(logoutClaims()).encode()
  const secret = new TextEncoder().encode(oidc.clientSecret.padEnd(32, '.'))
  const hmacToken = await new SignJWT(logoutClaims())
    .setProtectedHeader({ alg: 'HS256' })
    .sign(secret)
  const tokens = [
    await oidc.sign(logoutClaims(), privateKey),
    unsigned,
    hmacToken,
    await oidc.sign(logoutClaims({ aud: 'another' })),
    await oidc.sign(logoutClaims({ iss: 'https://evil.example' })),
    await oidc.sign(logoutClaims({ events: {} })),
    await oidc.sign(logoutClaims({ nonce: 'of an ID token' })),
    await oidc.sign(logoutClaims({ iat: Math.floor(Date.now() / 1000) - 600 })),
    await oidc.sign(logoutClaims({ sub: undefined })),
    'no token',
    '',
  ]
  for (const token of tokens) {
    const got = await sendLogoutToken(token)
    assert.equal(got.status, 400, got.text)
    assert.equal(got.json.error, 'invalid_request')
  }
  assert.equal((await browser.get('/web/session')).json.signed_in, true)
})

/** Ids of the sessions with a sealed ID token. */
async function sessionsWithIdToken(): Promise<string[]> {
  const rows = await served.app.store.read
    .selectFrom('secrets')
    .select('row_id')
    .where('table_name', '=', 'web_sessions')
    .execute()
  return rows.map((row) => row.row_id)
}

/** Requests a sign-out with this hint from the provider, in another browser. */
async function signOutAtProvider(hint: string): Promise<{ status: number; text: string }> {
  const otherBrowser = new Browser(served)
  const { json } = await otherBrowser.get(`/web/sso/${provider.id}/sign-out`)
  const location = new URL(json.location)
  location.searchParams.set('id_token_hint', hint)
  const answer = await fetch(location, { redirect: 'manual' })
  return { status: answer.status, text: await answer.text() }
}

test('signing out returns the ID token, which the provider accepts, and deletes it', async () => {
  oidc.person = { sub: 'bob', email: served.bob.actor.email, email_verified: true }
  const browser = new Browser(served)
  assert.equal((await signIn(browser)).status, 303)
  const { json: sessions } = await browser.get('/web/sessions')
  const currentSession = sessions.items.find((item: { is_current: boolean }) => item.is_current)
  assert.ok((await sessionsWithIdToken()).includes(currentSession.id))
  const { json } = await browser.post('/web/sign-out')
  assert.equal(json.provider, provider.id)
  const claims = decodeJwt(json.id_token_hint)
  assert.deepEqual([claims.iss, claims.aud, claims.sub], [oidc.issuer, oidc.clientId, 'bob'])
  assert.ok(!(await sessionsWithIdToken()).includes(currentSession.id))
  assert.equal((await signOutAtProvider(json.id_token_hint)).status, 200)
  const forged = await signOutAtProvider(`${json.id_token_hint.slice(0, -8)}AAAAAAAA`)
  assert.equal(forged.status, 400)
  assert.match(forged.text, /id_token_hint/)
  const again = await browser.post('/web/sign-out')
  assert.deepEqual(again.json, { signed_in: false })
})

test('the ID token is deleted with its session however that ends, and is never stored in plain text', async () => {
  oidc.person = { sub: 'bob', email: served.bob.actor.email, email_verified: true }
  const endings: ((browser: Browser) => Promise<unknown>)[] = [
    async (browser) => signIn(browser), // signs in again in the same browser
    async () => sendLogoutToken(await oidc.sign(logoutClaims())),
    async () =>
      served.app.store.writer.run(() => signOutEverywhere(served.app.store, served.bob.actor.id)),
  ]
  for (const end of endings) {
    const browser = new Browser(served)
    assert.equal((await signIn(browser)).status, 303)
    const [id] = (await sessionsWithIdToken()).slice(-1)
    assert.ok(id)
    await end(browser)
    assert.ok(!(await sessionsWithIdToken()).includes(id), String(end))
  }
  const browser = new Browser(served)
  await signIn(browser)
  const folder = dirname(served.app.store.path)
  const { json } = await browser.post('/web/sign-out')
  const payload = json.id_token_hint.split('.')[1]
  for (const name of readdirSync(folder).filter((file) => file.startsWith('workspace.db')))
    assert.ok(!readFileSync(join(folder, name)).includes(payload), name)
})

/** Refuses clients that send their secret in another way. */
const acceptSecretOnlyIn =
  (secretPlace: 'header' | 'body') => (request: IncomingMessage, response: ServerResponse) => {
    const usesHeader = request.headers.authorization !== undefined
    if (request.url !== '/token' || usesHeader === (secretPlace === 'header')) return false
    response.writeHead(401, { 'content-type': 'application/json' })
    response.end('{"error":"invalid_client"}')
    return true
  }

const metadataWith = (methods: string[] | undefined) => (metadata: Record<string, unknown>) => {
  const { token_endpoint_auth_methods_supported: _, ...rest } = metadata
  return methods ? { ...rest, token_endpoint_auth_methods_supported: methods } : rest
}

for (const [behavior, way, methods] of [
  ['advertises only the header', 'header', ['client_secret_basic']],
  ['advertises nothing, which means the header', 'header', undefined],
  ['advertises only the body', 'body', ['client_secret_post']],
  [
    'advertises both and accepts the header',
    'header',
    ['client_secret_basic', 'client_secret_post'],
  ],
  ['advertises the header and accepts the body', 'body', ['client_secret_basic']],
] as const)
  test(`sign-in works with a provider that ${behavior}`, async () => {
    await updateProvider({ accounts: 'domain', domains_json: '["acme.test"]' })
    oidc.person = { sub: randomUUID(), email: `${randomUUID()}@acme.test`, email_verified: true }
    oidc.metadata = metadataWith(methods && [...methods])
    oidc.intercept = acceptSecretOnlyIn(way)
    const client = new ProviderClient(served.app)
    const inspected = await client.inspect(provider, callbackUrl(served.app.baseUrl, provider.id))
    assert.equal(
      inspected.clientAuth,
      way === 'header' ? 'client_secret_basic' : 'client_secret_post',
    )
    const got = await signIn()
    assert.equal(got.status, 303, got.text)
  })

test('a configured client authentication method is the only one used', async () => {
  await updateProvider({ client_auth: 'post' })
  oidc.intercept = acceptSecretOnlyIn('header')
  const updatedProvider = await requireProvider(served.app.store.read, provider.id)
  await assert.rejects(
    new ProviderClient(served.app).inspect(
      updatedProvider,
      callbackUrl(served.app.baseUrl, provider.id),
    ),
    /does not accept the client id and secret/,
  )
})

test('a check reports a wrong secret and a redirect address unknown to the provider', async () => {
  const { app } = served
  const redirectUri = callbackUrl(app.baseUrl, provider.id)
  await assert.rejects(
    new ProviderClient(app).inspect(provider, `${redirectUri}/other`),
    /refuses the authorization request/,
  )
  const { store, secrets, clock } = app
  const storeSecret = (secret: string) =>
    store.writer.run(() => secrets.put(store.write, clock.now(), secretLocation(provider), secret))
  await storeSecret('a secret of yesterday')
  await assert.rejects(
    new ProviderClient(app).inspect(provider, redirectUri),
    /does not accept the client id and secret/,
  )
  const got = await signIn()
  assert.equal(got.status, 400)
  assert.match(got.text, /does not accept the client id and secret/)
  await storeSecret(oidc.clientSecret)
})

for (const [behavior, status, type, body] of [
  ['does not exist', 404, 'text/plain', 'Not found'],
  ['answers with a web page', 200, 'text/html', '<title>Welcome</title>'],
  ['answers with an unreadable token', 200, 'application/jwt', 'a.b.c'],
] as const)
  test(`a userinfo endpoint that ${behavior} does not prevent a sign-in`, async () => {
    await updateProvider({ accounts: 'domain', domains_json: '["acme.test"]' })
    oidc.person = { sub: randomUUID(), email: `${randomUUID()}@acme.test`, email_verified: true }
    assert.equal((await signIn()).status, 303)
    oidc.intercept = (request, response) => {
      if (request.url !== '/me') return false
      response.writeHead(status, { 'content-type': type })
      response.end(body)
      return true
    }
    const got = await signIn()
    assert.equal(got.status, 303, got.text)
  })

test('only pages of this workspace are valid return targets', async () => {
  oidc.person = { sub: 'bob', email: served.bob.actor.email, email_verified: true }
  for (const to of [
    '//evil.example/',
    'https://evil.example/',
    '/\\evil.example',
    '/web/sign-out',
  ]) {
    const browser = new Browser(served)
    const got = await openCallback(browser, await signInAtProvider(browser, { to }))
    assert.equal(got.headers.get('location'), '/', to)
  }
})

test('other sites cannot start a sign-in, nor connect accounts without a fresh session', async () => {
  const start = `/web/sso/${provider.id}/start`
  const forged = await new Browser(served).post(start, {}, { 'sec-fetch-site': 'cross-site' })
  assert.equal(forged.json.code, 'csrf')
  const signedOut = await new Browser(served).post(start, { purpose: 'link' })
  assert.equal(signedOut.status, 401)
  const stale = await new Browser(served).signIn(served.carol.actor.email)
  served.clock.pass(16 * 60_000)
  assert.equal((await stale.post(start, { purpose: 'link' })).json.code, 'password_required')
})

test('an unreachable provider is named in the error, and other sign-in methods still work', async () => {
  const unreachable = await addProvider({ name: 'Gone', issuer: 'http://127.0.0.1:9/realm' })
  const got = await new Browser(served).post(`/web/sso/${unreachable.id}/start`)
  assert.equal(got.status, 502)
  assert.match(got.json.message, /Gone could not be reached/)
  await new Browser(served).signIn(served.ann.actor.email)
  await served.app.store.writer.run(() => deleteProvider(served.app, unreachable))
  await assert.rejects(requireProvider(served.app.store.read, unreachable.id), /not found/)
})
