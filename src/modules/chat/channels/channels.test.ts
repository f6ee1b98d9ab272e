import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
let gus: Someone
before(async () => {
  workspace = await makeWorkspace()
  gus = await workspace.person('Gus', { role: 'guest' })
})
after(() => workspace.close())

const listNames = async (who: Someone, args: Record<string, unknown> = {}) =>
  (await who.call('list_channels', args)).items.map((item: { name: string }) => item.name)
const callId = async (who: Someone): Promise<string> =>
  workspace.app.store.raw.read
    .prepare('SELECT id FROM calls WHERE actor_id = ? AND changed = 1 ORDER BY seq DESC LIMIT 1')
    .pluck()
    .get(who.id) as string
const undo = async (who: Someone) => who.call('undo_api_call', { call_id: await callId(who) })

test('a channel is found by its id and by #name in any case, and names are unique regardless of case', async () => {
  const { ann, bob } = workspace
  const channel = await ann.call('create_channel', {
    name: ' #Général ',
    topic: 'all',
    member_ids: [bob.id],
  })
  assert.deepEqual(
    [channel.name, channel.key, channel.kind, channel.member_count, channel.joined],
    ['général', '#général', 'public', 2, true],
  )
  assert.deepEqual(
    channel.members.map((member: { title: string }) => member.title),
    ['Ann', 'Bob'],
  )
  assert.equal((await bob.call('get_channel', { channel_id: '#GÉNÉRAL' })).id, channel.id)
  const refusal = await bob.refused('create_channel', { name: 'GÉNÉRAL', kind: 'private' })
  assert.deepEqual([refusal.code, refusal.more.field], ['conflict', 'name'])
  assert.match(
    (await ann.refused('create_channel', { name: 'team news!' })).body().message,
    /Try "team-news"/,
  )
})

test('a private channel is visible only to its members, but its name is still taken', async () => {
  const { ann, bob, carol, eve } = workspace
  const channel = await ann.call('create_channel', {
    name: 'secret',
    kind: 'private',
    member_ids: [bob.id],
  })
  for (const who of [carol, eve, gus]) {
    for (const [tool, args] of [
      ['get_channel', {}],
      ['join_channel', {}],
      ['leave_channel', {}],
      ['list_messages', {}],
      ['send_message', { body_markdown: 'x' }],
      ['archive_channel', {}],
      ['mark_channel_read', {}],
      ['add_channel_members', { person_ids: [who.id] }],
    ] as const) {
      for (const channel_id of [channel.id, '#secret'])
        assert.equal(
          (await who.refused(tool, { channel_id, ...args })).code,
          'not_found',
          `${tool} ${channel_id}`,
        )
    }
    assert.ok(!(await listNames(who)).includes('secret'))
  }
  assert.equal((await carol.refused('create_channel', { name: 'secret' })).code, 'conflict')
  assert.ok(!JSON.stringify(await carol.call('list_changes')).includes(channel.id))
  assert.equal((await eve.call('create_channel', { name: 'secret' })).name, 'secret') // of another organization
})

test('a public channel can be seen without reading it, and joined; earlier messages are then readable but not unread', async () => {
  const { ann, carol } = workspace
  const channel = await ann.call('create_channel', {
    name: 'open',
    topic: 'come in',
    purpose: 'for all',
  })
  const message = await ann.call('send_message', {
    channel_id: '#open',
    body_markdown: 'before you came',
  })
  await ann.call('pin_message', { message_id: message.id })
  const seen = await carol.call('get_channel', { channel_id: '#open' })
  assert.deepEqual(
    [seen.joined, seen.topic, seen.member_count, seen.members, seen.pinned, seen.unread],
    [false, 'come in', 1, undefined, undefined, { total: 0, mentions: 0 }],
  )
  const refusal = await carol.refused('list_messages', { channel_id: '#open' })
  assert.deepEqual(
    [refusal.code, refusal.more.next],
    ['permission_denied', { tool: 'join_channel', arguments: { channel_id: channel.id } }],
  )
  assert.equal(
    (await carol.refused('send_message', { channel_id: '#open', body_markdown: 'x' })).code,
    'permission_denied',
  )
  assert.equal(
    (await carol.refused('get_message_thread', { message_id: message.id })).code,
    'not_found',
  )
  assert.equal(
    (await carol.refused('update_channel', { channel_id: '#open', topic: 'x' })).code,
    'permission_denied',
  )
  assert.ok(
    !JSON.stringify(await carol.call('list_activity', { item_id: channel.id })).includes('Ann"}]'),
  )
  const joined = await carol.call('join_channel', { channel_id: '#open' })
  assert.deepEqual(
    [joined.joined, joined.member_count, joined.pinned.length, joined.unread.total],
    [true, 2, 1, 0],
  )
  assert.equal((await carol.call('join_channel', { channel_id: '#open' })).member_count, 2)
  assert.equal(
    (await carol.call('list_messages', { channel_id: '#open' })).items[0].content.text,
    'before you came',
  )
})

test('leaving a channel hides all of it: lists, threads, search, mentions, activity, changes, links', async () => {
  const { ann, carol } = workspace
  await ann.call('create_channel', { name: 'leavers', kind: 'private', member_ids: [carol.id] })
  const message = await ann.call('send_message', {
    channel_id: '#leavers',
    body_markdown: 'quokka for @Carol',
  })
  assert.equal((await carol.call('search_messages', { query: 'quokka' })).items.length, 1)
  const note = await carol.call('send_direct_message', {
    person_ids: ['me'],
    body_markdown: `see ${message.id}`,
  })
  assert.equal(note.linked_items[0].id, message.id)
  const left = await carol.call('leave_channel', { channel_id: '#leavers' })
  assert.deepEqual([left.item.key, left.restorable_until], ['#leavers', undefined])
  assert.equal((await carol.call('search_messages', { query: 'quokka' })).items.length, 0)
  assert.equal(
    (await carol.refused('get_message_thread', { message_id: message.id })).code,
    'not_found',
  )
  assert.equal((await carol.call('list_unread_messages')).items.length, 0)
  for (const tool of ['list_activity', 'list_changes', 'list_notifications']) {
    const { items } = await carol.call(tool)
    assert.ok(!/quokka|leavers/.test(JSON.stringify(items)), tool)
    assert.ok(!items.some((item: { item: { id: string } }) => item.item.id === message.id), tool)
  }
  const [shown] = (await carol.call('list_messages', { channel_id: note.channel.id })).items
  assert.deepEqual(shown.linked_items, [])
  const undone = await undo(carol)
  assert.deepEqual([undone.undone, undone.refused[0].reason], [false, 'not_reversible'])
})

test('leaving a public channel can be undone, including the read position', async () => {
  const { ann, bob } = workspace
  await ann.call('create_channel', { name: 'revolving' })
  await bob.call('join_channel', { channel_id: '#revolving' })
  await ann.call('send_message', { channel_id: '#revolving', body_markdown: 'new' })
  await bob.call('leave_channel', { channel_id: '#revolving' })
  await bob.call('leave_channel', { channel_id: '#revolving' })
  assert.equal((await undo(bob)).undone, true)
  const restored = await bob.call('get_channel', { channel_id: '#revolving' })
  assert.deepEqual([restored.joined, restored.unread.total], [true, 1])
})

test('joining and inviting can be undone', async () => {
  const { ann, bob, carol } = workspace
  await ann.call('create_channel', { name: 'undone' })
  await bob.call('join_channel', { channel_id: '#undone' })
  assert.equal((await undo(bob)).undone, true)
  await ann.call('add_channel_members', { channel_id: '#undone', person_ids: [bob.id, carol.id] })
  assert.equal((await ann.call('get_channel', { channel_id: '#undone' })).member_count, 3)
  assert.equal((await undo(ann)).undone, true)
  assert.equal((await ann.call('get_channel', { channel_id: '#undone' })).member_count, 1)
  assert.equal(
    (await bob.refused('list_messages', { channel_id: '#undone' })).code,
    'permission_denied',
  )
})

test('guests are only in channels they were added to, and can neither create, join, rename nor invite', async () => {
  const { ann, bob } = workspace
  const channel = await ann.call('create_channel', { name: 'with-guest', kind: 'public' })
  assert.equal((await gus.refused('get_channel', { channel_id: channel.id })).code, 'not_found')
  assert.equal((await gus.refused('join_channel', { channel_id: '#with-guest' })).code, 'not_found')
  assert.equal((await gus.refused('create_channel', { name: 'mine' })).code, 'permission_denied')
  await ann.call('add_channel_members', { channel_id: channel.id, person_ids: [gus.id] })
  assert.deepEqual(await listNames(gus), ['with-guest'])
  await gus.call('send_message', { channel_id: channel.id, body_markdown: 'hello' })
  for (const [tool, args] of [
    ['update_channel', { topic: 'x' }],
    ['archive_channel', {}],
    ['add_channel_members', { person_ids: [bob.id] }],
    ['remove_channel_member', { person_id: ann.id }],
  ] as const) {
    assert.equal(
      (await gus.refused(tool, { channel_id: channel.id, ...args })).code,
      'permission_denied',
      tool,
    )
  }
  await gus.call('leave_channel', { channel_id: channel.id })
  assert.equal((await gus.refused('get_channel', { channel_id: channel.id })).code, 'not_found')
})

test('an added person is notified and sees the channel; a removed person no longer sees it', async () => {
  const { ann, bob, carol } = workspace
  const channel = await ann.call('create_channel', { name: 'guests-of-ann', kind: 'private' })
  await ann.call('add_channel_members', { channel_id: channel.id, person_ids: [bob.id, carol.id] })
  assert.equal(
    (await ann.call('add_channel_members', { channel_id: channel.id, person_ids: [bob.id] }))
      .member_count,
    3,
  )
  const received = (await bob.call('list_notifications')).items.find(
    (item: { item: { id: string } }) => item.item.id === channel.id,
  )
  assert.deepEqual([received.kind, received.text], ['invite', 'Ann added you to #guests-of-ann'])
  await bob.call('remove_channel_member', { channel_id: channel.id, person_id: carol.id })
  assert.equal((await carol.refused('get_channel', { channel_id: channel.id })).code, 'not_found')
  const changes = (await carol.call('list_changes', { limit: 100 })).items.filter(
    (item: { item: { id: string } }) => item.item.id === channel.id,
  )
  assert.deepEqual(changes.map((change: { op: string }) => change.op).at(-1), 'access_lost')
  assert.equal((await undo(bob)).undone, true)
  assert.equal((await carol.call('get_channel', { channel_id: channel.id })).member_count, 3)
  await bob.call('remove_channel_member', { channel_id: channel.id, person_id: carol.id })
  assert.equal(
    (await bob.refused('remove_channel_member', { channel_id: channel.id, person_id: carol.id }))
      .more.field,
    'person_id',
  )
  await bob.call('remove_channel_member', { channel_id: channel.id, person_id: 'me' })
  const last = await ann.refused('leave_channel', { channel_id: channel.id })
  assert.deepEqual(
    [last.code, /You are the last active member of/.test(last.message)],
    ['conflict', true],
  )
})

test('an archived channel can be read but not posted to until a member reopens it', async () => {
  const { ann, bob, carol } = workspace
  const channel = await ann.call('create_channel', { name: 'old-news', member_ids: [bob.id] })
  const message = await ann.call('send_message', {
    channel_id: channel.id,
    body_markdown: 'last words',
  })
  assert.equal((await bob.call('archive_channel', { channel_id: channel.id })).archived, true)
  const refusedCalls = [
    ['send_message', { channel_id: channel.id, body_markdown: 'x' }],
    ['reply_to_message', { message_id: message.id, body_markdown: 'x' }],
    ['add_message_reaction', { message_id: message.id, emoji: '👍' }],
    ['pin_message', { message_id: message.id }],
    ['update_message', { message_id: message.id, body_markdown: 'x' }],
    ['add_channel_members', { channel_id: channel.id, person_ids: [carol.id] }],
    ['update_channel', { channel_id: channel.id, topic: 'x' }],
  ] as const
  for (const [tool, args] of refusedCalls) {
    const refusal = await ann.refused(tool, args)
    assert.deepEqual([refusal.code, refusal.more.next?.tool], ['conflict', 'archive_channel'], tool)
  }
  assert.equal((await carol.refused('join_channel', { channel_id: channel.id })).code, 'conflict')
  assert.equal((await bob.call('list_messages', { channel_id: channel.id })).items.length, 1)
  assert.ok(!(await listNames(ann)).includes('old-news'))
  assert.deepEqual(await listNames(ann, { archived: true }), ['old-news'])
  assert.equal((await carol.refused('create_channel', { name: 'old-news' })).code, 'conflict')
  assert.equal(
    (await bob.call('archive_channel', { channel_id: channel.id, archived: false })).archived,
    false,
  )
  await ann.call('send_message', { channel_id: channel.id, body_markdown: 'again' })
  assert.equal((await undo(bob)).undone, true)
  assert.equal((await bob.call('get_channel', { channel_id: channel.id })).archived, true)
})

test('members change settings and can undo it; the linked project is shown only to people who can see it', async () => {
  const { ann, bob } = workspace
  const project = await ann.call('create_project', { name: 'Hidden project', key: 'HID' })
  const channel = await ann.call('create_channel', {
    name: 'linked',
    member_ids: [bob.id],
    project_id: 'HID',
  })
  assert.equal(channel.project.id, project.id)
  assert.equal((await bob.call('get_channel', { channel_id: '#linked' })).project, undefined)
  assert.equal(
    (await bob.refused('update_channel', { channel_id: '#linked', project_id: 'HID' })).code,
    'not_found',
  )
  const updated = await bob.call('update_channel', {
    channel_id: '#linked',
    name: 'Renamed',
    topic: ' new ',
    purpose: null,
  })
  assert.deepEqual(
    [updated.name, updated.topic, updated.revision > channel.revision],
    ['renamed', 'new', true],
  )
  assert.equal((await undo(bob)).undone, true)
  assert.deepEqual(await listNames(ann, { query: 'linked' }), ['linked'])
  assert.equal(
    (await ann.call('update_channel', { channel_id: '#linked', project_id: null })).project,
    undefined,
  )
  assert.equal(
    (await ann.refused('update_channel', { channel_id: '#linked', name: 'renamed!' })).more.field,
    'name',
  )
  assert.equal(
    (await ann.call('update_channel', { channel_id: '#linked', name: '#Linked' })).name,
    'linked',
  )
})

test('creating a channel can be undone until something was posted in it', async () => {
  const { ann } = workspace
  await ann.call('create_channel', { name: 'mistake' })
  assert.equal((await undo(ann)).undone, true)
  assert.equal((await ann.refused('get_channel', { channel_id: '#mistake' })).code, 'not_found')
  await ann.call('create_channel', { name: 'mistake' })
  const creationCallId = await callId(ann)
  await ann.call('send_message', { channel_id: '#mistake', body_markdown: 'too late' })
  const undone = await ann.call('undo_api_call', { call_id: creationCallId })
  assert.deepEqual([undone.undone, undone.refused[0].reason], [false, 'changed_since'])
})

test('the list is filtered by kind, membership, words and unread state, and paged by name', async () => {
  const { bob, carol } = workspace
  const dora = await workspace.person('Dora')
  for (const name of ['d-one', 'd-two', 'd-three'])
    await dora.call('create_channel', {
      name,
      kind: 'private',
      topic: name === 'd-two' ? 'Zebra crossing' : '',
    })
  await bob.call('send_direct_message', { person_ids: [dora.id], body_markdown: 'hi' })
  await dora.call('send_direct_message', {
    person_ids: [bob.id, carol.id],
    body_markdown: 'hi all',
  })
  assert.deepEqual(await listNames(dora, { joined: true }), [
    'd-one',
    'd-three',
    'd-two',
    'Bob, Carol',
    'Bob',
  ])
  assert.deepEqual(await listNames(dora, { kind: ['group'] }), ['Bob, Carol'])
  assert.deepEqual(await listNames(dora, { query: 'zebra' }), ['d-two'])
  assert.deepEqual(await listNames(dora, { query: 'carol', joined: true }), ['Bob, Carol'])
  assert.deepEqual(await listNames(dora, { has_unread: true }), ['Bob'])
  assert.ok((await listNames(dora, { joined: false })).includes('open'))
  const first = await dora.call('list_channels', { joined: true, limit: 3 })
  const second = await dora.call('list_channels', {
    joined: true,
    limit: 3,
    cursor: first.next_cursor,
  })
  assert.deepEqual(
    [...first.items, ...second.items].map((item: { name: string }) => item.name),
    ['d-one', 'd-three', 'd-two', 'Bob, Carol', 'Bob'],
  )
  assert.equal(second.has_more, false)
})

test('there is one direct conversation per set of people, regardless of who opens it, and it cannot be changed or left', async () => {
  const { ann, bob, carol } = workspace
  const [fromAnn, fromCarol] = await Promise.all([
    ann.call('send_direct_message', { person_ids: [carol.id], body_markdown: 'a' }),
    carol.call('send_direct_message', { person_ids: ['ann@acme.test', 'me'], body_markdown: 'b' }),
  ])
  assert.equal(fromAnn.channel.id, fromCarol.channel.id)
  const group = await ann.call('send_direct_message', {
    person_ids: [carol.id, bob.id],
    body_markdown: 'c',
  })
  assert.notEqual(group.channel.id, fromAnn.channel.id)
  const groupChannel = await carol.call('get_channel', { channel_id: group.channel.id })
  assert.deepEqual(
    [groupChannel.kind, groupChannel.name, groupChannel.key, groupChannel.member_count],
    ['group', 'Ann, Bob', undefined, 3],
  )
  for (const [tool, args] of [
    ['update_channel', { name: 'x' }],
    ['archive_channel', {}],
    ['leave_channel', {}],
    ['add_channel_members', { person_ids: [gus.id] }],
    ['remove_channel_member', { person_id: bob.id }],
  ] as const) {
    assert.equal(
      (await carol.refused(tool, { channel_id: group.channel.id, ...args })).code,
      'conflict',
      tool,
    )
  }
  const ownConversation = await ann.call('send_direct_message', {
    person_ids: ['me'],
    body_markdown: 'note',
  })
  assert.deepEqual(
    [
      ownConversation.channel.title,
      (await ann.call('get_channel', { channel_id: ownConversation.channel.id })).member_count,
    ],
    ['Ann', 1],
  )
  assert.equal(
    (await bob.refused('list_messages', { channel_id: fromAnn.channel.id })).code,
    'not_found',
  )
  assert.match(
    (await ann.refused('send_direct_message', { person_ids: [], body_markdown: 'to whom?' }))
      .message,
    /at least one person is required/,
  )
})

test('a conversation has at most twenty people and no deactivated ones', async () => {
  const { ann, app } = workspace
  const many = []
  for (let i = 0; i < 20; i++) many.push((await workspace.person(`Many${i}`)).id)
  assert.equal(
    (await ann.refused('send_direct_message', { person_ids: many, body_markdown: 'x' })).more.field,
    'person_ids',
  )
  const deactivated = await workspace.person('Gone')
  const { channel } = await ann.call('send_direct_message', {
    person_ids: [deactivated.id],
    body_markdown: 'x',
  })
  app.store.raw.write
    .prepare("UPDATE users SET status = 'deactivated' WHERE id = ?")
    .run(deactivated.id)
  assert.match(
    (await ann.refused('send_direct_message', { person_ids: [deactivated.id], body_markdown: 'x' }))
      .message,
    /deactivated/,
  )
  assert.equal(
    (await ann.refused('send_message', { channel_id: channel.id, body_markdown: 'x' })).code,
    'conflict',
  )
  assert.equal(
    (await ann.refused('create_channel', { name: 'of-the-gone', member_ids: [deactivated.id] }))
      .more.field,
    'member_ids[0]',
  )
})
