import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setPlan } from '../../limits/plan.ts'
import { Browser, givePasswords, password } from '../../testing/browser.ts'
import { dayLong, minute, type Someone } from '../../testing/harness.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'

let served: ServedWorkspace
let ann: Browser
let bob: Browser
let eve: Browser
before(async () => {
  served = await serveWorkspace({
    settings: { rate_address: 0, plans: { unlimited: {}, small: { members: 4 } } },
  })
  await givePasswords(served, served.ann, served.bob, served.eve)
  ann = await new Browser(served).signIn('ann@acme.test')
  bob = await new Browser(served).signIn('bob@acme.test')
  eve = await new Browser(served).signIn('eve@other.test')
})
after(() => served.close())

const secret = 'harbour quilt nine stone'
const rows = <T = Record<string, any>>(sql: string, ...values: unknown[]) =>
  served.app.store.raw.read.prepare(sql).all(...values) as T[]
const notices = (who: Someone) =>
  rows<{ text: string }>(
    "SELECT text FROM notifications WHERE person_id = ? AND kind = 'security' ORDER BY id",
    who.id,
  ).map((item) => item.text)
const row = async (who: Someone) =>
  (await ann.get('/web/people')).json.items.find((item: { id: string }) => item.id === who.id)

async function newcomer(
  name: string,
  role: 'admin' | 'member' | 'guest' = 'member',
): Promise<{ person: Someone; browser: Browser }> {
  const someone = await served.person(name, { role })
  await givePasswords(served, someone)
  return { person: someone, browser: await new Browser(served).signIn(someone.actor.email) }
}

async function resetLink(who: Someone): Promise<string> {
  const got = await ann.post(`/web/people/${who.id}/reset-link`)
  assert.equal(got.status, 201, got.text)
  return /^http:\/\/workspace\.test\/reset\/([\w-]{43})$/.exec(got.json.link)![1]!
}

test('an administrator sees everyone in the organization, with sign-in methods and last activity', async () => {
  const { person, browser } = await newcomer('Cleo', 'guest')
  await served.keyFor(person)
  served.clock.pass(minute)
  await browser.post('/web/call/get_me')
  const { json } = await ann.get('/web/people')
  assert.deepEqual(
    json.items.map((each: { name: string }) => each.name),
    ['Ann', 'Bob', 'Carol', 'Cleo'],
  )
  const { id, created_at, ...cleo } = await row(person)
  assert.deepEqual(cleo, {
    name: 'Cleo',
    email: 'cleo@acme.test',
    role: 'guest',
    status: 'active',
    is_own: false,
    timezone: 'Europe/Berlin',
    last_seen_at: new Date(served.clock.now()).toISOString(),
    live_keys: 1,
    has_password: true,
    passkeys: 0,
  })
  const carol = await row(served.carol)
  assert.deepEqual(
    [carol.has_password, carol.live_keys, 'last_seen_at' in carol],
    [false, 0, false],
  )
  const first = await ann.get('/web/people?limit=3')
  const rest = await ann.get(`/web/people?limit=3&cursor=${first.json.next_cursor}`)
  assert.deepEqual(
    [first.json.has_more, rest.json.items.map((each: { name: string }) => each.name)],
    [true, ['Cleo']],
  )
})

test('members, strangers and administrators of other organizations are refused', async () => {
  const { id } = served.carol
  const changes = [
    [`/web/people/${id}/role`, { role: 'admin' }],
    [`/web/people/${id}/deactivate`, {}],
    [`/web/people/${id}/reactivate`, {}],
    [`/web/people/${id}/reset-link`, {}],
  ] as const
  for (const [who, status] of [
    [bob, 403],
    [new Browser(served), 401],
    [eve, 404],
  ] as const)
    for (const [path, body] of changes)
      assert.equal((await who.post(path, body)).status, status, path)
  assert.deepEqual(
    [(await bob.get('/web/people')).status, (await new Browser(served).get('/web/people')).status],
    [403, 401],
  )
  assert.deepEqual(
    (await eve.get('/web/people')).json.items.map((item: { name: string }) => item.name),
    ['Eve'],
  )
  assert.deepEqual(
    [(await row(served.carol)).role, (await row(served.carol)).status],
    ['member', 'active'],
  )
})

test('a role change applies from the next request on, notifies the person and reaches subscribers', async () => {
  const { person, browser } = await newcomer('Dan')
  assert.equal((await browser.get('/web/people')).status, 403)
  const got = await ann.post(`/web/people/${person.id}/role`, { role: 'admin' })
  assert.deepEqual([got.status, got.json.role, got.json.changed], [200, 'admin', true])
  assert.equal((await browser.get('/web/people')).status, 200, 'with their existing session')
  assert.deepEqual(notices(person), ['Ann made you an administrator'])
  const [entry] = rows(
    "SELECT actor_id, transport, status, changed, details_json, id FROM calls WHERE tool = 'set_person_role' AND request_id = ?",
    got.headers.get('x-request-id'),
  )
  assert.deepEqual(
    [entry!.actor_id, entry!.transport, entry!.status, entry!.changed],
    [served.ann.id, 'web', 'ok', 1],
  )
  assert.equal(JSON.parse(entry!.details_json).route, 'POST /web/people/{id}/role')
  const [change] = rows('SELECT events_json, fields_json FROM changes WHERE call_id = ?', entry!.id)
  assert.deepEqual(
    [JSON.parse(change!.events_json), JSON.parse(change!.fields_json)],
    [['person.updated'], [{ field: 'role', from: 'member', to: 'admin' }]],
  )
  const same = await ann.post(`/web/people/${person.id}/role`, { role: 'admin' })
  assert.deepEqual(
    [
      same.json.changed,
      rows('SELECT tool FROM calls WHERE request_id = ?', same.headers.get('x-request-id')).length,
    ],
    [false, 1],
  )
  assert.equal((await ann.post(`/web/people/${person.id}/role`, { role: 'guest' })).status, 200)
  assert.equal((await browser.get('/web/people')).status, 403)
})

test('people cannot change themselves, and an organization keeps an administrator under concurrent changes', async () => {
  for (const [what, body] of [
    ['role', { role: 'member' }],
    ['deactivate', {}],
    ['reset-link', {}],
  ] as const)
    assert.equal((await ann.post(`/web/people/${served.ann.id}/${what}`, body)).status, 409, what)
  const { person, browser } = await newcomer('Finn', 'admin')
  const both = await Promise.all([
    ann.post(`/web/people/${person.id}/role`, { role: 'member' }),
    browser.post(`/web/people/${served.ann.id}/role`, { role: 'member' }),
  ])
  assert.deepEqual(both.map((got) => got.status).sort(), [200, 403])
  assert.equal(
    rows(
      "SELECT id FROM users WHERE org_id = ? AND role = 'admin' AND status = 'active'",
      served.ann.actor.org_id,
    ).length,
    1,
  )
  if (both[1]!.status === 200) {
    await browser.post(`/web/people/${served.ann.id}/role`, { role: 'admin' })
    await browser.post('/web/sign-out')
  }
})

test('a deactivated person loses sessions, keys and links at the next request until reactivated', async () => {
  const { person, browser } = await newcomer('Gus')
  const { key } = await served.keyFor(person)
  const token = await resetLink(person)
  assert.equal((await served.ask('GET', '/api/me', { key })).status, 200)
  assert.equal((await ann.post(`/web/people/${person.id}/deactivate`)).json.status, 'deactivated')
  assert.deepEqual(
    [
      (await browser.get('/web/sessions')).status,
      (await served.ask('GET', '/api/me', { key })).status,
      (await browser.post('/web/reset', { token, password: secret })).status,
    ],
    [401, 401, 404],
  )
  assert.equal((await ann.post(`/web/people/${person.id}/reset-link`)).status, 409)
  assert.deepEqual(
    (await ann.get('/web/people?status=deactivated')).json.items.map(
      (each: { name: string }) => each.name,
    ),
    ['Gus'],
  )
  assert.equal((await ann.post(`/web/people/${person.id}/reactivate`)).json.status, 'active')
  assert.equal((await browser.get('/web/sessions')).status, 401, 'their session does not come back')
  assert.equal(
    (await served.ask('GET', '/api/me', { key })).status,
    200,
    'their keys do, as with the command',
  )
})

test('reactivation is refused when the plan has no free seats', async (t) => {
  const { person } = await newcomer('Hal')
  await ann.post(`/web/people/${person.id}/deactivate`)
  const { app, clock } = served
  const setPlanTo = (plan: string) =>
    setPlan(app.store, clock, app.settings.plans, { org: served.ann.actor.org_id, plan })
  await setPlanTo('small')
  t.after(() => setPlanTo('unlimited'))
  assert.equal((await ann.post(`/web/people/${person.id}/reactivate`)).json.code, 'plan_exceeded')
  assert.equal((await row(person)).status, 'deactivated')
})

test('a reset link sets a new password once and ends all sessions', async () => {
  const { person, browser } = await newcomer('Ida')
  const replaced = await resetLink(person)
  const token = await resetLink(person)
  assert.equal(notices(person)[0], 'Ann created a link to reset your password')
  const stranger = new Browser(served)
  assert.equal(
    (await stranger.post('/web/reset', { token: replaced, password: secret })).status,
    404,
    'the newer link replaced it',
  )
  assert.deepEqual(
    [
      (await stranger.post('/web/reset', { token, password: 'short' })).json.field,
      (await browser.get('/web/sessions')).status,
    ],
    ['password', 200],
  )
  const both = await Promise.all(
    [1, 2].map(() => new Browser(served).post('/web/reset', { token, password: secret })),
  )
  assert.deepEqual(both.map((got) => got.status).sort(), [200, 404])
  assert.deepEqual(both.find((got) => got.status === 200)!.json, {
    email: 'ida@acme.test',
    changed: true,
    passkeys: 0,
  })
  assert.equal((await browser.get('/web/sessions')).status, 401)
  assert.deepEqual(
    [
      (await stranger.post('/web/sign-in', { email: 'ida@acme.test', password })).status,
      (await stranger.post('/web/sign-in', { email: 'ida@acme.test', password: secret })).status,
    ],
    [401, 200],
  )
  assert.equal(notices(person).at(-1), 'Your password was reset with a link')
  for (const { name } of rows<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search_%'",
  ))
    assert.equal(JSON.stringify(rows(`SELECT * FROM "${name}"`)).includes(token), false, name)
})

test('a reset link expires after a day, or when the person sets a password themselves', async () => {
  const { person, browser } = await newcomer('Jon')
  const first = await resetLink(person)
  assert.equal(
    (await browser.post('/web/password', { password, new_password: secret })).status,
    200,
  )
  assert.equal(
    (await new Browser(served).post('/web/reset', { token: first, password: secret })).status,
    404,
  )
  const second = await resetLink(person)
  served.clock.pass(dayLong)
  assert.equal(
    (await new Browser(served).post('/web/reset', { token: second, password: secret })).status,
    404,
  )
})

test('changes ask for the password again after fifteen minutes', async () => {
  await ann.signIn('ann@acme.test')
  served.clock.pass(15 * minute)
  for (const what of ['role', 'deactivate', 'reactivate', 'reset-link'])
    assert.equal(
      (
        await ann.post(
          `/web/people/${served.carol.id}/${what}`,
          what === 'role' ? { role: 'guest' } : {},
        )
      ).json.code,
      'password_required',
      what,
    )
  assert.equal(
    (await ann.post('/web/invitations', { role: 'member' })).json.code,
    'password_required',
  )
  assert.equal((await ann.post('/web/organization', { name: 'X' })).json.code, 'password_required')
})
