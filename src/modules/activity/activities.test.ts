import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hour, keyOf, makeWorkspace, type TestWorkspace } from '../../testing/harness.ts'
import { issueKey } from '../../keys/issue.ts'

let workspace: TestWorkspace
let project: { id: string }

before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob } = workspace
  project = await ann.call('create_project', { name: 'Engine', key: 'ENG', member_ids: [bob.id] })
  workspace.clock.pass(hour)
  await ann.call('update_project', { project_id: 'ENG', name: 'Engines' })
  await ann.call('create_milestone', { project_id: 'ENG', name: 'Beta', due_on: '2026-12-24' })
})
after(() => workspace.close())

test('the newest entry comes first, with who, how, what, and the values before and after', async () => {
  const { ann } = workspace
  const { items } = await ann.call('list_activity', { project_id: 'ENG' })
  assert.equal(items[0].item.type, 'milestone')
  const renamed = items.find((item: any) =>
    item.changes.some((change: any) => change.field === 'name' && change.to === 'Engines'),
  )
  assert.deepEqual(
    [renamed.verb, renamed.actor.title, renamed.via, renamed.item.title],
    ['updated', 'Ann', 'web', 'Engines'],
  )
  assert.deepEqual(renamed.changes, [{ field: 'name', from: 'Engine', to: 'Engines' }])
  assert.equal(items.at(-1).verb, 'created')
})

test('people appear by name instead of id', async () => {
  const { ann } = workspace
  const { items } = await ann.call('list_activity', { item_id: 'ENG' })
  const members = items
    .flatMap((item: any) => item.changes)
    .filter((change: any) => change.field === 'members')
    .map((change: any) => change.to)
  assert.deepEqual(members.map((member: any) => [member.person, member.role]).sort(), [
    ['Ann', 'lead'],
    ['Bob', 'member'],
  ])
})

test('a person who cannot see the item sees none of its activity and cannot query it', async () => {
  const { carol, eve } = workspace
  for (const someone of [carol, eve]) {
    assert.deepEqual(
      (await someone.call('list_activity')).items.filter(
        (item: any) => item.item.type !== 'label' && item.item.type !== 'person',
      ),
      [],
    )
    assert.equal(
      (await someone.refused('list_activity', { item_id: project.id })).code,
      'not_found',
    )
    assert.equal((await someone.refused('list_activity', { project_id: 'ENG' })).code, 'not_found')
  }
})

test('leaving a project hides its history', async () => {
  const { ann } = workspace
  const dan = await workspace.person('Dan')
  await ann.call('add_project_member', { project_id: 'ENG', person_id: dan.id })
  assert.ok((await dan.call('list_activity', { project_id: 'ENG' })).items.length > 0)
  await ann.call('remove_project_member', { project_id: 'ENG', person_id: dan.id })
  assert.deepEqual((await dan.call('list_activity')).items, [])
})

test('kind accepts item types, verbs and events; anything else is refused', async () => {
  const { ann } = workspace
  const kinds = async (...kind: string[]) =>
    (await ann.call('list_activity', { kind })).items.map(
      (item: any) => `${item.item.type} ${item.verb}`,
    )
  assert.deepEqual(await kinds('milestone'), ['milestone created'])
  assert.deepEqual([...new Set(await kinds('created'))].sort(), [
    'milestone created',
    'project created',
  ])
  assert.deepEqual(await kinds('project.created'), ['project created'])
  assert.ok((await kinds('member_added')).length > 0)
  assert.deepEqual(await kinds('project.creat_d'), [])
  assert.equal((await ann.refused('list_activity', { kind: ['%'] })).code, 'invalid_argument')
})

test('person, via and time filter the activity', async () => {
  const { ann, bob } = workspace
  await bob.call('create_milestone', { project_id: 'ENG', name: 'From bob' })
  assert.deepEqual(
    (await ann.call('list_activity', { person_id: 'bob@acme.test' })).items.map(
      (item: any) => item.item.title,
    ),
    ['From bob'],
  )
  assert.deepEqual((await ann.call('list_activity', { via: 'automation' })).items, [])
  assert.deepEqual(
    (await ann.call('list_activity', { before: '2026-11-20T12:30:00Z' })).items.map(
      (item: any) => item.verb,
    ),
    ['created'],
  )
  assert.ok(
    (await ann.call('list_activity', { after: '2026-11-20T12:30:00Z' })).items.every(
      (item: any) => item.verb !== 'created' || item.item.type === 'milestone',
    ),
  )
  assert.deepEqual((await ann.call('list_activity', { after: '2026-11-21' })).items, [])
})

test('the name of a key is shown only to its owner and administrators', async () => {
  const { ann, bob } = workspace
  const issued = await issueKey(workspace.app.store, workspace.clock, {
    owner: bob.id,
    name: 'bobs laptop',
    via: 'cli',
  })
  await bob.call(
    'update_milestone',
    { milestone_id: (await bob.call('list_milestones')).items[0].id, name: 'By key' },
    { via: 'mcp', key: keyOf({ id: issued.id }) },
  )
  const newest = async (who: typeof ann, more = {}) =>
    (await who.call('list_activity', {}, more)).items[0]
  assert.deepEqual([(await newest(bob)).key_name, (await newest(bob)).via], ['bobs laptop', 'mcp'])
  assert.equal((await newest(ann)).key_name, 'bobs laptop')
  const erin = await workspace.person('Erin')
  await ann.call('add_project_member', { project_id: 'ENG', person_id: erin.id })
  const seen = (await erin.call('list_activity', { via: 'mcp' })).items[0]
  assert.deepEqual([seen.item.title, seen.key_name], ['By key', undefined])
})

test('pages continue where the previous one ended, even when new entries arrive in between', async () => {
  const { ann } = workspace
  const all = (await ann.call('list_activity', { limit: 100 })).items.map((item: any) => item.id)
  const first = await ann.call('list_activity', { limit: 2 })
  await ann.call('create_label', { name: 'In between' })
  const second = await ann.call('list_activity', { limit: 2, cursor: first.next_cursor })
  assert.equal(first.has_more, true)
  assert.deepEqual(
    [...first.items, ...second.items].map((item: any) => item.id),
    all.slice(0, 4),
  )
  assert.equal((await ann.refused('list_activity', { cursor: 'x' })).code, 'invalid_argument')
})

test('items in the trash keep their history', async () => {
  const { ann } = workspace
  const label = await ann.call('create_label', { name: 'Thrown away' })
  await ann.call('delete_label', { label_id: label.id })
  const { items } = await ann.call('list_activity', { item_id: label.id })
  assert.deepEqual(
    items.map((item: any) => [item.verb, item.item.title]),
    [
      ['deleted', 'Thrown away'],
      ['created', 'Thrown away'],
    ],
  )
})

test('a reader who sees little need not wait for a full page: it may end early with a cursor', async () => {
  const { carol, ann } = workspace
  const { raw, writer } = workspace.app.store
  const row = raw.write
    .prepare('SELECT * FROM changes WHERE item_id = ? LIMIT 1')
    .get(project.id) as Record<string, unknown>
  const last = raw.write.prepare('SELECT max(seq) FROM changes').pluck().get() as number
  const insert = raw.write.prepare(
    `INSERT INTO changes (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row)
      .map(() => '?')
      .join(', ')})`,
  )
  await writer.run(async () => {
    for (let i = 1; i <= 21_000; i++) insert.run(...Object.values({ ...row, seq: last + i }))
  })
  await ann.call('create_label', { name: 'Newest' })
  let page = await carol.call('list_activity', { limit: 5 })
  const seen = page.items.map((item: any) => item.item.title)
  assert.equal(page.has_more, true)
  while (page.has_more) {
    page = await carol.call('list_activity', { limit: 5, cursor: page.next_cursor })
    seen.push(...page.items.map((item: any) => item.item.title))
  }
  assert.deepEqual(
    seen,
    ['Newest', 'Thrown away', 'Thrown away', 'In between'].filter((title) => seen.includes(title)),
  )
  assert.equal(seen[0], 'Newest')
})

test('statuses, sprints and parents appear by name', async () => {
  const { ann } = workspace
  const { key } = await ann.call('create_project', { name: 'Names', key: 'NAM' })
  const sprint = await ann.call('create_sprint', {
    project_id: key,
    name: 'Sprint 1',
    starts_on: '2026-11-23',
    ends_on: '2026-12-04',
  })
  for (const title of ['Above', 'Below']) await ann.call('create_task', { project_id: key, title })
  await ann.call('update_task', {
    task_id: 'NAM-2',
    status: 'In review',
    sprint_id: sprint.id,
    parent_id: 'NAM-1',
  })
  const [entry] = (await ann.call('list_activity', { item_id: 'NAM-2' })).items
  const byField = Object.fromEntries(
    entry.changes.map(({ field, from, to }: any) => [field, [from, to]]),
  )
  assert.deepEqual(
    [byField.status, byField.sprint, byField.parent],
    [
      ['To do', 'In review'],
      [null, 'Sprint 1'],
      [null, 'Above'],
    ],
  )
  await ann.call('delete_project', { project_id: key, confirm_key: key })
  assert.deepEqual(
    (await ann.call('list_activity', { item_id: 'NAM-2' })).items[0].changes.find(
      (change: any) => change.field === 'status',
    ).to,
    'In review',
  )
  await ann.call('restore_item', { item_id: key })
})
