import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeJwt } from 'jose'
import type { Provider } from '../sso/providers.ts'
import { startOidcServer, type OidcServer } from '../testing/servers/oidc.ts'
import { noChromium, openWeb, password, type Web } from './setup.ts'
import { addKeycloak } from './steps.ts'

// People sign in at a provider on another origin, which redirects their browser back.

let web: Web
let oidc: OidcServer
let provider: Provider
before(async () => {
  if (noChromium) return
  oidc = await startOidcServer()
  web = await openWeb(undefined, { outbound_allow: new URL(oidc.issuer).host })
  provider = await addKeycloak(web, oidc)
})
after(async () => {
  await web?.close()
  await oidc?.close()
})

test('a person with an account signs in at the provider, links the account once, and then signs in with one button', {
  skip: noChromium,
}, async () => {
  oidc.person = { sub: 'bob', email: web.bob.actor.email, email_verified: true, name: 'Bob' }
  const visitor = await web.visit()
  const { page } = visitor
  await visitor.go('/sign-in?to=%2Ftasks')
  await page.getByText('Enter your email address to sign in at your identity provider.').waitFor()
  await page.getByLabel('Email address').fill(web.bob.actor.email)
  const button = page.getByRole('button', { name: 'Sign in with Keycloak' })
  await button.waitFor()
  await visitor.checkPage('sign-in-provider')
  await button.click()
  await page.getByText('then it is connected with Keycloak').waitFor()
  await visitor.checkPage('sign-in-link')
  await page.getByLabel('Email address').fill(web.bob.actor.email)
  await page.locator('input[name=password]').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`${web.url}/tasks`)
  const secondVisitor = await web.visit()
  await secondVisitor.go(`/sign-in?provider=${provider.id}`)
  await secondVisitor.page.getByRole('button', { name: 'Sign in with Keycloak' }).click()
  await secondVisitor.page.waitForURL(`${web.url}/`)
  const session = await secondVisitor.page.evaluate(async () =>
    (await fetch('/web/session')).json(),
  )
  assert.equal(session.person.email, web.bob.actor.email)
})

test('signing in again at the provider is accepted in place of a password', {
  skip: noChromium,
}, async () => {
  oidc.person = { sub: 'bob', email: web.bob.actor.email, email_verified: true }
  const visitor = await web.visit()
  const { page } = visitor
  await visitor.go(`/sign-in?provider=${provider.id}`)
  await page.getByRole('button', { name: 'Sign in with Keycloak' }).click()
  await page.waitForURL(`${web.url}/`)
  web.clock.wait(16 * 60_000)
  await visitor.go('/settings/integrations/api-keys')
  const generate = async () => {
    await page.getByRole('button', { name: 'Generate Key' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Generate a key' })
    await dialog.getByLabel('Name').fill('by provider')
    await dialog.getByRole('button', { name: 'Generate' }).click()
  }
  await generate()
  const confirmDialog = page.getByRole('dialog', { name: 'Confirm it is you' })
  const button = confirmDialog.getByRole('button', { name: 'Sign in with Keycloak' })
  await button.waitFor()
  await visitor.checkPage('verify-provider')
  const callbackResponse = page.waitForResponse((response) => response.url().includes('/callback?'))
  await button.click()
  assert.equal((await callbackResponse).status(), 303)
  await visitor.waitUntilSettled()
  await generate()
  await page.getByRole('dialog', { name: 'Your key “by provider”' }).waitFor()
})

test('a person without an account reads why, on a page that leads back', {
  skip: noChromium,
}, async () => {
  oidc.person = { sub: 'stranger', email: 'stranger@elsewhere.test', email_verified: true }
  const visitor = await web.visit()
  await visitor.go(`/sign-in?provider=${provider.id}`)
  await visitor.page.getByRole('button', { name: 'Sign in with Keycloak' }).click()
  await visitor.page.getByText('There is no account for stranger@elsewhere.test here.').waitFor()
  await visitor.page.getByRole('link', { name: 'Go to the workspace' }).waitFor()
})

test('signing out offers to sign out at the provider, which redirects back', {
  skip: noChromium,
}, async () => {
  oidc.person = { sub: 'bob', email: web.bob.actor.email, email_verified: true }
  const visitor = await web.visit()
  const { page } = visitor
  await visitor.go(`/sign-in?provider=${provider.id}`)
  await page.getByRole('button', { name: 'Sign in with Keycloak' }).click()
  await page.waitForURL(`${web.url}/`)
  await visitor.waitUntilSettled()
  await page.getByRole('button', { name: /Account of Bob/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  const signOutLink = page.getByRole('link', { name: 'Sign out at Keycloak' })
  await signOutLink.waitFor()
  await visitor.checkPage('sign-out-provider')
  const href = new URL((await signOutLink.getAttribute('href')) ?? '')
  assert.equal(href.origin, oidc.issuer)
  assert.equal(href.searchParams.get('post_logout_redirect_uri'), `${web.url}/sign-in`)
  assert.equal(decodeJwt(href.searchParams.get('id_token_hint') ?? '').sub, 'bob')
  assert.equal(new URL(page.url()).hash, '', 'the ID token does not stay in the address')
  await signOutLink.click()
  await page.getByRole('button', { name: /Yes, sign me out/ }).click()
  await page.waitForURL(/\/sign-in/)
  assert.ok(page.url().startsWith(`${web.url}/sign-in`))
})
