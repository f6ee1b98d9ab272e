import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob } = workspace
  await ann.call('create_project', { name: 'Engineering', key: 'ENG', member_ids: [bob.id] })
  await ann.call('create_project', { name: 'Own', key: 'OWN' })
  await ann.call('create_label', { name: 'Bug' })
})
after(() => workspace.close())

const create = (tasks: unknown, more: Record<string, unknown> = {}) =>
  workspace.ann.call('bulk_create_tasks', { project_id: 'ENG', tasks, ...more })
const refused = (tasks: unknown) =>
  workspace.ann.refused('bulk_create_tasks', { project_id: 'ENG', tasks })
const get = (task_id: string) => workspace.ann.call('get_task', { task_id })
const countAll = async () =>
  (await workspace.ann.call('count_tasks', { group_by: 'project' })).total

test('items refer to each other by ref, in any order', async () => {
  const creation = await create([
    { title: 'Child', parent_ref: 'root', blocked_by_refs: ['first'] },
    {
      ref: 'first',
      title: 'First',
      parent_ref: 'root',
      priority: 'high',
      assignee_ids: ['bob@acme.test'],
      label_ids: ['bug'],
      due_at: '2026-12-01',
      estimate_minutes: '30',
      description_markdown: null,
    },
    { ref: 'root', title: 'Root' },
  ])
  assert.deepEqual(
    [
      creation.requested,
      creation.changed,
      creation.dry_run,
      creation.items.map((item: { title: string }) => item.title),
    ],
    [3, 3, false, ['Child', 'First', 'Root']],
  )
  const [child, first, root] = await Promise.all(
    creation.items.map((item: { id: string }) => get(item.id)),
  )
  assert.deepEqual(
    [child.parent.id, first.parent.id, root.subtask_counts],
    [root.id, root.id, { total: 2, done: 0 }],
  )
  assert.deepEqual([child.blocked_by[0].id, child.blocked], [first.id, true])
  assert.deepEqual(
    [first.priority, first.assignees[0].title, first.labels[0].title, first.estimate_minutes],
    ['high', 'Bob', 'Bug', 30],
  )
})

test('all or nothing: a refusal names the item, and no task is created', async () => {
  const before = await countAll()
  const cases: [unknown, RegExp][] = [
    [[{ title: 'a' }, { title: 'b', status: 'Nope' }], /^tasks\[1\]\.status: .*no status "Nope"/],
    [
      [{ title: 'a', assignee_ids: [workspace.carol.id] }],
      /^tasks\[0\]\.assignee_ids: Carol is not a member/,
    ],
    [[{ title: 'a', label_ids: ['Nope'] }], /^tasks\[0\]: Label not found/],
    [[{ title: 'a', parent_ref: 'x' }], /^tasks\[0\]\.parent_ref: no item has the ref "x"/],
    [
      [
        { ref: 'x', title: 'a' },
        { ref: 'x', title: 'b' },
      ],
      /^tasks\[1\]\.ref: "x" is already the ref of tasks\[0\]/,
    ],
    [
      [
        { ref: 'x', title: 'a', parent_ref: 'y' },
        { ref: 'y', title: 'b', parent_ref: 'x' },
      ],
      /cycle: x → y → x|cycle: y → x → y/,
    ],
    [[{ ref: 'x', title: 'a', blocked_by_refs: ['x'] }], /cycle: x → x/],
    [[{ title: 'a' }, { title: '' }], /^tasks\.1\.title/],
    [[{ title: 'a', colour: 'red' }], /tasks\.0\.colour: unknown argument/],
    [[], /tasks/],
    [Array.from({ length: 101 }, () => ({ title: 'x' })), /tasks/],
  ]
  for (const [tasks, message] of cases) assert.match((await refused(tasks)).message, message)
  assert.equal(await countAll(), before)
})

test('a dry run creates nothing', async () => {
  const before = await countAll()
  const dry = await create([{ title: 'a' }, { title: 'b' }], { dry_run: true })
  assert.deepEqual([dry.dry_run, dry.changed, dry.undo_call_id], [true, 2, undefined])
  assert.equal(await countAll(), before)
})

test('a task is split into subtasks in order', async () => {
  const task = (await create([{ title: 'Whole' }])).items[0]
  const creation = await workspace.bob.call('create_subtasks', {
    task_id: task.key,
    subtasks: [{ title: 'One' }, { title: 'Two', priority: 'high' }, { title: 'Three' }],
  })
  assert.equal(creation.changed, 3)
  const { subtasks } = await workspace.ann.call('get_task', {
    task_id: task.id,
    include: ['subtasks'],
  })
  assert.deepEqual(
    subtasks.map((subtask: { title: string }) => subtask.title),
    ['One', 'Two', 'Three'],
  )
  assert.match(
    (
      await workspace.ann.refused('create_subtasks', {
        task_id: task.id,
        subtasks: [{ title: 'x' }, { title: 'y', status: 'Nope' }],
      })
    ).message,
    /^subtasks\[1\]\.status/,
  )
})

test('the same changes apply to the listed tasks, each reported separately', async () => {
  const { ann } = workspace
  const creation = await create([{ title: 'a' }, { title: 'b', priority: 'high' }, { title: 'c' }])
  const ids = creation.items.map((item: { id: string }) => item.id)
  const dry = await ann.call('bulk_update_tasks', {
    task_ids: ids,
    changes: { priority: 'high' },
    dry_run: true,
  })
  assert.deepEqual(
    [dry.changed, dry.skipped.length, dry.dry_run, (await get(ids[0])).priority],
    [2, 1, true, 'none'],
  )
  const done = await ann.call('bulk_update_tasks', {
    task_ids: ids,
    changes: {
      priority: 'high',
      assignee_ids: ['me'],
      add_label_ids: ['Bug'],
      due_at: '2026-12-24',
      status: 'In review',
    },
  })
  assert.deepEqual([done.requested, done.changed, done.failed], [3, 3, []])
  const item = await get(ids[2])
  assert.deepEqual(
    [item.priority, item.assignees.length, item.labels.length, item.due_at, item.status],
    ['high', 1, 1, '2026-12-24T22:59:59.000Z', 'In review'],
  )
  const again = await ann.call('bulk_update_tasks', {
    task_ids: ids,
    changes: { status: 'in review', due_at: '2026-12-24' },
  })
  assert.deepEqual([again.changed, again.skipped.length], [0, 3])
})

test('a failure for one task leaves it unchanged and does not affect the others', async () => {
  const { ann, bob } = workspace
  const mine = (await create([{ title: 'Here' }])).items[0].id
  const elsewhere = (
    await ann.call('bulk_create_tasks', { project_id: 'OWN', tasks: [{ title: 'There' }] })
  ).items[0].id
  await ann.call('create_custom_field', { project_id: 'ENG', name: 'Size', type: 'number' })
  const done = await ann.call('bulk_update_tasks', {
    task_ids: [elsewhere, mine],
    changes: { priority: 'urgent', custom_fields: { Size: 4 }, assignee_ids: [bob.id] },
  })
  assert.deepEqual(
    [done.changed, done.failed.length, done.failed[0].id, done.failed[0].code],
    [1, 1, elsewhere, 'invalid_argument'],
  )
  assert.deepEqual(
    [(await get(elsewhere)).priority, (await get(mine)).custom_fields],
    ['none', { Size: 4 }],
  )
  await ann.call('archive_project', { project_id: 'OWN', archived: true })
  const archived = await ann.call('bulk_update_tasks', {
    task_ids: [elsewhere, mine],
    changes: { priority: 'low' },
  })
  assert.deepEqual([archived.changed, archived.failed[0].code], [1, 'permission_denied'])
  assert.equal(
    (
      await bob.refused('bulk_update_tasks', {
        task_ids: [mine, elsewhere],
        changes: { priority: 'low' },
      })
    ).code,
    'not_found',
  )
})

test('a filter selects the tasks, up to a limit', async () => {
  const { ann, bob } = workspace
  await create(Array.from({ length: 5 }, (_, i) => ({ title: `Backlog ${i}`, status: 'Backlog' })))
  const many = await ann.refused('bulk_update_tasks', {
    filter: { status_category: ['backlog'] },
    changes: { priority: 'low' },
    max_items: 3,
  })
  assert.deepEqual([many.code, many.more.context], ['too_large', { matched: 5 }])
  const done = await bob.call('bulk_update_tasks', {
    filter: { project_id: 'ENG', status: ['backlog'], has_no_assignee: true },
    changes: { assignee_ids: ['me'] },
  })
  assert.equal(done.changed, 5)
  assert.equal(
    (
      await bob.call('bulk_update_tasks', {
        filter: { assignee: 'me', status_category: ['backlog'] },
        changes: { status: 'Cancelled' },
      })
    ).changed,
    5,
  )
  assert.equal(
    (await ann.refused('bulk_update_tasks', { changes: { priority: 'low' } })).more.field,
    'task_ids',
  )
  assert.equal(
    (await ann.refused('bulk_update_tasks', { filter: {}, changes: { priority: 'low' } })).more
      .field,
    'filter',
  )
  for (const [name, filter] of [
    ['project_ids', { project_ids: [] }],
    ['status', { project_id: 'ENG', status: [] }],
    ['labels_not', { labels_not: [] }],
  ] as const) {
    const refused = await ann.refused('bulk_update_tasks', {
      filter,
      changes: { priority: 'low' },
    })
    assert.deepEqual([refused.code, refused.more.field], ['invalid_argument', name])
  }
  assert.equal(
    (await ann.refused('bulk_update_tasks', { filter: { project_id: 'ENG' }, changes: {} })).more
      .field,
    'changes',
  )
  assert.equal(
    (
      await bob.refused('bulk_update_tasks', {
        filter: { project_id: 'OWN' },
        changes: { priority: 'low' },
      })
    ).code,
    'not_found',
  )
  assert.match(
    (
      await ann.refused('bulk_update_tasks', {
        filter: { state: 'x' },
        changes: { priority: 'low' },
      })
    ).message,
    /filter\.state: unknown argument/,
  )
})
