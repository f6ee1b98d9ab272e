import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runTick } from '../../../operations/jobs/system.ts'
import { dayAt } from '../../../kernel/time/times.ts'
import { dayLong, hour, makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'
import { overdueTick, repeatTick } from '../ticks.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob } = workspace
  await ann.call('create_project', { name: 'Engine', key: 'ENG' })
  await ann.call('add_project_member', { project_id: 'ENG', person_id: bob.id })
})
after(() => workspace.close())

const add = (args: Record<string, unknown>) =>
  workspace.ann.call('create_task', { project_id: 'ENG', ...args })
const get = (id: string) => workspace.ann.call('get_task', { task_id: id })

/** Runs the ticks that are due and returns the tasks they create. */
async function tick(): Promise<any[]> {
  const ids = async () =>
    new Set<string>(
      (await workspace.app.store.read.selectFrom('tasks').select('id').execute()).map(
        (row) => row.id,
      ),
    )
  const before = await ids()
  while (await runTick(workspace.app, repeatTick));
  const createdIds = [...(await ids())].filter((id) => !before.has(id))
  return Promise.all(createdIds.map(get))
}

async function eventsOf(id: string): Promise<string[]> {
  const rows = await workspace.app.store.read
    .selectFrom('changes')
    .select('events_json')
    .where('item_id', '=', id)
    .orderBy('seq')
    .execute()
  return rows.flatMap((row) => JSON.parse(row.events_json) as string[])
}

test('completing a task creates the next one, with everything but its progress', async () => {
  const { ann, bob } = workspace
  const label = await ann.call('create_label', { name: 'Routine' })
  const task = await add({
    title: 'Report',
    description_markdown: 'Numbers',
    priority: 'high',
    due_at: '2026-11-23T16:00:00Z',
    start_at: '2026-11-23T08:00:00Z',
    estimate_minutes: 90,
    points: 3,
    assignee_ids: [bob.id],
    label_ids: [label.id],
  })
  const sub = await add({ title: 'Collect', parent_id: task.id, due_at: '2026-11-22T16:00:00Z' })
  await add({ title: 'Ask around', parent_id: sub.id })
  await ann.call('complete_task', { task_id: sub.id })
  const set = await ann.call('set_task_recurrence', {
    task_id: task.id,
    rrule: 'rrule:freq=weekly',
  })
  assert.deepEqual(set.recurrence, {
    rrule: 'FREQ=WEEKLY',
    timezone: 'Europe/Berlin',
    create_next: 'on_completion',
    next_at: '2026-11-30T16:00:00.000Z',
  })

  const done = await ann.call('complete_task', { task_id: task.id })
  const next = await get(done.next_occurrence.id)
  for (const field of [
    'title',
    'description_markdown',
    'priority',
    'estimate_minutes',
    'points',
    'labels',
    'assignees',
  ])
    assert.deepEqual(next[field], task[field], field)
  assert.equal(next.status_category, 'todo')
  assert.equal(next.due_at, '2026-11-30T16:00:00.000Z')
  assert.equal(next.start_at, '2026-11-30T08:00:00.000Z')
  assert.equal(next.recurrence.next_at, '2026-12-07T16:00:00.000Z')
  assert.deepEqual(next.subtask_counts, { total: 1, done: 0 })
  assert.equal((await get(task.id)).recurrence, undefined)
  const copied = (await ann.call('get_task', { task_id: next.id, include: ['subtasks'] }))
    .subtasks[0]
  assert.equal(copied.title, 'Collect')
  assert.equal(copied.due_at, '2026-11-29T16:00:00.000Z')
  assert.deepEqual(copied.subtask_counts, { total: 1, done: 0 })
  assert.ok((await eventsOf(next.id)).includes('task.assigned'))
})

test('undoing the completion removes the next task and restores the rule', async () => {
  const { ann } = workspace
  const task = await add({ title: 'Undone', due_at: '2026-11-23' })
  await ann.call('set_task_recurrence', { task_id: task.id, rrule: 'FREQ=DAILY' })
  const { next_occurrence } = await ann.call('complete_task', { task_id: task.id })
  const { call_id } = await workspace.app.store.read
    .selectFrom('changes')
    .select('call_id')
    .where('item_id', '=', next_occurrence.id)
    .executeTakeFirstOrThrow()
  assert.equal((await ann.call('undo_api_call', { call_id })).undone, true)
  assert.equal((await get(task.id)).recurrence.rrule, 'FREQ=DAILY')
  assert.equal((await ann.refused('get_task', { task_id: next_occurrence.id })).code, 'not_found')
  await ann.call('set_task_recurrence', { task_id: task.id, rrule: null })
})

test('a task that has already repeated does not repeat again when reopened and completed once more', async () => {
  const { ann } = workspace
  const task = await add({ title: 'Once', due_at: '2026-11-23' })
  await ann.call('set_task_recurrence', { task_id: task.id, rrule: 'FREQ=DAILY' })
  assert.ok((await ann.call('complete_task', { task_id: task.id })).next_occurrence)
  await ann.call('reopen_task', { task_id: task.id })
  assert.equal((await ann.call('complete_task', { task_id: task.id })).next_occurrence, undefined)
})

test('a task completed late is next due in the future, not in the past', async () => {
  const { ann, clock } = workspace
  const task = await add({ title: 'Late', due_at: '2026-11-02T09:00:00+01:00' })
  await ann.call('set_task_recurrence', { task_id: task.id, rrule: 'FREQ=WEEKLY;INTERVAL=2' })
  const done = await ann.call('complete_task', { task_id: task.id })
  const next = await get(done.next_occurrence.id)
  assert.ok(Date.parse(next.due_at) > clock.now())
  assert.equal(next.due_at, '2026-11-30T08:00:00.000Z')
})

test('a rule ends after its count, which carries over through all its tasks', async () => {
  const { ann } = workspace
  let task = await add({ title: 'Thrice', due_at: '2026-11-23T09:00:00Z' })
  await ann.call('set_task_recurrence', { task_id: task.id, rrule: 'FREQ=DAILY;COUNT=3' })
  const due: string[] = []
  for (;;) {
    const { next_occurrence } = await ann.call('complete_task', { task_id: task.id })
    if (!next_occurrence) break
    task = await get(next_occurrence.id)
    due.push(task.due_at.slice(0, 10))
  }
  assert.deepEqual(due, ['2026-11-24', '2026-11-25'])
})

test('a task without dates repeats at the end of the day', async () => {
  const task = await add({ title: 'Undated' })
  const { recurrence } = await workspace.ann.call('set_task_recurrence', {
    task_id: task.id,
    rrule: 'FREQ=WEEKLY;BYDAY=MO',
    timezone: 'America/New_York',
  })
  assert.equal(recurrence.next_at, '2026-11-24T04:59:59.000Z')
})

test('parts of a recurrence are changed separately; a null rule stops it', async () => {
  const { ann } = workspace
  const task = await add({ title: 'Changing', due_at: '2026-11-23T16:00:00Z' })
  const set = (args: Record<string, unknown>) =>
    ann.call('set_task_recurrence', { task_id: task.id, ...args })
  await set({ rrule: 'FREQ=DAILY', ends_on: '2026-12-01', create_next: 'on_schedule' })
  const changed = await set({ ends_on: null, timezone: 'Asia/Tokyo' })
  assert.deepEqual(changed.recurrence, {
    rrule: 'FREQ=DAILY',
    timezone: 'Asia/Tokyo',
    create_next: 'on_schedule',
    next_at: '2026-11-24T08:00:00.000Z',
  })
  assert.equal((await set({ ends_on: null, timezone: 'Asia/Tokyo' })).revision, changed.revision)
  const stopped = await set({ rrule: null })
  assert.equal(stopped.recurrence, undefined)
  assert.deepEqual(await tick(), [])
})

test('invalid rules are refused', async () => {
  const { ann } = workspace
  const task = await add({ title: 'Refusing', due_at: '2026-11-23' })
  const refused = (args: Record<string, unknown>) =>
    ann.refused('set_task_recurrence', { task_id: task.id, ...args })
  assert.match((await refused({ rrule: 'FREQ=MINUTELY' })).message, /shortest frequency is DAILY/)
  assert.match((await refused({})).message, /a rule is required/)
  assert.equal(
    (await refused({ rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' })).more.field,
    'rrule',
  )
  assert.equal(
    (await refused({ rrule: 'FREQ=DAILY', ends_on: '2026-11-01' })).more.field,
    'ends_on',
  )
  assert.equal(
    (await refused({ rrule: 'FREQ=DAILY', timezone: 'Mars/Olympus' })).code,
    'invalid_argument',
  )
  await ann.call('complete_task', { task_id: task.id })
  assert.equal((await refused({ rrule: 'FREQ=DAILY' })).code, 'conflict')
})

test('strangers and colleagues outside the project cannot find the task to repeat', async () => {
  const { carol, eve } = workspace
  const task = await add({ title: 'Private' })
  for (const someone of [carol, eve])
    assert.equal(
      (await someone.refused('set_task_recurrence', { task_id: task.id, rrule: 'FREQ=DAILY' }))
        .code,
      'not_found',
    )
})

test('on schedule the next task is created once on the morning of its day, whether or not the last one is done', async () => {
  const { ann, clock } = workspace
  const task = await add({ title: 'Standup notes', due_at: '2026-11-20T16:00:00Z' })
  await ann.call('set_task_recurrence', {
    task_id: task.id,
    rrule: 'FREQ=DAILY',
    create_next: 'on_schedule',
  })
  assert.equal((await ann.call('complete_task', { task_id: task.id })).next_occurrence, undefined)
  assert.deepEqual(await tick(), [])
  clock.pass(11 * hour) // midnight in Berlin
  const [created, ...others] = await tick()
  assert.deepEqual(others, [])
  assert.equal(created.due_at, '2026-11-21T16:00:00.000Z')
  assert.equal(created.created_via, 'automation')
  assert.deepEqual(await tick(), [])
  assert.equal((await get(task.id)).recurrence, undefined)
  await ann.call('set_task_recurrence', { task_id: created.id, rrule: null })
})

test('after long downtime only one task is created, and trashed tasks and archived projects are skipped', async () => {
  const { ann, clock } = workspace
  const daily = await add({ title: 'Daily', due_at: '2026-11-22T16:00:00Z' })
  const trashed = await add({ title: 'Trashed', due_at: '2026-11-22T16:00:00Z' })
  await ann.call('create_project', { name: 'Old', key: 'OLD' })
  const archived = await ann.call('create_task', {
    project_id: 'OLD',
    title: 'Archived',
    due_at: '2026-11-22T16:00:00Z',
  })
  for (const item of [daily, trashed, archived])
    await ann.call('set_task_recurrence', {
      task_id: item.id,
      rrule: 'FREQ=DAILY',
      create_next: 'on_schedule',
    })
  await ann.call('delete_task', { task_id: trashed.id })
  await ann.call('archive_project', { project_id: 'OLD' })
  clock.pass(400 * dayLong)
  const created = await tick()
  assert.deepEqual(
    created.map((item) => item.title),
    ['Daily'],
  )
  assert.equal(
    dayAt(Date.parse(created[0].due_at), 'Europe/Berlin'),
    dayAt(clock.now(), 'Europe/Berlin'),
  )
  await ann.call('set_task_recurrence', { task_id: created[0].id, rrule: null })
})

test('an open task that passes its due date is reported once, and again after a new date', async () => {
  const { ann, clock } = workspace
  const soon = (hours: number) => new Date(clock.now() + hours * hour).toISOString()
  const task = await add({ title: 'Due soon', due_at: soon(1) })
  const done = await add({ title: 'Done in time', due_at: soon(1) })
  await ann.call('complete_task', { task_id: done.id })
  const received = async (id: string) => {
    while (await runTick(workspace.app, overdueTick));
    return (await eventsOf(id)).filter((event) => event === 'task.overdue').length
  }
  assert.equal(await received(task.id), 0)
  clock.pass(2 * hour)
  const { revision } = await get(task.id)
  assert.equal(await received(task.id), 1)
  assert.equal(await received(task.id), 1)
  assert.equal(await received(done.id), 0)
  assert.equal((await get(task.id)).revision, revision)
  await ann.call('update_task', { task_id: task.id, due_at: soon(3) })
  assert.equal(await received(task.id), 1)
  clock.pass(4 * hour)
  assert.equal(await received(task.id), 2)
})

test('a task repeating monthly from the 31st is next due at the end of a shorter month', async () => {
  const { ann, clock } = workspace
  clock.at = Date.UTC(2027, 0, 20, 12)
  const task = await add({ title: 'Close the books', due_at: '2027-01-31T17:00' })
  const set = await ann.call('set_task_recurrence', { task_id: task.id, rrule: 'FREQ=MONTHLY' })
  assert.deepEqual(set.notes, ['In months without a 31st it falls on their last day.'])
  const done = await ann.call('complete_task', { task_id: task.id })
  assert.equal((await get(done.next_occurrence.id)).due_at, '2027-02-28T16:00:00.000Z')
})
