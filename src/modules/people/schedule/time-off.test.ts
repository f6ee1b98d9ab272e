import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { iso } from '../../../kernel/time/times.ts'
import { dayLong, makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

test('an absence shows its dates to everybody, and its reason only to the person', async () => {
  const { ann, bob } = workspace
  const timeOff = await bob.call('create_time_off', {
    starts_on: '2026-11-24',
    ends_on: '2026-11-25',
    kind: 'sick',
    note: 'canary',
  })
  assert.equal(timeOff.kind, 'sick')
  assert.equal(timeOff.note, 'canary')
  assert.equal(timeOff.status, 'planned')
  const [seen] = (await ann.call('list_time_off', { person_id: bob.id })).items
  assert.equal(seen.id, timeOff.id)
  assert.equal(seen.kind, 'other')
  assert.equal(seen.note, undefined)
  assert.ok(!JSON.stringify(await ann.call('list_time_off')).includes('canary'))
})

test('an absence warns of tasks due in the meantime, limited to those visible to the reader', async () => {
  const { ann, bob, carol } = workspace
  const project = await ann.call('create_project', {
    name: 'Plan',
    key: 'PLN',
    member_ids: [carol.id],
  })
  const other = await carol.call('create_project', { name: 'Other', key: 'OTH' })
  const lastMinute = Date.UTC(2026, 11, 4, 22, 59)
  await ann.call('create_task', {
    project_id: project.id,
    title: 'Inside',
    assignee_ids: [carol.id],
    due_at: iso(lastMinute),
  })
  await ann.call('create_task', {
    project_id: project.id,
    title: 'Behind',
    assignee_ids: [carol.id],
    due_at: iso(lastMinute + 60_000),
  })
  await ann.call('create_task', {
    project_id: project.id,
    title: 'Done',
    assignee_ids: [carol.id],
    due_at: iso(lastMinute),
    status: 'Done',
  })
  await ann.call('create_task', {
    project_id: project.id,
    title: 'Not hers',
    assignee_ids: [ann.id],
    due_at: iso(lastMinute),
  })
  await carol.call('create_task', {
    project_id: other.id,
    title: 'Private',
    assignee_ids: [carol.id],
    due_at: iso(lastMinute - 1000),
  })
  const timeOff = await carol.call('create_time_off', {
    starts_on: '2026-12-03',
    ends_on: '2026-12-04',
    kind: 'vacation',
  })
  const titles = (item: { conflicts: { item: { title: string } }[] }) =>
    item.conflicts.map((conflict) => conflict.item.title)
  assert.deepEqual(titles(timeOff), ['Private', 'Inside'])
  assert.deepEqual(titles((await ann.call('list_time_off', { person_id: carol.id })).items[0]), [
    'Inside',
  ])
  assert.deepEqual(titles((await bob.call('list_time_off', { person_id: carol.id })).items[0]), [])
})

test('overlapping absences of one person are refused', async () => {
  const { ann, bob } = workspace
  const timeOff = await ann.call('create_time_off', {
    starts_on: '2027-01-04',
    ends_on: '2027-01-08',
    kind: 'vacation',
  })
  for (const [starts_on, ends_on] of [
    ['2027-01-08', '2027-01-09'],
    ['2027-01-01', '2027-01-31'],
    ['2027-01-05', '2027-01-05'],
  ]) {
    const refusal = await ann.refused('create_time_off', { starts_on, ends_on, kind: 'other' })
    assert.equal(refusal.code, 'conflict')
    assert.deepEqual(refusal.more.context, { existing_id: timeOff.id })
  }
  await ann.call('create_time_off', {
    starts_on: '2027-01-09',
    ends_on: '2027-01-09',
    kind: 'other',
  })
  await bob.call('create_time_off', {
    starts_on: '2027-01-04',
    ends_on: '2027-01-08',
    kind: 'vacation',
  })
})

test('absences that end before they begin, last too long or have invalid values are refused', async () => {
  const { ann } = workspace
  assert.equal(
    (
      await ann.refused('create_time_off', {
        starts_on: '2027-02-02',
        ends_on: '2027-02-01',
        kind: 'other',
      })
    ).more.field,
    'ends_on',
  )
  assert.equal(
    (
      await ann.refused('create_time_off', {
        starts_on: '2027-02-02',
        ends_on: '2037-02-01',
        kind: 'other',
      })
    ).more.field,
    'ends_on',
  )
  assert.equal(
    (
      await ann.refused('create_time_off', {
        starts_on: '2027-02-30',
        ends_on: '2027-03-01',
        kind: 'other',
      })
    ).more.field,
    'starts_on',
  )
  assert.equal(
    (
      await ann.refused('create_time_off', {
        starts_on: '2027-02-02',
        ends_on: '2027-02-02',
        kind: 'party',
      })
    ).more.field,
    'kind',
  )
})

test('an idempotency key records only one absence', async () => {
  const { bob } = workspace
  const args = {
    starts_on: '2027-03-01',
    ends_on: '2027-03-02',
    kind: 'other',
    idempotency_key: 'march',
  }
  assert.equal(
    (await bob.call('create_time_off', args)).id,
    (await bob.call('create_time_off', args)).id,
  )
})

test('absences are listed from today on, filtered by overlap, person and team, and paginated', async () => {
  const { ann, bob, carol } = workspace
  const list = async (args: object) =>
    (await ann.call('list_time_off', { ...args })).items.map(
      (item: { person: { title: string }; starts_on: string }) =>
        `${item.person.title} ${item.starts_on}`,
    )
  assert.deepEqual(await list({ from: '2026-11-25', to: '2026-12-03' }), [
    'Bob 2026-11-24',
    'Carol 2026-12-03',
  ])
  assert.deepEqual(await list({ from: '2026-11-26', to: '2026-12-02' }), [])
  await ann.call('create_team', { name: 'Away', member_ids: [carol.id, bob.id] })
  assert.deepEqual(await list({ team_id: 'away', to: '2026-12-31' }), [
    'Bob 2026-11-24',
    'Carol 2026-12-03',
  ])
  assert.deepEqual(await list({ person_id: 'me', to: '2027-01-08' }), ['Ann 2027-01-04'])
  const first = await ann.call('list_time_off', { team_id: 'away', limit: 1 })
  const second = await ann.call('list_time_off', {
    team_id: 'away',
    limit: 1,
    cursor: first.next_cursor,
  })
  assert.equal(second.items[0].person.title, 'Carol')
  assert.equal((await ann.refused('list_time_off', { to: '2026-01-01' })).more.field, 'to')
})

test('the person can cancel an absence until it is over', async () => {
  const { ann, bob } = workspace
  const timeOff = await bob.call('create_time_off', {
    starts_on: '2026-11-20',
    ends_on: '2026-11-20',
    kind: 'other',
  })
  assert.equal(
    (await ann.refused('cancel_time_off', { time_off_id: timeOff.id })).code,
    'permission_denied',
  )
  const cancellation = await bob.call('cancel_time_off', { time_off_id: timeOff.id })
  assert.equal(cancellation.restorable_until, '2026-12-20T12:00:00.000Z')
  assert.equal(
    (await bob.refused('cancel_time_off', { time_off_id: timeOff.id })).code,
    'not_found',
  )
  const past = await bob.call('create_time_off', {
    starts_on: '2026-11-18',
    ends_on: '2026-11-19',
    kind: 'sick',
  })
  assert.equal(past.status, 'past')
  assert.equal((await bob.refused('cancel_time_off', { time_off_id: past.id })).code, 'conflict')
  assert.deepEqual(
    (await bob.call('list_time_off', { from: '2026-11-01', to: '2026-11-20' })).items.map(
      (item: { id: string }) => item.id,
    ),
    [past.id],
  )
})

test('planned turns into past by the local day of the person', async () => {
  const { carol } = workspace
  const timeOff = await carol.call('create_time_off', {
    starts_on: '2026-11-20',
    ends_on: '2026-11-20',
    kind: 'other',
  })
  workspace.clock.pass(dayLong)
  const [now] = (
    await carol.call('list_time_off', { from: '2026-11-20', to: '2026-11-20', person_id: 'me' })
  ).items
  assert.equal(now.id, timeOff.id)
  assert.equal(now.status, 'past')
  workspace.clock.pass(-dayLong)
})

test('absences of another organization are not found', async () => {
  const { ann, eve } = workspace
  const timeOff = await ann.call('create_time_off', {
    starts_on: '2027-05-03',
    ends_on: '2027-05-03',
    kind: 'vacation',
  })
  assert.deepEqual((await eve.call('list_time_off')).items, [])
  assert.equal(
    (await eve.refused('cancel_time_off', { time_off_id: timeOff.id })).code,
    'not_found',
  )
  assert.equal((await eve.refused('list_time_off', { team_id: 'away' })).code, 'not_found')
})
