import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hour, makeWorkspace, minute, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob } = workspace
  await ann.call('create_project', { name: 'Engineering', key: 'ENG', member_ids: [bob.id] })
  await ann.call('create_project', { name: 'Other', key: 'OTH' })
  await ann.call('create_custom_field', {
    project_id: 'ENG',
    name: 'Size',
    type: 'select',
    options: ['Small', 'Large'],
  })
  await ann.call('create_label', { name: 'Bug' })
})
after(() => workspace.close())

const make = (args: Record<string, unknown> = {}) =>
  workspace.ann.call('create_task', { project_id: 'ENG', title: 'A task', ...args })
const eventsOf = async (id: string) => {
  const rows = await workspace.app.store.read
    .selectFrom('changes')
    .select('events_json')
    .where('item_id', '=', id)
    .orderBy('seq')
    .execute()
  return rows.map((row) => JSON.parse(row.events_json) as string[])
}

test('a new task gets a key, the first todo status and its creator as watcher', async () => {
  const task = await make({ title: '  Ship it  ', description_markdown: 'All of *it*.' })
  assert.match(task.key, /^ENG-\d+$/)
  assert.equal(task.title, 'Ship it')
  assert.equal(task.description_markdown, 'All of *it*.')
  assert.deepEqual(
    [task.status, task.status_category, task.priority, task.revision],
    ['To do', 'todo', 'none', 1],
  )
  assert.deepEqual(
    task.watchers.map((watcher: { title: string }) => watcher.title),
    ['Ann'],
  )
  assert.equal(task.watching, true)
  assert.deepEqual(await eventsOf(task.id), [['task.created']])
})

test('a task accepts every supported field', async () => {
  const { bob } = workspace
  const parent = await make({ title: 'Parent' })
  const sprint = await workspace.ann.call('create_sprint', {
    project_id: 'ENG',
    name: 'One',
    starts_on: '2026-11-16',
    ends_on: '2026-11-29',
  })
  const milestone = await workspace.ann.call('create_milestone', {
    project_id: 'ENG',
    name: 'Beta',
  })
  const task = await make({
    status: 'in PROGRESS',
    priority: 'high',
    assignee_ids: ['bob@acme.test'],
    due_at: '2026-11-25',
    start_at: '2026-11-23',
    estimate_minutes: 90,
    points: 2.5,
    parent_id: parent.key,
    sprint_id: sprint.id,
    milestone_id: milestone.id,
    label_ids: ['bug'],
    custom_fields: { size: 'large' },
  })
  assert.deepEqual(
    [task.status, task.status_category, task.priority, task.estimate_minutes, task.points],
    ['In progress', 'in_progress', 'high', 90, 2.5],
  )
  assert.deepEqual(
    [task.start_at, task.due_at],
    ['2026-11-22T23:00:00.000Z', '2026-11-25T22:59:59.000Z'],
    'days are days of the caller in Berlin',
  )
  assert.deepEqual(
    [
      task.parent.key,
      task.sprint.title,
      task.milestone.title,
      task.labels[0].title,
      task.custom_fields,
    ],
    [parent.key, 'One', 'Beta', 'Bug', { Size: 'Large' }],
  )
  assert.equal(task.assignees[0].id, bob.id)
  assert.ok((await eventsOf(task.id))[0]!.includes('task.assigned'))
  const whole = await bob.call('get_task', { task_id: parent.key, include: ['subtasks'] })
  assert.deepEqual(whole.subtask_counts, { total: 1, done: 0 })
  assert.equal(whole.subtasks[0].key, task.key)
})

test('values that do not fit the project are refused with an explanation', async () => {
  const { ann, carol } = workspace
  const refused = (args: Record<string, unknown>) =>
    ann.refused('create_task', { project_id: 'ENG', title: 'x', ...args })
  const status = await refused({ status: 'Nope' })
  assert.equal(status.code, 'invalid_argument')
  assert.match(status.body().message, /Its statuses are Backlog, To do/)
  const stranger = await refused({ assignee_ids: [carol.id] })
  assert.match(stranger.body().message, /Carol is not a member.*add_project_member/)
  assert.equal(stranger.more.next?.tool, 'add_project_member')
  const elsewhere = await ann.call('create_task', { project_id: 'OTH', title: 'Elsewhere' })
  assert.match((await refused({ parent_id: elsewhere.key })).message, /another project/)
  const sprint = await ann.call('create_sprint', {
    project_id: 'OTH',
    name: 'Theirs',
    starts_on: '2026-11-16',
    ends_on: '2026-11-29',
  })
  assert.match((await refused({ sprint_id: sprint.id })).message, /another project/)
  const milestone = await ann.call('create_milestone', { project_id: 'OTH', name: 'Theirs' })
  assert.match((await refused({ milestone_id: milestone.id })).message, /another project/)
  assert.match(
    (await refused({ start_at: '2026-12-02', due_at: '2026-12-01' })).message,
    /start must not be after/,
  )
  assert.match(
    (await refused({ custom_fields: { Color: 'red' } })).body().message,
    /no such field.*Size/,
  )
  assert.match((await refused({ title: '   ' })).message, /must not be blank/)
  assert.match((await refused({ due_at: '2026-02-30' })).message, /not a calendar date/)
})

test('outsiders cannot find a task by id, key, list or part', async () => {
  const { ann, carol, eve } = workspace
  const task = await make({ title: 'Secret canary' })
  for (const someone of [carol, eve]) {
    for (const [tool, args] of [
      ['get_task', {}],
      ['update_task', { title: 'x' }],
      ['delete_task', {}],
      ['complete_task', {}],
      ['reopen_task', {}],
      ['assign_task', { assignee_ids: [] }],
      ['move_task', {}],
      ['create_subtasks', { subtasks: [{ title: 'x' }] }],
    ] as const) {
      for (const task_id of [task.id, task.key])
        assert.equal((await someone.refused(tool, { task_id, ...args })).code, 'not_found', tool)
    }
    assert.equal(
      (await someone.refused('create_task', { project_id: 'ENG', title: 'x' })).code,
      'not_found',
    )
    assert.deepEqual((await someone.call('list_tasks')).items, [])
    assert.equal((await someone.call('count_tasks', { group_by: 'project' })).total, 0)
    assert.deepEqual((await someone.call('search_tasks', { query: 'canary' })).items, [])
  }
  assert.equal((await ann.call('get_task', { task_id: task.key.toLowerCase() })).id, task.id)
})

test('an update changes the given fields, null clears, and the revision increments', async () => {
  const { ann } = workspace
  const task = await make({
    due_at: '2026-11-25',
    points: 3,
    priority: 'low',
    custom_fields: { Size: 'Small' },
  })
  const changed = await ann.call('update_task', {
    task_id: task.id,
    title: 'Renamed',
    due_at: null,
    points: null,
    description_markdown: 'More.',
    add_label_ids: ['Bug'],
    custom_fields: { size: null },
    expected_revision: 1,
  })
  assert.deepEqual(
    [
      changed.title,
      changed.due_at,
      changed.points,
      changed.priority,
      changed.labels.length,
      changed.custom_fields,
    ],
    ['Renamed', undefined, undefined, 'low', 1, {}],
  )
  assert.equal(changed.revision, 2)
  const stale = await ann.refused('update_task', {
    task_id: task.id,
    title: 'Again',
    expected_revision: 1,
  })
  assert.equal(stale.code, 'conflict')
  const same = await ann.call('update_task', { task_id: task.id, title: 'Renamed' })
  assert.equal(same.revision, 2, 'an update without changes does not increment the revision')
  const off = await ann.call('update_task', {
    task_id: task.id,
    remove_label_ids: ['Bug'],
    watching: false,
  })
  assert.deepEqual([off.labels, off.watching, off.watchers, off.revision], [[], false, [], 3])
  assert.match(
    (
      await ann.refused('update_task', {
        task_id: task.id,
        start_at: '2026-12-24',
        due_at: '2026-12-01',
      })
    ).message,
    /start must not be after/,
  )
})

test('a status sets category, completion and events', async () => {
  const { ann } = workspace
  const task = await make()
  const started = await ann.call('update_task', { task_id: task.id, status: 'In review' })
  assert.deepEqual([started.status_category, started.completed_at], ['in_progress', undefined])
  const done = await ann.call('update_task', { task_id: task.id, status: 'done' })
  assert.deepEqual([done.status_category, done.completed_at], ['done', '2026-11-20T12:00:00.000Z'])
  const back = await ann.call('update_task', { task_id: task.id, status: 'Backlog' })
  assert.deepEqual([back.status_category, back.completed_at], ['backlog', undefined])
  const events = await eventsOf(task.id)
  assert.deepEqual(events.slice(1), [
    ['task.updated', 'task.status_changed'],
    ['task.updated', 'task.status_changed', 'task.completed'],
    ['task.updated', 'task.status_changed', 'task.reopened'],
  ])
})

test('a task cannot become a descendant of itself, or nest deeper than ten levels', async () => {
  const { ann } = workspace
  const chain = [await make({ title: 'Level 0' })]
  for (let i = 1; i <= 10; i++)
    chain.push(await make({ title: `Level ${i}`, parent_id: chain[i - 1].id }))
  assert.match(
    (await ann.refused('create_task', { project_id: 'ENG', title: 'x', parent_id: chain[10].id }))
      .message,
    /10 levels/,
  )
  assert.match(
    (await ann.refused('update_task', { task_id: chain[0].id, parent_id: chain[0].id })).message,
    /part of itself/,
  )
  assert.match(
    (await ann.refused('update_task', { task_id: chain[0].id, parent_id: chain[3].id })).message,
    /itself a subtask/,
  )
  const loose = await make({ title: 'Loose' })
  assert.match(
    (
      await ann.refused('update_task', {
        task_id: chain[1].id,
        parent_id: (await make({ parent_id: loose.id })).id,
      })
    ).message,
    /10 levels/,
  )
  const free = await ann.call('update_task', { task_id: chain[1].id, parent_id: null })
  assert.equal(free.parent, undefined)
})

test('deleting a task deletes its subtasks, and all are restored together', async () => {
  const { ann, bob } = workspace
  const task = await make({ title: 'Root zebra' })
  const child = await make({ title: 'Child', parent_id: task.id })
  const grandchild = await make({ title: 'Grandchild', parent_id: child.id })
  const dry = await bob.call('delete_task', { task_id: task.id, dry_run: true })
  assert.deepEqual([dry.dry_run, dry.also_deleted], [true, [{ type: 'task', count: 2 }]])
  assert.equal((await bob.call('get_task', { task_id: task.id })).title, 'Root zebra')
  const deletion = await bob.call('delete_task', { task_id: task.id })
  assert.equal(deletion.restorable_until, '2026-12-20T12:00:00.000Z')
  for (const item of [task, child, grandchild])
    assert.equal((await ann.refused('get_task', { task_id: item.id })).code, 'not_found')
  assert.equal((await ann.call('search_tasks', { query: 'zebra' })).items.length, 0)
  await ann.call('restore_item', { item_id: task.id })
  assert.equal((await ann.call('get_task', { task_id: grandchild.id })).parent.id, child.id)
  assert.equal((await ann.call('search_tasks', { query: 'zebra' })).items.length, 1)
})

test('one task is shown with the requested parts', async () => {
  const { ann, bob } = workspace
  const task = await make()
  const blocker = await make({ title: 'Blocker' })
  await ann.call('add_task_dependency', { task_id: task.id, other_task_id: blocker.id })
  for (let i = 0; i < 3; i++)
    await bob.call('add_task_comment', { task_id: task.id, body_markdown: `Comment ${i}` })
  const whole = await ann.call('get_task', {
    task_id: task.id,
    include: ['subtasks', 'dependencies', 'comments', 'attachments', 'activity', 'time'],
  })
  assert.deepEqual(
    whole.comments.map((comment: { body_markdown: string }) => comment.body_markdown),
    ['Comment 0', 'Comment 1', 'Comment 2'],
  )
  assert.deepEqual(
    whole.dependencies.map((dependency: { type: string; task: { key: string } }) => [
      dependency.type,
      dependency.task.key,
    ]),
    [['blocked_by', blocker.key]],
  )
  assert.equal(whole.blocked, true)
  assert.deepEqual(whole.time, { total_minutes: 0, entries: [] })
  assert.ok(whole.activity.length >= 4)
  const other = await ann.call('get_task', { task_id: blocker.id, include: ['dependencies'] })
  assert.deepEqual(
    [other.dependencies[0].type, other.dependencies[0].task.key, other.blocked],
    ['blocks', task.key, false],
  )
})

test('the same idempotency key creates one task', async () => {
  const { ann } = workspace
  const args = { project_id: 'ENG', title: 'Once', idempotency_key: 'k1' }
  const item = await ann.call('create_task', args)
  assert.equal((await ann.call('create_task', args)).id, item.id)
  assert.equal(
    (await ann.refused('create_task', { ...args, title: 'Twice' })).code,
    'idempotency_conflict',
  )
})

test('tasks of an archived project are read-only', async () => {
  const { ann } = workspace
  await ann.call('create_project', { name: 'Old', key: 'OLD' })
  const task = await ann.call('create_task', { project_id: 'OLD', title: 'Old task' })
  await ann.call('archive_project', { project_id: 'OLD', archived: true })
  assert.equal((await ann.call('get_task', { task_id: task.id })).title, 'Old task')
  for (const [tool, args] of [
    ['update_task', { title: 'x' }],
    ['delete_task', {}],
    ['complete_task', {}],
  ] as const) {
    const refusal = await ann.refused(tool, { task_id: task.id, ...args })
    assert.equal(refusal.code, 'permission_denied')
  }
  assert.equal(
    (await ann.refused('create_task', { project_id: 'OLD', title: 'x' })).code,
    'permission_denied',
  )
})

test('a required field must be set when a task is created, and cannot be cleared', async () => {
  const { ann } = workspace
  await ann.call('create_project', { name: 'Strict', key: 'STR' })
  await ann.call('create_custom_field', {
    project_id: 'STR',
    name: 'Cost',
    type: 'number',
    required: true,
  })
  assert.match(
    (await ann.refused('create_task', { project_id: 'STR', title: 'x' })).body().message,
    /"Cost" is required.*Cost \(number\)/,
  )
  const task = await ann.call('create_task', {
    project_id: 'STR',
    title: 'x',
    custom_fields: { cost: 5 },
  })
  assert.match(
    (await ann.refused('update_task', { task_id: task.id, custom_fields: { Cost: null } })).message,
    /required/,
  )
})

test('changing the due date resets its overdue notice', async () => {
  const { ann, app, clock } = workspace
  const task = await make({ due_at: '2026-11-20T13:00:00Z' })
  await app.store.writer.run(async () =>
    app.store.write
      .updateTable('tasks')
      .set({ overdue_told_at: clock.now() })
      .where('id', '=', task.id)
      .execute(),
  )
  const received = () =>
    app.store.read
      .selectFrom('tasks')
      .select('overdue_told_at')
      .where('id', '=', task.id)
      .executeTakeFirstOrThrow()
  await ann.call('update_task', { task_id: task.id, title: 'Same date' })
  assert.notEqual((await received()).overdue_told_at, null)
  clock.pass(minute)
  await ann.call('update_task', {
    task_id: task.id,
    due_at: new Date(clock.now() + hour).toISOString(),
  })
  assert.equal((await received()).overdue_told_at, null)
})

test('an argument of another operation is refused with the name of that operation', async () => {
  const created = await workspace.ann.call('create_task', { project_id: 'ENG', title: 'Elsewhere' })
  const refusal = await workspace.ann.refused('update_task', {
    task_id: created.id,
    assignee_ids: ['me'],
  })
  assert.match(
    refusal.body().message,
    /assignee_ids: unknown argument\. assignee_ids is for assign_task\./,
  )
})
