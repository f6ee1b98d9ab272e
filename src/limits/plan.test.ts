import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Id } from '../kernel/ids.ts'
import { addPerson } from '../identity/people.ts'
import { hour, minute } from '../testing/harness.ts'
import { serveWorkspace, type TestResponse, type ServedWorkspace } from '../testing/server.ts'
import { Limits } from './limits.ts'
import { unknownAssignedPlans, setPlan } from './plan.ts'
import { listFindings } from './release.ts'
import { usageOf } from './usage.ts'

let served: ServedWorkspace
let org: Id<'orgs'>
before(async () => {
  served = await serveWorkspace({
    settings: {
      plans: {
        unlimited: {},
        small: { calls_per_day: 20 },
        monthly: { calls_per_month: 120 },
        tight: { members: 4, storage_bytes: 100 },
      },
    },
  })
  org = served.ann.actor.org_id
})
after(() => served.close())

const get = (path = '/api/labels', key = served.bearer): Promise<TestResponse> =>
  served.ask('GET', path, { key })
const callsToday = async () => (await usageOf(served.app.store, org, served.clock.now())).today
const read = (key: string) =>
  served.ask('POST', '/mcp', {
    key,
    headers: { accept: 'application/json' },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'resources/read',
      params: { uri: 'workspace://people/me' },
    },
  })

async function assignPlan(plan: string): Promise<void> {
  await setPlan(served.app.store, served.clock, served.app.settings.plans, { org, plan })
  served.clock.wait(1500) // the server reads plans once a second
}

/** Each test uses its own day, within one month. */
beforeEach(() => served.clock.wait(24 * hour))

test('sixteen callers at the edge of a quota get exactly the quota, over REST and MCP alike', async () => {
  await assignPlan('small')
  const call = (i: number) =>
    i % 2 === 0
      ? get()
      : served.ask('POST', '/mcp', {
          key: served.bearer,
          headers: { accept: 'application/json' },
          body: {
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'list_teams', arguments: {} },
          },
        })
  const all: TestResponse[] = []
  const caller = async (lane: number) => {
    for (let i = 0; i < 3; i++) all.push(await call(lane))
  }
  await Promise.all(Array.from({ length: 16 }, (_, i) => caller(i)))
  const isServed = (response: TestResponse) =>
    response.status === 200 && response.json.result?.isError !== true
  assert.equal(all.filter(isServed).length, 20)
  assert.equal(await callsToday(), 20)
  const rest = all.find((testResponse) => testResponse.status === 429)!
  assert.deepEqual(
    [rest.json.code, rest.json.plan, rest.json.limit, rest.json.period],
    ['plan_exceeded', 'small', 20, 'day'],
  )
  assert.match(rest.json.message, /The plan "small".*20 calls per day/)
  assert.equal(rest.json.type, 'https://iana.org/assignments/http-problem-types#quota-exceeded')
  const mcp = all.find((testResponse) => testResponse.json.result?.isError)!
  assert.equal(JSON.parse(mcp.json.result.content[0].text).code, 'plan_exceeded')
})

test('the next day starts at midnight of the organization, and Retry-After says when', async () => {
  for (let i = 0; i < 20; i++) assert.equal((await get()).status, 200)
  const refused = await get()
  assert.equal(refused.json.resets_at, '2026-11-22T23:00:00.000Z') // midnight in Berlin
  const seconds = Number(refused.headers.get('retry-after'))
  assert.ok(
    Math.abs(seconds - (Date.parse(refused.json.resets_at) - served.clock.now()) / 1000) <= 1,
  )
  served.clock.wait(seconds * 1000)
  assert.equal((await get()).status, 200)
  assert.equal(await callsToday(), 1)
})

test('a failed or refused call does not count', async () => {
  await assignPlan('small')
  const before = await callsToday()
  assert.equal((await get('/api/tasks/nothing')).status, 404)
  assert.equal((await get('/api/labels?limit=no')).status, 400)
  assert.equal(await callsToday(), before)
  assert.equal((await get()).status, 200)
  assert.equal(await callsToday(), before + 1)
})

test('reading a resource counts as its operation', async () => {
  await assignPlan('small')
  const before = await callsToday()
  const got = await read(served.bearer)
  assert.equal(got.json.error, undefined, got.text)
  assert.ok((await callsToday()) > before)
})

test('a monthly plan spans days, and usage shows what remains and warns', async () => {
  await assignPlan('unlimited')
  await assignPlan('monthly')
  const { plan: start } = (await get('/api/api-keys/current/usage')).json
  assert.deepEqual(
    [start.name, start.calls_per_month, start.calls_per_day],
    ['monthly', 120, undefined],
  )
  while ((await usageOf(served.app.store, org, served.clock.now())).month < 120)
    assert.equal((await get()).status, 200)
  served.clock.wait(25 * hour)
  const refused = await get()
  assert.deepEqual(
    [refused.json.code, refused.json.period, refused.json.resets_at],
    ['plan_exceeded', 'month', '2026-11-30T23:00:00.000Z'],
  )
  await assignPlan('unlimited')
  await assignPlan('monthly')
  assert.equal((await get()).status, 429)
  const [warning] = (
    await listFindings(served.app.store, served.clock.now(), { limit: 100 })
  ).filter((finding) => finding.rule === 'plan-warning' && finding.subject === '2026-11')
  assert.equal(warning?.org_id, org)
  const exceededFindings = (
    await listFindings(served.app.store, served.clock.now(), { limit: 100 })
  ).filter((finding) => finding.rule === 'plan-exceeded' && finding.subject === '2026-11')
  assert.deepEqual(
    exceededFindings.map((stop) => stop.org_id),
    [org],
    'an exhausted plan is reported once',
  )
  await assignPlan('unlimited')
  assert.equal((await get()).status, 200)
})

test('a process starts with the stored counters', async () => {
  await assignPlan('small')
  for (let i = 0; i < 7; i++) await get()
  const next = new Limits(served.app)
  assert.deepEqual(
    await next.plans.useOf(org, served.clock.now()),
    await served.app.limits.plans.useOf(org, served.clock.now()),
  )
  assert.equal((await next.plans.useOf(org, served.clock.now())).calls_today, 7)
})

test('usage is counted per person and key', async () => {
  const { key, id } = await served.keyFor(served.bob, { name: 'bobs' })
  await get('/api/labels', key)
  await get('/api/labels', key)
  await served.carol.call('list_labels') // reading in the web app does not count
  await served.carol.call('create_label', { name: 'Counted' })
  const { lines } = await usageOf(served.app.store, org, served.clock.now())
  const today = lines
    .filter((line) => line.today > 0)
    .map((line) => [line.email, line.key_id, line.today])
  assert.deepEqual(
    today.sort(),
    [
      ['bob@acme.test', id, 2],
      ['carol@acme.test', null, 1],
    ].sort(),
  )
})

test('other organizations have separate quotas', async () => {
  const { key } = await served.keyFor(served.eve)
  await assignPlan('small')
  for (let i = 0; i < 21; i++) await get()
  assert.equal((await get()).status, 429)
  assert.equal((await get('/api/labels', key)).status, 200)
})

test('a plan limits the number of people and the bytes of files', async () => {
  await assignPlan('tight')
  const add = (email: string) =>
    addPerson(served.app.store, served.clock, {
      org,
      email,
      name: 'New',
      role: 'member',
      plans: served.app.settings,
    })
  await add('fourth@acme.test')
  await assert.rejects(add('fifth@acme.test'), { code: 'plan_exceeded' })
  const { id } = await served.ann
    .call('create_project', { name: 'Files', key: 'FIL' })
    .then(() => served.ann.call('create_task', { project_id: 'FIL', title: 'With a file' }))
  const attach = (bytes: number) =>
    served.ask('POST', `/api/tasks/${id}/attachments`, {
      key: served.bearer,
      body: { name: 'a.txt', content_base64: Buffer.alloc(bytes, bytes).toString('base64') },
    })
  assert.equal((await attach(90)).status, 201)
  const full = await attach(20)
  assert.deepEqual([full.status, full.json.code, full.json.plan], [507, 'storage_full', 'tight'])
  assert.equal((await attach(10)).status, 201)
})

test('a nonexistent plan cannot be assigned', async () => {
  await assert.rejects(assignPlan('nothing'), { code: 'invalid_argument' })
  served.clock.wait(minute)
  assert.equal((await get('/api/api-keys/current/usage')).json.plan.name, 'tight')
})

test('an assigned plan missing from the settings is reported', async () => {
  await assignPlan('tight')
  const { store, settings } = served.app
  assert.deepEqual(await unknownAssignedPlans(store.read, settings.plans), [])
  assert.deepEqual(await unknownAssignedPlans(store.read, { unlimited: {} }), ['tight'])
})
