import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Browser, givePasswords } from '../../../testing/browser.ts'
import { serveWorkspace, type ServedWorkspace } from '../../../testing/server.ts'

let served: ServedWorkspace
let ann: Browser
let bob: Browser
let eve: Browser

before(async () => {
  served = await serveWorkspace({
    settings: {
      rate_address: 0,
      limits: true,
      plans: { small: { calls_per_day: 40 } },
      default_plan: 'small',
    },
  })
  await givePasswords(served, served.ann, served.bob, served.eve)
  ann = await new Browser(served).signIn('ann@acme.test')
  bob = await new Browser(served).signIn('bob@acme.test')
  eve = await new Browser(served).signIn('eve@other.test')
  await served.ann.call('create_project', { name: 'Engine', key: 'ENG' })
  for (const title of ['Pistons', 'Valves', 'Oil'])
    await served.ann.call('create_task', { project_id: 'ENG', title })
  await served.ann.call('complete_task', { task_id: 'ENG-3' })
})
after(() => served.close())

interface LogEntry {
  tool: string
  kind: string
  status: string
  details: { arguments: Record<string, unknown>; session?: string }
}

/** Call log entries created by `work`. */
async function entriesOf(work: () => Promise<unknown>): Promise<LogEntry[]> {
  const { read } = served.app.store.raw
  const newest = read.prepare('SELECT max(seq) FROM calls').pluck().get() as number
  await work()
  const rows = read
    .prepare('SELECT tool, kind, status, details_json FROM calls WHERE seq > ? ORDER BY seq')
    .all(newest) as { details_json: string }[]
  return rows.map(({ details_json, ...row }) => ({
    ...row,
    details: JSON.parse(details_json) as LogEntry['details'],
  })) as LogEntry[]
}

const linesOf = (text: string): any[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown)

/** The tasks of a snapshot, by column name. */
function tasksIn(text: string): any[] {
  const [head, ...lines] = linesOf(text)
  assert.deepEqual(lines.pop(), { end: lines.length }, 'the snapshot is complete')
  return lines.map((line) =>
    Object.fromEntries(head.columns.map((c: string, i: number) => [c, line[i]])),
  )
}

test('a screen reads several operations at once and is one call log entry', async () => {
  const calls = [
    { operation: 'list_tasks', arguments: { project_id: 'ENG' } },
    { operation: 'get_task', arguments: { task_id: 'ENG-99' } },
    { operation: 'no_such_operation' },
    { operation: 'get_project', arguments: { project_id: 'ENG' } },
  ]
  let answer: any
  const entries = await entriesOf(async () => {
    answer = await ann.post('/web/read', { screen: 'board', calls })
  })
  assert.equal(answer.status, 200)
  const { results, since_cursor } = answer.json
  assert.deepEqual(
    results.map((result: any) => [result.status, result.problem?.code]),
    [
      [200, undefined],
      [404, 'not_found'],
      [404, 'not_found'],
      [200, undefined],
    ],
  )
  assert.equal(results[0].value.items.length, 3)
  assert.equal(results[3].value.key, 'ENG')
  await served.ann.call('update_task', { task_id: 'ENG-1', priority: 'high' })
  const changesAfter = await served.ann.call('list_changes', { since_cursor })
  assert.deepEqual(
    changesAfter.items.map((item: any) => item.item.key),
    ['ENG-1'],
    'the cursor is the moment of reading',
  )
  assert.deepEqual(
    entries.map(({ tool, kind, status }) => [tool, kind, status]),
    [['read_screen', 'read', 'ok']],
  )
  assert.deepEqual(entries[0]?.details.arguments, {
    screen: 'board',
    operations: calls.map((call) => call.operation),
  })
  assert.ok(entries[0]?.details.session)
})

test('a screen is read-only and reports invalid requests', async () => {
  const writes = await ann.post('/web/read', {
    screen: 'board',
    calls: [
      { operation: 'list_tasks' },
      { operation: 'create_label', arguments: { name: 'By a screen' } },
    ],
  })
  assert.deepEqual([writes.status, writes.json.field], [400, 'calls[1].operation'], writes.text)
  assert.deepEqual((await served.ann.call('list_labels')).items, [])
  const tooMany = { screen: 'x', calls: Array(21).fill({ operation: 'list_tasks' }) }
  assert.equal((await ann.post('/web/read', tooMany)).status, 400)
  assert.equal((await ann.post('/web/rows', { type: 'tasks', ids: ['tsk_1'] })).status, 400)
  assert.equal((await ann.get('/web/snapshot?type=label')).status, 400)
  assert.equal((await ann.get('/web/snapshot?type=task&project_id=NONE')).status, 404)
  for (const path of ['/web/read', '/web/rows'])
    assert.equal((await new Browser(served).post(path, {})).status, 401)
  assert.equal((await new Browser(served).get('/web/snapshot?type=task')).status, 401)
})

test('rows match the lists, in the requested order, with their last change', async () => {
  const { items } = await served.ann.call('list_tasks', { project_id: 'ENG', sort: 'created_at' })
  const key = await served.key(served.ann, { name: 'Inbox helper' })
  await served.ann.call('update_task', { task_id: 'ENG-2', priority: 'low' }, { key, via: 'mcp' })
  const ids = [items[1].id, 'tsk_01HZZZZZZZZZZZZZZZZZZZZZZZ', items[0].id]
  const { json } = await ann.post('/web/rows', { type: 'task', ids })
  assert.deepEqual(json.gone, [ids[1]])
  assert.deepEqual(
    json.rows.map((row: any) => row.id),
    [ids[0], ids[2]],
  )
  const now = (await served.ann.call('list_tasks', { project_id: 'ENG' })).items
  for (const { last_change, ...row } of json.rows) {
    assert.deepEqual(
      row,
      now.find((item: any) => item.id === row.id),
    )
    assert.equal(last_change.actor.title, 'Ann')
  }
  const changed = json.rows.find((row: any) => row.key === 'ENG-2').last_change
  assert.deepEqual(
    [changed.via, changed.key.title, changed.key.owner.title],
    ['mcp', 'Inbox helper', 'Ann'],
  )
  const undone = await served.ann.call('undo_api_call', { call_id: changed.call_id, dry_run: true })
  assert.equal(undone.restored[0].key, 'ENG-2')
})

test('a snapshot matches list_tasks, is one log entry, and ends with its row count', async () => {
  let text = ''
  const entries = await entriesOf(async () => {
    const got = await ann.get('/web/snapshot?type=task&project_id=ENG', {
      'accept-encoding': 'gzip',
    })
    assert.deepEqual(
      [got.status, got.headers.get('content-type'), got.headers.get('content-encoding')],
      [200, 'application/x-ndjson', 'gzip'],
    )
    text = got.text
  })
  assert.deepEqual(
    entries.map(({ tool, details }) => [tool, details.arguments]),
    [['read_snapshot', { type: 'task', project_id: 'ENG' }]],
  )
  assert.equal(linesOf(text)[0].count, 3)
  const { items } = await served.ann.call('list_tasks', {
    project_id: 'ENG',
    sort: 'created_at',
    order: 'asc',
  })
  const rows = tasksIn(text)
  assert.deepEqual(
    rows.map(({ last_change, ...row }) =>
      Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
    ),
    items,
  )
  assert.ok(rows.every((row) => row.last_change.actor.title === 'Ann'))
  const open = await ann.get('/web/snapshot?type=task&open=true')
  assert.deepEqual(
    tasksIn(open.text).map((row) => row.key),
    ['ENG-1', 'ENG-2'],
  )
})

test('none of these endpoints exposes items of others', async () => {
  const { items } = await served.ann.call('list_tasks', { project_id: 'ENG' })
  const ids = items.map((item: any) => item.id)
  for (const stranger of [bob, eve]) {
    const read = await stranger.post('/web/read', {
      screen: 'x',
      calls: [
        { operation: 'get_task', arguments: { task_id: ids[0] } },
        { operation: 'list_tasks' },
      ],
    })
    assert.deepEqual(
      read.json.results.map((result: any) => [result.status, result.value?.items]),
      [
        [404, undefined],
        [200, []],
      ],
    )
    const rows = await stranger.post('/web/rows', { type: 'task', ids })
    assert.deepEqual([rows.json.rows, rows.json.gone], [[], ids])
    assert.deepEqual(tasksIn((await stranger.get('/web/snapshot?type=task')).text), [])
    assert.equal((await stranger.get('/web/snapshot?type=task&project_id=ENG')).status, 404)
  }
})

test('reads by people do not count against the plan and continue when it is used up', async () => {
  const used = () => served.app.limits.plans.useOf(served.ann.actor.org_id, served.clock.now())
  const before = (await used()).calls_today
  await ann.post('/web/read', { screen: 'x', calls: [{ operation: 'list_tasks' }] })
  await ann.post('/web/call/list_tasks')
  await ann.get('/web/snapshot?type=task')
  assert.equal((await used()).calls_today, before)
  let last = 200
  for (let i = 0; i < 41 && last === 200; i++)
    last = (
      await ann.post('/web/call/update_task', {
        task_id: 'ENG-1',
        priority: i % 2 ? 'low' : 'high',
      })
    ).status
  assert.equal(last, 429, 'writing counts')
  assert.equal((await ann.post('/web/call/list_tasks')).status, 200)
  const read = { screen: 'x', calls: [{ operation: 'list_tasks' }] }
  assert.equal((await ann.post('/web/read', read)).json.results[0].status, 200)
  assert.equal((await ann.get('/web/snapshot?type=task')).status, 200)
})
