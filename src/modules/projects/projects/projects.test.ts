import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  makeWorkspace,
  minute,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'

let workspace: TestWorkspace
let ann: Someone, bob: Someone, carol: Someone, eve: Someone
before(async () => {
  workspace = await makeWorkspace()
  ;({ ann, bob, carol, eve } = workspace)
})
after(() => workspace.close())

async function changesOf(id: string) {
  const rows = await workspace.app.store.read
    .selectFrom('changes')
    .selectAll()
    .where('item_id', '=', id)
    .orderBy('seq')
    .execute()
  return rows.map((row) => ({
    op: row.op,
    events: JSON.parse(row.events_json) as string[],
    person: row.for_person_id,
  }))
}

test('the creator leads a new project, which has a workflow and a key derived from its name', async () => {
  const created = await ann.call('create_project', { name: '  Website relaunch ' })
  assert.equal(created.name, 'Website relaunch')
  assert.equal(created.key, 'WR')
  assert.equal(created.status, 'planned')
  assert.equal(created.lead.id, ann.id)
  assert.deepEqual(
    created.members.map((member: any) => [member.person.title, member.role]),
    [['Ann', 'lead']],
  )
  assert.deepEqual(
    created.statuses.map((status: any) => `${status.name}:${status.category}`),
    [
      'Backlog:backlog',
      'To do:todo',
      'In progress:in_progress',
      'In review:in_progress',
      'Done:done',
      'Cancelled:cancelled',
    ],
  )
  assert.equal((await ann.call('create_project', { name: 'Website reborn' })).key, 'WEB')
  assert.deepEqual(await ann.call('get_project', { project_id: 'wr' }), created)
})

test('with another person as lead the caller becomes a member, and all others are recorded as gaining access', async () => {
  const created = await ann.call('create_project', {
    name: 'Led by Bob',
    key: 'lbb',
    lead_id: 'bob@acme.test',
    member_ids: [carol.id, bob.id],
  })
  assert.equal(created.key, 'LBB')
  assert.equal(created.lead.id, bob.id)
  assert.deepEqual(
    created.members.map((member: any) => `${member.person.title} ${member.role}`).sort(),
    ['Ann member', 'Bob lead', 'Carol member'],
  )
  const changes = await changesOf(created.id)
  for (const event of ['project.created', 'project.member_added'])
    assert.ok(changes[0]!.events.includes(event))
  assert.deepEqual(
    changes
      .filter((change) => change.op === 'access_gained')
      .map((change) => change.person)
      .sort(),
    [bob.id, carol.id].sort(),
  )
})

test('a taken key, even of an invisible or trashed project, is refused without revealing that project', async () => {
  const secret = await bob.call('create_project', { name: 'Secret', key: 'HIDDEN' })
  const refusal = await ann.refused('create_project', { name: 'Mine', key: 'hidden' })
  assert.equal(refusal.code, 'conflict')
  assert.doesNotMatch(JSON.stringify(refusal.body()), new RegExp(`Secret|${secret.id}`))
  await bob.call('delete_project', { project_id: secret.id, confirm_key: 'HIDDEN' })
  assert.equal(
    (await ann.refused('create_project', { name: 'Mine', key: 'HIDDEN' })).code,
    'conflict',
  )
  assert.equal(
    (await eve.call('create_project', { name: 'Elsewhere', key: 'HIDDEN' })).key,
    'HIDDEN',
  )
  for (const key of ['A', '1AB', 'A-B', 'ABCDEFGHIJK'])
    assert.equal((await ann.refused('create_project', { name: 'Mine', key })).more.field, 'key')
})

test('a template provides statuses and fields, and must be visible', async () => {
  const template = await ann.call('create_project', { name: 'Template', key: 'TPL' })
  await ann.call('set_project_workflow', {
    project_id: 'TPL',
    statuses: [
      { name: 'Open', category: 'todo', wip_limit: 3 },
      { name: 'Shut', category: 'done', color: '#000000' },
    ],
  })
  await ann.call('create_custom_field', {
    project_id: 'TPL',
    name: 'Stage',
    type: 'select',
    options: ['One', 'Two'],
  })
  const retiredField = await ann.call('create_custom_field', {
    project_id: 'TPL',
    name: 'Old',
    type: 'text',
  })
  await ann.call('update_custom_field', { field_id: retiredField.id, retired: true })
  const copy = await ann.call('create_project', { name: 'Copy', template_project_id: template.id })
  assert.deepEqual(copy.statuses, [
    { name: 'Open', category: 'todo', color: '#64748b', position: 0, wip_limit: 3 },
    { name: 'Shut', category: 'done', color: '#000000', position: 1 },
  ])
  assert.deepEqual(
    copy.custom_fields.map((customField: any) => [
      customField.name,
      customField.options.map((option: any) => option.name),
    ]),
    [['Stage', ['One', 'Two']]],
  )
  assert.equal(
    (await bob.refused('create_project', { name: 'Copy', template_project_id: 'TPL' })).code,
    'not_found',
  )
})

test('guests cannot create projects, and people who are inactive or of another organization cannot be added', async () => {
  const guest = await workspace.person('Gus', { role: 'guest' })
  assert.equal((await guest.refused('create_project', { name: 'Mine' })).code, 'permission_denied')
  assert.equal(
    (await ann.refused('create_project', { name: 'Mixed', member_ids: [eve.id] })).code,
    'not_found',
  )
  const inactive = await workspace.person('Gone')
  await workspace.app.store.writer.run(
    async () =>
      void (await workspace.app.store.write
        .updateTable('users')
        .set({ status: 'deactivated' })
        .where('id', '=', inactive.id)
        .execute()),
  )
  assert.equal(
    (await ann.refused('create_project', { name: 'Mixed', member_ids: [bob.id, inactive.id] })).more
      .field,
    'member_ids[1]',
  )
  assert.equal(
    (await ann.refused('create_project', { name: 'Mixed', lead_id: inactive.id })).more.field,
    'lead_id',
  )
  assert.equal(
    (
      await ann.refused('create_project', {
        name: 'Backwards',
        starts_on: '2026-12-02',
        ends_on: '2026-12-01',
      })
    ).more.field,
    'ends_on',
  )
})

test('the same idempotency key creates one project', async () => {
  const first = await ann.call('create_project', { name: 'Once', idempotency_key: 'k1' })
  assert.equal(
    (await ann.call('create_project', { name: 'Once', idempotency_key: 'k1' })).id,
    first.id,
  )
  const refusal = await ann.refused('create_project', { name: 'Twice', idempotency_key: 'k1' })
  assert.equal(refusal.code, 'idempotency_conflict')
})

test('a project cannot be found, read or changed by id or key from outside', async () => {
  const created = await ann.call('create_project', { name: 'Closed circle', key: 'CIRCLE' })
  for (const who of [carol, eve]) {
    for (const project_id of [created.id, 'CIRCLE']) {
      assert.equal((await who.refused('get_project', { project_id })).code, 'not_found')
      assert.equal(
        (await who.refused('update_project', { project_id, name: 'x' })).code,
        'not_found',
      )
      assert.equal((await who.refused('archive_project', { project_id })).code, 'not_found')
      assert.equal(
        (await who.refused('delete_project', { project_id, confirm_key: 'CIRCLE' })).code,
        'not_found',
      )
    }
    assert.equal((await who.call('list_projects', { query: 'circle' })).items.length, 0)
  }
})

test('lists show recently changed projects first, paginated, with filters and the requested fields', async () => {
  const zoe = await workspace.person('Zoe')
  for (const name of ['Alpha', 'Beta', 'Ärger']) {
    workspace.clock.pass(minute)
    await zoe.call('create_project', { name })
  }
  workspace.clock.pass(minute)
  await zoe.call('update_project', { project_id: 'BET', status: 'active' })
  const names = (page: any) => page.items.map((item: any) => item.name)
  const first = await zoe.call('list_projects', { limit: 2 })
  assert.deepEqual(names(first), ['Beta', 'Ärger'])
  assert.deepEqual(
    names(await zoe.call('list_projects', { limit: 2, cursor: first.next_cursor })),
    ['Alpha'],
  )
  assert.deepEqual(names(await zoe.call('list_projects', { status: ['active'] })), ['Beta'])
  assert.deepEqual(names(await zoe.call('list_projects', { query: 'ÄRG' })), ['Ärger'])
  assert.deepEqual(names(await zoe.call('list_projects', { query: '%' })), [])
  assert.deepEqual(names(await zoe.call('list_projects', { lead_id: bob.id })), [])
  assert.equal((await zoe.call('list_projects', { lead_id: 'me' })).items.length, 3)
  assert.deepEqual(
    await zoe
      .call('list_projects', { fields: ['key'], query: 'alpha' })
      .then((page) => Object.keys(page.items[0])),
    ['id', 'key'],
  )
})

test('project states change step by step, and an invalid transition is refused with the valid ones', async () => {
  const { id } = await ann.call('create_project', { name: 'Steps' })
  const step = (status: string) =>
    ann.call('update_project', { project_id: id, status }).then((item) => item.status)
  const refusal = await ann.refused('update_project', { project_id: id, status: 'completed' })
  assert.equal(refusal.code, 'conflict')
  assert.match(refusal.message, /planned project cannot become completed; it can become active/)
  for (const status of ['active', 'paused', 'active', 'completed', 'active'])
    assert.equal(await step(status), status)
  assert.equal(await step('active'), 'active')
  assert.equal(
    (await ann.refused('update_project', { project_id: id, status: 'planned' })).code,
    'conflict',
  )
})

test('only the lead can change settings', async () => {
  const { id } = await ann.call('create_project', { name: 'Settings', member_ids: [bob.id] })
  const refusal = await bob.refused('update_project', { project_id: id, name: 'Mine now' })
  assert.equal(refusal.code, 'permission_denied')
  assert.match(refusal.message, /lead/)
  assert.equal((await bob.refused('archive_project', { project_id: id })).code, 'permission_denied')
  assert.equal(
    (await bob.refused('delete_project', { project_id: id, confirm_key: 'SET' })).code,
    'permission_denied',
  )
})

test('null clears a field, dates must be in order, and a stale revision is refused', async () => {
  const created = await ann.call('create_project', {
    name: 'Dates',
    description_markdown: '# Why',
    starts_on: '2026-12-01',
    ends_on: '2026-12-31',
  })
  assert.equal(
    (await ann.refused('update_project', { project_id: created.id, ends_on: '2026-11-30' })).more
      .field,
    'ends_on',
  )
  const cleared = await ann.call('update_project', {
    project_id: created.id,
    description_markdown: null,
    starts_on: null,
    expected_revision: created.revision,
  })
  assert.equal('description_markdown' in cleared || 'starts_on' in cleared, false)
  assert.equal(cleared.ends_on, '2026-12-31')
  assert.equal(cleared.revision, created.revision + 1)
  const stale = await ann.refused('update_project', {
    project_id: created.id,
    name: 'Late',
    expected_revision: created.revision,
  })
  assert.deepEqual(stale.more.context, { current_revision: created.revision + 1 })
})

test('a new lead need not be a member yet; the old one stays as a member', async () => {
  const { id } = await ann.call('create_project', { name: 'Relay' })
  const changed = await ann.call('update_project', { project_id: id, lead_id: bob.id })
  assert.equal(changed.lead.id, bob.id)
  assert.deepEqual(
    changed.members.map((member: any) => `${member.person.title} ${member.role}`).sort(),
    ['Ann member', 'Bob lead'],
  )
  assert.equal(
    (await ann.refused('update_project', { project_id: id, lead_id: ann.id })).code,
    'permission_denied',
  )
  assert.equal(
    (await changesOf(id)).filter(
      (change) => change.op === 'access_gained' && change.person === bob.id,
    ).length,
    1,
  )
})

test('an archived project is hidden and read-only, and unarchiving restores its previous state', async () => {
  const { id } = await ann.call('create_project', { name: 'Archive me', member_ids: [bob.id] })
  await ann.call('update_project', { project_id: id, status: 'active' })
  assert.equal((await ann.call('archive_project', { project_id: id })).status, 'archived')
  assert.equal((await ann.call('archive_project', { project_id: id })).status, 'archived')
  assert.ok((await changesOf(id)).some((change) => change.events.includes('project.archived')))
  assert.equal((await ann.call('list_projects', { query: 'archive me' })).items.length, 0)
  assert.equal((await bob.call('list_projects', { status: ['archived'] })).items.length, 1)
  for (const [tool, args] of Object.entries({
    update_project: { name: 'x' },
    add_project_member: { person_id: carol.id },
    set_project_workflow: {
      statuses: [
        { name: 'a', category: 'todo' },
        { name: 'b', category: 'done' },
      ],
    },
    create_custom_field: { name: 'x', type: 'text' },
    create_sprint: { name: 'x', starts_on: '2026-12-01', ends_on: '2026-12-02' },
    create_milestone: { name: 'x' },
    post_project_update: { health: 'on_track', body_markdown: 'x' },
  })) {
    const refusal = await ann.refused(tool, { project_id: id, ...args })
    assert.equal(refusal.code, 'permission_denied', tool)
    assert.match(refusal.body().message, /archived.*archive_project\(archived=false\)/, tool)
  }
  assert.equal(
    (await ann.call('archive_project', { project_id: id, archived: false })).status,
    'active',
  )
})

test('a deletion requires the key as confirmation, and includes tasks, sprints and milestones', async () => {
  const { id, key } = await ann.call('create_project', { name: 'Doomed', member_ids: [bob.id] })
  const task = await ann.call('create_task', { project_id: id, title: 'Doomed too' })
  await ann.call('create_sprint', {
    project_id: id,
    name: 'S',
    starts_on: '2026-12-01',
    ends_on: '2026-12-02',
  })
  const refusal = await ann.refused('delete_project', { project_id: id, confirm_key: 'WRONG' })
  assert.equal(refusal.more.field, 'confirm_key')
  assert.match(refusal.body().message, new RegExp(`Send ${key}`))
  const dry = await ann.call('delete_project', {
    project_id: id,
    confirm_key: key.toLowerCase(),
    dry_run: true,
  })
  assert.deepEqual(
    [dry.dry_run, dry.also_deleted],
    [
      true,
      [
        { type: 'task', count: 1 },
        { type: 'sprint', count: 1 },
      ],
    ],
  )
  assert.equal((await ann.call('get_project', { project_id: id })).task_counts.todo, 1)
  const deletion = await ann.call('delete_project', { project_id: id, confirm_key: key })
  assert.equal(deletion.item.key, key)
  assert.equal(
    deletion.restorable_until,
    new Date(workspace.clock.now() + 30 * 24 * 3600_000).toISOString(),
  )
  assert.equal((await bob.refused('get_project', { project_id: id })).code, 'not_found')
  assert.equal((await bob.refused('get_task', { task_id: task.key })).code, 'not_found')
  assert.equal((await ann.call('list_projects', { query: 'doomed' })).items.length, 0)
})
