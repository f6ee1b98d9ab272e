import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  makeWorkspace,
  minute,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'
import { accessScope } from '../../../records/access-scope.ts'
import { unreadCounts } from '../access.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const undo = async (who: Someone) => {
  const call_id = workspace.app.store.raw.read
    .prepare('SELECT id FROM calls WHERE actor_id = ? AND changed = 1 ORDER BY seq DESC LIMIT 1')
    .pluck()
    .get(who.id) as string
  return who.call('undo_api_call', { call_id })
}
const countsIn = async (who: Someone, channel_id: string) => {
  const { total, mentions } = (await who.call('get_channel', { channel_id })).unread
  return [total, mentions]
}
const say = (who: Someone, channel_id: string, body_markdown: string) =>
  who.call('send_message', { channel_id, body_markdown })

test('own messages are read; others are unread until the channel is marked, up to a message or to its end', async () => {
  const { ann, bob } = workspace
  await ann.call('create_channel', { name: 'counting', member_ids: [bob.id] })
  const messages = []
  for (let i = 0; i < 5; i++) messages.push(await say(ann, '#counting', `number ${i}`))
  await say(bob, '#counting', 'mine')
  assert.deepEqual(
    [await countsIn(ann, '#counting'), await countsIn(bob, '#counting')],
    [
      [1, 0],
      [5, 0],
    ],
  )
  assert.equal(
    (
      await bob.call('mark_channel_read', {
        channel_id: '#counting',
        up_to_message_id: messages[2].id,
      })
    ).unread.total,
    2,
  )
  assert.equal(
    (
      await bob.call('mark_channel_read', {
        channel_id: '#counting',
        up_to_message_id: messages[0].id,
      })
    ).unread.total,
    2,
    'the read position never moves back',
  )
  await ann.call('delete_message', { message_id: messages[4].id })
  assert.deepEqual(await countsIn(bob, '#counting'), [1, 0])
  assert.equal((await bob.call('mark_channel_read', { channel_id: '#counting' })).unread.total, 0)
  assert.equal((await undo(bob)).undone, true)
  assert.deepEqual(await countsIn(bob, '#counting'), [1, 0])
  await ann.call('create_channel', { name: 'elsewhere', member_ids: [bob.id] })
  const other = await say(ann, '#elsewhere', 'x')
  assert.equal(
    (
      await bob.refused('mark_channel_read', {
        channel_id: '#counting',
        up_to_message_id: other.id,
      })
    ).code,
    'not_found',
  )
})

test('read positions are not shown to others', async () => {
  const { ann, bob } = workspace
  const changes = async (who: Someone) =>
    JSON.stringify(
      (await who.call('list_changes', { limit: 100 })).items.filter((item: { fields: string[] }) =>
        item.fields.includes('unread'),
      ),
    )
  const before = await changes(ann)
  await bob.call('mark_channel_read', { channel_id: '#elsewhere' })
  assert.equal(await changes(ann), before)
  assert.ok((await changes(bob)).includes('elsewhere'))
  for (const who of [ann, bob])
    assert.ok(!JSON.stringify(await who.call('list_activity')).includes('"unread"'))
})

test('only replies that mention the reader or are in threads they take part in count as unread', async () => {
  const { ann, bob, carol } = workspace
  await ann.call('create_channel', { name: 'threads', member_ids: [bob.id, carol.id] })
  const root = await say(ann, '#threads', 'root')
  for (const who of [bob, carol]) await who.call('mark_channel_read', { channel_id: '#threads' })
  await bob.call('reply_to_message', { message_id: root.id, body_markdown: 'first reply' })
  assert.deepEqual(
    [await countsIn(ann, '#threads'), await countsIn(carol, '#threads')],
    [
      [1, 0],
      [0, 0],
    ],
  )
  await ann.call('reply_to_message', { message_id: root.id, body_markdown: 'second reply' })
  assert.deepEqual(
    [await countsIn(bob, '#threads'), await countsIn(carol, '#threads')],
    [
      [1, 0],
      [0, 0],
    ],
  )
  await ann.call('reply_to_message', { message_id: root.id, body_markdown: 'now @Carol' })
  await ann.call('reply_to_message', {
    message_id: root.id,
    body_markdown: 'and all of you',
    also_to_channel: true,
  })
  assert.deepEqual(
    [await countsIn(bob, '#threads'), await countsIn(carol, '#threads')],
    [
      [3, 0],
      [2, 1],
    ],
  )
  const [unread] = (await carol.call('list_unread_messages', { channel_id: '#threads' })).items
  assert.deepEqual(
    unread.messages.map((message: { content: { text: string } }) => message.content.text),
    ['now @Carol', 'and all of you'],
  )
})

test('direct messages come first, then channels with mentions, then the rest, each latest first, with counts', async () => {
  const { ann, clock } = workspace
  const ida = await workspace.person('Ida')
  for (const name of ['quiet', 'loud', 'calling'])
    await ann.call('create_channel', { name, member_ids: [ida.id] })
  await ann.call('send_direct_message', { person_ids: [ida.id], body_markdown: 'psst' })
  clock.pass(minute)
  await say(ann, '#calling', 'hey @Ida and @channel')
  await say(ann, '#calling', '@here again')
  await say(ann, '#calling', 'nothing')
  clock.pass(minute)
  await say(ann, '#quiet', 'x')
  clock.pass(minute)
  for (let i = 0; i < 7; i++) await say(ann, '#loud', `loud ${i}`)
  const { items, total } = await ida.call('list_unread_messages')
  assert.deepEqual(
    items.map((item: any) => [
      item.channel.title,
      item.kind,
      item.unread,
      item.mentions,
      item.messages.length,
    ]),
    [
      ['Ann', 'direct', 1, 0, 1],
      ['calling', 'public', 3, 2, 3],
      ['loud', 'public', 7, 0, 5],
      ['quiet', 'public', 1, 0, 1],
    ],
  )
  assert.equal(total, 4)
  assert.deepEqual(
    [textsOf(items[2]), items[2].more, items[1].more, items[1].next],
    [['loud 6', 'loud 5', 'loud 4', 'loud 3', 'loud 2'], 2, undefined, undefined],
  )
  assert.equal(items[2].next, `list_unread_messages(channel_id="${items[2].channel.id}")`)
  const listOnly = async (only: string) => (await ida.call('list_unread_messages', { only })).items
  assert.deepEqual(
    (await listOnly('direct')).map((item: any) => item.channel.title),
    ['Ann'],
  )
  const [calling, ...none] = await listOnly('mentions')
  assert.deepEqual([calling.messages.length, none.length], [2, 0])
  const [loud] = (await ida.call('list_unread_messages', { channel_id: '#loud' })).items
  assert.deepEqual([loud.messages.length, loud.more], [7, undefined])
  assert.equal(loud.oldest_unread_at, loud.messages[0].sent_at)
  assert.equal(items[2].oldest_unread_at, loud.oldest_unread_at)
  const first = await ida.call('list_unread_messages', { limit: 3 })
  const second = await ida.call('list_unread_messages', { limit: 3, cursor: first.next_cursor })
  assert.deepEqual(
    [first.has_more, second.items.map((item: any) => item.channel.title), second.has_more],
    [true, ['quiet'], false],
  )
  assert.equal(
    (await ida.refused('list_unread_messages', { cursor: 'x' })).code,
    'invalid_argument',
  )
  const { store, clock: appClock } = workspace.app
  assert.deepEqual(
    await unreadCounts(accessScope({ all: store.read, actor: ida.actor, now: appClock.now() })),
    { unread: 12, mentions: 2 },
  )
})

test('counts stay exact under concurrent writes, edits, deletes, reactions and reads', async () => {
  const { ann, bob, carol } = workspace
  const jo = await workspace.person('Jo')
  await ann.call('create_channel', { name: 'busy', member_ids: [bob.id, carol.id, jo.id] })
  const writers = [ann, bob, carol]
  const sent = await Promise.all(
    Array.from({ length: 150 }, (_, i) =>
      say(writers[i % 3]!, '#busy', i % 4 === 0 ? `@Jo ${i}` : `text ${i}`),
    ),
  )
  await Promise.all(
    sent.map((item, i) => {
      const who = writers[i % 3]!
      if (i % 7 === 0) return who.call('delete_message', { message_id: item.id })
      if (i % 5 === 0)
        return who.call('update_message', { message_id: item.id, body_markdown: `edited ${i}` })
      if (i % 11 === 0 && i < 90)
        return jo.call('mark_channel_read', { channel_id: '#busy', up_to_message_id: item.id })
      return who.call('reply_to_message', { message_id: item.id, body_markdown: 'reply' })
    }),
  )
  const seqs = workspace.app.store.raw.read
    .prepare(
      "SELECT seq FROM messages JOIN channels c ON c.id = channel_id WHERE c.name = 'busy' ORDER BY seq",
    )
    .pluck()
    .all() as number[]
  assert.deepEqual(
    seqs,
    seqs.map((_, i) => i + 1),
  )
  const seqOf = (id: string) =>
    workspace.app.store.raw.read
      .prepare('SELECT seq FROM messages WHERE id = ?')
      .pluck()
      .get(id) as number
  const sentSeqs = sent.map((item, i) => ({ i, seq: seqOf(item.id) }))
  const marked = sentSeqs
    .filter(({ i }) => i % 11 === 0 && i < 90 && i % 7 !== 0 && i % 5 !== 0)
    .map((place) => place.seq)
  const unread = sentSeqs.filter(({ i, seq }) => seq > Math.max(...marked) && i % 7 !== 0)
  assert.ok(unread.length > 0)
  assert.deepEqual(await countsIn(jo, '#busy'), [
    unread.length,
    unread.filter(({ i }) => i % 4 === 0 && i % 5 !== 0).length,
  ])
})

test('unread counts of a returning member start at their return', async () => {
  const { ann, bob } = workspace
  await ann.call('create_channel', { name: 'comers', member_ids: [bob.id] })
  await say(ann, '#comers', 'before')
  await bob.call('leave_channel', { channel_id: '#comers' })
  await say(ann, '#comers', 'meanwhile')
  await bob.call('join_channel', { channel_id: '#comers' })
  assert.deepEqual(await countsIn(bob, '#comers'), [0, 0])
  await say(ann, '#comers', 'after')
  assert.deepEqual(await countsIn(bob, '#comers'), [1, 0])
})

test('messages that mention the reader come first, and omitted ones are counted', async () => {
  const { ann, clock } = workspace
  const rosa = await workspace.person('Rosa')
  const { id } = await ann.call('create_channel', { name: 'rush', member_ids: [rosa.id] })
  await say(ann, '#rush', 'early @Rosa')
  clock.pass(minute)
  for (let i = 0; i < 8; i++) await say(ann, '#rush', `busy ${i}`)
  clock.pass(minute)
  await say(ann, '#rush', 'late @Rosa')
  const [busy] = (await rosa.call('list_unread_messages')).items
  assert.deepEqual(
    [textsOf(busy), busy.unread, busy.mentions, busy.more],
    [['late @Rosa', 'early @Rosa', 'busy 7', 'busy 6', 'busy 5'], 10, 2, 5],
  )
  const [section] = (await rosa.call('get_digest', { kinds: ['chat'] })).sections
  assert.equal(section.items[0].at, busy.messages[0].sent_at, 'the time of the newest')
  for (let i = 0; i < 6; i++) await say(ann, '#rush', `again @Rosa ${i}`)
  const [mentioning] = (await rosa.call('list_unread_messages', { only: 'mentions' })).items
  assert.deepEqual(
    [textsOf(mentioning)[0], mentioning.messages.length, mentioning.more],
    ['again @Rosa 5', 5, 3],
  )
  for (let i = 0; i < 90; i++) await say(ann, '#rush', `more ${i}`)
  const [whole] = (await rosa.call('list_unread_messages', { channel_id: id })).items
  assert.deepEqual([whole.messages.length, whole.more, textsOf(whole)[0]], [100, 6, 'early @Rosa'])
  const last = whole.messages.at(-1).id
  assert.equal(whole.next, `list_messages(channel_id="${id}", after_message_id="${last}")`)
  const rest = await rosa.call('list_messages', { channel_id: id, after_message_id: last })
  assert.equal(rest.items.length, 6)
})

const textsOf = (unread: any): string[] =>
  unread.messages.map((message: any) => message.content.text)
