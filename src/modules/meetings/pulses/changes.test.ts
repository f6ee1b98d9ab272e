import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runTick } from '../../../operations/jobs/system.ts'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'
import { advancePulses } from './rounds.ts'

let workspace: TestWorkspace
let team: { id: string }
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob, carol } = workspace
  team = await ann.call('create_team', {
    name: 'Engine',
    lead_id: bob.id,
    member_ids: [ann.id, carol.id],
  })
})
after(() => workspace.close())

const mood = { id: 'mood', text: 'Mood?', type: 'scale' }
const create = (more: object = {}) =>
  workspace.carol.call('create_pulse', {
    name: 'Daily',
    team_id: team.id,
    questions: [mood],
    rrule: 'FREQ=DAILY',
    ...more,
  })

async function passDays(days: number): Promise<void> {
  workspace.clock.at += days * 86_400_000
  while (await runTick(workspace.app, advancePulses));
}

async function find(id: string): Promise<any> {
  const { items } = await workspace.carol.call('list_pulses', { limit: 100 })
  return items.find((row: any) => row.id === id)
}

test('name, schedule, time zone and channel of a pulse are updated, and a stale revision is refused', async () => {
  const { bob, carol } = workspace
  const createdPulse = await create()
  const channel = await carol.call('create_channel', { name: 'engine' })
  const changed = await carol.call('update_pulse', {
    pulse_id: createdPulse.id,
    name: ' Weekly ',
    rrule: 'FREQ=WEEKLY;BYDAY=FR;BYHOUR=15',
    timezone: 'Europe/Lisbon',
    channel_id: channel.id,
    expected_revision: createdPulse.revision,
  })
  assert.deepEqual(
    [changed.name, changed.rrule, changed.timezone, changed.channel.id],
    ['Weekly', 'FREQ=WEEKLY;BYDAY=FR;BYHOUR=15', 'Europe/Lisbon', channel.id],
  )
  assert.equal(new Date(changed.next_at).getUTCDay(), 5)
  assert.match(changed.next_local, /T15:00/)
  const stale = { pulse_id: createdPulse.id, name: 'x', expected_revision: createdPulse.revision }
  assert.equal((await bob.refused('update_pulse', stale)).code, 'conflict')
  const withoutChannel = await bob.call('update_pulse', {
    pulse_id: createdPulse.id,
    channel_id: null,
  })
  assert.equal(withoutChannel.channel, undefined)
  const wrong = await bob.refused('update_pulse', {
    pulse_id: createdPulse.id,
    rrule: 'FREQ=HOURLY',
  })
  assert.equal(wrong.code, 'invalid_argument')
})

test('a paused pulse opens no round until it is resumed', async () => {
  const { carol } = workspace
  const { id } = await create({ name: 'Pausing' })
  const paused = await carol.call('update_pulse', { pulse_id: id, active: false })
  assert.deepEqual([paused.active, paused.next_at], [false, undefined])
  await passDays(2)
  assert.equal((await find(id)).open_round, undefined)
  await carol.call('update_pulse', { pulse_id: id, active: true })
  await passDays(1)
  assert.ok((await find(id)).open_round)
})

test('questions are added and reworded; a change that breaks comparisons is refused', async () => {
  const { carol } = workspace
  const energy = { id: 'energy', text: 'Energy?', type: 'scale' }
  const { id: pulse_id } = await create({ name: 'Questions', questions: [mood, energy] })
  const setQuestions = (questions: object[]) => carol.call('update_pulse', { pulse_id, questions })
  const refused = (questions: object[]) => carol.refused('update_pulse', { pulse_id, questions })
  const added = await setQuestions([
    { ...mood, text: 'How are you?' },
    energy,
    { text: 'Why?', type: 'text' },
  ])
  assert.deepEqual(
    added.questions.map((row: any) => row.id),
    ['mood', 'energy', 'q1'],
  )
  assert.equal(added.questions[0].text, 'How are you?')
  const retyped = await refused([{ ...mood, type: 'text' }])
  assert.deepEqual([retyped.code, retyped.more.field], ['conflict', 'questions[0]'])
  assert.equal((await refused([{ ...mood, max: 10 }])).code, 'conflict')
  await passDays(1)
  await setQuestions([mood, energy])
  await carol.call('submit_pulse_response', { pulse_id, answers: { mood: 4, energy: 2 } })
  assert.match((await refused([mood])).message, /energy/)
  await passDays(1)
  assert.deepEqual(
    (await setQuestions([mood])).questions.map((row: any) => row.id),
    ['mood'],
  )
  const report = await carol.call('get_pulse_report', { pulse_id })
  assert.equal(report.trends.mood.points[0].average, 4)
})

test('a deleted pulse ends, and is restored with its rounds', async () => {
  const { bob, carol } = workspace
  const { id } = await create({ name: 'Ending' })
  await passDays(1)
  const deletion = await bob.call('delete_pulse', { pulse_id: id })
  assert.deepEqual(deletion.also_deleted, [{ type: 'pulse_round', count: 1 }])
  assert.equal(await find(id), undefined)
  assert.equal((await carol.refused('get_pulse_report', { pulse_id: id })).code, 'not_found')
  await passDays(3)
  const count = workspace.app.store.raw.read
    .prepare('SELECT count(*) FROM pulse_rounds WHERE pulse_id = ?')
    .pluck()
  assert.equal(count.get(id), 1)
  await bob.call('restore_item', { item_id: id })
  await passDays(1)
  assert.equal((await carol.call('get_pulse_report', { pulse_id: id })).rounds.length, 2)
})

test('undo reverts changes and the deletion', async () => {
  const { carol } = workspace
  const withKey = { key: await workspace.key(carol) }
  const { id: pulse_id } = await create({ name: 'Undone' })
  await carol.call('update_pulse', { pulse_id, name: 'Changed', active: false }, withKey)
  const [call] = (await carol.call('list_api_calls', { tool: 'update_pulse', limit: 1 }, withKey))
    .items
  assert.equal((await carol.call('undo_api_call', { call_id: call.id }, withKey)).undone, true)
  const restored = await find(pulse_id)
  assert.deepEqual([restored.name, restored.active], ['Undone', true])
  const deletion = await carol.call('delete_pulse', { pulse_id }, withKey)
  await carol.call('undo_api_call', { call_id: deletion.undo_call_id }, withKey)
  assert.ok(await find(pulse_id))
})

test('the creator and the lead can change and end a pulse, members cannot, and others do not see it', async () => {
  const { ann, eve, person } = workspace
  const { id: pulse_id } = await create({ name: 'Rights' })
  const dave = await person('Dave')
  for (const tool of ['update_pulse', 'delete_pulse']) {
    assert.equal((await ann.refused(tool, { pulse_id })).code, 'permission_denied', tool)
    assert.equal((await dave.refused(tool, { pulse_id })).code, 'not_found', tool)
    assert.equal((await eve.refused(tool, { pulse_id })).code, 'not_found', tool)
  }
})
