import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Id } from '../../../kernel/ids.ts'
import {
  dayLong,
  hour,
  makeWorkspace,
  minute,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'

let workspace: TestWorkspace
let ann: Someone, bob: Someone
let project_id: string
before(async () => {
  workspace = await makeWorkspace()
  ;({ ann, bob } = workspace)
})
beforeEach(async () => {
  workspace.clock.at = Date.UTC(2026, 10, 16, 9) // a Monday, 10 o'clock in Berlin
  project_id = (await ann.call('create_project', { name: 'Sprinter', member_ids: [bob.id] })).id
})
after(() => workspace.close())

const week = { starts_on: '2026-11-16', ends_on: '2026-11-20' }
const createTask = (title: string, more: object = {}) =>
  ann.call('create_task', { project_id, title, ...more })
const rowOf = (id: string) =>
  workspace.app.store.read
    .selectFrom('tasks')
    .selectAll()
    .where('id', '=', id as Id<'tasks'>)
    .executeTakeFirstOrThrow()
const createSprint = (name: string, more: object = {}) =>
  ann.call('create_sprint', { project_id, name, ...week, ...more })
const titles = (tasks: any[]) => tasks.map((task) => task.title)

test('a sprint is planned with tasks of its project', async () => {
  const task = await createTask('One', { points: 3 })
  const created = await bob.call('create_sprint', {
    project_id,
    name: ' S1 ',
    goal: 'Ship',
    ...week,
    task_ids: [task.id, task.key],
  })
  assert.deepEqual(
    [created.name, created.goal, created.status, created.committed, created.done],
    ['S1', 'Ship', 'planned', { tasks: 1, points: 3 }, { tasks: 0, points: 0 }],
  )
  assert.equal((await rowOf(task.id)).sprint_id, created.id)
})

test('dates in the wrong order, sprints longer than a year and tasks of another project are refused', async () => {
  const refused = (more: object) =>
    ann.refused('create_sprint', { project_id, name: 'S', ...week, ...more })
  assert.equal((await refused({ ends_on: '2026-11-15' })).more.field, 'ends_on')
  assert.match((await refused({ ends_on: '2027-11-30' })).message, /366 days/)
  const other = await ann.call('create_project', { name: 'Other' })
  const task = await ann.call('create_task', { project_id: other.id, title: 'Foreign' })
  assert.match((await refused({ task_ids: [task.id] })).message, /does not belong/)
})

test('lists are newest first, filtered by status and paginated', async () => {
  const first = await createSprint('First')
  const second = await createSprint('Second', { starts_on: '2026-11-23', ends_on: '2026-11-27' })
  const page = await bob.call('list_sprints', { project_id, limit: 1 })
  assert.deepEqual(
    page.items.map((item: any) => item.id),
    [second.id],
  )
  assert.deepEqual(
    (await bob.call('list_sprints', { project_id, limit: 1, cursor: page.next_cursor })).items.map(
      (item: any) => item.id,
    ),
    [first.id],
  )
  await ann.call('start_sprint', { sprint_id: first.id })
  assert.deepEqual(
    (await bob.call('list_sprints', { project_id, status: ['active'] })).items.map(
      (item: any) => item.name,
    ),
    ['First'],
  )
  assert.equal((await bob.call('get_project', { project_id })).current_sprint.id, first.id)
})

test('only one sprint is active at a time; starting it twice changes nothing', async () => {
  const first = await createSprint('First')
  const second = await createSprint('Second')
  const started = await ann.call('start_sprint', { sprint_id: first.id })
  workspace.clock.pass(minute)
  assert.deepEqual(await ann.call('start_sprint', { sprint_id: first.id }), started)
  const refusal = await ann.refused('start_sprint', { sprint_id: second.id })
  assert.equal(refusal.code, 'conflict')
  assert.deepEqual(refusal.more.context, { active_sprint_id: first.id })
})

test('only a planned sprint can be cancelled, which releases its tasks', async () => {
  const task = await createTask('Freed')
  const sprint = await createSprint('Cancelled', { task_ids: [task.id] })
  const cancelled = await ann.call('update_sprint', { sprint_id: sprint.id, status: 'cancelled' })
  assert.equal(cancelled.status, 'cancelled')
  assert.equal((await rowOf(task.id)).sprint_id, null)
  assert.equal(
    (await ann.refused('update_sprint', { sprint_id: sprint.id, status: 'planned' })).code,
    'conflict',
  )
  assert.equal(
    (await ann.refused('update_sprint', { sprint_id: sprint.id, ends_on: '2026-11-25' })).code,
    'conflict',
  )
  assert.equal((await ann.refused('start_sprint', { sprint_id: sprint.id })).code, 'conflict')
  assert.equal((await ann.refused('complete_sprint', { sprint_id: sprint.id })).code, 'conflict')
  assert.equal(
    (await ann.refused('add_tasks_to_sprint', { sprint_id: sprint.id, task_ids: [task.id] })).code,
    'conflict',
  )
  const running = await createSprint('Running')
  await ann.call('start_sprint', { sprint_id: running.id })
  assert.equal(
    (await ann.refused('update_sprint', { sprint_id: running.id, status: 'cancelled' })).code,
    'conflict',
  )
  const changed = await ann.call('update_sprint', {
    sprint_id: running.id,
    name: 'Longer',
    goal: null,
    ends_on: '2026-11-27',
  })
  assert.deepEqual(
    [changed.name, changed.ends_on, 'goal' in changed],
    ['Longer', '2026-11-27', false],
  )
})

test('tasks are added to and removed from a sprint; ineligible ones are skipped with a reason', async () => {
  const sprint = await createSprint('S')
  const item = await createTask('One')
  const other = await ann.call('create_project', { name: 'Elsewhere' })
  const foreign = await ann.call('create_task', { project_id: other.id, title: 'Foreign' })
  const put = await ann.call('add_tasks_to_sprint', {
    sprint_id: sprint.id,
    task_ids: [item.id, foreign.id],
  })
  assert.deepEqual(
    [put.requested, put.changed, put.items[0].id, put.skipped],
    [
      2,
      1,
      item.id,
      [{ id: foreign.id, reason: 'It does not belong to the project of the sprint.' }],
    ],
  )
  const again = await ann.call('add_tasks_to_sprint', { sprint_id: sprint.id, task_ids: [item.id] })
  assert.deepEqual(
    [again.changed, again.skipped[0].reason, 'undo_call_id' in again],
    [0, 'It is already in this sprint.', false],
  )
  const out = await ann.call('add_tasks_to_sprint', {
    sprint_id: sprint.id,
    task_ids: [item.id],
    remove: true,
  })
  assert.equal(out.changed, 1)
  assert.equal(
    (
      await ann.call('add_tasks_to_sprint', {
        sprint_id: sprint.id,
        task_ids: [item.id],
        remove: true,
      })
    ).skipped[0].reason,
    'It is not in this sprint.',
  )
})

test('a report shows the course of a sprint, and is frozen when the sprint is closed', async () => {
  const done = await createTask('Done', { points: 3 })
  const left = await createTask('Left', { points: 5 })
  const out = await createTask('Out', { points: 1 })
  const sprint = await createSprint('S', { task_ids: [done.id, left.id, out.id] })
  await ann.call('start_sprint', { sprint_id: sprint.id })
  workspace.clock.pass(dayLong)
  await ann.call('update_task', { task_id: done.id, status: 'Done' })
  const late = await createTask('Late', { points: 2 })
  await bob.call('add_tasks_to_sprint', { sprint_id: sprint.id, task_ids: [late.id] })
  workspace.clock.pass(dayLong)
  await bob.call('add_tasks_to_sprint', { sprint_id: sprint.id, task_ids: [out.id], remove: true })

  const live = await bob.call('get_sprint_report', { sprint_id: sprint.id })
  assert.deepEqual(live.burndown, [
    { date: '2026-11-16', remaining: 9, ideal: 7.2 },
    { date: '2026-11-17', remaining: 8, ideal: 5.4 },
    { date: '2026-11-18', remaining: 7, ideal: 3.6 },
  ])
  assert.deepEqual(
    [live.velocity, live.velocity_unit, live.sprint.committed, live.sprint.done],
    [3, 'points', { tasks: 3, points: 9 }, { tasks: 1, points: 3 }],
  )
  assert.deepEqual(
    [
      titles(live.added_after_start),
      titles(live.removed_after_start),
      titles(live.completed),
      live.carried_over,
    ],
    [['Late'], ['Out'], ['Done'], []],
  )

  const next = await createSprint('Next')
  const dry = await ann.call('complete_sprint', {
    sprint_id: sprint.id,
    carry_over_to: next.id,
    dry_run: true,
  })
  assert.deepEqual([dry.dry_run, titles(dry.carried_over)], [true, ['Left', 'Late']])
  assert.equal(
    (await ann.call('get_sprint_report', { sprint_id: sprint.id })).sprint.status,
    'active',
  )
  const closed = await ann.call('complete_sprint', { sprint_id: sprint.id, carry_over_to: next.id })
  assert.deepEqual(
    [closed.sprint.status, closed.carried_to.id, closed.velocity, closed.counts.carried_over],
    ['completed', next.id, 3, 2],
  )
  assert.equal(
    (await ann.call('list_sprints', { project_id, status: ['planned'] })).items[0].committed.points,
    7,
  )

  workspace.clock.pass(dayLong)
  await ann.call('update_task', { task_id: done.id, status: 'To do' })
  await ann.call('delete_task', { task_id: left.id })
  const storedReport = await bob.call('get_sprint_report', { sprint_id: sprint.id })
  assert.deepEqual(
    [storedReport.velocity, storedReport.burndown, storedReport.sprint.done, storedReport.counts],
    [3, closed.burndown, { tasks: 1, points: 3 }, closed.counts],
  )
  assert.deepEqual(titles(storedReport.carried_over), ['Late'], 'what is in the trash is not shown')
  assert.deepEqual(
    (await ann.call('complete_sprint', { sprint_id: sprint.id })).counts,
    closed.counts,
  )
  assert.equal(
    (await ann.refused('complete_sprint', { sprint_id: sprint.id, carry_over_to: 'backlog' })).code,
    'conflict',
  )
})

test("without points velocity counts tasks, days follow the reader's time zone, and unfinished tasks go to the backlog", async () => {
  const item = await createTask('One')
  const two = await createTask('Two')
  const sprint = await createSprint('S', { task_ids: [item.id, two.id] })
  await ann.call('start_sprint', { sprint_id: sprint.id })
  workspace.clock.pass(14 * hour) // 23:00 UTC, midnight in Berlin
  await ann.call('update_task', { task_id: item.id, status: 'Done' })
  const closed = await ann.call('complete_sprint', { sprint_id: sprint.id })
  assert.deepEqual(
    [closed.velocity, closed.velocity_unit, 'carried_to' in closed],
    [1, 'tasks', false],
  )
  assert.deepEqual(
    closed.burndown.map((point: any) => [point.date, point.remaining]),
    [
      ['2026-11-16', 2],
      ['2026-11-17', 1],
    ],
  )
  assert.equal((await rowOf(two.id)).sprint_id, null)
  assert.equal((await rowOf(item.id)).sprint_id, sprint.id)
})

test('unfinished tasks can only be carried over to another planned sprint of the same project', async () => {
  const sprint = await createSprint('S')
  await ann.call('start_sprint', { sprint_id: sprint.id })
  const refused = (carry_over_to: string) =>
    ann.refused('complete_sprint', { sprint_id: sprint.id, carry_over_to })
  assert.equal((await refused(sprint.id)).more.field, 'carry_over_to')
  assert.equal((await refused('tomorrow')).code, 'not_found')
  const other = await ann.call('create_project', { name: 'Other place' })
  const foreign = await ann.call('create_sprint', { project_id: other.id, name: 'F', ...week })
  assert.equal((await refused(foreign.id)).code, 'not_found')
  const cancelled = await createSprint('Gone')
  await ann.call('update_sprint', { sprint_id: cancelled.id, status: 'cancelled' })
  assert.equal((await refused(cancelled.id)).code, 'conflict')
  assert.equal(
    (await ann.refused('complete_sprint', { sprint_id: (await createSprint('Planned')).id })).code,
    'conflict',
  )
})

test('the report of a planned sprint is empty', async () => {
  const sprint = await createSprint('S')
  const report = await ann.call('get_sprint_report', { sprint_id: sprint.id })
  assert.deepEqual([report.burndown, report.velocity, report.completed], [[], 0, []])
})

test('sprints are not visible outside the project', async () => {
  const sprint = await createSprint('Hidden')
  const task = await createTask('Hidden too')
  for (const who of [workspace.carol, workspace.eve]) {
    assert.equal((await who.refused('list_sprints', { project_id })).code, 'not_found')
    assert.equal(
      (await who.refused('create_sprint', { project_id, name: 'x', ...week })).code,
      'not_found',
    )
    assert.equal(
      (await who.refused('add_tasks_to_sprint', { sprint_id: sprint.id, task_ids: [task.id] }))
        .code,
      'not_found',
    )
    for (const tool of ['update_sprint', 'start_sprint', 'complete_sprint', 'get_sprint_report'])
      assert.equal((await who.refused(tool, { sprint_id: sprint.id })).code, 'not_found', tool)
  }
})

test('starting a sprint off its planned dates returns a warning', async () => {
  const early = await ann.call('start_sprint', {
    sprint_id: (await createSprint('Early', { starts_on: '2026-11-24', ends_on: '2026-11-30' })).id,
  })
  assert.match(early.warnings[0], /planned to start on 2026-11-24, in 8 days/)
  await ann.call('complete_sprint', { sprint_id: early.id })
  const late = await ann.call('start_sprint', {
    sprint_id: (await createSprint('Late', { starts_on: '2026-11-01', ends_on: '2026-11-15' })).id,
  })
  assert.match(late.warnings[0], /planned to end on 2026-11-15, 1 day ago/)
  await ann.call('complete_sprint', { sprint_id: late.id })
  assert.equal(
    (await ann.call('start_sprint', { sprint_id: (await createSprint('On time')).id })).warnings,
    undefined,
  )
})
