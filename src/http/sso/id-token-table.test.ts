import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { decodeJwt } from 'jose'
import { Events, OAuth2Server, type MutableResponse } from 'oauth2-mock-server'
import { insertProvider, type Provider } from '../../sso/providers.ts'
import { Browser } from '../../testing/browser.ts'
import { minute } from '../../testing/harness.ts'
import {
  ecdsa,
  encoded,
  handmadeToken,
  hs256,
  jwkOf,
  rs256,
  type Claims,
  type Signer,
} from '../../testing/oauth/jws.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'

// Hand-made ID tokens, valid and with one defect each, from a provider with hand-made keys.

const secret = 'the client secret of this workspace'
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const otherRsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const rsa1024 = generateKeyPairSync('rsa', { modulusLength: 1024 })
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const pem = rsa.publicKey.export({ format: 'pem', type: 'spki' }) as string

let served: ServedWorkspace
let provider: Provider
const mock = new OAuth2Server()
let requestCount = 0
const elsewhere = createServer((_, response) => {
  requestCount++
  response.end(JSON.stringify({ keys: [jwkOf(otherRsa)] }))
})

before(async () => {
  await mock.issuer.keys.generate('RS256')
  await mock.start(0, '127.0.0.1')
  mock.issuer.url = `http://127.0.0.1:${mock.address().port}`
  await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done))
  served = await serveWorkspace({
    settings: {
      outbound_allow: [mock.issuer.url, jwksUrl()].map((url) => new URL(url).host).join(),
    },
  })
  provider = await served.app.store.writer.run(() =>
    insertProvider(served.app, served.ann.actor.org_id, {
      name: 'Mock',
      issuer: mock.issuer.url ?? '',
      clientId: 'workspace',
      clientSecret: secret,
      accounts: 'anyone',
    }),
  )
  const algorithms = ['RS256', 'ES256', 'HS256', 'none']
  mock.service.on(Events.BeforeWellKnownOpenIdConfiguration, ({ body }: MutableResponse) =>
    Object.assign(body as object, { id_token_signing_alg_values_supported: algorithms }),
  )
  mock.service.on(Events.BeforeUserinfo, ({ body }: MutableResponse) =>
    Object.assign(body as object, { sub: 'jo' }),
  )
  mock.service.on(Events.BeforeResponse, ({ body }: MutableResponse) => {
    const answer = body as { id_token: string }
    answer.id_token = tokenOf(answer.id_token)
  })
})
after(async () => {
  elsewhere.close()
  await served.close()
  await mock.stop()
})

interface Attempt {
  /** Keys published by the provider. */
  keys?: unknown
  header?: Claims
  claims?: (now: number) => Claims
  signer?: Signer
  /** Replaces the token that is sent. */
  tamper?: (token: string) => string
}

let currentAttempt: Attempt = {}

function tokenOf(original: string): string {
  const defaultClaims = {
    ...decodeJwt(original),
    sub: 'jo',
    email: 'jo@acme.test',
    email_verified: true,
  }
  const token = handmadeToken(
    { alg: 'RS256', kid: 'one', ...currentAttempt.header },
    { ...defaultClaims, ...currentAttempt.claims?.(Math.floor(Date.now() / 1000)) },
    currentAttempt.signer ?? rs256(rsa.privateKey),
  )
  return currentAttempt.tamper?.(token) ?? token
}

function jwksUrl(): string {
  const address = elsewhere.address()
  assert.ok(address !== null && typeof address === 'object')
  return `http://127.0.0.1:${address.port}/jwks.json`
}

const unrelatedKeys = (count: number) =>
  Array.from({ length: count }, (_, n) => jwkOf(otherRsa, { kid: `other ${n}` }))
const es256 = { alg: 'ES256' }

const accepted: [what: string, attempt: () => Attempt][] = [
  ['RS256 by a key with a kid', () => ({})],
  [
    'ES256',
    () => ({ keys: [jwkOf(p256)], header: es256, signer: ecdsa('sha256', p256.privateKey) }),
  ],
  ['no kid where there is one key', () => ({ header: { kid: undefined } })],
  ['the last of 60 keys', () => ({ keys: [...unrelatedKeys(59), jwkOf(rsa)] })],
  [
    'keys of unknown types among the keys',
    () => ({ keys: [{ kty: 'NEW', kid: 'x' }, jwkOf(rsa)] }),
  ],
  [
    'several audiences with ours as azp',
    () => ({ claims: () => ({ aud: ['workspace', 'x'], azp: 'workspace' }) }),
  ],
  ['expired half a minute ago', () => ({ claims: (now) => ({ exp: now - 30 }) })],
  ['issued half a minute ahead', () => ({ claims: (now) => ({ iat: now + 30 }) })],
  [
    'jku, x5u and jwk headers, which are ignored',
    () => ({ header: { jku: jwksUrl(), x5u: jwksUrl(), jwk: jwkOf(otherRsa) } }),
  ],
]

const refused: [what: string, attempt: () => Attempt][] = [
  ['alg none', () => ({ header: { alg: 'none' }, signer: () => Buffer.alloc(0) })],
  ['alg None', () => ({ header: { alg: 'None' }, signer: () => Buffer.alloc(0) })],
  ['no alg', () => ({ header: { alg: undefined } })],
  ['an alg that is a number', () => ({ header: { alg: 256 } })],
  ['HS256 with the public key', () => ({ header: { alg: 'HS256' }, signer: hs256(pem) })],
  ['HS256 with the client secret', () => ({ header: { alg: 'HS256' }, signer: hs256(secret) })],
  [
    'HS256 with a secret among the keys',
    () => ({
      keys: [{ kty: 'oct', k: 'c2VjcmV0', kid: 'one' }],
      header: { alg: 'HS256' },
      signer: hs256('secret'),
    }),
  ],
  [
    'RS512, which the provider does not advertise',
    () => ({
      header: { alg: 'RS512' },
      signer: (input) => sign('sha512', Buffer.from(input), rsa.privateKey),
    }),
  ],
  ['another key', () => ({ signer: rs256(otherRsa.privateKey) })],
  [
    'another key, carried in the header',
    () => ({ header: { jwk: jwkOf(otherRsa) }, signer: rs256(otherRsa.privateKey) }),
  ],
  [
    'another key, at an address in jku',
    () => ({ header: { jku: jwksUrl() }, signer: rs256(otherRsa.privateKey) }),
  ],
  [
    'another key, at an address in x5u',
    () => ({ header: { x5u: jwksUrl() }, signer: rs256(otherRsa.privateKey) }),
  ],
  ['an unknown kid', () => ({ header: { kid: 'two' } })],
  ['a kid that is a path', () => ({ header: { kid: '../../etc/passwd' } })],
  ['a kid that is a number', () => ({ header: { kid: 1 } })],
  [
    'no kid where there are two keys',
    () => ({ keys: [jwkOf(rsa), jwkOf(otherRsa)], header: { kid: undefined } }),
  ],
  ['a kid that two keys have', () => ({ keys: [jwkOf(otherRsa), jwkOf(rsa)] })],
  ['a key for encrypting', () => ({ keys: [jwkOf(rsa, { use: 'enc' })] })],
  ['a key of another algorithm', () => ({ keys: [jwkOf(rsa, { alg: 'PS256' })] })],
  ['a key of 1024 bits', () => ({ keys: [jwkOf(rsa1024)], signer: rs256(rsa1024.privateKey) })],
  ['a modulus that is not base64url', () => ({ keys: [jwkOf(rsa, { n: '!'.repeat(342) })] })],
  ['a modulus that is a number', () => ({ keys: [jwkOf(rsa, { n: 1 })] })],
  ['no exponent', () => ({ keys: [jwkOf(rsa, { e: undefined })] })],
  [
    'ES256 by a key on another curve',
    () => ({ keys: [jwkOf(p384)], header: es256, signer: ecdsa('sha384', p384.privateKey) }),
  ],
  [
    'ES256 by a P-384 key labelled as P-256',
    () => ({
      keys: [jwkOf(p384, { crv: 'P-256' })],
      header: es256,
      signer: ecdsa('sha256', p384.privateKey),
    }),
  ],
  [
    'a point that is not on its curve',
    () => ({
      keys: [jwkOf(p256, { x: 'A'.repeat(43) })],
      header: es256,
      signer: ecdsa('sha256', p256.privateKey),
    }),
  ],
  [
    'a signature of zeros',
    () => ({ keys: [jwkOf(p256)], header: es256, signer: () => Buffer.alloc(64) }),
  ],
  ['no keys', () => ({ keys: [] })],
  ['keys that are not a list', () => ({ keys: 'none' })],
  ['a key that is null', () => ({ keys: [null] })],
  ['an unknown crit', () => ({ header: { crit: ['x'], x: 1 } })],
  ['a payload that is not encoded', () => ({ header: { crit: ['b64'], b64: false } })],
  ['another audience', () => ({ claims: () => ({ aud: 'another' }) })],
  ['an audience that begins like ours', () => ({ claims: () => ({ aud: 'workspace2' }) })],
  ['no audience', () => ({ claims: () => ({ aud: undefined }) })],
  ['several audiences without azp', () => ({ claims: () => ({ aud: ['workspace', 'x'] }) })],
  [
    'several audiences with another azp',
    () => ({ claims: () => ({ aud: ['workspace', 'x'], azp: 'x' }) }),
  ],
  ['our audience with another azp', () => ({ claims: () => ({ azp: 'x' }) })],
  ['an azp that is a list', () => ({ claims: () => ({ azp: ['workspace'] }) })],
  ['another issuer', () => ({ claims: () => ({ iss: 'https://evil.example' }) })],
  ['the issuer with a slash', () => ({ claims: () => ({ iss: `${mock.issuer.url}/` }) })],
  ['no issuer', () => ({ claims: () => ({ iss: undefined }) })],
  ['the nonce of another request', () => ({ claims: () => ({ nonce: 'another' }) })],
  ['no nonce', () => ({ claims: () => ({ nonce: undefined }) })],
  ['a nonce that is a list', () => ({ claims: () => ({ nonce: ['x'] }) })],
  ['expired', () => ({ claims: (now) => ({ exp: now - 90 }) })],
  ['no exp', () => ({ claims: () => ({ exp: undefined }) })],
  ['an exp that is a string', () => ({ claims: (now) => ({ exp: String(now + 60) }) })],
  ['issued five minutes ahead', () => ({ claims: (now) => ({ iat: now + 300, exp: now + 900 }) })],
  [
    'issued in the year 5000',
    () => ({ claims: () => ({ iat: 95_617_584_000, exp: 95_617_584_900 }) }),
  ],
  ['no iat', () => ({ claims: () => ({ iat: undefined }) })],
  ['an iat that is a string', () => ({ claims: () => ({ iat: 'now' }) })],
  ['valid only in five minutes', () => ({ claims: (now) => ({ nbf: now + 300 }) })],
  ['no subject', () => ({ claims: () => ({ sub: undefined }) })],
  ['an empty subject', () => ({ claims: () => ({ sub: '' }) })],
  ['a subject that is an object', () => ({ claims: () => ({ sub: {} }) })],
  ['a subject other than that of userinfo', () => ({ claims: () => ({ sub: 'ann' }) })],
  [
    'a payload that is a list',
    () => ({ tamper: (token) => token.replace(/\.[^.]+\./, `.${encoded([1])}.`) }),
  ],
  [
    'changed after it was signed',
    () => ({ tamper: (token) => token.replace(/\.[^.]+\./, `.${encoded({ sub: 'admin' })}.`) }),
  ],
  ['five parts, as if encrypted', () => ({ tamper: (token) => `${token}.a.b` })],
  ['two parts', () => ({ tamper: (token) => token.split('.').slice(0, 2).join('.') })],
  ['no parts', () => ({ tamper: () => 'x' })],
  ['a header that is not JSON', () => ({ tamper: (token) => `e30x${token}` })],
]

/** Signs in with the given provider response. */
async function signIn(attempt: Attempt) {
  currentAttempt = attempt
  const published = attempt.keys ?? [jwkOf(rsa)]
  mock.issuer.keys.toJSON = () => published as ReturnType<typeof mock.issuer.keys.toJSON>
  const browser = new Browser(served)
  const started = await browser.post(`/web/sso/${provider.id}/start`)
  assert.equal(started.status, 200, started.text)
  const authorization = await fetch(started.json.location, { redirect: 'manual' })
  const back = new URL(authorization.headers.get('location') ?? '')
  const got = await browser.navigate(back.pathname + back.search)
  served.clock.wait(minute) // sign-ins are rate-limited per address
  return got
}

test(`ID tokens in ${accepted.length} valid forms are accepted`, async () => {
  for (const [what, attempt] of accepted) {
    const got = await signIn(attempt())
    assert.equal(got.status, 303, `${what}: ${got.text}`)
  }
  assert.equal(requestCount, 0)
})

test(`ID tokens that are wrong in one of ${refused.length} ways sign no one in and never cause a server error`, async () => {
  for (const [what, attempt] of refused) {
    const got = await signIn(attempt())
    assert.equal(got.status, 400, `${what}: ${got.status} ${got.text}`)
    assert.match(got.text, /The answer of Mock was not accepted/, what)
    assert.deepEqual(got.headers.getSetCookie(), [], what)
  }
  assert.equal(requestCount, 0, 'addresses in headers are not fetched')
})
