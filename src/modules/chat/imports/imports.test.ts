import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Queue } from '../../../jobs/queue.ts'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'
import { slackZip } from '../testing.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

async function upload(name: string, bytes: Uint8Array): Promise<string> {
  const { id } = await workspace.ann.call('upload_file', {
    name,
    content_base64: Buffer.from(bytes).toString('base64'),
  })
  return id
}

async function runImport(args: Record<string, unknown>) {
  const started = await workspace.ann.call('import_channels', args)
  await new Queue(workspace.app).drain()
  const job = await workspace.ann.call('get_job', { job_id: started.job.job_id })
  assert.equal(job.state, 'done', job.error)
  return job.result
}

test('a dry run lists channels, people and omitted parts, and writes nothing', async () => {
  const { ann, bob } = workspace
  await ann.call('create_channel', { name: 'general' })
  const dryRun = await ann.call('import_channels', {
    file_id: await upload('slack.zip', slackZip()),
    dry_run: true,
  })
  assert.deepEqual(dryRun.channels, [
    {
      name: 'general',
      as: 'general-slack',
      kind: 'public',
      archived: false,
      messages: 4,
      left_out: 1,
      members: ['Bob'],
    },
    {
      name: 'secret',
      as: 'secret',
      kind: 'private',
      archived: false,
      messages: 1,
      left_out: 0,
      members: ['Bob'],
    },
  ])
  assert.deepEqual(
    dryRun.people.map((person: any) => [person.name, person.to]),
    [
      ['Bob', 'Bob'],
      ['Dana Elsewhere', null],
    ],
  )
  assert.equal(dryRun.messages, 5)
  assert.deepEqual(dryRun.left_out, [
    { what: 'conversations of direct messages', count: 1, lines: ['dms.json'] },
    {
      what: 'messages of the kind channel_join',
      count: 1,
      lines: ['#general, 2023-11-14T22:13:19.000Z'],
    },
  ])
  assert.equal((await bob.call('list_channels', { joined: true })).items.length, 0)
})

test('channels are imported with messages, threads, times and members; nothing is unread, and no notifications are sent', async () => {
  const { ann, bob, carol } = workspace
  const file_id = await upload('slack.zip', slackZip())
  const result = await runImport({ file_id })
  assert.deepEqual(
    [result.messages, result.channels.map((channel: any) => channel.name)],
    [5, ['general-slack', 'secret']],
  )
  const { items } = await bob.call('list_messages', { channel_id: '#general-slack' })
  const channelMessages = items.toSorted((a: any, b: any) => a.sent_at.localeCompare(b.sent_at))
  assert.deepEqual(
    channelMessages.map((channelMessage: any) => [
      channelMessage.imported.author,
      channelMessage.sent_at,
      channelMessage.content.trust,
      channelMessage.author.title,
    ]),
    [
      ['Bob', '2023-11-14T22:13:20.000Z', 'external', 'Ann'],
      ['deploys', '2023-11-14T22:15:00.000Z', 'external', 'Ann'],
      ['Bob', '2023-11-15T23:13:20.000Z', 'external', 'Ann'],
    ],
  )
  const thread = await bob.call('get_message_thread', { message_id: channelMessages[0].id })
  assert.deepEqual(
    thread.replies.map((reply: any) => [reply.imported.author, reply.content.text]),
    [['Dana Elsewhere', 'Hi']],
  )
  assert.deepEqual(
    (await bob.call('list_channels', { joined: true })).items.map((item: any) => [
      item.key,
      item.unread.total,
    ]),
    [
      ['#general-slack', 0],
      ['#secret', 0],
    ],
  )
  assert.equal((await bob.call('list_notifications', {})).items.length, 0)
  assert.equal((await carol.refused('list_messages', { channel_id: '#secret' })).code, 'not_found')
  assert.equal((await bob.call('search_messages', { query: 'psst' })).items.length, 1)
  const [hit] = (await bob.call('search_messages', { query: 'v1 is out' })).items
  assert.deepEqual(
    [hit?.context.before[0].imported.author, hit?.context.before[0].trust],
    ['Bob', 'external'],
  )
  const [workspaceHit] = (await bob.call('search_workspace', { query: 'psst', types: ['message'] }))
    .items
  assert.deepEqual([workspaceHit.trust, workspaceHit.people], ['external', ['Bob']])
  const between = await bob.call('list_messages', {
    channel_id: '#general-slack',
    after: '2023-11-15',
    before: '2023-11-16',
  })
  assert.equal(between.items.length, 1)

  const again = await ann.call('import_channels', { file_id })
  assert.deepEqual(
    [again.job, again.channels.map((channel: any) => channel.skipped)],
    [undefined, ['It was already imported.', 'It was already imported.']],
  )
})

test('selected channels, mapped people, archived channels and several batches of messages are imported', async () => {
  const { ann, carol } = workspace
  const many = Array.from({ length: 450 }, (_, i) => ({
    type: 'message',
    user: 'U2',
    text: `Message ${i}`,
    ts: `${1_700_000_000 + i}.000000`,
    ...(i % 3 === 1 ? { thread_ts: '1700000000.000000' } : {}),
  }))
  const zip = slackZip({
    'channels.json': [{ id: 'C9', name: 'Old Times!', is_archived: true, members: ['U2'] }],
    'Old Times!/2023-11-14.json': many,
  })
  const file_id = await upload('old.zip', zip)
  const result = await runImport({
    file_id,
    channels: ['old times!'],
    people: { 'dana@elsewhere.test': carol.id },
  })
  assert.equal(result.messages, 450)
  const [channel] = (await carol.call('list_channels', { joined: true, archived: true })).items
  assert.deepEqual([channel.key, channel.archived, channel.unread.total], ['#old-times', true, 0])
  const rows = workspace.app.store.raw.read
    .prepare(
      'SELECT count(*) AS all_, count(thread_root_id) AS replies, min(seq) AS first, max(seq) AS last FROM messages WHERE channel_id = ?',
    )
    .get(channel.id)
  assert.deepEqual(rows, { all_: 450, replies: 150, first: 1, last: 450 })
  assert.match(
    (await ann.refused('import_channels', { file_id, channels: ['nope'] })).message,
    /no channel "nope"/,
  )
  assert.match(
    (await ann.refused('import_channels', { file_id: await upload('x.txt', Buffer.from('x')) }))
      .message,
    /cannot be unpacked/,
  )
})

test('an import is undone call by call, the last one first, and can then be repeated', async () => {
  const { ann } = workspace
  const file_id = await upload(
    'again.zip',
    slackZip({
      'groups.json': [],
      'channels.json': [{ id: 'C77', name: 'general', members: ['U1'] }],
    }),
  )
  const { channels, undo_call_ids } = await runImport({ file_id })
  assert.equal(channels.length, 1)
  for (const call_id of undo_call_ids.toReversed())
    assert.equal((await ann.call('undo_api_call', { call_id })).undone, true)
  const dryRun = await ann.call('import_channels', { file_id, dry_run: true })
  assert.equal(dryRun.channels[0].skipped, undefined)
})
