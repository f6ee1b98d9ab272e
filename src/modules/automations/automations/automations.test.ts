import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runTick } from '../../../operations/jobs/system.ts'
import {
  dayLong,
  hour,
  makeWorkspace,
  minute,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'
import { maintainAutomations } from '../runs/maintenance.ts'
import { runAutomations } from '../testing.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob } = workspace
  await ann.call('create_project', { name: 'Engineering', key: 'ENG', member_ids: [bob.id] })
  await ann.call('create_project', { name: 'Private', key: 'PRIV' })
})
after(() => workspace.close())

const onCreated = { type: 'event', params: { event: 'task.created' } }
const comment = {
  type: 'add_task_comment',
  params: { task_id: '{{ item.id }}', body_markdown: 'Seen: {{ item.title }}' },
}

async function enabledAutomation(who: Someone, more: Record<string, unknown> = {}): Promise<any> {
  const automation = await who.call('create_automation', {
    name: 'Rule',
    trigger: onCreated,
    actions: [comment],
    ...more,
  })
  return who.call('enable_automation', { automation_id: automation.id })
}

const createTask = (who: Someone, more: Record<string, unknown> = {}) =>
  who.call('create_task', { project_id: 'ENG', title: 'A task', ...more })
const runsOf = async (who: Someone, id: string): Promise<any[]> =>
  (await who.call('list_automation_runs', { automation_id: id, limit: 100 })).items
const latestRun = async (who: Someone, id: string): Promise<any> =>
  who.call('get_automation_run', { run_id: (await runsOf(who, id))[0].id })
const commentsOf = async (id: string): Promise<string[]> =>
  (await workspace.ann.call('list_task_comments', { task_id: id })).items.map(
    (item: any) => item.body_markdown,
  )
const disable = (who: Someone, id: string) => who.call('disable_automation', { automation_id: id })

test('an automation is created disabled, receives events only once enabled, and acts as its owner via automation', async () => {
  const { ann, bob } = workspace
  const automation = await ann.call('create_automation', {
    name: 'Comment',
    trigger: onCreated,
    conditions: [{ expression: 'item.priority == "urgent"' }],
    actions: [comment],
  })
  assert.deepEqual(
    [automation.status, automation.outbound, automation.shared, automation.run_counts],
    ['disabled', false, false, { succeeded: 0, failed: 0, skipped: 0 }],
  )
  await createTask(bob, { priority: 'urgent' })
  await runAutomations(workspace)
  assert.equal(
    (await ann.call('enable_automation', { automation_id: automation.id })).status,
    'enabled',
  )
  await runAutomations(workspace)
  assert.deepEqual(await runsOf(ann, automation.id), [])
  const urgent = await createTask(bob, { priority: 'urgent', title: 'Fire' })
  const calm = await createTask(bob)
  await runAutomations(workspace)
  assert.deepEqual(await commentsOf(urgent.id), ['Seen: Fire'])
  assert.deepEqual(await commentsOf(calm.id), [])
  const runs = await runsOf(ann, automation.id)
  assert.deepEqual(
    runs.map((run) => [run.status, run.trigger_item.id]),
    [
      ['skipped', calm.id],
      ['succeeded', urgent.id],
    ],
  )
  const fullRun = await ann.call('get_automation_run', { run_id: runs[1].id })
  assert.deepEqual(
    fullRun.steps.map((step: any) => [
      step.path,
      step.action,
      step.status,
      step.attempts,
      step.input.task_id,
    ]),
    [['0', 'add_task_comment', 'succeeded', 1, urgent.id]],
  )
  assert.deepEqual(
    fullRun.changed_items.map((changedItem: any) => changedItem.id),
    [urgent.id],
  )
  const detail = await ann.call('get_automation', { automation_id: automation.id })
  assert.deepEqual(
    [detail.run_counts, runs.some((run) => run.id === detail.last_run.id)],
    [{ succeeded: 1, failed: 0, skipped: 1 }, true],
  )
  const activity = (await bob.call('list_activity', { item_id: urgent.id, via: 'automation' }))
    .items
  assert.deepEqual(
    activity.map((item: any) => [item.actor.id, item.automation]),
    [[ann.id, undefined]],
    'only its owner sees which automation it was',
  )
  assert.equal(
    (await ann.call('list_activity', { item_id: urgent.id, via: 'automation' })).items[0].automation
      .title,
    'Comment',
  )
  await disable(ann, automation.id)
})

test('an automation receives only events visible to its owner, and none once disabled', async () => {
  const { ann, bob, carol } = workspace
  const bobsAutomation = await enabledAutomation(bob)
  const carolsAutomation = await enabledAutomation(carol)
  await ann.call('create_task', { project_id: 'PRIV', title: 'Secret' })
  await createTask(ann)
  await runAutomations(workspace)
  assert.equal((await runsOf(bob, bobsAutomation.id)).length, 1)
  assert.equal((await runsOf(carol, carolsAutomation.id)).length, 0)
  assert.equal((await disable(bob, bobsAutomation.id)).status, 'disabled')
  await createTask(ann)
  await runAutomations(workspace)
  assert.equal((await runsOf(bob, bobsAutomation.id)).length, 1)
  await disable(carol, carolsAutomation.id)
})

test('a functional change disables it while a rename does not; stale revisions and unknown names are refused', async () => {
  const { ann } = workspace
  const { id, revision } = await enabledAutomation(ann)
  const changed = await ann.call('update_automation', {
    automation_id: id,
    conditions: [{ expression: 'true' }],
  })
  assert.deepEqual(
    [changed.status, changed.reason],
    ['disabled', 'it was changed; enable it again'],
  )
  assert.equal(
    (
      await ann.refused('update_automation', {
        automation_id: id,
        name: 'x',
        expected_revision: revision,
      })
    ).code,
    'conflict',
  )
  const refusedField = async (more: Record<string, unknown>) =>
    (await ann.refused('update_automation', { automation_id: id, ...more })).more.field
  assert.equal(
    await refusedField({ trigger: { type: 'event', params: { event: 'task.exploded' } } }),
    'trigger.params.event',
  )
  assert.equal(
    await refusedField({ trigger: { type: 'schedule', params: { cron: 'now' } } }),
    'trigger.params.cron',
  )
  assert.equal(
    await refusedField({
      trigger: { type: 'event', params: { event: 'task.*', filter: { project_ids: ['NOPE'] } } },
    }),
    'trigger.params.filter.project_ids[0]',
  )
  assert.equal(
    await refusedField({ conditions: [{ expression: '1 +' }] }),
    'conditions.0.expression',
  )
  assert.equal(
    await refusedField({ conditions: [{ expression: 'secrets.key == 1' }] }),
    'conditions.0.expression',
  )
  assert.equal(await refusedField({ actions: [{ type: 'fly', params: {} }] }), 'actions.0.type')
  for (const type of ['create_automation', 'undo_api_call', 'restore_item'])
    assert.equal(await refusedField({ actions: [{ type, params: {} }] }), 'actions.0.type', type)
  assert.equal(
    await refusedField({ actions: [{ type: 'create_task', params: { title: 'x' } }] }),
    'actions.0.params.project_id',
  )
  assert.equal(
    await refusedField({
      actions: [
        { type: 'create_task', params: { project_id: 'ENG', title: 'x', idempotency_key: 'y' } },
      ],
    }),
    'actions.0.params.idempotency_key',
  )
  assert.equal(
    await refusedField({
      actions: [{ type: 'create_task', params: { project_id: 'ENG', title: '{{ item.' } }],
    }),
    'actions.0.params.title',
  )
  assert.equal(
    await refusedField({
      actions: [{ type: 'branch', params: { if: 'true', then: [{ type: 'wait', params: {} }] } }],
    }),
    'actions.0.params.then.0.params',
  )
  assert.equal(
    await refusedField({ actions: [{ type: 'wait', params: { days: 31 } }] }),
    'actions.0.params',
  )
})

test('branches, lists, waits and stops execute in plan order, and results reach later steps', async () => {
  const { ann, clock } = workspace
  const { id } = await enabledAutomation(ann, {
    trigger: { type: 'manual', params: {} },
    actions: [
      {
        type: 'create_task',
        id: 'parent',
        params: { project_id: 'ENG', title: '{{ input.title }}' },
      },
      {
        type: 'for_each',
        params: {
          items: 'input.names',
          do: [
            {
              type: 'branch',
              params: {
                if: 'each.startsWith("a")',
                then: [
                  {
                    type: 'create_task',
                    params: {
                      project_id: 'ENG',
                      title: '{{ index }} {{ each }}',
                      parent_id: '{{ steps.parent.id }}',
                    },
                  },
                ],
              },
            },
          ],
        },
      },
      { type: 'wait', params: { hours: 2 } },
      {
        type: 'branch',
        params: {
          if: 'steps.parent.title == "Big"',
          then: [{ type: 'stop', params: { reason: 'big enough' } }],
        },
      },
      { type: 'delete_task', params: { task_id: '{{ steps.parent.id }}' } },
    ],
  })
  const queued = await ann.call('run_automation', {
    automation_id: id,
    input: { title: 'Big', names: ['ada', 'bob', 'alan'] },
  })
  assert.equal(queued.status, 'queued')
  await runAutomations(workspace)
  const waiting = await latestRun(ann, id)
  assert.deepEqual([waiting.status, waiting.steps.at(-1).status], ['running', 'waiting'])
  assert.equal(waiting.resumes_at, new Date(clock.at + 2 * hour).toISOString())
  clock.pass(2 * hour)
  await runAutomations(workspace)
  const done = await latestRun(ann, id)
  assert.deepEqual([done.status, done.reason], ['succeeded', 'big enough'])
  assert.deepEqual(
    done.steps.map((step: any) => `${step.path} ${step.action}`),
    [
      '0 create_task',
      '1 for_each',
      '1.0.0 branch',
      '1.0.0.then.0 create_task',
      '1.1.0 branch',
      '1.2.0 branch',
      '1.2.0.then.0 create_task',
      '2 wait',
      '3 branch',
      '3.then.0 stop',
    ],
  )
  assert.deepEqual(
    done.changed_items.map((changedItem: any) => changedItem.title),
    ['Big', '0 ada', '2 alan'],
  )
})

test('a failing action stops or continues the run as configured; an unknown name in a template fails it', async () => {
  const { ann } = workspace
  const bad = { type: 'update_task', params: { task_id: 'ENG-99999', title: 'x' } }
  const { id } = await enabledAutomation(ann, {
    trigger: { type: 'manual', params: {} },
    actions: [
      { ...bad, on_error: 'continue' },
      { type: 'create_task', params: { project_id: 'ENG', title: '{{ input.nothing }}' } },
      { type: 'list_tasks', params: {} },
    ],
  })
  await ann.call('run_automation', { automation_id: id })
  await runAutomations(workspace)
  const run = await latestRun(ann, id)
  assert.equal(run.status, 'failed')
  assert.deepEqual(
    run.steps.map((step: any) => [step.status, step.error?.code]),
    [
      ['failed', 'not_found'],
      ['failed', 'invalid_argument'],
    ],
  )
  assert.match(run.reason, /^Action 1 \(create_task\): params\.title: undefined variable/)
  assert.deepEqual(
    (await ann.call('list_notifications', { kind: ['automation'] })).items[0].text,
    'A run of this automation failed',
  )
})

test('five consecutive failures suspend it with a notification, and enabling it resets the count', async () => {
  const { ann, clock } = workspace
  const { id } = await enabledAutomation(ann, {
    trigger: { type: 'manual', params: {} },
    actions: [{ type: 'complete_task', params: { task_id: 'ENG-99999' } }],
  })
  for (let i = 0; i < 5; i++) {
    await ann.call('run_automation', { automation_id: id })
    await runAutomations(workspace)
    clock.pass(minute)
  }
  const suspended = await ann.call('get_automation', { automation_id: id })
  assert.deepEqual(
    [suspended.status, suspended.reason, suspended.run_counts.failed],
    ['suspended', '5 runs in a row failed', 5],
  )
  assert.equal((await ann.refused('run_automation', { automation_id: id })).code, 'conflict')
  assert.equal(
    (await ann.call('list_notifications', { kind: ['automation'] })).items[0].text,
    'This automation was suspended: 5 runs in a row failed',
  )
  const events = (await ann.call('list_activity', { item_id: id, kind: ['automation.suspended'] }))
    .items
  assert.equal(events.length, 1)
  assert.deepEqual(
    (await ann.call('list_automations', { failing: true })).items
      .map((item: any) => item.id)
      .includes(id),
    true,
  )
  assert.equal((await ann.call('enable_automation', { automation_id: id })).status, 'enabled')
  await ann.call('run_automation', { automation_id: id })
  await runAutomations(workspace)
  assert.equal((await ann.call('get_automation', { automation_id: id })).status, 'enabled')
})

test('an action that fails with a conflict is retried with backoff, then the run fails', async () => {
  const { ann, clock } = workspace
  const createdTask = await createTask(ann)
  const { id } = await enabledAutomation(ann, {
    trigger: { type: 'manual', params: {} },
    actions: [
      {
        type: 'update_task',
        params: { task_id: createdTask.id, title: 'New', expected_revision: 99 },
      },
    ],
  })
  await ann.call('run_automation', { automation_id: id })
  for (let i = 0; i < 4; i++) {
    await runAutomations(workspace)
    clock.pass(10 * minute)
  }
  const run = await latestRun(ann, id)
  assert.deepEqual(
    [run.status, run.steps[0].attempts, run.steps[0].error.code],
    ['failed', 3, 'conflict'],
  )
})

test('a schedule fires on time in its time zone, once for all missed times, and pauses with its automation', async () => {
  const { ann, clock } = workspace
  const { id, trigger } = await enabledAutomation(ann, {
    trigger: { type: 'schedule', params: { cron: '0 9 * * *' } },
    actions: [{ type: 'create_task', params: { project_id: 'ENG', title: 'Morning {{ now }}' } }],
  })
  assert.equal(trigger.params.timezone, 'Europe/Berlin')
  clock.at = Date.UTC(2026, 11, 1, 7, 59)
  await runAutomations(workspace)
  clock.at = Date.UTC(2026, 11, 3, 8, 1)
  await runAutomations(workspace)
  const runs = (await runsOf(ann, id)).map((run) => run.status)
  assert.deepEqual(runs, ['succeeded', 'succeeded'])
  const disabling = await ann.call('disable_automation', { automation_id: id, reason: 'holidays' })
  assert.equal(disabling.reason, 'holidays')
  clock.pass(3 * dayLong)
  await runAutomations(workspace)
  assert.equal((await runsOf(ann, id)).length, 2)
  const call_id = workspace.app.store.raw.read
    .prepare("SELECT id FROM calls WHERE tool = 'disable_automation' ORDER BY seq DESC LIMIT 1")
    .pluck()
    .get() as string
  assert.equal((await ann.call('undo_api_call', { call_id })).undone, true)
  await runTick(workspace.app, maintainAutomations)
  clock.pass(dayLong)
  await runAutomations(workspace)
  assert.equal((await runsOf(ann, id)).length, 3)
  await disable(ann, id)
})

test('changes made by an automation are undone call by call; its own creation, change and deletion are undone as a whole', async () => {
  const { ann } = workspace
  const undo = async () => {
    const call_id = workspace.app.store.raw.read
      .prepare('SELECT id FROM calls WHERE actor_id = ? AND changed = 1 ORDER BY seq DESC LIMIT 1')
      .pluck()
      .get(ann.id) as string
    return ann.call('undo_api_call', { call_id })
  }
  const automation = await ann.call('create_automation', {
    name: 'Undone',
    trigger: onCreated,
    actions: [comment],
  })
  await ann.call('update_automation', {
    automation_id: automation.id,
    name: 'Renamed',
    actions: [{ ...comment, on_error: 'continue' }],
  })
  assert.equal((await undo()).undone, true)
  const restored = await ann.call('get_automation', { automation_id: automation.id })
  assert.deepEqual([restored.name, restored.actions[0].on_error], ['Undone', 'stop'])
  await ann.call('delete_automation', { automation_id: automation.id })
  assert.equal(
    (await ann.refused('get_automation', { automation_id: automation.id })).code,
    'not_found',
  )
  assert.equal((await undo()).undone, true)
  assert.equal(
    (await ann.call('get_automation', { automation_id: automation.id })).status,
    'disabled',
  )
  const { id } = await enabledAutomation(ann, {
    trigger: { type: 'manual', params: {} },
    actions: [{ type: 'create_task', params: { project_id: 'ENG', title: 'To undo' } }],
  })
  await ann.call('run_automation', { automation_id: id })
  await runAutomations(workspace)
  const [undoneTask] = (await latestRun(ann, id)).changed_items
  assert.equal((await undo()).undone, true)
  assert.equal((await ann.refused('get_task', { task_id: undoneTask.id })).code, 'not_found')
})

test('a deleted automation keeps its history for its owner; a shared one shows others its runs without hidden items', async () => {
  const { ann, bob, carol, eve } = workspace
  const eng = await ann.call('get_project', { project_id: 'ENG' })
  const { id } = await enabledAutomation(ann, {
    project_id: eng.id,
    shared: true,
    trigger: { type: 'manual', params: {} },
    actions: [{ type: 'create_task', params: { project_id: 'PRIV', title: 'hidden thing' } }],
  })
  await ann.call('run_automation', { automation_id: id })
  await runAutomations(workspace)
  const ownRun = await latestRun(ann, id)
  assert.equal(ownRun.changed_items.length, 1)
  const runSeenByBob = await bob.call('get_automation_run', { run_id: ownRun.id })
  assert.deepEqual(
    [
      runSeenByBob.status,
      runSeenByBob.changed_items,
      runSeenByBob.steps[0].input,
      runSeenByBob.steps[0].output,
    ],
    ['succeeded', [], {}, undefined],
  )
  assert.equal(JSON.stringify(runSeenByBob).includes('hidden thing'), false)
  assert.equal(
    (await bob.refused('run_automation', { automation_id: id })).code,
    'permission_denied',
  )
  assert.equal(
    (await bob.refused('enable_automation', { automation_id: id })).code,
    'permission_denied',
  )
  for (const stranger of [carol, eve]) {
    assert.equal(
      (await stranger.refused('get_automation', { automation_id: id })).code,
      'not_found',
    )
    assert.equal(
      (await stranger.refused('get_automation_run', { run_id: ownRun.id })).code,
      'not_found',
    )
    assert.deepEqual(
      (await stranger.call('list_automation_runs')).items.filter(
        (item: any) => item.id === ownRun.id,
      ),
      [],
    )
  }
  await ann.call('delete_automation', { automation_id: id })
  assert.equal(
    (await ann.call('get_automation_run', { run_id: ownRun.id })).automation.title,
    'Rule',
  )
  assert.equal((await bob.refused('get_automation_run', { run_id: ownRun.id })).code, 'not_found')
})

test('losing access to an item hides it in the history', async () => {
  const { ann, bob } = workspace
  const { id } = await enabledAutomation(bob, {
    trigger: { type: 'manual', params: {} },
    actions: [{ type: 'create_task', params: { project_id: 'ENG', title: 'Soon out of sight' } }],
  })
  await bob.call('run_automation', { automation_id: id })
  await runAutomations(workspace)
  assert.equal((await latestRun(bob, id)).steps[0].output.title, 'Soon out of sight')
  await ann.call('remove_project_member', { project_id: 'ENG', person_id: bob.id })
  const runAfterRemoval = await latestRun(bob, id)
  assert.deepEqual(
    [
      runAfterRemoval.changed_items,
      runAfterRemoval.steps[0].input,
      runAfterRemoval.steps[0].output,
    ],
    [[], {}, undefined],
  )
  assert.equal(JSON.stringify(runAfterRemoval).includes('Soon out of sight'), false)
  await ann.call('add_project_member', { project_id: 'ENG', person_id: bob.id })
})

test('a run whose job was lost is resumed, and one whose job is dead fails', async () => {
  const { ann, app, clock } = workspace
  const { id } = await enabledAutomation(ann, {
    trigger: { type: 'manual', params: {} },
    actions: [{ type: 'list_tasks', params: {} }],
  })
  for (const [sql, result] of [
    ["DELETE FROM jobs WHERE state = 'waiting' AND kind = 'continue_automation'", 'succeeded'],
    [
      "UPDATE jobs SET state = 'dead', finished_at = 1 WHERE state = 'waiting' AND kind = 'continue_automation'",
      'failed',
    ],
  ] as const) {
    const run = await ann.call('run_automation', { automation_id: id })
    app.store.raw.write.exec(sql)
    clock.pass(2 * minute)
    await runTick(app, maintainAutomations)
    await runAutomations(workspace)
    assert.equal((await ann.call('get_automation_run', { run_id: run.id })).status, result)
  }
})

test('lists are filtered by state, trigger and words, and paged', async () => {
  const { ann } = workspace
  const ids = new Set<string>()
  for (let cursor: string | undefined, pages = 0; pages < 20; pages++) {
    const page = await ann.call('list_automations', { limit: 3, ...(cursor ? { cursor } : {}) })
    for (const item of page.items) ids.add(item.id)
    if (!page.has_more) break
    cursor = page.next_cursor
  }
  const all = (await ann.call('list_automations', { limit: 100 })).items
  assert.equal(ids.size, all.length)
  const listAutomations = async (filter: object) =>
    (await ann.call('list_automations', { limit: 100, ...filter })).items
  assert.ok(
    (await listAutomations({ trigger: 'schedule' })).every(
      (item: any) => item.trigger.type === 'schedule',
    ),
  )
  assert.ok((await listAutomations({ trigger: 'task.created' })).length > 0)
  assert.ok(
    (await listAutomations({ enabled: true })).every((item: any) => item.status === 'enabled'),
  )
  assert.deepEqual(
    (await listAutomations({ query: 'undone' })).map((item: any) => item.name),
    ['Undone'],
  )
  assert.ok(
    (await ann.call('list_automation_runs', { status: ['failed'], limit: 100 })).items.every(
      (item: any) => item.status === 'failed',
    ),
  )
})
