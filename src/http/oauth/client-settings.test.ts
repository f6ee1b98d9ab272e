import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import { authorize, authorizationOf, connectProgram, newPkcePair, postForm } from './testing.ts'

let served: ServedWorkspace
let ann: Browser
let bob: Browser

before(async () => {
  served = await serveWorkspace()
  await givePasswords(served, served.ann, served.bob)
  ann = await new Browser(served).signIn(served.ann.actor.email)
  bob = await new Browser(served).signIn(served.bob.actor.email)
  await setOtherOrganization('deactivated')
})
after(() => served.close())

/** Sets whether the only person of the other organization uses the instance. */
async function setOtherOrganization(status: 'active' | 'deactivated'): Promise<void> {
  const { store } = served.app
  await store.writer.run(() =>
    store.write
      .updateTable('users')
      .set({ status })
      .where('id', '=', served.eve.actor.id)
      .execute(),
  )
}

/** Reads the call log entry of an action by ann. */
function findLogEntry(tool: string) {
  return served.app.store.read
    .selectFrom('calls')
    .select('id')
    .where('tool', '=', tool)
    .where('actor_id', '=', served.ann.actor.id)
    .executeTakeFirst()
}

const entered = { name: 'Copilot Studio', redirect_uris: ['https://callback.example/redirect'] }

test('an administrator adds a client; its secret is shown once and works at the token endpoint', async () => {
  const createdClient = await ann.post('/web/oauth/clients', entered)
  assert.equal(createdClient.status, 201, createdClient.text)
  const { client_id, client_secret, ...rest } = createdClient.json
  assert.deepEqual(rest, entered)
  const { json, text } = await ann.get('/web/oauth/clients')
  const row = json.items.find((item: { client_id: string }) => item.client_id === client_id)
  assert.deepEqual(
    [row.name, row.source, row.policy, row.connections],
    ['Copilot Studio', 'entered', 'default', 0],
  )
  assert.ok(!text.includes(client_secret))
  const fields = { grant_type: 'refresh_token', refresh_token: 'wrt_none', client_id }
  const wrong = await postForm(served, '/oauth/token', { ...fields, client_secret: 'wcs_wrong' })
  assert.equal(wrong.json.error, 'invalid_client')
  const right = await postForm(served, '/oauth/token', { ...fields, client_secret })
  assert.equal(right.json.error, 'invalid_grant')
  assert.ok(await findLogEntry('add_oauth_client'))
})

test('a refused client gets no token and no new connection until the refusal is lifted', async () => {
  const program = await connectProgram(served, bob)
  const listed = (await ann.get('/web/oauth/clients')).json.items.find(
    (item: { client_id: string }) => item.client_id === program.clientId,
  )
  assert.equal(listed.connections, 1)
  const setPolicy = (policy: string) =>
    ann.post('/web/oauth/clients/policy', { client_id: program.clientId, policy })
  const refresh = () =>
    postForm(served, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: program.refresh,
      client_id: program.clientId,
    })
  const parameters = authorizationOf(program.clientId, newPkcePair().challenge)
  assert.equal((await setPolicy('refuse')).status, 200)
  assert.equal((await refresh()).json.error, 'invalid_client')
  assert.equal((await authorize(served, parameters)).status, 400)
  assert.equal((await setPolicy('default')).status, 200)
  assert.equal((await refresh()).status, 200)
  assert.equal((await authorize(served, parameters)).status, 303)
  assert.ok(await findLogEntry('set_oauth_client_policy'))
})

test('errors name their field, and an unknown client is not found', async () => {
  for (const [more, field] of [
    [{ redirect_uris: ['http://evil.example/'] }, 'redirect_uris'],
    [{ redirect_uris: [] }, 'redirect_uris'],
    [{ name: '' }, 'name'],
  ] as const) {
    const got = await ann.post('/web/oauth/clients', { ...entered, ...more })
    assert.equal(got.status, 400, got.text)
    assert.equal(got.json.field, field)
  }
  const unknownClient = await ann.post('/web/oauth/clients/policy', {
    client_id: 'cl_x',
    policy: 'refuse',
  })
  assert.equal(unknownClient.status, 404)
  const document = 'https://assistant.example/client.json'
  const documentRefusal = await ann.post('/web/oauth/clients/policy', {
    client_id: document,
    policy: 'refuse',
  })
  assert.equal(
    documentRefusal.status,
    200,
    'a document may be refused before anybody has connected it',
  )
})

test('only administrators decide about clients, and not on an instance shared with another organization', async () => {
  const requests = [
    (browser: Browser) => browser.get('/web/oauth/clients'),
    (browser: Browser) => browser.post('/web/oauth/clients', entered),
    (browser: Browser) =>
      browser.post('/web/oauth/clients/policy', { client_id: 'cl_x', policy: 'refuse' }),
  ]
  for (const way of requests) assert.equal((await way(bob)).json.code, 'permission_denied')
  await setOtherOrganization('active')
  for (const way of requests) {
    const got = await way(ann)
    assert.equal(got.json.code, 'permission_denied')
    assert.match(got.json.message, /operator/)
  }
  await setOtherOrganization('deactivated')
})
