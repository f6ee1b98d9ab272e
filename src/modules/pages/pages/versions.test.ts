import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

test('every change of text or title is a version with its author and, for authorized readers, the key', async () => {
  const { ann, bob } = workspace
  const { id } = await ann.call('create_page', { title: 'Versions', body_markdown: 'one' })
  await ann.call('share_page', { page_id: id, person_id: bob.id, role: 'editor' })
  await bob.call(
    'append_to_page',
    { page_id: id, body_markdown: 'two' },
    { via: 'mcp', key: await workspace.key(bob, { name: 'bobs laptop' }) },
  )
  await ann.call('update_page', { page_id: id, title: 'Renamed' })
  await ann.call('update_page', { page_id: id, title: 'Renamed', body_markdown: 'one\n\ntwo' })
  const carl = await workspace.person('Carl')
  await ann.call('share_page', { page_id: id, person_id: carl.id, role: 'viewer' })
  const versions = async (who: typeof ann) =>
    (await who.call('list_page_versions', { page_id: id })).items
  const [renamed, appended, first] = await versions(bob)
  assert.deepEqual(
    [renamed.number, renamed.title, renamed.chars_changed, renamed.current, renamed.author.title],
    [3, 'Renamed', 0, true, 'Ann'],
  )
  assert.deepEqual(
    [appended.via, appended.author.id, appended.key_name, appended.chars_changed],
    ['mcp', bob.id, 'bobs laptop', 5],
  )
  assert.deepEqual(
    [(await versions(carl))[1].key_name, (await versions(ann))[1].key_name],
    [undefined, 'bobs laptop'],
  )
  assert.equal(
    (await carl.call('get_page_version', { page_id: id, version_id: first.id })).body_markdown,
    'one',
  )
  const diff = await carl.call('get_page_version', {
    page_id: id,
    version_id: first.id,
    diff_to: appended.id,
  })
  assert.deepEqual(
    [diff.body_markdown, diff.diff.split('\n').slice(3)],
    [
      undefined,
      [
        '-one',
        '\\ No newline at end of file',
        '+one',
        '+',
        '+two',
        '\\ No newline at end of file',
        '',
      ],
    ],
  )
  const paged = await ann.call('list_page_versions', { page_id: id, limit: 2 })
  assert.equal(
    (await ann.call('list_page_versions', { page_id: id, limit: 2, cursor: paged.next_cursor }))
      .items[0].id,
    first.id,
  )
})

test('restoring an earlier version creates a new one, and requires write access', async () => {
  const { ann, bob, carol } = workspace
  const { id } = await ann.call('create_page', { title: 'First title', body_markdown: 'first' })
  await ann.call('update_page', { page_id: id, title: 'Second title', body_markdown: 'second' })
  await ann.call('share_page', { page_id: id, person_id: bob.id, role: 'commenter' })
  const [, first] = (await ann.call('list_page_versions', { page_id: id })).items
  assert.equal(
    (await bob.refused('restore_page_version', { page_id: id, version_id: first.id })).code,
    'permission_denied',
  )
  assert.equal(
    (await carol.refused('get_page_version', { page_id: id, version_id: first.id })).code,
    'not_found',
  )
  const restored = await ann.call('restore_page_version', { page_id: id, version_id: first.id })
  assert.equal(restored.title, 'First title')
  assert.equal((await ann.call('get_page', { page_id: id })).body_markdown, 'first')
  assert.deepEqual(
    (await ann.call('list_page_versions', { page_id: id })).items.map(
      (item: { number: number }) => item.number,
    ),
    [3, 2, 1],
  )
  const other = await ann.call('create_page', { title: 'Other' })
  assert.equal(
    (await ann.refused('get_page_version', { page_id: other.id, version_id: first.id })).code,
    'not_found',
  )
})

test('many edits of a long page take little space, and every version reads back exactly', async () => {
  const { ann, app } = { ...workspace, app: workspace.app }
  const lines = Array.from({ length: 4000 }, (_, i) => `Line ${i} ${(i * 7919) % 104_729} 👍`)
  const { id } = await ann.call('create_page', { title: 'Long', body_markdown: lines.join('\n') })
  const bodies = [lines.join('\n')]
  for (let i = 0; i < 40; i++) {
    lines[(i * 997) % lines.length] = `changed by edit ${i} 🎉`
    bodies.push(lines.join('\n'))
    await ann.call('update_page', { page_id: id, body_markdown: bodies.at(-1)! })
  }
  const { bytes } = app.store.raw.read
    .prepare('SELECT sum(length(content)) AS bytes FROM page_versions WHERE page_id = ?')
    .get(id) as { bytes: number }
  assert.ok(
    bytes < 3 * bodies[0]!.length,
    `${bytes} bytes for 41 versions of ${bodies[0]!.length} characters`,
  )
  const versions = (
    await ann.call('list_page_versions', { page_id: id, limit: 50 })
  ).items.reverse()
  for (const at of [0, 1, 20, 24, 25, 26, 39, 40])
    assert.equal(
      (await ann.call('get_page_version', { page_id: id, version_id: versions[at].id }))
        .body_markdown,
      bodies[at],
    )
})
