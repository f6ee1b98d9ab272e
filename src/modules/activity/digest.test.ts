import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { plantEmail, plantMailbox } from '../../testing/mail/mailboxes.ts'
import {
  hour,
  keyOf,
  makeWorkspace,
  type Someone,
  type TestWorkspace,
} from '../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob } = workspace
  await ann.call('create_project', { name: 'Engineering', key: 'ENG', member_ids: [bob.id] })
})
after(() => workspace.close())

const at = () => new Date(workspace.clock.at).toISOString()
/** A distinct moment, so that earlier events are not in a digest that begins there. */
function moment(): string {
  workspace.clock.at += 1000
  return at()
}
async function section(who: Someone, kind: string, since: string): Promise<any> {
  workspace.clock.at += 1000
  const { sections } = await who.call('get_digest', { since, kinds: [kind] })
  return sections[0]
}

test('changes to followed tasks are grouped by what happened, with the people who did it', async () => {
  const { ann, bob } = workspace
  const mine = await ann.call('create_task', {
    project_id: 'ENG',
    title: 'Valves',
    assignee_ids: [ann.id],
  })
  const other = await bob.call('create_task', { project_id: 'ENG', title: 'Not followed' })
  const since = moment()
  const key = await workspace.key(bob)
  await bob.call('add_task_comment', { task_id: mine.id, body_markdown: 'Done soon' })
  await bob.call('complete_task', { task_id: mine.id }, { via: 'mcp', key })
  await bob.call('update_task', { task_id: other.id, title: 'Still not' })
  const assignedTask = await bob.call('create_task', {
    project_id: 'ENG',
    title: 'Given',
    assignee_ids: [ann.id],
  })
  await ann.call('update_task', { task_id: assignedTask.id, priority: 'high' })
  const tasks = await section(ann, 'tasks', since)
  assert.deepEqual(
    tasks.items.map((item: any) => item.key),
    [mine.key, assignedTask.key],
  )
  assert.deepEqual(tasks.items[0].what, ['completed', 'commented'])
  assert.deepEqual(tasks.items[0].by, ['Bob (assistant)', 'Bob'])
  assert.deepEqual([tasks.counts.completed, tasks.counts.commented], [1, 1])
  const bobs = await section(bob, 'tasks', since)
  const done = bobs.items.find((item: any) => item.key === mine.key)
  assert.deepEqual(done?.by, ['Bob (assistant)'], 'what his assistant did while he was away')
  const changedByAnn = bobs.items.find((item: any) => item.key === assignedTask.key)
  assert.deepEqual([changedByAnn.by, changedByAnn.what], [['Ann'], ['updated']])
})

test('meetings with decisions, incidents, pages, goals and chat have a section each', async () => {
  const { ann, bob } = workspace
  const since = moment()
  const meeting = await bob.call('create_meeting', { title: 'Review', participants: [ann.id] })
  await bob.call('record_decision', {
    title: 'Ship',
    decision_markdown: 'We ship',
    meeting_id: meeting.id,
  })
  const incident = await bob.call('create_incident', { title: 'Down', severity: 'sev1' })
  await bob.call('resolve_incident', { incident_id: incident.id, resolution: 'Up' })
  await bob.call('create_page', { title: 'Plan', body_markdown: 'x', visibility: 'organization' })
  const channel = await bob.call('create_channel', { name: 'engine', member_ids: [ann.id] })
  await bob.call('send_message', { channel_id: channel.id, body_markdown: 'Hi @Ann' })
  moment()
  const digest = await ann.call('get_digest', { since })
  const titles = (kind: string) =>
    digest.sections.find((item: any) => item.kind === kind)?.items.map((item: any) => item.title)
  assert.deepEqual(titles('meetings').toSorted(), ['Review', 'Ship'])
  assert.deepEqual(titles('incidents'), ['Down'])
  const [down] = digest.sections.find((item: any) => item.kind === 'incidents').items
  assert.ok(down.what.includes('resolved'))
  assert.deepEqual(titles('pages'), ['Plan'])
  const chat = digest.sections.find((item: any) => item.kind === 'chat')
  assert.ok(chat.counts.unread >= 1 && chat.items.some((item: any) => item.id === channel.id))
  assert.deepEqual(digest.quiet, ['tasks', 'mail', 'invitations', 'goals', 'approvals'])
  assert.equal(digest.since_is, 'given')
})

test('invisible and trashed items are not included', async () => {
  const { ann, bob, carol, eve } = workspace
  const since = moment()
  await bob.call('create_page', { title: 'Private', body_markdown: 'x', visibility: 'private' })
  await ann.call('create_incident', { title: 'Secret', severity: 'sev2', restricted: true })
  const page = await ann.call('create_page', {
    title: 'Gone',
    body_markdown: 'x',
    visibility: 'organization',
  })
  await ann.call('delete_page', { page_id: page.id })
  moment()
  for (const who of [carol, eve]) {
    const { sections } = await who.call('get_digest', { since })
    assert.deepEqual(sections, [])
  }
})

test('a key sees only its modules', async () => {
  const { ann, bob } = workspace
  const since = moment()
  await bob.call('create_incident', { title: 'Bounded', severity: 'sev3' })
  await bob.call('create_task', { project_id: 'ENG', title: 'Mine', assignee_ids: [ann.id] })
  moment()
  const { id } = await workspace.key(ann)
  const key = keyOf({ id, name: 'tasks', toolsets: ['tasks', 'activity'] } as never)
  const digest = await ann.call('get_digest', { since }, { via: 'mcp', key })
  assert.deepEqual(
    digest.sections.map((item: any) => item.kind),
    ['tasks'],
  )
  assert.ok(!digest.quiet.includes('incidents'))
})

test('the digest starts by default at the last call before a pause, or else a day ago', async () => {
  const { carol, clock } = workspace
  const key = await workspace.key(carol)
  const by = { via: 'mcp', key } as const
  assert.equal((await carol.call('get_digest', {}, by)).since_is, 'yesterday')
  clock.at += 10 * hour
  const before = at()
  await carol.call('get_me', {}, by)
  clock.at += 5 * hour
  await carol.call('get_me', {}, by)
  clock.at += hour
  const digest = await carol.call('get_digest', {}, by)
  assert.deepEqual([digest.since, digest.since_is], [before, 'last_here'])
})

test('an invalid or overlong period is refused', async () => {
  const { ann } = workspace
  const refused = async (args: Record<string, unknown>) =>
    (await ann.refused('get_digest', args)).code
  assert.equal(await refused({ since: '2099-01-01' }), 'invalid_argument')
  assert.equal(await refused({ since: '2020-01-01' }), 'invalid_argument')
  assert.equal(await refused({ since: '2026-11-10', until: '2026-11-09' }), 'invalid_argument')
})

test('the digest stays short, however much happened', async () => {
  const { ann, bob } = workspace
  const since = moment()
  const long = 'A title that goes on and on '.repeat(6)
  for (let i = 0; i < 12; i++) {
    await bob.call('create_task', {
      project_id: 'ENG',
      title: `${long} ${i}`,
      assignee_ids: [ann.id],
    })
    await bob.call('create_incident', { title: `${long} ${i}`, severity: 'sev3' })
    await bob.call('create_page', {
      title: `${long} ${i}`,
      body_markdown: 'x',
      visibility: 'organization',
    })
    await bob.call('create_meeting', { title: `${long} ${i}`, participants: [ann.id] })
    const channel = await bob.call('create_channel', { name: `channel-${i}`, member_ids: [ann.id] })
    await bob.call('send_message', { channel_id: channel.id, body_markdown: long })
  }
  moment()
  const digest = await ann.call('get_digest', { since })
  const tasks = digest.sections.find((item: any) => item.kind === 'tasks')
  assert.deepEqual([tasks.counts.created, tasks.items.length, tasks.more], [12, 3, 'list_tasks'])
  const tokens = countTokens(JSON.stringify(digest))
  assert.ok(tokens <= 1500, `${tokens} tokens`)
})

test('the changes of a period and the calls of a person are found by index', () => {
  const { read } = workspace.app.store.raw
  const planOf = (sql: string) => {
    const rows = read.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[]
    return rows.map((row) => row.detail).join('; ')
  }
  const order = 'ORDER BY at DESC LIMIT 2000'
  const changes = `SELECT at, item_id FROM changes WHERE org_id = 'x' AND at >= 1 AND at < 2 ${order}`
  assert.match(planOf(changes), /changes_by_time \(org_id=\? AND at>\? AND at<\?\)$/)
  const calls = `SELECT at FROM calls WHERE actor_id = 'x' AND at > 1
    AND (transport = 'web' OR key_id = 'y') ${order}`
  assert.match(planOf(calls), /^SEARCH calls USING INDEX calls_by_actor \(actor_id=\? AND at>\?\)$/)
})

test('mail counts the messages of the period and names senders; unanswered invitations have a section', async () => {
  const { app, bob, clock } = workspace
  const owner = { id: bob.id, org_id: bob.actor.org_id, email: bob.actor.email }
  const box = await plantMailbox(app.store, owner, clock.at)
  const letter = {
    from: 'rainer@else.test',
    fromName: 'Rainer',
    to: ['ann@acme.test', owner.email],
  }
  await plantEmail(box, { ...letter, subject: 'Old', place: 'archive' }, clock.at)
  const since = moment()
  for (const subject of ['First', 'Second', 'Third', 'Fourth'])
    await plantEmail(box, { ...letter, subject, bulk: subject !== 'Fourth' }, clock.at)
  await plantEmail(box, { from: owner.email, subject: 'My own', to: ['x@else.test'] }, clock.at)
  clock.at += 1000
  const { sections } = await bob.call('get_digest', { since })
  const mail = sections.find((item: any) => item.kind === 'mail')
  assert.deepEqual(mail.counts, { awaiting_me: 1, new: 4 })
  assert.deepEqual(
    mail.items.map((item: any) => [item.title, item.what, item.by]),
    [
      ['Fourth', ['awaits your answer'], ['Rainer']],
      ['Third', ['new'], ['Rainer']],
      ['Second', ['new'], ['Rainer']],
    ],
  )
  assert.deepEqual([mail.more, mail.standing], ['list_email_threads', true])

  const { ann } = workspace
  const event = await ann.call('create_event', {
    title: 'Review',
    starts_at: '2026-12-01T10:00',
    ends_at: '2026-12-01T11:00',
    attendees: [owner.email],
  })
  await ann.call('send_event_invites', { event_id: event.id })
  const invited = await section(bob, 'invitations', moment())
  assert.deepEqual(
    [invited.counts, invited.items[0].title, invited.items[0].by],
    [{ awaiting_response: 1 }, 'Review', ['Ann']],
  )
  assert.match(invited.items[0].what[1], /starts 2026-12-01T10:00/)
  await bob.call('respond_to_event', { event_id: invited.items[0].id, response: 'accepted' })
  assert.equal(await section(bob, 'invitations', moment()), undefined)
})
