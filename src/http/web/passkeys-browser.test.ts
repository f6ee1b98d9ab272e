import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { givePasswords, password } from '../../testing/browser.ts'
import { noChromium, openChromium } from '../../testing/chromium.ts'
import { minute } from '../../testing/harness.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'

// The ceremonies in a real browser with a virtual authenticator.

let served: ServedWorkspace
let chromium: Browser
before(async () => {
  if (noChromium) return
  ;[served, chromium] = await Promise.all([serveWorkspace(), openChromium()])
  served.app.baseUrl = served.url.replace('127.0.0.1', 'localhost')
  await givePasswords(served, served.ann)
})
after(async () => {
  await chromium?.close()
  await served?.close()
})

interface Answer {
  status: number
  json: any
}

/** A page of the workspace in a signed-out browser. */
async function openPage(): Promise<Page> {
  const context = await chromium.newContext({ bypassCSP: true }) // the test injects scripts in place of the app's own
  const page = await context.newPage()
  await page.goto(`${served.app.baseUrl}/web/session`)
  return page
}

/** Sends a request as the app's own script in that page would. */
function post(page: Page, path: string, body: unknown = {}): Promise<Answer> {
  return page.evaluate(
    async ({ path, body }) => {
      const got = await fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return { status: got.status, json: (await got.json()) as unknown }
    },
    { path, body },
  )
}

/** Makes the browser create (`create`) or use (`get`) a passkey; returns the error's name if it refuses. */
function callCredentials(page: Page, how: 'create' | 'get', options: unknown): Promise<any> {
  return page.evaluate(
    async ({ how, options }) => {
      const { navigator, PublicKeyCredential: credentialClass } = globalThis as any
      const publicKey =
        how === 'create'
          ? credentialClass.parseCreationOptionsFromJSON(options)
          : credentialClass.parseRequestOptionsFromJSON(options)
      try {
        return (await navigator.credentials[how]({ publicKey })).toJSON()
      } catch (error) {
        return (error as Error).name
      }
    },
    { how, options },
  )
}

/** Gives a page an authenticator that needs no user gesture. */
async function addAuthenticator(page: Page): Promise<{ session: CDPSession; id: string }> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  return {
    session,
    id: (await session.send('WebAuthn.addVirtualAuthenticator', { options })).authenticatorId,
  }
}

test('in a real browser a passkey is created, signs in, confirms a session, and is refused when cloned', {
  skip: noChromium,
}, async () => {
  const page = await openPage()
  const { session, id: authenticatorId } = await addAuthenticator(page)
  assert.equal((await post(page, '/web/sign-in', { email: 'ann@acme.test', password })).status, 200)

  const createdCredential = await callCredentials(
    page,
    'create',
    (await post(page, '/web/passkeys/begin')).json,
  )
  const added = await post(page, '/web/passkeys', { name: 'Laptop', response: createdCredential })
  assert.deepEqual(
    [added.status, added.json.name, added.json.transports],
    [201, 'Laptop', ['internal']],
  )
  const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
  assert.deepEqual(
    credentials.map((item) => [item.rpId, item.isResidentCredential, item.userName]),
    [['localhost', true, 'ann@acme.test']],
  )
  assert.equal(Buffer.from(credentials[0]!.userHandle!, 'base64').toString(), served.ann.id)
  assert.equal(
    await callCredentials(page, 'create', (await post(page, '/web/passkeys/begin')).json),
    'InvalidStateError',
    'the browser creates no second passkey',
  )

  await post(page, '/web/sign-out')
  assert.equal((await post(page, '/web/passkeys/begin')).status, 401)
  const used = await callCredentials(
    page,
    'get',
    (await post(page, '/web/passkeys/sign-in/begin')).json,
  )
  const signedIn = await post(page, '/web/passkeys/sign-in', { response: used })
  assert.deepEqual([signedIn.status, signedIn.json.person?.email], [200, 'ann@acme.test'])
  const cookies = await page.context().cookies()
  assert.deepEqual(
    cookies.map((cookie) => [cookie.name, cookie.httpOnly, cookie.sameSite]).sort(),
    [
      ['ws', true, 'Lax'],
      ['ws-device', true, 'Lax'],
    ],
  )
  assert.equal((await post(page, '/web/passkeys/sign-in', { response: used })).status, 401, 'once')

  served.clock.pass(15 * minute)
  assert.equal((await post(page, '/web/passkeys/begin')).json.code, 'password_required')
  const verified = await post(page, '/web/verify/passkey', {
    response: await callCredentials(
      page,
      'get',
      (await post(page, '/web/verify/passkey/begin')).json,
    ),
  })
  assert.equal(verified.status, 200)
  assert.equal((await post(page, '/web/passkeys/begin')).status, 200)

  const [credential] = (await session.send('WebAuthn.getCredentials', { authenticatorId }))
    .credentials
  await session.send('WebAuthn.removeCredential', {
    authenticatorId,
    credentialId: credential!.credentialId,
  })
  await session.send('WebAuthn.addCredential', {
    authenticatorId,
    credential: { ...credential!, signCount: 1 },
  })
  const copied = await post(page, '/web/passkeys/sign-in', {
    response: await callCredentials(
      page,
      'get',
      (await post(page, '/web/passkeys/sign-in/begin')).json,
    ),
  })
  assert.deepEqual([copied.status, copied.json.code], [401, 'unauthenticated'])
  const received = (await served.ann.call('list_notifications', { kind: ['security'] })).items.map(
    (item: { text: string }) => item.text,
  ) as string[]
  assert.ok(received.some((text) => text.startsWith('Your passkey "Laptop" was refused')))
})

test('a browser without user verification, or a page of another domain, is refused', {
  skip: noChromium,
}, async () => {
  const page = await openPage()
  const { session, id: authenticatorId } = await addAuthenticator(page)
  await post(page, '/web/sign-in', { email: 'ann@acme.test', password })
  await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  assert.equal(
    await callCredentials(page, 'create', (await post(page, '/web/passkeys/begin')).json),
    'NotAllowedError',
  )
  await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  const creation = (await post(page, '/web/passkeys/begin')).json
  assert.equal(
    await callCredentials(page, 'create', { ...creation, rp: { ...creation.rp, id: 'work.test' } }),
    'SecurityError',
  )
  const lax = await callCredentials(page, 'create', {
    ...creation,
    authenticatorSelection: { ...creation.authenticatorSelection, userVerification: 'discouraged' },
  })
  await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  assert.equal(
    (await post(page, '/web/passkeys', { name: 'Key', response: lax })).status,
    201,
    'the authenticator verified the user all the same',
  )
  const signInOptions = (await post(page, '/web/passkeys/sign-in/begin')).json
  const unverified = await callCredentials(page, 'get', {
    ...signInOptions,
    userVerification: 'discouraged',
  })
  const got = await post(page, '/web/passkeys/sign-in', { response: unverified })
  assert.deepEqual([got.status, got.json.code], [401, 'unauthenticated'])
})
