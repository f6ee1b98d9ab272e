import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob, carol } = workspace
  await ann.call('create_project', { name: 'Engineering', key: 'ENG', member_ids: [bob.id] })
  await ann.call('create_project', { name: 'Design', key: 'DES', member_ids: [carol.id] })
  for (const [project_id, options] of [
    ['ENG', ['Small', 'Large']],
    ['DES', ['small', 'Huge']],
  ] as const)
    await ann.call('create_custom_field', { project_id, name: 'Size', type: 'select', options })
  await ann.call('create_custom_field', { project_id: 'ENG', name: 'Cost', type: 'number' })
  await ann.call('create_custom_field', { project_id: 'DES', name: 'Cost', type: 'text' })
  await ann.call('create_label', { name: 'Bug' })
})
after(() => workspace.close())

const make = (args: Record<string, unknown> = {}) =>
  workspace.ann.call('create_task', { project_id: 'ENG', title: 'A task', ...args })
const order = async () =>
  (
    await workspace.ann.call('list_tasks', { project_id: 'ENG', sort: 'position', limit: 100 })
  ).items.map((item: { title: string }) => item.title)

test('a task is placed before, after or between others', async () => {
  const { ann } = workspace
  const [a, b, c] = [
    await make({ title: 'a' }),
    await make({ title: 'b' }),
    await make({ title: 'c' }),
  ]
  await ann.call('move_task', { task_id: c.id, before_task_id: a.id })
  assert.deepEqual(await order(), ['c', 'a', 'b'])
  await ann.call('move_task', { task_id: c.id, after_task_id: a.id })
  assert.deepEqual(await order(), ['a', 'c', 'b'])
  await ann.call('move_task', { task_id: b.id, after_task_id: a.id, before_task_id: c.id })
  assert.deepEqual(await order(), ['a', 'b', 'c'])
  await ann.call('move_task', { task_id: a.id, after_task_id: c.key })
  assert.deepEqual(await order(), ['b', 'c', 'a'])
  assert.match(
    (await ann.refused('move_task', { task_id: a.id, before_task_id: a.id })).message,
    /next to itself/,
  )
  assert.match(
    (await ann.refused('move_task', { task_id: a.id, before_task_id: b.id, after_task_id: c.id }))
      .message,
    /comes before/,
  )
  const elsewhere = await ann.call('create_task', { project_id: 'DES', title: 'x' })
  assert.match(
    (await ann.refused('move_task', { task_id: a.id, before_task_id: elsewhere.id })).message,
    /not in the target project/,
  )
})

test('a move within a project changes column and parent', async () => {
  const { ann } = workspace
  const [parent, task] = [await make(), await make()]
  const moved = await ann.call('move_task', {
    task_id: task.id,
    status: 'in review',
    parent_id: parent.key,
  })
  assert.deepEqual(
    [moved.status, moved.parent.id, moved.key, moved.notes],
    ['In review', parent.id, task.key, undefined],
  )
  assert.match(
    (await ann.refused('move_task', { task_id: parent.id, parent_id: task.id })).message,
    /itself a subtask/,
  )
  const done = await ann.call('move_task', { task_id: task.id, status: 'Done', parent_id: null })
  assert.deepEqual([done.parent, done.completed_at], [undefined, '2026-11-20T12:00:00.000Z'])
})

test('a move to another project includes subtasks and comments, and reports what was dropped', async () => {
  const { ann, bob, carol } = workspace
  const sprint = await ann.call('create_sprint', {
    project_id: 'ENG',
    name: 'One',
    starts_on: '2026-11-16',
    ends_on: '2026-11-29',
  })
  await ann.call('set_project_workflow', {
    project_id: 'DES',
    statuses: [
      { name: 'Idea', category: 'todo' },
      { name: 'In review', category: 'in_progress' },
      { name: 'Done', category: 'done' },
    ],
    migrate: { 'To do': 'Idea' },
  })
  const task = await make({
    title: 'Wombat',
    assignee_ids: [bob.id, ann.id],
    label_ids: ['Bug'],
    sprint_id: sprint.id,
    custom_fields: { Size: 'Small', Cost: 5 },
  })
  const child = await make({
    title: 'Child',
    parent_id: task.id,
    status: 'In review',
    custom_fields: { Size: 'Large' },
  })
  await ann.call('add_task_comment', { task_id: child.id, body_markdown: 'A platypus was here.' })
  const blocker = await make({ title: 'Blocker' })
  await ann.call('add_task_dependency', { task_id: task.id, other_task_id: blocker.id })
  assert.equal((await carol.call('search_tasks', { query: 'platypus' })).items.length, 0)
  const moved = await ann.call('move_task', { task_id: task.id, project_id: 'DES' })
  assert.match(moved.key, /^DES-\d+$/)
  assert.deepEqual(
    [moved.project.key, moved.labels[0].title, moved.sprint, moved.custom_fields, moved.blocked],
    ['DES', 'Bug', undefined, { Size: 'small' }, true],
  )
  assert.deepEqual(
    moved.assignees.map((assignee: { title: string }) => assignee.title),
    ['Ann'],
  )
  const notes = moved.notes.join('\n')
  for (const part of [
    /the status "To do" became "Idea"/,
    /"Cost" has no counterpart/,
    /removed from its sprint/,
    /Bob is not a member there/,
    new RegExp(`${child.key} → DES-\\d+: the field "Size"`),
  ])
    assert.match(notes, part)
  const below = await carol.call('list_tasks', { parent_id: moved.key })
  assert.deepEqual(
    below.items.map((item: { title: string; status: string }) => [item.title, item.status]),
    [['Child', 'In review']],
  )
  assert.equal(
    (await carol.call('search_tasks', { query: 'platypus' })).items[0].task.title,
    'Child',
  )
  assert.equal((await bob.call('search_tasks', { query: 'platypus wombat' })).items.length, 0)
  assert.equal((await bob.refused('get_task', { task_id: task.id })).code, 'not_found')
  assert.equal(
    (await ann.refused('get_task', { task_id: task.key })).code,
    'not_found',
    'the old key is gone',
  )
  const received = await workspace.app.store.read
    .selectFrom('changes')
    .select(['op', 'for_person_id'])
    .where('item_id', '=', task.id)
    .where('for_person_id', 'is not', null)
    .orderBy('seq')
    .execute()
  assert.deepEqual(
    received.map((item) => [item.op, item.for_person_id]),
    [
      ['access_lost', bob.id],
      ['access_gained', carol.id],
    ],
  )
})

test('a status given with the move refers to the target project', async () => {
  const { ann } = workspace
  const task = await make()
  assert.match(
    (await ann.refused('move_task', { task_id: task.id, project_id: 'DES', status: 'Nowhere' }))
      .message,
    /no status/,
  )
  const moved = await ann.call('move_task', { task_id: task.id, project_id: 'DES', status: 'Done' })
  assert.deepEqual(
    [moved.status_category, moved.completed_at],
    ['done', '2026-11-20T12:00:00.000Z'],
  )
  const parent = await make()
  const child = await make({ parent_id: parent.id })
  const alone = await ann.call('move_task', { task_id: child.id, project_id: 'DES' })
  assert.equal(alone.parent, undefined)
  assert.match(alone.notes[0], /no longer a subtask/)
})

test('both projects must be accessible to the caller', async () => {
  const { ann, bob } = workspace
  const task = await make()
  assert.equal(
    (await bob.refused('move_task', { task_id: task.id, project_id: 'DES' })).code,
    'not_found',
  )
  await ann.call('create_project', { name: 'Old', key: 'OLD' })
  await ann.call('archive_project', { project_id: 'OLD', archived: true })
  assert.equal(
    (await ann.refused('move_task', { task_id: task.id, project_id: 'OLD' })).code,
    'permission_denied',
  )
  assert.equal((await ann.call('move_task', { task_id: task.id, project_id: 'ENG' })).key, task.key)
})
