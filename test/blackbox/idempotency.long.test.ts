import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { asPerson } from '../../src/operations/jobs/system.ts'
import { least } from '../../src/testing/blackbox/places.ts'
import {
  inLanes,
  restOf,
  rpcOf,
  send,
  toolCallOf,
  type RawResponse,
  type Arguments,
  type Door,
} from '../../src/testing/blackbox/requests.ts'
import { serveBlackBox } from '../../src/testing/blackbox/server.ts'
import { surfaceOf, type Offered } from '../../src/testing/blackbox/surface.ts'
import { slackZip } from '../../src/modules/chat/testing.ts'
import { deafHost, plant, use, type Things } from '../../src/testing/blackbox/things.ts'
import { daysFrom, quarterOf } from '../../src/testing/days.ts'
import { isExecutable } from '../../src/testing/process.ts'
import type { RequestableWorkspace } from '../../src/testing/server.ts'

// Tests repeated requests after lost answers, up to twenty at once: one item is created, and every request gets the same
// answer.

let served: RequestableWorkspace
let door: Door
let offered: Offered[]
let planted: Things
let slackFile: string

before(async () => {
  served = await serveBlackBox()
  door = { url: served.url, key: (await served.keyFor(served.ann, { adminGrant: true })).key }
  offered = await surfaceOf(door)
  planted = await plant(door, 'planted', 'IDEM', served.app.store)
  await switchOnAccount()
  const page = await use(door, 'create_page', { title: 'Edited', body_markdown: 'As it began.' })
  await use(door, 'update_page', { page_id: page.id, body_markdown: editable })
  const versions = (await use(door, 'list_page_versions', { page_id: page.id })).items as {
    id: string
    number: number
  }[]
  planted.kept_draft = [
    (
      await use(door, 'create_email_draft', {
        account_id: planted.email_account![0],
        subject: 'Kept',
      })
    ).id,
  ]
  planted.page = [page.id]
  slackFile = (
    await use(door, 'upload_file', {
      name: 'slack.zip',
      content_base64: Buffer.from(slackZip()).toString('base64'),
    })
  ).id
  planted.team = [(await use(door, 'create_team', { name: 'Own', lead_id: 'me' })).id]
  planted.sections = [
    (await use(door, 'create_page', { title: 'In parts', body_markdown: '# Part\n\nOne.' })).id,
  ]
  planted.duplicate = [(await use(door, 'create_contact', { name: 'Twice' })).id]
  planted.double = [(await use(door, 'create_entity', { name: 'Twice', type: 'topic' })).id]
  planted.incident = [(await use(door, 'create_incident', { title: 'Slow', severity: 'sev3' })).id]
  await use(door, 'create_project', { name: 'Of Carol', key: 'CAR', lead_id: served.carol.id })
  planted.page_version = [versions.find((version) => version.number === 1)!.id]
})
after(() => served.close())

/** Ann's account, planted while switched off, has no reachable server: outgoing mail waits for a retry. */
async function switchOnAccount(): Promise<void> {
  const { app, ann } = served
  const place = { host: deafHost.split(':')[0]!, port: Number(deafHost.split(':')[1]), tls: 'tls' }
  await asPerson(app, ann.id, 'connect_account', async (ctx) => {
    const row = await app.store.write
      .selectFrom('accounts')
      .selectAll()
      .where('owner_id', '=', ann.id)
      .executeTakeFirstOrThrow()
    await ctx.secrets.put('accounts', row, 'password', 'never sent')
    await app.store.write
      .updateTable('accounts')
      .set({ status: 'active', servers_json: JSON.stringify({ imap: place, smtp: place }) })
      .where('id', '=', row.id)
      .execute()
  })
}

/** A passage of the page being edited. */
const editable = 'A passage of its own.'

/** Arguments with which an operation creates something. */
function sense({ name, properties }: Offered, what: string): Arguments {
  const mine = (name: string, type = name) =>
    planted[type] ? { [`${name}_id`]: planted[type][0] } : {}
  const ids: Arguments = {
    ...mine('project'),
    ...mine('task'),
    ...mine('template', 'task_template'),
    ...mine('channel'),
    ...mine('message'),
    ...mine('page'),
    ...mine('version', 'page_version'),
    ...mine('meeting'),
    ...mine('goal'),
    ...mine('entity'),
    ...mine('team'),
    ...mine('incident'),
    ...mine('runbook'),
    ...mine('schedule', 'on_call_schedule'),
    ...mine('form'),
    ...mine('automation'),
    ...mine('contact'),
    ...mine('deal'),
    ...mine('company'),
  }
  const day = daysFrom(served.clock.now())
  const special: Record<string, Arguments> = {
    create_sprint: { starts_on: day(45), ends_on: day(58) },
    create_time_off: { starts_on: day(73), ends_on: day(77) },
    create_webhook: { url: `http://${deafHost}/${randomUUID()}`, events: ['task.created'] },
    create_task_template: { from_task_id: planted.task![0] },
    create_custom_field: { type: 'text' },
    create_saved_view: { item_type: 'task', filter: {} },
    add_task_attachment: { url: 'https://example.com/x', name: what },
    bulk_create_tasks: { tasks: [{ title: what }] },
    create_subtasks: { subtasks: [{ title: what }] },
    create_task_from_source: { source_type: 'message', source_id: planted.message?.[0] },
    create_channel: { name: what.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-') },
    send_direct_message: { person_ids: ['me'] },
    edit_page_section: { find: editable, new_markdown: `${editable} ${what}` },
    import_pages: { content: `# ${what}` },
    upload_file: { name: `${what}.txt`, content_text: what },
    create_upload_session: { name: `${what}.bin`, size_bytes: 5 },
    update_file_content: { file_id: planted.drive_file?.[0], content_text: what },
    copy_file: { file_id: planted.drive_file?.[0] },
    restore_file_version: {
      file_id: planted.drive_file?.[0],
      version_id: planted.file_version?.[0],
    },
    create_share_link: { file_id: planted.drive_file?.[0] },
    save_email_attachment: { attachment_id: planted.email_attachment?.[0] },
    import_transcript: { content: 'Ann: Good morning.' },
    record_decision: { title: what },
    add_action_items: { items: [{ text: what }] },
    create_tasks_from_action_items: { action_item_ids: [planted.action_item?.[0]] },
    create_pulse: { questions: [{ text: what, type: 'text' }], rrule: 'FREQ=WEEKLY;BYDAY=MO' },
    create_goal: { period: quarterOf(served.clock.now()), level: 'personal' },
    create_key_result: { metric: 'number', target_value: 10 },
    record_goal_checkin: { values: {}, confidence: 'high' },
    create_time_entry: { task_id: planted.task![0], duration_minutes: 5, spent_on: day(-1) },
    start_timer: { task_id: planted.task![0] },
    create_reminder: { remind_at: day(45), text: what },
    create_incident: { severity: 'sev3' },
    create_entity: { type: 'topic' },
    add_fact: { predicate: 'says', value: what },
    add_observation: { body: what },
    merge_entities: { duplicate_ids: planted.double! },
    merge_contacts: { duplicate_ids: planted.duplicate! },
    escalate_incident: { person_id: 'me' },
    publish_status_update: { body_markdown: what, state: 'investigating' },
    create_runbook: { steps: [{ title: what }] },
    create_on_call_schedule: {
      timezone: 'Europe/Berlin',
      layers: [{ people: ['me'], rotation: 'weekly' }],
    },
    create_on_call_override: {
      person_id: 'me',
      starts_at: `${day(101)}T08:00:00Z`,
      ends_at: `${day(101)}T16:00:00Z`,
    },
    log_interaction: { kind: 'call', contact_ids: [planted.contact?.[0]] },
    import_contacts: {
      content: `name,email\n${what},${what.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.')}@example.com`,
    },
    import_tasks: { project_id: 'IDEM', content: `title\n${what}` },
    import_channels: { file_id: slackFile },
    create_meeting: { title: what },
    create_form: { fields: [{ label: what, type: 'short_text' }] },
    submit_form_response: { answers: { note: what } },
    create_email_rule: {
      conditions: { all: [{ field: 'subject', op: 'contains', value: what }] },
      actions: [{ type: 'star' }],
    },
    send_email: {
      account_id: planted.email_account?.[0],
      to: ['carol@acme.test'],
      subject: what,
      body_markdown: what,
    },
    reply_to_email: { email_id: planted.email?.[0], body_markdown: what },
    forward_email: { email_id: planted.email?.[1], to: ['carol@acme.test'] },
    schedule_email: {
      account_id: planted.email_account?.[0],
      to: ['carol@acme.test'],
      subject: what,
      body_markdown: what,
      send_at: `${day(45)}T09:00:00Z`,
    },
    create_email_draft: { account_id: planted.email_account?.[0], subject: what },
    send_email_draft: { draft_id: planted.email_draft?.[0] },
    create_automation: { trigger: { type: 'manual' }, actions: [{ type: 'list_tasks' }] },
    create_event: { starts_at: `${day(45)}T09:00:00Z`, ends_at: `${day(45)}T10:00:00Z` },
    hand_over_person: { person_id: served.carol.id, to: 'me' },
    send_event_invites: { event_id: planted.event?.[0], to: ['carol@acme.test'] },
  }
  const args = {
    ...least({ ...offered.find((op) => op.name === name)!, properties }),
    ...special[name],
  }
  return {
    ...args,
    ...Object.fromEntries(
      Object.entries(ids).filter(([id]) => id in args && !(id in (special[name] ?? {}))),
    ),
    ...('name' in args && name !== 'create_channel' ? { name: what } : {}),
    ...('title' in args ? { title: what } : {}),
  }
}

const withKey = (key: string) => ({ 'idempotency-key': key })

/** Rows of the call log with a key, by whether the call changed something. */
function logged(key: string): { made: number; all: number } {
  const row = served.app.store.raw.read
    .prepare("SELECT count(*) AS 'all', sum(changed) AS made FROM calls WHERE idempotency_key = ?")
    .get(key) as { made: number; all: number }
  return { ...row }
}

/** They request a job or a run, whose effects are in separate calls. */
const beginsJob = ['run_automation', 'import_channels']

test('twenty simultaneous calls with one key, over REST and MCP, create one item and get the same response', async () => {
  const makers = offered.filter((op) => op.takesKey)
  assert.ok(makers.length > 35)
  for (const op of makers) {
    const key = randomUUID()
    const args = sense(op, `Once ${key}`)
    const rest = Array.from({ length: 14 }, () =>
      send(door, { ...restOf(op, args), headers: withKey(key) }),
    )
    const rpc = Array.from({ length: 6 }, (_, i) =>
      send(
        door,
        i % 2
          ? toolCallOf(op.name, { ...args, idempotency_key: key })
          : withMeta(op.name, args, key),
      ),
    )
    const answers = await Promise.all(rest)
    const results = (await Promise.all(rpc)).map((answer) => rpcOf(answer).result)
    for (const { status, text } of answers)
      assert.ok(status < 300, `${op.name} ${JSON.stringify(args)}: ${status} ${text}`)
    for (const result of results) assert.notEqual(result.isError, true, JSON.stringify(result))
    const texts = new Set(
      answers
        .filter((answer) => answer.headers['idempotency-replayed'] === 'true')
        .map((answer) => answer.text),
    )
    assert.equal(texts.size, 1, `${op.name}: ${JSON.stringify([...texts])}`)
    const [received] = texts
    const firsts = answers.filter((answer) => answer.headers['idempotency-replayed'] !== 'true')
    assert.ok(firsts.length <= 1, op.name)
    for (const { json } of firsts)
      assert.deepEqual(json, { ...JSON.parse(received!), ...shownOnce(op.name, json) }) // what is shown once is not shown again
    for (const { structuredContent } of results)
      assert.equal(structuredContent.id, JSON.parse(received!).id, op.name)
    assert.deepEqual(logged(key), { all: 20, made: beginsJob.includes(op.name) ? 0 : 1 }, op.name)
  }
})

function withMeta(name: string, args: Arguments, idempotencyKey: string) {
  const toolCall = toolCallOf(name, args)
  const message = JSON.parse(toolCall.body as string)
  message.params._meta.idempotencyKey = idempotencyKey
  return { ...toolCall, body: JSON.stringify(message) }
}

test('a key belongs to one person, one operation and one set of arguments; a refused call does not consume it', async () => {
  const key = randomUUID()
  const post = (body: unknown, target = door) =>
    send(target, {
      method: 'POST',
      path: '/api/tasks',
      body: JSON.stringify(body),
      headers: withKey(key),
    })
  assert.equal((await post({ project_id: 'IDEM' })).status, 400)
  assert.equal((await post({ project_id: 'NONE', title: 'x' })).status, 404)
  const first = await post({ project_id: 'IDEM', title: 'Mine' })
  assert.equal(first.status, 201)
  assert.equal(
    (await post({ title: 'Mine', project_id: 'IDEM' })).text,
    first.text,
    'in another order they are the same',
  )
  const other = await post({ project_id: 'IDEM', title: 'Not mine' })
  assert.deepEqual([other.status, other.json.code], [422, 'idempotency_conflict'])
  assert.equal(
    (
      await send(door, {
        method: 'POST',
        path: '/api/labels',
        body: '{"name":"Another operation"}',
        headers: withKey(key),
      })
    ).status,
    201,
  )
  const bob = { url: served.url, key: (await served.keyFor(served.bob)).key }
  await use(bob, 'create_project', { name: 'Bobs', key: 'BOBS' })
  const bobs = await post({ project_id: 'BOBS', title: 'Mine' }, bob)
  assert.equal(bobs.status, 201)
  assert.notEqual(bobs.json.id, first.json.id)
  for (const bad of ['', 'x'.repeat(256), 'caf\u00e9'])
    assert.equal(
      (
        await send(door, {
          method: 'POST',
          path: '/api/labels',
          body: '{"name":"x"}',
          headers: withKey(bad),
        })
      ).status,
      400,
      bad,
    )
  await dayPasses(key)
  assert.notEqual(
    (await post({ project_id: 'IDEM', title: 'Mine' })).json.id,
    first.json.id,
    'after a day it is free again',
  )
})

/** A day passes; for a server in another process, with its own clock, the data of a key is shifted back instead. */
async function dayPasses(key: string): Promise<void> {
  const length = 24 * 3600_000 + 1
  const { write, writer } = served.app.store
  if (!isExecutable) served.clock.pass(length)
  else
    await writer.run(() =>
      write
        .updateTable('replays')
        .set((eb) => ({ created_at: eb('created_at', '-', length) }))
        .where('idempotency_key', '=', key)
        .execute(),
    )
}

/** Fields that only the first answer has, by operation. */
const once: Readonly<Record<string, string>> = {
  create_webhook: 'secret',
  create_upload_session: 'upload_url',
  create_share_link: 'link_url',
}

function shownOnce(name: string, first: any): object {
  const field = once[name]
  return field === undefined ? {} : { [field]: first[field] }
}

/** Operations that check a revision: the item type, and the text field that they change. */
const revisions: Record<string, [type: string, field: string]> = {
  update_task: ['task', 'description_markdown'],
  update_project: ['project', 'description_markdown'],
  update_goal: ['goal', 'description_markdown'],
  update_meeting: ['meeting', 'notes_markdown'],
  update_page: ['page', 'body_markdown'],
  edit_page_section: ['page', 'new_markdown'],
  update_automation: ['automation', 'name'],
  update_channel: ['channel', 'topic'],
  update_sprint: ['sprint', 'goal'],
  update_company: ['company', 'note'],
  update_contact: ['contact', 'note'],
  update_deal: ['deal', 'name'],
  update_entity: ['entity', 'description'],
  update_email_draft: ['kept_draft', 'subject'],
  update_event: ['event', 'location'],
  update_file: ['file', 'description'],
  update_form: ['form', 'description_markdown'],
  update_incident: ['incident', 'summary_markdown'],
  update_on_call_schedule: ['on_call_schedule', 'name'],
  update_pulse: ['pulse', 'name'],
  update_runbook: ['runbook', 'name'],
  update_service: ['service', 'description'],
  update_task_template: ['task_template', 'name'],
}

test('of ten simultaneous updates of one revision exactly one wins, and the others get the current one', async () => {
  const revised = offered.filter((op) => op.takesRevision && op.name !== 'send_email_draft') // what is sent is sent once
  assert.deepEqual(revised.map((op) => op.name).sort(), Object.keys(revisions).sort())
  for (const op of revised) {
    const [type, field] = revisions[op.name]!
    const args: Arguments = {
      [op.inPath[0]!]: type === 'page' ? planted.sections![0] : planted[type]![0],
      ...(op.name === 'edit_page_section' ? { section: 'Part' } : {}),
    }
    const text = (i: number) => ({
      [field]: `${field.endsWith('markdown') ? '# Part\n\n' : ''}Version ${i} of ${randomUUID()}`,
    })
    const thing = offered.find((item) => item.name === `get_${type}`)
    for (let round = 0; round < 5; round++) {
      const present = thing
        ? {
            method: 'GET',
            path: restOf(thing, { [thing.inPath[0]!]: Object.values(args)[0] }).path,
          }
        : restOf(op, args) // what nothing reads alone is told by a change of nothing
      const { revision } = (await send(door, present)).json
      const tries = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          send(door, {
            ...restOf(op, { ...args, ...text(i) }),
            headers: { 'if-match': `"${revision}"` },
          }),
        ),
      )
      assertOneWon(tries, revision, op.name)
      const calls = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          send(door, toolCallOf(op.name, { ...args, ...text(i), expected_revision: revision + 1 })),
        ),
      )
      const results = calls.map((call) => rpcOf(call).result)
      assert.equal(results.filter((result) => !result.isError).length, 1, op.name)
      assert.ok(
        results.every((result) => !result.isError || result.structuredContent.code === 'conflict'),
        op.name,
      )
    }
  }
})

function assertOneWon(tries: readonly RawResponse[], revision: number, about: string): void {
  assert.deepEqual(
    tries.map((rawResponse) => rawResponse.status).sort(),
    [200, ...Array(9).fill(412)],
    about,
  )
  for (const { status, json, headers } of tries) {
    assert.equal(headers.etag, `"${revision + 1}"`, about)
    assert.equal(status === 200 ? json.revision : json.current_revision, revision + 1, about)
  }
}

test('an invalid condition is refused, not ignored', async () => {
  await inLanes(
    ['"x"', '1', 'W/"1"', '"1", "2"', '"0"', '"-1"', '"1.5"', '""', '"99999999999999999999"'],
    4,
    async (value) => {
      const { status, text } = await send(door, {
        method: 'PATCH',
        path: `/api/tasks/${planted.task![1]}`,
        body: '{"points":3}',
        headers: { 'if-match': value },
      })
      assert.equal(status, 400, `${value}: ${text}`)
    },
  )
})
