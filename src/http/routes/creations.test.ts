import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'
import { mayCreateNothing, isCreation } from './creations.ts'

let served: ServedWorkspace
before(async () => {
  served = await serveWorkspace()
})
after(() => served.close())

const post = (path: string, body: object = {}) => served.ask('POST', `/api/${path}`, { body })
const create = async (path: string, body: object = {}) => {
  const answer = await post(path, body)
  assert.equal(answer.status, 201, `${path}: ${answer.text}`)
  return answer
}

/** Non-idempotent POSTs that still answer 200, with reasons. */
const nonCreatingPosts: Record<string, string> = {
  edit_page_section: 'changes a page',
  append_to_page: 'changes a page',
  restore_page_version: 'changes a page',
  restore_file_version: 'changes a file',
  import_pages: 'answers a report on many pages, new and changed ones',
  import_channels: 'begins a job, which makes channels and messages',
  import_tasks: 'answers a report on many tasks',
  import_contacts: 'answers a report on many contacts, new and changed ones',
  import_transcript: 'sets the transcript of a meeting',
  escalate_incident: 'pages people for an incident',
  hand_over_person: 'changes what a person was responsible for',
  merge_contacts: 'changes contacts',
  merge_entities: 'changes entities',
  send_event_invites: 'sends mail about an event',
  rotate_webhook_secret: 'changes a webhook',
}

test('every non-idempotent POST creates something or is listed with a reason', () => {
  const posts = served.app.catalogue.routes.filter(
    ({ method, operation }) => method === 'POST' && !operation.idempotent,
  )
  const others = posts.filter((entry) => !isCreation(entry)).map((entry) => entry.operation.name)
  assert.deepEqual(others.toSorted(), Object.keys(nonCreatingPosts).toSorted())
})

test('an operation that creates one item returns its id; one that creates several returns their count', () => {
  const wrong = served.app.catalogue.routes.filter((entry) => {
    const { creates, kind } = entry.operation
    if (creates === 'nothing') return false
    const { shape } = entry.schemas.output as unknown as { shape: Record<string, unknown> }
    return kind === 'read' || !((creates === 'item' ? 'id' : 'changed') in shape)
  })
  assert.deepEqual(
    wrong.map((entry) => entry.operation.name),
    [],
  )
})

test('the OpenAPI document lists the possible statuses', async () => {
  const document = (await served.ask('GET', '/api/openapi.json')).json
  for (const entry of served.app.catalogue.routes) {
    const { responses } = document.paths[entry.path]?.[entry.method.toLowerCase()] ?? {}
    if (responses === undefined) continue
    const expected = [isCreation(entry), !isCreation(entry) || mayCreateNothing(entry)]
    assert.deepEqual(['201' in responses, '200' in responses], expected, entry.operation.name)
  }
})

test('a creation returns 201 with its address', async () => {
  const channel = await create('channels', { name: 'website' })
  assert.equal(channel.headers.get('location'), `/api/channels/${channel.json.id}`)
  const message = await create(`channels/${channel.json.id}/messages`, { body_markdown: 'Hello' })
  assert.equal(message.headers.get('location'), `/api/messages/${message.json.id}`)
  const reply = await create(`messages/${message.json.id}/replies`, { body_markdown: 'Hi' })
  assert.equal(reply.headers.get('location'), `/api/messages/${reply.json.id}`)
  const content_base64 = Buffer.from('text').toString('base64')
  const file = await create('files', { name: 'a.txt', content_base64 })
  assert.equal(file.headers.get('location'), `/api/files/${file.json.id}`)
  const copy = await create(`files/${file.json.id}/copy`, { name: 'b.txt' })
  assert.equal(copy.headers.get('location'), `/api/files/${copy.json.id}`)
  const project = await create('projects', { name: 'Engine room', key: 'ENG' })
  const task = await create('tasks', { project_id: 'ENG', title: 'Oil the valves' })
  assert.equal(task.headers.get('location'), `/api/tasks/${task.json.id}`)
  await create(`projects/${project.json.id}/updates`, { health: 'on_track', body_markdown: 'Fine' })
  const milestone = await create('projects/ENG/milestones', { name: 'Launch' })
  assert.equal(milestone.headers.get('location'), `/api/milestones/${milestone.json.id}`)
  const contact = await create('contacts', { name: 'Erika', emails: ['erika@else.test'] })
  assert.equal(contact.headers.get('location'), `/api/contacts/${contact.json.id}`)
  await create('interactions', {
    kind: 'call',
    summary_markdown: 'x',
    contact_ids: [contact.json.id],
  })
  await create('timers', { task_id: 'ENG-1' })
  await create('decisions', { decision_markdown: 'We ship it', title: 'Ship it' })
  const subtasks = await create('tasks/ENG-1/subtasks', { subtasks: [{ title: 'Find oil' }] })
  assert.equal(subtasks.headers.get('location'), null)
})

test('an existing item, a dry run and a change return 200 without an address', async () => {
  const body = { name: 'Anna', emails: ['anna@else.test'] }
  await create('contacts', body)
  const again = await post('contacts', body)
  assert.deepEqual([again.status, again.headers.get('location')], [200, null])
  assert.equal(again.json.existing, true)
  await create('entities', { name: 'Reactor', type: 'system' })
  assert.equal((await post('entities', { name: 'Reactor', type: 'system' })).status, 200)
  await create('projects', { name: 'Planning', key: 'PLAN' })
  await create('tasks', { project_id: 'PLAN', title: 'Look it up' })
  await create('tasks/PLAN-1/attachments', { url: 'https://else.test/a' })
  const attached = await post('tasks/PLAN-1/attachments', { url: 'https://else.test/a' })
  assert.deepEqual(
    [attached.status, attached.headers.get('location'), attached.json.existing],
    [200, null, true],
  )
  const tasks = [{ title: 'x' }]
  const dry = await post('tasks/bulk-create', { project_id: 'PLAN', tasks, dry_run: true })
  assert.deepEqual([dry.status, dry.headers.get('location')], [200, null])
  const renamed = await served.ask('PATCH', '/api/projects/PLAN', { body: { name: 'Plans' } })
  assert.deepEqual([renamed.status, renamed.headers.get('location')], [200, null])
})
