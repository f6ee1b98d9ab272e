import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Entry } from '../src/operations/entry.ts'
import { asPerson, runTick } from '../src/operations/jobs/system.ts'
import { Refusal } from '../src/kernel/refusal.ts'
import { Queue } from '../src/jobs/queue.ts'
import { runTicks } from '../src/jobs/scheduler.ts'
import { calendarModule } from '../src/modules/calendar/index.ts'
import { storeResponse } from '../src/modules/forms/responses/submissions.ts'
import { slackZip } from '../src/modules/chat/testing.ts'
import { followAll } from '../src/testing/fixtures/organization.ts'
import type { Ids } from '../src/testing/fixtures/fixture.ts'
import { isMany, typeOf, waysToRead } from '../src/testing/least-calls.ts'
import { plantEmail, plantMailbox } from '../src/testing/mail/mailboxes.ts'
import { makeWorkspace, type Someone, type TestWorkspace } from '../src/testing/harness.ts'

// Text by outsiders is marked in every answer. All external text contains one word; every read of the catalogue that
// accepts its ids is called, and each object with the word must be marked as external, itself or through an ancestor.

const word = 'zuyxoutside'
const say = (what: string) => `${word} ${what}`

let workspace: TestWorkspace
let ann: Someone
let planted: Ids

before(async () => {
  workspace = await makeWorkspace()
  ;({ ann } = workspace)
  await ann.call('create_project', { name: 'Work', key: 'WRK' })
  planted = {
    project: ['WRK'],
    person: [ann.id],
    ...(await plantMail()),
    ...(await plantAnswer()),
    ...(await plantTranscript()),
    ...(await plantChat()),
    ...(await plantFile()),
  }
  await followAll(workspace)
})
after(() => workspace.close())

/** A conversation, draft replies, and two invitations by mail. */
async function plantMail(): Promise<Ids> {
  const { app, clock } = workspace
  const now = clock.now()
  const owner = { id: ann.id, org_id: ann.actor.org_id, email: ann.actor.email }
  const box = await plantMailbox(app.store, owner, now)
  const from = { from: 'boss@elsewhere.test', fromName: say('sender') }
  const first = await plantEmail(
    box,
    {
      ...from,
      subject: say('subject'),
      text: say('please answer?'),
      attachments: [{ name: `${word}.txt`, text: say('text of an attachment') }],
      headers: [{ name: 'X-Planted', value: say('header') }],
    },
    now - 60_000,
  )
  const invitations = [
    await plantEmail(box, { ...from, subject: say('invitation') }, now - 40_000),
    await plantEmail(box, { ...from, subject: say('other invitation') }, now - 30_000),
  ]
  for (const [i, { id }] of invitations.entries())
    await app.store.writer.run(() =>
      app.store.write
        .updateTable('email_bodies')
        .set({ calendar_text: invitationText(i) })
        .where('email_id', '=', id)
        .execute(),
    )
  for (const tick of calendarModule.ticks!)
    if (!tick.due || (await tick.due(app.store.read))) await runTick(app, tick)
  const events = (
    await ann.call('list_events', { from: '2026-11-20', to: '2026-11-21', limit: 100 })
  ).items.map((item: { id: string }) => item.id)
  assert.equal(events.length, 2)
  await ann.call('mark_emails_read', { email_ids: [first.id] })
  await ann.call('label_emails', { email_ids: [first.id], add: ['Seen'], create_missing: true })
  const answer = (id: string) =>
    ann.call('create_email_draft', { reply_to_email_id: id, body_markdown: 'I will.' })
  const [draft, second] = [await answer(first.id), await answer(invitations[0]!.id)]
  const scheduled = await ann.call('schedule_email', {
    draft_id: second.id,
    send_at: '2026-12-01T09:00:00Z',
  })
  const remind = (item_id: string) =>
    ann.call('create_reminder', { item_id, remind_at: '2026-11-20T16:00:00Z' })
  for (const id of [first.id, events[0]!]) await remind(id)
  await ann.call('create_reminder', { item_id: first.thread_id, remind_at: '2026-11-20T16:00:00Z' })
  const task = await ann.call('create_task_from_source', {
    source_type: 'email',
    source_id: first.id,
    project_id: 'WRK',
    title: 'Answer the boss',
  })
  return {
    email: [first.id, ...invitations.map(({ id }) => id)],
    thread: [first.thread_id],
    email_attachment: first.attachments,
    email_draft: [draft.id],
    scheduled_email: [scheduled.id],
    email_account: [box.account.id],
    event: events,
    task: [task.id],
  }
}

function invitationText(n: number): string {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//x//x//EN',
    'METHOD:REQUEST',
    'BEGIN:VEVENT',
    `UID:${n}@elsewhere.test`,
    'DTSTAMP:20261119T000000Z',
    'DTSTART:20261120T150000Z',
    'DTEND:20261120T160000Z',
    `SUMMARY:${say('event')} ${n}`,
    `LOCATION:${say('place')}`,
    `DESCRIPTION:${say('description')}`,
    `ORGANIZER;CN=${say('organizer')}:mailto:boss@elsewhere.test`,
    `ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:${ann.actor.email}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
}

/** Answers to public forms: one that is only stored, and one that becomes an item of each kind. */
async function plantAnswer(): Promise<Ids> {
  const { form, response } = await answerForm()
  const itemFrom = async (kind: string, mapping: object): Promise<string> => {
    const { form } = await answerForm({ kind, mapping })
    await runTicks(workspace.app)
    await new Queue(workspace.app).drain()
    const [item] = (await ann.call('list_form_responses', { form_id: form })).items
    assert.equal(item.destination.state, 'done', JSON.stringify(item.destination))
    return item.created_item.id
  }
  const text = '{{note}}'
  const ids = {
    form: [form],
    form_response: [response],
    task: [await itemFrom('task', { project_id: 'WRK', title: text, description_markdown: text })],
    contact: [await itemFrom('contact', { name: text, emails: ['zoe@elsewhere.test'] })],
    deal: [await itemFrom('deal', { name: text, note: text })],
    incident: [
      await itemFrom('incident', { title: text, summary_markdown: text, severity: 'sev2' }),
    ],
  }
  return { ...ids, ...(await relateAnswers(ids)) }
}

/** Items by Ann that refer to the ones from outside. */
async function relateAnswers(ids: Record<string, string[]>): Promise<Ids> {
  const [task_id, contact_id, deal_id, incident_id] = ['task', 'contact', 'deal', 'incident'].map(
    (type) => ids[type]![0]!,
  )
  const sub = await ann.call('create_task', { project_id: 'WRK', title: 'Sub', parent_id: task_id })
  const blocked = await ann.call('create_task', { project_id: 'WRK', title: 'Blocked' })
  const blocker = await ann.call('create_task', { project_id: 'WRK', title: 'Blocker' })
  await ann.call('add_task_dependency', { task_id, other_task_id: blocked.id, type: 'blocks' })
  await ann.call('add_task_dependency', {
    task_id: blocker.id,
    other_task_id: task_id,
    type: 'blocks',
  })
  await ann.call('assign_task', { task_id, assignee_ids: [ann.id] })
  await ann.call('create_time_entry', { task_id, duration_minutes: 30, spent_on: '2026-11-19' })
  await ann.call('add_task_comment', { task_id, body_markdown: 'On it.' })
  await ann.call('update_task', { task_id, due_at: '2026-11-18' })
  await ann.call('start_timer', { task_id })
  const company = await ann.call('create_company', { name: 'Elsewhere', domain: 'elsewhere.test' })
  await ann.call('update_contact', { contact_id, company_id: company.id })
  await ann.call('update_deal', { deal_id, contact_ids: [contact_id] })
  const talk = await ann.call('log_interaction', {
    contact_ids: [contact_id],
    deal_id,
    kind: 'call',
    summary_markdown: 'They called.',
    next_step: 'Answer',
    next_step_due: '2026-11-20',
  })
  const met = await ann.call('create_meeting', {
    title: 'With Zoe',
    starts_at: '2026-11-20T10:00',
    ends_at: '2026-11-20T11:00',
    participants: ['zoe@elsewhere.test'],
  })
  await ann.call('add_incident_note', { incident_id, body_markdown: 'We look at it.' })
  await ann.call('create_task_from_source', {
    source_type: 'incident',
    source_id: incident_id,
    project_id: 'WRK',
    title: 'Follow up',
  })
  for (const item_id of [task_id, incident_id])
    await ann.call('create_reminder', { item_id, remind_at: '2026-11-20T16:00:00Z' })
  return {
    task: [task_id!, sub.id, blocked.id, blocker.id],
    company: [company.id],
    interaction: [talk.id],
    meeting: [met.id],
  }
}

/** A form with a response from outside. */
async function answerForm(destination?: object): Promise<{ form: string; response: string }> {
  const { app } = workspace
  const form = await ann.call('create_form', {
    title: 'Report',
    fields: [{ id: 'note', label: 'Note', type: 'short_text' }],
    settings: { audience: 'public' },
    ...(destination ? { destination } : {}),
  })
  await ann.call('publish_form', { form_id: form.id })
  const row = await app.store.read
    .selectFrom('forms')
    .selectAll()
    .where('id', '=', form.id)
    .executeTakeFirstOrThrow()
  const response = await asPerson(app, ann.id, 'submit_public_form', (ctx) =>
    storeResponse(ctx, row, {
      values: { note: say('answer') },
      ownFiles: new Set(),
      trust: 'external',
    }),
  )
  return { form: form.id, response: response.id }
}

async function plantTranscript(): Promise<Ids> {
  const met = await ann.call('create_meeting', {
    title: 'With the boss',
    starts_at: '2026-11-19T10:00',
    ends_at: '2026-11-19T11:00',
    participants: ['boss@elsewhere.test'],
  })
  await ann.call('import_transcript', {
    meeting_id: met.id,
    content: `${say('speaker')}: ${say('was said')}`,
  })
  return { meeting: [met.id] }
}

/** Channels imported from another program. */
async function plantChat(): Promise<Ids> {
  const { app } = workspace
  const zip = slackZip({
    'general/2023-11-16.json': [
      { type: 'message', user: 'U2', text: say('message'), ts: '1700100000.000000' },
      {
        type: 'message',
        user: 'U2',
        text: say('reply'),
        ts: '1700100050.000000',
        thread_ts: '1700100000.000000',
      },
    ],
  })
  const file = await ann.call('upload_file', {
    name: 'slack.zip',
    content_base64: Buffer.from(zip).toString('base64'),
  })
  await ann.call('import_channels', { file_id: file.id })
  await new Queue(app).drain()
  const { items } = await ann.call('list_messages', { channel_id: '#general' })
  const message = items.find((item: any) => item.content.text === say('message'))
  await ann.call('pin_message', { message_id: message.id })
  return { channel: ['#general'], message: [message.id] }
}

/** A file like a saved attachment, which would need a mail server. */
async function plantFile(): Promise<Ids> {
  const { store } = workspace.app
  const file = await ann.call('upload_file', {
    name: `${say('file')}.txt`,
    content_base64: Buffer.from(say('text of a file')).toString('base64'),
  })
  await store.writer.run(async () => {
    for (const [table, by] of [
      ['files', 'id'],
      ['file_versions', 'file_id'],
    ] as const)
      await store.write
        .updateTable(table)
        .set({ trust: 'external' })
        .where(by as 'id', '=', file.id)
        .execute()
  })
  return { file: [file.id] }
}

/** Paths of objects that contain the word without a mark on themselves or an ancestor. */
function unmarked(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => unmarked(item, `${path}[${i}]`))
  if (typeof value === 'string') return value.includes(word) ? [path] : []
  if (typeof value !== 'object' || value === null) return []
  if ((value as { trust?: unknown }).trust === 'external') return []
  return Object.entries(value).flatMap(([name, item]) => unmarked(item, `${path}.${name}`))
}

/** The ways to call a read on planted items; empty if it accepts only other kinds. */
function waysOf(entry: Entry): Record<string, unknown>[] {
  const required = (entry.schemas.inputJson.required ?? []) as string[]
  const lacks = entry.schemas.params.some(
    (param) => required.includes(param.wire) && typeOf(param) && !planted[typeOf(param)!],
  )
  if (lacks) return []
  const ways = waysToRead(entry, planted, [word, `${word} message`, 'from:boss'])
  const [least = {}] = ways
  const properties = (entry.schemas.inputJson.properties ?? {}) as Record<string, unknown>
  if (properties.from && properties.to)
    ways.push({ ...least, from: '2026-11-19', to: '2026-11-22' })
  for (const param of entry.schemas.params)
    for (const id of idsFor(param)) ways.push({ ...least, [param.wire]: isMany(param) ? [id] : id })
  return ways.filter((args) => args.text !== word) // its answer repeats the words of the caller
}

/** Reads that are known to include external text here. */
const expected = [
  'export_contacts',
  'export_deals',
  'export_form_responses',
  'export_incidents',
  'export_time_entries',
  'find_related_items',
  'get_company',
  'get_digest',
  'get_email_thread',
  'get_event',
  'get_meeting_brief',
  'get_my_agenda',
  'get_task',
  'get_transcript',
  'list_activity',
  'list_changes',
  'list_channels',
  'list_contacts',
  'list_deals',
  'list_email_drafts',
  'list_email_threads',
  'list_event_conflicts',
  'list_events',
  'list_field_changes',
  'list_files',
  'list_form_responses',
  'list_incidents',
  'list_interactions',
  'list_meetings',
  'list_messages',
  'list_notifications',
  'list_reminders',
  'list_tasks',
  'list_time_entries',
  'search_emails',
  'search_entities',
  'search_transcripts',
  'search_workspace',
]

const answersBytes = (name: string) => name.startsWith('download_')

function idsFor(param: Entry['schemas']['params'][number]): string[] {
  const type = typeOf(param)
  return type === undefined ? Object.values(planted).flat() : (planted[type] ?? [])
}

test('external text is marked in every response', async () => {
  const wrong = new Map<string, string>()
  const showing = new Set<string>()
  for (const entry of workspace.app.catalogue.routes) {
    const { kind, name } = entry.operation
    if (kind !== 'read' || answersBytes(name)) continue
    for (const args of waysOf(entry)) {
      const value = await ann.call(name, args).catch((error: unknown) => {
        if (error instanceof Refusal) return undefined
        throw error
      })
      if (JSON.stringify(value ?? null).includes(word)) showing.add(name)
      for (const path of unmarked(value))
        wrong.set(`${name} ${path.replaceAll(/\[\d+\]/g, '[]')}`, JSON.stringify(args))
    }
  }
  assert.deepEqual(Object.fromEntries(wrong), {})
  assert.deepEqual(
    expected.filter((name) => !showing.has(name)),
    [],
    'they show it',
  )
})
