import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Id } from '../../../kernel/ids.ts'
import {
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
  project_id = (await ann.call('create_project', { name: 'Flow', member_ids: [bob.id] })).id
})
after(() => workspace.close())

/** A task's row, even in the trash. */
const rowOf = (id: string) =>
  workspace.app.store.read
    .selectFrom('tasks')
    .selectAll()
    .where('id', '=', id as Id<'tasks'>)
    .executeTakeFirstOrThrow()
const minimalStatuses = [
  { name: 'To do', category: 'todo' },
  { name: 'Done', category: 'done' },
]
const setWorkflow = (statuses: object[], more: object = {}) =>
  ann.call('set_project_workflow', { project_id, statuses, ...more })
const refused = (statuses: object[], more: object = {}) =>
  ann.refused('set_project_workflow', { project_id, statuses, ...more })

test('statuses are replaced in order; one with the same name keeps its tasks and color', async () => {
  const task = await ann.call('create_task', { project_id, title: 'Stays' })
  const before = await rowOf(task.id)
  const workflow = await setWorkflow([
    { name: 'DONE', category: 'done' },
    { name: 'to do', category: 'todo', wip_limit: 2 },
    { name: 'New', category: 'backlog', color: '#123456' },
  ])
  assert.deepEqual(workflow.statuses, [
    { name: 'DONE', category: 'done', color: '#22c55e', position: 0 },
    { name: 'to do', category: 'todo', color: '#64748b', position: 1, wip_limit: 2 },
    { name: 'New', category: 'backlog', color: '#123456', position: 2 },
  ])
  assert.equal((await rowOf(task.id)).status_id, before.status_id)
})

test('removing a status with tasks requires a target status, and reports the number of tasks', async () => {
  const task = await ann.call('create_task', { project_id, title: 'Moves', status: 'In review' })
  const refusal = await refused(minimalStatuses)
  assert.equal(refusal.code, 'conflict')
  assert.deepEqual(refusal.more.context, { statuses: [{ name: 'In review', tasks: 1 }] })
  assert.match(refusal.body().message, /"In review" has 1 task/)
  const workflow = await setWorkflow(minimalStatuses, { migrate: { 'in REVIEW': 'done' } })
  assert.deepEqual(workflow.notes, ['1 task moved from "In review" to "Done".'])
  const row = await rowOf(task.id)
  assert.deepEqual([row.status_category, row.completed_at], ['done', workspace.clock.now()])
})

test('a dry run reports the same and changes nothing', async () => {
  await ann.call('create_task', { project_id, title: 'Stays', status: 'In review' })
  const before = await ann.call('get_project', { project_id })
  const dry = await setWorkflow(minimalStatuses, {
    migrate: { 'In review': 'To do' },
    dry_run: true,
  })
  assert.equal(dry.statuses.length, 2)
  assert.deepEqual(await ann.call('get_project', { project_id }), before)
})

test('a renamed status keeps its tasks by its old name, even if two names are swapped', async () => {
  const todo = await ann.call('create_task', { project_id, title: 'One', status: 'To do' })
  const progress = await ann.call('create_task', {
    project_id,
    title: 'Two',
    status: 'In progress',
  })
  await setWorkflow([
    { name: 'In progress', category: 'todo', was: 'To do' },
    { name: 'To do', category: 'in_progress', was: 'In progress' },
    { name: 'Done', category: 'done' },
  ])
  assert.equal((await rowOf(todo.id)).status_category, 'todo')
  assert.equal((await rowOf(progress.id)).status_category, 'in_progress')
  const { statuses } = await ann.call('get_project', { project_id })
  assert.deepEqual(
    statuses.map((status: any) => status.name),
    ['In progress', 'To do', 'Done'],
  )
})

test('a status can take over the name of a removed one along with its tasks', async () => {
  const task = await ann.call('create_task', { project_id, title: 'One', status: 'Backlog' })
  await setWorkflow(
    [
      { name: 'Backlog', category: 'todo', was: 'To do' },
      { name: 'Done', category: 'done' },
    ],
    { migrate: { Backlog: 'Backlog' } },
  )
  assert.equal((await rowOf(task.id)).status_category, 'todo')
})

test('tasks follow their status into another category, and are completed or reopened accordingly', async () => {
  const done = await ann.call('create_task', { project_id, title: 'Was done', status: 'Done' })
  const review = await ann.call('create_task', {
    project_id,
    title: 'Was open',
    status: 'In review',
  })
  workspace.clock.pass(minute)
  const workflow = await setWorkflow([
    { name: 'To do', category: 'todo' },
    { name: 'Done', category: 'in_progress' },
    { name: 'In review', category: 'done' },
  ])
  assert.equal(workflow.notes.length, 2)
  const row = await rowOf(done.id)
  assert.deepEqual([row.status_category, row.completed_at], ['in_progress', null])
  assert.equal((await rowOf(review.id)).completed_at, workspace.clock.now())
})

test('a status whose tasks all go to a new one turns into it', async () => {
  const task = await ann.call('create_task', { project_id, title: 'One', status: 'In review' })
  const before = await rowOf(task.id)
  const workflow = await setWorkflow([...minimalStatuses, { name: 'Checked', category: 'done' }], {
    migrate: { 'In review': 'Checked', 'In progress': 'Checked' },
  })
  assert.deepEqual(workflow.notes, ['1 task in "Checked" went from in_progress to done.'])
  const after = await rowOf(task.id)
  assert.deepEqual([after.status_category, after.completed_at], ['done', workspace.clock.now()])
  assert.ok(after.revision > before.revision)
})

test('trashed tasks are moved along without asking, so that they can be restored', async () => {
  const task = await ann.call('create_task', { project_id, title: 'Trashed', status: 'In review' })
  await ann.call('delete_task', { task_id: task.id })
  await setWorkflow([...minimalStatuses, { name: 'Doing', category: 'in_progress' }])
  const row = await rowOf(task.id)
  assert.equal(row.status_category, 'in_progress')
})

test('a workflow needs a start and an end status, distinct names and consistent mappings', async () => {
  assert.match((await refused([{ name: 'Done', category: 'done' }])).message, /where tasks start/)
  assert.match((await refused([{ name: 'To do', category: 'todo' }])).message, /where tasks end/)
  assert.equal(
    (await refused([...minimalStatuses, { name: 'done ', category: 'done' }])).more.field,
    'statuses[2].name',
  )
  assert.equal(
    (await refused([...minimalStatuses, { name: 'X', category: 'done', was: 'Nothing' }])).more
      .field,
    'statuses[2].was',
  )
  assert.equal(
    (
      await refused([
        ...minimalStatuses,
        { name: 'X', category: 'done', was: 'Backlog' },
        { name: 'Y', category: 'done', was: 'backlog' },
      ])
    ).more.field,
    'statuses[3].was',
  )
  assert.match(
    (await refused(minimalStatuses, { migrate: { Backlog: 'Nowhere' } })).message,
    /has no status "Nowhere"/,
  )
  assert.match(
    (await refused(minimalStatuses, { migrate: { 'To do': 'Done' } })).message,
    /remains in the new workflow/,
  )
  assert.match(
    (await refused(minimalStatuses, { migrate: { Never: 'Done' } })).message,
    /no status is named "Never"/,
  )
  assert.equal(
    (await refused([...minimalStatuses, { name: 'X', category: 'sometime' }])).code,
    'invalid_argument',
  )
  assert.equal((await refused([])).code, 'invalid_argument')
})

test('only the lead can change the workflow', async () => {
  assert.equal(
    (await bob.refused('set_project_workflow', { project_id, statuses: minimalStatuses })).code,
    'permission_denied',
  )
  assert.equal(
    (
      await workspace.carol.refused('set_project_workflow', {
        project_id,
        statuses: minimalStatuses,
      })
    ).code,
    'not_found',
  )
  assert.equal(
    (await workspace.eve.refused('set_project_workflow', { project_id, statuses: minimalStatuses }))
      .code,
    'not_found',
  )
})
