import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { EventReader } from '../../testing/events.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'

let served: ServedWorkspace
let ann: Browser
let bob: Browser
let carol: Browser
before(async () => {
  served = await serveWorkspace({ settings: { rate_address: 0, limits: true } })
  await givePasswords(served, served.ann, served.bob, served.carol)
  ann = await new Browser(served).signIn('ann@acme.test')
  bob = await new Browser(served).signIn('bob@acme.test')
  carol = await new Browser(served).signIn('carol@acme.test')
})
after(() => served.close())

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
}

test('a paused key is refused from its next request on, its streams end, and it works again once resumed', async () => {
  const { id, key } = await served.keyFor(served.bob)
  const rest = () => served.ask('GET', '/api/labels', { key })
  const mcp = () =>
    served.ask('POST', '/mcp', {
      key,
      body: initialize,
      headers: { accept: 'application/json, text/event-stream' },
    })
  const stream = new EventReader(
    await fetch(`${served.url}/api/events`, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${key}` },
    }),
  )
  await stream.next()
  assert.deepEqual([(await rest()).status, (await mcp()).status], [200, 200])
  const paused = await bob.post(`/web/api-keys/${id}/pause`)
  assert.deepEqual([paused.status, paused.json.state], [200, 'paused'])
  const refused = await rest()
  assert.deepEqual(
    [refused.status, refused.json.code, refused.json.paused_by, Date.parse(refused.json.paused_at)],
    [403, 'paused', 'Bob', served.clock.now()],
  )
  assert.equal((await mcp()).status, 403)
  assert.deepEqual(await stream.rest(), [])
  assert.equal(
    (await ann.post(`/web/api-keys/${id}/resume`)).json.state,
    'active',
    'administrators, too',
  )
  assert.deepEqual([(await rest()).status, (await mcp()).status], [200, 200])
  const logged = served.app.store.raw.read
    .prepare(
      "SELECT tool, actor_id FROM calls WHERE tool IN ('pause_api_key', 'resume_api_key') ORDER BY seq",
    )
    .all()
  assert.deepEqual(logged, [
    { tool: 'pause_api_key', actor_id: served.bob.id },
    { tool: 'resume_api_key', actor_id: served.ann.id },
  ])
})

test('only administrators can pause the keys of others, and an ended key stays ended', async () => {
  const { id, key } = await served.keyFor(served.bob)
  assert.equal((await carol.post(`/web/api-keys/${id}/pause`)).status, 404)
  assert.equal((await served.ask('GET', '/api/labels', { key })).status, 200)
  assert.equal((await bob.post(`/web/api-keys/${id}/pause`)).status, 200)
  assert.equal((await bob.post(`/web/api-keys/${id}/pause`)).status, 200)
  assert.equal((await bob.post(`/web/api-keys/${id}/revoke`)).status, 200)
  assert.equal((await bob.post(`/web/api-keys/${id}/resume`)).status, 409)
  assert.equal((await served.ask('GET', '/api/labels', { key })).status, 401)
})

test('resuming does not release a key suspended by an abuse rule', async () => {
  const { id, key } = await served.keyFor(served.bob)
  const { write } = served.app.store
  await served.app.store.writer.run(async () => {
    await write.updateTable('api_keys').set({ suspended_at: 1 }).where('id', '=', id).execute()
  })
  for (const how of ['pause', 'resume'])
    assert.equal((await bob.post(`/web/api-keys/${id}/${how}`)).status, 409)
  assert.equal((await served.ask('GET', '/api/labels', { key })).json.code, 'permission_denied')
  assert.equal((await bob.get(`/web/api-keys/${id}`)).json.state, 'suspended')
})

test('a restriction of a key applies from its next request on, over REST and in an MCP session, and cannot be widened', async () => {
  const { id, key } = await served.keyFor(served.bob)
  const label = (name: string) => served.ask('POST', '/api/labels', { key, body: { name } })
  const tool = (name: string) =>
    served.ask('POST', '/mcp', {
      key,
      body: {
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'create_label', arguments: { name } },
      },
      headers: { accept: 'application/json, text/event-stream' },
    })
  assert.equal((await label('Before')).status, 201)
  assert.equal((await carol.post(`/web/api-keys/${id}/narrow`, { read_only: true })).status, 404)
  const narrowed = await bob.post(`/web/api-keys/${id}/narrow`, { read_only: true })
  assert.deepEqual(
    [narrowed.status, narrowed.json.read_only, narrowed.json.hold_outbound],
    [200, true, false],
  )
  const refused = await label('After')
  assert.deepEqual([refused.status, refused.json.code], [403, 'permission_denied'])
  assert.match((await tool('After, too')).text, /permission_denied/)
  const names = (await served.ask('GET', '/api/labels', { key })).json.items.map(
    (item: { name: string }) => item.name,
  )
  assert.ok(names.includes('Before') && !names.some((name: string) => name.startsWith('After')))
  assert.equal((await bob.post(`/web/api-keys/${id}/narrow`, { read_only: false })).status, 400)
  const both = await ann.post(`/web/api-keys/${id}/narrow`, { hold_outbound: true })
  assert.deepEqual([both.json.read_only, both.json.hold_outbound], [true, true])
})
