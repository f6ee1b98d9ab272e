import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  dayLong,
  makeWorkspace,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

async function cursorAtEnd(who: Someone): Promise<string> {
  let page = await who.call('list_changes', { limit: 100 })
  while (page.has_more)
    page = await who.call('list_changes', { limit: 100, cursor: page.next_cursor })
  return page.since_cursor
}

test('changes come oldest first, each once, and the last response gives the cursor to continue from later', async () => {
  const { ann } = workspace
  const since_cursor = await cursorAtEnd(ann)
  const label = await ann.call('create_label', { name: 'One' })
  await ann.call('update_label', { label_id: label.id, color: '#123456' })
  const page = await ann.call('list_changes', { since_cursor })
  assert.deepEqual(
    page.items.map((item: any) => [item.op, item.item.title, item.fields]),
    [
      ['created', 'One', []],
      ['updated', 'One', ['color']],
    ],
  )
  assert.deepEqual([page.has_more, page.next_cursor], [false, undefined])
  const later = await ann.call('list_changes', { since_cursor: page.since_cursor })
  assert.deepEqual(later.items, [])
  await ann.call('delete_label', { label_id: label.id })
  const deleted = await ann.call('list_changes', { since_cursor: later.since_cursor })
  assert.deepEqual(
    deleted.items.map((item: any) => [item.op, item.item.title]),
    [['deleted', 'One']],
  )
})

test('the seq of any change is also a cursor, and pages do not skip changes in between', async () => {
  const { ann } = workspace
  const since_cursor = await cursorAtEnd(ann)
  for (const name of ['a', 'b', 'c']) await ann.call('create_label', { name: `seq ${name}` })
  const first = await ann.call('list_changes', { since_cursor, limit: 2 })
  assert.equal(first.has_more, true)
  await ann.call('create_label', { name: 'seq d' })
  const rest = await ann.call('list_changes', { since_cursor: first.items[0].seq })
  assert.deepEqual(
    rest.items.map((item: any) => item.item.title),
    ['seq b', 'seq c', 'seq d'],
  )
  const next = await ann.call('list_changes', { cursor: first.next_cursor })
  assert.deepEqual(
    next.items.map((item: any) => item.item.title),
    ['seq c', 'seq d'],
  )
})

test('since takes a time; with nothing after it the cursor is at the end, not at the start', async () => {
  const { ann, clock } = workspace
  await ann.call('create_label', { name: 'Long before' })
  clock.pass(2 * dayLong)
  const empty = await ann.call('list_changes', {
    since: new Date(clock.now() - dayLong).toISOString(),
  })
  assert.deepEqual(empty.items, [])
  await ann.call('create_label', { name: 'Now' })
  const page = await ann.call('list_changes', { since_cursor: empty.since_cursor })
  assert.deepEqual(
    page.items.map((item: any) => item.item.title),
    ['Now'],
  )
  const since = await ann.call('list_changes', {
    since: new Date(clock.now() - dayLong).toISOString(),
  })
  assert.deepEqual(
    since.items.map((item: any) => item.item.title),
    ['Now'],
  )
})

test('types filters the changes, and an unknown type is refused with the valid ones', async () => {
  const { ann } = workspace
  const since_cursor = await cursorAtEnd(ann)
  await ann.call('create_project', { name: 'Typed', key: 'TYP' })
  await ann.call('create_label', { name: 'Typed' })
  assert.deepEqual(
    (await ann.call('list_changes', { since_cursor, types: ['label'] })).items.map(
      (item: any) => item.item.type,
    ),
    ['label'],
  )
  const refusal = await ann.refused('list_changes', { types: ['labels'] })
  assert.match(refusal.body().message, /"labels" is not an item type.*label/)
})

test('gained and lost access is shown only to the person, and lost items have no title', async () => {
  const { ann, bob, carol } = workspace
  const sinceBob = await cursorAtEnd(bob)
  const sinceCarol = await cursorAtEnd(carol)
  const project = await ann.call('create_project', { name: 'Top secret', key: 'TOP' })
  await ann.call('add_project_member', { project_id: 'TOP', person_id: bob.id })
  const gained = (await bob.call('list_changes', { since_cursor: sinceBob })).items
  assert.ok(
    gained.some((item: any) => item.op === 'access_gained' && item.item.title === 'Top secret'),
  )
  await ann.call('update_project', { project_id: 'TOP', name: 'Top secret still' })
  await ann.call('remove_project_member', { project_id: 'TOP', person_id: bob.id })
  const lost = (await bob.call('list_changes', { since_cursor: sinceBob })).items.filter(
    (item: any) => item.op === 'access_lost',
  )
  assert.deepEqual(
    lost.map((item: any) => item.item),
    [{ type: 'project', id: project.id }],
  )
  assert.ok(
    !JSON.stringify(await bob.call('list_changes', { since_cursor: sinceBob })).includes(
      'Top secret',
    ),
  )
  assert.deepEqual((await carol.call('list_changes', { since_cursor: sinceCarol })).items, [])
})

test('another organization sees nothing, and cursors of other lists are refused', async () => {
  const { ann, eve } = workspace
  assert.deepEqual((await eve.call('list_changes')).items, [])
  const activity = await ann.call('list_activity', { limit: 1 })
  assert.equal(
    (await ann.refused('list_changes', { since_cursor: activity.next_cursor })).code,
    'invalid_argument',
  )
})

test('an invalid since_cursor is refused by its name', async () => {
  for (const since_cursor of ['rubbish', 'WzEsMl0'])
    assert.equal(
      (await workspace.ann.refused('list_changes', { since_cursor })).more.field,
      'since_cursor',
    )
})
