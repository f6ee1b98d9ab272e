import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { assertionType } from '../../oauth/assertions.ts'
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
import { loopbackRedirect, postForm } from './testing.ts'

// Client assertions (private_key_jwt), valid and with one defect each. A valid one gets as far as its unknown code:
// invalid_grant. Others are invalid_client. None causes a server error, and no address in a header is fetched.

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const otherRsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const rsa1024 = generateKeyPairSync('rsa', { modulusLength: 1024 })
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const ed25519 = generateKeyPairSync('ed25519')

let served: ServedWorkspace
let requestCount = 0
const elsewhere = createServer((_, response) => {
  requestCount++
  response.end(JSON.stringify({ keys: [jwkOf(otherRsa)] }))
})
before(async () => {
  served = await serveWorkspace()
  await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done))
})
after(async () => {
  elsewhere.close()
  await served.close()
})

interface Attempt {
  /** The keys that the client has registered. */
  keys?: Claims[]
  header?: Claims
  claims?: (id: string, now: number) => Claims
  signer?: Signer
  /** Replaces the token that is sent. */
  tamper?: (token: string) => string
  /** No client_id beside the assertion. */
  omitClientId?: true
}

const pem = rsa.publicKey.export({ format: 'pem', type: 'spki' }) as string
const jwksUrl = () => {
  const address = elsewhere.address()
  assert.ok(address !== null && typeof address === 'object')
  return `http://127.0.0.1:${address.port}/jwks.json`
}
const nowSeconds = () => Math.floor(served.clock.now() / 1000)
const unrelatedKeys = (count: number) =>
  Array.from({ length: count }, (_, n) => jwkOf(otherRsa, { kid: `other ${n}` }))

const accepted: [what: string, attempt: () => Attempt][] = [
  ['RS256 by a key with a kid', () => ({})],
  ['no kid where there is one key', () => ({ header: { kid: undefined } })],
  [
    'ES256',
    () => ({
      keys: [jwkOf(p256)],
      header: { alg: 'ES256' },
      signer: ecdsa('sha256', p256.privateKey),
    }),
  ],
  ['the key among others', () => ({ keys: [...unrelatedKeys(19), jwkOf(rsa)] })],
  ['a key for signing', () => ({ keys: [jwkOf(rsa, { use: 'sig', key_ops: ['verify'] })] })],
  ['a key that names its algorithm', () => ({ keys: [jwkOf(rsa, { alg: 'RS256' })] })],
  [
    'keys of unknown types among the keys',
    () => ({ keys: [{ kty: 'NEW', kid: 'x' }, jwkOf(rsa)] }),
  ],
  [
    'the token endpoint as audience',
    () => ({ claims: () => ({ aud: `${served.url}/oauth/token` }) }),
  ],
  [
    'several audiences with ours',
    () => ({ claims: () => ({ aud: ['https://x.example', served.url] }) }),
  ],
  ['the issuer with a slash', () => ({ claims: () => ({ aud: `${served.url}/` }) })],
  ['expired half a minute ago', () => ({ claims: (_, now) => ({ exp: now - 30 }) })],
  ['valid from half a minute ahead', () => ({ claims: (_, now) => ({ nbf: now + 30 }) })],
  ['unknown claims', () => ({ claims: () => ({ roles: ['admin'], nested: { a: [1] } }) })],
  ['a type', () => ({ header: { typ: 'client-authentication+jwt' } })],
  [
    'jku, x5u and jwk headers, which are ignored',
    () => ({
      header: { jku: jwksUrl(), x5u: jwksUrl(), jwk: jwkOf(otherRsa) },
    }),
  ],
  ['no client_id next to the assertion', () => ({ omitClientId: true })],
]

const refused: [what: string, attempt: () => Attempt][] = [
  ['alg none', () => ({ header: { alg: 'none' }, signer: () => Buffer.alloc(0) })],
  ['alg None', () => ({ header: { alg: 'None' }, signer: () => Buffer.alloc(0) })],
  ['no alg', () => ({ header: { alg: undefined } })],
  ['an alg that is a number', () => ({ header: { alg: 256 } })],
  ['HS256 with the public key', () => ({ header: { alg: 'HS256' }, signer: hs256(pem) })],
  [
    'HS256 with a secret among the keys',
    () => ({
      keys: [{ kty: 'oct', k: 'c2VjcmV0', kid: 'one' }],
      header: { alg: 'HS256' },
      signer: hs256('secret'),
    }),
  ],
  [
    'RS512',
    () => ({
      header: { alg: 'RS512' },
      signer: (input) => sign('sha512', Buffer.from(input), rsa.privateKey),
    }),
  ],
  [
    'EdDSA',
    () => ({
      keys: [jwkOf(ed25519)],
      header: { alg: 'EdDSA' },
      signer: (input) => sign(null, Buffer.from(input), ed25519.privateKey),
    }),
  ],
  ['another key', () => ({ signer: rs256(otherRsa.privateKey) })],
  [
    'another key, carried in the header',
    () => ({
      header: { jwk: jwkOf(otherRsa) },
      signer: rs256(otherRsa.privateKey),
    }),
  ],
  [
    'another key, at an address in jku',
    () => ({
      header: { jku: jwksUrl() },
      signer: rs256(otherRsa.privateKey),
    }),
  ],
  [
    'another key, at an address in x5u',
    () => ({
      header: { x5u: jwksUrl() },
      signer: rs256(otherRsa.privateKey),
    }),
  ],
  ['an unknown kid', () => ({ header: { kid: 'two' } })],
  ['a kid that is a path', () => ({ header: { kid: '../../etc/passwd' } })],
  ['a kid that is a number', () => ({ header: { kid: 1 } })],
  [
    'no kid where there are two keys',
    () => ({
      keys: [jwkOf(rsa), jwkOf(otherRsa)],
      header: { kid: undefined },
    }),
  ],
  ['a kid that two keys have', () => ({ keys: [jwkOf(otherRsa), jwkOf(rsa)] })],
  ['a key for encrypting', () => ({ keys: [jwkOf(rsa, { use: 'enc' })] })],
  ['a key whose key_ops exclude verify', () => ({ keys: [jwkOf(rsa, { key_ops: ['encrypt'] })] })],
  ['a key of another algorithm', () => ({ keys: [jwkOf(rsa, { alg: 'PS256' })] })],
  ['a key of 1024 bits', () => ({ keys: [jwkOf(rsa1024)], signer: rs256(rsa1024.privateKey) })],
  ['a modulus of a megabit', () => ({ keys: [jwkOf(rsa, { n: 'x'.repeat(4000) })] })],
  ['a modulus that is not base64url', () => ({ keys: [jwkOf(rsa, { n: '!'.repeat(342) })] })],
  ['a modulus that is a number', () => ({ keys: [jwkOf(rsa, { n: 1 })] })],
  ['an empty modulus', () => ({ keys: [jwkOf(rsa, { n: '' })] })],
  ['no exponent', () => ({ keys: [jwkOf(rsa, { e: undefined })] })],
  [
    'a key on another curve',
    () => ({
      keys: [jwkOf(p384)],
      header: { alg: 'ES256' },
      signer: ecdsa('sha384', p384.privateKey),
    }),
  ],
  [
    'a P-384 key labelled as P-256',
    () => ({
      keys: [jwkOf(p384, { crv: 'P-256' })],
      header: { alg: 'ES256' },
      signer: ecdsa('sha256', p384.privateKey),
    }),
  ],
  [
    'a point that is not on its curve',
    () => ({
      keys: [jwkOf(p256, { x: 'A'.repeat(43) })],
      header: { alg: 'ES256' },
      signer: ecdsa('sha256', p256.privateKey),
    }),
  ],
  [
    'a point without y',
    () => ({
      keys: [jwkOf(p256, { y: undefined })],
      header: { alg: 'ES256' },
      signer: ecdsa('sha256', p256.privateKey),
    }),
  ],
  [
    'a signature in DER',
    () => ({
      keys: [jwkOf(p256)],
      header: { alg: 'ES256' },
      signer: ecdsa('sha256', p256.privateKey, 'der'),
    }),
  ],
  [
    'a signature of zeros',
    () => ({
      keys: [jwkOf(p256)],
      header: { alg: 'ES256' },
      signer: () => Buffer.alloc(64),
    }),
  ],
  ['no keys', () => ({ keys: [] })],
  ['an unknown crit', () => ({ header: { crit: ['x'], x: 1 } })],
  ['a payload that is not encoded', () => ({ header: { crit: ['b64'], b64: false } })],
  ['compression', () => ({ header: { crit: ['zip'], zip: 'DEF' } })],
  ['expired', () => ({ claims: (_, now) => ({ exp: now - 90 }) })],
  ['no exp', () => ({ claims: () => ({ exp: undefined }) })],
  ['an exp that is a string', () => ({ claims: (_, now) => ({ exp: String(now + 60) }) })],
  ['an exp in two hours', () => ({ claims: (_, now) => ({ exp: now + 7200 }) })],
  ['an exp in the far future', () => ({ claims: () => ({ exp: 1e300 }) })],
  ['valid only in five minutes', () => ({ claims: (_, now) => ({ nbf: now + 300 }) })],
  ['an nbf that is a string', () => ({ claims: () => ({ nbf: 'now' }) })],
  ['another issuer', () => ({ claims: () => ({ iss: 'https://other.example' }) })],
  ['no issuer', () => ({ claims: () => ({ iss: undefined }) })],
  ['another subject', () => ({ claims: () => ({ sub: 'cl_other' }) })],
  ['a subject that is an object', () => ({ claims: () => ({ sub: {} }), omitClientId: true })],
  ['a subject that is true', () => ({ claims: () => ({ sub: true }), omitClientId: true })],
  ['a subject with NUL', () => ({ claims: () => ({ sub: 'cl_\0' }), omitClientId: true })],
  ['another audience', () => ({ claims: () => ({ aud: 'https://other.example' }) })],
  [
    'an audience that begins like ours',
    () => ({ claims: () => ({ aud: `${served.url}.example` }) }),
  ],
  ['no audience', () => ({ claims: () => ({ aud: [] }) })],
  ['no jti', () => ({ claims: () => ({ jti: undefined }) })],
  ['an empty jti', () => ({ claims: () => ({ jti: '' }) })],
  ['a jti that is a number', () => ({ claims: () => ({ jti: 7 }) })],
  ['a jti that is a list', () => ({ claims: () => ({ jti: ['a'] }) })],
  ['a jti of 600 characters', () => ({ claims: () => ({ jti: 'x'.repeat(600) }) })],
  [
    'a payload that is a list',
    () => ({ tamper: (token) => token.replace(/\.[^.]+\./, `.${encoded([1])}.`) }),
  ],
  ['five parts', () => ({ tamper: (token) => `${token}.a.b` })],
  ['two parts', () => ({ tamper: (token) => token.split('.').slice(0, 2).join('.') })],
  ['no parts', () => ({ tamper: () => 'x' })],
  ['a header that is not JSON', () => ({ tamper: (token) => `e30x${token}` })],
  [
    'changed after it was signed',
    () => ({
      tamper: (token) => token.replace(/\.[^.]+\./, `.${encoded({ sub: 'admin' })}.`),
    }),
  ],
]

let serial = 0

async function attempt(what: string, input: Attempt) {
  const registered = await served.ask('POST', '/oauth/register', {
    key: undefined,
    body: {
      client_name: `Signs ${serial++}`,
      redirect_uris: [loopbackRedirect],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: input.keys ?? [jwkOf(rsa)] },
    },
  })
  assert.equal(registered.status, 201, `${what}: ${registered.text}`)
  const id = registered.json.client_id as string
  const now = nowSeconds()
  const defaultClaims = { iss: id, sub: id, aud: served.url, exp: now + 60, jti: `jti ${serial}` }
  const token = handmadeToken(
    { alg: 'RS256', kid: 'one', ...input.header },
    { ...defaultClaims, ...input.claims?.(id, now) },
    input.signer ?? rs256(rsa.privateKey),
  )
  const got = await postForm(served, '/oauth/token', {
    grant_type: 'authorization_code',
    code: 'wac_none',
    code_verifier: 'x'.repeat(43),
    ...(input.omitClientId ? {} : { client_id: id }),
    client_assertion_type: assertionType,
    client_assertion: input.tamper?.(token) ?? token,
  })
  served.clock.wait(4 * minute) // registrations are rate-limited per address
  return { status: got.status, error: got.json.error as string, text: got.text }
}

test(`assertions in ${accepted.length} valid forms authenticate a client`, async () => {
  for (const [what, makeAttempt] of accepted) {
    const { status, error, text } = await attempt(what, makeAttempt())
    assert.deepEqual([status, error], [400, 'invalid_grant'], `${what}: ${text}`)
  }
  assert.equal(requestCount, 0)
})

test(`assertions that are wrong in one of ${refused.length} ways are invalid_client and never a server error`, async () => {
  for (const [what, makeAttempt] of refused) {
    const { status, error, text } = await attempt(what, makeAttempt())
    assert.deepEqual([status, error], [401, 'invalid_client'], `${what}: ${text}`)
  }
  assert.equal(requestCount, 0, 'addresses in headers are not fetched')
})
