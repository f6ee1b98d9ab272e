import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../testing/harness.ts'
import { groupOf } from './lists.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob } = workspace
  await ann.call('create_project', { name: 'Engine', key: 'ENG', member_ids: [bob.id] })
  await ann.call('create_project', { name: 'Private', key: 'PRV' })
  await ann.call('create_task', {
    project_id: 'ENG',
    title: 'Pistons',
    priority: 'high',
    due_at: '2026-12-01',
    assignee_ids: [bob.id],
  })
  await ann.call('create_task', {
    project_id: 'ENG',
    title: 'Valves',
    priority: 'low',
    due_at: '2026-12-03',
  })
  await ann.call('create_task', {
    project_id: 'ENG',
    title: 'Oil',
    priority: 'high',
    due_at: '2026-12-02',
    assignee_ids: [ann.id, bob.id],
  })
  await ann.call('create_task', { project_id: 'PRV', title: 'Secret', priority: 'high' })
})
after(() => workspace.close())

const titles = (page: any) => page.items.map((item: any) => item.item.title)

test('a view shows the current matches of its filter, with its order, columns and groups', async () => {
  const { ann } = workspace
  const view = await ann.call('create_saved_view', {
    name: ' Urgent ',
    item_type: 'task',
    filter: { priority: ['high'], project_id: 'ENG' },
    sort: '-due_at',
    group_by: 'assignees',
    columns: ['status', 'due_at', 'status'],
  })
  assert.deepEqual(
    [view.name, view.columns, view.shared, view.sort, view.group_by],
    ['Urgent', ['status', 'due_at'], false, '-due_at', 'assignees'],
  )
  const page = await ann.call('run_saved_view', { view_id: view.id })
  assert.deepEqual(titles(page), ['Oil', 'Pistons'])
  assert.deepEqual(Object.keys(page.items[0].fields), ['status', 'due_at'])
  assert.deepEqual(
    page.items.map((item: any) => item.group.split(', ').sort()),
    [['Ann', 'Bob'], ['Bob']],
  )
  assert.match(page.items[0].item.key, /^ENG-\d$/)
  await ann.call('complete_task', { task_id: page.items[0].item.id })
  const open = await ann.call('update_saved_view', {
    view_id: view.id,
    filter: {
      priority: ['high'],
      project_id: 'ENG',
      status_category: ['backlog', 'todo', 'triage'],
    },
    group_by: null,
    sort: null,
  })
  assert.deepEqual([open.group_by, open.sort], [undefined, undefined])
  assert.deepEqual(titles(await ann.call('run_saved_view', { view_id: view.id })), ['Pistons'])
})

test('a view stores its layout and display settings, which do not affect its results', async () => {
  const { ann } = workspace
  const display = { closed: 'true', columns: 'status,c.Area:140' }
  const view = await ann.call('create_saved_view', {
    name: 'Board of valves',
    item_type: 'task',
    filter: { text: 'valves', status_not: ['Done'] },
    sort: 'title',
    layout: 'board',
    display,
  })
  assert.deepEqual([view.layout, view.display], ['board', display])
  assert.deepEqual(titles(await ann.call('run_saved_view', { view_id: view.id })), ['Valves'])
  const same = await ann.call('update_saved_view', { view_id: view.id, name: 'Valves' })
  assert.deepEqual([same.layout, same.display], ['board', display])
  const plain = await ann.call('update_saved_view', {
    view_id: view.id,
    layout: null,
    display: {},
  })
  assert.deepEqual([plain.layout, plain.display], [undefined, undefined])
  assert.equal(
    (await ann.refused('update_saved_view', { view_id: view.id, layout: 'pile' })).more.field,
    'layout',
  )
  const long = { view_id: view.id, display: { closed: 'x'.repeat(2001) } }
  assert.equal((await ann.refused('update_saved_view', long)).code, 'invalid_argument')
  await ann.call('delete_saved_view', { view_id: view.id })
})

test('a view without columns shows the default ones, and is paginated', async () => {
  const { ann } = workspace
  const view = await ann.call('create_saved_view', {
    name: 'All',
    item_type: 'task',
    filter: {},
    sort: 'due_at',
  })
  const first = await ann.call('run_saved_view', { view_id: view.id, limit: 3 })
  assert.ok(['title', 'status', 'priority'].every((name) => name in first.items[0].fields))
  assert.equal(first.items[0].group, undefined)
  const second = await ann.call('run_saved_view', {
    view_id: view.id,
    limit: 3,
    cursor: first.next_cursor,
  })
  assert.deepEqual([first.has_more, second.has_more], [true, false])
  assert.deepEqual([...titles(first), ...titles(second)].sort(), [
    'Oil',
    'Pistons',
    'Secret',
    'Valves',
  ])
})

test('a shared view shows each reader only the items visible to them', async () => {
  const { ann, bob, carol } = workspace
  const view = await ann.call('create_saved_view', {
    name: 'High',
    item_type: 'task',
    filter: { priority: ['high'] },
    shared: true,
  })
  assert.deepEqual(titles(await ann.call('run_saved_view', { view_id: view.id })).sort(), [
    'Oil',
    'Pistons',
    'Secret',
  ])
  assert.deepEqual(titles(await bob.call('run_saved_view', { view_id: view.id })).sort(), [
    'Oil',
    'Pistons',
  ])
  assert.deepEqual(titles(await carol.call('run_saved_view', { view_id: view.id })), [])
  const mine = await ann.call('create_saved_view', {
    name: 'Mine',
    item_type: 'task',
    filter: { assignee: 'me' },
    shared: true,
  })
  assert.deepEqual(titles(await bob.call('run_saved_view', { view_id: mine.id })).sort(), [
    'Oil',
    'Pistons',
  ])
  const filteredView = await ann.call('create_saved_view', {
    name: 'Named',
    item_type: 'task',
    filter: { project_id: 'PRV' },
    shared: true,
  })
  assert.deepEqual(await bob.call('run_saved_view', { view_id: filteredView.id }), {
    items: [],
    has_more: false,
  })
})

test('a project view is visible to project members, and limited to the project', async () => {
  const { ann, bob, carol, eve } = workspace
  const view = await ann.call('create_saved_view', {
    name: 'Of ENG',
    item_type: 'task',
    filter: {},
    project_id: 'ENG',
    shared: true,
  })
  assert.equal(view.project.key, 'ENG')
  assert.deepEqual(titles(await bob.call('run_saved_view', { view_id: view.id })).sort(), [
    'Oil',
    'Pistons',
    'Valves',
  ])
  for (const someone of [carol, eve])
    assert.equal((await someone.refused('run_saved_view', { view_id: view.id })).code, 'not_found')
  assert.equal(
    (await bob.refused('update_saved_view', { view_id: view.id, name: 'x' })).code,
    'permission_denied',
  )
  assert.equal(
    (await bob.refused('delete_saved_view', { view_id: view.id })).code,
    'permission_denied',
  )
  assert.equal(
    (
      await carol.refused('create_saved_view', {
        name: 'x',
        item_type: 'task',
        filter: {},
        project_id: 'ENG',
      })
    ).code,
    'not_found',
  )
})

test('lists contain own and shared views, filtered by type, project and sharing', async () => {
  const { ann, bob, carol } = workspace
  const names = async (who: typeof ann, args = {}) =>
    (await who.call('list_saved_views', args)).items.map((item: any) => item.name)
  assert.deepEqual(await names(ann), ['All', 'High', 'Mine', 'Named', 'Of ENG', 'Urgent'])
  assert.deepEqual(await names(bob), ['High', 'Mine', 'Named', 'Of ENG'])
  assert.deepEqual(await names(carol), ['High', 'Mine', 'Named'])
  assert.deepEqual(await names(ann, { shared: false }), ['All', 'Urgent'])
  assert.deepEqual(await names(ann, { project_id: 'ENG' }), ['Of ENG'])
  assert.deepEqual(await names(ann, { item_type: 'email' }), [])
  const first = await ann.call('list_saved_views', { limit: 4 })
  assert.deepEqual(
    (await ann.call('list_saved_views', { limit: 4, cursor: first.next_cursor })).items.map(
      (item: any) => item.name,
    ),
    ['Of ENG', 'Urgent'],
  )
})

test('a view that could not be run cannot be saved', async () => {
  const { ann } = workspace
  const refused = async (args: Record<string, unknown>) =>
    (
      await ann.refused('create_saved_view', { name: 'x', item_type: 'task', filter: {}, ...args })
    ).body() as any
  assert.match(
    (await refused({ filter: { colour: 'red' } })).message,
    /filter: colour is not an argument of list_tasks.*priority/,
  )
  assert.match(
    (await refused({ filter: { limit: 5 } })).message,
    /limit is not allowed in a filter/,
  )
  assert.equal((await refused({ filter: { priority: ['highest'] } })).field, 'filter.priority.0')
  assert.deepEqual(
    [
      (await refused({ filter: { project_id: 'NONE' } })).code,
      (await refused({ filter: { project_id: 'NONE' } })).field,
    ],
    ['not_found', 'filter.project_id'],
  )
  assert.equal((await refused({ sort: 'size' })).field, 'sort')
  assert.match(
    (await refused({ columns: ['size'] })).message,
    /columns: these items have no field size/,
  )
  assert.match(
    (await refused({ group_by: 'size' })).message,
    /group_by: these items have no field size/,
  )
  assert.equal(
    (await refused({ item_type: 'email', filter: { priority: ['high'] } })).field,
    'filter',
    'of another list',
  )
  assert.equal((await ann.call('list_saved_views', { limit: 100 })).items.length, 6)
})

test('a view whose project is gone reports the problem to its owner', async () => {
  const { ann } = workspace
  await ann.call('create_project', { name: 'Gone', key: 'GONE' })
  const view = await ann.call('create_saved_view', {
    name: 'Lost',
    item_type: 'task',
    filter: { project_id: 'GONE' },
  })
  await ann.call('delete_project', { project_id: 'GONE', confirm_key: 'GONE' })
  const refusal = await ann.refused('run_saved_view', { view_id: view.id })
  assert.match(refusal.body().message, /filter of this view no longer works.*update_saved_view/)
  await ann.call('delete_saved_view', { view_id: view.id })
})

test('page views work like task views: with columns, groups and order, and can be limited to own pages', async () => {
  const { ann, bob } = workspace
  await ann.call('create_page', {
    title: 'Handbook',
    body_markdown: 'For all.',
    visibility: 'organization',
  })
  await ann.call('create_page', { title: 'Diary', body_markdown: 'For me.' })
  const view = await ann.call('create_saved_view', {
    name: 'Pages',
    item_type: 'page',
    filter: { kind: 'page' },
    sort: 'title',
    group_by: 'visibility',
    columns: ['owner', 'visibility'],
    shared: true,
  })
  const page = await ann.call('run_saved_view', { view_id: view.id })
  assert.deepEqual(
    page.items.map((item: any) => [
      item.item.type,
      item.item.title,
      item.group,
      item.fields.owner.title,
    ]),
    [
      ['page', 'Diary', 'private', 'Ann'],
      ['page', 'Handbook', 'organization', 'Ann'],
    ],
  )
  assert.deepEqual(titles(await bob.call('run_saved_view', { view_id: view.id })), ['Handbook'])
  assert.equal(
    (
      await ann.refused('create_saved_view', {
        name: 'x',
        item_type: 'page',
        filter: { priority: ['high'] },
      })
    ).more.field,
    'filter',
  )
  await ann.call('delete_saved_view', { view_id: view.id })
})

test('a deleted view is trashed and can be restored; the same idempotency key saves only once', async () => {
  const { ann } = workspace
  const args = {
    name: 'Once',
    item_type: 'task',
    filter: { overdue: true },
    idempotency_key: 'once',
  }
  const view = await ann.call('create_saved_view', args)
  assert.equal((await ann.call('create_saved_view', args)).id, view.id)
  const deleted = await ann.call('delete_saved_view', { view_id: view.id })
  assert.equal(deleted.item.title, 'Once')
  assert.equal((await ann.refused('run_saved_view', { view_id: view.id })).code, 'not_found')
  await ann.call('restore_item', { item_id: view.id })
  assert.deepEqual((await ann.call('run_saved_view', { view_id: view.id })).items, [])
  await ann
    .call('undo_api_call', { call_id: deleted.undo_call_id })
    .then((answer) => assert.equal(answer.refused[0].reason, 'changed_since'))
})

test('a group is named by the titles it holds', () => {
  assert.equal(groupOf({ id: 'x', title: 'Ann' }), 'Ann')
  assert.equal(groupOf([{ title: 'Ann' }, { title: 'Bob' }]), 'Ann, Bob')
  assert.equal(groupOf('todo'), 'todo')
  assert.equal(groupOf(3), '3')
  assert.deepEqual(
    [groupOf([]), groupOf(null), groupOf(undefined), groupOf({ a: 1 }), groupOf('')],
    [undefined, undefined, undefined, undefined, undefined],
  )
})

test('views of contacts and deals select like their lists, limited to what each reader can see', async () => {
  const { ann, bob } = workspace
  const label = await ann.call('create_label', { name: 'Lead' })
  await ann.call('create_contact', { name: 'Zed', label_ids: [label.id] })
  await ann.call('create_contact', { name: 'Amy', label_ids: [label.id], title: 'CEO' })
  await ann.call('create_contact', { name: 'Other' })
  await ann.call('create_deal', {
    name: 'Big',
    amount: 5000,
    stage: 'Proposal',
    expected_close_on: '2026-12-01',
  })
  await ann.call('create_deal', { name: 'Small', amount: 5, expected_close_on: '2026-11-30' })
  const people = await ann.call('create_saved_view', {
    name: 'Leads',
    item_type: 'contact',
    filter: { label_id: [label.id] },
    sort: 'name',
    columns: ['title', 'emails'],
    shared: true,
  })
  const page = await bob.call('run_saved_view', { view_id: people.id })
  assert.deepEqual(
    page.items.map((item: any) => [item.item.type, item.item.title, item.fields]),
    [
      ['contact', 'Amy', { title: 'CEO', emails: [] }],
      ['contact', 'Zed', { emails: [] }],
    ],
  )
  const deals = await ann.call('create_saved_view', {
    name: 'Open',
    item_type: 'deal',
    filter: { status: ['open'] },
    group_by: 'stage',
    columns: ['amount', 'stage'],
    shared: true,
  })
  const open = await ann.call('run_saved_view', { view_id: deals.id })
  assert.deepEqual(
    open.items.map((item: any) => [
      item.item.type,
      item.item.title,
      item.group,
      item.fields.amount,
    ]),
    [
      ['deal', 'Small', 'Lead', 5],
      ['deal', 'Big', 'Proposal', 5000],
    ],
  )
  assert.match(
    (
      await ann.refused('create_saved_view', {
        name: 'x',
        item_type: 'deal',
        filter: {},
        sort: 'amount',
      })
    ).message,
    /cannot be sorted/,
  )
  const guest = await workspace.person('Gus', { role: 'guest' })
  assert.deepEqual((await guest.call('run_saved_view', { view_id: deals.id })).items, [])
})

test('a view of incidents selects like their list, without restricted ones for outsiders', async () => {
  const { ann, bob } = workspace
  await ann.call('create_incident', { title: 'Mail is slow', severity: 'sev3' })
  await ann.call('create_incident', { title: 'A theft', severity: 'sev3', restricted: true })
  await ann.call('create_incident', { title: 'All is down', severity: 'sev1' })
  const view = await ann.call('create_saved_view', {
    name: 'Minor',
    item_type: 'incident',
    filter: { severity: ['sev3'], status: ['open'] },
    group_by: 'severity',
    shared: true,
  })
  assert.deepEqual(titles(await ann.call('run_saved_view', { view_id: view.id })).sort(), [
    'A theft',
    'Mail is slow',
  ])
  const [shown, ...others] = (await bob.call('run_saved_view', { view_id: view.id })).items
  assert.deepEqual(
    [shown.item.type, shown.item.title, shown.item.key, shown.group, others],
    ['incident', 'Mail is slow', 'INC-1', 'sev3', []],
  )
})

test('a saved search finds items visible to its reader, explains each hit, and requires a query', async () => {
  const { ann, bob } = workspace
  await ann.call('create_page', { title: 'Camshaft', body_markdown: 'The camshaft is worn.' })
  await ann.call('create_task', { project_id: 'ENG', title: 'Order a camshaft' })
  const view = await ann.call('create_saved_view', {
    name: 'Camshafts',
    item_type: 'search',
    filter: { query: 'camshaft', types: ['task', 'page'] },
    shared: true,
  })
  const viewResult = await ann.call('run_saved_view', { view_id: view.id })
  assert.deepEqual(titles(viewResult).sort(), ['Camshaft', 'Order a camshaft'])
  assert.deepEqual(viewResult.items.map((item: any) => item.item.type).sort(), ['page', 'task'])
  assert.match(viewResult.items[0].fields.why, /camshaft/)
  assert.equal(viewResult.items[0].fields.trust, 'internal')
  const first = await ann.call('run_saved_view', { view_id: view.id, limit: 1 })
  const second = await ann.call('run_saved_view', {
    view_id: view.id,
    limit: 1,
    cursor: first.next_cursor,
  })
  assert.deepEqual([...titles(first), ...titles(second)], titles(viewResult))
  assert.ok(!titles(await bob.call('run_saved_view', { view_id: view.id })).includes('Camshaft'))
  const refused = await ann.refused('create_saved_view', {
    name: 'Everything',
    item_type: 'search',
    filter: { types: ['task'] },
  })
  assert.deepEqual([refused.code, refused.more.field], ['invalid_argument', 'filter.query'])
})
