import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { removeLostPasskeys } from '../../identity/passkeys.ts'
import { requirePerson, setStatus } from '../../identity/people.ts'
import { Authenticator, type Twist } from '../../testing/authenticator.ts'
import { Browser, givePasswords, password } from '../../testing/browser.ts'
import { minute, type Someone } from '../../testing/harness.ts'
import { serveWorkspace, type TestResponse, type ServedWorkspace } from '../../testing/server.ts'

let served: ServedWorkspace
before(async () => {
  served = await serveWorkspace({ settings: { rate_address: 0, abuse_bad_credentials: 0 } })
  served.app.baseUrl = served.url.replace('127.0.0.1', 'localhost')
  await givePasswords(served, served.ann, served.bob, served.carol, served.eve)
})
beforeEach(() => served.clock.wait(15 * minute)) // earlier attempts of the address no longer count
after(() => served.close())

const browser = () => new Browser(served)
const authenticator = () => new Authenticator(served.app.baseUrl)
const calls = (tool: string) =>
  served.app.store.raw.read
    .prepare(
      'SELECT status, error_code, transport, actor_id, changed, details_json FROM calls WHERE tool = ? ORDER BY seq',
    )
    .all(tool) as {
    status: string
    error_code: string | null
    transport: string
    actor_id: string
    details_json: string
  }[]
const outcomeOf = (got: TestResponse) => [got.status, got.json.code, got.json.field]
const securityNotices = async (person: Someone) =>
  (await person.call('list_notifications', { kind: ['security'], limit: 50 })).items.map(
    (item: { text: string }) => item.text,
  ) as string[]

/** Adds a passkey to the signed-in person. */
async function add(
  who: Browser,
  name = 'laptop',
  key = authenticator(),
): Promise<{ id: string; key: Authenticator }> {
  const challenge = await who.post('/web/passkeys/begin')
  const got = await who.post('/web/passkeys', { name, response: key.create(challenge.json) })
  assert.equal(got.status, 201, got.text)
  return { id: got.json.id, key }
}

async function signInWith(
  who: Browser,
  key: Authenticator,
  twist: Twist = {},
): Promise<TestResponse> {
  const challenge = await who.post('/web/passkeys/sign-in/begin')
  assert.equal(challenge.status, 200, challenge.text)
  return who.post('/web/passkeys/sign-in', { response: key.get(challenge.json, twist) })
}

/** A new person for one test, so that tests do not interfere. */
async function newPerson(name: string): Promise<{ someone: Someone; who: Browser }> {
  const someone = await served.person(name)
  await givePasswords(served, someone)
  return { someone, who: await browser().signIn(`${name.toLowerCase()}@acme.test`) }
}

test('a passkey is added, listed, renamed, used to sign in without a name, and removed, with notices to its owner', async () => {
  const { someone, who } = await newPerson('Dora')
  const creation = (await who.post('/web/passkeys/begin')).json
  assert.deepEqual(
    [
      creation.rp,
      creation.attestation,
      creation.authenticatorSelection.residentKey,
      creation.authenticatorSelection.userVerification,
    ],
    [{ id: 'localhost', name: 'Acme' }, 'none', 'required', 'required'],
  )
  assert.equal(creation.user.name, 'dora@acme.test')
  const { id, key } = await add(who, '  My laptop ')
  const [row] = (await who.get('/web/passkeys')).json.items
  assert.deepEqual(row, {
    id,
    name: 'My laptop',
    device_type: 'single_device',
    backed_up: false,
    transports: ['internal'],
    created_at: new Date(served.clock.now()).toISOString(),
  })
  assert.deepEqual(
    (await who.post('/web/passkeys/begin')).json.excludeCredentials.map(
      (excludeCredential: { id: string }) => excludeCredential.id,
    ),
    [key.id],
  )
  assert.equal(
    (await who.post(`/web/passkeys/${id}`, { name: 'Old laptop' })).json.name,
    'Old laptop',
  )

  const elsewhere = browser()
  const got = await signInWith(elsewhere, key)
  assert.deepEqual(
    [got.status, got.json.person.email, got.json.session.password_holds_until !== undefined],
    [200, 'dora@acme.test', true],
  )
  const [session, device] = got.headers.getSetCookie()
  assert.match(session!, /^ws=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/)
  assert.match(device!, /^ws-device=[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax$/)
  assert.equal((await elsewhere.get('/web/session')).json.person.email, 'dora@acme.test')
  assert.ok((await who.get('/web/passkeys')).json.items[0].last_used_at)
  const { route } = JSON.parse(calls('sign_in').at(-1)!.details_json) as { route: string }
  assert.deepEqual([calls('sign_in').at(-1)!.status, route], ['ok', 'POST /web/passkeys/sign-in'])

  assert.deepEqual((await who.post(`/web/passkeys/${id}/remove`)).json, { id, removed: true })
  assert.deepEqual((await who.get('/web/passkeys')).json.items, [])
  assert.deepEqual(outcomeOf(await signInWith(browser(), key)), [401, 'unauthenticated', undefined])
  assert.deepEqual((await securityNotices(someone)).sort(), [
    'A passkey "My laptop" was added to your account',
    'Your passkey "Old laptop" was removed',
  ])
  for (const tool of ['add_passkey', 'rename_passkey', 'remove_passkey'])
    assert.deepEqual(
      calls(tool).map((call) => [call.status, call.transport]),
      [['ok', 'web']],
      tool,
    )
})

test('adding and removing need the password or a passkey again after 15 minutes; either suffices', async () => {
  const { who } = await newPerson('Finn')
  const { id, key } = await add(who)
  served.clock.pass(15 * minute)
  for (const [path, body] of [
    ['/web/passkeys/begin', {}],
    ['/web/passkeys', { name: 'x', response: key.get({ challenge: 'x', rpId: 'localhost' }) }],
    [`/web/passkeys/${id}/remove`, {}],
  ] as const) {
    const got = await who.post(path, body)
    assert.deepEqual([got.status, got.json.code], [403, 'password_required'], path)
  }
  const verification = (await who.post('/web/verify/passkey/begin')).json
  assert.deepEqual(
    [
      verification.rpId,
      verification.userVerification,
      verification.allowCredentials.map((allowCredential: { id: string }) => allowCredential.id),
    ],
    ['localhost', 'required', [key.id]],
  )
  const verified = await who.post('/web/verify/passkey', { response: key.get(verification) })
  assert.deepEqual(verified.json, {
    password_holds_until: new Date(served.clock.now() + 15 * minute).toISOString(),
  })
  assert.equal((await who.post('/web/passkeys/begin')).status, 200)
  assert.deepEqual(
    calls('verify_passkey').map((call) => call.status),
    ['ok'],
  )
})

test('step-up accepts only a passkey of the signed-in person requested in this session', async () => {
  const [{ who: gina }, { who: hugo }] = [await newPerson('Gina'), await newPerson('Hugo')]
  assert.deepEqual(
    outcomeOf(await gina.post('/web/verify/passkey/begin')),
    [409, 'conflict', undefined],
    'she has no passkey',
  )
  const [ginas, hugos] = [await add(gina), await add(hugo)]
  const begin = async (who: Browser) => (await who.post('/web/verify/passkey/begin')).json
  const refused = [403, 'password_required', 'response']
  assert.deepEqual(
    outcomeOf(
      await gina.post('/web/verify/passkey', { response: hugos.key.get(await begin(gina)) }),
    ),
    refused,
  )
  assert.deepEqual(
    outcomeOf(
      await gina.post('/web/verify/passkey', { response: ginas.key.get(await begin(hugo)) }),
    ),
    refused,
    'requested by another session',
  )
  assert.deepEqual(
    outcomeOf(
      await gina.post('/web/verify/passkey', {
        response: ginas.key.get((await gina.post('/web/passkeys/sign-in/begin')).json),
      }),
    ),
    refused,
    'requested for signing in',
  )
  assert.deepEqual(
    outcomeOf(
      await gina.post('/web/verify/passkey', {
        response: ginas.key.get({
          ...(await gina.post('/web/passkeys/begin')).json,
          rpId: 'localhost',
        }),
      }),
    ),
    refused,
    'asked for adding one',
  )
  assert.deepEqual(
    outcomeOf(
      await gina.post('/web/verify/passkey', {
        response: ginas.key.get(await begin(gina), { spoiled: true }),
      }),
    ),
    refused,
  )
  const verification = await begin(gina)
  assert.equal(
    (await gina.post('/web/verify/passkey', { response: ginas.key.get(verification) })).status,
    200,
  )
  assert.deepEqual(
    outcomeOf(await gina.post('/web/verify/passkey', { response: ginas.key.get(verification) })),
    refused,
    'again',
  )
  assert.equal(
    (await browser().post('/web/verify/passkey', { response: ginas.key.get(verification) })).status,
    401,
  )
})

test('an invalid response is refused with the reason and starts no session', async () => {
  const { someone, who } = await newPerson('Iris')
  const { key } = await add(who)
  const twists: [Twist, RegExp][] = [
    [{ origin: 'https://evil.test' }, /page outside http:\/\/localhost/],
    [{ origin: served.app.baseUrl.replace('localhost', '127.0.0.1') }, /page outside/],
    [{ crossOrigin: true }, /page outside/],
    [{ rpId: 'evil.test' }, /for another site/],
    [{ unverified: true }, /fingerprint, face or PIN/],
    [{ spoiled: true }, /could not be verified/],
    [{ userHandle: Buffer.from(served.ann.id).toString('base64url') }, /could not be verified/],
    [{ challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }, /came from another browser/],
  ]
  for (const [twist, words] of twists) {
    const client = browser()
    const got = await signInWith(client, key, twist)
    assert.deepEqual(outcomeOf(got), [401, 'unauthenticated', undefined], JSON.stringify(twist))
    assert.match(got.json.message ?? got.json.detail, words, JSON.stringify(twist))
    assert.ok(
      !got.headers.getSetCookie().some((name) => name.startsWith('ws=')) &&
        !client.cookies.has('ws'),
    )
  }
  await served.app.store.writer.run(async () => {})
  const failed = calls('sign_in').filter(
    (call) => call.actor_id === someone.id && call.status === 'denied',
  )
  assert.deepEqual(
    [failed.length, new Set(failed.map((item) => item.error_code)).size],
    [twists.length, 1],
  )
  for (const [twist, words] of [
    ...twists.filter(([candidate]) => !('userHandle' in candidate)),
    [{ certified: true }, /certificate of its manufacturer/],
  ] as [Twist, RegExp][]) {
    const creation = (await who.post('/web/passkeys/begin')).json
    const got = await who.post('/web/passkeys', {
      name: 'x',
      response: authenticator().create(creation, twist),
    })
    assert.deepEqual(outcomeOf(got), [400, 'invalid_argument', 'response'], JSON.stringify(twist))
    assert.match(got.json.message ?? got.json.detail, words, JSON.stringify(twist))
  }
  assert.equal((await who.get('/web/passkeys')).json.items.length, 1)
})

test('a challenge is valid for one response, five minutes, one browser and one purpose', async () => {
  const { who } = await newPerson('Jack')
  const { key } = await add(who)
  const begin = async (browser: Browser) => (await browser.post('/web/passkeys/sign-in/begin')).json
  const use = (browser: Browser, response: unknown) =>
    browser.post('/web/passkeys/sign-in', { response })
  const here = browser()
  const first = key.get(await begin(here))
  assert.equal((await use(here, first)).status, 200)
  assert.equal((await use(here, first)).status, 401, 'a second time')
  const wrong = await begin(here)
  assert.equal((await use(here, key.get(wrong, { spoiled: true }))).status, 401)
  assert.equal((await use(here, key.get(wrong))).status, 401, 'after a wrong answer')

  const [there, other] = [browser(), browser()]
  const signInOptions = await begin(there)
  assert.equal((await use(other, key.get(signInOptions))).status, 401, 'a browser without a cookie')
  await begin(other)
  assert.equal((await use(other, key.get(signInOptions))).status, 401, 'another browser')
  assert.equal(
    (await use(there, key.get(signInOptions))).status,
    200,
    'a failed attempt elsewhere does not use up the challenge',
  )

  const late = await begin(there)
  served.clock.pass(5 * minute)
  assert.equal((await use(there, key.get(late))).status, 401)
  const early = await begin(there)
  served.clock.pass(5 * minute - 1)
  assert.equal((await use(there, key.get(early))).status, 200)
  const back = await begin(there)
  served.clock.pass(-minute)
  assert.equal((await use(there, key.get(back))).status, 401, 'the clock was set back')
  served.clock.pass(minute)

  await who.signIn('jack@acme.test')
  const toAdd = (await who.post('/web/passkeys/begin')).json
  assert.equal(
    (await use(who, key.get({ ...toAdd, rpId: 'localhost' }))).status,
    401,
    'asked for adding one',
  )
  served.clock.pass(5 * minute)
  await begin(there)
  assert.equal(
    served.app.store.raw.read.prepare('SELECT count(*) FROM passkey_challenges').pluck().get(),
    1,
    'expired challenges are deleted',
  )
})

test('a passkey whose counter goes back is refused with a notice to its owner; one without a counter works', async () => {
  const { someone, who } = await newPerson('Kate')
  const { key } = await add(who, 'token')
  assert.equal((await signInWith(browser(), key, { count: 0 })).status, 200)
  assert.equal((await signInWith(browser(), key, { count: 7 })).status, 200)
  for (const count of [7, 6, 0]) {
    const got = await signInWith(browser(), key, { count })
    assert.deepEqual(outcomeOf(got), [401, 'unauthenticated', undefined], `${count}`)
  }
  assert.equal((await signInWith(browser(), key, { count: 3, spoiled: true })).status, 401)
  const verification = (await who.post('/web/verify/passkey/begin')).json
  assert.deepEqual(
    outcomeOf(
      await who.post('/web/verify/passkey', { response: key.get(verification, { count: 5 }) }),
    ),
    [403, 'password_required', 'response'],
  )
  const warned = (await securityNotices(someone)).filter((text) =>
    text.includes('may have been copied'),
  )
  assert.equal(warned.length, 4, 'a wrong signature creates no notice')
  assert.equal((await signInWith(browser(), key, { count: 8 })).status, 200)
})

test('a deactivated person cannot sign in, nor can a removed passkey', async () => {
  const { someone, who } = await newPerson('Liam')
  const { id, key } = await add(who)
  const { store } = served.app
  const row = await requirePerson(store, someone.id)
  await setStatus(store, served.clock, row, 'deactivated')
  const unknown = authenticator()
  unknown.create({ challenge: 'x', rp: { id: 'localhost' }, user: { id: 'x' } })
  const texts = [await signInWith(browser(), key), await signInWith(browser(), unknown)].map(
    (got) => [got.status, got.json.message ?? got.json.detail],
  )
  assert.deepEqual(texts[0], texts[1], 'both get the same message')
  assert.equal(texts[0]![0], 401)
  await setStatus(store, served.clock, row, 'active')
  assert.equal((await signInWith(browser(), key)).status, 200)
  await removeLostPasskeys(store, served.clock.now(), row, id)
  assert.equal((await signInWith(browser(), key)).status, 401)
  assert.equal((await who.get('/web/passkeys')).status, 401)
})

test('an administrator removes a person’s lost passkey, which signs them out everywhere', async () => {
  const { someone, who } = await newPerson('Mona')
  const [firstKey, secondKey] = [await add(who, 'one'), await add(who, 'two')]
  const row = await requirePerson(served.app.store, someone.id)
  const removed = await removeLostPasskeys(served.app.store, served.clock.now(), row)
  assert.deepEqual(
    removed.map((passkey) => passkey.id),
    [firstKey.id, secondKey.id],
  )
  assert.equal((await who.get('/web/passkeys')).status, 401)
  assert.equal(
    (await securityNotices(someone)).filter((text) =>
      text.includes('by the operator of this workspace'),
    ).length,
    2,
  )
  assert.deepEqual(await removeLostPasskeys(served.app.store, served.clock.now(), row), [])
  await assert.rejects(removeLostPasskeys(served.app.store, served.clock.now(), row, firstKey.id), {
    code: 'not_found',
  })
})

test('passkeys of others are inaccessible, and none can be added twice', async () => {
  const [{ who: nina }, { who: otto }] = [await newPerson('Nina'), await newPerson('Otto')]
  const { id, key } = await add(nina)
  assert.deepEqual((await otto.get('/web/passkeys')).json.items, [])
  for (const path of [
    `/web/passkeys/${id}`,
    '/web/passkeys/pky_00000000000000000000000000',
    '/web/passkeys/x',
  ]) {
    assert.equal((await otto.post(path, { name: 'mine' })).status, 404, path)
    assert.equal((await otto.post(`${path}/remove`)).status, 404, path)
  }
  const again = await otto.post('/web/passkeys', {
    name: 'x',
    response: key.create((await otto.post('/web/passkeys/begin')).json),
  })
  assert.deepEqual(outcomeOf(again), [409, 'conflict', 'response'])
  assert.equal((await nina.get('/web/passkeys')).json.items[0].name, 'laptop')
  for (const path of [
    '/web/passkeys',
    '/web/passkeys/begin',
    `/web/passkeys/${id}`,
    `/web/passkeys/${id}/remove`,
    '/web/verify/passkey/begin',
  ]) {
    const written = path.endsWith(id) ? { name: 'x' } : {}
    const body = path === '/web/passkeys' ? undefined : written
    assert.equal(
      (body ? await browser().post(path, body) : await browser().get(path)).status,
      401,
      path,
    )
    if (body)
      assert.equal(
        (await nina.post(path, body, { origin: 'https://evil.test' })).json.code,
        'csrf',
        path,
      )
  }
})

test('a person has at most twenty passkeys, with names of 1 to 100 characters', async () => {
  const { who } = await newPerson('Paul')
  const { key: apiKey } = await served.keyFor(served.ann)
  for (const name of ['', '  ', 'x'.repeat(101), apiKey]) {
    const got = await who.post('/web/passkeys', {
      name,
      response: authenticator().create((await who.post('/web/passkeys/begin')).json),
    })
    assert.deepEqual(outcomeOf(got), [400, 'invalid_argument', 'name'], name)
  }
  const early = (await who.post('/web/passkeys/begin')).json
  const passkeyIds: string[] = []
  for (let i = 0; i < 20; i++) passkeyIds.push((await add(who, 'x'.repeat(100))).id)
  assert.deepEqual(outcomeOf(await who.post('/web/passkeys/begin')), [409, 'conflict', undefined])
  assert.deepEqual(
    outcomeOf(
      await who.post('/web/passkeys', {
        name: 'one more',
        response: authenticator().create(early),
      }),
    ),
    [409, 'conflict', undefined],
  )
  assert.equal((await who.post(`/web/passkeys/${passkeyIds[3]}/remove`)).status, 200)
  await add(who)
})

test('a malformed browser response is refused as such', async () => {
  const { who } = await newPerson('Rosa')
  const { key } = await add(who)
  const good = key.get((await who.post('/web/passkeys/sign-in/begin')).json)
  const credential = authenticator().create((await who.post('/web/passkeys/begin')).json)
  const bad: [string, unknown][] = [
    ['/web/passkeys/sign-in', {}],
    ['/web/passkeys/sign-in', { response: 1 }],
    ['/web/passkeys/sign-in', { response: { ...good, id: '' } }],
    ['/web/passkeys/sign-in', { response: { ...good, id: 'a+b=' } }],
    [
      '/web/passkeys/sign-in',
      { response: { ...good, response: { ...good.response, signature: undefined } } },
    ],
    ['/web/passkeys/sign-in', { response: { ...good, id: 'x'.repeat(1401) } }],
    [
      '/web/passkeys',
      {
        name: 'x',
        response: {
          ...credential,
          response: { ...credential.response, attestationObject: 'not/base64' },
        },
      },
    ],
    [
      '/web/passkeys',
      {
        name: 'x',
        response: { ...credential, response: { ...credential.response, transports: 'usb' } },
      },
    ],
    ['/web/passkeys', { response: credential }],
    ['/web/passkeys/begin', { x: 1 }],
  ]
  for (const [path, body] of bad)
    assert.equal(
      (await who.post(path, body)).status,
      400,
      `${path} ${JSON.stringify(body).slice(0, 100)}`,
    )
  const noise = (text: string) => Buffer.from(text).toString('base64url')
  for (const clientDataJSON of ['null', '[]', '{', '{"challenge":1}', '7', '\0'].map(noise)) {
    assert.equal(
      (
        await browser().post('/web/passkeys/sign-in', {
          response: { ...good, response: { ...good.response, clientDataJSON } },
        })
      ).status,
      401,
    )
    assert.equal(
      (
        await who.post('/web/passkeys', {
          name: 'x',
          response: { ...credential, response: { ...credential.response, clientDataJSON } },
        })
      ).status,
      400,
    )
  }
  for (const authenticatorData of ['AA', 'A'.repeat(200)]) {
    const client = browser()
    const answer = key.get((await client.post('/web/passkeys/sign-in/begin')).json)
    assert.equal(
      (
        await client.post('/web/passkeys/sign-in', {
          response: { ...answer, response: { ...answer.response, authenticatorData } },
        })
      ).status,
      401,
    )
  }
  for (const attestationObject of ['AA', 'oA', '_w', noise('x'.repeat(500))]) {
    const answer = authenticator().create((await who.post('/web/passkeys/begin')).json)
    assert.equal(
      (
        await who.post('/web/passkeys', {
          name: 'x',
          response: { ...answer, response: { ...answer.response, attestationObject } },
        })
      ).status,
      400,
      attestationObject,
    )
  }
})

test('a workspace without a host name offers no passkeys and explains what to do', async () => {
  const ann = await browser().signIn('ann@acme.test')
  const { baseUrl } = served.app
  try {
    for (const [url, isOffered] of [
      ['http://127.0.0.1:8787', false],
      ['https://[::1]', false],
      ['https://10.0.0.1', false],
      ['http://work.test', false],
      ['https://work.test', true],
      ['http://work.localhost:8787', true],
    ] as const) {
      served.app.baseUrl = url
      const cookie = [...ann.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const secure = cookie.replace(/ws/g, url.startsWith('https') ? '__Host-ws' : 'ws')
      const host = new URL(url).host
      const raw = await served.wire(
        `POST /web/passkeys/sign-in/begin HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${url}\r\nContent-Type: application/json\r\nCookie: ${secure}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
      )
      assert.match(raw, isOffered ? /^HTTP\/1\.1 200/ : /^HTTP\/1\.1 409/, `${url} ${raw}`)
      if (isOffered) assert.match(raw, new RegExp(`"rpId":"${new URL(url).hostname}"`))
      else assert.match(raw, /WORKSPACE_BASE_URL/)
    }
  } finally {
    served.app.baseUrl = baseUrl
  }
})

test('thirty wrong attempts per address are checked in fifteen minutes; a known browser still gets five', async () => {
  const { who } = await newPerson('Sven')
  const { key } = await add(who)
  const statuses: number[] = []
  for (let i = 0; i < 32; i++)
    statuses.push((await signInWith(browser(), key, { spoiled: true })).status)
  assert.deepEqual(
    [statuses.filter((status) => status === 401).length, statuses.slice(-2)],
    [30, [429, 429]],
  )
  const other = await signInWith(browser(), key)
  assert.deepEqual([other.status, Number(other.headers.get('retry-after')) > 800], [429, true])
  assert.equal((await signInWith(who, key)).status, 200)
  for (let i = 0; i < 5; i++)
    assert.equal((await signInWith(who, key, { spoiled: true })).status, 401)
  assert.equal((await signInWith(who, key)).status, 429)
  served.clock.pass(minute)
  assert.equal((await signInWith(who, key)).status, 200)
})

test('a browser keeps its cookie as long as the challenge, and a known browser keeps its existing one', async () => {
  const who = browser()
  const cookies = async () => (await who.post('/web/passkeys/sign-in/begin')).headers.getSetCookie()
  const first = await cookies()
  assert.match(first[0]!, /^ws-device=[\w-]{43}; Path=\/; Max-Age=300; HttpOnly; SameSite=Lax$/)
  assert.deepEqual(await cookies(), first)
  await who.signIn('ann@acme.test')
  assert.deepEqual(await cookies(), [])
})

test('signed-out challenges count against the rate limit of the address', async (t) => {
  const few = await serveWorkspace({ settings: { limits: true, rate_address: 3 } })
  t.after(() => few.close())
  few.app.baseUrl = few.url.replace('127.0.0.1', 'localhost')
  const begin = async () => (await new Browser(few).post('/web/passkeys/sign-in/begin')).status
  assert.deepEqual(
    [await begin(), await begin(), await begin(), await begin()],
    [200, 200, 200, 429],
  )
})

test('guessing a person’s password does not lock out their passkey', async () => {
  const { who } = await newPerson('Tess')
  const { key } = await add(who)
  for (const client of [browser(), who]) {
    for (let i = 0; i < 6; i++)
      await client.post('/web/sign-in', {
        email: 'tess@acme.test',
        password: 'some other password',
      })
    assert.equal(
      (await client.post('/web/sign-in', { email: 'tess@acme.test', password })).status,
      429,
    )
    assert.equal((await signInWith(client, key)).status, 200)
  }
})

test('challenges and browser cookies are not stored in plain text', async () => {
  const who = browser()
  const { challenge } = (await who.post('/web/passkeys/sign-in/begin')).json as {
    challenge: string
  }
  const device = who.cookies.get('ws-device')!
  for (const file of ['workspace.db', 'workspace.db-wal']) {
    const fileBytes = readFileSync(join(served.dataDir, file))
    assert.ok(
      !fileBytes.includes(challenge) &&
        !fileBytes.includes(Buffer.from(challenge, 'base64url')) &&
        !fileBytes.includes(device),
      file,
    )
  }
})
