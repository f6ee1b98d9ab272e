import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Browser, givePasswords } from '../../../testing/browser.ts'
import { dayLong } from '../../../testing/harness.ts'
import { runAutomations } from '../../automations/testing.ts'
import { serveWorkspace, type ServedWorkspace } from '../../../testing/server.ts'

let served: ServedWorkspace
let ann: Browser
let bob: Browser
let root: Browser
let bobsKey: { id: string; key: string }
const by = () => ({ key: bobsKey.key, headers: { 'user-agent': 'Otter/2.1' } })

before(async () => {
  served = await serveWorkspace()
  const admin = await served.person('Root', { role: 'admin' })
  await givePasswords(served, served.ann, served.bob, admin, served.eve)
  ann = await new Browser(served).signIn('ann@acme.test')
  bob = await new Browser(served).signIn('bob@acme.test')
  root = await new Browser(served).signIn(admin.actor.email)
  bobsKey = await served.keyFor(served.bob, { name: 'helper' })
  for (const [method, path, body] of [
    ['POST', '/api/labels', { name: 'Quiet word' }],
    ['GET', '/api/labels', undefined],
    ['GET', '/api/teams', undefined],
  ] as const) {
    await served.ask(method, path, { ...by(), body })
    served.clock.pass(60_000)
  }
  await served.ask('PATCH', '/api/labels/lbl_missing', { ...by(), body: { name: 'x' } })
  await served.ask('GET', '/api/labels') // with ann's key
})
after(() => served.close())

const tools = async (who: Browser, query = '') => {
  const response = await who.get(`/web/activity?${query}`)
  assert.equal(response.status, 200, response.text)
  return response.json.items.map((item: any) => item.tool)
}

test('people see the calls of their own keys, newest first, and web app calls on request', async () => {
  assert.deepEqual(await tools(bob), ['update_label', 'list_teams', 'list_labels', 'create_label'])
  assert.deepEqual(await tools(ann), ['list_labels'])
  await bob.post('/web/call/list_goals')
  assert.deepEqual(
    (await tools(bob, 'source=web')).filter((tool: string) => tool === 'list_goals'),
    ['list_goals'],
  )
  assert.ok((await tools(bob, 'source=all')).includes('list_goals'))
  assert.deepEqual(await tools(bob, 'source=mcp'), [])
  assert.equal((await served.ask('GET', '/web/activity')).status, 401)
})

test('filters narrow the log', async () => {
  assert.deepEqual(await tools(bob, 'module=labels'), [
    'update_label',
    'list_labels',
    'create_label',
  ])
  assert.deepEqual(await tools(bob, 'tool=list_teams'), ['list_teams'])
  assert.deepEqual(await tools(bob, 'status=error'), ['update_label'])
  assert.deepEqual(await tools(bob, 'kind=write'), ['update_label', 'create_label'])
  assert.deepEqual(await tools(bob, 'text=quiet%20W'), ['create_label'])
  assert.deepEqual(await tools(bob, 'text=not_fou'), ['update_label'])
  assert.deepEqual(await tools(bob, 'text=%25'), [])
  assert.deepEqual(await tools(bob, `key_id=${bobsKey.id}&limit=1`), ['update_label'])
  assert.deepEqual(await tools(bob, 'client=Otter'), [
    'update_label',
    'list_teams',
    'list_labels',
    'create_label',
  ])
  assert.deepEqual(await tools(bob, 'client=nobody'), [])
  const { items } = (await bob.get('/web/activity')).json
  const [second, third] = [items[1].at, items[2].at]
  assert.deepEqual(await tools(bob, `after=${third}&before=${second}`), [
    'list_teams',
    'list_labels',
  ])
  assert.equal((await bob.get('/web/activity?module=nothing')).status, 400)
  assert.equal((await bob.get('/web/activity?cursor=AAAA')).status, 400)
})

test('pages continue where the previous one ended', async () => {
  const first = (await bob.get('/web/activity?limit=3')).json
  const second = (await bob.get(`/web/activity?limit=3&cursor=${first.next_cursor}`)).json
  assert.deepEqual(
    [first.has_more, second.has_more, second.items.map((item: any) => item.tool)],
    [true, false, ['create_label']],
  )
})

test('administrators see who called what in the organization, but not the arguments of others', async () => {
  const { items } = (await root.get('/web/activity?of=organization&tool=create_label')).json
  const [created] = items
  assert.deepEqual(
    [
      created.actor.title,
      created.key.title,
      created.tool,
      created.module,
      created.status,
      created.client.name,
    ],
    ['Bob', 'helper', 'create_label', 'labels', 'ok', 'Otter'],
  )
  assert.deepEqual([created.arguments, created.undo], [undefined, undefined])
  assert.deepEqual(await tools(root, 'of=organization&text=quiet'), [])
  assert.deepEqual(await tools(root, `of=organization&person_id=${served.ann.id}`), ['list_labels'])
  assert.deepEqual(await tools(root), [])
  assert.equal((await bob.get('/web/activity?of=organization')).status, 403)
  assert.equal((await bob.get('/web/activity/names?of=organization')).status, 403)
  assert.deepEqual(await tools(bob, `person_id=${served.ann.id}`), [])
})

test('a call shows its changes and whether it was undone; a call of someone else is found only by administrators', async () => {
  const [{ id }] = (await bob.get('/web/activity?tool=create_label')).json.items
  const call = (await bob.get(`/web/activity/calls/${id}`)).json
  assert.deepEqual(
    [call.arguments, call.undo, call.changes.map((change: any) => [change.op, change.item.title])],
    [{ name: 'Quiet word' }, 'possible', [['created', 'Quiet word']]],
  )
  assert.equal((await root.get(`/web/activity/calls/${id}`)).json.changes, undefined)
  assert.equal((await new Browser(served).get(`/web/activity/calls/${id}`)).status, 401)
  assert.equal((await bob.get('/web/activity/calls/clg_nothing')).status, 404)
  const [other] = (await root.get(`/web/activity?of=organization&person_id=${served.ann.id}`)).json
    .items
  assert.equal((await bob.get(`/web/activity/calls/${other.id}`)).status, 404)
  const undone = await bob.post('/web/call/undo_api_call', { call_id: id })
  assert.equal(undone.json.undone, true, undone.text)
  const now = (await bob.get(`/web/activity/calls/${id}`)).json
  assert.deepEqual(
    [now.undo, now.items.map((item: any) => item.title)],
    ['done', ['Quiet word']],
    'it is in the trash by now',
  )
  const back = (await bob.get(`/web/activity/calls/${now.undone_by}`)).json
  assert.deepEqual([back.tool, back.undid.id], ['undo_api_call', id])
})

test('names in the log are limited to those visible to the reader', async () => {
  const filterNames = (await bob.get('/web/activity/names')).json
  assert.deepEqual(
    [
      filterNames.keys.map((key: any) => key.title),
      filterNames.people.map((person: any) => person.title),
      filterNames.clients,
    ],
    [['helper'], ['Bob'], ['Otter']],
  )
  assert.ok(
    filterNames.tools.some((tool: any) => tool.name === 'create_label' && tool.module === 'labels'),
  )
  const all = (await root.get('/web/activity/names?of=organization')).json
  assert.deepEqual(all.people.map((person: any) => person.title).sort(), ['Ann', 'Bob', 'Root'])
})

test('the changing calls of an automation run are shown for exactly this run, to its owner', async () => {
  const asBob = <T = any>(tool: string, input: object): Promise<T> =>
    bob.post(`/web/call/${tool}`, input).then(({ json }) => json)
  const create_label = (name: string) => ({ type: 'create_label', params: { name } })
  const automation = await asBob('create_automation', {
    name: 'Two labels',
    trigger: { type: 'manual', params: {} },
    actions: [
      create_label('{{ now }} a'),
      { type: 'list_labels', params: {} },
      create_label('{{ now }} b'),
    ],
  })
  await asBob('enable_automation', { automation_id: automation.id })
  for (let n = 0; n < 2; n++) {
    await asBob('run_automation', { automation_id: automation.id })
    await runAutomations(served)
    served.clock.pass(1000)
  }
  const runs = (await asBob('list_automation_runs', { automation_id: automation.id })).items
  assert.equal(runs.length, 2)
  const query = `source=automation&run_id=${runs[0].id}`
  assert.deepEqual(await tools(bob, query), ['create_label', 'create_label'])
  assert.deepEqual(await tools(ann, query), [])
})

test('another organization has a separate log, even for its administrators', async () => {
  const eve = await new Browser(served).signIn(served.eve.actor.email)
  assert.deepEqual(await tools(eve, 'source=keys'), [])
  const [{ id }] = (await bob.get('/web/activity')).json.items
  assert.equal((await eve.get(`/web/activity/calls/${id}`)).status, 404)
})

test('the log of an organization is read by its index, however far back', () => {
  const plan = served.app.store.raw.read
    .prepare(
      "EXPLAIN QUERY PLAN SELECT * FROM calls WHERE calls.org_id = 'x' AND calls.at <= ? ORDER BY calls.at DESC, calls.id DESC LIMIT 50",
    )
    .all(Date.now() - dayLong) as { detail: string }[]
  assert.match(plan[0]!.detail, /calls_by_org \(org_id=\? AND at<\?\)/)
})
