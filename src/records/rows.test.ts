import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { makeWorkspace, minute, type TestWorkspace } from '../testing/harness.ts'
import { columns } from '../db/tables.ts'
import { allResources, itemResources } from './resource.ts'
import { findPart } from './part.ts'
import { Rows } from './rows.ts'
import { accessScope } from './access-scope.ts'

let workspace: TestWorkspace
let project: any

before(async () => {
  workspace = await makeWorkspace()
  project = await workspace.ann.call('create_project', {
    name: 'Rows',
    key: 'ROWS',
    member_ids: [workspace.bob.id],
  })
})
after(() => workspace.close())

interface Stored {
  op: string
  item_type: string
  item_id: string
  events: string[]
  fields: { field: string; from: unknown; to: unknown }[]
  images: { table: string; op: string; key: any; before?: any; after?: any }[]
}

/** Returns the changes made by the newest call. */
function newest(): Stored[] {
  const rows = workspace.app.store.raw.read
    .prepare(
      'SELECT * FROM changes WHERE call_id = (SELECT call_id FROM changes ORDER BY seq DESC LIMIT 1) ORDER BY seq',
    )
    .all() as any[]
  return rows.map((row) => ({
    ...row,
    events: JSON.parse(row.events_json),
    fields: JSON.parse(row.fields_json),
    images: JSON.parse(row.images_json),
  }))
}

/** Changes rows as ann, in a job of the writer, and stores the recorded changes. */
async function asAnn<T>(
  work: (rows: Rows) => Promise<T>,
  options?: ConstructorParameters<typeof Rows>[2],
): Promise<T> {
  const { store, search, clock } = workspace.app
  return store.writer.run(async () => {
    const rows = new Rows(
      accessScope({ all: store.write, actor: workspace.ann.actor, now: clock.now() }),
      search,
      options,
    )
    const value = await work(rows)
    await rows.flush(`clg_${randomUUID()}`, null)
    return value
  })
}

test('a new row is stamped, and its change lists no fields', async () => {
  const label = await workspace.bob.call('create_label', { name: 'Stamped' }, { via: 'mcp' })
  assert.deepEqual(
    [label.revision, label.created_at, label.updated_at, label.created_by.title, label.created_via],
    [1, '2026-11-20T12:00:00.000Z', '2026-11-20T12:00:00.000Z', 'Bob', 'mcp'],
  )
  const [change] = newest()
  assert.deepEqual(
    [change!.op, change!.item_type, change!.events, change!.fields],
    ['created', 'label', ['label.created'], []],
  )
  assert.deepEqual(change!.images, [{ table: 'labels', op: 'add', key: { id: label.id } }])
})

test('a change increments the revision once per call and stores before and after of changed fields', async () => {
  const { ann, clock } = workspace
  const label = await ann.call('create_label', { name: 'Was', color: '#000000' })
  clock.pass(minute)
  const now = await ann.call('update_label', { label_id: label.id, name: 'Is', color: '#000000' })
  assert.deepEqual([now.revision, now.updated_at > label.updated_at], [2, true])
  const [change] = newest()
  assert.deepEqual(change!.fields, [{ field: 'name', from: 'Was', to: 'Is' }])
  assert.deepEqual(change!.images[0]!.before, { name: 'Was' })
  assert.deepEqual(change!.images[0]!.after, { name: 'Is' })
})

test('a no-op change writes nothing', async () => {
  const { ann } = workspace
  const label = await ann.call('create_label', { name: 'Same', color: '#000000' })
  const before = newest()
  const again = await ann.call('update_label', {
    label_id: label.id,
    name: 'Same',
    color: '#000000',
  })
  assert.equal(again.revision, 1)
  assert.deepEqual(newest(), before)
})

test('a changed part is recorded as a change of its item, whose revision increments once for any number of parts', async () => {
  const { ann, bob } = workspace
  const task = await ann.call('create_task', { project_id: 'ROWS', title: 'With people' })
  const now = await ann.call('assign_task', { task_id: task.id, assignee_ids: [ann.id, bob.id] })
  assert.equal(now.revision, 2)
  const change = newest().find((stored) => stored.item_id === task.id)!
  assert.equal(change.op, 'updated')
  assert.deepEqual(
    change.fields
      .filter((field) => field.field === 'assignees')
      .map((field) => [field.from, field.to]),
    [
      [null, ann.id],
      [null, bob.id],
    ],
  )
  assert.ok(change.events.includes('task.updated') && change.events.includes('task.assigned'))
})

test('a comment updates the time of its task, not its revision', async () => {
  const { ann, clock } = workspace
  const task = await ann.call('create_task', { project_id: 'ROWS', title: 'Talked about' })
  clock.pass(minute)
  await ann.call('add_task_comment', { task_id: task.id, body_markdown: 'hello' })
  const now = await ann.call('get_task', { task_id: task.id })
  assert.deepEqual([now.revision, now.updated_at > task.updated_at], [1, true])
})

test('long texts are truncated in activity, and kept whole for undo', async () => {
  const { ann } = workspace
  const label = await ann.call('create_label', { name: 'Long' })
  const description = 'd'.repeat(1000)
  await ann.call('update_label', { label_id: label.id, description })
  const [change] = newest()
  assert.deepEqual(change!.fields, [
    { field: 'description', from: null, to: `${'d'.repeat(200)}…` },
  ])
  assert.equal(change!.images[0]!.after.description, description)
})

test('a throwing attempt leaves neither rows nor changes, and the call continues', async () => {
  const label = await asAnn(async (rows) => {
    const newLabel = await rows.add('labels', { name: 'Kept', color: '#000000', description: null })
    await assert.rejects(
      rows.attempt(async () => {
        await rows.change('labels', newLabel, { name: 'Tried' })
        await rows.add('labels', { name: 'Tried too', color: '#000000', description: null })
        throw new Error('no')
      }),
      /no/,
    )
    await rows.attempt(
      async () => void (await rows.change('labels', newLabel, { color: '#ffffff' })),
    )
    return newLabel
  })
  const rows = workspace.app.store.raw.read
    .prepare("SELECT name, color FROM labels WHERE id = ? OR name LIKE 'Tried%'")
    .all(label.id)
  assert.deepEqual(rows, [{ name: 'Kept', color: '#ffffff' }])
  assert.equal(newest().length, 1)
  assert.equal(newest()[0]!.images.length, 2)
})

test('a row that is put back is identical, and recorded as restored', async () => {
  const { ann } = workspace
  const milestone = await ann.call('create_milestone', { project_id: project.id, name: 'Back' })
  const row = workspace.app.store.raw.read
    .prepare('SELECT * FROM milestones WHERE id = ?')
    .get(milestone.id) as object
  await asAnn((rows) => rows.remove('milestones', row))
  assert.deepEqual(
    newest().map((stored) => [stored.op, stored.images[0]!.op, stored.images[0]!.before.name]),
    [['deleted', 'remove', 'Back']],
  )
  await asAnn((rows) => rows.putBack('milestones', row))
  assert.deepEqual(
    newest().map((stored) => [stored.op, stored.images[0]!.op]),
    [['restored', 'add']],
  )
  assert.deepEqual(
    workspace.app.store.raw.read.prepare('SELECT * FROM milestones WHERE id = ?').get(milestone.id),
    row,
  )
})

test('changes are ordered by commit, without gaps', () => {
  const seqs = workspace.app.store.raw.read
    .prepare('SELECT seq FROM changes ORDER BY seq')
    .pluck()
    .all() as number[]
  assert.deepEqual(
    seqs,
    seqs.map((_, i) => i + 1),
  )
})

test('every table with ids has one resource, and every part declares its unique key', () => {
  const house = [
    'abuse_findings',
    'approvals',
    'automation_feeds',
    'calendar_imports',
    'call_seals',
    'calls',
    'changes',
    'chat_imports',
    'contact_emails',
    'contact_feeds',
    'contact_imports',
    'contact_phones',
    'contact_tombstones',
    'digest_rounds',
    'entity_feeds',
    'form_answers',
    'form_days',
    'form_files',
    'form_versions',
    'goal_feeds',
    'incident_numbers',
    'invitation_links',
    'invitations',
    'job_schedules',
    'key_clients',
    'known_devices',
    'notice_mails',
    'oauth_assertions',
    'oauth_callback_hosts',
    'oauth_clients',
    'oauth_codes',
    'oauth_connections',
    'oauth_requests',
    'oauth_tokens',
    'on_call_duties',
    'open_assignments',
    'open_counts',
    'escalation_targets',
    'org_plans',
    'orgs',
    'page_steps',
    'page_version_authors',
    'passkey_challenges',
    'passkeys',
    'password_resets',
    'replays',
    'search_docs',
    'search_providers',
    'search_spaces',
    'search_todo',
    'scim_group_members',
    'scim_groups',
    'scim_people',
    'scim_tokens',
    'secrets',
    'setup_links',
    'sign_in_failures',
    'sso_emergency_accounts',
    'sso_identities',
    'sso_only_orgs',
    'sso_providers',
    'sso_requests',
    'task_counts',
    'task_due_notices',
    'task_import_pieces',
    'task_import_refs',
    'task_imports',
    'transcript_lines',
    'transcript_speakers',
    'undone_calls',
    'usage_days',
    'web_sessions',
    'webhook_feeds',
    'calendar_deletions',
    'event_letters',
    'event_mails',
    'event_occurrences',
    'file_texts',
    'email_addresses',
    'email_bodies',
    'email_outbox',
    'email_rule_queue',
    'mail_folders',
    'mail_pushes',
    'mail_thread_links',
  ] // written by the house itself
  const tables = Object.keys(columns).filter((table) => !house.includes(table))
  const resourceTables = allResources().map((resource) => resource.table as string)
  assert.deepEqual(
    tables.filter((table) => !resourceTables.includes(table) && !findPart(table as never)),
    [],
  )
  assert.equal(
    new Set(allResources().map((resource) => resource.definition.type)).size,
    allResources().length,
  )
})

test('trashable resources have the trash columns, and no others do', () => {
  const wrong = itemResources().filter(
    (itemResource) =>
      itemResource.trashable !== columns[itemResource.table].includes('deleted_with'),
  )
  assert.deepEqual(
    wrong.map((resource) => resource.table),
    [],
  )
})

test('parts belong to existing items', () => {
  for (const { definition } of allResources())
    if (definition.partOf)
      assert.ok(
        itemResources().some((itemResource) => itemResource.table === definition.partOf!.table),
        definition.type,
      )
})

test('text written by a call that was triggered from outside is marked, and its image lets undo remove the mark', async () => {
  const { ann, app } = workspace
  const created = await ann.call('create_task', { project_id: 'ROWS', title: 'Of Ann' })
  const rowOf = () =>
    app.store.read
      .selectFrom('tasks')
      .selectAll()
      .where('id', '=', created.id)
      .executeTakeFirstOrThrow()
  const change = async (patch: object) =>
    asAnn(async (rows) => rows.change('tasks', await rowOf(), patch), { isExternal: true })
  await change({ priority: 'high', title: 'Of Ann' })
  assert.equal((await rowOf()).trust, null, 'a change that leaves the text')
  await change({ title: 'Of a stranger' })
  assert.equal((await rowOf()).trust, 'external')
  assert.equal((await ann.call('get_task', { task_id: created.id })).trust, 'external')
  const [recorded] = newest()
  assert.deepEqual(
    [recorded!.fields, recorded!.images[0]!.before],
    [[{ field: 'title', from: 'Of Ann', to: 'Of a stranger' }], { title: 'Of Ann', trust: null }],
  )
})
