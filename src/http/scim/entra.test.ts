import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { replaceRules } from '../../sso/providers.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import { filterPath, groupSchema, scimClient, userSchema, type ScimClient } from './testing.ts'

// Requests as Microsoft documents them ("Develop and plan provisioning for a SCIM endpoint in Microsoft Entra ID").

let served: ServedWorkspace
let entra: ScimClient

before(async () => {
  served = await serveWorkspace()
  entra = await scimClient(served, served.ann)
})
after(() => served.close())

const newUser = (name: string) => ({
  schemas: [userSchema, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
  externalId: `0a21f0f2-${name}`,
  userName: `${name}@Acme.test`,
  active: true,
  emails: [{ primary: true, type: 'work', value: `${name}@Acme.test` }],
  meta: { resourceType: 'User' },
  name: { formatted: 'Tess User', familyName: 'User', givenName: 'Tess' },
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Sales' },
  roles: [],
})

test('the connection test finds no user, and a created user is found by name and external id', async () => {
  const none = await entra.get(filterPath('Users', 'userName eq "non-existent-user"'))
  assert.deepEqual(none.schemas, ['urn:ietf:params:scim:api:messages:2.0:ListResponse'])
  assert.equal(none.totalResults, 0)
  const createdUser = await entra.post('/Users', newUser('tess'))
  assert.equal(createdUser.userName, 'tess@acme.test')
  assert.equal(createdUser.active, true)
  assert.deepEqual(createdUser.emails, [{ value: 'tess@acme.test', type: 'work', primary: true }])
  for (const filter of [
    'userName eq "TESS@acme.test"',
    'externalId eq "0a21f0f2-tess"',
    `id eq "${createdUser.id}"`,
    'displayName eq "Tess User"',
    'emails[type eq "work" and value eq "tess@acme.test"]',
  ]) {
    const list = await entra.get(filterPath('Users', filter))
    assert.deepEqual(
      list.Resources.map((user: { id: string }) => user.id),
      [createdUser.id],
      filter,
    )
  }
  assert.deepEqual(await entra.get(`/Users/${createdUser.id}`), createdUser)
  const again = await entra.ask('POST', '/Users', newUser('tess'))
  assert.equal(again.status, 409)
  assert.equal(again.json.scimType, 'uniqueness')
  assert.equal(again.json.status, '409')
})

test('attributes are patched with capitalized operations, booleans as text, and previously missing values', async () => {
  const { id } = await entra.post('/Users', newUser('vera'))
  const changed = await entra.patch(`/Users/${id}`, [
    { op: 'Replace', path: 'displayName', value: 'Vera V.' },
    { op: 'Add', path: 'title', value: 'Pilot' },
    { op: 'Replace', path: 'emails[type eq "work"].value', value: 'vera.new@acme.test' },
    { op: 'Replace', path: 'name.familyName', value: 'Vogel' },
    {
      op: 'Add',
      path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
      value: 'IT',
    },
    { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '1' },
  ])
  assert.equal(changed.displayName, 'Vera V.')
  assert.equal(changed.title, 'Pilot')
  assert.equal(changed.emails[0].value, 'vera.new@acme.test')
  assert.equal(changed.name.familyName, 'Vogel')
  assert.equal(changed.userName, 'vera@acme.test')
  const pathless = await entra.patch(`/Users/${id}`, [
    { op: 'Replace', value: { 'name.givenName': 'Verena', title: null, active: 'True' } },
  ])
  assert.equal(pathless.name.givenName, 'Verena')
  assert.equal(pathless.title, undefined)
  const off = await entra.patch(`/Users/${id}`, [{ op: 'Replace', path: 'active', value: 'False' }])
  assert.equal(off.active, false)
  const on = await entra.patch(`/Users/${id}`, [{ op: 'Replace', path: 'active', value: 'True' }])
  assert.equal(on.active, true)
})

test('group members get its role and team, and lose them when removed', async () => {
  const { id: team } = await served.ann.call('create_team', { name: 'Sales' })
  const rules = [
    { group: 'Admins', role: 'admin' as const },
    { group: 'aad-sales', team_id: team },
  ]
  await served.app.store.writer.run(() => replaceRules(served.app, entra.provider, rules))
  const { id } = await entra.post('/Users', newUser('gwen'))
  const admins = await entra.post('/Groups', {
    schemas: [
      groupSchema,
      'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
    ],
    externalId: 'aad-admins',
    displayName: 'Admins',
    meta: { resourceType: 'Group' },
  })
  const sales = await entra.post('/Groups', {
    externalId: 'aad-sales',
    displayName: 'Sales people',
  })
  const adminsWithoutMembers = await entra.get(
    filterPath('Groups', 'displayName eq "admins"', '&excludedAttributes=members'),
  )
  assert.equal(adminsWithoutMembers.Resources[0].id, admins.id)
  assert.ok(!('members' in adminsWithoutMembers.Resources[0]))
  for (const group of [admins, sales])
    await entra.patch(`/Groups/${group.id}`, [
      { op: 'Add', path: 'members', value: [{ $ref: null, value: id }] },
    ])
  const membershipPath = filterPath(
    'Groups',
    `id eq "${admins.id}" and members eq "${id}"`,
    '&attributes=id',
  )
  assert.deepEqual((await entra.get(membershipPath)).Resources, [
    { schemas: [groupSchema], id: admins.id },
  ])
  assert.equal(await roleOf(id), 'admin')
  assert.deepEqual(await membersOf('Sales'), ['Tess User'])
  for (const group of [admins, sales])
    await entra.patch(`/Groups/${group.id}`, [
      { op: 'Remove', path: 'members', value: [{ $ref: null, value: id }] },
    ])
  assert.equal((await entra.get(membershipPath)).totalResults, 0)
  assert.equal(await roleOf(id), 'member')
  assert.deepEqual(await membersOf('Sales'), [])
  await entra.patch(`/Groups/${sales.id}`, [
    { op: 'Add', path: 'members', value: [{ value: id }] },
    { op: 'Replace', path: 'externalId', value: 'other' },
  ])
  assert.deepEqual(await membersOf('Sales'), [], 'the rule names another id')
  assert.equal((await entra.ask('DELETE', `/Groups/${sales.id}`)).status, 204)
  assert.equal((await entra.ask('DELETE', `/Groups/${sales.id}`)).status, 404)
})

test('a deleted user is gone for the provider and returns only as the same user', async () => {
  const { id } = await entra.post('/Users', newUser('dana'))
  assert.equal((await entra.ask('DELETE', `/Users/${id}`)).status, 204)
  assert.equal((await entra.ask('DELETE', `/Users/${id}`)).status, 404)
  assert.equal(
    (await entra.get(filterPath('Users', 'userName eq "dana@acme.test"'))).totalResults,
    0,
  )
  assert.equal(await statusOf(id), 'deactivated')
  const back = await entra.post('/Users', newUser('dana'))
  assert.equal(back.id, id)
  assert.equal(await statusOf(id), 'active')
})

test('a successor with the address of a deleted user gets a new account', async () => {
  const users: [name: string, first: object, second: object][] = [
    ['rehire', { externalId: 'obj-1' }, { externalId: 'obj-2' }],
    ['pred', { externalId: undefined }, { externalId: undefined }],
    ['mixed', { externalId: undefined }, { externalId: 'obj-3' }],
    ['unnamed', { externalId: 'obj-4' }, { externalId: undefined }],
  ]
  for (const [name, first, second] of users) {
    const former = await entra.post('/Users', { ...newUser(name), ...first })
    assert.equal((await entra.ask('DELETE', `/Users/${former.id}`)).status, 204)
    const successor = await entra.post('/Users', { ...newUser(name), ...second })
    assert.notEqual(successor.id, former.id, name)
    assert.equal(successor.userName, `${name}@acme.test`)
    assert.equal(await statusOf(former.id), 'deactivated')
    assert.equal(await statusOf(successor.id), 'active')
    const again = await entra.ask('POST', '/Users', { ...newUser(name), externalId: 'obj-5' })
    assert.equal(again.status, 409, 'the address of an active user is taken')
  }
})

test('a former user who returns after a successor took the address needs another address', async () => {
  const former = await entra.post('/Users', { ...newUser('twice'), externalId: 'first' })
  await entra.ask('DELETE', `/Users/${former.id}`)
  await entra.post('/Users', { ...newUser('twice'), externalId: 'second' })
  const conflict = await entra.ask('POST', '/Users', { ...newUser('twice'), externalId: 'first' })
  assert.equal(conflict.status, 409)
  const back = await entra.post('/Users', { ...newUser('twice.one'), externalId: 'first' })
  assert.equal(back.id, former.id)
})

test('non-ASCII letters are case-insensitive in filters and in uniqueness', async () => {
  await entra.post('/Users', { ...newUser('ÄNNE'), externalId: 'anne' })
  for (const filter of ['eq "ÄNNE@acme.test"', 'eq "änne@acme.test"', 'sw "ÄN"', 'co "Nne@"']) {
    const { totalResults } = await entra.get(filterPath('Users', `userName ${filter}`))
    assert.equal(totalResults, 1, filter)
  }
  const twin = await entra.ask('POST', '/Users', { ...newUser('änne'), externalId: 'other' })
  assert.equal(twin.status, 409)
})

test('an address or a name of the wrong shape is refused rather than ignored', async () => {
  for (const [more, field] of [
    [{ emails: ['x@acme.test'] }, 'emails'],
    [{ emails: 'x@acme.test' }, 'emails'],
    [{ name: 'Ada' }, 'name'],
  ] as const) {
    const answer = await entra.ask('POST', '/Users', { ...newUser('shape'), ...more })
    assert.equal(answer.status, 400)
    assert.equal(answer.json.scimType, 'invalidValue')
    assert.match(answer.json.detail, new RegExp(`^${field}:`))
  }
})

async function userRow(id: string) {
  return served.app.store.read
    .selectFrom('users')
    .select(['role', 'status'])
    .where('id', '=', id as typeof served.ann.id)
    .executeTakeFirstOrThrow()
}
const roleOf = async (id: string) => (await userRow(id)).role
const statusOf = async (id: string) => (await userRow(id)).status

async function membersOf(team: string): Promise<string[]> {
  const { items } = await served.ann.call('list_teams', { query: team })
  return items[0].members.map((member: { person: { title: string } }) => member.person.title)
}
