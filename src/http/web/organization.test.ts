import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setPlan } from '../../limits/plan.ts'
import { Browser, givePasswords } from '../../testing/browser.ts'
import { dayLong } from '../../testing/harness.ts'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'

let served: ServedWorkspace
let ann: Browser
let bob: Browser
let eve: Browser
before(async () => {
  served = await serveWorkspace({
    settings: {
      rate_address: 0,
      plans: { unlimited: {}, small: { calls_per_day: 1000, members: 10, storage_bytes: 5000 } },
    },
  })
  await signIn()
})
after(() => served.close())

async function signIn(): Promise<void> {
  await givePasswords(served, served.ann, served.bob, served.eve)
  ann = await new Browser(served).signIn('ann@acme.test')
  bob = await new Browser(served).signIn('bob@acme.test')
  eve = await new Browser(served).signIn('eve@other.test')
}

const read = async () => (await ann.get('/web/organization')).json
const change = (body: object, who = ann) => who.post('/web/organization', body)
const rows = <T = Record<string, any>>(sql: string, ...values: unknown[]) =>
  served.app.store.raw.read.prepare(sql).all(...values) as T[]

test('an administrator changes organization settings, and everyone sees the change', async () => {
  const before = await read()
  const got = await change({
    expected_revision: before.revision,
    name: ' Acme & Sons ',
    default_timezone: 'America/New_York',
    work_week: [4, 1, 2, 3],
    holidays: [
      { date: '2027-01-01', name: 'New Year' },
      { date: '2026-12-25', name: 'Christmas' },
    ],
    severity_scale: before.severity_scale.map((item: object, i: number) => ({
      ...item,
      name: `Grade ${i + 1}`,
    })),
    deal_stages: ['Lead', 'Meeting', 'Offer'],
    trash_days: 60,
  })
  assert.equal(got.status, 200, got.text)
  const { json } = await bob.post('/web/call/get_organization')
  assert.deepEqual(
    [
      json.name,
      json.default_timezone,
      json.work_week,
      json.deal_stages,
      json.trash_days,
      json.revision,
    ],
    [
      'Acme & Sons',
      'America/New_York',
      [1, 2, 3, 4],
      ['Lead', 'Meeting', 'Offer'],
      60,
      before.revision + 1,
    ],
  )
  assert.deepEqual(
    [json.holidays.map((holiday: { date: string }) => holiday.date), json.severity_scale[3].name],
    [['2026-12-25', '2027-01-01'], 'Grade 4'],
  )
  const [entry] = rows(
    "SELECT id, actor_id, changed FROM calls WHERE tool = 'change_organization' AND request_id = ?",
    got.headers.get('x-request-id'),
  )
  assert.deepEqual([entry!.actor_id, entry!.changed], [served.ann.id, 1])
  assert.deepEqual(
    rows('SELECT item_type, events_json FROM changes WHERE call_id = ?', entry!.id),
    [{ item_type: 'organization', events_json: '["organization.updated"]' }],
  )
  const stale = await change({ expected_revision: before.revision, name: 'Late' })
  assert.deepEqual(
    [stale.status, stale.json.field, stale.headers.get('etag')],
    [409, 'expected_revision', `"${before.revision + 1}"`],
  )
  assert.equal(
    (await eve.get('/web/organization')).json.name,
    'Other',
    'another organization is unchanged',
  )
})

test('a settings update without changes is still logged', async () => {
  const { name } = await read()
  const got = await change({ name })
  const logged = rows(
    'SELECT tool, status, changed FROM calls WHERE request_id = ?',
    got.headers.get('x-request-id'),
  )
  assert.deepEqual(logged, [{ tool: 'change_organization', status: 'ok', changed: 0 }])
})

test('an invalid value is refused by name', async () => {
  const { severity_scale } = await read()
  const bad: [object, string][] = [
    [{ name: ' ' }, 'name'],
    [{ default_timezone: 'Mars/Base' }, 'default_timezone'],
    [{ work_week: [] }, 'work_week'],
    [{ work_week: [1, 1] }, 'work_week'],
    [{ work_week: [8] }, 'work_week.0'],
    [{ holidays: [{ date: '2027-02-30', name: 'x' }] }, 'holidays.0.date'],
    [
      {
        holidays: [
          { date: '2027-02-01', name: 'x' },
          { date: '2027-02-01', name: 'y' },
        ],
      },
      'holidays',
    ],
    [{ severity_scale: severity_scale.slice(1) }, 'severity_scale'],
    [{ severity_scale: [...severity_scale, severity_scale[0]] }, 'severity_scale'],
    [{ deal_stages: [] }, 'deal_stages'],
    [{ deal_stages: ['Lead', 'lead'] }, 'deal_stages'],
    [{ deal_stages: ['Lead', 'Won'] }, 'deal_stages'],
    [{ trash_days: 0 }, 'trash_days'],
    [{ plan: 'unlimited' }, 'plan'],
  ]
  const before = await read()
  for (const [body, field] of bad) {
    const got = await change(body)
    assert.deepEqual([got.status, got.json.field], [400, field], JSON.stringify(body))
  }
  assert.equal((await read()).revision, before.revision)
})

test('a stage with open deals is kept, even if they are in the trash', async () => {
  const { carol } = served
  await change({ deal_stages: ['Lead', 'Meeting', 'Offer'] })
  const company = await carol.call('create_company', { name: 'Globex' })
  const deal = await carol.call('create_deal', {
    name: 'Big one',
    company_id: company.id,
    stage: 'Meeting',
  })
  const refused = await change({ deal_stages: ['Lead', 'Offer'] })
  assert.deepEqual(
    [refused.status, refused.json.field, refused.json.stages],
    [409, 'deal_stages', [{ stage: 'Meeting', deals: 1 }]],
  )
  const undo = async (tool: string) =>
    carol.call('undo_api_call', {
      call_id: rows('SELECT id FROM calls WHERE tool = ? ORDER BY seq DESC LIMIT 1', tool)[0]!.id,
    })
  await undo('create_deal')
  assert.equal(rows('SELECT id FROM deals WHERE deleted_at IS NOT NULL').length, 1)
  assert.equal((await change({ deal_stages: ['Lead', 'Offer'] })).status, 409)
  await undo('undo_api_call')
  await carol.call('update_deal', { deal_id: deal.id, stage: 'Offer' })
  assert.equal((await change({ deal_stages: ['Offer', 'Lead'] })).status, 200)
})

test('members and strangers neither see nor change these settings, and a key cannot undo a change', async () => {
  for (const [who, status] of [
    [bob, 403],
    [new Browser(served), 401],
  ] as const)
    assert.deepEqual(
      [(await who.get('/web/organization')).status, (await change({ name: 'Mine' }, who)).status],
      [status, status],
    )
  const done = await change({ name: 'Settled' })
  const [{ id }] = rows(
    'SELECT id FROM calls WHERE request_id = ? AND changed = 1',
    done.headers.get('x-request-id'),
  ) as [{ id: string }]
  const { key } = await served.keyFor(served.ann, { adminGrant: true })
  const undone = await served.ask('POST', `/api/api-calls/${id}/undo`, { key, body: {} })
  assert.ok(undone.status >= 400 || undone.json.undone === false, undone.text)
  assert.equal((await read()).name, 'Settled')
})

test('the plan is shown with the settings, along with its usage', async (t) => {
  const { app, clock } = served
  const setPlanTo = (plan: string) =>
    setPlan(app.store, clock, app.settings.plans, { org: served.ann.actor.org_id, plan })
  await setPlanTo('small')
  t.after(() => setPlanTo('unlimited'))
  clock.wait(2000)
  const { plan } = await read()
  assert.deepEqual(
    [plan.name, plan.people, plan.calls_today.limit, plan.storage_bytes.limit],
    ['small', { used: 3, limit: 10, left: 7 }, 1000, 5000],
  )
  assert.equal(plan.calls_today.left, 1000 - plan.calls_today.used)
})

test('usage counts operations by day, key, tool and outcome: one’s own, or all for administrators', async () => {
  served.clock.pass(3 * dayLong)
  await signIn()
  const [bobs, anns] = [
    await served.keyFor(served.bob, { name: 'laptop' }),
    await served.keyFor(served.ann),
  ]
  for (let i = 0; i < 3; i++) await served.ask('GET', '/api/labels', { key: bobs.key })
  await served.ask('POST', '/api/labels', { key: bobs.key, body: { nothing: 1 } })
  await served.ask('GET', '/api/labels', { key: anns.key })
  await bob.post('/web/call/list_labels')
  await bob.get('/web/sessions') // not an operation
  const ownUsage = (await bob.get('/web/usage?days=2')).json
  assert.deepEqual(
    [
      ownUsage.of,
      ownUsage.calls,
      ownUsage.errors,
      ownUsage.denied,
      ownUsage.days.map((day: { calls: number }) => day.calls),
    ],
    ['me', 5, 1, 0, [0, 5]],
  )
  assert.deepEqual(ownUsage.by_tool, [
    { tool: 'list_labels', calls: 4, errors: 0, denied: 0, module: 'labels' },
    { tool: 'create_label', calls: 1, errors: 1, denied: 0, module: 'labels' },
  ])
  assert.deepEqual(ownUsage.by_key, [
    { key_id: bobs.id, calls: 4, errors: 1, denied: 0 },
    { key_id: null, calls: 1, errors: 0, denied: 0 },
  ])
  assert.deepEqual(
    ownUsage.keys.map((key: { id: string; name: string }) => [key.id, key.name]),
    [[bobs.id, 'laptop']],
  )
  assert.deepEqual(ownUsage.days[1].by_key, [
    { key_id: bobs.id, calls: 4 },
    { key_id: null, calls: 1 },
  ])
  const all = (await ann.get('/web/usage?days=2&of=organization')).json
  assert.deepEqual([all.calls, all.by_key.length, all.plan.people.used], [6, 3, 3])
  assert.deepEqual(all.by_transport, [
    { transport: 'rest', calls: 5, errors: 1, denied: 0 },
    { transport: 'web', calls: 1, errors: 0, denied: 0 },
  ])
  const other = (await eve.get('/web/usage?of=organization')).json
  assert.deepEqual([other.calls, other.days.length, other.keys], [0, 30, []])
  assert.deepEqual(
    [
      (await bob.get('/web/usage?of=organization')).status,
      (await new Browser(served).get('/web/usage')).status,
      (await ann.get('/web/usage?days=91')).status,
    ],
    [403, 401, 400],
  )
})
