import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

/** Role of a person on a page; asserts that the list, the tree and the page itself agree. */
async function roleOf(who: Someone, id: string): Promise<string | undefined> {
  const listed = (await who.call('list_pages', { limit: 100 })).items.find(
    (item: { id: string }) => item.id === id,
  )
  const inTree = JSON.stringify(await who.call('get_page_tree', { depth: 50 })).includes(id)
  try {
    const read = await who.call('get_page', { page_id: id })
    assert.deepEqual(
      [listed?.my_role, inTree],
      [read.my_role, true],
      'lists, the tree and the page agree',
    )
    return read.my_role
  } catch {
    assert.deepEqual([listed, inTree], [undefined, false])
    return undefined
  }
}

const createPage = async (who: Someone, title: string, more = {}) =>
  (await who.call('create_page', { title, ...more })).id as string

test('a share applies to all descendants while they remain below', async () => {
  const { ann, bob, carol, eve } = workspace
  const root = await createPage(ann, 'Root')
  const child = await createPage(ann, 'Child', { parent_id: root })
  const deep = await createPage(ann, 'Deep', { parent_id: child })
  const other = await createPage(ann, 'Other')
  const share = await ann.call('share_page', {
    page_id: root,
    person_id: 'bob@acme.test',
    role: 'viewer',
    note: 'please\nread',
  })
  assert.deepEqual(
    [share.person.id, share.role, share.kind, share.on.id],
    [bob.id, 'viewer', 'person', root],
  )
  assert.deepEqual(
    [
      await roleOf(bob, deep),
      await roleOf(bob, other),
      await roleOf(carol, deep),
      await roleOf(eve, deep),
    ],
    ['viewer', undefined, undefined, undefined],
  )
  const [inherited] = (await bob.call('get_page', { page_id: deep })).shares
  assert.deepEqual([inherited.inherited_from.id, inherited.person.id], [root, bob.id])
  await ann.call('share_page', { page_id: child, person_id: bob.id, role: 'editor' })
  assert.deepEqual([await roleOf(bob, root), await roleOf(bob, deep)], ['viewer', 'editor'])
  const moved = await ann.call('move_page', { page_id: child, parent_id: other })
  assert.deepEqual(moved.readers, { gained: [], lost: [] }, 'its direct share moves with it')
  await ann.call('unshare_page', { page_id: child, person_id: bob.id })
  assert.equal(await roleOf(bob, deep), undefined)
  await ann.call('move_page', { page_id: child, parent_id: root })
  assert.equal(await roleOf(bob, deep), 'viewer')
})

test('recipients of a share are notified and see the page, and actions beyond their role are refused', async () => {
  const { ann, bob } = workspace
  const id = await createPage(ann, 'Told')
  await ann.call('share_page', {
    page_id: id,
    person_id: bob.id,
    role: 'viewer',
    note: 'have a look',
  })
  const received = (await bob.call('list_notifications', {})).items.find(
    (item: { item?: { id: string } }) => item.item?.id === id,
  )
  assert.match(received.text, /Ann shared the page “Told” with you: have a look/)
  assert.equal(
    (await bob.refused('update_page', { page_id: id, title: 'x' })).code,
    'permission_denied',
  )
  assert.equal(
    (
      await bob.refused('share_page', {
        page_id: id,
        person_id: workspace.carol.id,
        role: 'viewer',
      })
    ).code,
    'permission_denied',
  )
  assert.equal((await bob.refused('delete_page', { page_id: id })).code, 'permission_denied')
  assert.equal(
    (await bob.refused('add_page_comment', { page_id: id, body_markdown: 'x' })).code,
    'permission_denied',
  )
  await ann.call('share_page', { page_id: id, person_id: bob.id, role: 'commenter' })
  await bob.call('add_page_comment', { page_id: id, body_markdown: 'x' })
  const same = await ann.call('share_page', { page_id: id, person_id: bob.id, role: 'commenter' })
  assert.equal((await ann.call('get_page', { page_id: id })).shares.length, 1)
  assert.equal(same.revision, 2)
  assert.match(
    (await ann.refused('share_page', { page_id: id, person_id: 'me', role: 'viewer' })).message,
    /owner/,
  )
})

test('leaving a page needs no permission; revoking an inherited share is refused with its source', async () => {
  const { ann, bob, carol } = workspace
  const root = await createPage(ann, 'Above')
  const child = await createPage(ann, 'Below', { parent_id: root })
  await ann.call('share_page', { page_id: root, person_id: bob.id, role: 'viewer' })
  await ann.call('share_page', { page_id: root, person_id: carol.id, role: 'viewer' })
  assert.match(
    (await ann.refused('unshare_page', { page_id: child, person_id: bob.id })).message,
    /Above/,
  )
  assert.equal(
    (await bob.refused('unshare_page', { page_id: root, person_id: carol.id })).code,
    'permission_denied',
  )
  await bob.call('unshare_page', { page_id: root, person_id: 'me' })
  assert.deepEqual([await roleOf(bob, child), await roleOf(carol, child)], [undefined, 'viewer'])
  const lost = (await bob.call('list_changes', { limit: 100 })).items.filter(
    (item: { op: string; item: { id: string } }) => item.op === 'access_lost',
  )
  assert.ok(lost.some((item: { item: { id: string } }) => item.item.id === root))
  assert.equal(
    (await ann.refused('unshare_page', { page_id: root, person_id: bob.id })).code,
    'not_found',
  )
})

test('the owner of a private page can access pages others create below it; private pages below organization pages stay private', async () => {
  const { ann, bob, carol } = workspace
  const mine = await createPage(ann, 'Mine')
  await ann.call('share_page', { page_id: mine, person_id: bob.id, role: 'editor' })
  const bobs = await createPage(bob, 'Of Bob', { parent_id: mine })
  const deeper = await createPage(bob, 'Deeper of Bob', { parent_id: bobs })
  assert.deepEqual(
    [
      await roleOf(ann, bobs),
      await roleOf(ann, deeper),
      await roleOf(bob, bobs),
      await roleOf(carol, bobs),
    ],
    ['editor', 'editor', 'owner', undefined],
  )
  const open = await createPage(ann, 'Handbook', { visibility: 'organization' })
  const notes = await createPage(bob, 'Notes of Bob', { parent_id: open })
  const below = await createPage(bob, 'Open below', {
    parent_id: notes,
    visibility: 'organization',
  })
  assert.deepEqual(
    [await roleOf(ann, notes), await roleOf(ann, below), await roleOf(carol, open)],
    [undefined, 'commenter', 'commenter'],
  )
  assert.deepEqual(
    (await carol.call('get_page', { page_id: below })).breadcrumb,
    [{ id: open, title: 'Handbook' }],
    'hidden ancestors are left out',
  )
  await ann.call('update_page', { page_id: mine, visibility: 'organization' })
  assert.equal(await roleOf(ann, bobs), undefined)
})

test('guests see only pages shared with them', async () => {
  const { ann } = workspace
  const guest = await workspace.person('Gus', { role: 'guest' })
  const open = await createPage(ann, 'For all', { visibility: 'organization' })
  assert.equal(await roleOf(guest, open), undefined)
  await ann.call('share_page', { page_id: open, person_id: guest.id, role: 'viewer' })
  assert.equal(await roleOf(guest, open), 'viewer')
  assert.deepEqual(
    (await guest.call('search_pages', { query: 'all' })).items.map(
      (item: { page: { id: string } }) => item.page.id,
    ),
    [open],
  )
})

test('undoing a share revokes it, and undoing a revocation restores it', async () => {
  const { ann, bob } = workspace
  const key = await workspace.key(ann)
  const id = await createPage(ann, 'Undo share')
  const undo = async () =>
    ann.call(
      'undo_api_call',
      { call_id: (await ann.call('list_api_calls', { limit: 1 })).items[0].id },
      { key },
    )
  await ann.call('share_page', { page_id: id, person_id: bob.id, role: 'viewer' }, { key })
  assert.equal((await undo()).undone, true)
  assert.equal(await roleOf(bob, id), undefined)
  await ann.call('share_page', { page_id: id, person_id: bob.id, role: 'viewer' }, { key })
  await ann.call('unshare_page', { page_id: id, person_id: bob.id }, { key })
  assert.equal((await undo()).undone, true)
  assert.equal(await roleOf(bob, id), 'viewer')
})
