import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import { filterPath, patchSchema, scimClient, userSchema, type ScimClient } from './testing.ts'

// Requests of conformance checkers (scim2-tester, scim2-client), with answers according to RFC 7643 and 7644.

let served: ServedWorkspace
let scim: ScimClient

before(async () => {
  served = await serveWorkspace()
  scim = await scimClient(served, served.ann)
})
after(() => served.close())

async function createUser(name: string, more: object = {}) {
  return scim.post('/Users', { schemas: [userSchema], userName: `${name}@acme.test`, ...more })
}

/** Sends operations that must be refused, and returns the scimType. */
async function refusedPatch(path: string, ...operations: object[]): Promise<string> {
  const { status, json, text } = await scim.ask('PATCH', path, {
    schemas: [patchSchema],
    Operations: operations,
  })
  assert.equal(status, 400, text)
  return json.scimType
}

test('a response has only attributes in its schema', async () => {
  const user = await createUser('shape', { title: 'T', name: { givenName: 'S', familyName: 'H' } })
  const { id } = await scim.post('/Groups', { displayName: 'Shape', members: [{ value: user.id }] })
  const [userType, groupType] = (await scim.get('/Schemas')).Resources
  for (const [resource, { attributes }] of [
    [await scim.get(`/Users/${user.id}`), userType],
    [await scim.get(`/Groups/${id}`), groupType],
  ])
    assert.deepEqual(unknownAttributes(resource, attributes), [])
})

interface AttributeSchema {
  name: string
  subAttributes?: AttributeSchema[]
}

/** Attribute names of a resource and its parts that are missing in the schema. */
function unknownAttributes(resource: object, attributes: AttributeSchema[]): string[] {
  const common = ['schemas', 'id', 'meta']
  return Object.entries(resource).flatMap(([name, value]) => {
    const attribute = attributes.find((item) => item.name === name)
    if (!attribute) return common.includes(name) ? [] : [name]
    const parts = attribute.subAttributes?.map((part) => part.name)
    return [value]
      .flat()
      .flatMap((item: unknown) => (parts ? Object.keys(item as object) : []))
      .filter((part) => !parts?.includes(part))
  })
}

test('a path filter supports every comparison, and one without a match is refused', async () => {
  const { id } = await createUser('pb1')
  const path = `/Users/${id}`
  for (const [filter, address] of [
    ['value sw "pb1"', 'pb2@acme.test'],
    ['value co "b2@"', 'pb3@acme.test'],
    ['value ew "acme.test" and primary eq true', 'pb4@acme.test'],
    ['value gt "pb3" and not (type eq "home")', 'pb5@acme.test'],
    ['value pr', 'pb6@acme.test'],
  ]) {
    const operations = [{ op: 'replace', path: `emails[${filter}].value`, value: address }]
    assert.equal((await scim.patch(path, operations)).emails[0].value, address, filter)
  }
  for (const filter of ['value eq "nobody@acme.test"', 'value sw "x"', 'not (value pr)'])
    assert.equal(
      await refusedPatch(path, {
        op: 'replace',
        path: `emails[${filter}].value`,
        value: 'x@y.test',
      }),
      'noTarget',
    )
  const { emails } = await scim.patch(path, [
    { op: 'remove', path: 'emails[value sw "pb6"]' },
    { op: 'add', path: 'emails', value: [{ value: 'pb7@acme.test', primary: true }] },
  ])
  assert.equal(emails[0].value, 'pb7@acme.test')
})

test('read-only attributes, missing values and values of the wrong shape are refused', async () => {
  const { id } = await createUser('strict')
  const path = `/Users/${id}`
  for (const [operation, type] of [
    [{ op: 'replace', path: 'id', value: 'usr_other' }, 'mutability'],
    [{ op: 'replace', path: 'meta.created', value: '2020-01-01T00:00:00Z' }, 'mutability'],
    [{ op: 'add', path: 'groups', value: [{ value: 'x' }] }, 'mutability'],
    [{ op: 'replace', value: { id: 'usr_other', title: 'Boss' } }, 'mutability'],
    [{ op: 'replace', path: 'title' }, 'invalidValue'],
    [{ op: 'replace', path: 'active', value: [false] }, 'invalidValue'],
    [{ op: 'replace', path: 'timezone', value: 'Mars/Base' }, 'invalidValue'],
  ] as const)
    assert.equal(await refusedPatch(path, operation), type, JSON.stringify(operation))
  const same = await scim.patch(path, [{ op: 'replace', value: { id, title: 'Boss' } }])
  assert.equal(same.title, 'Boss')
  assert.equal(same.active, true)
})

test('a body with other schemas, or with invalid JSON, is invalidSyntax', async () => {
  const { id } = await createUser('syntax')
  for (const [method, path, body] of [
    ['POST', '/Users', { schemas: [patchSchema], userName: 'other@acme.test' }],
    ['POST', '/Groups', { schemas: [userSchema], displayName: 'Other' }],
    ['PATCH', `/Users/${id}`, { schemas: [userSchema], Operations: [] }],
  ] as const) {
    const { status, json } = await scim.ask(method, path, body)
    assert.deepEqual([status, json.scimType], [400, 'invalidSyntax'], path)
  }
  const broken = await served.ask('POST', '/scim/v2/Users', {
    key: scim.token,
    headers: { 'content-type': 'application/scim+json' },
    body: '{"userName": ',
  })
  assert.deepEqual([broken.status, broken.json.scimType], [400, 'invalidSyntax'])
})

test('group names are case-insensitive, and an empty list removes no members', async () => {
  const { id: member } = await createUser('grouped')
  const { id } = await scim.post('/Groups', { displayName: 'Größe', members: [{ value: member }] })
  for (const displayName of ['GRÖßE', 'größe']) {
    const twin = await scim.ask('POST', '/Groups', { displayName })
    assert.deepEqual([twin.status, twin.json.scimType], [409, 'uniqueness'])
  }
  await scim.patch(`/Groups/${id}`, [{ op: 'replace', path: 'displayName', value: 'GRÖSSE' }])
  await scim.patch(`/Groups/${id}`, [{ op: 'remove', path: 'members', value: [] }])
  const byMember = filterPath('Groups', `members[value eq "${member}"].value eq "${member}"`)
  assert.equal((await scim.get(byMember)).totalResults, 1)
  assert.equal((await scim.get(filterPath('Groups', 'displayName eq GRÖSSE'))).totalResults, 1)
  const operations = { Operations: [{ op: 'remove', path: 'members' }] }
  const answered = await scim.ask('PATCH', `/Groups/${id}?attributes=members`, operations)
  assert.deepEqual([answered.status, answered.json.members], [200, []])
})

test('name.formatted changes the name unless displayName is given', async () => {
  const { id } = await createUser('named', { displayName: 'First' })
  const path = `/Users/${id}`
  const byPath = [{ op: 'replace', path: 'name.formatted', value: 'Second' }]
  assert.equal((await scim.patch(path, byPath)).displayName, 'Second')
  const byValue = [{ op: 'replace', path: 'name', value: { formatted: 'Third', givenName: 'T' } }]
  assert.equal((await scim.patch(path, byValue)).displayName, 'Third')
  const both = [{ op: 'replace', value: { 'name.formatted': 'Fourth', displayName: 'Fifth' } }]
  assert.equal((await scim.patch(path, both)).displayName, 'Fifth')
})

test('a search can be sent in a request body; /Me is not supported', async () => {
  const { id } = await createUser('searched')
  const search = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
    filter: 'userName eq "searched@acme.test"',
    attributes: ['userName'],
    count: 1,
  }
  const { status, json } = await scim.ask('POST', '/Users/.search', search)
  assert.equal(status, 200)
  assert.deepEqual(json.Resources, [{ schemas: [userSchema], id, userName: 'searched@acme.test' }])
  const wrong = await scim.ask('POST', '/Groups/.search', { filter: 5, count: {} })
  assert.deepEqual([wrong.status, wrong.json.scimType], [400, 'invalidValue'])
  assert.equal((await scim.ask('GET', '/Users/.search')).status, 405)
  assert.equal((await scim.ask('GET', '/Me')).status, 501)
})

test('a search at the root covers users and groups', async () => {
  const { id: user } = await createUser('rooted', { displayName: 'Root one' })
  const { id: group } = await scim.post('/Groups', { displayName: 'Root two' })
  const search = async (filter: string, more: object = {}) => {
    const { status, json, text } = await scim.ask('POST', '/.search', { filter, ...more })
    assert.equal(status, 200, text)
    return [json.totalResults, json.Resources.map((item: { id: string }) => item.id)]
  }
  for (const [filter, ids] of [
    ['displayName sw "root"', [user, group]],
    ['displayName sw "root" and userName pr', [user]],
    ['userName eq "rooted@acme.test" or displayName eq "Root two"', [user, group]],
    ['displayName sw "root" and not (userName pr)', [group]],
    ['displayName sw "root" and meta.resourceType eq "Group"', [group]],
    [`members eq "${user}"`, []],
  ] as const)
    assert.deepEqual(await search(filter), [ids.length, ids], filter)
  const page = (startIndex: number, count: number) =>
    search('displayName sw "root"', { startIndex, count })
  assert.deepEqual(await page(1, 1), [2, [user]])
  assert.deepEqual(await page(2, 1), [2, [group]])
  assert.deepEqual(await page(2, 5), [2, [group]])
  assert.deepEqual(await page(3, 5), [2, []])
  const wrong = await scim.ask('POST', '/.search', { filter: 'shoeSize gt 40' })
  assert.deepEqual([wrong.status, wrong.json.scimType], [400, 'invalidFilter'])
  assert.equal((await scim.ask('GET', '/.search')).status, 405)
})

test('HEAD responds like GET, without the body', async () => {
  const { id } = await createUser('head')
  for (const [path, status] of [
    [`/Users/${id}`, 200],
    ['/Users', 200],
    ['/Groups', 200],
    ['/ServiceProviderConfig', 200],
    ['/Schemas', 200],
    ['/Users/usr_none', 404],
    ['/Users/.search', 405],
  ] as const) {
    const got = await scim.ask('HEAD', path)
    assert.deepEqual([got.status, got.text], [status, ''], path)
  }
  assert.equal((await scim.ask('HEAD', '/Me')).status, 501)
})

test('the challenge contains an error only if a token was sent', async () => {
  const without = await served.ask('GET', '/scim/v2/Users', { key: undefined })
  assert.equal(without.headers.get('www-authenticate'), 'Bearer realm="workspace"')
  const wrong = await served.ask('GET', '/scim/v2/Users', { key: `wsc_${'x'.repeat(43)}` })
  assert.match(wrong.headers.get('www-authenticate') ?? '', /error="invalid_token"/)
})
