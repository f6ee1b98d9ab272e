import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  dayLong,
  makeWorkspace,
  minute,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'
import { accessScope } from '../../../records/access-scope.ts'
import { task } from '../access.ts'
import { isBlocked } from './access-lists.ts'
import { sorts } from './plans.ts'

let workspace: TestWorkspace
const keys: Record<string, string> = {}
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob, carol, clock } = workspace
  await ann.call('create_project', { name: 'Engineering', key: 'ENG', member_ids: [bob.id] })
  await ann.call('create_project', { name: 'Design', key: 'DES', member_ids: [carol.id] })
  for (const name of ['Bug', 'Rush']) await ann.call('create_label', { name })
  const sprint = await ann.call('create_sprint', {
    project_id: 'ENG',
    name: 'One',
    starts_on: '2026-11-16',
    ends_on: '2026-11-29',
  })
  for (const [project_id, name, type, options] of [
    ['ENG', 'Area', 'multi_select', ['Pump', 'Valve']],
    ['ENG', 'Cost', 'number'],
    ['ENG', 'Tested', 'boolean'],
    ['ENG', 'Seen on', 'date'],
    ['ENG', 'Buyer', 'person'],
    ['ENG', 'Stage', 'select', ['Draft', 'Final']],
    ['DES', 'stage', 'select', ['Draft', 'Print']],
    ['DES', 'Note', 'text'],
  ] as const)
    await ann.call('create_custom_field', { project_id, name, type, ...(options && { options }) })
  const tasks: [string, Record<string, unknown>, Someone?][] = [
    [
      'a',
      {
        title: 'a',
        due_at: '2026-11-19',
        priority: 'urgent',
        label_ids: ['Bug', 'Rush'],
        assignee_ids: ['me'],
        custom_fields: { Area: ['Pump', 'Valve'], Cost: 5, Tested: true, Stage: 'Draft' },
      },
    ],
    [
      'b',
      {
        title: 'b',
        due_at: '2026-11-21',
        priority: 'low',
        label_ids: ['Bug'],
        assignee_ids: [bob.id],
        sprint_id: sprint.id,
        custom_fields: { Area: ['Valve'], Cost: 12.5, Tested: false, 'Seen on': '2026-11-02' },
      },
      bob,
    ],
    [
      'c',
      {
        title: 'c',
        status: 'Done',
        due_at: '2026-11-18',
        assignee_ids: [bob.id, ann.id],
        start_at: '2026-11-12',
        custom_fields: { Buyer: bob.id, Stage: 'Final' },
      },
    ],
    ['d', { title: 'd', status: 'In review', priority: 'high', description_markdown: 'The body.' }],
    [
      'e',
      {
        title: 'e',
        project_id: 'DES',
        status: 'Backlog',
        due_at: '2026-11-30',
        start_at: '2026-11-10',
        custom_fields: { stage: 'Draft', Note: 'Ölstand' },
      },
    ],
  ]
  for (const [name, args, who] of tasks) {
    clock.pass(minute)
    keys[name] = (await (who ?? ann).call('create_task', { project_id: 'ENG', ...args })).key
  }
  await ann.call('update_task', { task_id: keys.d, parent_id: keys.a })
  await ann.call('add_task_dependency', { task_id: keys.b, other_task_id: keys.a })
  await ann.call('add_task_dependency', { task_id: keys.d, other_task_id: keys.c })
})
after(() => workspace.close())

async function names(args: Record<string, unknown>, who = workspace.ann): Promise<string> {
  const page = await who.call('list_tasks', args)
  return page.items.map((item: { title: string }) => item.title).join('')
}

test('each filter works on its own', async () => {
  const cases: [Record<string, unknown>, string][] = [
    [{}, 'abcde'],
    [{ project_id: 'eng' }, 'abcd'],
    [{ assignee: 'me' }, 'ac'],
    [{ assignee: 'bob@acme.test' }, 'bc'],
    [{ status: ['done', 'IN REVIEW'] }, 'cd'],
    [{ status: ['backlog'], project_id: 'DES' }, 'e'],
    [{ status_category: ['todo'] }, 'ab'],
    [{ status_category: ['done', 'backlog'] }, 'ce'],
    [{ priority: ['urgent', 'low'] }, 'ab'],
    [{ label_id: ['bug'] }, 'ab'],
    [{ label_id: ['bug', 'rush'] }, 'a'],
    [{ parent_id: keys.a }, 'd'],
    [{ created_by: workspace.bob.id }, 'b'],
    [{ due_before: '2026-11-19' }, 'ac'],
    [{ due_before: '2026-11-18T22:00:00Z' }, ''],
    [{ due_after: '2026-11-21' }, 'be'],
    [{ due_after: '2026-11-19', due_before: '2026-11-21' }, 'ab'],
    [{ updated_after: '2026-11-20T12:05:00Z' }, 'bde'],
    [{ overdue: true }, 'a'],
    [{ overdue: false }, 'bcde'],
    [{ blocked: true }, 'b'],
    [{ blocked: false }, 'acde'],
    [{ has_no_assignee: true }, 'de'],
    [{ has_no_assignee: false }, 'abc'],
    [
      {
        project_id: 'ENG',
        assignee: 'me',
        status_category: ['todo', 'done'],
        priority: ['none'],
      },
      'c',
    ],
    [
      {
        label_id: ['bug'],
        assignee: 'bob@acme.test',
        project_id: 'ENG',
        blocked: true,
        status: ['To do'],
      },
      'b',
    ],
  ]
  for (const [args, expected] of cases)
    assert.equal([...(await names(args))].sort().join(''), expected, JSON.stringify(args))
})

test('filters by words, several projects and people, exclusions and custom fields', async () => {
  const { bob, ann, carol } = workspace
  const custom = (...conditions: object[]) => ({ custom: conditions })
  const cases: [Record<string, unknown>, string][] = [
    [{ text: 'B' }, 'b'],
    [{ text: keys.c!.toLowerCase() }, 'c'],
    [{ text: `${keys.c} a` }, ''],
    [{ text: '  ' }, 'abcde'],
    [{ text: 'eng' }, 'abcd'],
    [{ text: '%' }, ''],
    [{ project_ids: ['DES'] }, 'e'],
    [{ project_ids: ['DES', 'ENG'], status_category: ['todo'] }, 'ab'],
    [{ assignees: ['me', 'bob@acme.test'] }, 'abc'],
    [{ assignees: [bob.id] }, 'bc'],
    [{ projects_not: ['DES'] }, 'abcd'],
    [{ projects_not: ['DES', 'eng'] }, ''],
    [{ assignees_not: ['me'] }, 'bde'],
    [{ assignees_not: ['me', 'bob@acme.test'] }, 'de'],
    [{ assignee: 'bob@acme.test', assignees_not: ['me'], projects_not: ['DES'] }, 'b'],
    [{ has_no_due_date: true }, 'd'],
    [{ has_no_due_date: false, project_id: 'ENG' }, 'abc'],
    [{ has_no_due_date: true, sort: 'due_at' }, 'd'],
    [{ has_no_due_date: false, sort: 'due_at' }, 'abce'],
    [{ status_not: ['done', 'Backlog'] }, 'abd'],
    [{ status_not: ['To do'], project_id: 'ENG' }, 'cd'],
    [custom({ field: 'area', is: 'valve' }), 'ab'],
    [custom({ field: 'Area', is: 'Pump' }, { field: 'Cost', above: 4 }), 'a'],
    [custom({ field: 'Area', is_not: 'Pump' }), 'bcde'],
    [custom({ field: 'Area', empty: true }), 'cde'],
    [custom({ field: 'Area', empty: false }), 'ab'],
    [custom({ field: 'Cost', above: 5 }), 'b'],
    [custom({ field: 'Cost', below: 12.5 }), 'a'],
    [custom({ field: 'Cost', is: [5, 12.5] }), 'ab'],
    [custom({ field: 'Tested', is: false }), 'b'],
    [custom({ field: 'Tested', is: true }), 'a'],
    [custom({ field: 'Seen on', below: '2026-11-03' }), 'b'],
    [custom({ field: 'Seen on', above: '2026-11-02' }), ''],
    [custom({ field: 'Buyer', is: 'bob@acme.test' }), 'c'],
    [custom({ field: 'Stage', is: 'draft' }), 'ae'],
    [custom({ field: 'Stage', is: ['Print', 'Final'] }), 'c'],
    [custom({ field: 'Stage', is_not: ['Final'] }), 'abde'],
    [custom({ field: 'Note', is: 'Ölstand' }), 'e'],
  ]
  for (const [args, expected] of cases)
    assert.equal([...(await names(args))].sort().join(''), expected, JSON.stringify(args))
  const paged = await names({ ...custom({ field: 'Stage', is: 'Draft' }), limit: 1 })
  assert.equal(paged.length, 1)
  assert.equal(await names(custom({ field: 'Stage', is: 'Draft' }), carol), 'e')
  const refusals: [Record<string, unknown>, string, RegExp][] = [
    [custom({ field: 'Size', is: 1 }), 'custom[0].field', /no project that you see/],
    [custom({ field: 'Stage', is: 'Nope' }), 'custom[0].is', /one of Draft, Final/],
    [custom({ field: 'Cost', is: 'much' }), 'custom[0].is', /a number/],
    [custom({ field: 'Stage', above: 'Draft' }), 'custom[0].above', /no order/],
    [custom({ field: 'Cost' }), 'custom[0]', /says nothing/],
    [custom({ field: 'Cost', over: 3 }), 'custom.0.over', /unknown argument/],
    [custom({ field: 'Cost', is: {} }), 'custom.0.is', /custom/],
    [{ status_not: ['Nope'], project_id: 'ENG' }, 'status_not', /has no status/],
    [{ label_id: [] }, 'label_id', /empty list/],
    [{ assignee: '' }, 'assignee', /must not be blank; leave it out/],
    [{ overdue: '' }, 'overdue', /must be true or false/],
    [{ changed_by_key: 'nobody' }, 'changed_by_key', /Key not found/],
  ]
  for (const [args, field, message] of refusals) {
    const refused = await ann.refused('list_tasks', args)
    assert.equal(refused.more.field, field, JSON.stringify(args))
    assert.match(refused.body().message, message)
  }
  const foreign = await carol.refused('list_tasks', custom({ field: 'Area', is: 'Pump' }))
  assert.equal(foreign.more.field, 'custom[0].field')
})

test('tasks changed by a key are found until the change is undone', async () => {
  const { ann, carol, clock } = workspace
  const before = new Date(clock.now()).toISOString()
  clock.pass(minute)
  const key = await workspace.key(ann, { name: 'Inbox helper' })
  const change = { task_ids: [keys.b, keys.e], changes: { points: 3 } }
  const { undo_call_id } = await ann.call('bulk_update_tasks', change, { key, via: 'mcp' })
  await ann.call('update_task', { task_id: keys.a, points: 1 })
  const cases = [
    [{ changed_by_key: 'any' }, 'be'],
    [{ changed_by_key: 'any', updated_after: before, project_id: 'ENG' }, 'b'],
    [{ changed_by_key: 'inbox helper', sort: 'title', order: 'desc' }, 'eb'],
    [{ changed_by_key: 'me' }, 'be'],
  ] as const
  for (const [args, expected] of cases)
    assert.equal(
      [...(await names(args))].sort().join(''),
      [...expected].sort().join(''),
      JSON.stringify(args),
    )
  assert.equal(await names({ changed_by_key: 'any' }, carol), 'e')
  assert.equal(
    (await carol.refused('list_tasks', { changed_by_key: 'Inbox helper' })).code,
    'not_found',
  )
  clock.pass(minute)
  const later = new Date(clock.now()).toISOString()
  await ann.call('update_task', { task_id: keys.b, points: 4 })
  assert.equal(await names({ changed_by_key: 'any', updated_after: later }), '')
  await ann.call('undo_api_call', { call_id: undo_call_id })
  assert.equal(await names({ changed_by_key: 'any', project_id: 'DES' }), '')
})

test('every sort order pages through all tasks exactly once', async () => {
  const orders: [string, string | undefined, string][] = [
    ['due_at', undefined, 'cabed'],
    ['due_at', 'desc', 'ebacd'],
    ['priority', undefined, 'adbce'],
    ['priority', 'asc', 'ecbda'],
    ['created_at', undefined, 'edcba'],
    ['created_at', 'asc', 'abcde'],
    ['title', undefined, 'abcde'],
    ['title', 'desc', 'edcba'],
    ['start_at', undefined, 'ecabd'],
    ['start_at', 'desc', 'ceabd'],
    ['status', undefined, 'eabdc'],
    ['status', 'desc', 'cdbae'],
  ]
  for (const [sort, order, expected] of orders) {
    assert.equal(await names({ sort, ...(order ? { order } : {}) }), expected, `${sort} ${order}`)
    for (const limit of [1, 2, 3])
      assert.equal(
        await paged({ sort, ...(order ? { order } : {}), limit }),
        expected,
        `${sort} ${order} by ${limit}`,
      )
    assert.equal(
      await paged({ sort, ...(order ? { order } : {}), limit: 1, project_id: 'ENG' }),
      expected.replace('e', ''),
    )
  }
  for (const order of ['asc', 'desc'])
    for (const sort of ['updated_at', 'position'])
      assert.equal(
        [...(await paged({ sort, order, limit: 2 }))].sort().join(''),
        'abcde',
        `${sort} ${order}`,
      )
})

async function paged(args: Record<string, unknown>): Promise<string> {
  let titles = ''
  for (let cursor: string | undefined, i = 0; i < 10; i++) {
    const page = await workspace.ann.call('list_tasks', { ...args, ...(cursor ? { cursor } : {}) })
    titles += page.items.map((item: { title: string }) => item.title).join('')
    assert.equal(page.has_more, page.next_cursor !== undefined)
    if (!(cursor = page.next_cursor)) break
  }
  return titles
}

test('a person sees only tasks of their own projects', async () => {
  const { bob, carol, eve } = workspace
  assert.equal([...(await names({}, bob))].sort().join(''), 'abcd')
  assert.equal(await names({}, carol), 'e')
  assert.equal(await names({}, eve), '')
  assert.equal((await carol.refused('list_tasks', { project_id: 'ENG' })).code, 'not_found')
  assert.equal((await carol.refused('list_tasks', { parent_id: keys.a })).code, 'not_found')
  assert.equal(await names({ assignee: 'bob@acme.test' }, carol), '')
  assert.equal(await names({ status: ['To do'] }, carol), '')
  assert.equal((await eve.refused('list_tasks', { assignee: workspace.bob.id })).code, 'not_found')
})

test('a caller who sees few of very many tasks gets the same pages through a different query plan', async () => {
  const { app, carol, clock } = workspace
  // the visibility hint can be up to a minute old
  await app.store.writer.run(async () =>
    app.store.write
      .updateTable('projects')
      .set({ next_task_number: 100_000 })
      .where('key', '=', 'ENG')
      .execute(),
  )
  clock.pass(2 * minute)
  for (const sort of [...sorts]) {
    for (const args of [
      {},
      { text: 'E' },
      { project_ids: ['DES'], custom: [{ field: 'Stage', is: 'Draft' }] },
      { status_category: ['backlog'] },
      { overdue: false },
      { status: ['Backlog'] },
    ])
      assert.equal(await names({ sort, ...args }, carol), 'e', sort)
    assert.equal(await names({ sort, status_category: ['done'] }, carol), '')
  }
})

test('descriptions are omitted from lists unless requested', async () => {
  const { ann } = workspace
  const [plain] = (await ann.call('list_tasks', { priority: ['high'] })).items
  assert.equal('description_markdown' in plain, false)
  const [withDescription] = (
    await ann.call('list_tasks', { priority: ['high'], fields: ['title', 'description_markdown'] })
  ).items
  assert.deepEqual(Object.keys(withDescription).sort(), ['description_markdown', 'id', 'title'])
  assert.equal(withDescription.description_markdown, 'The body.')
})

test('invalid arguments are named', async () => {
  const { ann } = workspace
  assert.match(
    (await ann.refused('list_tasks', { project_id: 'ENG', status: ['Nope'] })).body().message,
    /ENG has no status "Nope"\. Its statuses are Backlog/,
  )
  assert.equal((await ann.refused('list_tasks', { cursor: 'rubbish' })).more.field, 'cursor')
  const { next_cursor } = await ann.call('list_tasks', { limit: 1 })
  assert.equal(
    (await ann.refused('list_tasks', { limit: 1, sort: 'due_at', cursor: next_cursor })).more.field,
    'cursor',
  )
  const forged = Buffer.from(JSON.stringify(['updated_at-id-', null, null])).toString('base64url')
  assert.equal((await ann.refused('list_tasks', { cursor: forged })).more.field, 'cursor')
  assert.equal(
    (await ann.refused('list_tasks', { status_category: ['open'] })).code,
    'invalid_argument',
  )
  assert.equal((await ann.refused('list_tasks', { fields: ['nope'] })).code, 'invalid_argument')
})

test('counts respect the filters and the visibility to the caller', async () => {
  const { ann, carol } = workspace
  const count = async (args: Record<string, unknown>, who = ann) => {
    const { total, groups } = await who.call('count_tasks', args)
    return [
      total,
      Object.fromEntries(
        groups.map((group: { label: string; count: number }) => [group.label, group.count]),
      ),
    ]
  }
  assert.deepEqual(await count({ group_by: 'status_category' }), [
    5,
    { backlog: 1, todo: 2, in_progress: 1, done: 1 },
  ])
  assert.deepEqual(await count({ group_by: 'status', project_id: 'ENG' }), [
    4,
    { 'To do': 2, Done: 1, 'In review': 1 },
  ])
  assert.deepEqual(await count({ group_by: 'assignee' }), [5, { Ann: 2, Bob: 2, 'No assignee': 2 }])
  assert.deepEqual(await count({ group_by: 'label' }), [5, { Bug: 2, Rush: 1, 'No label': 3 }])
  assert.deepEqual(await count({ group_by: 'priority' }), [
    5,
    { urgent: 1, high: 1, low: 1, none: 2 },
  ])
  assert.deepEqual(await count({ group_by: 'sprint' }), [5, { One: 1, 'No sprint': 4 }])
  assert.deepEqual(await count({ group_by: 'project' }), [5, { Engineering: 4, Design: 1 }])
  assert.deepEqual(await count({ group_by: 'project' }, carol), [1, { Design: 1 }])
  assert.deepEqual(await count({ group_by: 'due_week' }), [
    5,
    { 'Week of 2026-11-16': 3, 'Week of 2026-11-30': 1, 'No due date': 1 },
  ])
  assert.deepEqual(
    await count({ group_by: 'priority', assignee: 'me', status_category: ['todo'] }),
    [1, { urgent: 1 }],
  )
  assert.deepEqual(await count({ group_by: 'priority', completed_after: '2026-11-20' }), [
    1,
    { none: 1 },
  ])
  assert.deepEqual(await count({ group_by: 'priority', created_after: '2026-11-21' }), [0, {}])
  assert.equal(
    (await carol.refused('count_tasks', { group_by: 'status', project_id: 'ENG' })).code,
    'not_found',
  )
})

test('overdue means open and past the due time', async () => {
  const { clock } = workspace
  assert.equal([...(await names({ overdue: true }))].sort().join(''), 'a')
  clock.pass(2 * dayLong)
  assert.equal([...(await names({ overdue: true }))].sort().join(''), 'ab')
})

test('blocked state is looked up by dependencies of the task, not by scanning all visible tasks', () => {
  const { app, ann } = workspace
  const from = accessScope({ all: app.store.read, actor: ann.actor, now: 1 })
  const { sql, parameters } = task
    .visibleTo(from)
    .where(isBlocked(from))
    .select('tasks.id')
    .compile()
  const plan = app.store.raw.read.prepare(`explain query plan ${sql}`).all(...parameters)
  const steps = (plan as { detail: string }[]).map(({ detail }) => detail)
  const [links, blockers] = ['SEARCH d USING', 'SEARCH b USING'].map((start) =>
    steps.findIndex((step) => step.startsWith(start)),
  )
  assert.ok(links! >= 0 && links! < blockers!, steps.join('\n'))
})
