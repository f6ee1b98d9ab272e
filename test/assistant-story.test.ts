import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { EventReader, type StreamEvent } from '../src/testing/events.ts'
import { scratch, serve, workspaceJson, type Served } from '../src/testing/process.ts'

// One task of an assistant across all collaborative modules, with official clients on a new server: from a meeting
// transcript to a decision, tasks, a page, a message and a reminder. Ann's assistant does it, Bob's sees his part,
// Carol's sees none of it. The tests are one story and run in order.

/** Occurs in every text of the story, and nowhere else. */
const word = 'valvegrease'

interface Assistant {
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<any>
  close(): Promise<void>
}

/** A moment a number of hours from now. */
const hence = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

const { dir, remove } = scratch()
const opened: Assistant[] = []
let server: Served
let ann: Assistant
let bob: Assistant
let carol: Assistant
let ears: EventReader
const people: Record<'ann' | 'bob' | 'carol', { id: string; key: string }> = {} as never

before(async () => {
  const command = (...args: string[]) => workspaceJson(...args, '--data', dir)
  await command('orgs', 'create', '--name', 'Acme')
  await command('users', 'create', '--email', 'ann@acme.test', '--name', 'Ann Ahrens', '--admin')
  for (const [who, name] of [
    ['bob', 'Bob Behrens'],
    ['carol', 'Carol Cordes'],
  ])
    await command('users', 'create', '--email', `${who}@acme.test`, '--name', name!)
  for (const who of ['ann', 'bob', 'carol'] as const)
    people[who] = {
      id: '',
      key: (await command('keys', 'create', '--user', `${who}@acme.test`, '--name', 'assistant'))
        .key,
    }
  server = await serve(dir)
  ;[ann, bob, carol] = await Promise.all([
    connect(people.ann.key, 'present'),
    connect(people.bob.key, 'older'),
    connect(people.carol.key, 'first generation'),
  ])
  for (const [who, client] of Object.entries({ ann, bob, carol }))
    people[who as 'ann'].id = (await use(client, 'get_me')).person.id
  ears = new EventReader(
    await fetch(`${server.url}/api/events`, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${people.bob.key}` },
    }),
  )
  assert.equal((await ears.next())!.event, 'ready')
})
after(async () => {
  await ears?.cancel()
  await Promise.allSettled(opened.map((client) => client.close()))
  if (server && server.child.exitCode === null) await server.end('SIGKILL')
  remove()
})

async function connect(
  key: string,
  era: 'present' | 'older' | 'first generation',
): Promise<Assistant> {
  const options = { requestInit: { headers: { authorization: `Bearer ${key}` } } }
  const url = new URL(`${server.url}/mcp`)
  const info = { name: 'company', version: '1' }
  const client =
    era === 'first generation'
      ? new OldClient(info)
      : new Client(info, { versionNegotiation: { mode: era === 'present' ? 'auto' : 'legacy' } })
  await client.connect(
    (era === 'first generation'
      ? new OldTransport(url, options)
      : new StreamableHTTPClientTransport(url, options)) as never,
  )
  opened.push(client as unknown as Assistant)
  return client as unknown as Assistant
}

async function use<T = any>(
  client: Assistant,
  name: string,
  args: Record<string, unknown> = {},
): Promise<T> {
  const result = await client.callTool({ name, arguments: args })
  assert.notEqual(result.isError, true, `${name}: ${JSON.stringify(result.structuredContent)}`)
  return result.structuredContent as T
}

async function refusal(
  client: Assistant,
  name: string,
  args: Record<string, unknown>,
): Promise<{ code: string; message: string }> {
  const result = await client.callTool({ name, arguments: args })
  assert.equal(result.isError, true, `${name} was expected to be refused`)
  return result.structuredContent
}

/** Reads items as ann, without the times and counts of their use. */
async function stateOf(reads: readonly [string, Record<string, unknown>][]): Promise<unknown> {
  const answers: unknown[] = []
  for (const [name, args] of reads) {
    const { isError, structuredContent } = await ann.callTool({ name, arguments: args })
    answers.push([name, isError === true ? structuredContent.code : structuredContent])
  }
  return JSON.parse(
    JSON.stringify(answers, (field, value: unknown) =>
      /^(revision|updated_at|seq|since_cursor|next_cursor|last_message_at)$/.test(field)
        ? undefined
        : value,
    ),
  )
}

/**
 * Does something as ann, undoes it, checks that everything is as before, and does it again. Returns the result of the
 * second time. If undo is refused, checks the reason against the expected one and returns the first result.
 */
async function step<T = any>(
  name: string,
  args: Record<string, unknown>,
  reads: readonly [string, Record<string, unknown>][],
  expected: 'undone' | 'not_reversible' = 'undone',
): Promise<T> {
  const earlier = await stateOf(reads)
  const first = await use<T>(ann, name, args)
  const later = await stateOf(reads)
  assert.notDeepEqual(later, earlier, `${name} changed nothing that was looked at`)
  const [made] = (await use(ann, 'list_api_calls', { tool: name, limit: 1 })).items
  const undo = await use(ann, 'undo_api_call', { call_id: made.id })
  if (expected === 'undone') {
    assert.deepEqual([undo.undone, undo.refused ?? []], [true, []], name)
    assert.deepEqual(await stateOf(reads), earlier, `undoing ${name} left something behind`)
    return use<T>(ann, name, args)
  }
  assert.deepEqual(
    [undo.undone, [...new Set(undo.refused.map((item: { reason: string }) => item.reason))]],
    [false, [expected]],
    name,
  )
  assert.deepEqual(await stateOf(reads), later)
  return first
}

const vtt = `WEBVTT

00:00:01.000 --> 00:00:06.000
<v Ann Ahrens>The ${word} we bought last year is no good. We go back to the old one.

00:01:10.000 --> 00:01:15.000
<v Bob Behrens>I order twenty cans of ${word} by Friday.

00:01:16.000 --> 00:01:20.000
<v Ann Ahrens>And I write down how it is put on.
`

const ids: Record<
  | 'project'
  | 'meeting'
  | 'decision'
  | 'order'
  | 'page'
  | 'channel'
  | 'message'
  | 'direct'
  | 'reminder'
  | 'taskKey'
  | 'task',
  string
> = {} as never

test('a meeting is recorded, and its transcript is read and found by speaker and minute', async () => {
  const project = await use(ann, 'create_project', {
    name: `Engine ${word}`,
    key: 'ENG',
    member_ids: [people.bob.id],
  })
  ids.project = project.id
  const meeting = await step(
    'create_meeting',
    {
      title: `About ${word}`,
      participants: ['bob@acme.test'],
      starts_at: hence(-2),
      ends_at: hence(-1.5),
      agenda: ['Grease'],
      project_id: 'ENG',
    },
    [['list_meetings', {}]],
  )
  ids.meeting = meeting.id
  const received = await step('import_transcript', { meeting_id: ids.meeting, content: vtt }, [
    ['get_meeting', { meeting_id: ids.meeting }],
    ['search_transcripts', { query: word }],
  ])
  assert.equal(received.trust, 'external')
  const { lines, speakers } = await use(ann, 'get_transcript', { meeting_id: ids.meeting })
  assert.deepEqual(
    lines.map((line: { at_second: number }) => line.at_second),
    [1, 70, 76],
  )
  assert.deepEqual(
    speakers.map((speaker: { person?: { title: string } }) => speaker.person?.title).sort(),
    ['Ann Ahrens', 'Bob Behrens'],
  )
  const { items } = await use(ann, 'search_transcripts', { query: `cans ${word}` })
  assert.deepEqual(
    [items[0].meeting.id, items[0].at_second, items[0].speaker],
    [ids.meeting, 70, 'Bob Behrens'],
  )
  await use(ann, 'update_meeting', { meeting_id: ids.meeting, status: 'live' })
  await step('update_meeting', { meeting_id: ids.meeting, status: 'ended' }, [
    ['get_meeting', { meeting_id: ids.meeting }],
  ])
})

test('a decision is recorded', async () => {
  const decision = await step(
    'record_decision',
    {
      title: `Back to the old ${word}`,
      decision_markdown: 'It holds at 200 °C.',
      meeting_id: ids.meeting,
      project_id: 'ENG',
      decided_by: [people.ann.id, people.bob.id],
      alternatives: ['Keep the new one'],
    },
    [
      ['list_decisions', {}],
      ['get_meeting', { meeting_id: ids.meeting }],
    ],
  )
  ids.decision = decision.id
  assert.deepEqual(
    (await use(ann, 'list_decisions', { query: word })).items.map(
      (item: { id: string }) => item.id,
    ),
    [decision.id],
  )
})

test('agreed actions become tasks that link back to the transcript, and depend on each other', async () => {
  const actions: [string, Record<string, unknown>][] = [
    ['list_action_items', {}],
    ['list_tasks', {}],
  ]
  const added = await step(
    'add_action_items',
    {
      meeting_id: ids.meeting,
      items: [
        {
          text: `Order twenty cans of ${word}`,
          owner: 'bob@acme.test',
          due_on: hence(7 * 24).slice(0, 10),
          quote: `I order twenty cans of ${word} by Friday.`,
          at_second: 70,
        },
      ],
    },
    actions,
  )
  const [{ id: order }] = added.items
  ids.order = order
  const turned = await step(
    'create_tasks_from_action_items',
    { action_item_ids: [order], project_id: 'ENG' },
    actions,
  )
  assert.deepEqual([turned.changed, turned.failed ?? []], [1, []])
  const { items } = await use(ann, 'list_action_items', { meeting_id: ids.meeting })
  assert.equal(items[0].status, 'task_created')
  const task = await use(ann, 'get_task', { task_id: items[0].task.key })
  ids.taskKey = task.key
  ids.task = task.id
  assert.deepEqual(
    task.assignees.map((assignee: { id: string }) => assignee.id),
    [people.bob.id],
  )
  assert.match(task.description_markdown, /I order twenty cans/)
  assert.equal(task.source.id, order)
  const again = await use(ann, 'create_tasks_from_action_items', {
    action_item_ids: [order],
    project_id: 'ENG',
  })
  assert.deepEqual([again.changed, again.skipped.length], [0, 1])
})

test('a page is written and shared', async () => {
  const page = await step(
    'create_page',
    {
      title: `How ${word} is put on`,
      body_markdown: `# How\n\n## Before\n\nClean it.\n\n## After\n\nSee ${ids.taskKey}.\n`,
      project_id: 'ENG',
    },
    [
      ['list_pages', {}],
      ['search_pages', { query: word }],
    ],
  )
  ids.page = page.id
  const read: [string, Record<string, unknown>][] = [['get_page', { page_id: page.id }]]
  await step(
    'edit_page_section',
    {
      page_id: page.id,
      section: 'Before',
      new_markdown: `## Before\n\nClean it with a cloth, then the ${word}.\n`,
    },
    read,
  )
  await step('append_to_page', { page_id: page.id, body_markdown: 'Wash your hands.' }, read)
  await step('share_page', { page_id: page.id, person_id: people.bob.id, role: 'commenter' }, read)
  await use(bob, 'add_page_comment', {
    page_id: page.id,
    body_markdown: `Which cloth for ${word}?`,
    quote: 'Clean it with a cloth',
  })
  assert.equal(
    (await refusal(bob, 'append_to_page', { page_id: page.id, body_markdown: 'x' })).code,
    'permission_denied',
  )
})

test('a message is sent in a channel, and a mentioned person is notified live', async () => {
  const channel = await step(
    'create_channel',
    { name: 'engine', kind: 'private', member_ids: [people.bob.id], purpose: `About ${word}` },
    [['list_channels', {}]],
  )
  ids.channel = channel.id
  const message = await use(ann, 'send_message', {
    channel_id: '#engine',
    body_markdown: `@Bob Behrens back to the old ${word}: ${ids.taskKey} is yours.`,
  })
  ids.message = message.id
  assert.deepEqual(
    [
      message.via_assistant,
      message.linked_items.map((linkedItem: { key?: string }) => linkedItem.key),
    ],
    [true, [ids.taskKey]],
  )
  const events = await heardUntil((streamEvent) => streamEvent.event === 'message.mentioned_me')
  assert.ok(
    events.some(
      (streamEvent) =>
        streamEvent.event === 'message.posted' && streamEvent.json.item.id === message.id,
    ),
  )
  const reply = await use(bob, 'reply_to_message', {
    message_id: message.id,
    body_markdown: `Ordered the ${word}.`,
  })
  await heardUntil(
    (streamEvent) =>
      streamEvent.event === 'message.posted' && streamEvent.json.item.id === reply.id,
  )
  await step('add_message_reaction', { message_id: message.id, emoji: '👍' }, [
    ['get_message_thread', { message_id: message.id }],
  ])
  await step('pin_message', { message_id: message.id }, [
    ['get_channel', { channel_id: ids.channel }],
  ])
})

/** Collects the events of bob's screen up to a given one. */
async function heardUntil(is: (event: StreamEvent) => boolean): Promise<StreamEvent[]> {
  const events: StreamEvent[] = []
  while (!events.some(is)) events.push((await ears.next())!)
  return events
}

test('a deleted message leaves a gap without text', async () => {
  const deletedMessage = await use(ann, 'send_message', {
    channel_id: ids.channel,
    body_markdown: `secret ${word}`,
  })
  const [made] = (await use(ann, 'list_api_calls', { tool: 'send_message', limit: 1 })).items
  const undo = await use(ann, 'undo_api_call', { call_id: made.id })
  const { items } = await use(bob, 'list_messages', { channel_id: ids.channel })
  assert.doesNotMatch(JSON.stringify(items), /secret/)
  assert.deepEqual([undo.undone, undo.refused ?? []], [true, []])
  assert.doesNotMatch(
    JSON.stringify(await use(bob, 'search_messages', { query: 'secret' })),
    new RegExp(deletedMessage.id),
  )
  const last = await use(ann, 'send_message', {
    channel_id: ids.channel,
    body_markdown: `never mind the ${word}`,
  })
  await use(ann, 'delete_message', { message_id: last.id })
  const [deletion] = (await use(ann, 'list_api_calls', { tool: 'delete_message', limit: 1 })).items
  const back = await ann.callTool({ name: 'undo_api_call', arguments: { call_id: deletion.id } })
  assert.match(JSON.stringify(back.structuredContent), /not_reversible/)
  assert.doesNotMatch(
    JSON.stringify(await use(ann, 'list_messages', { channel_id: ids.channel })),
    /never mind/,
  )
})

test('only ann is reminded', async () => {
  const reminder = await step(
    'create_reminder',
    {
      remind_at: new Date(Date.now() + 3600_000).toISOString(),
      text: `Ask Bob about the ${word}`,
      item_id: ids.taskKey,
    },
    [['list_reminders', {}]],
  )
  ids.reminder = reminder.id
  const { reminders } = await use(ann, 'get_my_agenda', { days: 2 })
  assert.deepEqual(
    reminders.map((item: { id: string }) => item.id),
    [reminder.id],
  )
  assert.deepEqual((await use(bob, 'list_reminders')).items, [])
  assert.equal(
    (await refusal(bob, 'cancel_reminder', { reminder_id: reminder.id })).code,
    'not_found',
  )
})

test('time is logged, and the task contributes to a goal', async () => {
  await step(
    'create_time_entry',
    { task_id: ids.taskKey, duration_minutes: 30, spent_on: hence(-24).slice(0, 10), note: word },
    [
      ['list_time_entries', {}],
      ['get_task', { task_id: ids.taskKey }],
    ],
  )
  const goal = await step(
    'create_goal',
    {
      title: `No more ${word}`,
      period: String(new Date().getUTCFullYear()),
      level: 'personal',
      project_ids: ['ENG'],
      key_results: [{ title: `Cans of ${word}`, metric: 'number', target_value: 20 }],
    },
    [['list_goals', {}]],
  )
  await step('update_goal', { goal_id: goal.id, status: 'active' }, [
    ['get_goal', { goal_id: goal.id }],
  ])
  assert.deepEqual(
    (await use(ann, 'get_project', { project_id: 'ENG' })).goals.map(
      (item: { id: string }) => item.id,
    ),
    [goal.id],
  )
  assert.deepEqual((await use(bob, 'get_project', { project_id: 'ENG' })).goals ?? [], [])
})

test('the key of the other person sees exactly their part', async () => {
  const meeting = await use(bob, 'get_meeting', { meeting_id: ids.meeting })
  assert.deepEqual([meeting.decisions.length, meeting.action_items.length], [1, 1])
  const { items: unread } = await use(bob, 'list_unread_messages')
  assert.deepEqual(
    unread.map((item: { channel: { key: string }; unread: number; mentions: number }) => [
      item.channel.key,
      item.mentions,
    ]),
    [['#engine', 1]],
  )
  const { counts } = await use(bob, 'get_me')
  assert.ok(counts.mentions >= 1 && counts.unread >= unread[0].unread, JSON.stringify(counts))
  const { items: received } = await use(bob, 'list_notifications')
  const kinds = new Set(received.map((item: { kind: string }) => item.kind))
  for (const kind of ['mention', 'assignment', 'share', 'invite'])
    assert.ok(kinds.has(kind), `${kind} of ${[...kinds].join(', ')}`)
  await use(bob, 'complete_task', { task_id: ids.taskKey })
  const { items } = await use(ann, 'list_action_items', { meeting_id: ids.meeting })
  assert.equal(items[0].status, 'done')
  const page = await use(bob, 'get_page', { page_id: ids.page })
  assert.equal(page.my_role, 'commenter')
  assert.deepEqual((await use(bob, 'list_time_entries')).items, [])
})

test('an uninvolved person sees nothing of it, in any list, search, count or by any id', async () => {
  const { tools } = await (
    carol as unknown as {
      listTools(): Promise<{
        tools: {
          name: string
          annotations: { readOnlyHint: boolean }
          inputSchema: { required?: string[]; properties?: Record<string, unknown> }
        }[]
      }>
    }
  ).listTools()
  const ownWords = new Set(['list_api_calls']) // it shows what she has asked for herself
  const reads = tools.filter(
    (tool) =>
      tool.annotations.readOnlyHint &&
      !ownWords.has(tool.name) &&
      (tool.inputSchema.required ?? []).every((name) => name === 'query'),
  )
  assert.ok(reads.length > 30, `${reads.length} reads`)
  for (const { name, inputSchema } of reads) {
    const args = inputSchema.properties?.query ? { query: word } : {}
    const { structuredContent, isError } = await carol.callTool({ name, arguments: args })
    if (isError) assert.notEqual(structuredContent.code, 'internal', name)
    assert.doesNotMatch(
      JSON.stringify({ ...structuredContent, query: undefined }),
      new RegExp(`${word}|#engine`),
      name,
    )
  }
  const asks: [string, Record<string, unknown>][] = [
    ['get_project', { project_id: ids.project }],
    ['get_meeting', { meeting_id: ids.meeting }],
    ['get_transcript', { meeting_id: ids.meeting }],
    ['get_meeting_brief', { meeting_id: ids.meeting }],
    ['list_decisions', { meeting_id: ids.meeting }],
    ['get_task', { task_id: ids.taskKey }],
    ['get_page', { page_id: ids.page }],
    ['list_page_comments', { page_id: ids.page }],
    ['export_page', { page_id: ids.page }],
    ['get_channel', { channel_id: ids.channel }],
    ['get_channel', { channel_id: '#engine' }],
    ['list_messages', { channel_id: ids.channel }],
    ['get_message_thread', { message_id: ids.message }],
    ['join_channel', { channel_id: ids.channel }],
    ['cancel_reminder', { reminder_id: ids.reminder }],
    ['create_reminder', { remind_at: hence(9 * 24), item_id: ids.page }],
    [
      'create_task_from_source',
      { source_type: 'message', source_id: ids.message, project_id: 'ENG' },
    ],
  ]
  for (const [name, args] of asks)
    assert.equal(
      (await refusal(carol, name, args)).code,
      'not_found',
      `${name} ${JSON.stringify(args)}`,
    )
})
