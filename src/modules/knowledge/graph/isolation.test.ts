// Tests that search answers neither contain nor depend on items hidden from the reader: canaries are placed in
// everything that is not public.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const canary = 'xylodrum'
const text = `The ${canary} of the board: downtime, outage and failover of the payment servers.`
const modes = ['keyword', 'semantic', 'hybrid'] as const

/** All answers to someone's queries, as one text. */
async function allAnswers(who: Someone, near: string): Promise<string> {
  const searchCalls: [string, Record<string, unknown>][] = [
    ...[canary, text, 'server breakdown'].flatMap((query): [string, Record<string, unknown>][] => [
      ['search_workspace', { query, limit: 100 }],
      ['find_experts', { topic: query }],
      ['find_related_items', { text: query, limit: 100 }],
      ...['search_tasks', 'search_pages', 'search_messages', 'search_transcripts'].flatMap((tool) =>
        modes.map((mode): [string, Record<string, unknown>] => [tool, { query, mode, limit: 100 }]),
      ),
      ['list_incidents', { query: canary }],
      ['list_decisions', { query: canary }],
    ]),
    ['find_related_items', { item_id: near, limit: 100 }],
  ]
  const all: unknown[] = []
  for (const [tool, args] of searchCalls) all.push(await who.call(tool, args))
  return JSON.stringify(all)
}

async function assertNoTrace(
  who: Someone,
  near: string,
  ids: readonly string[],
  when: string,
): Promise<void> {
  const all = await allAnswers(who, near)
  for (const name of [canary, ...ids]) assert.ok(!all.includes(name), `${when}: ${name} came back`)
}

const indexAll = () => workspace.app.searchEngine.maintain()

test('private pages, projects, channels, conversations, restricted incidents, meetings and decisions of others are not found', async () => {
  const { ann, bob, carol } = workspace
  const open = await ann.call('create_page', {
    title: 'Open',
    visibility: 'organization',
    body_markdown: 'The downtime and outage of the payment servers, in brief.',
  })
  const secret = await bob.call('create_project', { name: 'Board', key: 'BRD' })
  const task = await bob.call('create_task', { project_id: 'BRD', title: text })
  await bob.call('add_task_comment', { task_id: task.id, body_markdown: text })
  const page = await bob.call('create_page', {
    title: canary,
    visibility: 'private',
    body_markdown: `${text} See [[Open]].`,
  })
  const channel = await bob.call('create_channel', {
    name: 'board',
    kind: 'private',
    member_ids: [ann.id],
  })
  const message = await bob.call('send_message', { channel_id: channel.id, body_markdown: text })
  const direct = await bob.call('send_direct_message', {
    person_ids: [ann.id],
    body_markdown: text,
  })
  const meeting = await bob.call('create_meeting', {
    title: canary,
    participants: [ann.id],
    visibility: 'participants',
    agenda: [text],
  })
  await bob.call('import_transcript', {
    meeting_id: meeting.id,
    content: `WEBVTT\n\n00:00:01.000 --> 00:00:05.000\n<v Bob>${text}</v>\n`,
  })
  const decision = await bob.call('record_decision', {
    meeting_id: meeting.id,
    title: canary,
    decision_markdown: text,
  })
  const incident = await bob.call('create_incident', {
    title: canary,
    severity: 'sev2',
    summary_markdown: text,
    restricted: true,
  })
  await indexAll()
  const ids = [
    secret.id,
    task.id,
    page.id,
    channel.id,
    message.id,
    direct.id ?? message.id,
    meeting.id,
    decision.id,
    incident.id,
  ]
  await assertNoTrace(carol, open.id, ids, 'never seen')
  for (const item of [task, page, meeting, incident])
    assert.equal(
      (await carol.refused('find_related_items', { item_id: item.id })).code,
      'not_found',
    )
  const bobsAnswers = await allAnswers(bob, open.id)
  for (const item of [task, page, message, meeting, decision, incident])
    assert.ok(bobsAnswers.includes(item.id), `${item.id} is found by a person who can see it`)
  const experts = (await carol.call('find_experts', { topic: 'outage of the payment servers' }))
    .items
  assert.deepEqual(
    experts.map((expert: any) => expert.person.title),
    ['Ann'],
    'hidden work makes no one an expert',
  )
})

test('private content of others changes neither order nor score of visible results', async () => {
  const { ann, bob, carol } = workspace
  const scores = async () =>
    (
      await carol.call('search_workspace', { query: 'downtime of the payment servers', limit: 50 })
    ).items.map((item: any) => [item.item.id, item.score, item.matched_by, item.graph_path])
  const before = await scores()
  await bob.call('create_page', {
    title: 'Downtime of the payment servers',
    visibility: 'private',
    body_markdown: 'Downtime of the payment servers. See [[Open]].',
  })
  await indexAll()
  assert.deepEqual(await scores(), before)
  assert.ok(
    (await ann.call('search_workspace', { query: 'downtime of the payment servers' })).items
      .length > 0,
  )
})

test('an ended share, a departed member or a trashed or erased item takes effect at once, before any vector is dropped', async () => {
  const { ann, bob, carol } = workspace
  const open = await ann.call('create_page', {
    title: 'Near',
    visibility: 'organization',
    body_markdown: 'The outage of the payment servers, near.',
  })
  const page = await bob.call('create_page', {
    title: canary,
    visibility: 'private',
    body_markdown: text,
  })
  await bob.call('share_page', { page_id: page.id, person_id: carol.id, role: 'viewer' })
  await bob.call('create_project', { name: 'Shared', key: 'SHR', member_ids: [carol.id] })
  const task = await bob.call('create_task', { project_id: 'SHR', title: text })
  const channel = await bob.call('create_channel', {
    name: 'shared',
    kind: 'private',
    member_ids: [carol.id],
  })
  const message = await bob.call('send_message', { channel_id: channel.id, body_markdown: text })
  await indexAll()
  const seen = await allAnswers(carol, open.id)
  for (const item of [page, task, message])
    assert.ok(seen.includes(item.id), `${item.id} was there`)
  await bob.call('unshare_page', { page_id: page.id, person_id: carol.id })
  await bob.call('remove_project_member', { project_id: 'SHR', person_id: carol.id })
  await bob.call('remove_channel_member', { channel_id: channel.id, person_id: carol.id })
  await assertNoTrace(carol, open.id, [page.id, task.id, message.id], 'no longer seen')
  await bob.call('delete_page', { page_id: page.id })
  await bob.call('delete_task', { task_id: task.id })
  await bob.call('delete_message', { message_id: message.id })
  const answersAfterDeletion = await allAnswers(bob, open.id)
  for (const item of [page, task, message])
    assert.ok(
      !answersAfterDeletion.includes(item.id),
      `${item.id} is in the trash or erased, but was returned`,
    )
  await indexAll()
  await assertNoTrace(carol, open.id, [page.id, task.id, message.id], 'afterwards')
})

test('another organization finds nothing of this one', async () => {
  const { ann, eve } = workspace
  await ann.call('create_contact', { name: `Xylodrum`, note: text })
  await indexAll()
  const ownPage = await eve.call('create_page', {
    title: 'Own',
    body_markdown: 'The outage of the payment servers.',
  })
  await assertNoTrace(eve, ownPage.id, [], 'another organization')
})

test('items pending indexing are counted only for people who can see them', async () => {
  const { bob, carol, eve } = workspace
  const pending = async (who: Someone) =>
    (await who.call('search_workspace', { query: 'payment servers' })).searched.pending
  const ownPage = await eve.call('create_page', { title: 'Her own', body_markdown: text }) // so that she has something to search
  await indexAll()
  await bob.call('create_page', { title: canary, visibility: 'private', body_markdown: text })
  await bob.call('create_project', { name: 'Waiting', key: 'WAIT' })
  await bob.call('create_task', { project_id: 'WAIT', title: text })
  assert.deepEqual([await pending(carol), await pending(eve)], [0, 0])
  assert.ok((await pending(bob)) >= 2)
  await indexAll()
  await eve.call('update_page', { page_id: ownPage.id, title: 'Another name' })
  assert.deepEqual([await pending(bob), await pending(eve)], [0, 1])
  await indexAll()
})
