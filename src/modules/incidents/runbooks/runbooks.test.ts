import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, minute, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
let api: any
const steps = [
  { title: 'Look at the logs', body_markdown: 'With `tail`.', minutes: 5 },
  { title: 'Restart the database' },
  { title: 'Tell support' },
]

before(async () => {
  workspace = await makeWorkspace()
  api = await workspace.ann.call('create_service', { name: 'API' })
})
after(() => workspace.close())

const names = (page: any) => page.items.map((item: any) => item.name)

test('runbooks are readable by everybody and found by service, words and similarity to an incident', async () => {
  const { ann, bob, carol, eve } = workspace
  const createdRunbook = await bob.call('create_runbook', {
    name: 'Database down',
    steps,
    service_ids: ['API'],
    severity: ['sev2', 'sev1', 'sev1'],
  })
  assert.deepEqual(
    [
      createdRunbook.steps[1],
      createdRunbook.services.map((service: any) => service.title),
      createdRunbook.severities,
      createdRunbook.last_used_at,
    ],
    [{ title: 'Restart the database', body_markdown: '' }, ['API'], ['sev1', 'sev2'], undefined],
  )
  const secret = await bob.call('create_page', { title: 'More of it', body_markdown: 'x' })
  await bob.call('create_runbook', {
    name: 'Certificates',
    steps: [{ title: 'Renew certificates' }],
    page_id: secret.id,
  })
  await bob.call('create_runbook', {
    name: 'Queue stuck',
    steps: [{ title: 'Drain the queue' }],
    severity: ['sev4'],
  })
  assert.deepEqual(names(await carol.call('list_runbooks')), [
    'Certificates',
    'Database down',
    'Queue stuck',
  ])
  assert.deepEqual(
    [
      (await carol.call('list_runbooks')).items[0].page,
      (await bob.call('list_runbooks')).items[0].page.title,
    ],
    [undefined, 'More of it'],
    'a page that carol does not see is not named',
  )
  assert.deepEqual(names(await carol.call('list_runbooks', { service_id: 'api' })), [
    'Database down',
  ])
  assert.deepEqual(names(await carol.call('list_runbooks', { query: 'renewing certificate' })), [
    'Certificates',
  ])
  assert.deepEqual(names(await eve.call('list_runbooks')), [])
  const incident = await ann.call('create_incident', {
    title: 'The queue does not drain',
    severity: 'sev1',
    service_ids: [api.id],
  })
  const matching = await carol.call('list_runbooks', { incident_id: incident.key })
  assert.deepEqual(
    matching.items.map((item: any) => [item.name, item.match_reason]),
    [
      ['Database down', 'for API; for sev1'],
      ['Queue stuck', 'words similar to the incident'],
    ],
  )
  assert.deepEqual(
    names(await carol.call('list_runbooks', { incident_id: incident.key, query: 'drain' })),
    ['Queue stuck'],
  )
  const first = await carol.call('list_runbooks', { incident_id: incident.key, limit: 1 })
  assert.deepEqual(
    [
      first.has_more,
      names(
        await carol.call('list_runbooks', {
          incident_id: incident.key,
          limit: 1,
          cursor: first.next_cursor,
        }),
      ),
    ],
    [true, ['Queue stuck']],
  )
  const guest = await workspace.person('Gus', { role: 'guest' })
  assert.equal(
    (await guest.refused('create_runbook', { name: 'x', steps })).code,
    'permission_denied',
  )
  assert.equal(
    (await bob.refused('create_runbook', { name: 'x', steps: [] })).code,
    'invalid_argument',
  )
  assert.equal(
    (await eve.refused('create_runbook', { name: 'x', steps, service_ids: [api.id] })).code,
    'not_found',
  )
})

test('starting a runbook turns its steps into incident tasks once; steps whose tasks are gone are recreated', async () => {
  const { ann, bob, carol, clock } = workspace
  const runbook = (await bob.call('list_runbooks', { query: 'database' })).items[0]
  const incident = await ann.call('create_incident', {
    title: 'Down',
    severity: 'sev2',
    lead_id: carol.id,
  })
  clock.pass(minute)
  const started = await bob.call('start_runbook', {
    incident_id: incident.key,
    runbook_id: runbook.id,
    assignee_id: carol.id,
  })
  assert.deepEqual(
    [
      started.requested,
      started.changed,
      started.skipped,
      started.items.map((item: any) => item.title),
    ],
    [3, 3, [], steps.map((step) => step.title)],
  )
  const task = await carol.call('get_task', { task_id: started.items[0].id })
  assert.deepEqual(
    [
      task.source.key,
      task.assignees[0].title,
      task.description_markdown,
      task.estimate_minutes,
      task.project.title,
    ],
    [incident.key, 'Carol', 'With `tail`.', 5, 'Incident response'],
  )
  await carol.call('complete_task', { task_id: task.id })
  const detail = await bob.call('get_incident', { incident_id: incident.id })
  assert.deepEqual(detail.runbooks, [
    { runbook: { id: runbook.id, title: 'Database down' }, progress: { done: 1, total: 3 } },
  ])
  assert.deepEqual(detail.follow_up_tasks.length, 3)
  assert.equal(
    (await bob.call('list_runbooks', { query: 'database' })).items[0].last_used_at,
    new Date(clock.at).toISOString(),
  )
  await carol.call('delete_task', { task_id: started.items[1].id })
  const again = await bob.call('start_runbook', {
    incident_id: incident.key,
    runbook_id: runbook.id,
  })
  assert.deepEqual(
    [
      again.changed,
      again.items.map((item: any) => item.title),
      again.skipped.map((item: any) => item.id),
    ],
    [1, ['Restart the database'], ['step 1', 'step 3']],
  )
  const entries = (await bob.call('list_incident_timeline', { incident_id: incident.id })).items
  assert.equal(
    entries.filter(
      (entry: any) => entry.kind === 'link' && /Runbook started/.test(entry.body_markdown),
    ).length,
    2,
  )
  const other = await ann.call('create_incident', {
    title: 'Another',
    severity: 'sev3',
    runbook_id: runbook.id,
  })
  assert.deepEqual(
    (await ann.call('get_incident', { incident_id: other.id })).runbooks[0].progress,
    { done: 0, total: 3 },
  )
  assert.equal(
    (await ann.call('list_projects')).items.filter((item: any) => item.name === 'Incident response')
      .length,
    1,
    'one project for all',
  )
})

test('tasks of a restricted incident are in a separate project whose members follow the incident roles', async () => {
  const { ann, bob, carol } = workspace
  const runbook = (await bob.call('list_runbooks', { query: 'database' })).items[0]
  const incident = await bob.call('create_incident', {
    title: 'Breach',
    severity: 'sev1',
    restricted: true,
    lead_id: bob.id,
  })
  assert.equal(
    (
      await bob.refused('start_runbook', {
        incident_id: incident.id,
        runbook_id: runbook.id,
        assignee_id: carol.id,
      })
    ).more.field,
    'assignee_id',
  )
  assert.equal(
    (await carol.refused('start_runbook', { incident_id: incident.id, runbook_id: runbook.id }))
      .code,
    'not_found',
  )
  const started = await bob.call('start_runbook', {
    incident_id: incident.id,
    runbook_id: runbook.id,
  })
  assert.equal(
    (await carol.refused('get_task', { task_id: started.items[0].id })).code,
    'not_found',
  )
  await bob.call('assign_incident_role', {
    incident_id: incident.id,
    role: 'scribe',
    person_id: carol.id,
  })
  assert.equal(
    (await carol.call('get_task', { task_id: started.items[0].id })).source.key,
    incident.key,
  )
  await bob.call('assign_incident_role', {
    incident_id: incident.id,
    role: 'scribe',
    person_id: null,
  })
  assert.equal(
    (await carol.refused('get_task', { task_id: started.items[0].id })).code,
    'not_found',
  )
  const lastUseSeenBy = async (who: typeof ann) =>
    (await who.call('list_runbooks', { query: 'database' })).items[0].last_used_at
  workspace.clock.pass(minute)
  assert.equal(
    await lastUseSeenBy(carol),
    '2026-11-20T12:01:00.000Z',
    'only incidents that she can see count',
  )
})

test('undoing a start removes the tasks; undoing the creation of a runbook trashes it', async () => {
  const { bob, app } = workspace
  const lastCallId = (tool: string) =>
    (
      app.store.raw.read
        .prepare(
          "SELECT id FROM calls WHERE tool = ? AND status = 'ok' ORDER BY at DESC, id DESC LIMIT 1",
        )
        .get(tool) as { id: string }
    ).id
  const runbook = await bob.call('create_runbook', { name: 'To undo', steps: [{ title: 'Once' }] })
  const incident = await bob.call('create_incident', { title: 'Undo me', severity: 'sev4' })
  workspace.clock.pass(minute)
  await bob.call('start_runbook', { incident_id: incident.id, runbook_id: runbook.id })
  assert.deepEqual(
    (await bob.call('undo_api_call', { call_id: lastCallId('start_runbook') })).refused,
    [],
  )
  assert.equal((await bob.call('get_incident', { incident_id: incident.id })).runbooks, undefined)
  assert.deepEqual(
    (await bob.call('undo_api_call', { call_id: lastCallId('create_runbook') })).refused,
    [],
  )
  assert.equal(
    (await bob.refused('start_runbook', { incident_id: incident.id, runbook_id: runbook.id })).code,
    'not_found',
  )
  await bob.call('restore_item', { item_id: runbook.id })
  await bob.call('resolve_incident', { incident_id: incident.id, resolution: 'Gone.' })
  await bob.call('assign_incident_role', {
    incident_id: incident.id,
    role: 'lead',
    person_id: 'me',
  })
  await bob.call('create_postmortem', { incident_id: incident.id })
  await bob.call('publish_postmortem', { incident_id: incident.id })
  assert.match(
    (
      await bob.refused('start_runbook', { incident_id: incident.id, runbook_id: runbook.id })
    ).body().message,
    /closed/,
  )
})

test('the person who started a runbook of a restricted incident keeps access to its tasks only while they can see the incident', async () => {
  const { bob, carol } = workspace
  const runbook = (await bob.call('list_runbooks', { query: 'database' })).items[0]
  const incident = await bob.call('create_incident', {
    title: 'Handed on',
    severity: 'sev2',
    restricted: true,
  })
  const { items } = await bob.call('start_runbook', {
    incident_id: incident.id,
    runbook_id: runbook.id,
  })
  await bob.call('assign_incident_role', {
    incident_id: incident.id,
    role: 'lead',
    person_id: carol.id,
  })
  assert.equal((await bob.refused('get_task', { task_id: items[0].id })).code, 'not_found')
  const responseProject = (await carol.call('list_projects')).items.find(
    (item: any) => item.name === `Response to ${incident.key}`,
  )
  assert.equal(responseProject.lead.title, 'Carol')
})
