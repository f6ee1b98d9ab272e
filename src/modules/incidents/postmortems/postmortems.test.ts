import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  dayLong,
  hour,
  makeWorkspace,
  minute,
  type TestWorkspace,
} from '../../../testing/harness.ts'

let workspace: TestWorkspace

before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

/** An incident led and resolved by bob, with one public update. */
async function resolvedIncident(title: string, more: Record<string, unknown> = {}): Promise<any> {
  const { ann, bob, clock } = workspace
  const service = await ann.call('create_service', { name: `Shop of ${title}`, public: true })
  const incident = await bob.call('create_incident', {
    title,
    severity: 'sev2',
    summary_markdown: 'Carts were empty.',
    service_ids: [service.id],
    lead_id: bob.id,
    ...more,
  })
  clock.pass(5 * minute)
  await bob.call('acknowledge_incident', { incident_id: incident.id })
  await bob.call('update_incident', {
    incident_id: incident.id,
    cause: 'A full disk',
    customer_impact: 'Nobody could buy.',
  })
  await bob.call('add_incident_note', {
    incident_id: incident.id,
    body_markdown: 'The disk is full.',
  })
  await bob.call('publish_status_update', {
    incident_id: incident.id,
    title: 'Shop is down',
    body_markdown: 'We work on it.',
    state: 'identified',
  })
  clock.pass(55 * minute)
  await bob.call('resolve_incident', { incident_id: incident.id, resolution: 'Emptied the disk.' })
  return incident
}

const undo = (tool: string, who = workspace.bob) => {
  const call = workspace.app.store.raw.read
    .prepare(
      "SELECT id FROM calls WHERE tool = ? AND status = 'ok' ORDER BY at DESC, id DESC LIMIT 1",
    )
    .get(tool) as { id: string }
  return who.call('undo_api_call', { call_id: call.id })
}

test('a postmortem is an organization page with the known facts, its author and follow-up tasks', async () => {
  const { ann, bob, carol } = workspace
  const incident = await resolvedIncident('Empty carts')
  await bob.call('create_project', { name: 'Ops', key: 'OPS' })
  const task = await bob.call('create_task_from_source', {
    source_type: 'incident',
    source_id: incident.id,
    project_id: 'OPS',
    title: 'Watch the disk',
  })
  const postmortem = await bob.call('create_postmortem', {
    incident_id: incident.key,
    author_id: carol.id,
    due_on: '2026-11-23',
  })
  assert.deepEqual(
    [
      postmortem.incident.key,
      postmortem.author.title,
      postmortem.status,
      postmortem.overdue,
      postmortem.due_on,
    ],
    [incident.key, 'Carol', 'draft', false, '2026-11-23'],
  )
  assert.deepEqual(
    postmortem.action_tasks.map((actionTask: any) => actionTask.key),
    [task.key],
  )
  const page = await carol.call('get_page', { page_id: postmortem.page.id })
  assert.deepEqual(
    [page.title, page.kind, page.visibility, page.my_role],
    [`Postmortem ${incident.key}: Empty carts`, 'postmortem', 'organization', 'editor'],
  )
  for (const text of [
    'Carts were empty.',
    'Nobody could buy.',
    'A full disk',
    'Emptied the disk.',
    'The disk is full.',
    'after 5 min',
    'after 1 h',
    'identified: Shop is down',
    `[${task.key}](`,
    '- Lead: Bob',
    '- Author: Carol',
    'Shop of Empty carts',
  ])
    assert.ok(page.body_markdown.includes(text), `${text} in ${page.body_markdown}`)
  assert.ok(
    !page.body_markdown.includes('Watch the disk'),
    'readers of the page may not have access to the task',
  )
  assert.deepEqual(
    (await ann.call('get_incident', { incident_id: incident.id })).postmortem.action_tasks,
    [],
    'ann cannot see the task either',
  )
  assert.deepEqual(
    (await carol.call('list_notifications')).items
      .filter((item: any) => item.kind === 'assignment')
      .map((item: any) => item.item.type),
    ['postmortem'],
  )
  const second = await bob.refused('create_postmortem', { incident_id: incident.id })
  assert.deepEqual(
    [second.code, second.more.context],
    ['conflict', { postmortem_id: postmortem.id, page_id: postmortem.page.id }],
  )
  const note = await ann.call('add_page_comment', {
    page_id: postmortem.page.id,
    body_markdown: 'More, please.',
  })
  assert.equal(
    (await bob.call('get_incident', { incident_id: incident.id })).postmortem.status,
    'in_review',
    'while comments are open',
  )
  await ann.call('resolve_page_comment', {
    page_id: postmortem.page.id,
    comment_id: note.id,
    resolved: true,
  })
  workspace.clock.pass(5 * dayLong)
  const later = (await bob.call('get_incident', { incident_id: incident.id })).postmortem
  assert.deepEqual([later.status, later.overdue], ['draft', true])
})

test('publishing notifies the organization and closes the incident, once', async () => {
  const { ann, bob, carol, eve } = workspace
  const incident = await resolvedIncident('Late mails')
  const channel = (await bob.call('get_incident', { incident_id: incident.id })).channel
  assert.equal(
    (await bob.refused('publish_postmortem', { incident_id: incident.id })).more.next?.tool,
    'create_postmortem',
  )
  const postmortem = await bob.call('create_postmortem', { incident_id: incident.id })
  assert.equal(
    (await carol.refused('publish_postmortem', { incident_id: incident.id })).code,
    'permission_denied',
  )
  assert.equal(
    (await eve.refused('publish_postmortem', { incident_id: incident.id })).code,
    'not_found',
  )
  const published = await bob.call('publish_postmortem', {
    incident_id: incident.id,
    note: 'Read it.',
  })
  assert.deepEqual([published.status, published.overdue], ['published', false])
  assert.equal((await ann.call('get_incident', { incident_id: incident.id })).status, 'closed')
  assert.deepEqual(
    (await carol.call('list_notifications')).items
      .filter((item: any) => item.item.id === postmortem.id)
      .map((item: any) => item.text),
    [`Bob published the postmortem of ${incident.key}`],
  )
  const messageTexts = (await bob.call('list_messages', { channel_id: channel.id })).items.map(
    (item: any) => item.content.text,
  )
  assert.ok(
    messageTexts.some(
      (text: string) => text.includes(postmortem.page.id) && text.includes('Read it.'),
    ),
    messageTexts.join('\n'),
  )
  const events = workspace.app.store.raw.read
    .prepare('SELECT events_json FROM changes WHERE item_id = ?')
    .all(postmortem.id)
    .flatMap((row: any) => JSON.parse(row.events_json))
  assert.ok(events.includes('postmortem.published'))
  const again = await bob.call('publish_postmortem', { incident_id: incident.id })
  assert.equal(again.revision, published.revision)
  const open = await bob.call('create_incident', { title: 'Still open', severity: 'sev4' })
  await bob.call('create_postmortem', { incident_id: open.id })
  assert.equal((await ann.refused('publish_postmortem', { incident_id: open.id })).code, 'conflict')
})

test('access to the postmortem of a restricted incident follows the incident roles', async () => {
  const { ann, bob, carol } = workspace
  const dan = await workspace.person('Dan')
  const incident = await resolvedIncident('Secret leak', { restricted: true })
  assert.equal(
    (await bob.refused('create_postmortem', { incident_id: incident.id, author_id: carol.id })).more
      .field,
    'author_id',
  )
  await bob.call('assign_incident_role', {
    incident_id: incident.id,
    role: 'scribe',
    person_id: carol.id,
  })
  const postmortem = await bob.call('create_postmortem', {
    incident_id: incident.id,
    author_id: carol.id,
  })
  const pageRole = async (who: typeof ann) => {
    try {
      return (await who.call('get_page', { page_id: postmortem.page.id })).my_role
    } catch {
      return undefined
    }
  }
  assert.deepEqual(
    [await pageRole(ann), await pageRole(bob), await pageRole(carol), await pageRole(dan)],
    ['viewer', 'owner', 'editor', undefined],
  )
  await bob.call('assign_incident_role', {
    incident_id: incident.id,
    role: 'scribe',
    person_id: dan.id,
  })
  assert.deepEqual([await pageRole(carol), await pageRole(dan)], [undefined, 'editor'])
  await bob.call('assign_incident_role', {
    incident_id: incident.id,
    role: 'lead',
    person_id: dan.id,
  })
  assert.deepEqual(
    [await pageRole(bob), await pageRole(dan)],
    [undefined, 'owner'],
    'the lead takes over the page, also from its author',
  )
  assert.equal((await bob.refused('get_incident', { incident_id: incident.id })).code, 'not_found')
  await dan.call('update_incident', { incident_id: incident.id, restricted: false })
  assert.deepEqual([await pageRole(bob), await pageRole(carol)], ['commenter', 'commenter'])
})

test('variables in a template page are filled in and unknown ones are left alone', async () => {
  const { bob } = workspace
  const incident = await resolvedIncident('By template')
  const template = await bob.call('create_page', {
    title: 'Review of {{incident}}',
    kind: 'template',
    body_markdown:
      '# {{incident_title}}\n\n{{severity}} {{time_to_resolve}} {{cause}} by {{author}}\n\n{{timeline}}\n\n{{lessons}}',
  })
  const postmortem = await bob.call('create_postmortem', {
    incident_id: incident.id,
    template_page_id: template.id,
  })
  const page = await bob.call('get_page', { page_id: postmortem.page.id })
  assert.equal(page.title, `Review of ${incident.key}`)
  assert.match(page.body_markdown, /^# By template\n\nsev2 1 h A full disk by Bob\n\n- 20\d\d-/)
  assert.ok(page.body_markdown.endsWith('{{lessons}}'))
})

test('undo removes the postmortem and its page, and another one can be drafted', async () => {
  const { bob } = workspace
  const incident = await resolvedIncident('Undone draft')
  const postmortem = await bob.call('create_postmortem', { incident_id: incident.id })
  const undone = await undo('create_postmortem')
  assert.deepEqual(undone.refused, [])
  assert.equal((await bob.refused('get_page', { page_id: postmortem.page.id })).code, 'not_found')
  assert.equal((await bob.call('get_incident', { incident_id: incident.id })).postmortem, null)
  const next = await bob.call('create_postmortem', { incident_id: incident.id })
  await bob.call('publish_postmortem', { incident_id: incident.id })
  workspace.clock.pass(hour)
  assert.deepEqual(
    (await undo('publish_postmortem')).refused.map((item: any) => item.reason),
    [],
  )
  const now = await bob.call('get_incident', { incident_id: incident.id })
  assert.deepEqual(
    [now.status, now.postmortem.status, now.postmortem.id],
    ['resolved', 'draft', next.id],
  )
})
