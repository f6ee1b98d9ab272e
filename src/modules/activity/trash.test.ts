import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dayLong, makeWorkspace, minute, type TestWorkspace } from '../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

test('the trash lists items of all kinds, newest first, paged, with the date of their erasure', async () => {
  const { ann, clock } = workspace
  const names = ['first', 'second', 'third', 'fourth', 'fifth']
  for (const [i, name] of names.entries()) {
    if (i % 2) {
      await ann.call('create_project', { name, key: `TR${i}` })
      await ann.call('delete_project', { project_id: `TR${i}`, confirm_key: `TR${i}` })
    } else
      await ann.call('delete_label', { label_id: (await ann.call('create_label', { name })).id })
    if (i !== 2) clock.pass(minute) // third and fourth are deleted at the same moment
  }
  const seen = []
  let page = await ann.call('list_trash', { limit: 2 })
  while (true) {
    seen.push(...page.items)
    if (!page.has_more) break
    page = await ann.call('list_trash', { limit: 2, cursor: page.next_cursor })
  }
  assert.deepEqual(seen.map((item) => item.item.title).sort(), [...names].sort())
  assert.deepEqual([seen[0].item.title, seen.at(-1).item.title], ['fifth', 'first'])
  assert.equal(Date.parse(seen[0].purge_at) - Date.parse(seen[0].deleted_at), 30 * dayLong)
  assert.deepEqual([seen[0].deleted_by.title, seen[0].status], ['Ann', 'restorable'])
})

test('type, deleted_by and after filter the trash', async () => {
  const { ann, bob, clock } = workspace
  clock.pass(dayLong)
  const after = new Date(clock.now()).toISOString()
  await bob.call('delete_label', {
    label_id: (await ann.call('create_label', { name: 'By bob' })).id,
  })
  const titles = async (args: Record<string, unknown>) =>
    (await ann.call('list_trash', args)).items.map((item: any) => item.item.title)
  assert.deepEqual(await titles({ deleted_by: bob.id }), ['By bob'])
  assert.deepEqual(await titles({ after }), ['By bob'])
  assert.deepEqual((await titles({ type: ['project'] })).sort(), ['fourth', 'second'])
  assert.match(
    (await ann.refused('list_trash', { type: ['sprint'] })).body().message,
    /do not go to the trash/,
  )
})

test('only people who may restore an item find it in the trash', async () => {
  const { ann, bob, carol, eve } = workspace
  const project = await ann.call('create_project', {
    name: 'Leads only',
    key: 'LEAD',
    member_ids: [bob.id],
  })
  await ann.call('delete_project', { project_id: 'LEAD', confirm_key: 'LEAD' })
  for (const someone of [bob, carol])
    assert.deepEqual((await someone.call('list_trash', { type: ['project'] })).items, [])
  assert.deepEqual((await eve.call('list_trash')).items, [])
  assert.equal(
    (await bob.refused('restore_item', { item_id: project.id })).code,
    'permission_denied',
  )
  assert.equal((await carol.refused('restore_item', { item_id: project.id })).code, 'not_found')
  assert.equal((await eve.refused('restore_item', { item_id: project.id })).code, 'not_found')
  assert.equal((await ann.call('restore_item', { item_id: 'LEAD' })).status, 'restored')
  assert.equal((await bob.call('get_project', { project_id: 'LEAD' })).name, 'Leads only')
})

test('restoring an item that is not in the trash, or whose name was reused, is refused with a remedy', async () => {
  const { ann } = workspace
  const label = await ann.call('create_label', { name: 'Twice' })
  assert.equal((await ann.refused('restore_item', { item_id: label.id })).code, 'conflict')
  await ann.call('delete_label', { label_id: label.id })
  await ann.call('create_label', { name: 'twice' })
  const refusal = await ann.refused('restore_item', { item_id: label.id })
  assert.equal(refusal.code, 'conflict')
  assert.match(refusal.body().message, /Another label is now named "Twice".*Rename/)
  assert.equal(
    (await ann.refused('restore_item', { item_id: label.id, parent_id: label.id })).code,
    'not_found',
  )
  const other = await ann.call('create_label', { name: 'Other' })
  assert.match(
    (await ann.refused('restore_item', { item_id: label.id, parent_id: other.id })).message,
    /returns to its original place/,
  )
})

test('a name refers to the trashed item even if another had it since', async () => {
  const { ann } = workspace
  const label = await ann.call('create_label', { name: 'Named' })
  await ann.call('delete_label', { label_id: label.id })
  const anew = await ann.call('create_label', { name: 'Named' })
  await ann.call('update_label', { label_id: anew.id, name: 'Named otherwise' })
  assert.equal((await ann.call('restore_item', { item_id: 'named' })).item.id, label.id)
  assert.equal((await ann.refused('restore_item', { item_id: 'named' })).code, 'conflict')
})

test('items of a trashed project can be restored only after it', async () => {
  const { ann } = workspace
  const project = await ann.call('create_project', { name: 'Above', key: 'ABV' })
  const task = await ann.call('create_task', { title: 'Below', project_id: 'ABV' })
  await ann.call('delete_task', { task_id: task.id })
  await ann.call('delete_project', { project_id: 'ABV', confirm_key: 'ABV' })
  const refusal = await ann.refused('restore_item', { item_id: task.id })
  assert.deepEqual(refusal.more.next, { tool: 'restore_item', arguments: { item_id: project.id } })
  await ann.call('restore_item', { item_id: project.id })
  assert.equal((await ann.call('restore_item', { item_id: task.id })).status, 'restored')
})

test('a page merely linked to a trashed project is restored without it, even for a former member', async () => {
  const { ann, bob } = workspace
  const project = await ann.call('create_project', {
    name: 'Named',
    key: 'NAMED',
    member_ids: [bob.id],
  })
  const page = await bob.call('create_page', { title: 'Of Bob', project_id: project.id })
  await bob.call('delete_page', { page_id: page.id })
  await ann.call('remove_project_member', { project_id: project.id, person_id: bob.id })
  await ann.call('delete_project', { project_id: project.id, confirm_key: 'NAMED' })
  assert.equal((await bob.call('restore_item', { item_id: page.id })).status, 'restored')
})

test('a subtask is restored after its parent, or below another one', async () => {
  const { ann } = workspace
  const project = await ann.call('create_project', { name: 'Tree', key: 'TREE' })
  const [parent, other] = [
    await ann.call('create_task', { project_id: 'TREE', title: 'Parent' }),
    await ann.call('create_task', { project_id: 'TREE', title: 'Other' }),
  ]
  const below = await ann.call('create_task', {
    project_id: 'TREE',
    title: 'Below',
    parent_id: parent.id,
  })
  await ann.call('delete_task', { task_id: below.id })
  await ann.call('delete_task', { task_id: parent.id })
  const refusal = await ann.refused('restore_item', { item_id: below.id })
  assert.match(
    refusal.body().message,
    /part of a task that is in the trash.*Restore that item first/,
  )
  await ann.call('restore_item', { item_id: below.id, parent_id: other.id })
  assert.equal((await ann.call('get_task', { task_id: below.id })).parent.id, other.id)
  await ann.call('delete_task', { task_id: other.id })
  assert.deepEqual(
    (await ann.call('list_trash', { type: ['task'] })).items
      .map((item: any) => [item.item.title, item.parts])
      .sort(),
    [
      ['Other', [{ type: 'task', count: 1 }]],
      ['Parent', []],
    ],
  )
  assert.match(
    (await ann.refused('restore_item', { item_id: below.id })).message,
    /deleted together with another item/,
  )
  await ann.call('restore_item', { item_id: other.id })
  assert.equal((await ann.call('get_task', { task_id: below.id })).title, 'Below')
  await ann.call('delete_project', { project_id: 'TREE', confirm_key: 'TREE' })
  const [shown] = (await ann.call('list_trash', { type: ['project'] })).items
  assert.deepEqual([shown.item.id, shown.parts], [project.id, [{ type: 'task', count: 2 }]])
  assert.equal(
    (await ann.refused('restore_item', { item_id: parent.id })).more.next?.arguments.item_id,
    project.id,
  )
})
