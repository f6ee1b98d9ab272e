import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runTick } from '../../../operations/jobs/system.ts'
import {
  dayLong,
  makeWorkspace,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'
import { advancePulses } from './rounds.ts'

let workspace: TestWorkspace
let team: { id: string }
let pulse: { id: string }

const questions = [
  { id: 'mood', text: 'How was the day?', type: 'scale' },
  {
    id: 'load',
    text: 'How much is on your desk?',
    type: 'choice',
    options: ['too little', 'right', 'too much'],
  },
  { id: 'ok', text: 'Is the goal in reach?', type: 'yes_no' },
  { id: 'did', text: 'What did you do?', type: 'text' },
  { id: 'stuck', text: 'What blocks you?', type: 'text' },
]

before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob, carol } = workspace
  team = await ann.call('create_team', {
    name: 'Engine',
    lead_id: bob.id,
    member_ids: [carol.id, ann.id],
  })
  pulse = await ann.call('create_pulse', {
    name: 'Daily',
    team_id: team.id,
    questions,
    rrule: 'FREQ=DAILY',
    timezone: 'UTC',
  })
  await ann.call('create_project', { name: 'Engine', key: 'ENG', member_ids: [bob.id] })
  await ann.call('create_task', { project_id: 'ENG', title: 'Cam shaft' })
  await ann.call('create_task', { project_id: 'ENG', title: 'Oil' })
  await nextRound()
})
after(() => workspace.close())

/** Advances a day, so that the open round is that day's. */
async function nextRound(): Promise<void> {
  workspace.clock.pass(dayLong)
  while (await runTick(workspace.app, advancePulses));
}

const answer = (
  who: Someone,
  answers: Record<string, unknown>,
  more: Record<string, unknown> = {},
) => who.call('submit_pulse_response', { pulse_id: pulse.id, answers, ...more })
const refused = (who: Someone, answers: unknown, more: Record<string, unknown> = {}) =>
  who.refused('submit_pulse_response', { pulse_id: pulse.id, answers, ...more })
const report = (who: Someone, more: Record<string, unknown> = {}) =>
  who.call('get_pulse_report', { pulse_id: pulse.id, ...more })
const lastCall = async () =>
  (
    await workspace.app.store.read
      .selectFrom('calls')
      .select('id')
      .where('tool', '=', 'submit_pulse_response')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
  ).id

test('an answer is submitted, replaced as a whole, and unchanged when submitted again', async () => {
  const { bob } = workspace
  const first = await answer(bob, { mood: 2, load: 'Too Much', ok: 'yes', did: 'Slept' })
  assert.deepEqual(
    [first.answers, first.person.title, first.occurrence_on, first.revision],
    [{ mood: 2, load: 'too much', ok: true, did: 'Slept' }, 'Bob', '2026-11-21', 1],
  )
  const second = await answer(
    bob,
    { mood: '4', ok: false, did: ' ', stuck: null },
    { occurrence_on: '2026-11-21' },
  )
  assert.deepEqual(
    [second.id, second.answers, second.revision],
    [first.id, { mood: 4, ok: false }, 2],
  )
  assert.equal((await answer(bob, { mood: 4, ok: false })).revision, 2)
  const listed = (await bob.call('list_pulses')).items[0]
  assert.deepEqual(
    [
      listed.open_round.answered,
      listed.open_round.expected,
      listed.open_round.answered_by_me,
      listed.answer_rate,
    ],
    [1, 3, true, 0.33],
  )
})

test('answers that do not fit the questions are refused by name, with the accepted values', async () => {
  const { bob } = workspace
  const wrong: [unknown, RegExp][] = [
    [{ mood: 6 }, /^answers\.mood: .*whole number from 1 to 5/],
    [{ mood: 2.5 }, /whole number/],
    [{ load: 'plenty' }, /one of: too little, right, too much/],
    [{ ok: 'maybe' }, /true or false/],
    [{ did: 7 }, /a text of at most 4000/],
    [{ did: 'x'.repeat(4001) }, /a text of at most 4000/],
    [{ humour: 1 }, /^answers\.humour: unknown question of this pulse.*mood \(scale\)/],
    [{}, /at least one question/],
    [{ did: '', ok: null }, /at least one question/],
    [{ constructor: 1 }, /unknown question/],
  ]
  for (const [answers, message] of wrong) {
    const refusal = await refused(bob, answers)
    assert.equal(refusal.code, 'invalid_argument', JSON.stringify(answers))
    assert.match(refusal.body().message, message)
  }
})

test('undoing an answer removes it or restores the previous one', async () => {
  const { carol } = workspace
  await answer(carol, { mood: 1 })
  const answerCall = await lastCall()
  await answer(carol, { mood: 5 })
  const changed = await lastCall()
  const mine = async () =>
    (await report(carol)).answers.find((item: any) => item.person.id === carol.id)?.answers
  assert.equal((await carol.call('undo_api_call', { call_id: changed })).undone, true)
  assert.deepEqual(await mine(), { mood: 1 })
  assert.equal((await carol.call('undo_api_call', { call_id: answerCall })).undone, true)
  assert.equal(await mine(), undefined)
})

test('the report of the open round shows incoming answers, figures, blockers with their tasks, and missing people', async () => {
  const { ann, bob, carol } = workspace
  await answer(bob, {
    mood: 4,
    load: 'too much',
    ok: true,
    did: 'Pistons',
    stuck: 'Wait for eng-1, and ENG-2; not X-99',
  })
  await answer(carol, { mood: 1, load: 'right', ok: false, stuck: 'None.' })
  const pulseReport = await report(bob)
  assert.deepEqual(
    pulseReport.rounds.map((round: any) => [
      round.on,
      round.closed_at,
      round.answered,
      round.expected,
    ]),
    [['2026-11-21', undefined, 2, 3]],
  )
  assert.deepEqual(pulseReport.rounds[0].scores, {
    mood: { answered: 2, average: 2.5 },
    load: { answered: 2, counts: { 'too little': 0, right: 1, 'too much': 1 } },
    ok: { answered: 2, yes_share: 0.5 },
    did: { answered: 1 },
    stuck: { answered: 2 },
  })
  assert.deepEqual(
    pulseReport.answers.map((item: any) => item.person.title),
    ['Bob', 'Carol'],
  )
  assert.deepEqual(
    pulseReport.missing.map((item: any) => item.id),
    [ann.id],
  )
  assert.deepEqual(
    pulseReport.blockers.map((blocker: any) => [
      blocker.on,
      blocker.text,
      blocker.person.title,
      blocker.task.title,
      blocker.more_tasks.map((task: any) => task.key),
    ]),
    [['2026-11-21', 'Wait for eng-1, and ENG-2; not X-99', 'Bob', 'Cam shaft', ['ENG-2']]],
  )
  const [unseen] = (await report(carol)).blockers // carol is not in the project
  assert.deepEqual(
    [unseen.task, unseen.more_tasks, unseen.text],
    [undefined, undefined, 'Wait for eng-1, and ENG-2; not X-99'],
  )
})

test('once a round is closed, its answers are kept, and can no longer be submitted or undone', async () => {
  const { bob, carol } = workspace
  await answer(bob, { mood: 5, ok: true })
  const lastAnswerCall = await lastCall()
  const before = await report(carol)
  await nextRound()
  const now = await report(carol)
  assert.deepEqual(now.answers, before.answers)
  assert.deepEqual(
    now.rounds.map((round: any) => [
      round.on,
      round.answered,
      round.expected,
      round.closed_at !== undefined,
    ]),
    [
      ['2026-11-22', 0, 3, false],
      ['2026-11-21', 2, 3, true],
    ],
  )
  assert.deepEqual(now.rounds[1].scores, before.rounds[0].scores)
  const refusal = await refused(bob, { mood: 1 }, { occurrence_on: '2026-11-21' })
  assert.deepEqual([refusal.code, refusal.more.field], ['conflict', 'occurrence_on'])
  assert.match(refusal.body().message, /The open round is that of 2026-11-22/)
  assert.match(
    (await refused(bob, { mood: 1 }, { occurrence_on: '2026-12-24' })).message,
    /has no round on 2026-12-24/,
  )
  const undone = await bob.call('undo_api_call', { call_id: lastAnswerCall })
  assert.deepEqual([undone.undone, undone.refused[0].reason], [false, 'changed_since'])
  assert.deepEqual((await report(carol)).answers, before.answers)
})

test('trends cover all rounds of the period regardless of the page; missing people are those of its newest round', async () => {
  const { ann, bob, carol } = workspace
  await answer(ann, { mood: 3, ok: true })
  await answer(bob, { mood: 5, ok: true })
  await nextRound()
  await answer(carol, { mood: 2, ok: false })
  const first = await report(ann, { limit: 1 })
  assert.deepEqual(first.trends.mood, {
    text: 'How was the day?',
    type: 'scale',
    points: [
      { on: '2026-11-21', answered: 2, average: 3 },
      { on: '2026-11-22', answered: 2, average: 4 },
      { on: '2026-11-23', answered: 1, average: 2 },
    ],
    change: -2,
  })
  assert.deepEqual(
    [first.trends.ok.points.map((point: any) => point.yes_share), first.trends.ok.change],
    [[0.5, 1, 0], -1],
  )
  assert.deepEqual(
    [Object.keys(first.trends), first.rounds.length, first.has_more],
    [['mood', 'load', 'ok'], 1, true],
  )
  assert.deepEqual(
    first.missing.map((item: any) => item.title),
    ['Ann', 'Bob'],
  )
  const second = await report(ann, { limit: 1, cursor: first.next_cursor })
  const third = await report(ann, { limit: 1, cursor: second.next_cursor })
  assert.deepEqual(
    [second, third].map((item) => [item.rounds[0].on, item.answers.length, item.has_more]),
    [
      ['2026-11-22', 2, true],
      ['2026-11-21', 2, false],
    ],
  )
  const period = await report(ann, { from: '2026-11-22', to: '2026-11-22' })
  assert.deepEqual(
    [
      period.rounds.map((round: any) => round.on),
      period.missing.map((item: any) => item.title),
      period.trends.mood.points.length,
    ],
    [['2026-11-22'], ['Carol'], 1],
  )
  assert.equal(
    (
      await ann.refused('get_pulse_report', {
        pulse_id: pulse.id,
        from: '2026-11-23',
        to: '2026-11-22',
      })
    ).more.field,
    'from',
  )
  assert.equal((await ann.call('list_pulses')).items[0].answer_rate, 0.67)
})

test('a deactivated person is no longer missing, and their answers are kept', async () => {
  const { ann, app } = workspace
  const dave = await workspace.person('Dave')
  const fred = await workspace.person('Fred')
  for (const someone of [dave, fred])
    await ann.call('add_team_member', { team_id: team.id, person_id: someone.id })
  await answer(dave, { mood: 3 })
  for (const someone of [dave, fred])
    await app.store.writer.run(() =>
      app.store.write
        .updateTable('users')
        .set({ status: 'deactivated' })
        .where('id', '=', someone.id)
        .execute(),
    )
  const open = await report(ann)
  assert.deepEqual(
    [open.rounds[0].answered, open.rounds[0].expected, open.missing.map((item: any) => item.title)],
    [2, 4, ['Ann', 'Bob']],
  )
  await nextRound()
  const closed = await report(ann, { to: '2026-11-23', from: '2026-11-23' })
  assert.deepEqual(
    [
      closed.rounds[0].answered,
      closed.rounds[0].expected,
      closed.missing.map((item: any) => item.title),
    ],
    [2, 4, ['Ann', 'Bob']],
  )
  assert.ok(closed.answers.some((item: any) => item.person.title === 'Dave'))
})

test('without an open round answering is refused, and the refusal says when one opens', async () => {
  const { ann } = workspace
  const later = await ann.call('create_pulse', {
    name: 'Later',
    team_id: team.id,
    questions: [{ text: 'Well?', type: 'text' }],
    rrule: 'FREQ=WEEKLY;BYDAY=SU',
    timezone: 'UTC',
  })
  const refusal = await ann.refused('submit_pulse_response', {
    pulse_id: later.id,
    answers: { q1: 'yes' },
  })
  assert.equal(refusal.code, 'conflict')
  assert.match(
    refusal.body().message,
    /No round of this pulse is open\. The next round opens on 2026-11-29 \(2026-11-29T09:00:00\+00:00\)\./,
  )
})
