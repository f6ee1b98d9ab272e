import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from '../../../testing/properties.ts'
import { Temporal } from 'temporal-polyfill'
import { localIso } from '../../../kernel/time/times.ts'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'

// A due day stays the same day for every reader, in any time zone.

let workspace: TestWorkspace
let ann: Someone
let bob: Someone
before(async () => {
  workspace = await makeWorkspace()
  ;({ ann, bob } = workspace) // Bob's zone is Europe/Berlin
  await ann.call('update_my_profile', { timezone: 'America/Los_Angeles' })
  Object.assign(ann.actor, { timezone: 'America/Los_Angeles' })
  await ann.call('create_project', { name: 'Days', key: 'DAY', member_ids: ['bob@acme.test'] })
})
after(() => workspace.close())

const keysOf = (page: { items: { key: string }[] }) => page.items.map((task) => task.key).toSorted()

test('a due day is the same day in every zone, and a due time is shown in the reader’s', async () => {
  const day = await ann.call('create_task', {
    project_id: 'DAY',
    title: 'A day',
    due_at: '2030-11-29',
    start_at: '2030-11-25',
  })
  assert.deepEqual(
    [day.due_at, day.due_on, day.due_local],
    ['2030-11-30T07:59:59.000Z', '2030-11-29', undefined],
  )
  const time = await ann.call('create_task', {
    project_id: 'DAY',
    title: 'A time',
    due_at: '2030-11-29T18:00',
  })
  assert.deepEqual([time.due_on, time.due_local], [undefined, '2030-11-29T18:00:00-08:00'])

  const seen = await bob.call('get_task', { task_id: day.key })
  assert.deepEqual([seen.due_on, seen.start_on], ['2030-11-29', '2030-11-25'])
  assert.equal(
    (await bob.call('get_task', { task_id: time.key })).due_local,
    '2030-11-30T03:00:00+01:00',
  )
  const listed = await bob.call('list_tasks', { project_id: 'DAY', fields: ['key', 'due_at'] })
  const inList = listed.items.map((item: any) => [item.key, item.due_on ?? item.due_local])
  assert.deepEqual(Object.fromEntries(inList), {
    [day.key]: '2030-11-29',
    [time.key]: '2030-11-30T03:00:00+01:00',
  })
  const graph = await bob.call('get_task_dependencies', { task_id: day.key })
  assert.equal(graph.nodes[0].due_on, '2030-11-29')
})

test('filters, counts, agenda and workload use the day for day-only due dates', async () => {
  const bobId = bob.id
  const due = { project_id: 'DAY', assignee_ids: [bobId] }
  const key = (
    await ann.call('create_task', { ...due, title: 'On the 10th', due_at: '2031-03-10' })
  ).key
  const late = (
    await ann.call('create_task', { ...due, title: 'At 20:00 there', due_at: '2031-03-10T20:00' })
  ).key // the 11th in Berlin

  assert.deepEqual(
    keysOf(await bob.call('list_tasks', { due_after: '2031-03-10', due_before: '2031-03-10' })),
    [key],
  )
  assert.deepEqual(
    keysOf(await bob.call('list_tasks', { due_after: '2031-03-11', due_before: '2031-03-11' })),
    [late],
  )
  assert.deepEqual(
    keysOf(await ann.call('list_tasks', { due_after: '2031-03-10', due_before: '2031-03-10' })),
    [key, late],
  )
  assert.equal(
    (
      await bob.call('count_tasks', {
        due_after: '2031-03-10',
        due_before: '2031-03-10',
        group_by: 'status',
      })
    ).total,
    1,
  )
  assert.deepEqual(
    keysOf(
      await bob.call('list_tasks', {
        due_after: '2031-03-11T00:00',
        due_before: '2031-03-11T23:00',
      }),
    ),
    [key, late],
    'moments stay moments',
  )

  const agendaOf = async (date: string) => (await bob.call('get_my_agenda', { date })).tasks_due
  assert.deepEqual(
    (await agendaOf('2031-03-10')).map((task: any) => [task.key, task.due_on]),
    [[key, '2031-03-10']],
  )
  assert.deepEqual(
    (await agendaOf('2031-03-11')).map((task: any) => [task.key, task.due_local]),
    [[late, '2031-03-11T04:00:00+01:00']],
  )
  const workload = await ann.call('get_person_workload', {
    person_id: bobId,
    from: '2031-03-01',
    to: '2031-03-10',
  })
  assert.equal(workload.open_tasks, 1)
})

test('tasks are counted in the week of their stated due day', async () => {
  await ann.call('create_project', { name: 'Weeks', key: 'WEEK', member_ids: [bob.id] })
  const add = (due_at?: string) =>
    ann.call('create_task', { project_id: 'WEEK', title: 'W', ...(due_at ? { due_at } : {}) })
  for (const due of ['2032-02-01', '2032-02-02', '2032-02-01T20:00']) await add(due) // a Sunday, a Monday, and a Monday in Berlin
  await add()
  const { groups } = await bob.call('count_tasks', { project_id: 'WEEK', group_by: 'due_week' })
  assert.deepEqual(
    groups.map((group: any) => [group.key, group.count]),
    [
      ['2032-01-26', 1],
      ['2032-02-02', 2],
      ['none', 1],
    ],
  )
})

test('a repeating task advances by days, even if its rule is in another time zone', async () => {
  const first = await ann.call('create_task', {
    project_id: 'DAY',
    title: 'Weekly',
    due_at: '2030-06-03',
    start_at: '2030-06-01',
  })
  const child = await ann.call('create_task', {
    project_id: 'DAY',
    title: 'Part',
    parent_id: first.key,
    due_at: '2030-06-02',
  })
  const withRule = await ann.call('set_task_recurrence', {
    task_id: first.key,
    rrule: 'FREQ=WEEKLY',
    timezone: 'Asia/Tokyo',
  })
  assert.equal(withRule.recurrence.next_on, '2030-06-10')
  const next = (await ann.call('complete_task', { task_id: first.key })).next_occurrence
  const occurrence = await ann.call('get_task', { task_id: next.key, include: ['subtasks'] })
  assert.deepEqual([occurrence.due_on, occurrence.start_on], ['2030-06-10', '2030-06-08'])
  assert.equal(occurrence.subtasks[0].due_on, '2030-06-09')
  assert.equal(occurrence.due_at, '2030-06-10T14:59:59.000Z')
  assert.equal(child.due_on, '2030-06-02')
})

test('a due day and a due time replace each other, and undo restores the day', async () => {
  const by = { key: await workspace.key(ann) }
  const { key } = await ann.call('create_task', {
    project_id: 'DAY',
    title: 'Changing',
    due_at: '2030-05-05',
  })
  const timed = await ann.call('update_task', { task_id: key, due_at: '2030-05-05T23:59:59' }, by)
  assert.deepEqual([timed.due_on, timed.due_local], [undefined, '2030-05-05T23:59:59-07:00'])
  const [last] = (await ann.call('list_api_calls', { tool: 'update_task', limit: 1 }, by)).items
  await ann.call('undo_api_call', { call_id: last.id }, by)
  assert.equal((await ann.call('get_task', { task_id: key })).due_on, '2030-05-05')
  const cleared = await ann.call('update_task', { task_id: key, due_at: null })
  assert.deepEqual([cleared.due_at, cleared.due_on], [undefined, undefined])
  const refusal = await ann.refused('update_task', {
    task_id: key,
    due_at: '2030-05-05',
    start_at: '2030-05-06',
  })
  assert.match(refusal.message, /start/)
  await ann.call('update_task', { task_id: key, due_at: '2030-05-05', start_at: '2030-05-05' })
})

test('local times match Temporal in every zone and around every clock change', () => {
  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/Los_Angeles',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Africa/Monrovia',
    'Pacific/Apia',
    'America/St_Johns',
  ]
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: Date.UTC(1973, 0, 1), max: Date.UTC(2100, 0, 1) }),
      (zone, at) => {
        const expected = Temporal.Instant.fromEpochMilliseconds(at)
          .toZonedDateTimeISO(zone)
          .toString({ timeZoneName: 'never', smallestUnit: 'second' })
        assert.equal(localIso(at, zone), expected)
      },
    ),
    { numRuns: 2000 },
  )
})
