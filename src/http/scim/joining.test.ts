import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { callbackUrl } from '../../sso/sign-in.ts'
import { replaceRules } from '../../sso/providers.ts'
import { Browser } from '../../testing/browser.ts'
import { serveWorkspace, type ServedWorkspace, type TestResponse } from '../../testing/server.ts'
import { startOidcServer, throughProvider, type OidcServer } from '../../testing/servers/oidc.ts'
import { scimClient, type ScimClient } from './testing.ts'

// Tests sign-in at the provider for people created by SCIM, including when it must be refused.

let served: ServedWorkspace
let oidc: OidcServer
let scim: ScimClient

before(async () => {
  oidc = await startOidcServer()
  served = await serveWorkspace({ settings: { outbound_allow: new URL(oidc.issuer).host } })
  scim = await scimClient(served, served.ann, {
    name: 'Keycloak',
    issuer: oidc.issuer,
    clientId: oidc.clientId,
    clientSecret: oidc.clientSecret,
    scopes: 'openid email profile groups',
  })
  oidc.allow(callbackUrl(served.app.baseUrl, scim.provider.id))
})
beforeEach(() => {
  oidc.person = { sub: 'nobody' }
})
after(async () => {
  await served.close()
  await oidc.close()
})

async function signIn(browser = new Browser(served)): Promise<TestResponse> {
  const started = await browser.post(`/web/sso/${scim.provider.id}/start`)
  const back = await throughProvider(new URL(started.json.location), served.app.baseUrl)
  return browser.navigate(back.pathname + back.search)
}

const createUser = (name: string, more: Record<string, unknown> = {}) =>
  scim.post('/Users', { userName: `${name}@acme.test`, displayName: name, ...more })

test('a user created by SCIM signs in by the shared id or by a verified address', async () => {
  const { id } = await createUser('ida', { externalId: 'subject-of-ida' })
  await createUser('vic')
  oidc.person = { sub: 'subject-of-ida' }
  const browser = new Browser(served)
  assert.equal((await signIn(browser)).status, 303)
  assert.equal((await browser.get('/web/session')).json.person.id, id)
  oidc.person = { sub: 'v', email: 'vic@acme.test', email_verified: true }
  assert.equal((await signIn()).status, 303)
})

test('an unverified address or the id of someone else opens no account created by SCIM', async () => {
  await createUser('una', { externalId: 'subject-of-una' })
  for (const person of [
    { sub: 'thief', email: 'una@acme.test' },
    { sub: 'thief', email: 'una@acme.test', email_verified: false },
    { sub: 'subject-of-una2', email: 'thief@acme.test', oid: 'subject-of-una' },
  ]) {
    oidc.person = person
    const got = await signIn()
    assert.equal(got.status, 400, got.text)
    assert.deepEqual(got.headers.getSetCookie(), [])
  }
})

test('a person already here before SCIM must sign in the old way first, like everyone else', async () => {
  const path = `/Users/${served.bob.id}`
  await scim.put(path, { userName: served.bob.actor.email, externalId: 'subject-of-bob' })
  oidc.person = { sub: 'subject-of-bob', email: served.bob.actor.email, email_verified: true }
  const { app } = served
  await app.store.writer.run(() =>
    app.store.write
      .updateTable('users')
      .set({ password_hash: 'x' })
      .where('id', '=', served.bob.id)
      .execute(),
  )
  assert.match((await signIn()).headers.get('location') ?? '', /^\/sign-in\?link=/)
})

test('an account promoted by an administrator is not opened without its old sign-in', async () => {
  const { id } = await createUser('rae', { externalId: 'subject-of-rae' })
  await served.app.store.writer.run(() =>
    served.app.store.write
      .updateTable('users')
      .set({ role: 'admin' })
      .where('id', '=', id)
      .execute(),
  )
  oidc.person = { sub: 'subject-of-rae', email: 'rae@acme.test', email_verified: true }
  assert.equal((await signIn()).status, 400)
})

test('deactivation ends the sessions of provider sign-ins, and the next sign-in is refused', async () => {
  const { id } = await createUser('dov', { externalId: 'subject-of-dov' })
  oidc.person = { sub: 'subject-of-dov' }
  const browser = new Browser(served)
  await signIn(browser)
  await scim.patch(`/Users/${id}`, [{ op: 'Replace', path: 'active', value: 'False' }])
  assert.equal((await browser.get('/web/session')).json.signed_in, false)
  assert.match((await signIn()).text, /deactivated/)
})

test('with groups from SCIM, the groups of a sign-in are ignored', async () => {
  const { id } = await createUser('gil', { externalId: 'subject-of-gil' })
  const { app } = served
  await app.store.writer.run(() =>
    replaceRules(app, scim.provider, [{ group: 'admins', role: 'admin' }]),
  )
  await scim.post('/Groups', { displayName: 'others', members: [{ value: id }] })
  oidc.person = { sub: 'subject-of-gil', groups: ['admins'] }
  const browser = new Browser(served)
  assert.equal((await signIn(browser)).status, 303)
  assert.equal((await browser.get('/web/session')).json.person.role, 'member')
})
