import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
let dave: Someone
let team: { id: string }

before(async () => {
  workspace = await makeWorkspace()
  dave = await workspace.person('Dave')
  const { ann, bob, carol } = workspace
  team = await ann.call('create_team', { name: 'Engine', lead_id: bob.id, member_ids: [carol.id] }) // ann, an administrator, is not in it
})
after(() => workspace.close())

const questions = [
  { text: 'How was the week?', type: 'scale' },
  { id: 'stuck', text: 'What blocks you?', type: 'text' },
]
const create = (who: Someone, more: Record<string, unknown> = {}) =>
  who.call('create_pulse', {
    name: 'Weekly',
    team_id: team.id,
    questions,
    rrule: 'FREQ=WEEKLY;BYDAY=MO',
    ...more,
  })
const refused = (who: Someone, more: Record<string, unknown>) =>
  who.refused('create_pulse', {
    name: 'Weekly',
    team_id: team.id,
    questions,
    rrule: 'FREQ=WEEKLY;BYDAY=MO',
    ...more,
  })

test('a pulse opens at nine in the time zone of the organization by default', async () => {
  const { carol } = workspace
  const createdPulse = await create(carol)
  assert.deepEqual(
    [createdPulse.next_on, createdPulse.next_at, createdPulse.next_local, createdPulse.timezone],
    ['2026-11-23', '2026-11-23T08:00:00.000Z', '2026-11-23T09:00:00+01:00', 'Europe/Berlin'],
  )
  assert.deepEqual(createdPulse.questions, [
    { id: 'q1', text: 'How was the week?', type: 'scale' },
    { id: 'stuck', text: 'What blocks you?', type: 'text' },
  ])
  assert.deepEqual(
    [
      createdPulse.team.title,
      createdPulse.mode,
      createdPulse.anonymous,
      createdPulse.active,
      createdPulse.answer_rate,
      createdPulse.open_round,
    ],
    ['Engine', 'async', false, true, 0, undefined],
  )
  const tokyo = await create(carol, {
    name: 'Evening',
    timezone: 'Asia/Tokyo',
    rrule: 'RRULE:FREQ=DAILY;BYHOUR=22;BYMINUTE=15',
  })
  assert.deepEqual([tokyo.next_on, tokyo.next_at], ['2026-11-20', '2026-11-20T13:15:00.000Z']) // still today: it is nine in the evening there
})

test('COUNT counts only rounds that open, not an occurrence earlier today', async () => {
  const createdPulse = await create(workspace.carol, {
    name: 'Thrice',
    rrule: 'FREQ=DAILY;COUNT=1',
  }) // it is one o'clock in Berlin
  assert.deepEqual([createdPulse.next_on, createdPulse.active], ['2026-11-21', true])
})

test('only the team is notified of a pulse', async () => {
  const { ann, bob, carol } = workspace
  const createdPulse = await create(bob, { name: 'Told' })
  const received = await workspace.app.store.read
    .selectFrom('notifications')
    .select(['person_id', 'kind', 'text'])
    .where('item_id', '=', createdPulse.id)
    .execute()
  assert.deepEqual(received, [
    { person_id: carol.id, kind: 'invite', text: 'Bob set up a pulse for your team Engine.' },
  ])
  assert.ok(!received.some((item) => item.person_id === ann.id))
})

test('members and lead see a pulse; administrators outside the team, colleagues and other organizations do not', async () => {
  const { ann, bob, carol, eve } = workspace
  const createdPulse = await create(carol, { name: 'Ours' })
  for (const someone of [bob, carol])
    assert.ok(
      (await someone.call('list_pulses', { limit: 100 })).items.some(
        (row: any) => row.id === createdPulse.id,
      ),
    )
  for (const someone of [ann, dave, eve]) {
    assert.deepEqual((await someone.call('list_pulses')).items, [])
    assert.equal(
      (await someone.refused('get_pulse_report', { pulse_id: createdPulse.id })).code,
      'not_found',
    )
    assert.equal(
      (
        await someone.refused('submit_pulse_response', {
          pulse_id: createdPulse.id,
          answers: { q1: 3 },
        })
      ).code,
      'not_found',
    )
    assert.equal(
      (await someone.refused('set_pulse_active', { pulse_id: createdPulse.id, active: false }))
        .code,
      'not_found',
    )
    assert.equal(
      (await someone.refused('list_activity', { item_id: createdPulse.id })).code,
      'not_found',
    )
    const changes = await someone.call('list_changes', { limit: 100 })
    assert.ok(!JSON.stringify(changes).includes(createdPulse.id))
  }
})

test('a person who leaves the team no longer sees its pulses, and a trashed team has none', async () => {
  const { ann, carol } = workspace
  const other = await ann.call('create_team', { name: 'Passing', member_ids: [carol.id, dave.id] })
  const createdPulse = await create(carol, { name: 'Passing', team_id: other.id })
  const seenBy = async (who: Someone) =>
    (await who.call('list_pulses', { team_id: other.id })).items.map((item: any) => item.id)
  assert.deepEqual(await seenBy(dave), [createdPulse.id])
  await ann.call('remove_team_member', { team_id: other.id, person_id: dave.id })
  assert.deepEqual(await seenBy(dave), [])
  await ann.call('delete_team', { team_id: other.id })
  assert.ok(
    !(await carol.call('list_pulses', { limit: 100 })).items.some(
      (item: any) => item.id === createdPulse.id,
    ),
  )
  await ann.call('restore_item', { item_id: other.id })
  assert.deepEqual(await seenBy(carol), [createdPulse.id])
})

test('only team members can create a pulse for the team', async () => {
  const { ann, eve } = workspace
  assert.match((await refused(ann, {})).message, /Only members of the team Engine/)
  assert.equal((await refused(dave, {})).code, 'permission_denied')
  assert.equal((await refused(eve, {})).code, 'not_found')
  const guest = await workspace.person('Gus', { role: 'guest' })
  await ann.call('add_team_member', { team_id: team.id, person_id: guest.id })
  assert.match((await refused(guest, {})).message, /Guests can answer pulses/)
  assert.ok((await guest.call('list_pulses')).items.length > 0)
  await ann.call('remove_team_member', { team_id: team.id, person_id: guest.id })
})

test('invalid rules and questions are refused by name', async () => {
  const { bob } = workspace
  const wrong: [Record<string, unknown>, RegExp][] = [
    [{ rrule: 'FREQ=HOURLY' }, /^rrule: .*shortest frequency is DAILY/],
    [{ rrule: 'FREQ=DAILY;BYHOUR=9,17' }, /BYHOUR=9,17/],
    [{ rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }, /^rrule: has no future occurrence/],
    [{ rrule: 'FREQ=DAILY;UNTIL=20200101' }, /^rrule: has no future occurrence/],
    [{ timezone: 'Mars/Olympus' }, /timezone/],
    [{ questions: [] }, /questions/],
    [
      { questions: Array.from({ length: 21 }, (_, i) => ({ text: `${i}?`, type: 'text' })) },
      /questions/,
    ],
    [{ questions: [{ text: 'Which?', type: 'choice' }] }, /questions\[0\]\.options/],
    [
      { questions: [{ text: 'Which?', type: 'choice', options: ['A', 'a '] }] },
      /two options are the same/,
    ],
    [
      { questions: [{ text: 'Why?', type: 'text', options: ['A', 'B'] }] },
      /only a choice has options/,
    ],
    [{ questions: [{ text: 'Why?', type: 'text', max: 3 }] }, /only a scale has min and max/],
    [{ questions: [{ text: 'How?', type: 'scale', min: 5, max: 5 }] }, /no steps/],
    [
      {
        questions: [
          { id: 'a', text: 'A?', type: 'text' },
          { id: 'A', text: 'B?', type: 'text' },
        ],
      },
      /"A" is used as the id of two questions/,
    ],
    [{ questions: [{ id: '__proto__', text: 'A?', type: 'text' }] }, /cannot be an id/],
    [{ questions: [{ text: 'A?', type: 'essay' }] }, /^questions\.0\.type/],
    [{ anonymous: true }, /^anonymous: the team has 2 active people/],
    [{ anonymous: true, mode: 'meeting' }, /^anonymous: answers given in a meeting/],
  ]
  for (const [more, message] of wrong) {
    const refusal = await refused(bob, more)
    assert.equal(refusal.code, 'invalid_argument', JSON.stringify(more))
    assert.match(refusal.message, message)
  }
})

test('explicit question ids are kept, and generated ones do not collide with them', async () => {
  const createdPulse = await create(workspace.bob, {
    name: 'Ids',
    questions: [
      { text: 'A?', type: 'text' },
      { id: 'q1', text: 'B?', type: 'yes_no' },
      { text: 'C?', type: 'scale', min: 0, max: 10 },
    ],
  })
  assert.deepEqual(
    createdPulse.questions.map((question: any) => question.id),
    ['q2', 'q1', 'q3'],
  )
})

test('the creator and the team lead can pause and resume a pulse; other members cannot', async () => {
  const { ann, bob, carol } = workspace
  const createdPulse = await create(carol, { name: 'Pausing' })
  await ann.call('add_team_member', { team_id: team.id, person_id: dave.id })
  assert.equal(
    (await dave.refused('set_pulse_active', { pulse_id: createdPulse.id, active: false })).code,
    'permission_denied',
  )
  await ann.call('remove_team_member', { team_id: team.id, person_id: dave.id })
  const paused = await bob.call('set_pulse_active', { pulse_id: createdPulse.id, active: false })
  assert.deepEqual([paused.active, paused.next_on], [false, undefined])
  const listed = async (active: boolean) =>
    (await bob.call('list_pulses', { active, limit: 100 })).items.map((item: any) => item.name)
  assert.ok((await listed(false)).includes('Pausing'))
  assert.ok(!(await listed(true)).includes('Pausing'))
  const again = await carol.call('set_pulse_active', { pulse_id: createdPulse.id, active: true })
  assert.deepEqual([again.active, again.next_on], [true, '2026-11-23'])
  await carol.call('set_pulse_active', { pulse_id: createdPulse.id, active: false })
  const { call_id } = await workspace.app.store.read
    .selectFrom('changes')
    .select('call_id')
    .where('item_id', '=', createdPulse.id)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  assert.equal((await carol.call('undo_api_call', { call_id })).undone, true)
  const back = (await carol.call('list_pulses', { limit: 100 })).items.find(
    (item: any) => item.id === createdPulse.id,
  )
  assert.deepEqual([back.active, back.next_on], [true, '2026-11-23'])
})

test('pulses are listed by name, paginated, and by team', async () => {
  const { bob } = workspace
  const allIds = (await bob.call('list_pulses', { limit: 100 })).items.map((item: any) => item.id)
  const pagedIds: string[] = []
  let cursor: string | undefined
  do {
    const page = await bob.call('list_pulses', { limit: 2, ...(cursor ? { cursor } : {}) })
    pagedIds.push(...page.items.map((item: any) => item.id))
    cursor = page.next_cursor
  } while (cursor)
  assert.ok(allIds.length > 3)
  assert.deepEqual(pagedIds, allIds)
  assert.deepEqual(
    (await bob.call('list_pulses', { team_id: team.id, limit: 100 })).items.map(
      (item: any) => item.id,
    ),
    allIds,
  )
})

test('the creation of a pulse is undone, and the pulse is restored from the trash', async () => {
  const { carol } = workspace
  const createdPulse = await create(carol, { name: 'Mistake' })
  const { call_id } = await workspace.app.store.read
    .selectFrom('changes')
    .select('call_id')
    .where('item_id', '=', createdPulse.id)
    .executeTakeFirstOrThrow()
  assert.equal((await carol.call('undo_api_call', { call_id })).undone, true)
  assert.ok(
    !(await carol.call('list_pulses', { limit: 100 })).items.some(
      (item: any) => item.id === createdPulse.id,
    ),
  )
  assert.equal(
    (await carol.refused('get_pulse_report', { pulse_id: createdPulse.id })).code,
    'not_found',
  )
  await carol.call('restore_item', { item_id: createdPulse.id })
  assert.ok(
    (await carol.call('list_pulses', { limit: 100 })).items.some(
      (item: any) => item.id === createdPulse.id,
    ),
  )
})

test('repeating the same request creates one pulse', async () => {
  const { bob } = workspace
  const createOnce = () =>
    bob.call('create_pulse', {
      name: 'Once',
      team_id: team.id,
      questions,
      rrule: 'FREQ=DAILY',
      idempotency_key: 'pulse-once',
    })
  assert.equal((await createOnce()).id, (await createOnce()).id)
})
