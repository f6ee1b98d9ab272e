import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setEmergencyAccount } from '../../sso/policy.ts'
import { replaceRules } from '../../sso/providers.ts'
import { requireScimToken, revokeScimToken } from '../../sso/scim/tokens.ts'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import { filterPath, patchSchema, scimClient, type ScimClient } from './testing.ts'

let served: ServedWorkspace
let scim: ScimClient
let foreign: ScimClient

before(async () => {
  served = await serveWorkspace()
  await givePasswords(served, served.ann, served.bob, served.carol)
  scim = await scimClient(served, served.ann)
  foreign = await scimClient(served, served.eve)
})
after(() => served.close())

const activeOperations = (active: boolean) => [{ op: 'replace', value: { active } }]

test('a deactivated person loses sessions and keys at once, and the keys stay revoked after reactivation', async () => {
  const browser = await new Browser(served).signIn(served.bob.actor.email)
  const { key, id } = await served.keyFor(served.bob)
  const path = `/Users/${served.bob.id}`
  assert.equal((await served.ask('GET', '/api/tasks', { key })).status, 200)
  await scim.patch(path, activeOperations(false))
  await scim.patch(path, activeOperations(false))
  assert.equal((await browser.get('/web/session')).json.signed_in, false)
  assert.equal((await served.ask('GET', '/api/tasks', { key })).status, 401)
  await assert.rejects(new Browser(served).signIn(served.bob.actor.email))
  await scim.patch(path, activeOperations(true))
  assert.equal((await served.ask('GET', '/api/tasks', { key })).status, 401)
  const row = await served.app.store.read
    .selectFrom('api_keys')
    .select('revoked_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  assert.notEqual(row.revoked_at, null)
  assert.equal((await browser.get('/web/session')).json.signed_in, false)
  await new Browser(served).signIn(served.bob.actor.email)
})

test('the last administrator and emergency accounts cannot be deactivated, deleted or renamed', async () => {
  const path = `/Users/${served.ann.id}`
  for (const isEmergency of [false, true]) {
    await served.app.store.writer.run(() =>
      setEmergencyAccount(served.app.store, served.clock.now(), served.ann.actor, isEmergency),
    )
    const off = await scim.ask('PATCH', path, {
      schemas: [patchSchema],
      Operations: activeOperations(false),
    })
    assert.equal(off.status, 409, off.text)
    assert.match(off.json.detail, isEmergency ? /emergency account/ : /only active administrator/)
    assert.equal((await scim.ask('DELETE', path)).status, 409)
    const renamed = await scim.ask('PUT', path, { userName: 'mallory@acme.test' })
    assert.equal(renamed.status, 409, renamed.text)
  }
  assert.equal((await scim.get(path)).active, true)
})

test('a person deactivated by an administrator stays deactivated, whatever the provider sends', async () => {
  const path = `/Users/${served.carol.id}`
  await scim.patch(path, activeOperations(false))
  await scim.patch(path, activeOperations(true))
  const ann = await new Browser(served).signIn(served.ann.actor.email)
  const off = await ann.post(`/web/people/${served.carol.id}/deactivate`)
  assert.equal(off.status, 200, off.text)
  await scim.patch(path, activeOperations(true), 409)
  assert.equal((await scim.get(path)).active, false)
  await ann.post(`/web/people/${served.carol.id}/reactivate`)
})

test('a token of another organization sees and changes nothing here', async () => {
  const ownGroup = await scim.post('/Groups', { displayName: 'Secret' })
  const bob = `/Users/${served.bob.id}`
  for (const [method, path, body] of [
    ['GET', bob],
    ['PUT', bob, { userName: 'bob@acme.test' }],
    ['PATCH', bob, { Operations: activeOperations(false) }],
    ['DELETE', bob],
    ['GET', `/Groups/${ownGroup.id}`],
    ['PATCH', `/Groups/${ownGroup.id}`, { Operations: [{ op: 'remove', path: 'members' }] }],
    ['DELETE', `/Groups/${ownGroup.id}`],
  ] as const) {
    const got = await foreign.ask(method, path, body)
    assert.equal(got.status, 404, `${method} ${path}: ${got.text}`)
  }
  const email = served.bob.actor.email
  assert.equal((await foreign.get(filterPath('Users', `userName eq "${email}"`))).totalResults, 0)
  assert.equal((await foreign.get('/Groups')).totalResults, 0)
  const people = (await foreign.get('/Users')).Resources as { id: string }[]
  assert.ok(people.every(({ id }) => id !== served.bob.id && id !== served.ann.id))
  const conflict = await foreign.ask('POST', '/Users', { userName: email })
  assert.equal(conflict.json.scimType, 'uniqueness')
  const group = await foreign.post('/Groups', { displayName: 'Theirs' })
  const addition = await foreign.ask('PATCH', `/Groups/${group.id}`, {
    Operations: [{ op: 'add', path: 'members', value: [{ value: served.bob.id }] }],
  })
  assert.equal(addition.status, 400, addition.text)
  await served.app.store.writer.run(async () => {
    await replaceRules(served.app, foreign.provider, [{ group: 'Theirs', role: 'guest' }])
    await setRole('admin')
  })
  await foreign.patch(`/Groups/${group.id}`, [
    { op: 'remove', path: `members[value eq "${served.bob.id}"]` },
  ])
  const bobNow = await served.app.store.read
    .selectFrom('users')
    .select('role')
    .where('id', '=', served.bob.id)
    .executeTakeFirstOrThrow()
  assert.equal(bobNow.role, 'admin', 'rules of a provider are for its own people')
  await served.app.store.writer.run(() => setRole('member'))
})

function setRole(role: 'admin' | 'member') {
  const { write } = served.app.store
  return write.updateTable('users').set({ role }).where('id', '=', served.bob.id).execute()
}

test('people of one provider are invisible to another provider of the same organization', async () => {
  const second = await scimClient(served, served.ann, { name: 'Second', domains: ['sub.test'] })
  const mine = await scim.post('/Users', { userName: 'mine@acme.test', externalId: '1' })
  const theirs = await second.post('/Users', { userName: 'theirs@sub.test', externalId: '1' })
  assert.equal((await second.ask('GET', `/Users/${mine.id}`)).status, 404)
  assert.equal((await scim.ask('GET', `/Users/${theirs.id}`)).status, 404)
  assert.equal((await second.ask('GET', `/Users/${served.bob.id}`)).status, 404)
  const conflict = await second.ask('POST', '/Users', { userName: 'mine@acme.test' })
  assert.equal(conflict.status, 409)
})

test('a revoked token fails from the next request on, and a token works only for SCIM', async () => {
  const other = await scimClient(served, served.ann, { name: 'Other' })
  await other.get('/Users?count=0')
  assert.equal((await served.ask('GET', '/api/tasks', { key: other.token })).status, 401)
  assert.equal((await served.ask('GET', '/scim/v2/Users', { key: served.bearer })).status, 401)
  const { store } = served.app
  const row = await requireScimToken(store.read, other.tokenId)
  assert.ok(!JSON.stringify(row).includes(other.token))
  await store.writer.run(() => revokeScimToken(served.app, row))
  const got = await other.ask('GET', '/Users')
  assert.equal(got.status, 401)
  assert.deepEqual(got.json.schemas, ['urn:ietf:params:scim:api:messages:2.0:Error'])
  assert.match(got.headers.get('www-authenticate') ?? '', /^Bearer/)
})

test('the call log names the provider of each change and of each refusal', async () => {
  await scim.post('/Users', { userName: 'logged@acme.test' })
  await scim.ask('POST', '/Users', { userName: 'logged@acme.test' })
  const rows = await served.app.store.read
    .selectFrom('calls')
    .select(['tool', 'status', 'transport', 'details_json'])
    .where('tool', 'in', ['scim_create_user', 'scim_user'])
    .orderBy('seq', 'desc')
    .limit(2)
    .execute()
  assert.deepEqual(
    rows.map(({ tool, status, transport }) => [tool, status, transport]),
    [
      ['scim_user', 'error', 'rest'],
      ['scim_create_user', 'ok', 'rest'],
    ],
  )
  for (const { details_json } of rows) {
    assert.match(details_json ?? '', /"name":"Entra \(SCIM\)"/)
    assert.ok((details_json ?? '').includes(scim.provider.id))
  }
})
