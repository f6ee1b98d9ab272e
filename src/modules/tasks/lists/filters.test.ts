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
  const tasks: [string, Record<string, unknown>, Someone?][] = [
    [
      'a',
      {
        title: 'a',
        due_at: '2026-11-19',
        priority: 'urgent',
        label_ids: ['Bug', 'Rush'],
        assignee_ids: ['me'],
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
      },
      bob,
    ],
    ['c', { title: 'c', status: 'Done', due_at: '2026-11-18', assignee_ids: [bob.id, ann.id] }],
    ['d', { title: 'd', status: 'In review', priority: 'high', description_markdown: 'The body.' }],
    ['e', { title: 'e', project_id: 'DES', status: 'Backlog', due_at: '2026-11-30' }],
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

test('each filter narrows by itself', async () => {
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
        label_id: [],
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

test('every order pages through all tasks once, nothing twice', async () => {
  const orders: [string, string | undefined, string][] = [
    ['due_at', undefined, 'cabed'],
    ['due_at', 'desc', 'ebacd'],
    ['priority', undefined, 'adbce'],
    ['priority', 'asc', 'ecbda'],
    ['created_at', undefined, 'edcba'],
    ['created_at', 'asc', 'abcde'],
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
  let found = ''
  for (let cursor: string | undefined, i = 0; i < 10; i++) {
    const page = await workspace.ann.call('list_tasks', { ...args, ...(cursor ? { cursor } : {}) })
    found += page.items.map((item: { title: string }) => item.title).join('')
    assert.equal(page.has_more, page.next_cursor !== undefined)
    if (!(cursor = page.next_cursor)) break
  }
  return found
}

test('a person sees the tasks of their projects only, whoever else is in the organization', async () => {
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

test('someone with few of very many tasks gets the same pages by another way', async () => {
  const { app, carol, clock } = workspace
  // the hint of who sees how much is a minute old at most
  await app.store.writer.run(async () =>
    app.store.write
      .updateTable('projects')
      .set({ next_task_number: 100_000 })
      .where('key', '=', 'ENG')
      .execute(),
  )
  clock.pass(2 * minute)
  for (const sort of ['updated_at', 'created_at', 'due_at', 'priority', 'position']) {
    for (const args of [
      {},
      { status_category: ['backlog'] },
      { overdue: false },
      { status: ['Backlog'] },
      { label_id: [] },
    ])
      assert.equal(await names({ sort, ...args }, carol), 'e', sort)
    assert.equal(await names({ sort, status_category: ['done'] }, carol), '')
  }
})

test('descriptions are left out of lists unless they are asked for', async () => {
  const { ann } = workspace
  const [plain] = (await ann.call('list_tasks', { priority: ['high'] })).items
  assert.equal('description_markdown' in plain, false)
  const [asked] = (
    await ann.call('list_tasks', { priority: ['high'], fields: ['title', 'description_markdown'] })
  ).items
  assert.deepEqual(Object.keys(asked).sort(), ['description_markdown', 'id', 'title'])
  assert.equal(asked.description_markdown, 'The body.')
})

test('what is wrong is named', async () => {
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

test('counts follow the filters and what the caller sees', async () => {
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

test('overdue means open and past the moment it is due', async () => {
  const { clock } = workspace
  assert.equal([...(await names({ overdue: true }))].sort().join(''), 'a')
  clock.pass(2 * dayLong)
  assert.equal([...(await names({ overdue: true }))].sort().join(''), 'ab')
})

test('whether a task is blocked is looked up by its own dependencies, not by all tasks in sight', () => {
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
