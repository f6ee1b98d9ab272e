import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runTicks } from '../../jobs/scheduler.ts'
import { Queue } from '../../jobs/queue.ts'
import { recordClient } from '../../jobs/key-clients.ts'
import {
  dayLong,
  hour,
  makeWorkspace,
  type Someone,
  type TestWorkspace,
} from '../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob, carol } = workspace
  await ann.call('create_project', { name: 'Launch', key: 'LAU', member_ids: [bob.id, carol.id] })
})
after(() => workspace.close())

/** Notifications that a person received since the last call. */
async function newNotifications(who: Someone): Promise<[kind: string, text: string][]> {
  workspace.clock.pass(1)
  const { items } = await who.call('list_notifications', { unread: true, limit: 100 })
  await who.call('mark_notifications_read', { all: true })
  workspace.clock.pass(1)
  return items.map((item: { kind: string; text: string }) => [item.kind, item.text])
}

async function clear(): Promise<void> {
  for (const who of [workspace.ann, workspace.bob, workspace.carol]) await newNotifications(who)
}

test('a person who is added to a project or made its lead is notified', async () => {
  const { ann, bob } = workspace
  assert.deepEqual(await newNotifications(bob), [['invite', 'Ann added you to LAU']])
  await ann.call('add_project_member', { project_id: 'LAU', person_id: bob.id, role: 'lead' })
  assert.deepEqual(await newNotifications(bob), [['assignment', 'Ann made you the lead of LAU']])
  await bob.call('add_project_member', { project_id: 'LAU', person_id: ann.id, role: 'lead' })
  await clear()
})

test('an assignment notifies new assignees, but not the person who assigns', async () => {
  const { ann, bob, carol } = workspace
  await ann.call('create_task', { project_id: 'LAU', title: 'One', assignee_ids: [ann.id, bob.id] })
  assert.deepEqual(await newNotifications(bob), [['assignment', 'Ann assigned LAU-1 to you']])
  await ann.call('assign_task', { task_id: 'LAU-1', assignee_ids: [bob.id, carol.id] })
  assert.deepEqual(
    [await newNotifications(bob), await newNotifications(carol), await newNotifications(ann)],
    [[], [['assignment', 'Ann assigned LAU-1 to you']], []],
  )
})

test('a comment notifies mentioned people of a mention and other concerned people of a comment', async () => {
  const { ann, bob, carol } = workspace
  const comment = await bob.call('add_task_comment', {
    task_id: 'LAU-1',
    body_markdown: '@Carol see this',
  })
  assert.deepEqual(
    [await newNotifications(ann), await newNotifications(bob), await newNotifications(carol)],
    [
      [['comment', 'Bob commented on LAU-1']],
      [],
      [['mention', 'Bob mentioned you in a comment on LAU-1']],
    ],
  )
  await bob.call('update_task_comment', {
    task_id: 'LAU-1',
    comment_id: comment.id,
    body_markdown: '@Carol and @Ann see this',
  })
  assert.deepEqual(
    [await newNotifications(ann), await newNotifications(carol)],
    [[['mention', 'Bob mentioned you in a comment on LAU-1']], []],
  )
})

test('a refused call or a dry run notifies no one', async () => {
  const { ann, bob } = workspace
  await ann.refused('create_task', {
    project_id: 'LAU',
    title: 'x',
    assignee_ids: [bob.id],
    status: 'no such status',
  })
  await ann.call('bulk_update_tasks', {
    task_ids: ['LAU-1'],
    changes: { assignee_ids: [ann.id, bob.id] },
    dry_run: true,
  })
  assert.deepEqual(await newNotifications(bob), [])
})

test('assignees of a blocked task are notified when the blocking task is done', async () => {
  const { ann, bob } = workspace
  await ann.call('create_task', { project_id: 'LAU', title: 'Two', assignee_ids: [bob.id] })
  await ann.call('add_task_dependency', { task_id: 'LAU-2', other_task_id: 'LAU-1' })
  await clear()
  await ann.call('complete_task', { task_id: 'LAU-1' })
  assert.deepEqual(await newNotifications(bob), [['assignment', 'LAU-2 is no longer blocked']])
})

test('assignees are notified once of an approaching date and once when it has passed; a new date notifies again', async () => {
  const { ann, bob, clock } = workspace
  await ann.call('update_task', {
    task_id: 'LAU-2',
    due_at: new Date(clock.now() + 3 * dayLong).toISOString(),
  })
  await clear()
  await runTicks(workspace.app)
  assert.deepEqual(await newNotifications(bob), [])
  clock.pass(2 * dayLong + hour)
  await runTicks(workspace.app)
  await runTicks(workspace.app)
  assert.deepEqual(await newNotifications(bob), [['due', 'LAU-2 is due within a day']])
  clock.pass(dayLong)
  await runTicks(workspace.app)
  await runTicks(workspace.app)
  assert.deepEqual(await newNotifications(bob), [['due', 'LAU-2 is overdue']])
  await ann.call('update_task', {
    task_id: 'LAU-2',
    due_at: new Date(clock.now() + hour).toISOString(),
  })
  await runTicks(workspace.app)
  assert.deepEqual(await newNotifications(bob), [['due', 'LAU-2 is due within a day']])
})

test('a task created less than a day before its due date triggers no due reminder', async () => {
  const { bob, ann, clock } = workspace
  await ann.call('create_task', {
    project_id: 'LAU',
    title: 'Now',
    assignee_ids: [bob.id],
    due_at: new Date(clock.now() + 5 * hour).toISOString(),
  })
  await clear()
  await runTicks(workspace.app)
  assert.deepEqual(await newNotifications(bob), [])
})

test('the owner of a key is notified of its creation and of the first use by each client, regardless of version', async () => {
  const { bob, app, clock } = workspace
  const key = await workspace.key(bob, { name: 'laptop' })
  for (const client of ['claude-code/2.1', 'claude-code/2.2', 'cursor/1.0'])
    await app.store.writer.run(() => recordClient(app.store.write, clock.now(), key.id, client))
  const received = await newNotifications(bob)
  assert.deepEqual(received.reverse(), [
    ['security', 'A key "laptop" was created for you'],
    ['security', 'Your key "laptop" was used by claude-code for the first time'],
    ['security', 'Your key "laptop" was used by cursor for the first time'],
  ])
})

test('a call that waits for approval notifies the owner of the key', async () => {
  const { carol } = workspace
  const key = await workspace.key(carol, { name: 'careful', hold_outbound: true })
  await clear()
  await assert.rejects(
    carol.call(
      'create_webhook',
      { url: 'https://93.184.216.34/', events: ['task.created'] },
      { via: 'mcp', key },
    ),
    { code: 'approval_required' },
  )
  assert.deepEqual(await newNotifications(carol), [
    ['security', 'A call of create_webhook by your key "careful" needs your approval'],
  ])
})

test('abuse findings notify the owner of the key and administrators', async () => {
  const { ann, bob, app } = workspace
  const key = await workspace.key(bob, { name: 'wild' })
  await clear()
  app.limits.findings.raise({
    rule: 'mass-delete',
    key: { id: key.id, org_id: bob.actor.org_id, owner_id: bob.id },
    detail: { deletions: 101 },
  })
  app.limits.findings.raise({
    rule: 'plan-warning',
    org: bob.actor.org_id,
    subject: '2026-11',
    detail: { used: 8, limit: 10 },
  })
  await app.store.writer.run(async () => undefined)
  assert.deepEqual(await newNotifications(bob), [
    ['security', 'Your key "wild" was about to delete a lot; it may only read (mass-delete)'],
  ])
  assert.deepEqual((await newNotifications(ann)).reverse(), [
    ['security', 'The key "wild" of Bob was about to delete a lot; it may only read (mass-delete)'],
    ['security', '80 % of the calls your plan allows this month are used'],
  ])
  assert.deepEqual(await newNotifications(workspace.carol), [])
})

test('a webhook paused because of failures notifies its owner', async () => {
  const { ann, app, clock } = workspace
  const webhook = await ann.call('create_webhook', {
    url: 'https://93.184.216.34/',
    events: ['task.created'],
  })
  await clear()
  const { write, writer } = app.store
  await writer.run(
    async () =>
      void (await write
        .updateTable('webhooks')
        .set({ failing_since_at: clock.now() - 6 * dayLong })
        .where('id', '=', webhook.id)
        .execute()),
  )
  const appWithFailingTarget = {
    ...app,
    outbound: Object.assign(Object.create(app.outbound) as typeof app.outbound, {
      request: async () => ({ status: 500, headers: {}, body: Buffer.alloc(0) }),
    }),
  }
  await ann.call('create_task', { project_id: 'LAU', title: 'told' })
  await runTicks(app)
  await new Queue(appWithFailingTarget).drain()
  assert.deepEqual(await newNotifications(ann), [
    ['automation', 'This webhook was paused: its address has not answered for days'],
  ])
})
