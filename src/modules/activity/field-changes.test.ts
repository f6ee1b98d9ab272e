import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dayLong, makeWorkspace, type TestWorkspace } from '../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob } = workspace
  await ann.call('create_project', { name: 'Engine', key: 'ENG', member_ids: [bob.id] })
  await ann.call('create_task', { project_id: 'ENG', title: 'Oil the valves', priority: 'low' })
})
after(() => workspace.close())

const fieldsOf = async (who = workspace.ann): Promise<Record<string, any>> =>
  Object.fromEntries(
    (await who.call('list_field_changes', { item_id: 'ENG-1' })).items.map((item: any) => [
      item.field,
      item,
    ]),
  )

test('each field shows who set it last, with which key, and its previous value', async () => {
  const { ann, bob, clock } = workspace
  const key = await workspace.key(ann, { name: 'Inbox helper' })
  await ann.call('update_task', { task_id: 'ENG-1', priority: 'high' })
  clock.pass(1000)
  await ann.call('update_task', { task_id: 'ENG-1', priority: 'urgent' }, { key, via: 'mcp' })
  await bob.call('update_task', { task_id: 'ENG-1', title: 'Oil all valves' })
  const { priority, title } = await fieldsOf()
  assert.deepEqual(
    [
      priority.from,
      priority.to,
      priority.actor.title,
      priority.via,
      priority.key_name,
      priority.undo,
    ],
    ['high', 'urgent', 'Ann', 'mcp', 'Inbox helper', 'possible'],
  )
  assert.equal(Date.parse(priority.at), clock.now())
  assert.deepEqual(
    [title.from, title.to, title.actor.title, title.call_id, title.undo],
    ['Oil the valves', 'Oil all valves', 'Bob', undefined, undefined],
    'another person’s call is not shown',
  )
  const seen = (await fieldsOf(bob)).priority
  assert.deepEqual([seen.key_name, seen.call_id, seen.via], [undefined, undefined, 'mcp'])
  await ann.call('undo_api_call', { call_id: priority.call_id })
  assert.equal((await fieldsOf()).priority.to, 'high')
})

test('a change too old to undo is marked as such, also in the activity', async () => {
  const { ann, bob, clock } = workspace
  await ann.call('update_task', { task_id: 'ENG-1', priority: 'medium' })
  const newest = async (who = ann) =>
    (await who.call('list_activity', { item_id: 'ENG-1', limit: 1 })).items[0]
  const { call_id, undo } = await newest()
  assert.equal(undo, 'possible')
  assert.deepEqual([(await newest(bob)).call_id, (await newest(bob)).undo], [undefined, undefined])
  clock.pass(31 * dayLong)
  assert.deepEqual([(await newest()).call_id, (await newest()).undo], [call_id, 'expired'])
  assert.equal((await fieldsOf()).priority.undo, 'expired')
})

test('the fields are paged', async () => {
  const all = (await workspace.ann.call('list_field_changes', { item_id: 'ENG-1' })).items
  const received: unknown[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await workspace.ann.call('list_field_changes', {
      item_id: 'ENG-1',
      limit: 1,
      ...(cursor === undefined ? {} : { cursor }),
    })
    received.push(...page.items)
    if (!page.has_more) break
    cursor = page.next_cursor
  }
  assert.deepEqual(received, all)
  assert.ok(all.length > 1)
})

test('a person who cannot see the item gets the same answer as for a missing one', async () => {
  for (const who of [workspace.carol, workspace.eve])
    assert.equal((await who.refused('list_field_changes', { item_id: 'ENG-1' })).code, 'not_found')
})
