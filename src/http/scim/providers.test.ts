import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import {
  filterPath,
  groupSchema,
  patchSchema,
  scimClient,
  userSchema,
  type ScimClient,
} from './testing.ts'

// Requests documented by providers other than Entra.

let served: ServedWorkspace

before(async () => {
  served = await serveWorkspace()
})
after(() => served.close())

const client = (name: string): Promise<ScimClient> => scimClient(served, served.ann, { name })

test('Okta: creates after a search, updates by PUT, deactivates without a path, pushes groups', async () => {
  const okta = await client('Okta')
  const search = filterPath(
    'Users',
    'userName eq "isaac.brock@acme.test"',
    '&startIndex=1&count=100',
  )
  assert.equal((await okta.get(search)).totalResults, 0)
  const user = {
    schemas: [userSchema],
    userName: 'isaac.brock@acme.test',
    name: { givenName: 'Isaac', familyName: 'Brock' },
    emails: [{ primary: true, value: 'isaac.brock@acme.test', type: 'work' }],
    displayName: 'Isaac Brock',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  }
  const { id } = await okta.post('/Users', user)
  const list = await okta.get(search)
  assert.deepEqual([list.totalResults, list.Resources[0].id], [1, id])
  const renamed = {
    ...user,
    id,
    name: { givenName: 'Ike', familyName: 'Brock' },
    displayName: 'Ike',
  }
  assert.equal((await okta.put(`/Users/${id}`, renamed)).displayName, 'Ike')
  assert.equal((await okta.put(`/Users/${id}`, renamed)).displayName, 'Ike')
  assert.equal(
    (await okta.patch(`/Users/${id}`, [{ op: 'replace', value: { active: false } }])).active,
    false,
  )
  const group = await okta.post('/Groups', {
    schemas: [groupSchema],
    displayName: 'Band',
    members: [],
  })
  const membersNow = async () =>
    (await okta.get(`/Groups/${group.id}`)).members.map((member: { value: string }) => member.value)
  await okta.patch(`/Groups/${group.id}`, [
    { op: 'replace', value: { id: group.id, displayName: 'The band' } },
  ])
  await okta.patch(`/Groups/${group.id}`, [
    { op: 'add', path: 'members', value: [{ value: id, display: 'isaac.brock@acme.test' }] },
  ])
  assert.deepEqual(await membersNow(), [id])
  await okta.patch(`/Groups/${group.id}`, [{ op: 'remove', path: `members[value eq "${id}"]` }])
  assert.deepEqual(await membersNow(), [])
  await okta.patch(`/Groups/${group.id}`, [
    { op: 'replace', path: 'members', value: [{ value: id }] },
  ])
  assert.deepEqual(await membersNow(), [id])
  assert.equal((await okta.get(`/Groups/${group.id}`)).displayName, 'The band')
})

test('Authentik: user names that are not addresses, a search after a conflict, PUT of whole groups', async () => {
  const authentik = await client('Authentik')
  const user = {
    schemas: [userSchema],
    id: '1',
    externalId: 'f4b1c0de',
    userName: 'akadmin',
    name: { formatted: 'Aki Admin', givenName: 'Aki', familyName: 'Admin' },
    displayName: 'Aki Admin',
    active: true,
    emails: [{ value: 'aki@acme.test', type: 'other', primary: true }],
  }
  const { id } = await authentik.post('/Users', user)
  assert.equal((await authentik.ask('POST', '/Users', user)).status, 409)
  const list = await authentik.get(filterPath('Users', 'userName eq "akadmin"'))
  assert.deepEqual([list.Resources[0].id, list.Resources[0].emails[0].value], [id, 'aki@acme.test'])
  const group = await authentik.post('/Groups', {
    schemas: [groupSchema],
    id: '',
    externalId: '9b3c',
    displayName: 'authentik Admins',
  })
  const whole = { ...group, members: [{ value: id }] }
  assert.equal((await authentik.put(`/Groups/${group.id}`, whole)).members.length, 1)
  assert.equal((await authentik.put(`/Groups/${group.id}`, whole)).members.length, 1)
  const userWithGroups = await authentik.get(`/Users/${id}`)
  assert.deepEqual(userWithGroups.groups[0].display, 'authentik Admins')
  assert.equal(
    (await authentik.put(`/Groups/${group.id}`, { ...whole, members: [] })).members.length,
    0,
  )
})

test('JumpCloud: PUT with unknown attributes left out, and a search by emails', async () => {
  const jumpcloud = await client('JumpCloud')
  const user = {
    userName: 'jo@acme.test',
    name: { familyName: 'Cloud', givenName: 'Jo' },
    emails: [{ value: 'jo@acme.test', type: 'work', primary: true }],
    active: true,
    externalId: '5ce8',
  }
  const { id, displayName } = await jumpcloud.post('/Users', user)
  assert.equal(displayName, 'Jo Cloud')
  const off = await jumpcloud.put(`/Users/${id}`, { ...user, active: false })
  assert.equal(off.active, false)
  const { title, ...rest } = user as typeof user & { title?: string }
  assert.equal(title, undefined)
  assert.equal((await jumpcloud.put(`/Users/${id}`, { ...rest, active: undefined })).active, false)
  const list = await jumpcloud.get(filterPath('Users', 'emails.value eq "jo@acme.test"'))
  assert.equal(list.Resources[0].id, id)
})

test('Keycloak: creates with its own id as external id, updates by PUT, PATCHes group members', async () => {
  const keycloak = await client('Keycloak')
  const user = {
    schemas: [userSchema],
    externalId: 'b7c9d3e2-0000-4000-8000-1f2e3d4c5b6a',
    userName: 'kay@acme.test',
    name: { givenName: 'Kay', familyName: 'Cloak' },
    emails: [{ value: 'kay@acme.test', primary: true }],
    active: true,
  }
  const { id, externalId } = await keycloak.post('/Users', user)
  assert.equal(externalId, user.externalId)
  const list = await keycloak.get(filterPath('Users', `externalId eq "${user.externalId}"`))
  assert.equal(list.Resources[0].id, id)
  const off = await keycloak.put(`/Users/${id}`, { ...user, id, active: false })
  assert.equal(off.active, false)
  await keycloak.put(`/Users/${id}`, { ...user, id })
  const group = await keycloak.post('/Groups', {
    schemas: [groupSchema],
    externalId: 'keycloak-group',
    displayName: '/engineering',
    members: [{ value: id, $ref: `Users/${id}` }],
  })
  assert.equal(group.members[0].value, id)
  const remaining = await keycloak.patch(`/Groups/${group.id}`, [
    { op: 'remove', path: 'members', value: [{ value: id }] },
  ])
  assert.deepEqual(remaining?.members ?? [], [])
})

test('OneLogin: search by name, one operation per attribute, capitalized members operations', async () => {
  const onelogin = await client('OneLogin')
  const { id } = await onelogin.post('/Users', {
    schemas: ['urn:scim:schemas:core:1.0', userSchema],
    userName: 'one@acme.test',
    name: { givenName: 'One', familyName: 'Login' },
    displayName: 'One Login',
  })
  const changed = await onelogin.patch(`/Users/${id}`, [
    { op: 'Replace', path: `${userSchema}:displayName`, value: 'One L.' },
    { op: 'replace', path: 'userName', value: 'uno@acme.test' },
  ])
  assert.equal(changed.displayName, 'One L.')
  assert.equal(changed.emails[0].value, 'uno@acme.test', 'the address followed the user name')
  const group = await onelogin.post('/Groups', { displayName: 'Uno', Members: [{ Value: id }] })
  assert.equal(group.members[0].value, id)
})

test('the capabilities and schemas advertised to a provider match the behavior', async () => {
  const scim = await client('Reader')
  const config = await scim.get('/ServiceProviderConfig')
  assert.equal(config.patch.supported, true)
  assert.equal(config.bulk.supported, false)
  const types = await scim.get('/ResourceTypes')
  assert.deepEqual(
    types.Resources.map((type: { endpoint: string }) => type.endpoint),
    ['/Users', '/Groups'],
  )
  const [user] = (await scim.get('/Schemas')).Resources
  const createdUser = await scim.post('/Users', {
    userName: 'whole@acme.test',
    externalId: 'w',
    title: 'T',
    name: { givenName: 'W', familyName: 'H' },
  })
  const described = user.attributes.map((item: { name: string }) => item.name)
  const metaFields = ['schemas', 'id', 'meta']
  assert.deepEqual(
    Object.keys(createdUser).filter(
      (name) => !metaFields.includes(name) && !described.includes(name),
    ),
    [],
  )
  assert.equal((await scim.get(`/Schemas/${user.id}`)).name, 'User')
})

test('pages start at 1 and return every user once', async () => {
  const scim = await client('Pages')
  for (let n = 0; n < 5; n++) await scim.post('/Users', { userName: `page${n}@acme.test` })
  const filter = 'userName sw "page"'
  const pages = [1, 3, 5].map((start) =>
    scim.get(filterPath('Users', filter, `&startIndex=${start}&count=2`)),
  )
  const all = (await Promise.all(pages)).flatMap((page) => page.Resources)
  assert.equal(new Set(all.map((user: { id: string }) => user.id)).size, 5)
  const none = await scim.get(filterPath('Users', filter, '&startIndex=0&count=0'))
  assert.deepEqual([none.totalResults, none.startIndex, none.Resources], [5, 1, []])
  assert.equal((await scim.get('/Users?count=-1')).Resources.length, 0)
})

test('invalid requests get SCIM errors, never a page or a server error', async () => {
  const scim = await client('Wrong')
  const { id } = await scim.post('/Users', { userName: 'wrong@acme.test' })
  const patch = (...operations: unknown[]) => ({ schemas: [patchSchema], Operations: operations })
  const user = `/Users/${id}`
  const deep = `${'('.repeat(60)}id eq "x"${')'.repeat(60)}`
  const wide = Array.from({ length: 80 }, () => 'id eq "x"').join(' or ')
  const wrong: [method: string, path: string, body: unknown, status: number, type?: string][] = [
    ...[
      'userName eq',
      'userName eq bob smith',
      'userName eq bob@acme.test',
      'emails[emails[type eq "work"]]',
      'eq "x"',
      'userName ~ "x"',
      'id eq "x" and',
      '"',
      '[',
      deep,
      wide,
    ]
      .concat([
        'password eq "x"',
        'id eq "x" id',
        'active eq "maybe"',
        'meta.created gt "now"',
        'a'.repeat(3000),
      ])
      .map((filter): [string, string, undefined, number, string] => [
        'GET',
        filterPath('Users', filter),
        undefined,
        400,
        'invalidFilter',
      ]),
    ['GET', '/Users?count=many', undefined, 400, 'invalidValue'],
    ['GET', '/Nothing', undefined, 404],
    ['GET', '/Users/%FF', undefined, 404],
    ['GET', '/Users/usr_0', undefined, 404],
    ['GET', `${user}/more`, undefined, 404],
    ['POST', '/Users', {}, 400, 'invalidValue'],
    ['POST', '/Users', [], 400, 'invalidValue'],
    ['POST', '/Users', { userName: 'nobody' }, 400, 'invalidValue'],
    ['POST', '/Users', { userName: { a: 1 } }, 400, 'invalidValue'],
    ['POST', '/Users', { userName: 'x@acme.test', active: 'perhaps' }, 400, 'invalidValue'],
    [
      'POST',
      '/Users',
      { userName: 'x@acme.test', displayName: 'x'.repeat(300) },
      400,
      'invalidValue',
    ],
    ['POST', '/Users', { userName: 'x@acme.test\u0000' }, 400, 'invalidValue'],
    ['POST', '/Users', '{', 400, 'invalidSyntax'],
    ['POST', '/Users', undefined, 400, 'invalidValue'],
    ['PUT', '/Users', {}, 405],
    ['DELETE', '/Users', undefined, 405],
    ['PATCH', user, {}, 400, 'invalidSyntax'],
    ['PATCH', user, patch({ op: 'move', path: 'x' }), 400, 'invalidSyntax'],
    ['PATCH', user, patch({ op: 'remove' }), 400, 'noTarget'],
    ['PATCH', user, patch({ op: 'replace', value: 'x' }), 400, 'invalidValue'],
    ['PATCH', user, patch({ op: 'replace', path: 'emails[', value: 'x' }), 400, 'invalidPath'],
    ['PATCH', user, patch({ op: 'replace', path: ['a'], value: 'x' }), 400, 'invalidPath'],
    ['PATCH', user, patch({ op: 'remove', path: 'userName' }), 400, 'invalidValue'],
    ['PATCH', user, patch({ op: 'replace', path: 'emails', value: 'x' }), 400, 'invalidValue'],
    ['PATCH', user, patch({ op: 'replace', path: '__proto__.x', value: 'x' }), 400, 'invalidPath'],
    ['POST', '/Groups', { displayName: 'G', members: [{ value: 'usr_x' }] }, 400, 'invalidValue'],
    ['POST', '/Groups', { displayName: 'G', members: [{ value: 7 }] }, 400, 'invalidValue'],
  ]
  for (const [method, path, body, status, type] of wrong) {
    const got = await scim.ask(method, path, body)
    const received = `${method} ${path.slice(0, 80)} ${JSON.stringify(body)?.slice(0, 80)}: ${got.text}`
    assert.equal(got.status, status, received)
    assert.match(got.headers.get('content-type') ?? '', /^application\/scim\+json/, received)
    if (status >= 400) assert.equal(got.json.status, String(status), received)
    assert.equal(got.json.scimType, type, received)
  }
  const plain = await served.ask('POST', '/scim/v2/Users', {
    key: scim.token,
    headers: { 'content-type': 'text/plain' },
    body: '{}',
  })
  assert.equal(plain.status, 415)
})
