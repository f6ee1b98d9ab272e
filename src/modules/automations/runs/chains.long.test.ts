import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from '../../../testing/properties.ts'
import { hour, makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'
import { actionsPerHour, actionsPerMinute, maxCascadeDepth } from './quotas.ts'
import { runAutomations } from '../testing.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  await workspace.ann.call('create_project', { name: 'Loops', key: 'LOOP' })
})
after(() => workspace.close())

const graphCount = Number(process.env.RULE_GRAPHS ?? 12)

interface Edge {
  event: string
  action: string
}

const events: Record<string, string> = {
  task: 'task.created',
  label: 'label.created',
  update: 'task.updated',
  comment: 'task.commented',
}
const actions: Record<string, object> = {
  task: { type: 'create_task', params: { project_id: 'LOOP', title: 'loop' } },
  label: { type: 'create_label', params: { name: '{{ automation.id }} {{ now }} {{ item.id }}' } },
  update: {
    type: 'update_task',
    params: {
      task_id: 'LOOP-1',
      description_markdown: '{{ automation.id }} {{ item.id }} {{ item.updated_at }}',
    },
  },
  comment: { type: 'add_task_comment', params: { task_id: 'LOOP-1', body_markdown: 'again' } },
}

async function enable({ event, action }: Edge): Promise<string> {
  const { ann } = workspace
  const { id } = await ann.call('create_automation', {
    name: `${event} → ${action}`,
    trigger: { type: 'event', params: { event: events[event] } },
    actions: [actions[action]],
  })
  await ann.call('enable_automation', { automation_id: id })
  return id
}

const rows = <T>(sql: string, ...values: unknown[]) =>
  workspace.app.store.raw.read.prepare(sql).all(...values) as T[]

const edgeArbitrary = fc.record({
  event: fc.constantFrom(...Object.keys(events)),
  action: fc.constantFrom(...Object.keys(actions)),
})

test(`${graphCount} graphs of automations with cycles end by depth, once per item, or by quota, and show the chain`, async () => {
  const { ann, clock } = workspace
  await ann.call('create_task', { project_id: 'LOOP', title: 'one' })
  let stoppedRuns = 0
  await fc.assert(
    fc.asyncProperty(fc.array(edgeArbitrary, { minLength: 1, maxLength: 5 }), async (edges) => {
      clock.wait(2 * hour) // a fresh quota for each graph
      const start = clock.at
      const ids = []
      for (const edge of [{ event: 'task', action: 'task' }, ...edges]) ids.push(await enable(edge))
      await ann.call('create_task', { project_id: 'LOOP', title: 'spark' })
      await runAutomations(workspace)
      const runs = rows<{
        depth: number
        status: string
        root_id: string
        automation_id: string
        item_id: string
        reason: string | null
      }>(
        'SELECT depth, status, root_id, automation_id, item_id, reason FROM automation_runs WHERE created_at >= ?',
        start,
      )
      for (const item of runs.filter((run) => run.status !== 'skipped'))
        assert.ok(item.depth <= maxCascadeDepth)
      assert.ok(runs.every((run) => !['queued', 'running'].includes(run.status)))
      const executed = runs
        .filter((run) => run.status !== 'skipped')
        .map((run) => `${run.root_id} ${run.automation_id} ${run.item_id}`)
      assert.equal(
        new Set(executed).size,
        executed.length,
        'an automation ran twice on an item in one chain',
      )
      const [acted] = rows<{ n: number }>(
        'SELECT count(*) AS n FROM automation_steps WHERE acted_at >= ?',
        start,
      )
      assert.ok(acted!.n <= actionsPerHour)
      for (const id of ids)
        assert.ok(
          rows('SELECT 1 FROM automation_steps WHERE automation_id = ?', id).length <=
            actionsPerMinute,
        )
      stoppedRuns += runs.filter((run) => run.reason?.startsWith('Stopped:')).length
      const [last] = rows<{ id: string; depth: number }>(
        'SELECT id, depth FROM automation_runs WHERE created_at >= ? ORDER BY depth DESC LIMIT 1',
        start,
      )
      const lastRun = await ann.call('get_automation_run', { run_id: last!.id })
      assert.equal(lastRun.chain.length, last!.depth)
      for (const id of ids) await ann.call('delete_automation', { automation_id: id })
    }),
    { numRuns: graphCount, seed: 7, endOnFailure: true },
  )
  assert.ok(stoppedRuns > 0)
})

test('an automation that does too much within a minute is suspended, but a single busy run is only slowed down', async () => {
  const { ann, clock } = workspace
  clock.wait(2 * hour)
  const floodingId = await enable({ event: 'label', action: 'comment' })
  for (let i = 0; i < actionsPerMinute + 5; i++)
    await ann.call('create_label', { name: `flood ${i}` })
  await runAutomations(workspace)
  const suspended = await ann.call('get_automation', { automation_id: floodingId })
  assert.deepEqual(
    [suspended.status, suspended.reason],
    ['suspended', `more than ${actionsPerMinute} actions within a minute`],
  )
  assert.equal(
    rows('SELECT 1 FROM automation_steps WHERE automation_id = ?', floodingId).length,
    actionsPerMinute,
  )
  clock.wait(2 * hour)
  const long = await ann.call('create_automation', {
    name: 'long',
    trigger: { type: 'manual', params: {} },
    actions: [
      { type: 'for_each', params: { items: 'input.list', do: [actions.comment, actions.comment] } },
    ],
  })
  await ann.call('enable_automation', { automation_id: long.id })
  const run = await ann.call('run_automation', {
    automation_id: long.id,
    input: { list: Array.from({ length: 60 }, (_, i) => i) },
  })
  await runAutomations(workspace)
  assert.equal((await ann.call('get_automation_run', { run_id: run.id })).status, 'running')
  clock.wait(61_000)
  await runAutomations(workspace)
  assert.equal((await ann.call('get_automation_run', { run_id: run.id })).status, 'succeeded')
  assert.equal((await ann.call('get_automation', { automation_id: long.id })).status, 'enabled')
})
