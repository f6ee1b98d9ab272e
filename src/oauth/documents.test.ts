import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:https'
import { after, before, test } from 'node:test'
import { Outbound } from '../outbound/outbound.ts'
import { nonPublicHosts } from '../outbound/testing.ts'
import { makeCertificate, type MadeCertificate } from '../testing/certificates.ts'
import { makeWorkspace, minute, dayLong, type TestWorkspace } from '../testing/harness.ts'
import { ClientDocuments, isDocumentAddress } from './documents.ts'
import { OAuthError } from './errors.ts'

// Documents are fetched from port 443 only, so this needs a local address on which that port can be listened on.

const host = '127.0.0.43'
let workspace: TestWorkspace
let certificate: MadeCertificate
let server: Server | undefined
let answers: (path: string) => {
  status?: number
  type?: string
  body: string
  cache?: string
  location?: string
  /** Sends the headers, then nothing. */
  isSlow?: boolean
}
let requestCount = 0
before(async () => {
  workspace = await makeWorkspace()
  certificate = makeCertificate({ names: [host] })
  const listening = createServer(certificate, (request, response) => {
    requestCount++
    const answer = answers(request.url ?? '')
    response.writeHead(answer.status ?? 200, {
      'content-type': answer.type ?? 'application/json',
      ...(answer.cache && { 'cache-control': answer.cache }),
      ...(answer.location && { location: answer.location }),
    })
    if (!answer.isSlow) response.end(answer.body)
  })
  server = await new Promise<Server | undefined>((resolve) =>
    listening.once('error', () => resolve(undefined)).listen(443, host, () => resolve(listening)),
  )
})
after(async () => {
  server?.close()
  certificate.remove()
  await workspace.close()
})

const id = `https://${host}/client.json`
const document = (more: object = {}) =>
  JSON.stringify({
    client_id: id,
    client_name: 'By document',
    redirect_uris: ['https://app.example/callback'],
    ...more,
  })

function documents(isOpen = true): ClientDocuments {
  const outbound = new Outbound({
    enabled: true,
    openings: isOpen ? [{ host, port: 443 }] : [],
    resolve: async () => [host],
    ownAddresses: () => [],
    logFailure: () => {},
    ca: certificate.cert,
  })
  return new ClientDocuments({ ...workspace.app, outbound })
}

const refused = (work: Promise<unknown>) =>
  assert.rejects(work, (error) => error instanceof OAuthError && error.code === 'invalid_client')

const skipReason = () => (server ? false : `cannot listen on ${host}:443 here`)

test('only normalized https addresses with a path on port 443 identify a document', () => {
  assert.ok(isDocumentAddress('https://a.example/client.json'))
  for (const address of [
    'http://a.example/client.json',
    'https://a.example',
    'https://a.example/',
    'https://a.example:444/client.json',
    'https://a.example:443/client.json',
    'https://me@a.example/client.json',
    'https://a.example/client.json#x',
    'https://a.example/a/../client.json',
    'https://a.example/a/%2e%2e/client.json',
    'https://A.example/client.json',
    'https://a.example/\u0000',
    `https://a.example/${'x'.repeat(1000)}`,
  ])
    assert.ok(!isDocumentAddress(address), address)
})

test('a document is fetched once and cached as long as it allows, at least five minutes; the last good one is used during outages', async (t) => {
  if (skipReason()) return t.skip(skipReason() || '')
  answers = () => ({ body: document(), cache: 'max-age=600' })
  const all = documents()
  requestCount = 0
  const [first, second] = await Promise.all([all.find(id, '::1'), all.find(id, '::1')])
  assert.deepEqual([first.name, second.name, requestCount], ['By document', 'By document', 1])
  workspace.clock.wait(9 * minute)
  await all.find(id, '::1')
  assert.equal(requestCount, 1)
  workspace.clock.wait(2 * minute)
  answers = () => ({ status: 403, body: 'Are you human?', type: 'text/html' })
  const stale = await all.find(id, '::1')
  assert.deepEqual([stale.name, requestCount], ['By document', 2])
  assert.match(stale.problem ?? '', /403/)
  workspace.clock.wait(31 * dayLong)
  await refused(all.find(id, '::1'))
})

test('grants, methods and members of a document that the server does not support are ignored', async (t) => {
  if (skipReason()) return t.skip(skipReason() || '')
  const address = `https://${host}/many.json`
  const more = {
    grant_types: [
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
      'urn:ietf:params:oauth:grant-type:device_code',
    ],
    response_types: ['code', 'token'],
    token_endpoint_auth_methods_supported: ['none', 'private_key_jwt', 'tls_client_auth'],
    jwks_uri: `https://${host}/jwks.json`,
    software_statement: 'ignored',
    unknown: { member: true },
  }
  answers = () => ({ body: document(more).replace(id, address) })
  const { name, methods_json, problem } = await documents().find(address, '::1')
  assert.deepEqual(
    [name, JSON.parse(methods_json), problem],
    ['By document', ['none', 'private_key_jwt'], null],
  )
})

test('a document that is foreign, oversized, malformed, redirected, with a secret or unavailable is not used', async (t) => {
  if (skipReason()) return t.skip(skipReason() || '')
  const bad: ReturnType<typeof answers>[] = [
    { body: document({ client_id: 'https://other.example/client.json' }) },
    { body: document({ x: 'x'.repeat(65_536) }) },
    { body: '<html>', type: 'text/html' },
    { body: '{broken' },
    { body: 'null' },
    { body: document({ redirect_uris: [] }) },
    { body: document({ redirect_uris: ['http://evil.example/'] }) },
    { body: document({ token_endpoint_auth_method: 'client_secret_basic' }) },
    { body: document(), isSlow: true },
    { body: '', status: 302, location: 'https://elsewhere.example/client.json' },
  ]
  for (const [n, answer] of bad.entries()) {
    const address = `https://${host}/bad-${n}.json`
    answers = () => ({ ...answer, body: answer.body.replace(id, address) })
    await refused(documents().find(address, '::1'))
  }
})

test(`documents are not fetched from internal addresses, in ${nonPublicHosts.length} spellings or by a name that resolves to one`, async (t) => {
  if (skipReason()) return t.skip(skipReason() || '')
  requestCount = 0
  answers = () => ({ body: document() })
  for (const inner of [host, 'inner.example', ...nonPublicHosts])
    await refused(documents(false).find(`https://${inner}/client.json`, '::1'))
  assert.equal(requestCount, 0)
})
