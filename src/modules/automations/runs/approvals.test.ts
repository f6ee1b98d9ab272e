import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { requireApproval, denyApproval, listApprovals } from '../../../operations/approvals/list.ts'
import { releaseApproval } from '../../../operations/approvals/release.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { runPiece, runTick } from '../../../operations/jobs/system.ts'
import { setStatus } from '../../../identity/people.ts'
import { revokeKey } from '../../../keys/issue.ts'
import {
  dayLong,
  makeWorkspace,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'
import { addRun, findAutomation } from './access.ts'
import { continueRun } from './continuations.ts'
import { maintainAutomations } from './maintenance.ts'
import { runAutomations } from '../testing.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  await workspace.ann.call('create_project', {
    name: 'Engineering',
    key: 'ENG',
    member_ids: [workspace.bob.id],
  })
})
after(() => workspace.close())

const sendingAction = {
  type: 'create_webhook',
  params: { url: 'https://93.184.216.34/in', events: ['task.created'] },
}
const manual = { type: 'manual', params: {} }
const taskAction = { type: 'create_task', params: { project_id: 'ENG', title: 'Made' } }

const createAutomation = (who: Someone, actions: unknown[], more: object = {}, key?: object) =>
  who.call('create_automation', { name: 'Rule', trigger: manual, actions, ...more }, key as never)
const newestRun = async (who: Someone, id: string): Promise<any> => {
  const [run] = (await who.call('list_automation_runs', { automation_id: id })).items
  return who.call('get_automation_run', { run_id: run.id })
}

async function refusalCodeOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

async function pendingApproval(): Promise<any> {
  const { store, clock } = workspace.app
  return (await listApprovals(store, clock.now(), { pending: true, limit: 10 }))[0]
}

const release = async (id: string) =>
  releaseApproval(workspace.app, await requireApproval(workspace.app.store, id), {
    transport: 'cli',
    requestId: randomUUID(),
    route: 'test',
    ip: '',
  })

/** Starts a run triggered by people outside, such as a form response. */
async function triggerExternally(id: string): Promise<void> {
  await runPiece(workspace.app, 'test', async (system) => {
    const automation = await findAutomation(system, id)
    await continueRun(
      system,
      (await addRun(system.all, system.now, automation!, {
        type: 'event',
        event: 'form_response.created',
        held: true,
      }))!,
    )
  })
}

test('outbound actions are flagged, and a key with hold_outbound cannot enable them without approval', async () => {
  const { ann } = workspace
  const holdingKey = await workspace.key(ann, { hold_outbound: true })
  const automation = await createAutomation(
    ann,
    [sendingAction],
    {},
    { via: 'mcp', key: holdingKey },
  )
  assert.equal(automation.outbound, true)
  const enable = (id: string) =>
    ann.call('enable_automation', { automation_id: id }, { via: 'mcp', key: holdingKey })
  assert.equal(await refusalCodeOf(enable(automation.id)), 'approval_required')
  assert.equal(
    (await ann.call('get_automation', { automation_id: automation.id })).status,
    'disabled',
  )
  await release((await pendingApproval()).id)
  assert.equal(
    (await ann.call('get_automation', { automation_id: automation.id })).status,
    'enabled',
  )
  const harmless = await createAutomation(ann, [taskAction], {}, { via: 'mcp', key: holdingKey })
  assert.equal(await refusalCodeOf(enable(harmless.id)), undefined)
  const { deleted } = {
    deleted: await ann.call('delete_automation', { automation_id: automation.id }),
  }
  assert.equal(
    await refusalCodeOf(
      ann.call('undo_api_call', { call_id: deleted.undo_call_id }, { via: 'mcp', key: holdingKey }),
    ),
    'approval_required',
  )
})

test('outbound steps of a run by a holding key wait one by one: an approved one continues with its result, a denied one fails', async () => {
  const { ann, bob } = workspace
  const holdingKey = await workspace.key(bob, { hold_outbound: true })
  const automation = await createAutomation(bob, [
    { ...sendingAction, id: 'hook' },
    { type: 'create_task', params: { project_id: 'ENG', title: 'After {{ steps.hook.name }}' } },
  ])
  await bob.call('enable_automation', { automation_id: automation.id })
  const run = () =>
    bob.call('run_automation', { automation_id: automation.id }, { via: 'mcp', key: holdingKey })
  await run()
  await runAutomations(workspace)
  const waiting = await newestRun(bob, automation.id)
  const approval = await pendingApproval()
  assert.deepEqual(
    [waiting.status, waiting.steps[0].status, waiting.steps[0].approval_id],
    ['running', 'waiting', approval.id],
  )
  assert.equal((await bob.call('list_webhooks')).items.length, 0)
  await release(approval.id)
  await runAutomations(workspace)
  const done = await newestRun(bob, automation.id)
  assert.deepEqual(
    [done.status, done.steps.map((step: any) => step.status)],
    ['succeeded', ['succeeded', 'succeeded']],
  )
  assert.equal(done.steps[0].output.secret, undefined)
  assert.ok(
    done.changed_items.some((changedItem: any) => changedItem.title === 'After 93.184.216.34'),
  )
  assert.equal((await bob.call('list_webhooks')).items.length, 1)
  await run()
  await runAutomations(workspace)
  await denyApproval(workspace.app, (await pendingApproval()).id, { by: bob.id, via: 'cli' })
  await runAutomations(workspace)
  const denied = await newestRun(bob, automation.id)
  assert.deepEqual(
    [denied.status, denied.steps.map((step: any) => [step.status, step.error?.code])],
    ['failed', [['failed', 'permission_denied']]],
  )
  await run()
  await runAutomations(workspace)
  workspace.clock.pass(8 * dayLong)
  await runAutomations(workspace)
  assert.match((await newestRun(bob, automation.id)).reason, /in time/)
  assert.equal((await bob.call('list_webhooks')).items.length, 1)
  assert.equal(ann.id === bob.id, false)
})

test('runs triggered by outsiders, and runs that follow from them, send nothing without approval by the owner, even without a key', async () => {
  const { ann } = workspace
  const first = await createAutomation(ann, [taskAction])
  const second = await createAutomation(
    ann,
    [{ ...sendingAction, params: { ...sendingAction.params, url: 'https://93.184.216.34/chain' } }],
    { trigger: { type: 'event', params: { event: 'task.created' } } },
  )
  for (const { id } of [first, second]) await ann.call('enable_automation', { automation_id: id })
  await triggerExternally(first.id)
  await runAutomations(workspace)
  assert.equal((await newestRun(ann, first.id)).status, 'succeeded')
  const waiting = await newestRun(ann, second.id)
  assert.deepEqual(
    [
      waiting.held,
      waiting.steps[0].status,
      waiting.depth,
      waiting.chain.map((item: any) => item.automation.id),
    ],
    [true, 'waiting', 1, [first.id]],
  )
  const approval = await pendingApproval()
  assert.deepEqual(
    [approval.key_id, approval.owner_id, approval.asked_via],
    [null, ann.id, 'automation'],
  )
  await release(approval.id)
  await runAutomations(workspace)
  const done = await newestRun(ann, second.id)
  assert.deepEqual(
    [done.status, done.changed_items.map((changedItem: any) => changedItem.type)],
    ['succeeded', ['webhook']],
  )
  for (const { id } of [first, second]) await ann.call('disable_automation', { automation_id: id })
})

test('a key cannot create, enable or run anything that it could not do itself', async () => {
  const { ann } = workspace
  const narrow = await workspace.key(ann, { toolsets: ['automations', 'labels', 'tasks:ro'] })
  const as = { via: 'mcp' as const, key: narrow }
  const refused = (work: Promise<unknown>) => refusalCodeOf(work)
  assert.equal(await refused(createAutomation(ann, [taskAction], {}, as)), 'permission_denied')
  assert.equal(
    await refused(
      createAutomation(
        ann,
        [{ type: 'branch', params: { if: 'true', then: [taskAction] } }],
        {},
        as,
      ),
    ),
    'permission_denied',
  )
  const automation = await createAutomation(
    ann,
    [
      { type: 'create_label', params: { name: 'by key' } },
      { type: 'list_tasks', params: {} },
    ],
    {},
    as,
  )
  const full = await createAutomation(ann, [taskAction])
  assert.equal(
    await refused(ann.call('enable_automation', { automation_id: full.id }, as)),
    'permission_denied',
  )
  await ann.call('enable_automation', { automation_id: full.id })
  assert.equal(
    await refused(ann.call('run_automation', { automation_id: full.id }, as)),
    'permission_denied',
  )
  assert.equal(
    await refused(
      ann.call('update_automation', { automation_id: automation.id, actions: [taskAction] }, as),
    ),
    'permission_denied',
  )
  await ann.call('enable_automation', { automation_id: automation.id }, as)
})

test('an automation enabled by a key acts within the limits of that key and is suspended when the key ends', async () => {
  const { ann, app, clock, dataDir } = workspace
  const key = await workspace.key(ann, {})
  const automation = await createAutomation(ann, [taskAction], {
    trigger: { type: 'event', params: { event: 'label.created' } },
  })
  await ann.call('enable_automation', { automation_id: automation.id }, { via: 'mcp', key })
  await ann.call('create_label', { name: 'first' })
  await runAutomations(workspace)
  const [change] = app.store.raw.read
    .prepare(
      "SELECT key_id, run_id FROM changes WHERE via = 'automation' AND op = 'created' AND item_type = 'task' ORDER BY seq DESC LIMIT 1",
    )
    .all() as { key_id: string; run_id: string }[]
  assert.equal(change!.key_id, key.id)
  assert.match(change!.run_id, /^run_/)
  await revokeKey(app.store, clock, dataDir, { key: key.id })
  await ann.call('create_label', { name: 'second' })
  await runAutomations(workspace)
  await runTick(app, maintainAutomations)
  const ended = await ann.call('get_automation', { automation_id: automation.id })
  assert.deepEqual(
    [ended.status, ended.reason, ended.run_counts.succeeded],
    ['suspended', 'the key that enabled it was revoked or has expired', 1],
  )
  assert.equal(
    (await ann.call('enable_automation', { automation_id: automation.id })).status,
    'enabled',
  )
  await ann.call('create_label', { name: 'third' })
  await runAutomations(workspace)
  assert.equal((await newestRun(ann, automation.id)).status, 'succeeded')
})

test('a deactivated owner is not replaced: the automation is suspended, and pending steps end', async () => {
  const { ann, app, clock } = workspace
  const dora = await workspace.person('Dora')
  const automation = await createAutomation(dora, [
    { type: 'wait', params: { hours: 1 } },
    { type: 'create_label', params: { name: 'never' } },
  ])
  await dora.call('enable_automation', { automation_id: automation.id })
  const run = await dora.call('run_automation', { automation_id: automation.id })
  await runAutomations(workspace)
  const row = app.store.raw.read.prepare('SELECT * FROM users WHERE id = ?').get(dora.id)
  await setStatus(app.store, clock, row as never, 'deactivated')
  clock.pass(dayLong)
  await runAutomations(workspace)
  await runTick(app, maintainAutomations)
  await runAutomations(workspace)
  const ended = app.store.raw.read
    .prepare('SELECT status, reason FROM automations WHERE id = ?')
    .get(automation.id)
  assert.deepEqual(ended, { status: 'suspended', reason: 'its owner was deactivated' })
  assert.equal(
    app.store.raw.read
      .prepare('SELECT status FROM automation_runs WHERE id = ?')
      .pluck()
      .get(run.id),
    'failed',
  )
  assert.deepEqual((await ann.call('list_labels', { query: 'never' })).items, [])
})

test('a definition written by a key runs within the limits of that key, even when re-enabled by an undo', async () => {
  const { bob, app } = workspace
  const key = await workspace.key(bob, {})
  const { id } = await createAutomation(bob, [taskAction])
  await bob.call('enable_automation', { automation_id: id })
  const stopped = await bob.call('disable_automation', { automation_id: id }, { key })
  assert.equal(stopped.status, 'disabled')
  const call = app.store.raw.read
    .prepare("SELECT id FROM calls WHERE tool = 'disable_automation' ORDER BY seq DESC LIMIT 1")
    .pluck()
    .get()
  await bob.call(
    'update_automation',
    { automation_id: id, actions: [{ type: 'create_label', params: { name: 'by key' } }] },
    { key },
  )
  await bob.call('undo_api_call', { call_id: call }, { key })
  assert.deepEqual(
    app.store.raw.read.prepare('SELECT status, key_id FROM automations WHERE id = ?').get(id),
    { status: 'enabled', key_id: key.id },
  )
})
