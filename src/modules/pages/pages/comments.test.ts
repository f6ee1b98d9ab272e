import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

test('a comment moves with its passage, and still quotes it after it is removed', async () => {
  const { ann } = workspace
  const { id } = await ann.call('create_page', {
    title: 'Anchors',
    body_markdown: 'The cat sat.\n\nThe cat ran away from the dog.\n',
  })
  const second = await ann.call('add_page_comment', {
    page_id: id,
    body_markdown: 'Which dog?',
    quote: 'the dog',
  })
  assert.deepEqual(
    [second.quote, second.anchor, second.quote_offset, second.resolved],
    ['the dog', 'found', 36, false],
  )
  await ann.call('update_page', {
    page_id: id,
    body_markdown: 'We saw the dog before.\n\nThe cat ran away from the dog.\n',
  })
  const [moved] = (await ann.call('list_page_comments', { page_id: id })).items
  assert.deepEqual([moved.anchor, moved.quote_offset], ['found', 46])
  await ann.call('update_page', { page_id: id, body_markdown: 'Nothing.' })
  const [lost] = (await ann.call('list_page_comments', { page_id: id })).items
  assert.deepEqual([lost.anchor, lost.quote, lost.quote_offset], ['lost', 'the dog', undefined])
  assert.match(
    (await ann.refused('add_page_comment', { page_id: id, body_markdown: 'x', quote: 'not there' }))
      .message,
    /not in the text/,
  )
})

test('a comment follows edits of its passage, including undone edits', async () => {
  const { ann } = workspace
  const { id } = await ann.call('create_page', {
    title: 'Edited passages',
    body_markdown: 'Intro.\n\nThe three plans are yearly as the default.\n\nEnd.\n',
  })
  await ann.call('add_page_comment', {
    page_id: id,
    body_markdown: 'Why?',
    quote: 'plans are yearly as the default',
  })
  const now = async () => {
    const [{ quote, anchor, quote_offset }] = (
      await ann.call('list_page_comments', { page_id: id })
    ).items
    return [quote, anchor, quote_offset]
  }
  const { undo_call_id } = await ann.call('edit_page_section', {
    page_id: id,
    find: 'yearly as',
    new_markdown: 'paid yearly, as',
  })
  assert.deepEqual(await now(), ['plans are paid yearly, as the default', 'found', 18])
  await ann.call('undo_api_call', { call_id: undo_call_id })
  assert.deepEqual(await now(), ['plans are yearly as the default', 'found', 18])
  await ann.call('edit_page_section', { page_id: id, find: 'Intro', new_markdown: 'Introduction' })
  assert.deepEqual(await now(), ['plans are yearly as the default', 'found', 25])
  await ann.call('update_page', { page_id: id, body_markdown: 'Something else altogether.\n' })
  assert.equal((await now())[1], 'lost')
})

test('a passage that occurs several times is resolved by offset, or by proximity if the text has changed', async () => {
  const { ann } = workspace
  const { id } = await ann.call('create_page', {
    title: 'Twice',
    body_markdown: 'day by day by day',
  })
  const offsetOfComment = async (quote_offset: number | undefined) =>
    (
      await ann.call('add_page_comment', {
        page_id: id,
        body_markdown: 'x',
        quote: 'day',
        quote_offset,
      })
    ).quote_offset
  assert.deepEqual(
    [
      await offsetOfComment(undefined),
      await offsetOfComment(0),
      await offsetOfComment(7),
      await offsetOfComment(6),
      await offsetOfComment(9),
      await offsetOfComment(14),
      await offsetOfComment(5000),
    ],
    [0, 0, 7, 7, 7, 14, 14],
  )
  await ann.call('update_page', { page_id: id, body_markdown: 'first day by day by day' })
  const { items } = await ann.call('list_page_comments', { page_id: id })
  assert.deepEqual(
    items.map((item: { quote_offset: number }) => item.quote_offset),
    [6, 6, 13, 13, 13, 20, 20],
  )
  const refused = await ann.refused('add_page_comment', {
    page_id: id,
    body_markdown: 'x',
    quote_offset: 3,
  })
  assert.match(refused.message, /no passage/)
})

test('everyone who may comment can resolve and reopen threads', async () => {
  const { ann, bob, carol } = workspace
  const { id } = await ann.call('create_page', { title: 'Threads', visibility: 'organization' })
  const first = await bob.call('add_page_comment', { page_id: id, body_markdown: 'first' })
  const reply = await carol.call('add_page_comment', {
    page_id: id,
    body_markdown: 'reply',
    reply_to_comment_id: first.id,
  })
  const again = await ann.call('add_page_comment', {
    page_id: id,
    body_markdown: 'reply to the reply',
    reply_to_comment_id: reply.id,
  })
  assert.equal(again.reply_to, first.id)
  const resolved = await carol.call('resolve_page_comment', { page_id: id, comment_id: reply.id })
  assert.deepEqual(
    [resolved.id, resolved.resolved, resolved.resolved_by.title],
    [reply.id, true, 'Carol'],
  )
  const listed = async (args: object) =>
    (await bob.call('list_page_comments', { page_id: id, ...args })).items.length
  assert.deepEqual(
    [await listed({ resolved: true }), await listed({ resolved: false }), await listed({})],
    [3, 0, 3],
  )
  await bob.call('resolve_page_comment', { page_id: id, comment_id: first.id, resolved: false })
  assert.equal(await listed({ resolved: false }), 3)
  assert.equal(
    (
      await bob.refused('add_page_comment', {
        page_id: id,
        body_markdown: 'x',
        quote: 'y',
        reply_to_comment_id: first.id,
      })
    ).more.field,
    'quote',
  )
  const received = (await bob.call('list_notifications', {})).items.filter(
    (item: { text: string }) => /commented on the page “Threads”/.test(item.text),
  )
  assert.equal(received.length > 0, true)
})

test('only people who can see the page can be mentioned', async () => {
  const { ann, bob, carol } = workspace
  const { id } = await ann.call('create_page', { title: 'Mentions' })
  await ann.call('share_page', { page_id: id, person_id: bob.id, role: 'viewer' })
  const comment = await ann.call('add_page_comment', {
    page_id: id,
    body_markdown: '@Bob @Carol look',
  })
  assert.deepEqual(comment.mentions, [{ id: bob.id, title: 'Bob' }])
  assert.ok(
    (await bob.call('list_notifications', {})).items.some((item: { text: string }) =>
      /mentioned you in a comment on the page “Mentions”/.test(item.text),
    ),
  )
  await ann.call('append_to_page', { page_id: id, body_markdown: 'Ask @Bob and @Carol.' })
  assert.equal(
    (await carol.call('list_notifications', {})).items.filter((item: { text: string }) =>
      /Mentions/.test(item.text),
    ).length,
    0,
  )
})

test('a comment becomes a task with a link back, which can be undone', async () => {
  const { ann } = workspace
  await ann.call('create_project', { name: 'Tasks', key: 'TSK' })
  const { id } = await ann.call('create_page', { title: 'Source', body_markdown: 'a passage' })
  const key = await workspace.key(ann)
  const comment = await ann.call(
    'add_page_comment',
    { page_id: id, body_markdown: 'Do this', quote: 'a passage' },
    { key },
  )
  const undo = (await ann.call('list_api_calls', { limit: 1 })).items[0].id
  const task = await ann.call('create_task_from_source', {
    source_type: 'page_comment',
    source_id: comment.id,
    project_id: 'TSK',
  })
  assert.deepEqual(
    [task.title, task.description_markdown, task.source.id],
    ['Do this', '> a passage\n\nDo this', comment.id],
  )
  assert.equal((await ann.call('undo_api_call', { call_id: undo })).undone, true)
  assert.deepEqual((await ann.call('list_page_comments', { page_id: id })).items, [])
})
