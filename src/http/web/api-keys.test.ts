import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { call } from '../../operations/call/index.ts'
import { issueKey, type NewKey } from '../../keys/issue.ts'
import { Browser, givePasswords, password } from '../../testing/browser.ts'
import { minute, type Someone } from '../../testing/harness.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'

let served: ServedWorkspace
let ann: Browser
let bob: Browser
let eve: Browser
before(async () => {
  served = await serveWorkspace({ settings: { rate_address: 0 } })
  await givePasswords(served, served.ann, served.bob, served.eve)
  ann = await new Browser(served).signIn('ann@acme.test')
  bob = await new Browser(served).signIn('bob@acme.test')
  eve = await new Browser(served).signIn('eve@other.test')
})
after(() => served.close())

const issue = (owner: Someone, more: Partial<NewKey> = {}) =>
  issueKey(served.app.store, served.clock, { owner: owner.id, name: 'cli', via: 'cli', ...more })
const statusWith = async (key: string) => (await served.ask('GET', '/api/labels', { key })).status

test('a signed-in person creates a key, sees it once, and it works', async () => {
  const got = await bob.post('/web/api-keys', { name: 'laptop' })
  assert.deepEqual([got.status, got.headers.get('cache-control')], [201, 'no-store'])
  const { key, id, prefix } = got.json
  assert.equal(await statusWith(key), 200)
  const list = await bob.get('/web/api-keys')
  const row = list.json.items.find((item: { id: string }) => item.id === id)
  assert.deepEqual(
    [row.name, row.prefix, row.state, row.created_via, row.admin, row.hold_outbound, row.toolsets],
    ['laptop', prefix, 'active', 'web', false, false, null],
  )
  assert.ok(!list.text.includes(key.slice(16)))
  const entry = served.app.store.raw.read
    .prepare(
      "SELECT actor_id, key_id, transport, request_id, details_json FROM calls WHERE tool = 'create_api_key' ORDER BY seq DESC",
    )
    .get() as {
    actor_id: string
    key_id: null
    transport: string
    request_id: string
    details_json: string
  }
  assert.deepEqual(
    [entry.actor_id, entry.key_id, entry.transport, entry.request_id],
    [served.bob.id, null, 'web', got.headers.get('x-request-id')],
  )
  assert.match(JSON.parse(entry.details_json).session, /^wss_/)
})

test('a key is restricted as requested', async () => {
  const got = await ann.post('/web/api-keys', {
    name: 'narrow',
    expires_at: '2026-12-01',
    read_only: true,
    toolsets: ['tasks:ro', 'labels'],
    hold_outbound: true,
    admin: true,
  })
  assert.equal(got.status, 201)
  assert.deepEqual([got.json.expires_at, got.json.admin], ['2026-12-01T22:59:59.000Z', true])
  const { key } = await served.app.keys.authenticate(`Bearer ${got.json.key}`, 'api', { ip: '' })
  assert.deepEqual(
    [key?.read_only, key?.toolsets, key?.hold_outbound, key?.admin_grant],
    [true, ['tasks:ro', 'labels'], true, true],
  )
})

test('an invalid request is refused, naming the argument', async () => {
  const bad: [object, string, string][] = [
    [{}, 'invalid_argument', 'name'],
    [{ name: ' ' }, 'invalid_argument', 'name'],
    [{ name: 'x', toolsets: ['nope'] }, 'invalid_argument', 'toolsets'],
    [{ name: 'x', toolsets: [] }, 'invalid_argument', 'toolsets'],
    [{ name: 'x', expires_at: '2020-01-01' }, 'invalid_argument', 'expires_at'],
    [{ name: 'x', expires_at: 'soon' }, 'invalid_argument', 'expires_at'],
    [{ name: 'x', owner: served.ann.id }, 'invalid_argument', 'owner'],
    [{ name: 'x', admin: true }, 'permission_denied', 'admin'],
  ]
  for (const [body, code, field] of bad) {
    const { json } = await bob.post('/web/api-keys', body)
    assert.deepEqual([json.code, json.field], [code, field], JSON.stringify(body))
  }
})

test('fifteen minutes after the password was entered, key operations ask for it again', async () => {
  const { id } = await issue(served.bob)
  const staleBob = await new Browser(served).signIn('bob@acme.test')
  served.clock.pass(15 * minute)
  for (const path of ['/web/api-keys', `/web/api-keys/${id}/revoke`]) {
    const got = await staleBob.post(path, path.endsWith('revoke') ? {} : { name: 'x' })
    assert.deepEqual([got.status, got.json.code], [403, 'password_required'], path)
  }
  assert.equal((await staleBob.post('/web/verify', { password: 'wrong wrong wrong' })).status, 403)
  assert.equal((await staleBob.post('/web/api-keys', { name: 'x' })).status, 403)
  assert.equal((await staleBob.post('/web/verify', { password })).status, 200)
  assert.equal((await staleBob.post(`/web/api-keys/${id}/revoke`)).status, 200)
  for (const browser of [ann, bob, eve]) await browser.post('/web/verify', { password })
})

test('people see their own keys, administrators those of the organization; all others are not found', async () => {
  const [bobKey, eveKey] = [await issue(served.bob, { name: 'of bob' }), await issue(served.eve)]
  const seen = await ann.get(`/web/api-keys/${bobKey.id}`)
  assert.deepEqual(
    [seen.status, seen.json.name, seen.json.is_own, seen.json.owner.email],
    [200, 'of bob', false, 'bob@acme.test'],
  )
  assert.ok(!seen.text.includes(bobKey.key.slice(16)))
  assert.equal((await bob.get(`/web/api-keys/${bobKey.id}`)).json.is_own, true)
  const { id } = await issue(served.ann)
  for (const [who, key] of [
    [bob, id],
    [ann, eveKey.id],
    [eve, bobKey.id],
    [ann, 'key_x'],
  ] as const)
    assert.deepEqual((await who.get(`/web/api-keys/${key}`)).status, 404)
})

test('people revoke their own keys, administrators those of the organization; all others are not found', async () => {
  const [bobKey, annKey, eveKey] = [
    await issue(served.bob),
    await issue(served.ann),
    await issue(served.eve),
  ]
  const revoke = async (who: Browser, id: string) =>
    (await who.post(`/web/api-keys/${id}/revoke`)).status
  assert.deepEqual(
    [
      await revoke(bob, annKey.id),
      await revoke(eve, bobKey.id),
      await revoke(ann, eveKey.id),
      await revoke(bob, 'key_x'),
    ],
    [404, 404, 404, 404],
  )
  assert.deepEqual(
    [await statusWith(bobKey.key), await statusWith(annKey.key), await statusWith(eveKey.key)],
    [200, 200, 200],
  )
  assert.equal(await revoke(ann, bobKey.id), 200)
  assert.equal(await revoke(bob, bobKey.id), 200, 'again')
  assert.equal(await statusWith(bobKey.key), 401)
})

test('only an administrator sees the keys of the organization, page by page', async () => {
  for (let i = 0; i < 3; i++) await issue(served.carol)
  const seen: string[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const { json } = await ann.get(
      `/web/api-keys?of=organization&limit=2${cursor && `&cursor=${cursor}`}`,
    )
    seen.push(
      ...json.items.map(
        (item: { owner: { email: string }; id: string }) => `${item.owner.email} ${item.id}`,
      ),
    )
    cursor = json.next_cursor
  }
  assert.equal(seen.filter((name) => name.startsWith('carol@')).length, 3)
  assert.equal(new Set(seen).size, seen.length)
  assert.ok(!seen.some((name) => name.startsWith('eve@')))
  assert.equal((await bob.get('/web/api-keys?of=organization')).status, 403)
  assert.equal((await ann.get('/web/api-keys?cursor=x')).status, 400)
})

test('a key cannot create, change or revoke keys, regardless of its owner', async () => {
  const [admin, plain] = [await issue(served.ann, { adminGrant: true }), await issue(served.bob)]
  for (const { key, id } of [admin, plain]) {
    for (const [method, path] of [
      ['POST', '/api/api-keys'],
      ['PATCH', '/api/api-keys'],
      ['DELETE', '/api/api-keys'],
      ['PUT', `/api/api-keys/${id}`],
      ['PATCH', `/api/api-keys/${id}`],
      ['DELETE', `/api/api-keys/${id}`],
      ['POST', `/api/api-keys/${id}`],
    ] as const) {
      const got = await served.ask(method, path, { key, body: { name: 'x' } })
      assert.deepEqual([got.status, got.json.code], [403, 'permission_denied'], `${method} ${path}`)
      assert.match(got.json.message, /workspace keys create/)
      assert.equal((await served.ask(method, path, { key: undefined })).status, 401)
    }
    assert.equal((await served.ask('GET', '/api/api-keys', { key })).status, 200)
    assert.equal((await served.ask('GET', `/api/api-keys/${id}`, { key })).status, 404)
    assert.equal(await statusWith(key), 200)
  }
  const deniedTools = served.app.store.raw.read
    .prepare("SELECT DISTINCT tool FROM calls WHERE key_id = ? AND status = 'denied' ORDER BY tool")
    .pluck()
    .all(plain.id)
  assert.deepEqual(deniedTools, ['create_api_key', 'revoke_api_key', 'update_api_key'])
})

test("a signed-in person calls every operation as over REST, with an administrator's rights if they have them", async () => {
  const key = { 'idempotency-key': 'once' }
  const first = await ann.post('/web/call/create_team', { name: 'Design' }, key)
  assert.equal(first.status, 201)
  const again = await ann.post('/web/call/create_team', { name: 'Design' }, key)
  assert.deepEqual(
    [again.json.id, again.headers.get('idempotency-replayed')],
    [first.json.id, 'true'],
  )
  assert.deepEqual(
    (await bob.post('/web/call/list_teams')).json.items.map((item: { name: string }) => item.name),
    ['Design'],
  )
  assert.equal(
    (await bob.post('/web/call/create_team', { name: 'Mine' })).json.code,
    'permission_denied',
  )
  const wrong = await ann.post('/web/call/create_team', { title: 'x' })
  assert.deepEqual(
    [wrong.status, wrong.json.code, wrong.headers.get('content-type')],
    [400, 'invalid_argument', 'application/problem+json; charset=utf-8'],
  )
  assert.equal((await ann.post('/web/call/nothing')).status, 404)
  assert.equal((await ann.get('/web/call/list_teams')).status, 405)
  assert.equal((await ann.post('/web/call/create_team', '{"name":')).status, 400)
  assert.equal((await eve.post('/web/call/get_team', { team_id: first.json.id })).status, 404)
  const entry = served.app.store.raw.read
    .prepare(
      "SELECT transport, key_id, details_json FROM calls WHERE tool = 'create_team' AND status = 'ok'",
    )
    .get() as { transport: string; key_id: null; details_json: string }
  assert.deepEqual([entry.transport, entry.key_id], ['web', null])
  assert.match(JSON.parse(entry.details_json).session, /^wss_/)
})

test('a call whose session ends midway writes nothing', async () => {
  const cleo = await served.person('Cleo')
  await givePasswords(served, cleo)
  const browser = await new Browser(served).signIn(cleo.actor.email)
  const actor = { ...cleo.actor, session: (await browser.get('/web/session')).json.session.id }
  const request = {
    tool: 'create_label',
    args: { name: 'late' },
    transport: 'web',
    requestId: 'late',
    route: 'test',
    ip: '',
  } as const
  const pendingCall = call(served.app, actor, request)
  await browser.post('/web/sign-out')
  assert.equal((await pendingCall).replayed, false, 'the call came before the sign-out')
  await assert.rejects(call(served.app, actor, { ...request, args: { name: 'too late' } }), {
    code: 'unauthenticated',
  })
  assert.equal(await served.app.keys.isValid(actor), false)
})
