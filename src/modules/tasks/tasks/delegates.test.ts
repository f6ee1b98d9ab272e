import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { revokeKey } from '../../../keys/issue.ts'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob, carol } = workspace
  const member_ids = [bob.id, carol.id]
  await ann.call('create_project', { name: 'Engine', key: 'ENG', member_ids })
  await ann.call('create_project', { name: 'Hull', key: 'HUL' })
})
after(() => workspace.close())

const newTask = (more: Record<string, unknown> = {}) =>
  workspace.bob.call('create_task', { project_id: 'ENG', title: 'Oil the valves', ...more })
const keysOf = (page: { items: { key: string }[] }) => page.items.map((item) => item.key)

test('a person delegates a task to their assistant, which finds and changes it; the person stays responsible', async () => {
  const { bob } = workspace
  const key = await workspace.key(bob, { name: 'Claude Code' })
  const { key: task_id } = await newTask()
  const delegated = await bob.call('update_task', { task_id, delegate_key_id: 'claude code' })
  assert.deepEqual(delegated.delegate, {
    id: key.id,
    title: 'Claude Code',
    owner: { id: bob.id, title: 'Bob' },
    state: 'active',
  })
  assert.deepEqual(
    delegated.assignees.map((person: { title: string }) => person.title),
    ['Bob'],
  )
  const asKey = { key, via: 'mcp' } as const
  assert.deepEqual(keysOf(await bob.call('list_tasks', { delegated_to: 'me' }, asKey)), [task_id])
  const changed = await bob.call('update_task', { task_id, priority: 'high' }, asKey)
  assert.equal(changed.delegate.title, 'Claude Code')
  const other = await workspace.key(bob, { name: 'Other' })
  assert.deepEqual(
    keysOf(await bob.call('list_tasks', { delegated_to: 'me' }, { key: other, via: 'mcp' })),
    [],
  )
  assert.deepEqual(keysOf(await bob.call('list_tasks', { delegated_to: 'me' })), [task_id])
  assert.equal(
    (await bob.call('update_task', { task_id, delegate_key_id: null })).delegate,
    undefined,
  )
  assert.deepEqual(keysOf(await bob.call('list_tasks', { delegated_to: key.id })), [])
})

test('an assistant takes a task with delegate me; for a person without a key, me is refused with an explanation', async () => {
  const { bob } = workspace
  const key = await workspace.key(bob, { name: 'Taker' })
  const delegated = await bob.call(
    'create_task',
    { project_id: 'ENG', title: 'Look at the pump', delegate_key_id: 'me' },
    { key, via: 'mcp' },
  )
  assert.deepEqual([delegated.delegate.title, delegated.assignees[0].title], ['Taker', 'Bob'])
  const refusal = await bob.refused('update_task', {
    task_id: delegated.key,
    delegate_key_id: 'me',
  })
  assert.deepEqual([refusal.code, refusal.more.field], ['invalid_argument', 'delegate_key_id'])
})

test('people can choose and see only their own keys; administrators can choose and see any of the organization', async () => {
  const { ann, bob, carol, eve } = workspace
  const key = await workspace.key(bob, { name: 'Of Bob' })
  const { key: task_id } = await newTask({ assignee_ids: ['me'] })
  for (const delegate_key_id of [key.id, 'Of Bob'])
    assert.equal(
      (await carol.refused('update_task', { task_id, delegate_key_id })).code,
      'not_found',
    )
  assert.equal((await carol.refused('list_tasks', { delegated_to: key.id })).code, 'not_found')
  assert.equal((await eve.refused('list_tasks', { delegated_to: key.id })).code, 'not_found')
  const byAdmin = await ann.call('update_task', { task_id, delegate_key_id: key.id })
  assert.equal(byAdmin.delegate.title, 'Of Bob')
  assert.deepEqual((await carol.call('get_task', { task_id })).delegate, {
    owner: { id: bob.id, title: 'Bob' },
    state: 'active',
  })
  const { items } = await bob.call('list_notifications', { limit: 5 })
  assert.equal(items[0].text, `Ann delegated ${task_id} to your key "Of Bob"`)
  const fieldOf = async (who: typeof ann) =>
    (await who.call('list_field_changes', { item_id: task_id })).items.find(
      (item: { field: string }) => item.field === 'delegate_key',
    )
  assert.deepEqual(
    [(await fieldOf(ann)).to, (await fieldOf(bob)).to, (await fieldOf(carol)).to],
    ['Of Bob', 'Of Bob', null],
  )
})

test('expired keys, keys for other modules and keys of people outside the project are refused with an explanation', async () => {
  const { ann, bob } = workspace
  const dave = await workspace.person('Dave')
  const { key: task_id } = await newTask()
  const ended = await workspace.key(bob, { name: 'Ended' })
  await endKey(ended.id)
  const ofDave = await workspace.key(dave, { name: 'Of Dave' })
  const narrow = await workspace.key(bob, { name: 'Pages only' })
  workspace.app.store.raw.write
    .prepare('UPDATE api_keys SET toolsets_json = ? WHERE id = ?')
    .run('["pages"]', narrow.id)
  const message = async (who: typeof ann, delegate_key_id: string) =>
    (await who.refused('update_task', { task_id, delegate_key_id })).body().message
  assert.match(await message(bob, ended.id), /the key "Ended" has ended/)
  assert.match(await message(bob, narrow.id), /cannot use tasks/)
  assert.match(await message(ann, ofDave.id), /Dave, whose key "Of Dave" is, is not a member/)
  const bulk = await bob.refused('bulk_update_tasks', {
    task_ids: [task_id],
    changes: { delegate_key_id: 'Nobody' },
  })
  assert.equal(bulk.more.field, 'changes.delegate_key_id')
})

test('a revoked key remains on its task as ended, and can be replaced', async () => {
  const { bob } = workspace
  const first = await workspace.key(bob, { name: 'First' })
  const second = await workspace.key(bob, { name: 'Second' })
  const { key: task_id } = await newTask({ delegate_key_id: first.id })
  await endKey(first.id)
  assert.equal((await bob.call('get_task', { task_id })).delegate.state, 'ended')
  await bob.call('update_task', { task_id, delegate_key_id: first.id, title: 'Oil all valves' })
  const { delegate } = await bob.call('update_task', { task_id, delegate_key_id: 'Second' })
  assert.deepEqual([delegate.id, delegate.state], [second.id, 'active'])
})

test('many tasks are delegated at once, and one undo reverts key and assignees', async () => {
  const { bob } = workspace
  const key = await workspace.key(bob, { name: 'Bulk' })
  const task_ids = [(await newTask()).key, (await newTask()).key]
  const { undo_call_id: call_id, changed } = await bob.call('bulk_update_tasks', {
    task_ids,
    changes: { delegate_key_id: key.id },
  })
  assert.equal(changed, 2)
  assert.deepEqual(
    keysOf(
      await bob.call('list_tasks', { delegated_to: 'Bulk', sort: 'created_at', order: 'asc' }),
    ),
    task_ids,
  )
  const { inline } = await bob.call('export_tasks', { delegated_to: 'Bulk' })
  assert.match(inline, /,Bulk,/)
  await bob.call('undo_api_call', { call_id })
  const undone = await bob.call('get_task', { task_id: task_ids[0] })
  assert.deepEqual([undone.delegate, undone.assignees], [undefined, []])
})

test('a delegate key is dropped if its owner lacks access to the new project, and kept for the next repeating task', async () => {
  const { ann, bob } = workspace
  const key = await workspace.key(bob, { name: 'Follower' })
  const recurring = await newTask({ delegate_key_id: key.id, due_at: '2026-01-05' })
  await bob.call('set_task_recurrence', { task_id: recurring.key, rrule: 'FREQ=WEEKLY' })
  const { next_occurrence } = await bob.call('complete_task', { task_id: recurring.key })
  const next = await bob.call('get_task', { task_id: next_occurrence.key })
  assert.equal(next.delegate.id, key.id)
  const moved = await ann.call('move_task', { task_id: next.key, project_id: 'HUL' })
  assert.equal(moved.delegate, undefined)
  assert.ok(moved.notes.some((note: string) => note.includes('key that works on it')))
})

async function endKey(key: string): Promise<void> {
  const { store, clock, settings } = workspace.app
  await revokeKey(store, clock, settings.data, { key })
}
