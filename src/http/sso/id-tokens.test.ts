import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { decodeJwt, UnsecuredJWT } from 'jose'
import { Events, OAuth2Server, type MutableResponse, type MutableToken } from 'oauth2-mock-server'
import { insertProvider, type Provider } from '../../sso/providers.ts'
import { Browser } from '../../testing/browser.ts'
import { serveWorkspace, type ServedWorkspace, type TestResponse } from '../../testing/server.ts'

// Tests sign-in with ID tokens of a mock provider, each wrong in one way.

let served: ServedWorkspace
let provider: Provider
const mock = new OAuth2Server()

before(async () => {
  await mock.issuer.keys.generate('RS256')
  await mock.start(0, '127.0.0.1')
  mock.issuer.url = `http://127.0.0.1:${mock.address().port}`
  served = await serveWorkspace({
    settings: { outbound_allow: new URL(mock.issuer.url).host },
  })
  provider = await served.app.store.writer.run(() =>
    insertProvider(served.app, served.ann.actor.org_id, {
      name: 'Mock',
      issuer: mock.issuer.url ?? '',
      clientId: 'workspace',
      clientSecret: 'secret',
      accounts: 'anyone',
    }),
  )
})
beforeEach(() => {
  mock.service.removeAllListeners()
  mock.service.on(Events.BeforeUserinfo, ({ body }: MutableResponse) =>
    Object.assign(body as object, { sub: 'johndoe' }),
  )
  changeClaims((payload) => Object.assign(payload, { email: 'jo@acme.test', email_verified: true }))
})
after(async () => {
  await served.close()
  await mock.stop()
})

function changeClaims(edit: (payload: MutableToken['payload']) => unknown): void {
  mock.service.on(Events.BeforeTokenSigning, ({ payload }: MutableToken) => void edit(payload))
}

function replaceIdToken(replace: (token: string) => string): void {
  mock.service.on(Events.BeforeResponse, ({ body }: MutableResponse) => {
    const answer = body as { id_token: string }
    answer.id_token = replace(answer.id_token)
  })
}

async function signIn(): Promise<TestResponse> {
  const browser = new Browser(served)
  const started = await browser.post(`/web/sso/${provider.id}/start`)
  assert.equal(started.status, 200, started.text)
  const authorization = await fetch(started.json.location, { redirect: 'manual' })
  const back = new URL(authorization.headers.get('location') ?? '')
  return browser.navigate(back.pathname + back.search)
}

async function assertRefused(): Promise<void> {
  const got = await signIn()
  assert.equal(got.status, 400)
  assert.match(got.text, /The answer of Mock was not accepted/)
  assert.deepEqual(got.headers.getSetCookie(), [])
}

const nowSeconds = () => Math.floor(Date.now() / 1000)

test('a valid ID token signs in, even from a clock half a minute off', async () => {
  assert.equal((await signIn()).status, 303)
  changeClaims((payload) =>
    Object.assign(payload, { iat: nowSeconds() + 30, nbf: nowSeconds() + 30 }),
  )
  assert.equal((await signIn()).status, 303)
})

test('an ID token for another client, issuer or request, or outside its lifetime, is rejected', async () => {
  const wrong: Record<string, unknown>[] = [
    { aud: 'another' },
    { aud: ['workspace', 'another'], azp: 'another' },
    { iss: 'https://evil.example' },
    { nonce: 'of another request' },
    { nonce: undefined },
    { exp: nowSeconds() - 300 },
    { nbf: nowSeconds() + 300 },
    { sub: undefined },
  ]
  for (const claims of wrong) {
    const listener = ({ payload }: MutableToken) => void Object.assign(payload, claims)
    mock.service.on(Events.BeforeTokenSigning, listener)
    await assertRefused()
    mock.service.off(Events.BeforeTokenSigning, listener)
  }
})

test('an unsigned ID token is rejected', async () => {
  replaceIdToken((token) => new UnsecuredJWT(decodeJwt(token)).encode())
  await assertRefused()
})

test('an ID token altered after signing is rejected', async () => {
  replaceIdToken((token) => {
    const [head = '', , signature = ''] = token.split('.')
    const body = Buffer.from(JSON.stringify({ ...decodeJwt(token), sub: 'ann' }))
    return `${head}.${body.toString('base64url')}.${signature}`
  })
  await assertRefused()
})

test('userinfo about another person than the ID token is rejected', async () => {
  mock.service.on(Events.BeforeUserinfo, ({ body }: MutableResponse) =>
    Object.assign(body as object, { sub: 'ann' }),
  )
  await assertRefused()
})

test('rotated provider keys are fetched again', async () => {
  assert.equal((await signIn()).status, 303)
  await mock.issuer.keys.generate('RS256', { kid: 'second' })
  mock.service.on(Events.BeforeTokenSigning, ({ header }: MutableToken) =>
    Object.assign(header, { kid: 'second' }),
  )
  assert.equal((await signIn()).status, 303)
})
