import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from '../../src/testing/properties.ts'
import { connectDirectly } from '../../src/oauth/testing.ts'
import { presentations, type Keys } from '../../src/testing/blackbox/credentials.ts'
import { hostileTexts } from '../../src/testing/blackbox/hostile.ts'
import { presentedBytes, type Entrance } from '../../src/testing/blackbox/presented-requests.ts'
import { inLanes, send, type RawRequest } from '../../src/testing/blackbox/requests.ts'
import { serveBlackBox } from '../../src/testing/blackbox/server.ts'
import { exchange } from '../../src/testing/blackbox/wire.ts'
import type { RequestableWorkspace } from '../../src/testing/server.ts'

// Arbitrary input to the endpoints of the authorization server. Each answers with an OAuth error in JSON, never with a
// server error.

const loopback = 'http://127.0.0.1/callback'
const form = 'application/x-www-form-urlencoded'

let served: RequestableWorkspace
before(async () => {
  served = await serveBlackBox()
})
after(() => served.close())

interface Registered {
  client_id: string
  client_secret: string
  registration_access_token: string
}

async function registerWithSecret(): Promise<Registered> {
  const got = await served.ask('POST', '/oauth/register', {
    key: undefined,
    body: {
      client_name: 'With a secret',
      redirect_uris: [loopback],
      token_endpoint_auth_method: 'client_secret_basic',
    },
  })
  assert.equal(got.status, 201, got.text)
  return got.json
}

/** Invalid credentials presented in place of a program's secret, including keys and tokens valid elsewhere. */
async function keysAround(good: string, others: Record<string, string>): Promise<Keys> {
  const { key, id } = await served.keyFor(served.ann)
  const { access_token, refresh_token } = await connectDirectly(
    { ...served, issuer: served.url },
    served.bob,
  )
  const tokens = {
    'a revoked access token': access_token,
    'a refresh token': refresh_token,
    ...others,
  }
  return {
    good,
    goodId: id,
    revoked: key,
    expired: key,
    ofDeactivated: key,
    liveToken: access_token,
    tokens,
    forWrongSecret: () => key,
  }
}

/** Sends every variant to an endpoint, and requires that each is refused as an unauthenticated client. */
async function requireRefused(entrance: Entrance, keys: Keys, good: readonly string[]) {
  let count = 0
  await inLanes(presentations(keys), 8, async (presented) => {
    if (entrance.body === undefined && presented.trailers) return // nothing that a trailer could follow
    if (good.includes(presented.name)) return
    count++
    const answer = await exchange(served.url, presentedBytes(served.url, entrance, presented))
    const place = `${entrance.name}, ${presented.name}: ${answer?.status} ${answer?.body}`
    assert.ok(answer && answer.status >= 400 && answer.status < 500, place)
    const { error } = JSON.parse(answer.body)
    const isOtherForm = presented.body !== undefined && presented.type !== form
    if (!isOtherForm) assert.deepEqual([answer.status, error], [401, 'invalid_client'], place)
    else assert.match(error, /^invalid_/, place)
  })
  assert.ok(count >= 120, `${count} ways`)
}

test('a registration is removed only by its own token in the correct header', async () => {
  const [own, other] = [await registerWithSecret(), await registerWithSecret()]
  const keys = await keysAround(own.registration_access_token, {
    'the secret of the program itself': own.client_secret,
    'the token of another registration': other.registration_access_token,
  })
  const path = `/oauth/register/${own.client_id}`
  await requireRefused({ name: 'removal', method: 'DELETE', path, lines: [] }, keys, [])
  const removal = await served.ask('DELETE', path, { key: own.registration_access_token })
  assert.equal(removal.status, 204, 'it was there all the time')
})

test('a program with a secret gets tokens only with it, and its refresh token survives attempts by others', async () => {
  const registered = await registerWithSecret()
  const keys = await keysAround(registered.client_secret, {
    'its registration access token': registered.registration_access_token,
  })
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: keys.tokens['a refresh token']!,
  }).toString()
  for (const path of ['/oauth/token', '/oauth/revoke'])
    await requireRefused(
      { name: path, method: 'POST', path, lines: [], body, type: form },
      keys,
      [],
    )
  const basic = Buffer.from(`${registered.client_id}:${registered.client_secret}`).toString(
    'base64',
  )
  const right = await send(
    { url: served.url },
    {
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': form, authorization: `Basic ${basic}` },
      body,
    },
  )
  assert.deepEqual([right.status, right.json.error], [400, 'invalid_grant'], 'of another program')
  const alive = await served.ask('POST', '/mcp', {
    key: keys.liveToken,
    headers: { accept: 'application/json, text/event-stream' },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_me', arguments: {} },
    },
  })
  assert.equal(alive.status, 200, alive.text)
})

const hostile = fc.oneof(
  fc.constantFrom(...Object.values(hostileTexts).flat()),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('x'.repeat(9000), '\0', '%', '\ud800'),
)

const address = fc.oneof(
  hostile,
  fc.constantFrom(
    loopback,
    'https://app.example/callback',
    'https://app.example:99999/',
    'https://[::1',
    'https://xn--/',
    'https://user:pass@app.example/',
    'https://app.example/%2e%2e/x',
    'http://127.0.0.1:0/',
    'http://[::1]/x#y',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'javascript:alert(1)',
    'https://\u0000/',
    'https://ⓐ.example/',
  ),
)

/** A member of a document, of the right type or not. */
const anything = (right: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 6, arbitrary: right },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )

const methods = fc.constantFrom(
  'none',
  'private_key_jwt',
  'client_secret_basic',
  'client_secret_post',
  'tls_client_auth',
)

const registration = fc.record({
  client_name: anything(hostile),
  redirect_uris: anything(fc.array(address, { maxLength: 24 })),
  client_uri: anything(address),
  token_endpoint_auth_method: anything(methods),
  token_endpoint_auth_methods_supported: anything(fc.array(methods, { maxLength: 3 })),
  grant_types: anything(fc.array(fc.oneof(fc.constant('authorization_code'), hostile))),
  response_types: anything(fc.array(fc.oneof(fc.constant('code'), hostile))),
  jwks_uri: anything(address),
  jwks: anything(fc.record({ keys: fc.array(fc.dictionary(hostile, fc.jsonValue())) })),
  scope: anything(hostile),
})

/** A valid registration with unusual optional values. */
const soundRegistration = fc.record({
  client_name: hostile,
  redirect_uris: fc.constant([loopback, 'https://app.example/callback']),
  client_uri: fc.oneof(address, fc.jsonValue()),
  scope: fc.jsonValue(),
  software_statement: fc.jsonValue(),
})

const oddBodies = [
  '',
  '{',
  'null',
  '[]',
  '"x"',
  '1e999',
  '{"__proto__":{"redirect_uris":["http://127.0.0.1/"]}}',
  '{"redirect_uris":["http://127.0.0.1/"],"redirect_uris":[]}',
  '['.repeat(50_000),
  `{"client_name":"${'x'.repeat(2_000_000)}"}`,
  '\ufeff{}',
]

const parameters = (names: readonly string[], values: fc.Arbitrary<string>) =>
  fc.array(fc.tuple(fc.oneof(fc.constantFrom(...names), hostile), values), { maxLength: 9 })

const text = (pairs: [string, string][]) =>
  new URLSearchParams(pairs.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]))

const tokenForm = parameters(
  [
    'grant_type',
    'client_id',
    'client_secret',
    'client_assertion',
    'client_assertion_type',
    'code',
    'code_verifier',
    'refresh_token',
    'redirect_uri',
    'resource',
    'scope',
    'token',
    'token_type_hint',
  ],
  fc.oneof(
    hostile,
    fc.constantFrom(
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      'eyJhbGciOiJub25lIn0.e30.',
      'wrt_x',
    ),
  ),
)

const authorization = parameters(
  [
    'client_id',
    'redirect_uri',
    'response_type',
    'code_challenge',
    'code_challenge_method',
    'state',
    'scope',
    'resource',
    'prompt',
    'request',
    'response_mode',
  ],
  fc.oneof(address, fc.constantFrom('code', 'S256', 'none', 'a'.repeat(43))),
)

function requestsOf(seed: number, clientId: string): RawRequest[] {
  const sample = <T>(arbitrary: fc.Arbitrary<T>, numRuns: number) =>
    fc.sample(arbitrary, { seed, numRuns })
  const validParams = new URLSearchParams({
    client_id: clientId,
    redirect_uri: loopback,
  }).toString()
  const post = (path: string, body: string, type = form): RawRequest => ({
    method: 'POST',
    path,
    headers: { 'content-type': type },
    body,
  })
  return [
    ...[
      ...[...sample(registration, 500), ...sample(soundRegistration, 60)].map((value) =>
        JSON.stringify(value),
      ),
      ...oddBodies,
    ].map((body) => post('/oauth/register', body, 'application/json')),
    ...oddBodies.flatMap((body) =>
      ['/oauth/token', '/oauth/revoke', '/oauth/register'].map((path) => post(path, body)),
    ),
    ...sample(tokenForm, 600).flatMap((pairs) => [
      post('/oauth/token', text(pairs).toString()),
      post('/oauth/token', `client_id=${clientId}&${text(pairs)}`),
      post('/oauth/revoke', `client_id=${clientId}&${text(pairs)}`),
    ]),
    ...sample(authorization, 300).flatMap((pairs) =>
      [`${text(pairs)}`, `${validParams}&${text(pairs)}`]
        .filter(({ length }) => length < 8000) // longer addresses are 414 everywhere
        .map((query) => ({ method: 'GET', path: `/oauth/authorize?${query}` })),
    ),
    ...sample(hostile, 200).map((id) => ({
      method: 'DELETE',
      path: `/oauth/register/${encodeURIComponent(id.toWellFormed().slice(0, 2000))}`,
      headers: { authorization: 'Bearer wcs_x' },
    })),
  ]
}

test('any request to the OAuth endpoints gets a JSON response with an OAuth error code, and no redirect elsewhere', async () => {
  const seed = Number(process.env.BLACKBOX_SEED ?? 2026)
  const { client_id: clientId } = await registerWithSecret()
  const counts: Record<string, number> = {}
  await inLanes(requestsOf(seed, clientId), 8, async (request) => {
    const { status, headers, json, text } = await send({ url: served.url }, request)
    const what = `seed ${seed}: ${request.method} ${request.path.slice(0, 300)} ${String(request.body ?? '').slice(0, 400)}\n${status} ${text.slice(0, 300)}`
    counts[`${request.path.split(/[?/]/)[2]} ${status}`] ??= 0
    counts[`${request.path.split(/[?/]/)[2]} ${status}`]!++
    assert.ok(status < 500, what)
    assert.equal(headers['x-content-type-options'], 'nosniff', what)
    if (status === 303) {
      const { origin, pathname } = new URL(headers.location ?? '')
      assert.ok(
        origin === served.url
          ? pathname.startsWith('/connect/')
          : origin === new URL(loopback).origin,
        `${what} ${headers.location}`,
      )
      return
    }
    assert.doesNotMatch(headers['content-type'] ?? '', /html/, what)
    if (status >= 400) assert.match(json?.error ?? '', /^[a-z_]+$/, what)
    if (status >= 400) assert.equal(typeof json.error_description, 'string', what)
  })
  for (const kind of ['register 201', 'register 400', 'token 400', 'token 401', 'authorize 303'])
    assert.ok((counts[kind] ?? 0) > 5, `${kind} ${JSON.stringify(counts)}`)
})
