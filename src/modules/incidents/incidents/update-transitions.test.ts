import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  await workspace.ann.call('create_team', { name: 'Platform', lead_id: workspace.bob.id })
})
after(() => workspace.close())

const namesOf = (rows: any[]) => rows.map((row) => row.name)

test('services are listed by name, filtered by team, words and visibility', async () => {
  const { ann, carol, eve } = workspace
  await ann.call('create_service', {
    name: 'Shop',
    public: true,
    description: 'What customers see',
  })
  await ann.call('create_service', { name: 'Database', team_id: 'Platform' })
  const all = await carol.call('list_services')
  assert.deepEqual(namesOf(all.items), ['Database', 'Shop'])
  assert.equal(all.items[0].state, 'operational')
  const filteredNames = async (args: object) =>
    namesOf((await carol.call('list_services', { ...args })).items)
  assert.deepEqual(await filteredNames({ query: 'customers' }), ['Shop'])
  assert.deepEqual(await filteredNames({ team_id: 'Platform' }), ['Database'])
  assert.deepEqual(await filteredNames({ public: true }), ['Shop'])
  const first = await carol.call('list_services', { limit: 1 })
  const rest = await carol.call('list_services', { limit: 1, cursor: first.next_cursor })
  assert.deepEqual(namesOf(rest.items), ['Shop'])
  assert.deepEqual((await eve.call('list_services')).items, [])
})

test('a deleted service leaves lists, the status page and its incidents, and can be restored', async () => {
  const { ann, bob, carol } = workspace
  const service = await ann.call('create_service', { name: 'Search', team_id: 'Platform' })
  const incident = await ann.call('create_incident', {
    title: 'Slow',
    severity: 'sev3',
    service_ids: [service.id],
  })
  const refusal = await carol.refused('delete_service', { service_id: 'Search' })
  assert.equal(refusal.code, 'permission_denied')
  await bob.call('delete_service', { service_id: 'Search' })
  const serviceCount = async () =>
    (await ann.call('get_incident', { incident_id: incident.id })).services.length
  assert.equal(await serviceCount(), 0)
  assert.ok(!JSON.stringify(await ann.call('get_status_page')).includes('Search'))
  assert.equal((await ann.refused('update_service', { service_id: service.id })).code, 'not_found')
  await bob.call('restore_item', { item_id: service.id })
  assert.equal(await serviceCount(), 1)
})

test('a runbook update replaces whole parts and checks the revision; it can be deleted and restored', async () => {
  const { ann, bob, carol, eve } = workspace
  const firstService = await ann.call('create_service', { name: 'One' })
  const secondService = await ann.call('create_service', { name: 'Two' })
  const runbook = await carol.call('create_runbook', {
    name: 'Restart',
    steps: [{ title: 'Stop' }],
    service_ids: [firstService.id],
    severity: ['sev1'],
  })
  const runbook_id = runbook.id
  const changed = await carol.call('update_runbook', {
    runbook_id,
    name: ' Restart all ',
    steps: [{ title: ' Look ', minutes: 5 }, { title: 'Stop' }],
    service_ids: [secondService.id],
    severity: ['sev2', 'sev1'],
    expected_revision: runbook.revision,
  })
  assert.equal(changed.name, 'Restart all')
  assert.deepEqual(
    changed.steps.map((step: any) => step.title),
    ['Look', 'Stop'],
  )
  assert.deepEqual(
    changed.services.map((row: any) => row.title),
    ['Two'],
  )
  assert.deepEqual(changed.severities, ['sev1', 'sev2'])
  assert.equal(changed.revision, runbook.revision + 1)
  const matches = await bob.call('list_runbooks', { query: 'look' })
  assert.deepEqual(
    matches.items.map((row: any) => row.id),
    [runbook_id],
  )
  const stale = { runbook_id, name: 'x', expected_revision: runbook.revision }
  assert.equal((await carol.refused('update_runbook', stale)).code, 'conflict')
  assert.equal((await bob.refused('update_runbook', { runbook_id })).code, 'permission_denied')
  assert.equal((await bob.refused('delete_runbook', { runbook_id })).code, 'permission_denied')
  assert.equal((await eve.refused('delete_runbook', { runbook_id })).code, 'not_found')
  await ann.call('delete_runbook', { runbook_id })
  assert.deepEqual((await bob.call('list_runbooks', { query: 'look' })).items, [])
  await ann.call('restore_item', { item_id: runbook_id })
  assert.equal((await bob.call('list_runbooks', { query: 'look' })).items.length, 1)
})

test('undo restores the previous version of a runbook', async () => {
  const { ann } = workspace
  const withKey = { key: await workspace.key(ann) }
  const service = await ann.call('create_service', { name: 'Undone' })
  const { id: runbook_id } = await ann.call('create_runbook', {
    name: 'Before',
    steps: [{ title: 'First' }],
    service_ids: [service.id],
  })
  await ann.call(
    'update_runbook',
    {
      runbook_id,
      name: 'After',
      steps: [{ title: 'Second' }],
      service_ids: [],
    },
    withKey,
  )
  const [call] = (await ann.call('list_api_calls', { tool: 'update_runbook', limit: 1 }, withKey))
    .items
  await ann.call('undo_api_call', { call_id: call.id }, withKey)
  const [restored] = (await ann.call('list_runbooks', { query: 'Before' })).items
  assert.deepEqual([restored.steps[0].title, restored.services.length], ['First', 1])
})

test('a schedule changes its layers, and new people are notified', async () => {
  const { ann, bob, carol, eve } = workspace
  const schedule = await bob.call('create_on_call_schedule', {
    name: 'Nights',
    timezone: 'Europe/Berlin',
    team_id: 'Platform',
    layers: [{ people: ['me'] }],
  })
  const schedule_id = schedule.id
  const changed = await bob.call('update_on_call_schedule', {
    schedule_id,
    name: 'Days',
    timezone: 'Europe/Rome',
    layers: [{ people: [bob.id, carol.id], rotation: 'daily' }],
    escalation_minutes: 5,
  })
  assert.deepEqual(
    [changed.name, changed.timezone, changed.escalation_minutes, changed.team.title],
    ['Days', 'Europe/Rome', 5, 'Platform'],
  )
  assert.deepEqual(
    changed.layers[0].people.map((row: any) => row.id),
    [bob.id, carol.id],
  )
  const received = JSON.stringify((await carol.call('list_notifications')).items)
  assert.match(received, /You were added to the rotation of this on-call schedule/)
  const refusal = await carol.refused('update_on_call_schedule', { schedule_id, name: 'x' })
  assert.equal(refusal.code, 'permission_denied')
  assert.equal((await eve.refused('delete_on_call_schedule', { schedule_id })).code, 'not_found')
  await ann.call('create_on_call_schedule', {
    name: 'Other',
    timezone: 'Europe/Berlin',
    layers: [{ people: [ann.id] }],
  })
  const conflict = await ann.refused('update_on_call_schedule', { schedule_id, name: 'other' })
  assert.equal(conflict.code, 'conflict')
})

test('a schedule used by services cannot be deleted; an unused one can be deleted and restored', async () => {
  const { ann } = workspace
  const { id: schedule_id } = await ann.call('create_on_call_schedule', {
    name: 'Weekends',
    timezone: 'Europe/Berlin',
    layers: [{ people: [ann.id] }],
  })
  const service = await ann.call('create_service', { name: 'Paged', schedule_id })
  const refusal = await ann.refused('delete_on_call_schedule', { schedule_id })
  assert.equal(refusal.code, 'conflict')
  assert.match(refusal.message, /Paged/)
  assert.deepEqual(refusal.more.context, { service_ids: [service.id] })
  await ann.call('update_service', { service_id: service.id, schedule_id: null })
  await ann.call('delete_on_call_schedule', { schedule_id })
  const scheduleNames = async () => namesOf((await ann.call('list_on_call_schedules')).items)
  assert.ok(!(await scheduleNames()).includes('Weekends'))
  await ann.call('restore_item', { item_id: schedule_id })
  assert.ok((await scheduleNames()).includes('Weekends'))
})

test('a mitigation time a few seconds ahead counts as now; one further ahead is refused', async () => {
  const { ann, clock } = workspace
  const { key } = await ann.call('create_incident', { title: 'Skewed', severity: 'sev4' })
  await ann.call('acknowledge_incident', { incident_id: key })
  const ahead = (ms: number) => new Date(clock.now() + ms).toISOString()
  const refused = await ann.refused('update_incident', {
    incident_id: key,
    mitigated_at: ahead(31_000),
  })
  assert.match(refused.message, /in the future/)
  const mitigated = await ann.call('update_incident', {
    incident_id: key,
    mitigated_at: ahead(20_000),
  })
  assert.deepEqual([mitigated.status, mitigated.mitigated_at], ['mitigated', ahead(0)])
})

test('an override can be ended early, and its level cannot be removed while it exists', async () => {
  const { ann, bob, carol } = workspace
  const { id: schedule_id } = await ann.call('create_on_call_schedule', {
    name: 'Levels',
    timezone: 'Europe/Berlin',
    layers: [
      { people: [ann.id], level: 1 },
      { people: [bob.id], level: 2 },
    ],
  })
  const now = Date.parse((await ann.call('get_me')).now.utc)
  const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString()
  const override = await ann.call('create_on_call_override', {
    schedule_id,
    person_id: carol.id,
    level: 2,
    starts_at: at(-1),
    ends_at: at(24),
  })
  const layers = [{ people: [ann.id], level: 1 }]
  const refusal = await ann.refused('update_on_call_schedule', { schedule_id, layers })
  assert.deepEqual(refusal.more.context, { override_ids: [override.id] })
  const override_id = override.id
  const denied = await carol.refused('delete_on_call_override', { override_id })
  assert.equal(denied.code, 'permission_denied')
  const personOnLevel2 = async () => {
    const { items } = await ann.call('list_on_call_schedules', { from: at(1), to: at(2) })
    const { shifts } = items.find((row: any) => row.id === schedule_id)
    return shifts.find((shift: any) => shift.level === 2).person.id
  }
  assert.equal(await personOnLevel2(), carol.id)
  const by = { key: await workspace.key(ann) }
  const deletion = await ann.call('delete_on_call_override', { override_id }, by)
  assert.equal(await personOnLevel2(), bob.id)
  assert.match(JSON.stringify((await carol.call('list_notifications')).items), /no longer cover/)
  await ann.call('undo_api_call', { call_id: deletion.undo_call_id }, by)
  assert.equal(await personOnLevel2(), carol.id)
  await ann.call('delete_on_call_override', { override_id })
  const { layers: remainingLayers } = await ann.call('update_on_call_schedule', {
    schedule_id,
    layers,
  })
  assert.equal(remainingLayers.length, 1)
})

test('a state change notification is a sentence with the key of the incident', async () => {
  const { ann, bob } = workspace
  const incident = await bob.call('create_incident', { title: 'Late mail', severity: 'sev3' })
  await ann.call('acknowledge_incident', { incident_id: incident.id })
  await ann.call('update_incident', {
    incident_id: incident.id,
    mitigated_at: new Date(workspace.clock.now()).toISOString(),
  })
  await ann.call('resolve_incident', { incident_id: incident.id, resolution: 'Queue drained.' })
  const { items } = await bob.call('list_notifications', { limit: 100 })
  const texts = items
    .filter((item: any) => item.item.id === incident.id)
    .map((item: any) => item.text)
  for (const text of [
    `Ann acknowledged ${incident.key}`,
    `Ann marked ${incident.key} as mitigated`,
    `Ann resolved ${incident.key}`,
  ])
    assert.ok(texts.includes(text), `${text}: ${texts.join('; ')}`)
})
