import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const text =
  '# Guide\r\n\r\nHello  \n\n## Setup\n\n- one\n-   two\n\n```\n# no heading\n```\n\n## Use\nLast line without end 👍'

test('a page keeps its text verbatim, and shows its outline', async () => {
  const { ann } = workspace
  const createdPage = await ann.call('create_page', { title: ' Our  guide ', body_markdown: text })
  assert.deepEqual(
    [
      createdPage.title,
      createdPage.visibility,
      createdPage.kind,
      createdPage.my_role,
      createdPage.revision,
    ],
    ['Our guide', 'private', 'page', 'owner', 1],
  )
  const read = await ann.call('get_page', { page_id: createdPage.id })
  assert.equal(read.body_markdown, text)
  assert.deepEqual(read.outline, [
    { level: 1, heading: 'Guide', anchor: 'guide' },
    { level: 2, heading: 'Setup', anchor: 'setup' },
    { level: 2, heading: 'Use', anchor: 'use' },
  ])
  assert.deepEqual(
    [read.total_chars, read.offset, read.backlinks, read.shares],
    [text.length, 0, [], []],
  )
})

test('a section is read by heading, anchor or path; a long text is read in slices that split no character', async () => {
  const { ann } = workspace
  const body = '# A\n\nintro\n\n## Notes\n\nof a\n\n# B\n\n## Notes\n\nof b 👍👍\n'
  const { id } = await ann.call('create_page', { title: 'Sections', body_markdown: body })
  assert.equal(
    (await ann.call('get_page', { page_id: id, section: 'B' })).body_markdown,
    '# B\n\n## Notes\n\nof b 👍👍\n',
  )
  const part = await ann.call('get_page', { page_id: id, section: 'b > notes' })
  assert.deepEqual(
    [part.body_markdown, part.section, part.outline.length],
    ['## Notes\n\nof b 👍👍\n', 'Notes', 1],
  )
  assert.equal(
    (await ann.call('get_page', { page_id: id, section: 'notes-1' })).body_markdown,
    part.body_markdown,
  )
  const several = await ann.refused('get_page', { page_id: id, section: 'Notes' })
  assert.deepEqual(
    (several.more.context!.candidates as { path: string }[]).map((candidate) => candidate.path),
    ['A > Notes', 'B > Notes'],
  )
  assert.match(
    (await ann.refused('get_page', { page_id: id, section: 'Nots' })).message,
    /no heading "Nots"/,
  )
  let read = ''
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const piece: { body_markdown: string; next_offset?: number } = await ann.call('get_page', {
      page_id: id,
      max_chars: 7,
      offset,
    })
    assert.ok(piece.body_markdown.isWellFormed())
    read += piece.body_markdown
    offset = piece.next_offset
  }
  assert.equal(read, body)
  const outline = await ann.call('get_page', { page_id: id, outline_only: true })
  assert.deepEqual(
    [outline.body_markdown, outline.outline.length, outline.total_chars],
    [undefined, 4, body.length],
  )
})

test('lists show pages visible to the caller, by scope, kind, parent, label, project and creator, paginated', async () => {
  const { ann, bob, carol, eve } = workspace
  const label = await ann.call('create_label', { name: 'handbook' })
  const project = await ann.call('create_project', { name: 'Docs', key: 'DOCS' })
  const root = await ann.call('create_page', {
    title: 'Zebra',
    visibility: 'organization',
    label_ids: [label.id],
    project_id: 'DOCS',
  })
  const secret = await ann.call('create_page', {
    title: 'Yak',
    parent_id: root.id,
    kind: 'template',
  })
  const titles = async (who: typeof ann, args: object) =>
    (await who.call('list_pages', { sort: 'title', ...args })).items.map(
      (item: { title: string }) => item.title,
    )
  assert.deepEqual(await titles(bob, {}), ['Zebra'])
  assert.deepEqual(await titles(eve, {}), [])
  assert.deepEqual(await titles(ann, { parent_id: root.id }), ['Yak'])
  assert.deepEqual(await titles(ann, { kind: 'template' }), ['Yak'])
  assert.deepEqual(await titles(ann, { scope: 'organization' }), ['Zebra'])
  assert.deepEqual(await titles(bob, { label_id: ['handbook'] }), ['Zebra'])
  assert.deepEqual(await titles(ann, { project_id: 'DOCS' }), ['Zebra'])
  assert.deepEqual(await titles(bob, { created_by: ann.id, scope: 'own' }), [])
  assert.equal(
    (await bob.call('list_pages', {})).items[0].project,
    undefined,
    'a project that the reader cannot see is omitted',
  )
  assert.equal((await bob.refused('list_pages', { project_id: project.id })).code, 'not_found')
  assert.equal((await bob.refused('get_page', { page_id: secret.id })).code, 'not_found')
  const first = await ann.call('list_pages', { sort: 'title', limit: 2 })
  const second = await ann.call('list_pages', {
    sort: 'title',
    limit: 2,
    cursor: first.next_cursor,
  })
  assert.deepEqual(
    [...first.items, ...second.items].map((item) => item.title),
    ['Our guide', 'Sections', 'Yak', 'Zebra'],
  )
  assert.deepEqual((await ann.call('list_pages', { parent_id: root.id })).items[0].breadcrumb, [
    { id: root.id, title: 'Zebra' },
  ])
  await ann.call('delete_page', { page_id: secret.id })
  assert.deepEqual(await titles(ann, { trashed: true }), ['Yak'])
  assert.deepEqual(await titles(carol, { trashed: true }), [])
  const labels = (await ann.call('list_labels', { query: 'handbook', item_type: 'page' })).items
  assert.deepEqual(
    labels.map((item: { uses: object }) => item.uses),
    [{ task: 0, page: 1, contact: 0, deal: 0, file: 0, incident: 0 }],
  )
})

test('title, icon, labels, visibility and text are changed by one call as one revision; a stale revision is refused', async () => {
  const { ann, bob } = workspace
  await ann.call('create_label', { name: 'draft' })
  const createdPage = await ann.call('create_page', { title: 'Plan', body_markdown: 'old' })
  const next = await ann.call('update_page', {
    page_id: createdPage.id,
    title: 'Big plan',
    body_markdown: 'new\r\n',
    icon: '📌',
    visibility: 'organization',
    add_label_ids: ['draft'],
    expected_revision: 1,
  })
  assert.deepEqual(
    [next.title, next.icon, next.visibility, next.labels[0].title, next.revision],
    ['Big plan', '📌', 'organization', 'draft', 2],
  )
  assert.equal((await bob.call('get_page', { page_id: createdPage.id })).body_markdown, 'new\r\n')
  assert.equal(
    (
      await ann.refused('update_page', {
        page_id: createdPage.id,
        title: 'x',
        expected_revision: 1,
      })
    ).code,
    'conflict',
  )
  assert.equal(
    (await bob.refused('update_page', { page_id: createdPage.id, title: 'x' })).code,
    'permission_denied',
  )
  assert.equal(
    (
      await ann.call('update_page', {
        page_id: createdPage.id,
        icon: null,
        remove_label_ids: ['draft'],
      })
    ).icon,
    undefined,
  )
  const [last] = (await ann.call('list_page_versions', { page_id: createdPage.id })).items
  assert.deepEqual([last.number, last.current, last.chars_changed], [2, true, 8])
})

test('undoing a text change restores the previous text, and the undo can be undone', async () => {
  const { ann } = workspace
  const key = await workspace.key(ann)
  const createdPage = await ann.call('create_page', {
    title: 'Undo',
    body_markdown: 'first [[Plan]]',
  })
  const undo = async () => {
    const [lastCall] = (await ann.call('list_api_calls', { limit: 1 })).items
    return ann.call('undo_api_call', { call_id: lastCall.id }, { key })
  }
  await ann.call(
    'update_page',
    { page_id: createdPage.id, title: 'Undone', body_markdown: 'second' },
    { key },
  )
  assert.equal((await undo()).undone, true)
  const now = await ann.call('get_page', { page_id: createdPage.id })
  assert.deepEqual([now.title, now.body_markdown], ['Undo', 'first [[Plan]]'])
  assert.equal((await undo()).undone, true)
  assert.equal((await ann.call('get_page', { page_id: createdPage.id })).body_markdown, 'second')
  await ann.call('update_page', { page_id: createdPage.id, body_markdown: 'third' }, { key })
  const [before] = (await ann.call('list_api_calls', { limit: 1 })).items
  await ann.call('update_page', { page_id: createdPage.id, body_markdown: 'fourth' })
  const refused = await ann.call('undo_api_call', { call_id: before.id })
  assert.deepEqual([refused.undone, refused.refused[0].reason], [false, 'changed_since'])
  const child = await ann.call('create_page', { title: 'Child' }, { key })
  await undo()
  assert.equal((await ann.refused('get_page', { page_id: child.id })).code, 'not_found')
})

test('a page can grow to 10 MB and no further', async () => {
  const { ann } = workspace
  const { id } = await ann.call('create_page', {
    title: 'Long',
    body_markdown: 'é'.repeat(5_000_000),
  })
  await ann.call('append_to_page', { page_id: id, body_markdown: 'x'.repeat(400_000) })
  const refusal = await ann.refused('append_to_page', {
    page_id: id,
    body_markdown: 'x'.repeat(100_000),
  })
  assert.equal(refusal.code, 'too_large')
  assert.equal(
    (await ann.call('get_page', { page_id: id, offset: 5_000_000 })).body_markdown,
    `\n\n${'x'.repeat(400_000)}`,
  )
})

test('a page is created once per idempotency key, and only where its creator may add pages', async () => {
  const { ann, bob, carol } = workspace
  const args = { title: 'Once', idempotency_key: 'k1' }
  assert.equal((await ann.call('create_page', args)).id, (await ann.call('create_page', args)).id)
  const open = await ann.call('create_page', { title: 'Open', visibility: 'organization' })
  const parentPage = await ann.call('create_page', { title: 'Own' })
  await ann.call('share_page', { page_id: parentPage.id, person_id: bob.id, role: 'commenter' })
  assert.equal(
    (await bob.refused('create_page', { title: 'x', parent_id: parentPage.id })).code,
    'permission_denied',
  )
  assert.equal(
    (await carol.refused('create_page', { title: 'x', parent_id: parentPage.id })).code,
    'not_found',
  )
  const under = await carol.call('create_page', { title: 'Under', parent_id: open.id })
  assert.equal(under.owner.id, carol.id)
  assert.equal((await ann.refused('get_page', { page_id: under.id })).code, 'not_found')
})
