import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runTick } from '../../../operations/jobs/system.ts'
import {
  dayLong,
  hour,
  makeWorkspace,
  minute,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'
import { advancePulses } from './rounds.ts'

let workspace: TestWorkspace
let team: { id: string }

before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob, carol } = workspace
  team = await ann.call('create_team', { name: 'Engine', lead_id: bob.id, member_ids: [carol.id] })
})
after(() => workspace.close())

const create = (more: Record<string, unknown> = {}) =>
  workspace.carol.call('create_pulse', {
    name: 'Daily',
    team_id: team.id,
    questions: [{ id: 'mood', text: 'Mood?', type: 'scale' }],
    rrule: 'FREQ=DAILY',
    ...more,
  })

async function tick(): Promise<void> {
  while (await runTick(workspace.app, advancePulses));
}

/** Sets the clock to a time and runs due work. */
async function advanceTo(text: string): Promise<void> {
  workspace.clock.at = Date.parse(text)
  await tick()
}

const getPulse = async (id: string, who: Someone = workspace.carol) =>
  (await who.call('list_pulses', { limit: 100 })).items.find((item: any) => item.id === id)
const rounds = async (id: string) =>
  (await workspace.carol.call('get_pulse_report', { pulse_id: id })).rounds
const pausePulse = (id: string) =>
  workspace.carol.call('set_pulse_active', { pulse_id: id, active: false })

async function eventsOf(id: string): Promise<string[]> {
  const rows = await workspace.app.store.read
    .selectFrom('changes')
    .select('events_json')
    .where('item_id', '=', id)
    .orderBy('seq')
    .execute()
  return rows
    .flatMap((row) => JSON.parse(row.events_json) as string[])
    .filter((event) => /round/.test(event))
}

async function notifiedPeople(id: string): Promise<string[]> {
  const rows = await workspace.app.store.read
    .selectFrom('notifications')
    .select('person_id')
    .where('item_id', '=', id)
    .where('kind', '=', 'due')
    .orderBy('id')
    .execute()
  return rows.map((row) => row.person_id).sort()
}

test('a round opens at its occurrence and closes at the next one, each with one notification', async () => {
  const { bob, carol } = workspace
  const { id } = await create()
  await advanceTo('2026-11-21T07:59:00Z')
  assert.equal((await getPulse(id)).open_round, undefined)
  await advanceTo('2026-11-21T08:00:00Z')
  const open = await getPulse(id)
  assert.deepEqual(open.open_round, {
    on: '2026-11-21',
    opened_at: '2026-11-21T08:00:00.000Z',
    closes_at: '2026-11-22T08:00:00.000Z',
    answered: 0,
    expected: 2,
    answered_by_me: false,
  })
  assert.deepEqual([open.next_on, open.revision], ['2026-11-22', 1])
  await tick()
  assert.deepEqual(await eventsOf(id), ['pulse.round_opened'])
  assert.deepEqual(await notifiedPeople(id), [bob.id, carol.id].sort())
  const { call_id } = await workspace.app.store.read
    .selectFrom('changes')
    .select('call_id')
    .where('item_id', '=', id)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirstOrThrow()
  assert.deepEqual(
    (await carol.call('undo_api_call', { call_id })).refused.map((item: any) => item.reason),
    ['changed_since'],
    'the creation of a pulse cannot be undone once a round has opened',
  )
  await advanceTo('2026-11-22T08:00:30Z')
  assert.deepEqual(await eventsOf(id), [
    'pulse.round_opened',
    'pulse.round_closed',
    'pulse.round_opened',
  ])
  assert.deepEqual(
    (await rounds(id)).map((round: any) => [round.on, round.closed_at !== undefined]),
    [
      ['2026-11-22', false],
      ['2026-11-21', true],
    ],
  )
  await pausePulse(id)
})

test('after long downtime only the current round opens', async () => {
  const { id } = await create({ name: 'Resting' })
  await advanceTo('2026-11-23T08:00:00Z')
  await advanceTo('2027-06-15T12:00:00Z')
  assert.deepEqual(
    (await rounds(id)).map((round: any) => round.on),
    ['2027-06-15', '2026-11-23'],
  )
  assert.equal((await getPulse(id)).next_on, '2027-06-16')
  await pausePulse(id)
})

test('a clock that is set back opens no round twice, and earlier rounds still open on time', async () => {
  workspace.clock.at = Date.parse('2027-07-01T06:00:00Z')
  const { id } = await create({ name: 'Clock', timezone: 'UTC' })
  await advanceTo('2027-07-01T09:00:00Z')
  await advanceTo('2027-07-01T08:00:00Z') // back by an hour
  await advanceTo('2027-07-01T09:00:00Z')
  assert.deepEqual(
    (await rounds(id)).map((round: any) => round.on),
    ['2027-07-01'],
  )
  await advanceTo('2028-07-01T10:00:00Z') // a year ahead, by mistake
  await advanceTo('2027-07-01T10:00:00Z')
  assert.equal((await getPulse(id)).next_on, '2027-07-02')
  assert.equal((await getPulse(id)).open_round.on, '2028-07-01')
  await advanceTo('2027-07-02T09:00:00Z')
  assert.deepEqual(
    (await rounds(id)).map((round: any) => [round.on, round.closed_at !== undefined]),
    [
      ['2028-07-01', true],
      ['2027-07-02', false],
      ['2027-07-01', true],
    ],
  )
  await advanceTo('2028-07-01T09:30:00Z')
  assert.equal(
    (await eventsOf(id)).filter((event) => event === 'pulse.round_opened').length,
    3,
    'a day that had a round does not get another',
  )
  assert.deepEqual(
    [(await getPulse(id)).open_round, (await getPulse(id)).next_on],
    [undefined, '2028-07-02'],
  )
  await pausePulse(id)
})

test('a failed tick leaves no partial state, and the next tick completes it', async () => {
  workspace.clock.at = Date.parse('2028-08-01T06:00:00Z')
  const { id } = await create({ name: 'Failing', timezone: 'UTC' })
  const { raw } = workspace.app.store
  raw.write.exec(
    "CREATE TEMP TRIGGER broken BEFORE INSERT ON main.pulse_rounds BEGIN SELECT RAISE(FAIL, 'the power went'); END",
  )
  workspace.clock.at = Date.parse('2028-08-01T09:00:00Z')
  await assert.rejects(tick(), /the power went/)
  raw.write.exec('DROP TRIGGER broken')
  assert.deepEqual([await eventsOf(id), (await getPulse(id)).next_on], [[], '2028-08-01'])
  await tick()
  assert.deepEqual(await eventsOf(id), ['pulse.round_opened'])
  await pausePulse(id)
})

test('the last round of a rule closes when the next one would have opened, and the pulse becomes inactive', async () => {
  workspace.clock.at = Date.parse('2028-09-01T06:00:00Z')
  const { id } = await create({ name: 'Once', timezone: 'UTC', rrule: 'FREQ=WEEKLY;COUNT=1' })
  await advanceTo('2028-09-01T09:00:00Z')
  const open = await getPulse(id)
  assert.deepEqual(
    [open.active, open.next_on, open.open_round.closes_at],
    [true, undefined, '2028-09-08T09:00:00.000Z'],
  )
  await advanceTo('2028-09-08T09:00:00Z')
  const ended = await getPulse(id)
  assert.deepEqual([ended.active, ended.open_round], [false, undefined])
  assert.deepEqual(await eventsOf(id), ['pulse.round_opened', 'pulse.round_closed'])
  assert.equal(
    (await workspace.carol.refused('set_pulse_active', { pulse_id: id, active: true })).code,
    'conflict',
  )
})

test('the open round of a paused pulse still closes when due, and no other one opens', async () => {
  workspace.clock.at = Date.parse('2028-10-01T06:00:00Z')
  const { id } = await create({ name: 'Paused', timezone: 'UTC' })
  await advanceTo('2028-10-01T09:00:00Z')
  await pausePulse(id)
  assert.equal((await getPulse(id)).open_round.on, '2028-10-01')
  await advanceTo('2028-10-05T09:00:00Z')
  assert.deepEqual(
    (await rounds(id)).map((round: any) => [round.on, round.closed_at !== undefined]),
    [['2028-10-01', true]],
  )
  await workspace.carol.call('set_pulse_active', { pulse_id: id, active: true })
  await advanceTo('2028-10-06T09:00:00Z')
  assert.equal((await getPulse(id)).open_round.on, '2028-10-06')
  await pausePulse(id)
})

test('a deactivated person is not expected to answer, and a member takes over from a deactivated creator', async () => {
  workspace.clock.at = Date.parse('2028-11-01T06:00:00Z')
  const { ann, bob, app } = workspace
  const dave = await workspace.person('Dave')
  await ann.call('add_team_member', { team_id: team.id, person_id: dave.id })
  const { id } = await dave.call('create_pulse', {
    name: 'Left',
    team_id: team.id,
    questions: [{ text: 'Mood?', type: 'scale' }],
    rrule: 'FREQ=DAILY',
    timezone: 'UTC',
  })
  await advanceTo('2028-11-01T09:00:00Z')
  assert.equal((await getPulse(id)).open_round.expected, 3)
  await app.store.writer.run(() =>
    app.store.write
      .updateTable('users')
      .set({ status: 'deactivated' })
      .where('id', '=', dave.id)
      .execute(),
  )
  await advanceTo('2028-11-02T09:00:00Z')
  assert.deepEqual(
    (await rounds(id)).map((round: any) => [round.on, round.expected]),
    [
      ['2028-11-02', 2],
      ['2028-11-01', 2],
    ],
  )
  const change = await app.store.read
    .selectFrom('changes')
    .select(['actor_id', 'via'])
    .where('item_id', '=', id)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  assert.deepEqual(change, { actor_id: bob.id, via: 'automation' }) // the lead, not an administrator outside the team
  await bob.call('set_pulse_active', { pulse_id: id, active: false })
})

test('trashed pulses and pulses of trashed teams open no rounds', async () => {
  workspace.clock.at = Date.parse('2028-12-01T06:00:00Z')
  const { ann, carol, app } = workspace
  const other = await ann.call('create_team', { name: 'Other', member_ids: [carol.id] })
  const teamPulse = await create({ name: 'Team away', team_id: other.id, timezone: 'UTC' })
  const undonePulse = await create({ name: 'Undone', timezone: 'UTC' })
  const { call_id } = await app.store.read
    .selectFrom('changes')
    .select('call_id')
    .where('item_id', '=', undonePulse.id)
    .executeTakeFirstOrThrow()
  await carol.call('undo_api_call', { call_id })
  await ann.call('delete_team', { team_id: other.id })
  await advanceTo('2028-12-03T09:00:00Z')
  assert.deepEqual([await eventsOf(teamPulse.id), await eventsOf(undonePulse.id)], [[], []])
  await ann.call('restore_item', { item_id: other.id })
  await advanceTo('2028-12-03T09:01:00Z')
  assert.equal((await getPulse(teamPulse.id)).open_round.on, '2028-12-03')
  await pausePulse(teamPulse.id)
})

test('a round held in a meeting creates one with the team as participants and the questions as agenda', async () => {
  workspace.clock.at = Date.parse('2029-01-01T06:00:00Z')
  const { ann, bob, carol } = workspace
  const { id } = await create({ name: 'Standup', mode: 'meeting', timezone: 'UTC' })
  await advanceTo('2029-01-01T09:00:00Z')
  const { open_round } = await getPulse(id)
  const meeting = await bob.call('get_meeting', { meeting_id: open_round.meeting.id })
  assert.deepEqual(
    [meeting.title, meeting.kind, meeting.agenda, meeting.pulse.id],
    ['Standup, 2029-01-01', 'pulse', [{ text: 'Mood?', done: false }], id],
  )
  assert.deepEqual(
    meeting.participants.map((participant: any) => participant.person.id).sort(),
    [bob.id, carol.id].sort(),
  )
  assert.equal(
    (await ann.refused('get_meeting', { meeting_id: open_round.meeting.id })).code,
    'not_found',
  )
  assert.equal((await rounds(id))[0].meeting.id, meeting.id)
  await pausePulse(id)
})

test('each round is announced in the channel on behalf of the creator of the pulse, or the pulse reports the problem', async () => {
  workspace.clock.at = Date.parse('2029-02-01T06:00:00Z')
  const { bob, carol } = workspace
  const channel = await carol.call('create_channel', {
    name: 'pulses',
    kind: 'private',
    member_ids: [bob.id],
  })
  const { id } = await create({ name: 'Told *here*', channel_id: channel.id, timezone: 'UTC' })
  await advanceTo('2029-02-01T09:00:00Z')
  const channelMessages = async () =>
    (await bob.call('list_messages', { channel_id: channel.id })).items
  const [first] = await channelMessages()
  assert.equal(first.author.id, carol.id)
  assert.match(
    first.content.text,
    /^The pulse \*\*Told \\\*here\\\*\*\* is open until 2029-02-02 09:00 \(UTC\): http:\/\/workspace\.test\/pulses\/pul_/,
  )
  assert.deepEqual(
    [(await getPulse(id)).channel.id, (await getPulse(id)).problem],
    [channel.id, undefined],
  )
  await carol.call('leave_channel', { channel_id: channel.id })
  await advanceTo('2029-02-02T09:00:00Z')
  assert.equal(
    (await channelMessages()).filter((item: any) => /The pulse/.test(item.content.text)).length,
    1,
  )
  const open = await getPulse(id)
  assert.ok(open.open_round && open.problem)
  assert.equal(
    (
      await carol.refused('create_pulse', {
        name: 'X',
        team_id: team.id,
        channel_id: channel.id,
        questions: [{ text: 'A?', type: 'text' }],
        rrule: 'FREQ=DAILY',
      })
    ).code,
    'not_found',
  )
  await pausePulse(id)
})

test('the due pulse is found by index among thousands', async () => {
  workspace.clock.at = Date.parse('2029-03-01T06:00:00Z')
  const { id } = await create({ name: 'Many', timezone: 'UTC' })
  const { raw } = workspace.app.store
  raw.write.exec(
    `WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 5000) INSERT INTO pulses SELECT substr(id, 1, 20) || printf('%010d', value), org_id, team_id, channel_id, mode, anonymous, active, next_at + 86400000, next_on, look_at + 86400000, revision, created_at, updated_at, created_by, created_via, deleted_at, deleted_by, deleted_with, name, rrule, timezone, rule_start, questions_json FROM pulses, n WHERE id = '${id}'`,
  )
  const plan = raw.write
    .prepare(
      'EXPLAIN QUERY PLAN SELECT id FROM pulses WHERE look_at <= 1 AND deleted_at IS NULL ORDER BY look_at LIMIT 5',
    )
    .all() as { detail: string }[]
  assert.match(plan[0]!.detail, /pulses_to_look_at/)
  workspace.clock.pass(3 * hour + minute)
  await tick()
  assert.deepEqual(
    raw.read
      .prepare(
        "SELECT pulse_id FROM pulse_rounds JOIN pulses ON pulses.id = pulse_id WHERE name = 'Many'",
      )
      .pluck()
      .all(),
    [id],
  )
  raw.write.exec("DELETE FROM pulses WHERE name = 'Many'")
  workspace.clock.pass(dayLong)
})
