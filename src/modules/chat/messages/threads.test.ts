import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runTick } from '../../../operations/jobs/system.ts'
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
  await ann.call('create_channel', { name: 'talk', member_ids: [bob.id, carol.id] })
})
after(() => workspace.close())

const rows = (sql: string, ...values: unknown[]): any[] =>
  workspace.app.store.raw.read.prepare(sql).all(...values)
const say = (who: Someone, body_markdown: string) =>
  who.call('send_message', { channel_id: '#talk', body_markdown })
const reply = (who: Someone, message_id: string, body_markdown: string, more = {}) =>
  who.call('reply_to_message', { message_id, body_markdown, ...more })
const undo = (who: Someone) =>
  who.call('undo_api_call', {
    call_id: rows(
      'SELECT id FROM calls WHERE actor_id = ? AND changed = 1 ORDER BY seq DESC LIMIT 1',
      who.id,
    )[0].id,
  })
const textsOf = (items: { content: { text: string } }[]) => items.map((item) => item.content.text)

test('a reply to a reply is in the same thread; the channel shows the thread collapsed', async () => {
  const { ann, bob, carol } = workspace
  const root = await say(ann, 'root')
  const first = await reply(bob, root.id, 'first')
  const second = await reply(carol, first.id, 'second', { also_to_channel: true })
  assert.deepEqual(
    [first.thread_root_id, first.also_to_channel, second.thread_root_id, second.also_to_channel],
    [root.id, false, root.id, true],
  )
  const thread = await ann.call('get_message_thread', { message_id: first.id })
  assert.deepEqual(
    [
      thread.root.id,
      textsOf(thread.replies),
      thread.participants.map((participant: { title: string }) => participant.title),
      thread.root.reply_count,
      thread.has_more,
    ],
    [root.id, ['first', 'second'], ['Ann', 'Bob', 'Carol'], 2, false],
  )
  assert.deepEqual(textsOf((await ann.call('list_messages', { channel_id: '#talk' })).items), [
    'second',
    'root',
  ])
  await bob.call('delete_message', { message_id: first.id })
  const afterDeletion = await ann.call('get_message_thread', { message_id: root.id })
  assert.deepEqual(
    [
      textsOf(afterDeletion.replies),
      afterDeletion.root.reply_count,
      afterDeletion.participants.length,
    ],
    [['', 'second'], 1, 2],
  )
})

test('replies are paged in order and notify the thread participants', async () => {
  const { ann, bob, carol } = workspace
  const root = await say(ann, 'paged')
  for (let i = 0; i < 5; i++) await reply(bob, root.id, `r${i}`)
  const firstPage = await ann.call('get_message_thread', { message_id: root.id, limit: 3 })
  const secondPage = await ann.call('get_message_thread', {
    message_id: root.id,
    limit: 3,
    cursor: firstPage.next_cursor,
  })
  assert.deepEqual(
    [...textsOf(firstPage.replies), ...textsOf(secondPage.replies)],
    ['r0', 'r1', 'r2', 'r3', 'r4'],
  )
  const received = async (who: Someone, id: string) =>
    (await who.call('list_notifications', { limit: 100 })).items
      .filter((item: { item: { id: string } }) => item.item.id === id)
      .map((item: { kind: string; text: string }) => [item.kind, item.text])
  assert.deepEqual(await received(ann, firstPage.replies[0].id), [
    ['comment', 'Bob replied in a thread you follow in #talk'],
  ])
  assert.deepEqual(await received(carol, firstPage.replies[0].id), [])
  const mentioningReply = await reply(bob, root.id, 'you, @Ann')
  assert.deepEqual(await received(ann, mentioningReply.id), [
    ['mention', 'Bob mentioned you in #talk'],
  ])
  const direct = await bob.call('send_direct_message', {
    person_ids: [ann.id],
    body_markdown: 'hi',
  })
  assert.deepEqual(await received(ann, direct.id), [['mention', 'Bob wrote to you']])
})

test('an emoji and its short names are one reaction, given once per person and removable', async () => {
  const { ann, bob } = workspace
  const message = await say(ann, 'react')
  for (const emoji of ['👍', ':thumbsup:', '+1'])
    await bob.call('add_message_reaction', { message_id: message.id, emoji })
  workspace.clock.pass(minute)
  await ann.call('add_message_reaction', { message_id: message.id, emoji: '❤' })
  const withReactions = await ann.call('add_message_reaction', {
    message_id: message.id,
    emoji: '+1',
  })
  assert.deepEqual(
    withReactions.reactions.map((reaction: any) => [
      reaction.emoji,
      reaction.name,
      reaction.people.map((person: { title: string }) => person.title),
    ]),
    [
      ['👍', '+1', ['Bob', 'Ann']],
      ['❤️', 'heart', ['Ann']],
    ],
  )
  assert.equal(withReactions.revision, message.revision)
  assert.equal(
    rows(
      "SELECT seq FROM changes WHERE item_id = ? AND events_json LIKE '%reaction_added%'",
      message.id,
    ).length,
    3,
  )
  const afterRemoval = await bob.call('remove_message_reaction', {
    message_id: message.id,
    emoji: 'thumbsup',
  })
  assert.deepEqual(
    afterRemoval.reactions
      .find((reaction: { emoji: string }) => reaction.emoji === '👍')
      .people.map((person: { title: string }) => person.title),
    ['Ann'],
  )
  await bob.call('remove_message_reaction', { message_id: message.id, emoji: 'thumbsup' })
  assert.equal((await undo(bob)).undone, true)
  assert.equal((await undo(ann)).undone, true)
  const afterUndo = (await ann.call('get_message_thread', { message_id: message.id })).root
  assert.deepEqual(
    afterUndo.reactions.map((reaction: any) => [reaction.emoji, reaction.people.length]),
    [
      ['👍', 1],
      ['❤️', 1],
    ],
  )
  assert.equal(
    (await bob.refused('add_message_reaction', { message_id: message.id, emoji: 'not an emoji' }))
      .more.field,
    'emoji',
  )
})

test('a webhook receives messages readable by its owner, and only mentions of its owner', async () => {
  const { ann, bob, carol } = workspace
  for (const [i, who] of [bob, carol].entries())
    await who.call('create_webhook', { url: `https://93.184.216.34/${i}`, events: ['message.*'] })
  const eventsOf = (who: Someone) =>
    rows(
      'SELECT event FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id WHERE w.owner_id = ? ORDER BY d.change_seq, event',
      who.id,
    ).map((row) => row.event)
  await say(ann, 'for @Bob')
  await ann.call('send_direct_message', { person_ids: ['me'], body_markdown: 'mine' })
  for (const tick of workspace.app.catalogue.modules
    .flatMap((module) => module.ticks ?? [])
    .filter((item) => item.name === 'feed_webhooks'))
    while (await runTick(workspace.app, tick));
  assert.deepEqual(eventsOf(bob), ['message.created', 'message.posted', 'message.mentioned_me'])
  assert.deepEqual(eventsOf(carol), ['message.created', 'message.posted'])
})
