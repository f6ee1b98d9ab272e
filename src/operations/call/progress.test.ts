import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import { modules } from '../../modules/index.ts'
import { makeWorkspace, type TestWorkspace } from '../../testing/harness.ts'
import { call } from './index.ts'
import type { CallRequest } from './request.ts'
import { operation } from '../operation.ts'
import type { Module } from '../module.ts'
import { Progress, yieldOrCancel, type ProgressNotice } from './progress.ts'
import type { Refusal } from '../../kernel/refusal.ts'

const output = z.strictObject({ pieces: z.int() })
const silent = operation({
  name: 'get_silent',
  kind: 'read',
  rest: 'GET /api/silent',
  about: 'Says nothing',
  output,
  handle: async (_, ctx) => {
    ctx.progress(1, 2)
    return { pieces: 1 }
  },
})
const inner = operation({
  name: 'do_inner',
  kind: 'write',
  rest: 'POST /api/inner',
  about: 'A part',
  output,
  reportsProgress: true,
  handle: async (_, ctx) => {
    ctx.progress(50, 100, 'inner')
    return { pieces: 1 }
  },
})
const outer = operation({
  name: 'do_outer',
  kind: 'write',
  rest: 'POST /api/outer',
  about: 'A whole',
  output,
  reportsProgress: true,
  handle: async (_, ctx) => {
    await ctx.call('do_inner', {})
    ctx.progress(1, 3, 'outer')
    return { pieces: 3 }
  },
})
const pieces = { read: 0, gone: new AbortController() }
const slow = operation({
  name: 'get_slow',
  kind: 'read',
  rest: 'GET /api/slow',
  about: 'Takes its time',
  output,
  reportsProgress: true,
  handle: async (_, ctx) => {
    for (pieces.read = 0; pieces.read < 1000; pieces.read++) {
      await yieldOrCancel(ctx)
      if (pieces.read === 3) pieces.gone.abort()
    }
    return { pieces: pieces.read }
  },
})
const nosy = operation({
  name: 'do_nosy',
  kind: 'write',
  rest: 'POST /api/nosy',
  about: 'A write that asks',
  output,
  handle: async (_, ctx) => {
    await yieldOrCancel(ctx)
    return { pieces: 0 }
  },
})
const oddities: Module = {
  name: 'oddities',
  about: 'For the tests of progress.',
  operations: [silent, inner, outer, slow, nosy],
}

let w: TestWorkspace
before(async () => {
  w = await makeWorkspace({ modules: [...modules, oddities] })
})
after(() => w.close())

async function run(
  tool: string,
  args: Record<string, unknown> = {},
  more: Partial<CallRequest> = {},
): Promise<{ value: any; notices: ProgressNotice[] }> {
  const notices: ProgressNotice[] = []
  const { value } = await call(w.app, w.ann.actor, {
    tool,
    args,
    transport: 'mcp',
    requestId: 'r',
    route: 'test',
    ip: '',
    progress: (notice) => void notices.push(notice),
    ...more,
  })
  return { value, notices }
}

/** Returns the progress reports that are forwarded, each sent at its own time in milliseconds. */
function passedOn(...reports: [at: number, done: number, total?: number][]): ProgressNotice[] {
  const received: ProgressNotice[] = []
  let now = 0
  const progress = new Progress((notice) => void received.push(notice), {
    now: () => 0,
    monotonic: () => now,
  })
  for (const [at, done, total] of reports) {
    now = at
    progress.report(done, total, undefined)
  }
  return received
}

test('the first report is forwarded at once, then one per tenth of a second', () => {
  assert.deepEqual(
    passedOn([0, 0, 9], [1, 1, 9], [99, 2, 9], [100, 3, 9], [150, 4, 9], [200, 5, 9]).map(
      (notice) => notice.progress,
    ),
    [0, 3, 5],
  )
})

test('progress only increases, and never reports completion', () => {
  assert.deepEqual(
    passedOn([0, 5], [200, 5], [400, 4], [600, NaN], [800, 6]).map((notice) => notice.progress),
    [5, 6],
  )
  assert.deepEqual(passedOn([0, 3, 3], [200, 4, 3]), [])
  assert.deepEqual(passedOn([0, 2, 3]), [{ progress: 2, total: 3 }])
})

test('an operation that reports progress without declaring it fails in tests', async (t) => {
  t.mock.method(console, 'error', () => {})
  await assert.rejects(run('get_silent'), (error: Refusal) => error.code === 'internal')
})

test('progress of a nested operation is not forwarded', async () => {
  assert.deepEqual((await run('do_outer')).notices, [{ progress: 1, total: 3, message: 'outer' }])
})

test('a long read is aborted when its client disconnects, and the log says so', async () => {
  await assert.rejects(
    run('get_slow', {}, { signal: pieces.gone.signal }),
    (error: Refusal) => error.code === 'cancelled' && error.status === 499,
  )
  assert.ok(pieces.read <= 4)
  const row = w.app.store.raw.read
    .prepare("SELECT status, error_code FROM calls WHERE tool = 'get_slow'")
    .get()
  assert.deepEqual(row, { status: 'error', error_code: 'cancelled' })
})

test('a write in progress is not aborted', async () => {
  assert.deepEqual((await run('do_nosy', {}, { signal: AbortSignal.abort() })).value, { pieces: 0 })
})

test('long-running operations report progress', async () => {
  const project = await w.ann.call('create_project', { name: 'Progress', key: 'PRG' })
  const tasks = Array.from({ length: 20 }, (_, i) => ({ title: `Task ${i}` }))
  const creation = await run('bulk_create_tasks', { project_id: 'PRG', tasks })
  assert.deepEqual(creation.notices[0], { progress: 0, total: 20, message: 'tasks created' })
  const ids = creation.value.items.map((item: { id: string }) => item.id) as string[]
  const first = async (tool: string, args: Record<string, unknown>) =>
    (await run(tool, args)).notices[0]
  assert.deepEqual(
    await first('bulk_update_tasks', { task_ids: ids, changes: { priority: 'high' } }),
    { progress: 0, total: 20, message: 'tasks looked at' },
  )
  assert.deepEqual(
    await first('create_subtasks', { task_id: ids[0]!, subtasks: tasks.slice(0, 3) }),
    { progress: 0, total: 3, message: 'subtasks created' },
  )
  const template = await w.ann.call('create_task_template', { name: 'Tree', from_task_id: ids[0] })
  assert.deepEqual(
    await first('create_task_from_template', { template_id: template.id, project_id: 'PRG' }),
    { progress: 0, total: 4, message: 'tasks created' },
  )
  const sprint = await w.ann.call('create_sprint', {
    project_id: 'PRG',
    name: 'One',
    starts_on: '2026-11-20',
    ends_on: '2026-12-01',
  })
  assert.deepEqual(await first('add_tasks_to_sprint', { sprint_id: sprint.id, task_ids: ids }), {
    progress: 0,
    total: 20,
    message: 'tasks moved',
  })
  await w.ann.call('start_sprint', { sprint_id: sprint.id })
  assert.deepEqual(await first('complete_sprint', { sprint_id: sprint.id }), {
    progress: 0,
    total: 20,
    message: 'tasks carried over',
  })
  await w.ann.call('add_task_dependency', { task_id: ids[1]!, other_task_id: ids[2]! })
  assert.deepEqual(await first('get_task_dependencies', { task_id: ids[1]! }), {
    progress: 1,
    message: 'linked tasks found',
  })
  assert.deepEqual(await first('search_tasks', { query: 'task' }), {
    progress: 0,
    total: 2,
    message: 'searching the word index',
  })
  assert.deepEqual(await first('complete_task', { task_id: ids[0]!, complete_subtasks: true }), {
    progress: 0,
    total: 4,
    message: 'tasks completed',
  })
  const changed = await run('bulk_update_tasks', { task_ids: ids, changes: { priority: 'low' } })
  assert.deepEqual(await first('undo_api_call', { call_id: changed.value.undo_call_id }), {
    progress: 0,
    total: 20,
    message: 'changes undone',
  })
  const { status: at } = await w.ann.call('get_task', { task_id: ids[5]! })
  const done = project.statuses.find((status: { category: string }) => status.category === 'done')
    .name as string
  const statuses = [
    { name: 'Fresh', category: 'todo' },
    { name: at, category: 'in_progress' },
    { name: done, category: 'done' },
  ]
  const removed = project.statuses
    .map((status: { name: string }) => status.name)
    .filter((name: string) => name !== at && name !== done)
  const migrate = Object.fromEntries(removed.map((name: string) => [name, 'Fresh']))
  assert.deepEqual(await first('set_project_workflow', { project_id: 'PRG', statuses, migrate }), {
    progress: 0,
    message: 'tasks moved to another status',
  })
  await w.ann.call('create_project', { name: 'Elsewhere', key: 'ELS' })
  assert.deepEqual(await first('move_task', { task_id: ids[0]!, project_id: 'ELS' }), {
    progress: 0,
    total: 4,
    message: 'tasks moved',
  })
  assert.deepEqual(await first('delete_task', { task_id: ids[0]! }), {
    progress: 0,
    total: 4,
    message: 'tasks taken out of their sprints',
  })
})
