import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import { after, before, beforeEach, test } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose'
import { Outbound } from '../outbound/outbound.ts'
import { nonPublicHosts } from '../outbound/testing.ts'
import { makeCertificate, type MadeCertificate } from '../testing/certificates.ts'
import { makeWorkspace, minute, type TestWorkspace } from '../testing/harness.ts'
import { Assertions } from './assertions.ts'
import { oauthClientOf, newClientRow } from './clients.ts'
import type { OAuthError } from './errors.ts'
import { parseMetadata } from './metadata.ts'

// Clients that sign assertions and publish their keys at their own address, like ChatGPT.

const host = '127.0.0.1'
const issuer = 'https://work.example'
const clientId = 'https://app.example/client.json'

let workspace: TestWorkspace
let certificate: MadeCertificate
let server: Server
let port: number
let answer: { status?: number; body: string; location?: string; isSlow?: boolean }
let requestCount = 0
before(async () => {
  workspace = await makeWorkspace()
  certificate = makeCertificate({ names: [host] })
  server = createServer(certificate, (_, response) => {
    requestCount++
    const { status = 200, body, location, isSlow } = answer
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(location && { location }),
    })
    if (!isSlow) response.end(body)
  }).listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  port = address.port
})
after(async () => {
  server.closeAllConnections()
  server.close()
  certificate.remove()
  await workspace.close()
})
beforeEach(() => {
  requestCount = 0
})

const jwksAt = (host: string) => `https://${host}/jwks.json`
const defaultJwksUri = () => jwksAt(`${host}:${port}`)

function client(jwksUri = defaultJwksUri()) {
  const metadata = parseMetadata({
    redirect_uris: ['https://app.example/callback'],
    token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
    jwks_uri: jwksUri,
  })
  return oauthClientOf(newClientRow(clientId, 'document', metadata, { now: 0 }))
}

function verifier(isOpen = true): Assertions {
  const outbound = new Outbound({
    enabled: true,
    openings: isOpen ? [{ host, port }] : [],
    resolve: async () => [host],
    ownAddresses: () => [],
    logFailure: () => {},
    ca: certificate.cert,
  })
  return new Assertions({ ...workspace.app, outbound })
}

interface SigningKey {
  jwk: JWK
  sign(): Promise<string>
}

let nextSerial = 0
async function signingKey(kid: string, alg: 'RS256' | 'ES256' = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg)
  return {
    jwk: { ...(await exportJWK(publicKey)), kid, alg },
    sign: () =>
      new SignJWT({ jti: `jti-${nextSerial++}` })
        .setProtectedHeader({ alg, kid })
        .setIssuer(clientId)
        .setSubject(clientId)
        .setAudience(issuer)
        .setExpirationTime(Math.floor(workspace.clock.now() / 1000) + 60)
        .sign(privateKey),
  }
}

const publish = (...keys: SigningKey[]) => {
  answer = { body: JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }) }
}

const assertRefused = (work: Promise<unknown>, message = /./) =>
  assert.rejects(work, ({ code, status, message: text }: OAuthError) => {
    assert.match(text, message)
    return code === 'invalid_client' && status === 401
  })

test('an assertion is verified with a key from the address of its client, which is fetched at most once in five minutes', async () => {
  const [firstKey, secondKey] = [await signingKey('one', 'RS256'), await signingKey('other')]
  publish(firstKey, secondKey)
  const assertions = verifier()
  for (const key of [firstKey, secondKey, firstKey])
    await assertions.verify(client(), await key.sign(), [issuer])
  assert.equal(requestCount, 1)
  workspace.clock.wait(5 * minute)
  await assertions.verify(client(), await firstKey.sign(), [issuer])
  assert.equal(requestCount, 2)
})

test('an unknown key triggers a refetch, at most twice a minute', async () => {
  const [old, next] = [await signingKey('old'), await signingKey('next')]
  publish(old)
  const assertions = verifier()
  await assertions.verify(client(), await old.sign(), [issuer])
  publish(old, next)
  await assertRefused(assertions.verify(client(), await next.sign(), [issuer]))
  assert.equal(requestCount, 1, 'they were fetched just now')
  workspace.clock.wait(minute / 2)
  await assertions.verify(client(), await next.sign(), [issuer])
  assert.equal(requestCount, 2)
})

test('oversized, malformed, empty, redirected, failing or late key sets verify nothing', async () => {
  const key = await signingKey('good')
  const good = JSON.stringify({ keys: [key.jwk] })
  const bad: (typeof answer)[] = [
    { body: good, status: 403 },
    { body: JSON.stringify({ keys: [key.jwk], x: 'x'.repeat(65_536) }) },
    { body: '<html>' },
    { body: 'null' },
    { body: '{"keys": {}}' },
    { body: '{"keys": [null, 1, "x", {}]}' },
    { body: good, status: 302, location: defaultJwksUri() },
  ]
  for (const badAnswer of bad) {
    answer = badAnswer
    await assertRefused(verifier().verify(client(), await key.sign(), [issuer]))
  }
  answer = { body: good, isSlow: true }
  await assertRefused(verifier().verify(client(), await key.sign(), [issuer]))
  answer = { body: good }
  await verifier().verify(client(), await key.sign(), [issuer])
})

test('while keys cannot be fetched the last good ones are valid for an hour, with at most two fetches a minute', async () => {
  const key = await signingKey('good')
  publish(key)
  const assertions = verifier()
  const verify = async () => assertions.verify(client(), await key.sign(), [issuer])
  await verify()
  answer = { body: 'Are you human?', status: 403 }
  workspace.clock.wait(5 * minute)
  for (let n = 0; n < 3; n++) await verify()
  assert.equal(requestCount, 2)
  workspace.clock.wait(minute / 2)
  await verify()
  assert.equal(requestCount, 3)
  workspace.clock.wait(55 * minute)
  for (let n = 0; n < 3; n++) await assertRefused(verify(), /answered with 403/)
  assert.equal(requestCount, 4)
  publish(key)
  workspace.clock.wait(minute / 2)
  await verify()
})

test('the last of 50 keys is accepted; more than 50 are refused with the limit', async () => {
  const keys = await Promise.all(Array.from({ length: 51 }, (_, n) => signingKey(`key ${n}`)))
  const last = keys[49]!
  publish(...keys.slice(0, 50))
  await verifier().verify(client(), await last.sign(), [issuer])
  publish(...keys)
  await assert.rejects(
    verifier().verify(client(), await last.sign(), [issuer]),
    ({ code, status, message }: OAuthError) =>
      code === 'invalid_client' && status === 401 && message.includes('more than 50'),
  )
})

test(`keys are not fetched from internal addresses, in ${nonPublicHosts.length} spellings or by a name that resolves to one`, async () => {
  const key = await signingKey('good')
  publish(key)
  for (const inner of [`${host}:${port}`, `inner.example:${port}`, ...nonPublicHosts])
    await assertRefused(verifier(false).verify(client(jwksAt(inner)), await key.sign(), [issuer]))
  assert.equal(requestCount, 0)
})
