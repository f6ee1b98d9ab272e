import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setRole, setStatus } from '../../identity/people.ts'
import { newId } from '../../kernel/ids.ts'
import { setEmergencyAccount, setProviderOnly } from '../../sso/policy.ts'
import { replaceRules, type Provider } from '../../sso/providers.ts'
import { callbackUrl } from '../../sso/sign-in.ts'
import { Browser, givePasswords } from '../../testing/browser.ts'
import type { Someone } from '../../testing/harness.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import { startOidcServer, throughProvider, type OidcServer } from '../../testing/servers/oidc.ts'
import { addKeycloak, withGroups } from './testing.ts'

// Whatever a provider sends, and however it fails, an organization keeps an administrator who can sign in.

let served: ServedWorkspace
let oidc: OidcServer
let provider: Provider

before(async () => {
  oidc = await startOidcServer()
  served = await serveWorkspace({ settings: { outbound_allow: new URL(oidc.issuer).host } })
  await givePasswords(served, served.ann, served.bob)
  provider = await addKeycloak(served, oidc, withGroups)
  oidc.allow(callbackUrl(served.app.baseUrl, provider.id))
  await served.app.store.writer.run(() =>
    replaceRules(served.app, provider, [{ group: 'admins', role: 'admin' }]),
  )
})
after(async () => {
  await served.close()
  await oidc.close()
})

/** The provider reports these groups for someone, and their browser returns to our page. */
async function returnFromProvider(
  browser: Browser,
  person: Someone,
  { groups, purpose = 'sign_in' }: { groups: string[]; purpose?: 'sign_in' | 'link' },
): Promise<void> {
  const { email } = person.actor
  oidc.person = { sub: person.id, email, email_verified: true, name: email, groups }
  const started = await browser.post(`/web/sso/${provider.id}/start`, { purpose })
  assert.equal(started.status, 200, started.text)
  const back = await throughProvider(new URL(started.json.location), served.app.baseUrl)
  await browser.navigate(back.pathname + back.search)
}

/** Connects an existing account, as its signed-in owner does. */
async function connect(person: Someone, groups: string[]): Promise<void> {
  const browser = await new Browser(served).signIn(person.actor.email)
  await returnFromProvider(browser, person, { groups, purpose: 'link' })
}

/** Signs in someone with a connected account. */
async function signIn(person: Someone, groups: string[]): Promise<void> {
  const browser = new Browser(served)
  await returnFromProvider(browser, person, { groups })
  assert.ok(await isSignedIn(browser))
}

async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.get('/web/session')).json.signed_in
}

async function roleOf({ id }: Someone): Promise<string> {
  const { role } = await row(id)
  return role
}

function row(id: Someone['id']) {
  return served.app.store.read
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

function setEmergency(person: Someone, isEmergency: boolean): Promise<void> {
  const { store, clock } = served.app
  return store.writer.run(() => setEmergencyAccount(store, clock.now(), person.actor, isEmergency))
}

function setOnlyMethod(isOnly: boolean): Promise<boolean> {
  const { store, clock } = served.app
  const org = served.ann.actor.org_id
  return store.writer.run(() => setProviderOnly(store, clock.now(), org, isOnly))
}

test('groups cannot demote the last administrator; of two, one remains', async () => {
  const { store, clock } = served.app
  await connect(served.ann, ['admins'])
  await signIn(served.ann, ['others'])
  assert.equal(await roleOf(served.ann), 'admin')
  await connect(served.bob, ['admins'])
  await setRole(store, clock, await row(served.bob.id), 'admin')
  await signIn(served.ann, ['others'])
  assert.equal(await roleOf(served.ann), 'member', 'another administrator remains')
  await signIn(served.bob, [])
  assert.equal(await roleOf(served.bob), 'admin')
  await setRole(store, clock, await row(served.ann.id), 'admin')
})

test('when the provider is the only sign-in method, the last independent administrator cannot be demoted or deactivated', async () => {
  const { store, clock } = served.app
  await setRole(store, clock, await row(served.bob.id), 'admin')
  const bob = await new Browser(served).signIn(served.bob.actor.email)
  await setEmergency(served.ann, true)
  await setOnlyMethod(true)
  const refused = /No administrator could sign in while the provider is down/
  const ann = await row(served.ann.id)
  await assert.rejects(setRole(store, clock, ann, 'member'), refused)
  await assert.rejects(setStatus(store, clock, ann, 'deactivated'), refused)
  for (const [path, body] of [
    ['role', { role: 'member' }],
    ['deactivate', {}],
  ] as const) {
    const got = await bob.post(`/web/people/${served.ann.id}/${path}`, body)
    assert.deepEqual([got.status, got.json.code], [409, 'conflict'], got.text)
    assert.match(got.json.message, refused)
  }
  await signIn(served.ann, [])
  assert.equal(await roleOf(served.ann), 'admin', 'groups do not lower emergency accounts')
  await oidc.close()
  await new Browser(served).signIn(served.ann.actor.email)
  await setEmergency(served.bob, true)
  assert.equal(await setRole(store, clock, ann, 'member'), true, 'bob can sign in without it')
  await setOnlyMethod(false)
})

test('an administrator without a password or a passkey does not count as one who can sign in', async () => {
  const { store, clock } = served.app
  await setRole(store, clock, await row(served.carol.id), 'admin')
  for (const person of [served.ann, served.bob]) await setEmergency(person, false)
  await setEmergency(served.carol, true)
  await assert.rejects(
    setOnlyMethod(true),
    /No administrator could sign in while the provider is down/,
  )
  await givePasswords(served, served.carol)
  assert.equal(await setOnlyMethod(true), true)
  await setOnlyMethod(false)
})

test('the last passkey of the only independent administrator cannot be removed until they have a password', async () => {
  const { store, clock } = served.app
  const carol = await new Browser(served).signIn(served.carol.actor.email)
  for (const person of [served.ann, served.bob]) await setEmergency(person, false)
  await setEmergency(served.carol, true)
  const id = newId<'passkeys'>('pky', clock.now())
  const { password_hash } = await row(served.carol.id)
  await store.writer.run(async () => {
    await store.write
      .insertInto('passkeys')
      .values({
        id,
        org_id: served.carol.actor.org_id,
        person_id: served.carol.id,
        name: 'Key ring',
        credential_id: 'a2V5LXJpbmc',
        public_key: 'cHVibGlj',
        sign_count: 0,
        transports_json: '["usb"]',
        device_type: 'single_device',
        backed_up: 0,
        created_at: clock.now(),
        last_used_at: null,
      })
      .execute()
    await setPassword(null)
  })
  await setOnlyMethod(true)
  const got = await carol.post(`/web/passkeys/${id}/remove`, {})
  assert.deepEqual([got.status, got.json.code], [409, 'conflict'], got.text)
  const { items } = (await carol.get('/web/passkeys')).json
  assert.deepEqual(
    items.map((item: { id: string }) => item.id),
    [id],
  )
  await store.writer.run(() => setPassword(password_hash))
  assert.equal((await carol.post(`/web/passkeys/${id}/remove`, {})).status, 200)
  await setOnlyMethod(false)
})

async function setPassword(hash: string | null): Promise<void> {
  await served.app.store.write
    .updateTable('users')
    .set({ password_hash: hash })
    .where('id', '=', served.carol.id)
    .execute()
}
