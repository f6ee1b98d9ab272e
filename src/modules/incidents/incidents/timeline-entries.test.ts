import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hour, makeWorkspace, minute, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
let key: string
let room: string
before(async () => {
  workspace = await makeWorkspace()
  const incident = await workspace.bob.call('create_incident', {
    title: 'Outage',
    severity: 'sev2',
  })
  key = incident.key
  room = incident.channel.id
  workspace.clock.pass(hour)
})
after(() => workspace.close())

const at = (milliseconds: number) => new Date(workspace.clock.now() + milliseconds).toISOString()
const list = (args: Record<string, unknown> = {}) =>
  workspace.ann.call('list_incident_timeline', { incident_id: key, ...args })

test('a note is placed at the time of the event, with author, creation time and via', async () => {
  const { carol } = workspace
  const incidentNote = await carol.call(
    'add_incident_note',
    { incident_id: key, body_markdown: 'CPU at 100 %', occurred_at: at(-30 * minute) },
    { via: 'mcp' },
  )
  assert.deepEqual(
    [
      incidentNote.kind,
      incidentNote.occurred_at,
      incidentNote.created_at,
      incidentNote.actor.title,
      incidentNote.via,
      incidentNote.incident.key,
    ],
    ['note', at(-30 * minute), at(0), 'Carol', 'mcp', key],
  )
  assert.match(
    (
      await carol.refused('add_incident_note', {
        incident_id: key,
        body_markdown: 'x',
        occurred_at: at(1),
      })
    ).message,
    /in the future/,
  )
  assert.equal(
    (await carol.refused('add_incident_note', { incident_id: key, body_markdown: ' ' })).code,
    'invalid_argument',
  )
})

test('the timeline is in order of occurrence, paged, and filtered by kind and start time', async () => {
  const { ann } = workspace
  await ann.call('add_incident_note', {
    incident_id: key,
    body_markdown: 'first sign',
    occurred_at: at(-3 * hour),
  })
  await ann.call('add_incident_note', { incident_id: key, body_markdown: 'now' })
  const all = (await list()).items
  assert.deepEqual(
    all.map((item: any) => item.occurred_at),
    all.map((item: any) => item.occurred_at).toSorted(),
  )
  assert.equal(all[0].body_markdown, 'first sign')
  const first = await list({ limit: 2 })
  const rest = await list({ limit: 100, cursor: first.next_cursor })
  assert.deepEqual(
    [...first.items, ...rest.items].map((item: any) => item.id),
    all.map((item: any) => item.id),
  )
  assert.deepEqual(
    (await list({ kind: ['note'], since: at(-minute) })).items.map(
      (item: any) => item.body_markdown,
    ),
    ['now'],
  )
  const last = (await ann.call('get_incident', { incident_id: key, include: ['timeline'] }))
    .timeline
  assert.deepEqual(
    last.map((item: any) => item.id),
    all.map((item: any) => item.id),
  )
})

test('a chat message is quoted at its time; only readers of the channel can pin it or get its link', async () => {
  const { ann, bob, carol, clock } = workspace
  const message = await bob.call('send_message', {
    channel_id: room,
    body_markdown: 'It is the\ndatabase.',
  })
  clock.pass(minute)
  const incidentNote = await bob.call('add_incident_note', {
    incident_id: key,
    body_markdown: 'Found it:',
    message_id: message.id,
  })
  assert.deepEqual(
    [incidentNote.kind, incidentNote.occurred_at, incidentNote.message.id],
    ['message', message.sent_at, message.id],
  )
  assert.equal(
    incidentNote.body_markdown,
    `Found it:\n\n> Bob, ${message.sent_at}:\n> \n> It is the\n> database.`,
  )
  assert.equal(
    (
      await carol.refused('add_incident_note', {
        incident_id: key,
        body_markdown: 'x',
        message_id: message.id,
      })
    ).code,
    'not_found',
  )
  assert.equal(
    (await ann.call('list_incident_timeline', { incident_id: key, kind: ['message'] })).items[0]
      .message,
    undefined,
  )
  await bob.call('delete_message', { message_id: message.id })
  assert.match(
    (
      await bob.refused('add_incident_note', {
        incident_id: key,
        body_markdown: 'x',
        message_id: message.id,
      })
    ).message,
    /deleted/,
  )
})

test('a mention notifies only people who can see the incident', async () => {
  const { ann, bob, carol } = workspace
  await ann.call('add_incident_note', { incident_id: key, body_markdown: '@Carol please look' })
  assert.ok(
    (await carol.call('list_notifications')).items.some(
      (item: any) => item.kind === 'mention' && item.item.key === key,
    ),
  )
  const hidden = await bob.call('create_incident', {
    title: 'Secret',
    severity: 'sev1',
    restricted: true,
  })
  await bob.call('add_incident_note', { incident_id: hidden.key, body_markdown: '@Carol and @Ann' })
  const isNotified = async (who: typeof ann) =>
    (await who.call('list_notifications')).items.some((item: any) => item.item.key === hidden.key)
  assert.deepEqual([await isNotified(carol), await isNotified(ann)], [false, true])
})

test('an incident is read in full as a document, and handed over by a prompt', async () => {
  const { ann, app } = workspace
  const { incidentDocument } = await import('../documents.ts')
  const text = incidentDocument.text(
    await ann.call('get_incident', {
      incident_id: key,
      include: ['timeline', 'tasks', 'links', 'updates', 'postmortem'],
    }),
    undefined,
  )
  assert.match(
    text,
    new RegExp(`^# ${key}: Outage\\n\\n- Severity: sev2\\n- Status: open\\n- Lead: none`),
  )
  assert.match(text, /## Timeline\n\n.*first sign/s)
  const { incidentHandover } = await import('../prompts.ts')
  const ctx = {
    actor: ann.actor,
    now: workspace.clock.now(),
    catalogue: app.catalogue,
    refusalFor: () => undefined,
    call: (tool: string, args: Record<string, unknown>) => ann.call(tool, args),
  }
  const [instructions, data] = await incidentHandover.messages({ to: 'Carol' }, ctx as never)
  assert.match(instructions!, /Write the handover of INC-\d .* for "Carol" from Ann/)
  assert.match(data!, /"key":"INC-\d"/)
})
