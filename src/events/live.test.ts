import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { revokeKey } from '../keys/issue.ts'
import { modules } from '../modules/index.ts'
import { dayLong, makeWorkspace, type Someone, type TestWorkspace } from '../testing/harness.ts'
import { call } from '../operations/call/index.ts'
import type { LiveChange, Listener } from './live.ts'
import { Refusal } from '../kernel/refusal.ts'
import { openApp } from '../start.ts'
import { untilTrue } from '../testing/limits.ts'

let workspace: TestWorkspace
let task: { id: string; key: string }
const unsubscribers: (() => void)[] = []

before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob } = workspace
  await ann.call('create_project', { name: 'Engine', key: 'ENG', member_ids: [bob.id] })
  task = await ann.call('create_task', { project_id: 'ENG', title: 'Oil the valves' })
})
beforeEach(() => unsubscribers.splice(0).forEach((end) => end()))
after(() => workspace.close())

/** Follows the workspace for someone; the returned list fills as changes are reported. */
async function follow(who: Someone, options: Partial<Listener> = {}): Promise<LiveChange[]> {
  const received: LiveChange[] = []
  unsubscribers.push(
    await workspace.app.live.subscribe({
      actor: who.actor,
      onChange: (change) => received.push(change),
      ...options,
    }),
  )
  return received
}

const rename = (title: string, who = workspace.ann) =>
  who.call('update_task', { task_id: task.id, title })
const untilIdle = () => untilTrue(() => workspace.app.live.isIdle, 'Changes are still reported')
const summaries = (received: readonly LiveChange[]) =>
  received.map((liveChange) => `${liveChange.op} ${liveChange.item.type}`)

test('a change is delivered after its commit, in order, to everyone who can see the item', async () => {
  const { ann, bob, carol, eve } = workspace
  const received = await Promise.all([ann, bob, carol, eve].map((who) => follow(who)))
  await Promise.all([
    rename('one'),
    rename('two'),
    ann.call('add_task_comment', { task_id: task.id, body_markdown: 'x' }),
  ])
  await untilIdle()
  assert.deepEqual(received.map(summaries), [
    Array(3).fill('updated task'),
    Array(3).fill('updated task'),
    [],
    [],
  ])
  const [first, second] = received[1]!
  assert.ok(first!.seq < second!.seq)
  assert.deepEqual(
    { ...first, seq: 0 },
    {
      seq: 0,
      at: workspace.clock.now(),
      op: 'updated',
      events: ['task.updated'],
      item: { type: 'task', id: task.id },
      project_id: first!.project_id,
      for_person_id: null,
      actor_id: ann.id,
      via: 'web',
    },
  )
})

test('nothing from before the subscription is delivered, and nothing after its end', async () => {
  const { ann } = workspace
  const earlierChanges = await follow(ann)
  void rename('before')
  await rename('three')
  const received = await follow(ann)
  await untilIdle()
  assert.deepEqual([earlierChanges.length, received.length], [2, 0])
  unsubscribers.pop()!()
  await rename('four')
  await untilIdle()
  assert.deepEqual([earlierChanges.length, received.length], [3, 0])
})

test('a subscriber to certain items or types is notified of only those', async () => {
  const { ann } = workspace
  const other = await ann.call('create_task', { project_id: 'ENG', title: 'Other' })
  const [ofItem, ofType, wanted] = [
    await follow(ann, { items: [task.id] }),
    await follow(ann, { types: ['label'] }),
    await follow(ann, { wants: (liveChange) => liveChange.events.includes('task.completed') }),
  ]
  await ann.call('update_task', { task_id: other.id, title: 'Another' })
  await rename('five')
  await ann.call('create_label', { name: 'urgent' })
  await ann.call('complete_task', { task_id: other.id })
  await untilIdle()
  assert.deepEqual(
    [summaries(ofItem), summaries(ofType), wanted.map((liveChange) => liveChange.item.id)],
    [['updated task'], ['created label'], [other.id]],
  )
})

test('reads, dry runs and refused writes are not delivered', async () => {
  const { ann } = workspace
  const received = await follow(ann)
  await ann.call('get_task', { task_id: task.id })
  await ann.call('bulk_update_tasks', {
    task_ids: [task.id],
    changes: { priority: 'low' },
    dry_run: true,
  })
  await ann.refused('update_task', { task_id: task.id, status: 'nonsense' })
  await untilIdle()
  assert.deepEqual(received, [])
})

test('losing access to an item is announced, and nothing more about it follows', async () => {
  const { ann, bob } = workspace
  const received = await follow(bob)
  await ann.call('remove_project_member', { project_id: 'ENG', person_id: bob.id })
  await rename('secret')
  await untilIdle()
  assert.deepEqual(summaries(received), ['access_lost project'])
  await ann.call('add_project_member', { project_id: 'ENG', person_id: bob.id })
  await untilIdle()
  assert.ok(summaries(received).includes('access_gained project'))
})

test('moving to the trash is announced; changes inside it are not', async () => {
  const { ann } = workspace
  const trashedTask = await ann.call('create_task', { project_id: 'ENG', title: 'Gone' })
  const received = await follow(ann, { items: [trashedTask.id] })
  await ann.call('update_task', { task_id: trashedTask.id, title: 'Going' })
  await ann.call('delete_task', { task_id: trashedTask.id })
  await untilIdle()
  assert.deepEqual(summaries(received), ['updated task', 'deleted task'])
  await ann.call('restore_item', { item_id: trashedTask.id })
  await untilIdle()
  assert.deepEqual(summaries(received), ['updated task', 'deleted task', 'restored task'])
})

test('a failing listener does not affect the others', async () => {
  const { ann, app } = workspace
  const errors: unknown[] = []
  const { error } = app.log
  app.log.error = (message, more) => void errors.push([message, more])
  try {
    await follow(ann, {
      onChange: () => {
        throw new Error('no')
      },
    })
    const received = await follow(ann)
    await rename('six')
    await untilIdle()
    assert.deepEqual([received.length, errors.length], [1, 1])
  } finally {
    app.log.error = error
  }
})

test('changes written by another process are delivered too', async () => {
  const { app, ann, clock } = workspace
  const other = await openApp({
    settings: app.settings,
    clock,
    modules,
    log: app.log,
    role: 'command',
  })
  try {
    const received = await follow(ann, { items: [task.id] })
    await call(other, ann.actor, {
      tool: 'update_task',
      args: { task_id: task.id, title: 'From elsewhere' },
      transport: 'cli',
      requestId: 'x',
      route: 'test',
      ip: '',
    })
    await untilTrue(() => received.length > 0, 'nothing was told')
    assert.deepEqual(summaries(received), ['updated task'])
  } finally {
    await other.store.close()
  }
})

test('a key receives changes while it is valid, and none after its owner is deactivated', async () => {
  const { app, ann, bob, clock } = workspace
  const dave = await workspace.person('Dave')
  await ann.call('add_project_member', { project_id: 'ENG', person_id: dave.id })
  const keys = [await workspace.key(bob), await workspace.key(bob), await workspace.key(dave)]
  const received = await Promise.all(
    keys.map((key, i) => {
      const who = i < 2 ? bob : dave
      return follow(who, { items: [task.id], actor: { ...who.actor, key } })
    }),
  )
  await rename('seven')
  await untilIdle()
  await revokeKey(app.store, clock, workspace.dataDir, { key: keys[0]!.id })
  app.store.raw.write.prepare("UPDATE users SET status = 'deactivated' WHERE id = ?").run(dave.id)
  await rename('eight')
  await untilIdle()
  assert.deepEqual(
    received.map((item) => item.length),
    [1, 2, 1],
  )
})

test('streams end within seconds of their key being revoked or expiring; others stay open', async () => {
  const { app, ann, clock } = workspace
  const [good, revoked, expiring] = [
    await workspace.key(ann),
    await workspace.key(ann),
    await workspace.key(ann),
  ]
  app.store.raw.write
    .prepare('UPDATE api_keys SET expires_at = ? WHERE id = ?')
    .run(clock.now() + dayLong, expiring.id)
  const ended: string[] = []
  const unregisters = [good, revoked, expiring].map((key) =>
    app.live.registerStream({ ...ann.actor, key }, () => void ended.push(key.id)),
  )
  unregisters.push(
    app.live.registerStream({ ...ann.actor, key: revoked }, () => void ended.push('a second one')),
  )
  app.store.raw.write.prepare('UPDATE api_keys SET revoked_at = 1 WHERE id = ?').run(revoked.id)
  clock.pass(2 * dayLong)
  await untilTrue(
    () => ended.length >= 3,
    () => `only ${ended.join()} ended`,
  )
  clock.pass(-2 * dayLong)
  assert.deepEqual(ended.sort(), [revoked.id, expiring.id, 'a second one'].sort())
  unregisters.forEach((off) => off())
})

test('open streams are limited per key', async () => {
  const { app, ann } = workspace
  const [firstActor, secondActor] = [
    { ...ann.actor, key: await workspace.key(ann) },
    { ...ann.actor, key: await workspace.key(ann) },
  ]
  const end = () => {}
  const offs = Array.from({ length: app.settings.mcp_streams_per_key }, () =>
    app.live.registerStream(firstActor, end),
  )
  assert.throws(
    () => app.live.registerStream(firstActor, end),
    (error: unknown) => error instanceof Refusal && error.code === 'rate_limited',
  )
  offs.push(app.live.registerStream(secondActor, end))
  offs[0]!()
  offs[0]!()
  app.live.registerStream(firstActor, end)()
  offs.forEach((off) => off())
})
