import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob } = workspace
  await ann.call('create_team', { name: 'Platform', lead_id: bob.id })
})
after(() => workspace.close())

const lastCallId = () =>
  workspace.app.store.raw.read
    .prepare(
      "SELECT id FROM calls WHERE tool <> 'undo_api_call' AND status = 'ok' AND kind <> 'read' ORDER BY rowid DESC LIMIT 1",
    )
    .pluck()
    .get() as string

test('a service is registered with team and dependencies, as operational and not public', async () => {
  const { bob, eve } = workspace
  const base = await bob.call('create_service', {
    name: ' Database ',
    description: 'PostgreSQL',
    team_id: 'Platform',
  })
  assert.deepEqual(
    [base.name, base.description, base.team.title, base.state, base.public, base.depends_on],
    ['Database', 'PostgreSQL', 'Platform', 'operational', false, []],
  )
  const api = await bob.call('create_service', {
    name: 'API',
    team_id: 'Platform',
    depends_on_ids: ['database'],
    public: true,
  })
  assert.deepEqual(
    [api.public, api.depends_on.map((dependency: any) => dependency.title)],
    [true, ['Database']],
  )
  assert.equal(
    (await eve.refused('update_service', { service_id: base.id, name: 'x' })).code,
    'not_found',
  )
  assert.equal((await eve.call('create_service', { name: 'API' })).name, 'API')
})

test('service names are unique regardless of case', async () => {
  const { carol, bob } = workspace
  const item = await carol.call('create_service', { name: 'Mail' })
  const refusal = await bob.refused('create_service', { name: 'MAIL' })
  assert.deepEqual([refusal.code, refusal.more.context], ['conflict', { existing_id: item.id }])
  const other = await carol.call('create_service', { name: 'Post' })
  assert.equal(
    (await carol.refused('update_service', { service_id: other.id, name: 'mail' })).code,
    'conflict',
  )
  assert.equal(
    (await carol.call('update_service', { service_id: other.id, name: 'POST' })).name,
    'POST',
  )
})

test('the team lead and administrators manage a team service; the registrant also manages one without a team', async () => {
  const { ann, bob, carol, person } = workspace
  assert.equal(
    (await carol.refused('create_service', { name: 'x', team_id: 'Platform' })).code,
    'permission_denied',
  )
  assert.equal(
    (await carol.refused('update_service', { service_id: 'Database', description: 'x' })).code,
    'permission_denied',
  )
  assert.equal(
    (await bob.call('update_service', { service_id: 'Database', description: null })).description,
    undefined,
  )
  const ownService = await carol.call('create_service', { name: 'Wiki' })
  assert.equal(
    (await bob.refused('update_service', { service_id: ownService.id, name: 'x' })).code,
    'permission_denied',
  )
  assert.equal(
    (await carol.call('update_service', { service_id: ownService.id, description: 'Pages' }))
      .description,
    'Pages',
  )
  assert.equal(
    (await carol.refused('update_service', { service_id: ownService.id, team_id: 'Platform' }))
      .code,
    'permission_denied',
  )
  assert.equal(
    (await ann.call('update_service', { service_id: ownService.id, team_id: 'Platform' })).team
      .title,
    'Platform',
  )
  assert.equal(
    (await carol.refused('update_service', { service_id: ownService.id, name: 'y' })).code,
    'permission_denied',
  )
  const guest = await person('Gus', { role: 'guest' })
  assert.equal((await guest.refused('create_service', { name: 'x' })).code, 'permission_denied')
})

test('only administrators can make a service without a team public', async () => {
  const { ann, carol } = workspace
  assert.equal(
    (await carol.refused('create_service', { name: 'Loose', public: true })).code,
    'permission_denied',
  )
  const ownService = await carol.call('create_service', { name: 'Loose' })
  assert.equal(
    (await carol.refused('update_service', { service_id: ownService.id, public: true })).code,
    'permission_denied',
  )
  assert.equal(
    (await ann.call('update_service', { service_id: ownService.id, public: true })).public,
    true,
  )
  assert.equal(
    (await carol.call('update_service', { service_id: ownService.id, public: false })).public,
    false,
  )
})

test('circular dependencies are refused with the cycle spelled out', async () => {
  const { ann } = workspace
  for (const [name, ...needs] of [['A'], ['B', 'A'], ['C', 'B']])
    await ann.call('create_service', { name, depends_on_ids: needs })
  const refusal = await ann.refused('update_service', { service_id: 'A', depends_on_ids: ['C'] })
  assert.deepEqual(
    [refusal.code, refusal.message],
    ['conflict', 'C already depends on A: C → B → A.'],
  )
  assert.match(
    (await ann.refused('update_service', { service_id: 'A', depends_on_ids: ['A'] })).message,
    /itself/,
  )
  assert.deepEqual(
    (await ann.call('update_service', { service_id: 'C', depends_on_ids: ['A'] })).depends_on.map(
      (depend: any) => depend.title,
    ),
    ['A'],
  )
  assert.equal((await ann.call('undo_api_call', { call_id: lastCallId() })).undone, true)
  const again = await ann.call('update_service', { service_id: 'C', description: 'x' })
  assert.deepEqual(
    again.depends_on.map((depend: any) => depend.title),
    ['B'],
  )
})

test('a registration cannot be undone once an incident names the service', async () => {
  const { bob, carol } = workspace
  await carol.call('create_service', { name: 'Used' })
  const call_id = lastCallId()
  await bob.call('create_incident', { title: 'x', severity: 'sev4', service_ids: ['Used'] })
  assert.equal((await carol.call('undo_api_call', { call_id })).refused[0].reason, 'changed_since')
})

test('undoing the registration trashes the service, which can be restored', async () => {
  const { carol } = workspace
  const service = await carol.call('create_service', { name: 'Short-lived' })
  assert.equal((await carol.call('undo_api_call', { call_id: lastCallId() })).undone, true)
  assert.equal(
    (await carol.refused('update_service', { service_id: service.id, name: 'x' })).code,
    'not_found',
  )
  await carol.call('restore_item', { item_id: service.id })
  assert.equal(
    (await carol.call('update_service', { service_id: service.id, name: 'Back' })).name,
    'Back',
  )
  assert.equal(
    (
      await carol.refused('update_service', {
        service_id: service.id,
        name: 'Z',
        expected_revision: 1,
      })
    ).code,
    'conflict',
  )
})

test('making a service public needs approval with a hold_outbound key, also through undo and restore from the trash', async () => {
  const { bob, app } = workspace
  const key = await workspace.key(bob, { hold_outbound: true })
  const assertNeedsApproval = (tool: string, args: object) =>
    assert.rejects(bob.call(tool, { ...args }, { key }), { code: 'approval_required' }, tool)
  await assertNeedsApproval('create_service', { name: 'Held', team_id: 'Platform', public: true })
  const { id } = await bob.call('create_service', { name: 'Shown', team_id: 'Platform' }, { key })
  await assertNeedsApproval('update_service', { service_id: id, public: true })
  await bob.call('update_service', { service_id: id, public: true })
  await assertNeedsApproval('update_service', { service_id: id, description: 'Told to everybody' })
  await assertNeedsApproval('update_service', { service_id: id, public: false })
  await bob.call(
    'update_service',
    { service_id: id, public: false },
    { key: await workspace.key(bob) },
  )
  const call_id = app.store.raw.read
    .prepare(
      "SELECT id FROM calls WHERE tool = 'update_service' AND status = 'ok' ORDER BY rowid DESC LIMIT 1",
    )
    .pluck()
    .get()
  await assertNeedsApproval('undo_api_call', { call_id })
  assert.equal((await bob.call('undo_api_call', { call_id })).undone, true)
})

test('asking for the on-call person of a service without a schedule returns a note', async () => {
  const { bob } = workspace
  const { id } = await bob.call('create_service', { name: 'Cache', team_id: 'Platform' })
  assert.deepEqual(await bob.call('get_on_call', { service_id: id }), {
    items: [],
    has_more: false,
    note: 'Cache has no on-call schedule; update_service with schedule_id gives it one.',
  })
  const schedule = await bob.call('create_on_call_schedule', {
    name: 'Cache rota',
    timezone: 'Europe/Berlin',
    team_id: 'Platform',
    layers: [{ people: [bob.id] }],
  })
  await bob.call('update_service', { service_id: id, schedule_id: schedule.id })
  const onCall = await bob.call('get_on_call', { service_id: id })
  assert.deepEqual([onCall.items[0].person.id, onCall.note], [bob.id, undefined])
})
