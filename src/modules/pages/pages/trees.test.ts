import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const createPage = async (who: Someone, title: string, more = {}) =>
  (await who.call('create_page', { title, ...more })).id as string

interface Branch {
  id: string
  title: string
  child_count: number
  children: Branch[]
}
const outline = (nodes: Branch[]): unknown[] =>
  nodes.map((node) =>
    node.children.length > 0 ? [node.title, outline(node.children)] : node.title,
  )
const below = async (who: Someone, root: string) =>
  outline((await who.call('get_page_tree', { root_id: root, depth: 100 })).nodes)

test('pages keep their order until they are reordered', async () => {
  const { ann } = workspace
  const root = await createPage(ann, 'Order')
  const [a, b, c] = [
    await createPage(ann, 'a', { parent_id: root }),
    await createPage(ann, 'b', { parent_id: root }),
    await createPage(ann, 'c', { parent_id: root }),
  ]
  assert.deepEqual(await below(ann, root), ['a', 'b', 'c'])
  await ann.call('move_page', { page_id: a, after_page_id: b })
  assert.deepEqual(await below(ann, root), ['b', 'a', 'c'])
  await ann.call('move_page', { page_id: c, after_page_id: null })
  assert.deepEqual(await below(ann, root), ['c', 'b', 'a'])
  const same = await ann.call('move_page', { page_id: c, after_page_id: null })
  assert.equal(same.revision, 2, 'nothing is written if it is already in that position')
  await ann.call('move_page', { page_id: b, parent_id: c })
  assert.deepEqual(await below(ann, root), [['c', ['b']], 'a'])
  assert.match(
    (await ann.refused('move_page', { page_id: a, after_page_id: b })).message,
    /not under the destination parent/,
  )
  assert.equal((await ann.refused('move_page', { page_id: a })).code, 'invalid_argument')
})

test('a tree is truncated at its depth, and reports it', async () => {
  const { ann } = workspace
  const root = await createPage(ann, 'Depth')
  const name = await createPage(ann, 'one', { parent_id: root })
  await createPage(ann, 'two', { parent_id: name })
  const cut = await ann.call('get_page_tree', { root_id: root, depth: 1 })
  assert.deepEqual(
    [cut.cut_at_depth, cut.nodes[0].child_count, cut.nodes[0].children],
    [true, 1, []],
  )
  assert.equal((await ann.call('get_page_tree', { root_id: root, depth: 2 })).cut_at_depth, false)
})

test('a page cannot end up below itself, not even through undo', async () => {
  const { ann } = workspace
  const [a, b] = [await createPage(ann, 'A'), await createPage(ann, 'B')]
  const c = await createPage(ann, 'C', { parent_id: a })
  assert.match(
    (await ann.refused('move_page', { page_id: a, parent_id: c })).message,
    /below the one/,
  )
  assert.match(
    (await ann.refused('move_page', { page_id: a, parent_id: a })).message,
    /below itself/,
  )
  const key = await workspace.key(ann)
  await ann.call('move_page', { page_id: c, parent_id: b }, { key })
  const [move] = (await ann.call('list_api_calls', { limit: 1 })).items
  await ann.call('move_page', { page_id: a, parent_id: c })
  const undone = await ann.call('undo_api_call', { call_id: move.id })
  assert.deepEqual([undone.undone, undone.refused[0].reason], [false, 'changed_since'])
  assert.deepEqual(await below(ann, b), [['C', ['A']]])
})

test('a move reports who gains and loses access, changes nothing in a dry run, and notifies new readers', async () => {
  const { ann, bob, carol } = workspace
  const [bobs, carols] = [await createPage(ann, 'With Bob'), await createPage(ann, 'With Carol')]
  await ann.call('share_page', { page_id: bobs, person_id: bob.id, role: 'editor' })
  await ann.call('share_page', { page_id: carols, person_id: carol.id, role: 'viewer' })
  const moving = await createPage(ann, 'Moving', { parent_id: bobs })
  const deep = await createPage(ann, 'Deep', { parent_id: moving })
  const dryRun = await ann.call('move_page', { page_id: moving, parent_id: carols, dry_run: true })
  assert.deepEqual(
    [dryRun.readers, dryRun.dry_run],
    [{ gained: [{ id: carol.id, title: 'Carol' }], lost: [{ id: bob.id, title: 'Bob' }] }, true],
  )
  assert.match(dryRun.warnings.join(' '), /Carol would be able to see.*Bob would no longer see/)
  assert.equal((await carol.refused('get_page', { page_id: deep })).code, 'not_found')
  const open = await createPage(ann, 'Open', { visibility: 'organization' })
  assert.equal(
    (await bob.refused('move_page', { page_id: moving, parent_id: open })).code,
    'permission_denied',
  )
  const key = await workspace.key(ann)
  await ann.call('move_page', { page_id: moving, parent_id: carols }, { key })
  assert.equal((await carol.call('get_page', { page_id: deep })).my_role, 'viewer')
  assert.equal((await bob.refused('get_page', { page_id: deep })).code, 'not_found')
  assert.ok(
    (await carol.call('list_notifications', {})).items.some((item: { text: string }) =>
      /moved the page “Moving”/.test(item.text),
    ),
  )
  const gained = (await carol.call('list_changes', { limit: 100 })).items.filter(
    (item: { op: string; item: { id: string } }) =>
      item.op === 'access_gained' && [moving, deep].includes(item.item.id),
  )
  assert.deepEqual(
    gained.map((item: { item: { id: string } }) => item.item.id),
    [moving],
    'only the topmost of the nested pages is reported',
  )
  await ann.call('undo_api_call', {
    call_id: (await ann.call('list_api_calls', { limit: 1 })).items[0].id,
  })
  assert.equal((await bob.call('get_page', { page_id: deep })).my_role, 'editor')
  assert.equal((await carol.refused('get_page', { page_id: deep })).code, 'not_found')
})

test('an editor cannot give a page away by moving it below a page of another owner', async () => {
  const { ann, bob, carol } = workspace
  const page = await createPage(ann, 'Of Ann')
  const other = await createPage(ann, 'Also of Ann')
  for (const id of [page, other])
    await ann.call('share_page', { page_id: id, person_id: bob.id, role: 'editor' })
  const bobs = await createPage(bob, 'Under Bob')
  await bob.call('share_page', { page_id: bobs, person_id: ann.id, role: 'editor' })
  assert.match(
    (await bob.refused('move_page', { page_id: page, parent_id: bobs })).message,
    /Only the owner/,
  )
  await bob.call('move_page', { page_id: page, parent_id: other })
  await ann.call('move_page', { page_id: page, parent_id: bobs })
  await bob.call('share_page', { page_id: bobs, person_id: carol.id, role: 'viewer' })
  assert.equal((await carol.call('get_page', { page_id: page })).my_role, 'viewer')
})

test('trashing a page trashes its descendants, and restoring it restores them', async () => {
  const { ann, bob } = workspace
  const root = await createPage(ann, 'Gone')
  await ann.call('share_page', { page_id: root, person_id: bob.id, role: 'editor' })
  const child = await createPage(ann, 'Child', { parent_id: root, body_markdown: 'zebra' })
  const bobs = await createPage(bob, 'Of Bob', { parent_id: child })
  const dryRun = await ann.call('delete_page', { page_id: root, dry_run: true })
  assert.deepEqual([dryRun.also_deleted, dryRun.dry_run], [[{ type: 'page', count: 2 }], true])
  await ann.call('delete_page', { page_id: root })
  for (const id of [root, child, bobs])
    assert.equal((await ann.refused('get_page', { page_id: id })).code, 'not_found')
  assert.deepEqual((await ann.call('search_pages', { query: 'zebra' })).items, [])
  const trashed = (await bob.call('list_trash', { type: ['page'] })).items
  assert.deepEqual(
    trashed.map((item: { item: { id: string } }) => item.item.id),
    [root],
    'the owner of a page trashed along finds the tree in the trash',
  )
  await bob.call('restore_item', { item_id: root })
  assert.equal((await bob.call('get_page', { page_id: bobs })).my_role, 'owner')
  assert.equal((await ann.call('search_pages', { query: 'zebra' })).items.length, 1)
})

test('a subpage whose owner cannot see the deleted parent is not lost', async () => {
  const { ann, bob } = workspace
  const root = await createPage(ann, 'Left')
  await ann.call('share_page', { page_id: root, person_id: bob.id, role: 'editor' })
  const bobs = await createPage(bob, 'Stays with Bob', { parent_id: root })
  const deeper = await createPage(bob, 'Deeper', { parent_id: bobs })
  await ann.call('unshare_page', { page_id: root, person_id: bob.id })
  const deleted = await ann.call('delete_page', { page_id: root })
  assert.deepEqual(deleted.also_deleted, [])
  assert.equal((await bob.call('get_page', { page_id: bobs })).parent, undefined)
  assert.equal((await bob.call('get_page', { page_id: deeper })).parent.id, bobs)
  assert.equal((await ann.refused('get_page', { page_id: bobs })).code, 'not_found')
})

test('undoing a deletion restores the tree as it was', async () => {
  const { ann } = workspace
  const key = await workspace.key(ann)
  const root = await createPage(ann, 'Back')
  await createPage(ann, 'one', { parent_id: root })
  await createPage(ann, 'two', { parent_id: root })
  await ann.call('delete_page', { page_id: root }, { key })
  await ann.call('undo_api_call', {
    call_id: (await ann.call('list_api_calls', { limit: 1 })).items[0].id,
  })
  assert.deepEqual(await below(ann, root), ['one', 'two'])
})
