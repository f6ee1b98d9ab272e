import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  await workspace.ann.call('create_service', { name: 'Vault' })
})
after(() => workspace.close())

let count = 0
/** An incident with a unique word in its texts. */
async function declare(who: Someone, more: Record<string, unknown> = {}): Promise<any> {
  const word = `zanzibar${++count}x`
  return {
    ...(await who.call('create_incident', {
      title: `Leaked ${word}`,
      severity: 'sev1',
      summary_markdown: word,
      service_ids: ['Vault'],
      ...more,
    })),
    word,
  }
}
const metrics = (who: Someone) =>
  who.call('get_incident_metrics', { from: '2026-11-01', to: '2026-12-01', group_by: 'service' })

/** Asserts that nothing reveals an incident to someone without access. */
async function assertAbsent(who: Someone, incident: any): Promise<void> {
  for (const tool of [
    'get_incident',
    'list_incident_timeline',
    'find_similar_incidents',
    'acknowledge_incident',
  ])
    assert.equal((await who.refused(tool, { incident_id: incident.key })).code, 'not_found', tool)
  for (const [tool, args] of [
    ['update_incident', { title: 'x' }],
    ['resolve_incident', { resolution: 'x' }],
    ['reopen_incident', { reason: 'x' }],
    ['add_incident_note', { body_markdown: 'x' }],
    ['assign_incident_role', { role: 'scribe', person_id: 'me' }],
  ] as const)
    assert.equal(
      (await who.refused(tool, { incident_id: incident.id, ...args })).code,
      'not_found',
      tool,
    )
  const responses = [
    await who.call('list_incidents', { limit: 100 }),
    await who.call('list_incidents', { query: `leaked ${incident.word}` }),
    await who.call('list_channels', { limit: 100 }),
    await who.call('list_activity', { limit: 100 }),
    await who.call('list_notifications', { limit: 100 }),
  ]
  for (const item of responses)
    assert.ok(!JSON.stringify(item).includes(incident.word), JSON.stringify(item).slice(0, 400))
}

test('the declarer of a restricted incident leads it, and it is invisible to everyone else except administrators', async () => {
  const { ann, bob, carol, eve } = workspace
  const before = await metrics(carol)
  const incident = await declare(bob, { restricted: true })
  assert.deepEqual([incident.restricted, incident.roles.lead.title], [true, 'Bob'])
  const room = await bob.call('get_channel', { channel_id: incident.channel.id })
  assert.deepEqual(
    [room.kind, room.members.map((member: any) => member.title)],
    ['private', ['Bob']],
  )
  await assertAbsent(carol, incident)
  await assertAbsent(eve, incident)
  assert.deepEqual(await metrics(carol), before)
  assert.equal((await metrics(bob)).count, before.count + 1)
  assert.equal(
    (await ann.call('get_incident', { incident_id: incident.key })).title,
    incident.title,
  )
  assert.deepEqual(
    (await bob.call('list_incidents', { query: incident.word })).items.map((item: any) => item.key),
    [incident.key],
  )
})

test('an administrator’s key without the grant sees no more than a colleague', async () => {
  const { ann, bob } = workspace
  const incident = await declare(bob, { restricted: true })
  const get = async (admin_grant: boolean) =>
    ann.call(
      'get_incident',
      { incident_id: incident.key },
      { key: await workspace.key(ann, { admin_grant }) },
    )
  await assert.rejects(get(false), { code: 'not_found' })
  assert.equal((await get(true)).key, incident.key)
})

test('if someone else leads it, the declarer is its scribe', async () => {
  const { bob, carol } = workspace
  const incident = await declare(bob, { restricted: true, lead_id: carol.id })
  assert.deepEqual([incident.roles.lead.title, incident.roles.scribe.title], ['Carol', 'Bob'])
  assert.deepEqual(
    (await carol.call('get_channel', { channel_id: incident.channel.id })).members
      .map((member: any) => member.title)
      .sort(),
    ['Bob', 'Carol'],
  )
})

test('a role gives access to the incident, and losing it removes access to incident and channel', async () => {
  const { bob, carol } = workspace
  const incident = await declare(bob, { restricted: true })
  const since = (await carol.call('list_changes', {})).next_cursor
  await bob.call('assign_incident_role', {
    incident_id: incident.key,
    role: 'communications',
    person_id: carol.id,
  })
  assert.equal(
    (await carol.call('get_incident', { incident_id: incident.key })).channel.id,
    incident.channel.id,
  )
  await carol.call('send_message', { channel_id: incident.channel.id, body_markdown: 'Here I am.' })
  await bob.call('assign_incident_role', {
    incident_id: incident.key,
    role: 'communications',
    person_id: null,
  })
  await assertAbsent(carol, incident)
  assert.equal(
    (await carol.refused('list_messages', { channel_id: incident.channel.id })).code,
    'not_found',
  )
  const ops = (
    await carol.call('list_changes', { ...(since ? { since_cursor: since } : {}), limit: 100 })
  ).items
    .filter((item: any) => item.item.id === incident.id)
    .map((item: any) => item.op)
  assert.ok(ops.includes('access_lost'), JSON.stringify(ops))
})

test('giving away one’s only role returns one last response', async () => {
  const { bob, carol } = workspace
  const incident = await declare(bob, { restricted: true })
  const now = await bob.call('assign_incident_role', {
    incident_id: incident.key,
    role: 'lead',
    person_id: carol.id,
  })
  assert.equal(now.roles.lead.title, 'Carol')
  await assertAbsent(bob, incident)
})

test('lead and administrators can restrict and unrestrict an incident, and its channel follows', async () => {
  const { ann, bob, carol } = workspace
  const incident = await declare(bob, { lead_id: carol.id })
  const { id } = incident.channel
  await ann.call('join_channel', { channel_id: id })
  assert.equal(
    (await bob.refused('update_incident', { incident_id: incident.key, restricted: true })).code,
    'permission_denied',
  )
  const now = await carol.call('update_incident', {
    incident_id: incident.key,
    restricted: true,
    reason: 'It is about a person.',
  })
  assert.equal(now.restricted, true)
  await assertAbsent(bob, incident)
  const room = await carol.call('get_channel', { channel_id: id })
  assert.deepEqual(
    [room.kind, room.members.map((member: any) => member.title)],
    ['private', ['Carol']],
  )
  const changes = (await bob.call('list_changes', { limit: 100 })).items.filter(
    (item: any) => item.item.id === incident.id,
  )
  assert.deepEqual([changes.at(-1).op, changes.at(-1).item.title], ['access_lost', undefined])
  await ann.call('update_incident', { incident_id: incident.key, restricted: false })
  assert.equal((await bob.call('get_incident', { incident_id: incident.key })).channel.id, id)
  assert.equal((await bob.call('get_channel', { channel_id: id })).kind, 'public')
  assert.deepEqual(
    (await bob.call('list_incidents', { query: incident.word })).items.map((item: any) => item.key),
    [incident.key],
  )
})

test('undoing a restriction makes the incident visible again and restores the channel members', async () => {
  const { bob, carol, app } = workspace
  const incident = await declare(bob, { lead_id: carol.id })
  await carol.call('update_incident', { incident_id: incident.key, restricted: true })
  const call_id = app.store.raw.read
    .prepare("SELECT id FROM calls WHERE tool = 'update_incident' ORDER BY rowid DESC LIMIT 1")
    .pluck()
    .get()
  assert.deepEqual((await carol.call('undo_api_call', { call_id })).refused, [])
  assert.equal((await bob.call('get_incident', { incident_id: incident.key })).restricted, false)
  assert.equal((await bob.call('get_channel', { channel_id: incident.channel.id })).joined, true)
})

test('a task created from a restricted incident reveals nothing of it to people without access', async () => {
  const { bob, carol } = workspace
  const incident = await declare(bob, { restricted: true })
  await bob.call('create_project', { name: 'Hardening', key: 'HARD', member_ids: [carol.id] })
  const task = await bob.call('create_task_from_source', {
    source_type: 'incident',
    source_id: incident.id,
    project_id: 'HARD',
    title: 'Rotate keys',
  })
  assert.equal(task.source.key, incident.key)
  assert.equal((await carol.call('get_task', { task_id: task.key })).source, undefined)
})

test('a restriction unpublishes the postmortem and moves it out from under pages of others; undo restores both', async () => {
  const { bob, carol } = workspace
  const incident = await declare(bob, { lead_id: bob.id })
  const { page } = await bob.call('create_postmortem', { incident_id: incident.key })
  const parent = await carol.call('create_page', { title: 'Postmortems' })
  await carol.call('share_page', { page_id: parent.id, person_id: bob.id, role: 'editor' })
  await bob.call('move_page', { page_id: page.id, parent_id: parent.id })
  await bob.call('publish_page', { page_id: page.id })
  await bob.call('update_incident', { incident_id: incident.key, restricted: true })
  assert.equal((await carol.refused('get_page', { page_id: page.id })).code, 'not_found')
  const now = await bob.call('get_page', { page_id: page.id })
  assert.deepEqual([now.visibility, now.parent, now.publication], ['private', undefined, undefined])
  const call_id = workspace.app.store.raw.read
    .prepare("SELECT id FROM calls WHERE tool = 'update_incident' ORDER BY rowid DESC LIMIT 1")
    .pluck()
    .get()
  assert.deepEqual((await bob.call('undo_api_call', { call_id })).refused, [])
  assert.equal((await carol.call('get_page', { page_id: page.id })).parent.id, parent.id)
})

test('a guest lead cannot hide an incident from others', async () => {
  const { bob } = workspace
  const guest = await workspace.person('Gus', { role: 'guest' })
  const incident = await declare(bob, { lead_id: guest.id })
  assert.equal(
    (await guest.refused('update_incident', { incident_id: incident.key, restricted: true })).code,
    'permission_denied',
  )
})
