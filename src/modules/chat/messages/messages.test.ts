import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  makeWorkspace,
  minute,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob, carol } = workspace
  await ann.call('create_channel', { name: 'team', member_ids: [bob.id, carol.id] })
})
after(() => workspace.close())

const rows = (sql: string, ...values: unknown[]): any[] =>
  workspace.app.store.raw.read.prepare(sql).all(...values)
const say = (who: Someone, body_markdown: string, more: Record<string, unknown> = {}) =>
  who.call('send_message', { channel_id: '#team', body_markdown, ...more })
const callId = (who: Someone): string =>
  rows(
    'SELECT id FROM calls WHERE actor_id = ? AND changed = 1 ORDER BY seq DESC LIMIT 1',
    who.id,
  )[0].id
const undo = (who: Someone) => who.call('undo_api_call', { call_id: callId(who) })
const texts = async (who: Someone, args: Record<string, unknown> = {}) =>
  (await who.call('list_messages', { channel_id: '#team', ...args })).items.map(
    (item: { content: { text: string } }) => item.content.text,
  )
const newestMessage = async (who: Someone) =>
  (await who.call('list_messages', { channel_id: '#team', limit: 1 })).items[0]

/** All texts in all tables. */
function everything(): string {
  const tables = rows(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search_fts%'",
  ).map((row) => row.name as string)
  return JSON.stringify(tables.map((table) => rows(`SELECT * FROM "${table}"`)))
}

test('messages come newest first, are paged, and are filtered by author and time', async () => {
  const { ann, bob, clock } = workspace
  const start = new Date(clock.now()).toISOString()
  await say(ann, 'one')
  clock.pass(minute)
  const middle = new Date(clock.now()).toISOString()
  await say(bob, 'two')
  clock.pass(minute)
  await say(ann, 'three')
  assert.deepEqual(await texts(bob), ['three', 'two', 'one'])
  assert.deepEqual(await texts(bob, { from: 'ann@acme.test' }), ['three', 'one'])
  assert.deepEqual(await texts(bob, { after: middle }), ['three', 'two'])
  assert.deepEqual(await texts(bob, { after: start, before: middle }), ['two', 'one'])
  assert.deepEqual(await texts(bob, { after: '2026-11-21' }), [])
  assert.deepEqual(await texts(bob, { before: '2026-11-20' }), ['three', 'two', 'one'])
  const page = await ann.call('list_messages', { channel_id: '#team', limit: 2 })
  assert.deepEqual(await texts(ann, { limit: 2, cursor: page.next_cursor }), ['one'])
})

test('messages are read in both directions from any message, in seq order', async () => {
  const { ann, bob } = workspace
  await ann.call('create_channel', { name: 'anchors', member_ids: [bob.id] })
  const inChannel = { channel_id: '#anchors' }
  const sent: any[] = []
  for (const text of ['a', 'b', 'c', 'd', 'e'])
    sent.push(await ann.call('send_message', { ...inChannel, body_markdown: text }))
  const [a, , c] = sent
  assert.deepEqual(
    sent.map((item) => item.seq),
    [1, 2, 3, 4, 5],
  )
  assert.deepEqual(await texts(bob, { ...inChannel, before_message_id: c.id }), ['b', 'a'])
  assert.deepEqual(await texts(bob, { ...inChannel, after_message_id: c.id }), ['d', 'e'])
  const page = await bob.call('list_messages', { ...inChannel, after_message_id: a.id, limit: 2 })
  const next = { ...inChannel, after_message_id: a.id, cursor: page.next_cursor }
  assert.deepEqual(await texts(bob, next), ['d', 'e'])
  const elsewhere = await newestMessage(ann)
  const refusal = await bob.refused('list_messages', {
    ...inChannel,
    after_message_id: elsewhere.id,
  })
  assert.equal(refusal.code, 'not_found')

  await bob.call('mark_channel_read', { ...inChannel, up_to_message_id: c.id })
  const { unread } = await bob.call('get_channel', inChannel)
  assert.deepEqual(unread, { total: 2, mentions: 0, read_seq: c.seq })
  await bob.call('mark_channel_read', inChannel)
  assert.deepEqual((await bob.call('get_channel', inChannel)).unread, { total: 0, mentions: 0 })
})

test('messages posted by a key, an assistant or an automation are marked, and a repeated idempotency key posts once', async () => {
  const { ann } = workspace
  const key = await workspace.key(ann)
  const message = await ann.call(
    'send_message',
    { channel_id: '#team', body_markdown: 'by key' },
    { via: 'api', key, idempotencyKey: 'k1' },
  )
  assert.equal(message.via_assistant, true)
  assert.equal(
    (
      await ann.call(
        'send_message',
        { channel_id: '#team', body_markdown: 'by key' },
        { via: 'api', key, idempotencyKey: 'k1' },
      )
    ).id,
    message.id,
  )
  for (const via of ['mcp', 'automation'] as const)
    assert.equal(
      (await ann.call('send_message', { channel_id: '#team', body_markdown: via }, { via }))
        .via_assistant,
      true,
    )
  assert.equal((await say(ann, 'typed')).via_assistant, false)
})

test('only channel members are mentioned and notified; code and other names stay text', async () => {
  const { ann, bob, carol, eve } = workspace
  const dave = await workspace.person('Dave')
  const message = await say(ann, 'hi @Bob, @carol@acme.test, @Dave, @Eve, @Ann and `@nobody`')
  assert.deepEqual(message.mentions.map((mention: { title: string }) => mention.title).sort(), [
    'Bob',
    'Carol',
  ])
  const received = async (who: Someone) =>
    (await who.call('list_notifications')).items.filter(
      (item: { item: { id: string } }) => item.item.id === message.id,
    )
  assert.deepEqual(
    (await received(bob)).map((item: { kind: string; text: string }) => [item.kind, item.text]),
    [['mention', 'Ann mentioned you in #team']],
  )
  for (const who of [ann, dave, eve]) assert.deepEqual(await received(who), [])
  assert.equal(
    rows(
      "SELECT for_person_id FROM changes WHERE item_id = ? AND events_json LIKE '%mentioned_me%'",
      message.id,
    ).length,
    2,
  )
  const changes = (await carol.call('list_changes', { limit: 100 })).items.filter(
    (item: { item: { id: string } }) => item.item.id === message.id,
  )
  assert.deepEqual(
    changes.map((change: { op: string }) => change.op),
    ['created', 'updated'],
  )
  assert.ok(!JSON.stringify(await dave.call('list_changes')).includes(message.id))
})

test('@channel and @here notify all members without listing them as mentions', async () => {
  const { ann, bob, carol } = workspace
  for (const text of ['@channel lunch', '@here lunch']) {
    const message = await say(ann, text)
    assert.deepEqual([message.mentions, message.mentions_channel], [[], true])
    for (const who of [bob, carol])
      assert.ok(
        (await who.call('list_notifications')).items.some(
          (item: { item: { id: string }; kind: string }) =>
            item.item.id === message.id && item.kind === 'mention',
        ),
      )
  }
})

test('an edit is marked, notifies only newly mentioned people, and can be undone', async () => {
  const { ann, bob, carol } = workspace
  const message = await say(ann, 'for @Bob')
  workspace.clock.pass(minute)
  const edited = await ann.call('update_message', {
    message_id: message.id,
    body_markdown: 'for @Bob and @Carol',
  })
  assert.deepEqual(
    [edited.content.text, edited.edited_at > message.sent_at, edited.mentions.length],
    ['for @Bob and @Carol', true, 2],
  )
  const count = (who: Someone) =>
    rows('SELECT id FROM notifications WHERE item_id = ? AND person_id = ?', message.id, who.id)
      .length
  assert.deepEqual([count(bob), count(carol)], [1, 1])
  assert.equal(
    (await ann.call('search_messages', { query: '"bob and carol"' })).items[0].message.id,
    message.id,
  )
  assert.equal(
    (await bob.refused('update_message', { message_id: message.id, body_markdown: 'x' })).code,
    'permission_denied',
  )
  assert.equal((await undo(ann)).undone, true)
  const reverted = await newestMessage(ann)
  assert.deepEqual(
    [
      reverted.content.text,
      reverted.edited_at,
      reverted.mentions.map((mention: { title: string }) => mention.title),
    ],
    ['for @Bob', undefined, ['Bob']],
  )
  assert.equal(
    (await ann.call('update_message', { message_id: message.id, body_markdown: 'for @Bob' }))
      .edited_at,
    undefined,
  )
})

test('a deleted message leaves a placeholder, and its text is gone everywhere', async () => {
  const { ann, bob, carol } = workspace
  const key = await workspace.key(ann)
  const webhook = await bob.call('create_webhook', {
    url: 'https://93.184.216.34/x',
    events: ['message.posted'],
  })
  const project = await ann.call('create_project', { name: 'Files', key: 'FIL' })
  const task = await ann.call('create_task', { project_id: project.id, title: 'Holder' })
  const { file } = await ann.call('add_task_attachment', {
    task_id: task.id,
    name: 'a.txt',
    content_base64: 'aGVsbG8=',
  })
  const message = await ann.call(
    'send_message',
    { channel_id: '#team', body_markdown: 'axolotlone @Bob', file_ids: [file.id] },
    { via: 'api', key, idempotencyKey: 'gone' },
  )
  await bob.call('add_message_reaction', { message_id: message.id, emoji: '🎉' })
  await bob.call('pin_message', { message_id: message.id })
  const reply = await bob.call('reply_to_message', {
    message_id: message.id,
    body_markdown: 'I see',
  })
  await ann.call('update_message', { message_id: message.id, body_markdown: 'axolotltwo @Bob' })
  const editCallId = callId(ann)
  assert.equal((await bob.call('download_file', { file_id: file.id })).download.name, 'a.txt')
  assert.equal(
    (await carol.refused('delete_message', { message_id: message.id })).code,
    'permission_denied',
  )
  const deleted = await ann.call('delete_message', { message_id: message.id })
  assert.deepEqual(
    [deleted.item.title, deleted.undo_call_id, deleted.restorable_until],
    ['Deleted message', undefined, undefined],
  )
  const gap = (await bob.call('list_messages', { channel_id: '#team', limit: 1 })).items[0]
  assert.deepEqual(
    [
      gap.id,
      gap.content.text,
      gap.deleted_at !== undefined,
      gap.reactions,
      gap.files,
      gap.pinned,
      gap.mentions,
      gap.edited_at,
      gap.reply_count,
    ],
    [message.id, '', true, [], [], false, [], undefined, 1],
  )
  assert.ok(!everything().includes('axolotl'))
  assert.equal((await bob.call('search_messages', { query: 'axolotltwo' })).items.length, 0)
  assert.ok(
    !(await bob.call('list_notifications')).items.some(
      (item: { item: { id: string } }) => item.item.id === message.id,
    ),
  )
  assert.equal((await bob.refused('download_file', { file_id: file.id })).code, 'not_found')
  assert.equal(
    (await bob.call('get_message_thread', { message_id: reply.id })).root.content.text,
    '',
  )
  for (const [tool, args] of [
    ['add_message_reaction', { emoji: '👍' }],
    ['pin_message', {}],
    ['reply_to_message', { body_markdown: 'x' }],
  ] as const)
    assert.equal((await bob.refused(tool, { message_id: message.id, ...args })).code, 'conflict')
  assert.equal(
    (await ann.refused('update_message', { message_id: message.id, body_markdown: 'back' })).code,
    'permission_denied',
  )
  assert.equal((await ann.call('delete_message', { message_id: message.id })).item.id, message.id)
  for (const call_id of [callId(ann), editCallId]) {
    const undone = await ann.call('undo_api_call', { call_id })
    assert.deepEqual([undone.undone, undone.refused[0].reason], [false, 'not_reversible'])
  }
  const again = await ann.call(
    'send_message',
    { channel_id: '#team', body_markdown: 'axolotlone @Bob', file_ids: [file.id] },
    { via: 'api', key, idempotencyKey: 'gone' },
  )
  assert.deepEqual([again.id, again.content.text], [message.id, ''])
  await bob.call('delete_webhook', { webhook_id: webhook.id })
})

test('undoing the sending of a message deletes it permanently, unless it has a reaction', async () => {
  const { ann, bob } = workspace
  await say(ann, 'capybara')
  const sendCallId = callId(ann)
  assert.equal((await undo(ann)).undone, true)
  assert.ok(!everything().includes('capybara'))
  assert.equal((await newestMessage(bob)).deleted_at !== undefined, true)
  const redone = await undo(ann)
  assert.deepEqual([redone.undone, redone.refused[0].reason], [false, 'not_reversible'])
  assert.equal(
    (await ann.call('list_messages', { channel_id: '#team', limit: 1 })).items[0].content.text,
    '',
  )
  assert.notEqual(sendCallId, callId(bob))
  const liked = await say(ann, 'liked')
  const likedCallId = callId(ann)
  await bob.call('add_message_reaction', { message_id: liked.id, emoji: '+1' })
  const undone = await ann.call('undo_api_call', { call_id: likedCallId })
  assert.deepEqual([undone.undone, undone.refused[0].reason], [false, 'changed_since'])
  await bob.call('send_direct_message', { person_ids: [ann.id], body_markdown: 'wombat' })
  assert.equal((await undo(bob)).undone, true)
  assert.ok(!everything().includes('wombat'))
})

test('items named in a message are linked for people who can see them: keys, ids and addresses of this workspace', async () => {
  const { ann, bob } = workspace
  await ann.call('create_project', { name: 'Linked', key: 'LNK' })
  const task = await ann.call('create_task', { project_id: 'LNK', title: 'Linked task' })
  const earlier = await say(ann, 'earlier')
  const text = `see ${task.key} (${task.url}), ${earlier.id}, https://elsewhere.test/LNK-99, http://workspace.test/projects/LNK and COVID-19`
  const message = await say(ann, text)
  assert.deepEqual(
    message.linked_items.map((linkedItem: { type: string }) => linkedItem.type).sort(),
    ['message', 'project', 'task'],
  )
  assert.deepEqual(
    (await newestMessage(bob)).linked_items.map((linkedItem: { id: string }) => linkedItem.id),
    [earlier.id],
  )
})

test('attached files are visible to all readers of the message; only files one can see can be shared', async () => {
  const { ann, bob, carol } = workspace
  const dave = await workspace.person('Dave2')
  await carol.call('create_project', { name: 'Of Carol', key: 'OFC' })
  const task = await carol.call('create_task', { project_id: 'OFC', title: 'x' })
  const { file } = await carol.call('add_task_attachment', {
    task_id: task.id,
    name: 'plan.txt',
    content_base64: 'cGxhbg==',
  })
  assert.equal(
    (
      await ann.refused('send_message', {
        channel_id: '#team',
        body_markdown: 'x',
        file_ids: [file.id],
      })
    ).code,
    'not_found',
  )
  const message = await say(carol, 'the plan', { file_ids: [file.id] })
  assert.deepEqual(
    message.files.map((item: { title: string }) => item.title),
    ['plan.txt'],
  )
  assert.equal((await bob.call('download_file', { file_id: file.id })).download.name, 'plan.txt')
  assert.equal((await dave.refused('download_file', { file_id: file.id })).code, 'not_found')
  await bob.call('leave_channel', { channel_id: '#team' })
  assert.equal((await bob.refused('download_file', { file_id: file.id })).code, 'not_found')
  await bob.call('join_channel', { channel_id: '#team' })
})

test('a message becomes a task that links back to it', async () => {
  const { ann, bob } = workspace
  const message = await say(bob, 'Order new chairs\nwith wheels')
  const task = await ann.call('create_task_from_source', {
    source_type: 'message',
    source_id: message.id,
    project_id: 'LNK',
  })
  assert.deepEqual(
    [task.title, task.description_markdown, task.source.id],
    ['Order new chairs with wheels', 'Order new chairs\nwith wheels', message.id],
  )
  await bob.call('delete_message', { message_id: message.id })
  assert.equal(
    (
      await ann.refused('create_task_from_source', {
        source_type: 'message',
        source_id: message.id,
        project_id: 'LNK',
      })
    ).code,
    'invalid_argument',
  )
})

test('pins are limited to a hundred, listed including those in threads, and can be undone', async () => {
  const { ann, bob } = workspace
  const root = await say(ann, 'pinned root')
  const reply = await bob.call('reply_to_message', {
    message_id: root.id,
    body_markdown: 'pinned reply',
  })
  for (const item of [root, reply])
    assert.equal((await bob.call('pin_message', { message_id: item.id })).pinned, true)
  assert.equal((await ann.call('pin_message', { message_id: root.id })).pinned, true)
  assert.deepEqual(await texts(ann, { pinned: true }), ['pinned reply', 'pinned root'])
  assert.deepEqual((await ann.call('get_channel', { channel_id: '#team' })).pinned.length, 2)
  assert.ok(!(await texts(ann, { pinned: false })).includes('pinned root'))
  await ann.call('pin_message', { message_id: root.id, pinned: false })
  assert.equal((await undo(ann)).undone, true)
  assert.equal((await texts(ann, { pinned: true })).length, 2)
  for (let i = 2; i < 100; i++)
    await ann.call('pin_message', { message_id: (await say(ann, `pin ${i}`)).id })
  assert.equal(
    (await ann.refused('pin_message', { message_id: (await say(ann, 'too many')).id })).code,
    'conflict',
  )
})

test('a body must not be empty and has at most 40,000 characters', async () => {
  const { ann } = workspace
  for (const body_markdown of ['', ' \n ', 'x'.repeat(40_001)])
    assert.equal(
      (await ann.refused('send_message', { channel_id: '#team', body_markdown })).code,
      'invalid_argument',
    )
  assert.equal((await say(ann, '  kept as *sent*\r\n')).content.text, '  kept as *sent*\r\n')
})
