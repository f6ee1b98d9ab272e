import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { decodeJwt, UnsecuredJWT } from 'jose'
import { Events, OAuth2Server, type MutableResponse, type MutableToken } from 'oauth2-mock-server'
import { insertProvider, type Provider } from '../../sso/providers.ts'
import { Browser } from '../../testing/browser.ts'
import { serveWorkspace, type ServedWorkspace, type TestResponse } from '../../testing/server.ts'

// A lying provider: its ID tokens are wrong in one way after another.

let served: ServedWorkspace
let provider: Provider
const lying = new OAuth2Server()

before(async () => {
  await lying.issuer.keys.generate('RS256')
  await lying.start(0, '127.0.0.1')
  lying.issuer.url = `http://127.0.0.1:${lying.address().port}`
  served = await serveWorkspace({
    settings: { outbound_allow: new URL(lying.issuer.url).host },
  })
  provider = await served.app.store.writer.run(() =>
    insertProvider(served.app, served.ann.actor.org_id, {
      name: 'Mock',
      issuer: lying.issuer.url ?? '',
      clientId: 'workspace',
      clientSecret: 'secret',
      accounts: 'anyone',
    }),
  )
})
beforeEach(() => {
  lying.service.removeAllListeners()
  lying.service.on(Events.BeforeUserinfo, ({ body }: MutableResponse) =>
    Object.assign(body as object, { sub: 'johndoe' }),
  )
  change((payload) => Object.assign(payload, { email: 'jo@acme.test', email_verified: true }))
})
after(async () => {
  await served.close()
  await lying.stop()
})

function change(by: (payload: MutableToken['payload']) => unknown): void {
  lying.service.on(Events.BeforeTokenSigning, ({ payload }: MutableToken) => void by(payload))
}

function replaceIdToken(by: (token: string) => string): void {
  lying.service.on(Events.BeforeResponse, ({ body }: MutableResponse) => {
    const answer = body as { id_token: string }
    answer.id_token = by(answer.id_token)
  })
}

async function signIn(): Promise<TestResponse> {
  const browser = new Browser(served)
  const started = await browser.post(`/web/sso/${provider.id}/start`)
  assert.equal(started.status, 200, started.text)
  const sent = await fetch(started.json.location, { redirect: 'manual' })
  const back = new URL(sent.headers.get('location') ?? '')
  return browser.navigate(back.pathname + back.search)
}

async function refused(): Promise<void> {
  const got = await signIn()
  assert.equal(got.status, 400)
  assert.match(got.text, /The answer of Mock was not accepted/)
  assert.deepEqual(got.headers.getSetCookie(), [])
}

const seconds = () => Math.floor(Date.now() / 1000)

test('a valid ID token signs in, even from a clock half a minute off', async () => {
  assert.equal((await signIn()).status, 303)
  change((payload) => Object.assign(payload, { iat: seconds() + 30, nbf: seconds() + 30 }))
  assert.equal((await signIn()).status, 303)
})

test('an ID token for another client, issuer or request, or outside its lifetime, is rejected', async () => {
  const wrong: Record<string, unknown>[] = [
    { aud: 'another' },
    { aud: ['workspace', 'another'], azp: 'another' },
    { iss: 'https://evil.example' },
    { nonce: 'of another request' },
    { nonce: undefined },
    { exp: seconds() - 300 },
    { nbf: seconds() + 300 },
    { sub: undefined },
  ]
  for (const claims of wrong) {
    const listener = ({ payload }: MutableToken) => void Object.assign(payload, claims)
    lying.service.on(Events.BeforeTokenSigning, listener)
    await refused()
    lying.service.off(Events.BeforeTokenSigning, listener)
  }
})

test('an unsigned ID token is rejected', async () => {
  replaceIdToken((token) => new UnsecuredJWT(decodeJwt(token)).encode())
  await refused()
})

test('an ID token altered after signing is rejected', async () => {
  replaceIdToken((token) => {
    const [head = '', , signature = ''] = token.split('.')
    const body = Buffer.from(JSON.stringify({ ...decodeJwt(token), sub: 'ann' }))
    return `${head}.${body.toString('base64url')}.${signature}`
  })
  await refused()
})

test('userinfo of another person is not accepted for that of the ID token', async () => {
  lying.service.on(Events.BeforeUserinfo, ({ body }: MutableResponse) =>
    Object.assign(body as object, { sub: 'ann' }),
  )
  await refused()
})

test('rotated provider keys are fetched again', async () => {
  assert.equal((await signIn()).status, 303)
  await lying.issuer.keys.generate('RS256', { kid: 'second' })
  lying.service.on(Events.BeforeTokenSigning, ({ header }: MutableToken) =>
    Object.assign(header, { kid: 'second' }),
  )
  assert.equal((await signIn()).status, 303)
})
