import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import { requirePerson, setStatus } from '../../identity/people.ts'
import { Browser, givePasswords, password } from '../../testing/browser.ts'
import { cpuWatch } from '../../testing/cost.ts'
import { dayLong, hour, minute } from '../../testing/harness.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'

let served: ServedWorkspace
before(async () => {
  served = await serveWorkspace({ settings: { rate_address: 0, abuse_bad_credentials: 0 } })
  await givePasswords(served, served.ann, served.bob, served.carol, served.eve)
})
after(() => served.close())

const browser = () => new Browser(served)
const signIn = (email: string) => browser().signIn(email)
const calls = (tool: string) =>
  served.app.store.raw.read
    .prepare(
      'SELECT status, error_code, transport, key_id, actor_id, details_json FROM calls WHERE tool = ? ORDER BY seq',
    )
    .all(tool) as {
    status: string
    error_code: string | null
    transport: string
    key_id: string | null
    actor_id: string
    details_json: string
  }[]

test('signing in sets a cookie inaccessible to scripts and other sites, and returns the person', async () => {
  const ann = browser()
  assert.deepEqual((await ann.get('/web/session')).json, { signed_in: false })
  const got = await ann.post('/web/sign-in', { email: ' Ann@Acme.TEST ', password })
  assert.equal(got.status, 200)
  const [session, device] = got.headers.getSetCookie()
  assert.match(session!, /^ws=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/)
  assert.match(device!, /^ws-device=[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax$/)
  assert.equal(got.headers.get('cache-control'), 'no-store')
  const { json } = await ann.get('/web/session')
  assert.deepEqual(
    [json.signed_in, json.person.email, json.person.role, json.organization.name],
    [true, 'ann@acme.test', 'admin', 'Acme'],
  )
  assert.equal(
    json.session.password_holds_until,
    new Date(served.clock.now() + 15 * minute).toISOString(),
  )
  const token = ann.cookies.get('ws')!
  assert.ok(
    !readFileSync(join(served.dataDir, 'workspace.db')).includes(token) &&
      !readFileSync(join(served.dataDir, 'workspace.db-wal')).includes(token),
  )
})

test('a key sent as the client name is not stored', async () => {
  const { key } = await served.keyFor(served.bob)
  for (const sent of [password, 'a wrong one that is long'])
    await browser().post(
      '/web/sign-in',
      { email: 'bob@acme.test', password: sent },
      { 'user-agent': key },
    )
  await served.app.store.writer.run(async () => {})
  for (const file of ['workspace.db', 'workspace.db-wal'])
    assert.ok(!readFileSync(join(served.dataDir, file)).includes(key), file)
})

test('over https the cookies are bound to this host', async () => {
  const { baseUrl } = served.app
  served.app.baseUrl = 'https://work.test'
  try {
    const host = new URL(served.url).host
    const raw = await served.wire(
      `POST /web/sign-in HTTP/1.1\r\nHost: work.test\r\nOrigin: https://work.test\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${JSON.stringify({ email: 'bob@acme.test', password }).length}\r\n\r\n${JSON.stringify({ email: 'bob@acme.test', password })}`,
    )
    assert.match(raw, /^HTTP\/1\.1 200/, host)
    assert.match(
      raw,
      /set-cookie: __Host-ws=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax; Secure\r\n/i,
    )
    assert.match(raw, /set-cookie: __Host-ws-device=[\w-]{43}; .*Secure\r\n/i)
    assert.match(raw, /strict-transport-security: max-age=31536000/i)
  } finally {
    served.app.baseUrl = baseUrl
  }
})

test('a cookie works only under /web, and a key does not work there', async () => {
  const ann = await signIn('ann@acme.test')
  for (const path of ['/api/labels', '/api/connect', '/api/api-keys'])
    assert.equal((await ann.get(path)).status, 401, path)
  const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  assert.equal(
    (await ann.post('/mcp', rpc, { accept: 'application/json, text/event-stream' })).status,
    401,
  )
  for (const path of ['/web/sessions', '/web/api-keys', '/web/holds', '/web/approvals']) {
    const got = await served.ask('GET', path)
    assert.deepEqual(
      [got.status, got.json.code, got.headers.get('www-authenticate')],
      [401, 'unauthenticated', 'Cookie realm="workspace", form-action="/web/sign-in"'],
      path,
    )
  }
  assert.deepEqual((await served.ask('GET', '/web/session')).json, { signed_in: false })
  assert.equal(
    (
      await served.ask('POST', '/web/call/list_labels', {
        body: {},
        headers: { origin: served.app.baseUrl },
      })
    ).status,
    401,
  )
})

test('only our own pages can make changes', async () => {
  const ann = await signIn('ann@acme.test')
  const wrong: Record<string, string>[] = [
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { origin: `${served.app.baseUrl}.evil.test` },
    { origin: served.app.baseUrl.replace('http:', 'https:') },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
  ]
  for (const path of [
    '/web/sign-out',
    '/web/sign-in',
    '/web/call/create_label',
    '/web/api-keys',
    '/web/password',
    '/web/verify',
  ]) {
    for (const headers of wrong) {
      const got = await ann.post(path, {}, headers)
      assert.deepEqual(
        [got.status, got.json.code],
        [403, 'csrf'],
        `${path} ${JSON.stringify(headers)}`,
      )
    }
  }
  const cookie = `ws=${ann.cookies.get('ws')}`
  assert.equal(
    (await served.ask('POST', '/web/sign-out', { key: undefined, body: {}, headers: { cookie } }))
      .json.code,
    'csrf',
    'without an Origin',
  )
  assert.equal(
    (await ann.get('/web/sessions', { 'sec-fetch-site': 'cross-site' })).json.code,
    'csrf',
  )
  assert.equal((await ann.get('/web/sign-out')).status, 405)
  assert.equal(
    (await ann.get('/web/session')).json.signed_in,
    true,
    'none of the requests had an effect',
  )
})

test('a wrong password and an unknown address get the same response, and the failure is in the account’s log', async () => {
  const wrong = await browser().post('/web/sign-in', {
    email: 'carol@acme.test',
    password: 'not this one at all',
  })
  const unknown = await browser().post('/web/sign-in', {
    email: 'nobody@acme.test',
    password: 'not this one at all',
  })
  const withoutRequestId = ({
    json: { request_id: _, ...rest },
  }: {
    json: Record<string, unknown>
  }) => rest
  assert.deepEqual([wrong.status, withoutRequestId(wrong)], [401, withoutRequestId(unknown)])
  assert.deepEqual(wrong.headers.getSetCookie(), [])
  await pause(20)
  const failed = calls('sign_in').filter((call) => call.actor_id === served.carol.id)
  assert.deepEqual(
    failed.map((item) => [item.status, item.error_code, item.transport]),
    [['denied', 'unauthenticated', 'web']],
  )
  assert.ok(!JSON.stringify(failed).includes('not this one'))
})

test('an unknown address takes as long as a wrong password', async () => {
  const signInCost = async (email: string) => {
    const spent = cpuWatch()
    await browser().post('/web/sign-in', { email, password: 'not this one at all' })
    served.clock.pass(16 * minute)
    return spent()
  }
  let [known, unknown] = [Infinity, Infinity]
  for (let i = 0; i < 7; i++) {
    known = Math.min(known, await signInCost('carol@acme.test'))
    unknown = Math.min(unknown, await signInCost(`nobody${i}@acme.test`))
  }
  assert.ok(unknown > known * 0.5 && unknown < known * 2, `${known} ms, ${unknown} ms`) // without a hash it would be a tenth
})

test('each sign-in gets a new cookie value and ends the previous session in that browser', async () => {
  const ann = await signIn('ann@acme.test')
  const [first, device] = [ann.cookies.get('ws')!, ann.cookies.get('ws-device')]
  await ann.signIn('ann@acme.test')
  assert.notEqual(ann.cookies.get('ws'), first)
  assert.equal(ann.cookies.get('ws-device'), device)
  const old = browser()
  old.cookies.set('ws', first)
  assert.equal((await old.get('/web/sessions')).status, 401)
  old.cookies.set('ws', `${first}; ws=${ann.cookies.get('ws')}`)
  assert.equal((await old.get('/web/sessions')).status, 401, 'two cookies of the same name')
})

test('a session ends after twelve idle hours, and after seven days regardless of use', async () => {
  const ann = await signIn('ann@acme.test')
  const bob = await signIn('bob@acme.test')
  served.clock.pass(12 * hour)
  assert.equal((await bob.get('/web/sessions')).status, 401)
  await ann.signIn('ann@acme.test')
  for (let i = 0; i < 14; i++) {
    served.clock.pass(12 * hour - 2 * minute)
    assert.equal((await ann.get('/web/sessions')).status, 200, `${i}`)
    await pause(10) // the last use is stored after the answer
  }
  served.clock.pass(28 * minute)
  assert.equal((await ann.get('/web/sessions')).status, 401)
})

test('setting back the clock does not extend a session', async () => {
  const ann = await signIn('ann@acme.test')
  served.clock.pass(-365 * dayLong)
  assert.equal((await ann.get('/web/sessions')).status, 401)
  served.clock.pass(365 * dayLong)
  assert.equal((await ann.get('/web/sessions')).status, 200)
})

test('signing out ends the session on the server too', async () => {
  const ann = await signIn('ann@acme.test')
  const token = ann.cookies.get('ws')!
  const got = await ann.post('/web/sign-out')
  assert.deepEqual([got.status, got.headers.get('clear-site-data')], [200, '"cache", "storage"'])
  assert.deepEqual([ann.cookies.has('ws'), ann.cookies.has('ws-device')], [false, true])
  ann.cookies.set('ws', token)
  assert.equal((await ann.get('/web/sessions')).status, 401)
  assert.equal((await ann.post('/web/sign-out')).status, 200, 'again')
  assert.equal(calls('sign_out').length, 1)
})

test('people list and end their own sessions one by one; others cannot', async () => {
  const [here, there, eve] = [
    await signIn('bob@acme.test'),
    await signIn('bob@acme.test'),
    await signIn('eve@other.test'),
  ]
  const { json } = await here.get('/web/sessions')
  assert.equal(json.items.filter((item: { is_current: boolean }) => item.is_current).length, 1)
  const other = (await there.get('/web/session')).json.session.id as string
  assert.ok(json.items.some((item: { id: string }) => item.id === other))
  assert.equal((await eve.post(`/web/sessions/${other}/revoke`)).status, 404)
  assert.equal((await there.get('/web/sessions')).status, 200)
  assert.equal((await here.post(`/web/sessions/${other}/revoke`)).status, 200)
  assert.equal((await there.get('/web/sessions')).status, 401)
  assert.deepEqual(
    [
      (await here.post(`/web/sessions/${other}/revoke`)).status,
      (await here.post('/web/sessions/x/revoke')).status,
    ],
    [404, 404],
  )
})

test('a deactivated person is signed out at the next request and not signed in again on reactivation', async () => {
  const carol = await signIn('carol@acme.test')
  const { store } = served.app
  const row = await requirePerson(store, 'carol@acme.test')
  await setStatus(store, served.clock, row, 'deactivated')
  assert.equal((await carol.get('/web/sessions')).status, 401)
  assert.equal(
    (await browser().post('/web/sign-in', { email: 'carol@acme.test', password })).status,
    401,
  )
  await setStatus(store, served.clock, row, 'active')
  assert.equal((await carol.get('/web/sessions')).status, 401)
  await carol.signIn('carol@acme.test')
})

test('changing the password requires the old one, ends all other sessions and enforces the rules', async () => {
  const [here, there] = [await signIn('eve@other.test'), await signIn('eve@other.test')]
  const change = (old: string, next: string) =>
    here.post('/web/password', { password: old, new_password: next })
  for (const [old, next, code, field] of [
    ['wrong wrong wrong', 'seven lamps of otters', 'password_required', 'password'],
    [password, 'short', 'invalid_argument', 'new_password'],
    [password, 'password1234', 'invalid_argument', 'new_password'],
    [password, password, 'invalid_argument', 'new_password'],
  ] as const) {
    const got = await change(old, next)
    assert.deepEqual([got.json.code, got.json.field], [code, field], next)
  }
  const before = here.cookies.get('ws')
  assert.equal((await change(password, 'seven lamps of otters')).status, 200)
  assert.notEqual(here.cookies.get('ws'), before)
  assert.deepEqual(
    [(await here.get('/web/sessions')).status, (await there.get('/web/sessions')).status],
    [200, 401],
  )
  assert.equal(
    (await browser().post('/web/sign-in', { email: 'eve@other.test', password })).status,
    401,
  )
  assert.equal(
    (
      await browser().post('/web/sign-in', {
        email: 'eve@other.test',
        password: 'seven lamps of otters',
      })
    ).status,
    200,
  )
  assert.deepEqual(
    calls('change_password')
      .map((call) => call.status)
      .sort(),
    ['denied', 'error', 'error', 'error', 'ok'],
  )
})

test('actions are in the call log with the session and without passwords', async () => {
  const ann = await signIn('ann@acme.test')
  await ann.get('/web/sessions')
  await ann.post('/web/verify', { password: 'wrong wrong wrong' })
  await ann.post('/web/verify', { password })
  const { id } = (await ann.get('/web/session')).json.session
  const done = calls('verify_password').map((call) => [
    call.status,
    call.error_code,
    call.transport,
    call.key_id,
    (JSON.parse(call.details_json) as { session: string }).session,
  ])
  assert.deepEqual(done.slice(-2), [
    ['denied', 'password_required', 'web', null, id],
    ['ok', null, 'web', null, id],
  ])
  assert.equal(calls('list_sessions').at(-1)!.status, 'ok')
  const all = served.app.store.raw.read
    .prepare('SELECT group_concat(details_json) FROM calls')
    .pluck()
    .get() as string
  for (const secret of [password, 'seven lamps', 'wrong wrong'])
    assert.ok(!all.includes(secret), secret)
})

test('an invalid request is refused with the reason and never causes a server error', async () => {
  const ann = await signIn('ann@acme.test')
  const bad: [string, unknown][] = [
    ['/web/sign-in', {}],
    ['/web/sign-in', { email: 'a', password: 1 }],
    ['/web/sign-in', []],
    ['/web/sign-in', '{"email":'],
    ['/web/sign-in', { email: 'a', password: 'b', admin: true }],
    ['/web/sign-in', { email: 'a\0', password: 'b' }],
    ['/web/verify', { password: '' }],
    ['/web/password', { password }],
    ['/web/sign-out', { x: 1 }],
    ['/web/sign-in', '{"__proto__":{}}'],
  ]
  for (const [path, body] of bad)
    assert.equal((await ann.post(path, body)).status, 400, `${path} ${JSON.stringify(body)}`)
  assert.equal((await ann.get('/web/holds?limit=many')).status, 400)
  assert.equal((await ann.get('/web/holds?limit=1&limit=2')).status, 400)
  assert.equal((await ann.get('/web/nothing')).status, 404)
})
