import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Actor } from '../../../kernel/actor.ts'
import {
  dayLong,
  keyOf,
  makeWorkspace,
  minute,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

/** The id of someone's newest changing call, as in undo_call_id. */
function lastCall(who: Someone): string {
  return workspace.app.store.raw.read
    .prepare('SELECT id FROM calls WHERE actor_id = ? AND changed = 1 ORDER BY seq DESC LIMIT 1')
    .pluck()
    .get(who.id) as string
}

async function undoLast(who: Someone) {
  return who.call('undo_api_call', { call_id: lastCall(who) })
}

async function labelNamed(who: Someone, query: string) {
  return (await who.call('list_labels', { query })).items[0]
}

test('undoing a creation moves the item to the trash, and undoing that restores it', async () => {
  const { ann } = workspace
  await ann.call('create_label', { name: 'Made once' })
  const undone = await undoLast(ann)
  assert.equal(undone.undone, true)
  assert.deepEqual(undone.refused, [])
  assert.deepEqual(
    [undone.restored, undone.removed.map((item: any) => item.title)],
    [[], ['Made once']],
  )
  assert.equal(await labelNamed(ann, 'made once'), undefined)
  const redone = await undoLast(ann)
  assert.equal(redone.undone, true)
  assert.equal((await labelNamed(ann, 'made once')).name, 'Made once')
})

test('undoing a change restores the earlier column values, and repeating it reports that again', async () => {
  const { ann } = workspace
  const label = await ann.call('create_label', { name: 'Before', color: '#111111' })
  await ann.call('update_label', { label_id: label.id, name: 'After', description: 'new' })
  const call_id = lastCall(ann)
  const first = await ann.call('undo_api_call', { call_id })
  assert.equal(first.undone, true)
  const now = await labelNamed(ann, 'before')
  assert.deepEqual([now.name, now.description, now.revision], ['Before', null, 3])
  const again = await ann.call('undo_api_call', { call_id })
  assert.deepEqual(
    [
      first.already_undone,
      again.undone,
      again.already_undone,
      again.restored.length,
      again.refused,
    ],
    [undefined, true, true, 1, []],
  )
  assert.equal((await labelNamed(ann, 'before')).revision, 3)
})

test('a value changed since is kept, and the answer gives the reason', async () => {
  const { ann, bob } = workspace
  const label = await ann.call('create_label', { name: 'Contested' })
  await ann.call('update_label', { label_id: label.id, color: '#222222' })
  const call_id = lastCall(ann)
  await bob.call('update_label', { label_id: label.id, color: '#333333' })
  const undone = await ann.call('undo_api_call', { call_id })
  assert.equal(undone.undone, false)
  assert.deepEqual(
    undone.refused.map((item: any) => [item.item.title, item.reason, item.message]),
    [
      [
        'Contested',
        'changed_since',
        'It has changed since, and undoing would overwrite that change.',
      ],
    ],
  )
  assert.equal((await labelNamed(ann, 'contested')).color, '#333333')
})

test('a later change to other columns does not block an undo', async () => {
  const { ann, bob } = workspace
  const label = await ann.call('create_label', { name: 'Shared work', color: '#444444' })
  await ann.call('update_label', { label_id: label.id, color: '#555555' })
  const call_id = lastCall(ann)
  await bob.call('update_label', { label_id: label.id, description: 'from bob' })
  assert.equal((await ann.call('undo_api_call', { call_id })).undone, true)
  const now = await labelNamed(ann, 'shared work')
  assert.deepEqual([now.color, now.description], ['#444444', 'from bob'])
})

test('a creation cannot be undone after someone else changed the item', async () => {
  const { ann, bob } = workspace
  const label = await ann.call('create_label', { name: 'In use' })
  const call_id = lastCall(ann)
  await bob.call('update_label', { label_id: label.id, description: 'mine now' })
  assert.deepEqual(
    (await ann.call('undo_api_call', { call_id })).refused.map((item: any) => item.reason),
    ['changed_since'],
  )
})

test('undoing a deletion restores the item from the trash unless its name has been reused', async () => {
  const { ann } = workspace
  const label = await ann.call('create_label', { name: 'Comes back' })
  const { undo_call_id } = await ann.call('delete_label', { label_id: label.id })
  assert.equal((await ann.call('undo_api_call', { call_id: undo_call_id })).undone, true)
  assert.equal((await labelNamed(ann, 'comes back')).id, label.id)
  const second = await ann.call('delete_label', { label_id: label.id })
  await ann.call('create_label', { name: 'Comes back' })
  const refused = await ann.call('undo_api_call', { call_id: second.undo_call_id })
  assert.deepEqual([refused.undone, refused.refused[0].reason], [false, 'changed_since'])
})

test('a dry run shows what would be undone and undoes nothing', async () => {
  const { ann } = workspace
  const label = await ann.call('create_label', { name: 'Dry' })
  await ann.call('update_label', { label_id: label.id, name: 'Wet' })
  const call_id = lastCall(ann)
  const dry = await ann.call('undo_api_call', { call_id, dry_run: true })
  assert.deepEqual([dry.undone, dry.dry_run, dry.restored.length], [true, true, 1])
  assert.equal((await labelNamed(ann, 'wet')).id, label.id)
  assert.equal((await ann.call('undo_api_call', { call_id })).undone, true)
})

test('calls of others are not found, and calls without changes have nothing to undo', async () => {
  const { ann, bob, eve } = workspace
  await ann.call('create_label', { name: 'Mine' })
  const call_id = lastCall(ann)
  assert.equal((await bob.refused('undo_api_call', { call_id })).code, 'not_found')
  assert.equal((await eve.refused('undo_api_call', { call_id })).code, 'not_found')
  await ann.call('list_labels')
  const read = workspace.app.store.raw.read
    .prepare(
      "SELECT id FROM calls WHERE actor_id = ? AND tool = 'list_labels' ORDER BY seq DESC LIMIT 1",
    )
    .pluck()
    .get(ann.id) as string
  const refusal = await ann.refused('undo_api_call', { call_id: read })
  assert.equal(refusal.code, 'conflict')
  assert.match(refusal.message, /changed nothing/)
})

test('changes older than the trash retention cannot be undone', async () => {
  const { ann, clock } = workspace
  await ann.call('create_label', { name: 'Long ago' })
  const call_id = lastCall(ann)
  clock.pass(31 * dayLong)
  const late = await ann.call('undo_api_call', { call_id })
  assert.deepEqual(
    [late.undone, late.refused.map((item: any) => item.reason)],
    [false, ['expired']],
  )
})

test('undo uses current rights: an item that the person may no longer change stays as it is', async () => {
  const { ann } = workspace
  const dora = await workspace.person('Dora')
  const label = await ann.call('create_label', { name: 'Not a guest thing' })
  await dora.call('update_label', { label_id: label.id, color: '#666666' })
  const call_id = lastCall(dora)
  const guest: Actor = { ...dora.actor, role: 'guest' }
  const { call } = await import('../../../operations/call/index.ts')
  const answer = await call(workspace.app, guest, {
    tool: 'undo_api_call',
    args: { call_id },
    transport: 'web',
    requestId: 'r',
    route: 'test',
    ip: '',
  })
  assert.deepEqual(
    (answer.value as any).refused.map((item: any) => item.reason),
    ['not_reversible'],
  )
})

test('a key limited to some modules undoes nothing in others', async () => {
  const { ann } = workspace
  await ann.call('create_label', { name: 'Of another module' })
  const call_id = lastCall(ann)
  const { issueKey } = await import('../../../keys/issue.ts')
  const issued = await issueKey(workspace.app.store, workspace.clock, {
    owner: ann.id,
    name: 'narrow',
    via: 'cli',
    toolsets: ['activity'],
    modules: ['activity', 'labels'],
  })
  await assert.rejects(
    ann.call(
      'undo_api_call',
      { call_id },
      { via: 'mcp', key: keyOf({ id: issued.id, toolsets: ['activity'] }) },
    ),
    /belongs to labels/,
  )
})

test('membership changes and their effects are undone together: leaving, and becoming lead', async () => {
  const { ann, bob, clock } = workspace
  const project = await ann.call('create_project', {
    name: 'Undo members',
    key: 'UNM',
    member_ids: [bob.id],
  })
  await ann.call('remove_project_member', { project_id: project.id, person_id: bob.id })
  const removal = lastCall(ann)
  assert.equal((await bob.refused('get_project', { project_id: 'UNM' })).code, 'not_found')
  assert.equal((await ann.call('undo_api_call', { call_id: removal })).undone, true)
  assert.equal((await bob.call('get_project', { project_id: 'UNM' })).members.length, 2)
  clock.pass(minute)
  const ops = (await bob.call('list_changes', { types: ['project'] })).items
    .filter((item: any) => item.item.id === project.id)
    .map((item: any) => item.op)
  assert.ok(ops.includes('access_lost') && ops.at(-1) !== 'access_lost')
  await ann.call('add_project_member', { project_id: 'UNM', person_id: bob.id, role: 'lead' })
  const promotion = lastCall(ann)
  assert.equal(
    (await ann.call('undo_api_call', { call_id: promotion })).refused[0].reason,
    'not_reversible',
  )
})

test('undoing the creation of a project removes it, unless it contains work', async () => {
  const { ann } = workspace
  const empty = await ann.call('create_project', { name: 'Short lived', key: 'SHORT' })
  assert.equal((await undoLast(ann)).undone, true)
  assert.equal((await ann.refused('get_project', { project_id: empty.id })).code, 'not_found')
  const busy = await ann.call('create_project', { name: 'Busy', key: 'BUSY' })
  const call_id = lastCall(ann)
  await ann.call('create_milestone', { project_id: busy.id, name: 'First' })
  assert.deepEqual(
    (await ann.call('undo_api_call', { call_id })).refused.map((item: any) => item.reason),
    ['changed_since'],
  )
})

test('undoing the creation of an untrashable item erases it, and undoing that restores the row', async () => {
  const { ann } = workspace
  await ann.call('create_project', { name: 'Stones', key: 'STN' })
  const sprint = await ann.call('create_sprint', {
    project_id: 'STN',
    name: 'Stone',
    starts_on: '2026-11-16',
    ends_on: '2026-11-29',
  })
  assert.equal((await undoLast(ann)).undone, true)
  assert.deepEqual((await ann.call('list_sprints', { project_id: 'STN' })).items, [])
  const changes = (await ann.call('list_changes', { types: ['sprint'] })).items.filter(
    (item: any) => item.item.id === sprint.id,
  )
  assert.deepEqual(
    changes.map((change: any) => [change.op, change.item.title]),
    [['deleted', 'Stone']],
  )
  assert.equal((await undoLast(ann)).undone, true)
  assert.deepEqual(
    (await ann.call('list_sprints', { project_id: 'STN' })).items.map((item: any) => item.id),
    [sprint.id],
  )
})

async function ensureProject() {
  const { ann, bob } = workspace
  const project = await ann
    .call('create_project', { name: 'Tasks to undo', key: 'UND', member_ids: [bob.id] })
    .catch(() => undefined)
  return project ?? ann.call('get_project', { project_id: 'UND' })
}

test('an edited, labelled and assigned task is restored, also in the view of others', async () => {
  const { ann, bob } = workspace
  await ensureProject()
  const label = await ann.call('create_label', { name: 'on task' })
  const task = await ann.call('create_task', {
    project_id: 'UND',
    title: 'Before',
    priority: 'low',
    due_at: '2026-12-01',
  })
  await ann.call('update_task', {
    task_id: task.id,
    title: 'After',
    priority: 'urgent',
    due_at: null,
    add_label_ids: [label.id],
    description_markdown: 'words',
  })
  assert.equal((await undoLast(ann)).undone, true)
  const now = await bob.call('get_task', { task_id: task.id })
  assert.deepEqual(
    [now.title, now.priority, now.due_at, now.labels, now.description_markdown],
    ['Before', 'low', task.due_at, [], undefined],
  )
  await ann.call('assign_task', { task_id: task.id, assignee_ids: [bob.id] })
  assert.equal((await undoLast(ann)).undone, true)
  assert.deepEqual((await bob.call('get_task', { task_id: task.id })).assignees, [])
  assert.equal((await undoLast(ann)).undone, true)
  assert.deepEqual(
    (await bob.call('get_task', { task_id: task.id })).assignees.map(
      (assignee: any) => assignee.title,
    ),
    ['Bob'],
  )
})

test('completing is undone with its effects: status, time, next occurrence', async () => {
  const { ann } = workspace
  await ensureProject()
  const task = await ann.call('create_task', {
    project_id: 'UND',
    title: 'Weekly',
    due_at: '2026-12-24',
  })
  await ann.call('set_task_recurrence', {
    task_id: task.id,
    rrule: 'FREQ=WEEKLY',
    create_next: 'on_completion',
  })
  const done = await ann.call('complete_task', { task_id: task.id })
  assert.ok(done.next_occurrence)
  assert.equal((await undoLast(ann)).undone, true)
  const now = await ann.call('get_task', { task_id: task.id })
  assert.deepEqual([now.status_category, now.completed_at], [task.status_category, undefined])
  assert.equal(
    (await ann.refused('get_task', { task_id: done.next_occurrence.id })).code,
    'not_found',
  )
})

test('a deleted task is restored with its subtasks and comments and is searchable again', async () => {
  const { ann } = workspace
  await ensureProject()
  const task = await ann.call('create_task', { project_id: 'UND', title: 'Parent xylophone' })
  const below = await ann.call('create_task', {
    project_id: 'UND',
    title: 'Below',
    parent_id: task.id,
  })
  await ann.call('add_task_comment', { task_id: task.id, body_markdown: 'marimba' })
  const docs = () =>
    workspace.app.store.raw.read
      .prepare('SELECT count(*) FROM search_docs WHERE item_id IN (?, ?)')
      .pluck()
      .get(task.id, below.id)
  assert.equal(docs(), 3)
  const deleted = await ann.call('delete_task', { task_id: task.id })
  assert.equal(docs(), 0)
  const undone = await ann.call('undo_api_call', { call_id: deleted.undo_call_id })
  assert.deepEqual([undone.undone, undone.restored.length], [true, 2])
  assert.equal((await ann.call('get_task', { task_id: below.id })).parent.id, task.id)
  assert.equal(docs(), 3)
  await undoLast(ann)
  assert.equal((await ann.refused('get_task', { task_id: below.id })).code, 'not_found')
  await ann.call('restore_item', { item_id: task.id })
  assert.equal(docs(), 3)
})

test('a task moved to another project is moved back with its old key if the person may still work there', async () => {
  const { ann, bob } = workspace
  await ensureProject()
  await ann.call('create_project', { name: 'Elsewhere', key: 'ELSE', member_ids: [bob.id] })
  const task = await bob.call('create_task', { project_id: 'UND', title: 'Wanderer' })
  await bob.call('move_task', { task_id: task.id, project_id: 'ELSE' })
  const moveCallId = lastCall(bob)
  await ann.call('remove_project_member', { project_id: 'UND', person_id: bob.id })
  assert.deepEqual(
    (await bob.call('undo_api_call', { call_id: moveCallId })).refused.map(
      (item: any) => item.reason,
    ),
    ['not_reversible'],
  )
  await ann.call('add_project_member', { project_id: 'UND', person_id: bob.id })
  assert.equal((await bob.call('undo_api_call', { call_id: moveCallId })).undone, true)
  const now = await ann.call('get_task', { task_id: task.id })
  assert.deepEqual([now.key, now.project.key], [task.key, 'UND'])
})

test('comments, dependencies and attachments are removed and restored', async () => {
  const { ann } = workspace
  await ensureProject()
  const task = await ann.call('create_task', { project_id: 'UND', title: 'With parts' })
  const other = await ann.call('create_task', { project_id: 'UND', title: 'Blocker' })
  const comment = await ann.call('add_task_comment', { task_id: task.id, body_markdown: 'first' })
  await ann.call('update_task_comment', {
    task_id: task.id,
    comment_id: comment.id,
    body_markdown: 'second',
  })
  await undoLast(ann)
  assert.equal(
    (await ann.call('list_task_comments', { task_id: task.id })).items[0].body_markdown,
    'first',
  )
  await ann.call('delete_task_comment', { task_id: task.id, comment_id: comment.id })
  await undoLast(ann)
  assert.deepEqual(
    (await ann.call('list_task_comments', { task_id: task.id })).items.map((item: any) => [
      item.id,
      item.body_markdown,
    ]),
    [[comment.id, 'first']],
  )
  await ann.call('add_task_dependency', { task_id: task.id, other_task_id: other.id })
  await undoLast(ann)
  assert.equal((await ann.call('get_task', { task_id: task.id })).blocked, false)
  await ann.call('add_task_attachment', { task_id: task.id, url: 'https://example.com/a' })
  assert.equal((await undoLast(ann)).undone, true)
  assert.deepEqual((await ann.call('get_task', { task_id: task.id })).attachments, [])
})

test('a bulk change is undone task by task, and tasks changed since are kept', async () => {
  const { ann, bob } = workspace
  await ensureProject()
  const tasks = []
  for (const title of ['one', 'two', 'three'])
    tasks.push(await ann.call('create_task', { project_id: 'UND', title, priority: 'low' }))
  const bulk = await ann.call('bulk_update_tasks', {
    task_ids: tasks.map((task) => task.id),
    changes: { priority: 'high' },
  })
  await bob.call('update_task', { task_id: tasks[1].id, priority: 'urgent' })
  const undone = await ann.call('undo_api_call', { call_id: bulk.undo_call_id })
  assert.deepEqual(
    [
      undone.undone,
      undone.restored.length,
      undone.refused.map((item: any) => [item.item.title, item.reason]),
    ],
    [false, 2, [['two', 'changed_since']]],
  )
  const now = await Promise.all(
    tasks.map(async (task) => (await ann.call('get_task', { task_id: task.id })).priority),
  )
  assert.deepEqual(now, ['low', 'urgent', 'low'])
})

test('bulk-created tasks with subtasks are all removed, unless something was added below one', async () => {
  const { ann, bob } = workspace
  await ensureProject()
  const tasks = [
    { title: 'p', ref: 'p' },
    { title: 'c', parent_ref: 'p' },
  ]
  const first = await ann.call('bulk_create_tasks', { project_id: 'UND', tasks })
  const undone = await ann.call('undo_api_call', { call_id: first.undo_call_id })
  assert.deepEqual([undone.undone, undone.removed.length], [true, 2])
  const second = await ann.call('bulk_create_tasks', { project_id: 'UND', tasks })
  await bob.call('create_task', { project_id: 'UND', title: 'mine', parent_id: second.items[1].id })
  const secondUndo = await ann.call('undo_api_call', { call_id: second.undo_call_id })
  assert.deepEqual(
    [
      secondUndo.undone,
      secondUndo.restored.length,
      secondUndo.refused.map((item: any) => item.reason),
    ],
    [false, 0, ['changed_since', 'changed_since']],
  )
})
