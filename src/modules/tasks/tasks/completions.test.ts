import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dayLong, makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  await workspace.ann.call('create_project', {
    name: 'Engineering',
    key: 'ENG',
    member_ids: [workspace.bob.id],
  })
  await workspace.ann.call('create_project', { name: 'Hidden', key: 'HID' })
})
after(() => workspace.close())

const make = (args: Record<string, unknown> = {}) =>
  workspace.ann.call('create_task', { project_id: 'ENG', title: 'A task', ...args })
const changesOf = async (id: string) =>
  (
    await workspace.app.store.read
      .selectFrom('changes')
      .select(['events_json'])
      .where('item_id', '=', id)
      .orderBy('seq')
      .execute()
  ).flatMap((row) => JSON.parse(row.events_json) as string[])

test('completing records the time, adds the comment and reports unblocked tasks', async () => {
  const { ann, bob } = workspace
  const task = await make({ title: 'Blocker' })
  const [free, stuck] = [await make({ title: 'Free' }), await make({ title: 'Stuck' })]
  const other = await make({ title: 'Other blocker' })
  for (const item of [free, stuck])
    await ann.call('add_task_dependency', { task_id: item.id, other_task_id: task.id })
  await ann.call('add_task_dependency', { task_id: stuck.id, other_task_id: other.id })
  const done = await bob.call('complete_task', { task_id: task.key, comment: 'Finally.' })
  assert.deepEqual(
    [done.status, done.status_category, done.completed_at, done.comment_count],
    ['Done', 'done', '2026-11-20T12:00:00.000Z', 1],
  )
  assert.deepEqual(
    done.unblocked.map((item: { title: string }) => item.title),
    ['Free'],
  )
  assert.ok((await changesOf(task.id)).includes('task.completed'))
  assert.ok((await changesOf(free.id)).includes('task.unblocked'))
  assert.ok(!(await changesOf(stuck.id)).includes('task.unblocked'))
})

test('completing again changes nothing, even with a comment', async () => {
  const { ann } = workspace
  const task = await make()
  const first = await ann.call('complete_task', { task_id: task.id })
  workspace.clock.pass(dayLong)
  const second = await ann.call('complete_task', { task_id: task.id, comment: 'Again' })
  assert.deepEqual(
    [second.revision, second.completed_at, second.comment_count],
    [first.revision, first.completed_at, 0],
  )
})

test('subtasks stay open unless they are included, at every depth', async () => {
  const { ann } = workspace
  const task = await make()
  const child = await make({ parent_id: task.id })
  const grandchild = await make({ parent_id: child.id })
  const closed = await make({ parent_id: task.id, status: 'Cancelled' })
  assert.deepEqual((await ann.call('complete_task', { task_id: task.id })).subtask_counts, {
    total: 2,
    done: 0,
  })
  await ann.call('reopen_task', { task_id: task.id })
  assert.deepEqual(
    (await ann.call('complete_task', { task_id: task.id, complete_subtasks: true })).subtask_counts,
    { total: 2, done: 1 },
  )
  assert.equal((await ann.call('get_task', { task_id: grandchild.id })).status_category, 'done')
  assert.equal((await ann.call('get_task', { task_id: closed.id })).status_category, 'cancelled')
})

test('subtasks of an already completed task can be completed too', async () => {
  const { ann } = workspace
  const task = await make()
  const child = await make({ parent_id: task.id })
  const waiting = await make()
  await ann.call('add_task_dependency', { task_id: waiting.id, other_task_id: child.id })
  const first = await ann.call('complete_task', { task_id: task.id })
  const again = await ann.call('complete_task', {
    task_id: task.id,
    complete_subtasks: true,
    comment: 'Once more.',
  })
  assert.deepEqual(
    [again.subtask_counts, again.completed_at, again.comment_count],
    [{ total: 1, done: 1 }, first.completed_at, 0],
  )
  assert.deepEqual(
    again.unblocked.map((item: { id: string }) => item.id),
    [waiting.id],
  )
})

test('an invisible unblocked task is not reported', async () => {
  const { ann, bob } = workspace
  const task = await make()
  const hidden = await ann.call('create_task', { project_id: 'HID', title: 'Hidden' })
  await ann.call('add_task_dependency', { task_id: hidden.id, other_task_id: task.id })
  assert.equal((await bob.call('complete_task', { task_id: task.id })).unblocked, undefined)
})

test('completing a repeating task in any way creates the next one', async () => {
  const { ann } = workspace
  for (const complete of [
    (id: string) => ann.call('complete_task', { task_id: id }),
    (id: string) => ann.call('update_task', { task_id: id, status: 'Done' }),
  ]) {
    const task = await make({ title: 'Weekly', due_at: '2026-11-27' })
    await ann.call('set_task_recurrence', { task_id: task.id, rrule: 'FREQ=WEEKLY' })
    const done = await complete(task.id)
    const next = await ann.call('get_task', { task_id: done.next_occurrence.id })
    assert.deepEqual(
      [next.title, next.due_at, next.status_category],
      ['Weekly', '2026-12-04T22:59:59.000Z', 'todo'],
    )
    assert.equal((await ann.call('reopen_task', { task_id: task.id })).recurrence, undefined)
  }
})

test('a closed task is reopened into the first todo status, or the given one', async () => {
  const { ann } = workspace
  const task = await make()
  await ann.call('complete_task', { task_id: task.id })
  const refusal = await ann.refused('reopen_task', { task_id: task.id, status: 'Cancelled' })
  assert.match(
    refusal.body().message,
    /"Cancelled" is closed.*Backlog, To do, In progress, In review/,
  )
  const open = await ann.call('reopen_task', { task_id: task.id, reason: 'It broke.' })
  assert.deepEqual([open.status, open.completed_at, open.comment_count], ['To do', undefined, 1])
  assert.ok((await changesOf(task.id)).includes('task.reopened'))
  const same = await ann.call('reopen_task', { task_id: task.id, status: 'In review' })
  assert.deepEqual(
    [same.status, same.revision],
    ['To do', open.revision],
    'an open one stays as it is',
  )
  await ann.call('update_task', { task_id: task.id, status: 'Cancelled' })
  assert.equal(
    (await ann.call('reopen_task', { task_id: task.id, status: 'in review' })).status,
    'In review',
  )
})

test('the burndown of a running sprint records completion and reopening', async () => {
  const { ann, app } = workspace
  const sprint = await ann.call('create_sprint', {
    project_id: 'ENG',
    name: 'Now',
    starts_on: '2026-11-16',
    ends_on: '2026-11-29',
  })
  await ann.call('start_sprint', { sprint_id: sprint.id })
  const task = await make({ sprint_id: sprint.id, points: 3 })
  await ann.call('complete_task', { task_id: task.id })
  await ann.call('reopen_task', { task_id: task.id })
  await ann.call('update_task', { task_id: task.id, sprint_id: null })
  const moves = await app.store.read
    .selectFrom('sprint_moves')
    .select(['op', 'points'])
    .where('task_id', '=', task.id)
    .orderBy('id')
    .execute()
  assert.deepEqual(
    moves.map((move) => move.op),
    ['added', 'completed', 'reopened', 'removed'],
  )
})

test('assigning sets the assignees and notifies new ones', async () => {
  const { ann, bob, carol } = workspace
  const task = await make({ assignee_ids: ['me'] })
  const both = await ann.call('assign_task', {
    task_id: task.id,
    assignee_ids: ['me', bob.id, 'bob@acme.test'],
    note: 'Together.',
  })
  assert.deepEqual(both.assignees.map((assignee: { title: string }) => assignee.title).sort(), [
    'Ann',
    'Bob',
  ])
  assert.equal(both.comment_count, 1)
  const again = await ann.call('assign_task', {
    task_id: task.id,
    assignee_ids: [bob.id, ann.id],
    note: 'Together.',
  })
  assert.deepEqual([again.revision, again.comment_count], [both.revision, 1])
  assert.deepEqual(
    (await ann.call('assign_task', { task_id: task.id, assignee_ids: [] })).assignees,
    [],
  )
  assert.equal((await changesOf(task.id)).filter((name) => name === 'task.assigned').length, 1)
  assert.match(
    (await ann.refused('assign_task', { task_id: task.id, assignee_ids: [carol.id] })).message,
    /Carol is not a member/,
  )
  assert.equal(
    (await ann.refused('assign_task', { task_id: task.id, assignee_ids: [workspace.eve.id] })).code,
    'not_found',
  )
})
