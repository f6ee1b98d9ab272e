import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
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
import { shuffledByQuestion } from './answers.ts'
import { deletePulseSecrets, advancePulses } from './rounds.ts'

let workspace: TestWorkspace
let people: Someone[]
let team: { id: string }
let pulse: { id: string }

const questions = [
  { id: 'mood', text: 'How was the day?', type: 'scale' },
  { id: 'leave', text: 'Do you think of leaving?', type: 'yes_no' },
  { id: 'say', text: 'What do you want to say?', type: 'text' },
  { id: 'stuck', text: 'What blocks you?', type: 'text' },
]

before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob, carol } = workspace
  people = [
    bob,
    carol,
    await workspace.person('Dave'),
    await workspace.person('Fred'),
    await workspace.person('Gina'),
  ]
  team = await ann.call('create_team', {
    name: 'Engine',
    lead_id: bob.id,
    member_ids: people.slice(1).map((person) => person.id),
  })
  pulse = await bob.call('create_pulse', {
    name: 'Frank words',
    team_id: team.id,
    questions,
    rrule: 'FREQ=DAILY',
    timezone: 'UTC',
    anonymous: true,
  })
  await nextRound()
})
after(() => workspace.close())

async function nextRound(): Promise<void> {
  workspace.clock.at = (Math.floor(workspace.clock.at / dayLong) + 1) * dayLong + 9 * hour
  while (await runTick(workspace.app, advancePulses));
}

const answer = (who: Someone, answers: Record<string, unknown>) =>
  who.call('submit_pulse_response', { pulse_id: pulse.id, answers })
const report = (who: Someone = people[0]!, more: Record<string, unknown> = {}) =>
  who.call('get_pulse_report', { pulse_id: pulse.id, ...more })

/** All database contents except sealed data. */
function databaseContents(): string {
  const { raw } = workspace.app.store
  const tables = raw.read
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search_fts%'")
    .pluck()
    .all() as string[]
  return tables
    .map((name) => JSON.stringify(raw.read.prepare(`SELECT * FROM "${name}"`).all()))
    .join('\n')
}

test('while a round is open, only the counts are visible', async () => {
  for (const [i, person] of people.slice(0, 4).entries()) {
    workspace.clock.pass(minute)
    await answer(person, { mood: i + 1, leave: i === 0, say: `secretword${i}` })
  }
  for (const person of people) {
    const pulseReport = await report(person)
    assert.deepEqual(
      [
        pulseReport.rounds[0].answered,
        pulseReport.rounds[0].expected,
        pulseReport.rounds[0].scores,
        pulseReport.answers,
        pulseReport.missing,
        pulseReport.blockers,
      ],
      [4, 5, {}, [], [], []],
    )
    assert.match(pulseReport.rounds[0].withheld, /still open/)
    assert.deepEqual(pulseReport.trends.mood.points, [])
    const { open_round } = (await person.call('list_pulses')).items[0]
    assert.deepEqual([open_round.answered, open_round.answered_by_me], [4, undefined])
  }
})

test('the result of an answer contains no name, and the answer can be changed while the round is open', async () => {
  const [bob] = people
  const receipt = await answer(bob!, { mood: 5, leave: true, say: 'secretword0, said better' })
  assert.deepEqual(receipt, {
    pulse: { id: pulse.id, title: 'Frank words' },
    occurrence_on: '2026-11-21',
    answers: { mood: 5, leave: true, say: 'secretword0, said better' },
  })
  assert.equal((await report()).rounds[0].answered, 4)
})

test('no unencrypted data contains answers, and no change reveals that someone answered', async () => {
  const { ann, app } = workspace
  const databaseText = databaseContents()
  assert.ok(!/secretword/.test(databaseText))
  const calls = await app.store.read
    .selectFrom('calls')
    .selectAll()
    .where('tool', '=', 'submit_pulse_response')
    .where('status', '=', 'ok')
    .execute()
  assert.equal(calls.length, 5)
  for (const call of calls)
    assert.deepEqual(
      [call.changed, (JSON.parse(call.details_json!) as any).arguments.answers],
      [0, 'object'],
    )
  assert.ok(!JSON.stringify(await ann.call('list_api_calls', { limit: 100 })).includes('mood'))
  const changes = await app.store.read
    .selectFrom('changes')
    .select(['actor_id', 'events_json'])
    .where('item_id', '=', pulse.id)
    .execute()
  assert.equal(changes.length, 2, 'its creation, and the opening of a round')
  const { updated_at } = await app.store.read
    .selectFrom('pulses')
    .select('updated_at')
    .where('id', '=', pulse.id as never)
    .executeTakeFirstOrThrow()
  assert.ok(updated_at < workspace.clock.at - hour)
  assert.deepEqual(await app.store.read.selectFrom('pulse_responses').selectAll().execute(), [])
})

test('a refused answer leaves no content in the call log either', async () => {
  const [bob] = people
  assert.equal(
    (
      await bob!.refused('submit_pulse_response', {
        pulse_id: pulse.id,
        answers: { mood: 'secretword9' },
      })
    ).code,
    'invalid_argument',
  )
  assert.equal(
    (await bob!.refused('submit_pulse_response', { pulse_id: pulse.id, answers: 'secretword9' }))
      .code,
    'invalid_argument',
  )
  const { details_json } = await workspace.app.store.read
    .selectFrom('calls')
    .select('details_json')
    .where('status', '=', 'error')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  assert.equal((JSON.parse(details_json!) as any).arguments.answers, 'string')
  assert.ok(!/secretword/.test(databaseContents()))
})

test('undoing an anonymous answer is refused with the reason', async () => {
  const [bob] = people
  const { id } = await workspace.app.store.read
    .selectFrom('calls')
    .select('id')
    .where('tool', '=', 'submit_pulse_response')
    .where('status', '=', 'ok')
    .where('actor_id', '=', bob!.id)
    .limit(1)
    .executeTakeFirstOrThrow()
  const refusal = await bob!.refused('undo_api_call', { call_id: id })
  assert.equal(refusal.code, 'conflict')
  assert.match(refusal.body().message, /stored without names/)
})

test('a closed round shows each answer separately, without person, id or time, in a stable random order', async () => {
  await nextRound()
  const pulseReport = await report(people[0]!, { to: '2026-11-21' })
  const [round] = pulseReport.rounds
  assert.deepEqual(
    [round.answered, round.expected, round.withheld, round.scores.mood, round.scores.leave],
    [4, 5, undefined, { answered: 4, average: 3.5 }, { answered: 4, yes_share: 0.25 }],
  )
  assert.equal(pulseReport.answers.length, 12)
  for (const item of pulseReport.answers) {
    assert.deepEqual(Object.keys(item).sort(), ['answers', 'occurrence_on', 'pulse'])
    assert.equal(
      Object.keys(item.answers).length,
      1,
      "one person's answers to two questions are not combined",
    )
  }
  assert.deepEqual(pulseReport.answers.flatMap((item: any) => item.answers.say ?? []).sort(), [
    'secretword0, said better',
    'secretword1',
    'secretword2',
    'secretword3',
  ])
  assert.deepEqual(pulseReport.missing, [])
  assert.deepEqual(await report(people[3]!, { to: '2026-11-21' }), pulseReport)
})

test('once a round is closed nothing in the database links answers to people', () => {
  const { raw } = workspace.app.store
  assert.equal(
    raw.read
      .prepare("SELECT count(*) FROM secrets WHERE column_name LIKE 'ballots%'")
      .pluck()
      .get(),
    0,
  )
  const rows = raw.read
    .prepare('SELECT * FROM pulse_rounds WHERE closed_at IS NOT NULL')
    .all() as any[]
  assert.deepEqual(
    rows.map((row) => [row.missing_json, Array.isArray(JSON.parse(row.answers_json).mood)]),
    [[null, true]],
  )
  assert.ok(!people.some((person) => rows.some((row) => JSON.stringify(row).includes(person.id))))
})

test('fewer than four answers are not shown, not even as figures, and not stored', async () => {
  for (const person of people.slice(0, 3))
    await answer(person, { mood: 1, say: 'fewwords', stuck: 'Much' })
  assert.equal((await report()).rounds[0].answered, 3)
  await nextRound()
  const pulseReport = await report(people[0]!, { from: '2026-11-22', to: '2026-11-22' })
  assert.deepEqual(
    [
      pulseReport.rounds[0].answered,
      pulseReport.rounds[0].expected,
      pulseReport.rounds[0].scores,
      pulseReport.answers,
      pulseReport.blockers,
      pulseReport.trends.mood.points,
    ],
    [3, 5, {}, [], [], []],
  )
  assert.match(pulseReport.rounds[0].withheld, /Fewer than 4/)
  assert.ok(!/fewwords/.test(databaseContents()))
  assert.deepEqual(
    (await report()).trends.mood.points.map((point: any) => point.on),
    ['2026-11-21'],
  )
})

test('blockers are listed without the person who is blocked', async () => {
  for (const person of people)
    await answer(person, { stuck: person === people[2] ? 'The build is red' : 'nothing' })
  await nextRound()
  const { blockers } = await report(people[0]!, { from: '2026-11-23', to: '2026-11-23' })
  assert.deepEqual(blockers, [{ on: '2026-11-23', text: 'The build is red' }])
})

test('the order of answers is random', () => {
  const ballots = Array.from({ length: 50 }, (_, i) => ({ a: i, b: i }))
  const { a, b } = shuffledByQuestion(ballots)
  assert.deepEqual(
    [...a!].sort((x, y) => Number(x) - Number(y)),
    ballots.map((ballot) => ballot.a),
  )
  assert.notDeepEqual(
    a,
    ballots.map((ballot) => ballot.a),
  )
  assert.notDeepEqual(a, b, 'each question is shuffled separately')
})

test('sealed answers of an erased pulse are deleted, and those of others are kept', async () => {
  const { app } = workspace
  const { raw } = app.store
  await answer(people[1]!, { mood: 3 })
  const count = () =>
    raw.read.prepare("SELECT count(*) FROM secrets WHERE table_name = 'pulses'").pluck().get()
  raw.write.exec(
    `INSERT INTO secrets SELECT org_id, table_name, 'pul_gone', column_name, kid, value_sealed, sealed_at FROM secrets WHERE table_name = 'pulses'`,
  )
  assert.equal(count(), 2)
  await runTick(app, deletePulseSecrets)
  assert.equal(count(), 1)
})

test('if sealed answers cannot be opened, the round stays open and other pulses continue', async () => {
  const { app, bob } = workspace
  const other = await bob.call('create_pulse', {
    name: 'Other',
    team_id: team.id,
    questions: [{ text: 'A?', type: 'text' }],
    rrule: 'FREQ=DAILY',
    timezone: 'UTC',
  })
  const file = app.settings.master_key_file
  const key = readFileSync(file)
  const { raw } = app.store
  raw.write.exec(
    "UPDATE secrets SET value_sealed = 'AAAA' || substr(value_sealed, 5) WHERE table_name = 'pulses'",
  )
  await nextRound()
  assert.equal((await report()).rounds[0].on, '2026-11-24')
  assert.equal(
    (await bob.call('list_pulses')).items.find((item: any) => item.id === other.id).open_round.on,
    '2026-11-25',
  )
  assert.deepEqual(readFileSync(file), key)
})
