import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listProviders } from '../sso/providers.ts'
import { callbackUrl } from '../sso/sign-in.ts'
import { startOidcServer, type OidcServer } from '../testing/servers/oidc.ts'
import { noChromium, openWeb, type Web } from './setup.ts'

// An administrator sets up a provider by keyboard, and a person connects their account to it.

let web: Web
let oidc: OidcServer
before(async () => {
  if (noChromium) return
  oidc = await startOidcServer()
  web = await openWeb(undefined, { outbound_allow: new URL(oidc.issuer).host })
})
after(async () => {
  await web?.close()
  await oidc?.close()
})

const skip = noChromium
const settingsPath = '/settings/single-sign-on'

test('an administrator adds a provider by keyboard, tests it, maps a group to a role and creates a SCIM token', {
  skip,
}, async () => {
  const ann = await web.visit(web.ann)
  const { page } = ann
  await ann.go(settingsPath)
  await page.getByText('No providers yet').waitFor()
  await ann.checkPage('single-sign-on-empty')
  await page.getByRole('link', { name: 'Add a provider' }).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Issuer').waitFor()
  await page.getByLabel('Name').focus()
  for (const text of ['Keycloak', oidc.issuer, oidc.clientId]) {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.type(oidc.clientSecret)
  await page.keyboard.press('Enter')
  const redirect = page.getByRole('region', { name: 'Redirect address' })
  await redirect.waitFor()
  const [provider] = await listProviders(web.app.store.read)
  assert.ok(provider)
  assert.equal((await redirect.innerText()).trim(), callbackUrl(web.url, provider.id))
  await page.getByRole('button', { name: 'Test' }).focus()
  oidc.allow(callbackUrl(web.url, provider.id))
  await page.keyboard.press('Enter')
  await page.getByText('The provider answers, with 1 key').waitFor()
  await page.getByRole('combobox', { name: 'Email domains' }).focus()
  await page.keyboard.type('acme.test')
  await page.keyboard.press('Enter')
  await page.getByLabel('Connected by their address in these domains').check()
  await page.getByRole('button', { name: 'Add a group' }).click()
  await page.getByRole('textbox', { name: 'Group 1' }).fill('admins')
  await page.getByRole('combobox', { name: 'What group 1 gives' }).click()
  await page.getByRole('option', { name: 'Administrator' }).click()
  await page.evaluate(() => document.documentElement.scrollTo(0, 0)) // so that the page head covers no part of a field
  await ann.checkPage('single-sign-on-provider')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The provider was saved.').waitFor()
  const [saved] = await listProviders(web.app.store.read)
  assert.deepEqual(saved?.domains, ['acme.test'])
  assert.equal(saved?.linking, 'trusted')
  assert.deepEqual(saved?.rules, [{ group: 'admins', role: 'admin' }])
  await page.getByRole('button', { name: 'Create token' }).click()
  const tokenDialog = page.getByRole('dialog', { name: 'Your SCIM token' })
  const token = (await tokenDialog.getByRole('region', { name: 'Token' }).innerText()).trim()
  await ann.checkPage('single-sign-on-token')
  await tokenDialog.getByRole('button', { name: 'Done' }).click()
  assert.equal((await web.ask('GET', '/scim/v2/Users', { key: token })).status, 200)
  await page.getByRole('button', { name: 'Revoke SCIM' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('The token was revoked.').waitFor()
  assert.equal((await web.ask('GET', '/scim/v2/Users', { key: token })).status, 401)
  ann.assertNoProblems()
})

test('provider-only sign-in can be enabled only with an emergency account, after a warning', {
  skip,
}, async () => {
  const ann = await web.visit(web.ann)
  const { page } = ann
  await ann.go(settingsPath)
  const onlySwitch = page.getByRole('switch', { name: 'People sign in by a provider only' })
  assert.equal(await onlySwitch.isDisabled(), true)
  await page.getByRole('combobox', { name: 'Add an emergency account' }).click()
  await page.getByRole('option', { name: 'Ann' }).click()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('The emergency account was added.').waitFor()
  await onlySwitch.focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('People now sign in by a provider only.').waitFor()
  await ann.checkPage('single-sign-on-only')
  await onlySwitch.click()
  await page.getByText('People sign in in every way again.').waitFor()
  ann.assertNoProblems()
})

test('a person connects the provider under Security, and disconnects it again; members have no provider page', {
  skip,
}, async () => {
  oidc.person = { sub: 'carol', email: 'carol@elsewhere.test', email_verified: true }
  const carol = await web.visit(web.carol)
  const { page } = carol
  await carol.go(settingsPath)
  await page.getByText('This is for administrators').waitFor()
  await carol.go('/settings/security')
  await page.getByRole('button', { name: 'Connect Keycloak' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Disconnect Keycloak' }).waitFor()
  await carol.checkPage('security-providers')
  await page.getByRole('button', { name: 'Disconnect Keycloak' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await page.getByText('Keycloak is disconnected.').waitFor()
  await page.getByRole('button', { name: 'Connect Keycloak' }).waitFor()
})
