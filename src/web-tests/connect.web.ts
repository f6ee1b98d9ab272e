import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { authorizationOf, newPkcePair, postForm, register } from '../http/oauth/testing.ts'
import { startOidcServer, type OidcServer } from '../testing/servers/oidc.ts'
import { noChromium, openWeb, password, type Visitor, type Web } from './setup.ts'
import { addKeycloak } from './steps.ts'

// A host on another origin opens the consent page in a popup, like hosted assistants, and receives the outcome there.

let web: Web
let oidc: OidcServer
let host: Server
let hostUrl: string
before(async () => {
  if (noChromium) return
  oidc = await startOidcServer()
  web = await openWeb(undefined, { outbound_allow: new URL(oidc.issuer).host })
  await addKeycloak(web, oidc)
  host = createServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(
      request.url?.startsWith('/callback')
        ? '<title>Called back</title><script>opener.postMessage(location.search, "*"); close()</script>'
        : '<title>Host</title>',
    )
  })
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  hostUrl = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
})
after(async () => {
  host?.close()
  await web?.close()
  await oidc?.close()
})

async function newAuthorization(): Promise<{ clientId: string; verifier: string; url: string }> {
  const redirect = `${hostUrl}/callback`
  const clientId = await register(web, { client_name: 'Some assistant', redirect_uris: [redirect] })
  const { verifier, challenge } = newPkcePair()
  const query = new URLSearchParams(authorizationOf(clientId, challenge, redirect))
  return { clientId, verifier, url: `${web.url}/oauth/authorize?${query}` }
}

/** Opens the consent page in a popup of the host, which waits for the outcome. */
async function openPopup(visitor: Visitor, url: string): Promise<Page> {
  await visitor.page.goto(hostUrl)
  await visitor.page.evaluate(() => {
    addEventListener('message', ({ data }) => (document.title = String(data)))
  })
  const popup = visitor.context.waitForEvent('page')
  await visitor.page.evaluate((address) => {
    Object.assign(globalThis, { popup: open(address, 'consent', 'width=360,height=740') })
  }, url)
  return popup
}

const isPopupClosed = (visitor: Visitor) =>
  visitor.page.evaluate(() => (globalThis as { popup?: Window }).popup?.closed)

/** Allows the connection, and checks that the host gets tokens for its code. */
async function requireTokens(
  visitor: Visitor,
  popup: Page,
  { clientId, verifier }: { clientId: string; verifier: string },
): Promise<void> {
  await popup.getByRole('button', { name: 'Allow' }).click()
  await visitor.page.waitForFunction(() => document.title.includes('code='))
  const callbackParams = new URLSearchParams(await visitor.page.title())
  const tokenResponse = await postForm(web, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code: callbackParams.get('code') ?? '',
    code_verifier: verifier,
  })
  assert.equal(tokenResponse.status, 200, tokenResponse.text)
}

test('an app opens the consent page in a popup, the person signs in and allows it, and the popup returns', {
  skip: noChromium,
}, async () => {
  const { clientId, verifier, url } = await newAuthorization()
  const visitor = await web.visit()
  const popup = await openPopup(visitor, url)
  await popup.getByLabel('Email address').fill(web.bob.actor.email)
  await popup.locator('input[name=password]').fill(password)
  await popup.getByRole('button', { name: 'Sign in', exact: true }).click()
  await popup.getByRole('heading', { name: 'Connect Some assistant?' }).waitFor()
  assert.equal(await isPopupClosed(visitor), false, 'the host still knows its window')
  assert.ok(await popup.getByText('Its identity is not verified').isVisible())
  assert.ok(await popup.getByText('127.0.0.1', { exact: true }).isVisible())
  await requireTokens(visitor, popup, { clientId, verifier })
})

test('in the popup the person signs in with an identity provider, links an existing account, and the popup returns', {
  skip: noChromium,
}, async () => {
  oidc.person = { sub: 'bob', email: web.bob.actor.email, email_verified: true, name: 'Bob' }
  for (const isFirstSignIn of [true, false]) {
    const { clientId, verifier, url } = await newAuthorization()
    const visitor = await web.visit()
    const popup = await openPopup(visitor, url)
    await popup.getByLabel('Email address').fill(web.bob.actor.email)
    await popup.getByRole('button', { name: 'Sign in with Keycloak' }).click()
    if (isFirstSignIn) {
      await popup.getByText('then it is connected with Keycloak').waitFor()
      await popup.getByLabel('Email address').fill(web.bob.actor.email)
      await popup.locator('input[name=password]').fill(password)
      await popup.getByRole('button', { name: 'Sign in', exact: true }).click()
    }
    await popup.getByRole('heading', { name: 'Connect Some assistant?' }).waitFor()
    assert.equal(await isPopupClosed(visitor), false, 'the host still knows its window')
    await requireTokens(visitor, popup, { clientId, verifier })
  }
})

test('the consent page fits a phone, is accessible, and its connection is listed where it can be revoked', {
  skip: noChromium,
}, async () => {
  const { url } = await newAuthorization()
  const visitor = await web.visit(web.carol)
  await visitor.page.goto(url)
  await visitor.waitUntilSettled()
  await visitor.checkPage('connect')
  await visitor.page.getByRole('button', { name: 'Deny' }).click()
  await visitor.page.waitForURL(`${hostUrl}/callback?**`)
  assert.match(visitor.page.url(), /error=access_denied/)
  const second = await newAuthorization()
  await visitor.page.goto(second.url)
  await visitor.page.getByRole('button', { name: 'Allow' }).click()
  await visitor.page.waitForURL(`${hostUrl}/callback?**`)
  await visitor.go('/settings/integrations/api-keys')
  await visitor.page.getByRole('link', { name: 'Some assistant' }).waitFor()
  await visitor.page.getByText('Connection', { exact: true }).waitFor()
  await visitor.checkPage('connections')
})
