import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hour, makeWorkspace, minute, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  await workspace.ann.call('create_service', { name: 'Checkout' })
  await workspace.ann.call('create_service', { name: 'Search' })
})
after(() => workspace.close())

const declare = (title: string, more: Record<string, unknown> = {}) =>
  workspace.bob.call('create_incident', { title, severity: 'sev3', ...more })
const entries = async (incident_id: string, kind: string) =>
  (await workspace.ann.call('list_incident_timeline', { incident_id, kind: [kind], limit: 100 }))
    .items
const lastCallId = () =>
  workspace.app.store.raw.read
    .prepare(
      "SELECT id FROM calls WHERE tool <> 'undo_api_call' AND status = 'ok' AND kind <> 'read' ORDER BY rowid DESC LIMIT 1",
    )
    .pluck()
    .get() as string

test('declaring an incident assigns the next number, a channel with a first message, and a first entry', async () => {
  const { ann, bob, carol, eve, clock } = workspace
  const createdIncident = await bob.call('create_incident', {
    title: 'Checkout answers with 502: "Bad Gateway"',
    severity: 'sev1',
    summary_markdown: 'Since the deploy.',
    service_ids: ['checkout'],
    lead_id: carol.id,
    detected_at: '2026-11-20T12:40',
  })
  assert.deepEqual(
    [
      createdIncident.key,
      createdIncident.status,
      createdIncident.severity,
      createdIncident.restricted,
    ],
    ['INC-1', 'open', 'sev1', false],
  )
  assert.deepEqual(
    [createdIncident.detected_at, createdIncident.opened_at],
    ['2026-11-20T11:40:00.000Z', '2026-11-20T12:00:00.000Z'],
  )
  assert.deepEqual(
    [
      createdIncident.services[0].title,
      createdIncident.roles.lead.title,
      createdIncident.roles.scribe,
    ],
    ['Checkout', 'Carol', null],
  )
  assert.equal(createdIncident.channel.key, '#inc-1-checkout-answers-with-502-bad-gateway')
  const room = await carol.call('get_channel', { channel_id: createdIncident.channel.key })
  assert.deepEqual(
    [room.kind, room.incident.key, room.members.map((member: any) => member.title).sort()],
    ['public', 'INC-1', ['Bob', 'Carol']],
  )
  const messages = (await bob.call('list_messages', { channel_id: createdIncident.channel.id }))
    .items
  assert.match(
    messages.at(-1).content.text,
    /^\*\*INC-1 \(sev1\): Checkout answers with 502: "Bad Gateway"\*\*\n\nSince the deploy\.$/,
  )
  assert.deepEqual(
    (await entries('inc-1', 'status')).map((entry: any) => [entry.to, entry.body_markdown]),
    [['open', 'INC-1 declared as sev1. Services: Checkout. Detected at 2026-11-20T11:40:00.000Z.']],
  )
  assert.deepEqual(
    (await entries('INC-1', 'role')).map((entry: any) => [entry.to, entry.actor.title]),
    [['Carol', 'Bob']],
  )
  assert.ok(
    (await carol.call('list_notifications')).items.some(
      (item: any) => item.kind === 'assignment' && item.item.id === createdIncident.id,
    ),
  )
  clock.pass(minute)
  const other = await eve.call('create_incident', { title: 'Theirs', severity: 'sev4' })
  assert.equal(other.key, 'INC-1') // each organization has its own numbers
  assert.equal(
    (await eve.refused('get_incident', { incident_id: createdIncident.id })).code,
    'not_found',
  )
  assert.deepEqual(
    (await eve.call('list_incidents')).items.map((item: any) => item.title),
    ['Theirs'],
  )
  assert.equal(
    (await ann.call('get_incident', { incident_id: createdIncident.id })).title,
    createdIncident.title,
  )
})

test('a future time, a deactivated lead, a guest and an unknown service are refused', async () => {
  const { bob, person, app } = workspace
  assert.match(
    (
      await bob.refused('create_incident', {
        title: 'x',
        severity: 'sev1',
        detected_at: '2026-11-21T12:00:00Z',
      })
    ).message,
    /in the future/,
  )
  assert.equal(
    (
      await bob.refused('create_incident', {
        title: 'x',
        severity: 'sev1',
        service_ids: ['Nothing'],
      })
    ).code,
    'not_found',
  )
  const gus = await person('Gus', { role: 'guest' })
  assert.equal(
    (await gus.refused('create_incident', { title: 'x', severity: 'sev1' })).code,
    'permission_denied',
  )
  const dora = await person('Dora')
  app.store.raw.write.prepare("UPDATE users SET status = 'deactivated' WHERE id = ?").run(dora.id)
  assert.equal(
    (await bob.refused('create_incident', { title: 'x', severity: 'sev1', lead_id: dora.id })).more
      .field,
    'lead_id',
  )
  assert.equal(
    (await bob.refused('create_incident', { title: 'x', severity: 'fatal' })).code,
    'invalid_argument',
  )
})

test('a refused declaration uses no number, and a taken channel name gets a number', async () => {
  await workspace.bob.call('create_channel', { name: 'inc-2-disk-full' })
  const incident = await declare('Disk full')
  assert.deepEqual([incident.key, incident.channel.title], ['INC-2', 'inc-2-disk-full-2'])
})

test('a guest can see an incident, and work on it only with a role', async () => {
  const { ann, person } = workspace
  const guest = await person('Gina', { role: 'guest' })
  const { key } = await declare('For a guest')
  assert.equal((await guest.call('get_incident', { incident_id: key })).key, key)
  assert.equal(
    (await guest.refused('acknowledge_incident', { incident_id: key })).code,
    'permission_denied',
  )
  await ann.call('assign_incident_role', {
    incident_id: key,
    role: 'communications',
    person_id: guest.id,
  })
  assert.equal(
    (
      await guest.call('add_incident_note', {
        incident_id: key,
        body_markdown: 'Customers called.',
      })
    ).kind,
    'note',
  )
})

test('each change is an entry with its reason, and an unchanged value is not', async () => {
  const { ann } = workspace
  const { id, key } = await declare('Typo', { service_ids: ['Checkout'] })
  const reason = 'It is worse.'
  const updated = await ann.call('update_incident', {
    incident_id: key,
    title: 'Payments fail',
    severity: 'sev1',
    service_ids: ['Search'],
    cause: 'Expired certificate',
    customer_impact: 'Nobody can pay',
    summary_markdown: 'long',
    reason,
  })
  assert.deepEqual(
    [
      updated.title,
      updated.severity,
      updated.services.map((service: any) => service.title),
      updated.cause,
      updated.customer_impact,
    ],
    ['Payments fail', 'sev1', ['Search'], 'Expired certificate', 'Nobody can pay'],
  )
  assert.deepEqual(
    (await entries(id, 'severity')).map((entry: any) => [
      entry.from,
      entry.to,
      entry.body_markdown,
    ]),
    [['sev3', 'sev1', 'Severity changed from sev3 to sev1. It is worse.']],
  )
  assert.deepEqual(
    (await entries(id, 'note')).map((entry: any) => [entry.body_markdown, entry.from, entry.to]),
    [
      ['Title changed. It is worse.', 'Typo', 'Payments fail'],
      ['Summary added. It is worse.', undefined, undefined],
      ['Cause added. It is worse.', undefined, 'Expired certificate'],
      ['Customer impact added. It is worse.', undefined, 'Nobody can pay'],
      ['Services changed. It is worse.', 'Checkout', 'Search'],
    ],
  )
  const again = await ann.call('update_incident', {
    incident_id: key,
    title: 'Payments fail',
    severity: 'sev1',
    service_ids: ['Search'],
    cause: ' Expired certificate ',
    reason,
  })
  assert.equal(again.revision, updated.revision)
  assert.equal((await entries(id, 'note')).length, 5)
  const cleared = await ann.call('update_incident', {
    incident_id: key,
    cause: null,
    service_ids: [],
  })
  assert.deepEqual([cleared.cause, cleared.services], [undefined, []])
  assert.equal(
    (await ann.refused('update_incident', { incident_id: key, title: 'z', expected_revision: 1 }))
      .code,
    'conflict',
  )
})

test('the list is filtered by state, severity, service, lead, time and words, newest first', async () => {
  const { ann, carol, clock } = workspace
  clock.pass(hour)
  const older = await declare('Gateway drops connections', {
    service_ids: ['Search'],
    severity: 'sev2',
    lead_id: carol.id,
  })
  clock.pass(hour)
  const newer = await declare('Slow index', {
    service_ids: ['Search'],
    summary_markdown: 'The gateway is quick.',
  })
  await ann.call('acknowledge_incident', { incident_id: newer.key })
  const keys = async (args: Record<string, unknown>) =>
    (await ann.call('list_incidents', args)).items.map((item: any) => item.key)
  const since = '2026-11-20T12:30:00Z'
  assert.deepEqual(await keys({ opened_after: since }), [newer.key, older.key])
  assert.deepEqual(await keys({ opened_after: since, status: ['acknowledged'] }), [newer.key])
  assert.deepEqual(await keys({ opened_after: since, severity: ['sev1', 'sev2'] }), [older.key])
  assert.deepEqual(await keys({ service_id: 'Search', lead_id: carol.id }), [older.key])
  assert.deepEqual(await keys({ query: 'gateways', service_id: 'Search' }), [newer.key, older.key])
  assert.deepEqual(await keys({ query: newer.key.toLowerCase() }), [newer.key])
  assert.deepEqual(await keys({ opened_after: since, opened_before: '2026-11-20T13:30:00Z' }), [
    older.key,
  ])
  assert.equal((await ann.refused('list_incidents', { query: '…' })).more.field, 'query')
  const first = await ann.call('list_incidents', { limit: 1, fields: ['key'] })
  assert.deepEqual(
    [first.items[0].key, first.has_more, Object.keys(first.items[0]).sort()],
    [newer.key, true, ['id', 'key']],
  )
  assert.deepEqual(
    (await ann.call('list_incidents', { limit: 1, cursor: first.next_cursor })).items[0].key,
    older.key,
  )
  const view = await ann.call('create_saved_view', {
    name: 'Grave',
    item_type: 'incident',
    filter: { severity: ['sev2'] },
  })
  assert.deepEqual(
    (await ann.call('run_saved_view', { view_id: view.id })).items.map(
      (item: any) => item.item.key,
    ),
    [older.key],
  )
})

test('tasks created from an incident are its follow-ups, each shown only to people who can see it', async () => {
  const { ann, bob, carol } = workspace
  const { key, id } = await declare('Follow me', { summary_markdown: 'What happened.' })
  await ann.call('create_project', { name: 'Repairs', key: 'REP', member_ids: [bob.id] })
  const followUp = await bob.call('create_task_from_source', {
    source_type: 'incident',
    source_id: id,
    project_id: 'REP',
  })
  assert.deepEqual(
    [followUp.title, followUp.description_markdown, followUp.source.key],
    ['Follow me', 'What happened.', key],
  )
  assert.deepEqual(
    (await bob.call('get_incident', { incident_id: key })).follow_up_tasks.map(
      (followupTask: any) => followupTask.key,
    ),
    ['REP-1'],
  )
  assert.deepEqual((await carol.call('get_incident', { incident_id: key })).follow_up_tasks, [])
  assert.deepEqual(
    Object.keys(
      await carol.call('get_incident', { incident_id: key, include: ['timeline'] }),
    ).filter((name) => ['timeline', 'links', 'follow_up_tasks', 'postmortem'].includes(name)),
    ['timeline'],
  )
})

test('a project cannot have the key INC, so that INC-7 is always an incident; chat links it', async () => {
  const { ann, bob } = workspace
  assert.equal((await ann.refused('create_project', { name: 'x', key: 'INC' })).code, 'conflict')
  assert.notEqual((await ann.call('create_project', { name: 'Inc' })).key, 'INC')
  const { key, channel } = await declare('Linked')
  const message = await bob.call('send_message', {
    channel_id: channel.id,
    body_markdown: `See ${key}`,
  })
  assert.deepEqual(
    message.linked_items.map((linkedItem: any) => [linkedItem.type, linkedItem.key]),
    [['incident', key]],
  )
  assert.equal((await ann.call('list_activity', { item_id: key })).items.length > 0, true)
})

test('undoing the declaration trashes the incident and removes its channel; its number is not reused', async () => {
  const { ann, bob } = workspace
  const { key, id, channel } = await declare('Mistaken')
  const undone = await bob.call('undo_api_call', { call_id: lastCallId() })
  assert.deepEqual([undone.undone, undone.refused], [true, []])
  assert.equal((await bob.refused('get_incident', { incident_id: key })).code, 'not_found')
  assert.equal((await bob.refused('get_channel', { channel_id: channel.id })).code, 'not_found')
  assert.equal(Number((await declare('Next')).key.slice(4)), Number(key.slice(4)) + 1)
  await bob.call('restore_item', { item_id: id })
  assert.equal((await ann.call('get_incident', { incident_id: key })).title, 'Mistaken')
})

test('undoing an update or a role restores the previous state', async () => {
  const { ann, carol } = workspace
  const { key } = await declare('Undo me', { service_ids: ['Search'] })
  await ann.call('update_incident', {
    incident_id: key,
    title: 'Other',
    severity: 'sev2',
    cause: 'x',
    service_ids: [],
  })
  assert.equal((await ann.call('undo_api_call', { call_id: lastCallId() })).undone, true)
  const restored = await ann.call('get_incident', { incident_id: key })
  assert.deepEqual(
    [restored.title, restored.severity, restored.services.map((service: any) => service.title)],
    ['Undo me', 'sev3', ['Search']],
  )
  await ann.call('assign_incident_role', { incident_id: key, role: 'scribe', person_id: carol.id })
  assert.equal((await ann.call('undo_api_call', { call_id: lastCallId() })).undone, true)
  assert.equal((await ann.call('get_incident', { incident_id: key })).roles.scribe, null)
})

test('a repeated idempotency key declares one incident', async () => {
  const { bob } = workspace
  const args = { title: 'Once', severity: 'sev4' }
  const item = await bob.call('create_incident', args, { idempotencyKey: 'once' })
  assert.equal((await bob.call('create_incident', args, { idempotencyKey: 'once' })).id, item.id)
})
