import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { operation } from '../operations/operation.ts'
import type { Module } from '../operations/module.ts'
import type { Tick } from '../operations/jobs/tick.ts'
import { issueKey } from '../keys/issue.ts'
import { requirePerson, setStatus } from '../identity/people.ts'
import { label } from '../modules/labels/access.ts'
import { modules } from '../modules/index.ts'
import { asPerson } from '../operations/jobs/system.ts'
import { dayLong, hour, makeWorkspace, minute, type TestWorkspace } from '../testing/harness.ts'
import { verifyCalls } from '../audit/verify.ts'
import { recordKeyUses, runTicks, startTicks } from './scheduler.ts'

async function setUp(t: TestContext, ticks: Tick[] = []): Promise<TestWorkspace> {
  const ticking: Module = {
    name: 'ticking',
    about: 'For this test.',
    operations: [] as ReturnType<typeof operation>[],
    ticks,
  }
  const workspace = await makeWorkspace({
    modules: [...modules.map((module) => ({ ...module, ticks: [] })), ticking],
  })
  t.after(() => workspace.close())
  return workspace
}

const count = (workspace: TestWorkspace, table: string, where = '1 = 1') =>
  workspace.app.store.raw.read.prepare(`SELECT count(*) FROM ${table} WHERE ${where}`).pluck().get()

test('items in the trash beyond the retention period are erased, with their search text and images', async (t) => {
  const workspace = await setUp(t)
  const { ann } = workspace
  const old = await ann.call('create_label', { name: 'Old' })
  const young = await ann.call('create_label', { name: 'Young' })
  const live = await ann.call('create_label', { name: 'Live' })
  await ann.call('delete_label', { label_id: old.id })
  workspace.clock.pass(hour)
  await ann.call('delete_label', { label_id: young.id })
  workspace.clock.pass(30 * dayLong - minute)
  await runTicks(workspace.app)
  const left = workspace.app.store.raw.read
    .prepare('SELECT id FROM labels ORDER BY id')
    .pluck()
    .all()
  assert.deepEqual(left, [young.id, live.id])
  assert.equal(count(workspace, 'changes', `item_id = '${old.id}' AND images_json IS NOT NULL`), 0)
  assert.ok(
    Number(count(workspace, 'changes', `item_id = '${young.id}' AND images_json IS NOT NULL`)) > 0,
  )
})

test('the trash is kept if the setting says so', async (t) => {
  const workspace = await setUp(t)
  const { id } = await workspace.ann.call('create_label', { name: 'Old' })
  await workspace.ann.call('delete_label', { label_id: id })
  workspace.clock.pass(365 * dayLong)
  await runTicks({ ...workspace.app, settings: { ...workspace.app.settings, trash_purge: false } })
  assert.equal(count(workspace, 'labels'), 1)
})

/** A project in the trash with many tasks, inserted directly: a year's worth of use. */
function trashedProject({ app, ann, clock }: TestWorkspace, tasks: number): void {
  const { write } = app.store.raw
  const [org, who, now] = [ann.actor.org_id, ann.id, clock.now()]
  const insertRow = (table: string, values: Record<string, unknown>) => {
    const all: Record<string, unknown> = { org_id: org, ...values }
    write
      .prepare(
        `INSERT INTO ${table} (${Object.keys(all).join(', ')}) VALUES (${Object.keys(all)
          .map(() => '?')
          .join(', ')})`,
      )
      .run(...Object.values(all))
  }
  const stamped = {
    revision: 1,
    created_at: now,
    updated_at: now,
    created_by: who,
    created_via: 'web',
  }
  const trashColumns = { deleted_at: now, deleted_by: who, deleted_with: 'prj_x' }
  insertRow('projects', {
    id: 'prj_x',
    key: 'X',
    name: 'X',
    status: 'active',
    next_task_number: 1,
    ...stamped,
    ...trashColumns,
  })
  insertRow('statuses', {
    id: 'sta_x',
    project_id: 'prj_x',
    name: 'Todo',
    category: 'todo',
    color: '#000000',
    position: 0,
  })
  insertRow('sprints', {
    id: 'spr_x',
    project_id: 'prj_x',
    name: 'S',
    starts_on: '2026-01-01',
    ends_on: '2026-01-14',
    status: 'planned',
    ...stamped,
  })
  for (let i = 0; i < tasks; i++) {
    const id = `tsk_${i}`
    const parent = i % 10 === 0 ? null : `tsk_${i - (i % 10)}`
    insertRow('tasks', {
      id,
      project_id: 'prj_x',
      key: `X-${i}`,
      title: `Canary ${i}`,
      status_id: 'sta_x',
      status_category: 'todo',
      priority: 'none',
      priority_rank: 4,
      custom_fields_json: '{}',
      position: 'a',
      parent_id: parent,
      sprint_id: 'spr_x',
      ...stamped,
      ...trashColumns,
    })
    insertRow('task_comments', {
      id: `cmt_${i}`,
      task_id: id,
      body_markdown: 'Canary',
      mentions_json: '[]',
      ...stamped,
    })
    for (const ref of [id, `cmt_${i}`]) {
      const rowid = Number(
        write.prepare('SELECT coalesce(max(rowid_), 0) + 1 FROM search_docs').pluck().get(),
      )
      insertRow('search_docs', {
        rowid_: rowid,
        ref,
        item_type: 'task',
        item_id: id,
        part: ref === id ? 'item' : 'comment',
        container: 'prj_x',
        title: 'Canary',
        body: '',
        at: now,
      })
      write
        .prepare('INSERT INTO search_fts (rowid, title, body, acl) VALUES (?, ?, ?, ?)')
        .run(rowid, 'Canary', '', 'cprjx')
    }
  }
}

test('a large project is erased entirely, in chunks that hold the writer only briefly', async (t) => {
  const workspace = await setUp(t)
  trashedProject(workspace, 400)
  workspace.clock.pass(31 * dayLong)
  const { counts } = workspace.app.store.writer
  const before = counts.batches
  await runTicks(workspace.app)
  for (const table of ['projects', 'tasks', 'task_comments', 'statuses', 'sprints', 'search_docs'])
    assert.equal(count(workspace, table), 0, table)
  assert.equal(count(workspace, 'search_fts', "search_fts MATCH 'canary'"), 0)
  assert.ok(counts.batches - before > 10, `${counts.batches - before} batches`)
})

test('an item still referenced is skipped, and the others are erased', async (t) => {
  const workspace = await setUp(t)
  const { write } = workspace.app.store.raw
  const { id: stuck } = await workspace.ann.call('create_label', { name: 'Stuck' })
  const { id: other } = await workspace.ann.call('create_label', { name: 'Other' })
  for (const label_id of [stuck, other]) await workspace.ann.call('delete_label', { label_id })
  write.exec(
    `CREATE TRIGGER needed BEFORE DELETE ON labels WHEN old.id = '${stuck}' BEGIN SELECT raise(ABORT, 'still needed'); END`,
  )
  workspace.clock.pass(31 * dayLong)
  const warnings: unknown[] = []
  await runTicks({
    ...workspace.app,
    log: { ...workspace.app.log, warn: (...line) => warnings.push(line) },
  })
  assert.equal(count(workspace, 'labels', `id = '${other}'`), 0)
  assert.equal(count(workspace, 'labels', `id = '${stuck}'`), 1)
  assert.equal(warnings.length, 1)
})

test('first responses of idempotency keys are forgotten after 24 hours', async (t) => {
  const workspace = await setUp(t)
  await workspace.ann.call('create_label', { name: 'One' }, { idempotencyKey: 'k1' })
  workspace.clock.pass(24 * hour - minute)
  await workspace.ann.call('create_label', { name: 'Two' }, { idempotencyKey: 'k2' })
  workspace.clock.pass(minute)
  await runTicks(workspace.app)
  assert.deepEqual(
    workspace.app.store.raw.read.prepare('SELECT idempotency_key FROM replays').pluck().all(),
    ['k2'],
  )
})

test('a tick runs until nothing is left, and its changes and log entry are attributed to a person', async (t) => {
  let left = 3
  const ran: string[] = []
  const tick: Tick = {
    name: 'make_labels',
    async run(system) {
      const ann = await system.all
        .selectFrom('users')
        .select('id')
        .where('display_name', '=', 'Ann')
        .executeTakeFirstOrThrow()
      await system.as(ann.id, async (ctx) => {
        await ctx.add('labels', { name: `Made ${left}`, color: '#000000' })
        ctx.afterCommit(async () => void ran.push(`after ${left}`))
      })
      return --left > 0
    },
  }
  const workspace = await setUp(t, [tick])
  await runTicks(workspace.app)
  const { items } = await workspace.ann.call('list_labels')
  assert.deepEqual(
    items.map((item: { name: string; created_via: string }) => [item.name, item.created_via]),
    [
      ['Made 1', 'automation'],
      ['Made 2', 'automation'],
      ['Made 3', 'automation'],
    ],
  )
  const changes = workspace.app.store.raw.read
    .prepare(
      'SELECT c.tool, c.transport, c.kind, c.changed, h.via, h.op FROM calls c JOIN changes h ON h.call_id = c.id',
    )
    .all()
  assert.deepEqual(
    changes,
    Array(3).fill({
      tool: 'make_labels',
      transport: 'automation',
      kind: 'write',
      changed: 1,
      via: 'automation',
      op: 'created',
    }),
  )
  assert.equal(ran.length, 3)
  for (const chain of await verifyCalls(workspace.app.store.read))
    assert.equal(chain.broken, undefined)
})

test('a failure on behalf of a person is rolled back, while the other work of the tick is kept', async (t) => {
  const tick: Tick = {
    name: 'half',
    async run(system) {
      const { id } = await system.all
        .selectFrom('users')
        .select('id')
        .where('display_name', '=', 'Ann')
        .executeTakeFirstOrThrow()
      await system.as(id, (ctx) => ctx.add('labels', { name: 'Good', color: '#000000' }))
      const failed = system.as(id, async (ctx) => {
        await ctx.add('labels', { name: 'Bad', color: '#000000' })
        throw new Error('no')
      })
      await assert.rejects(failed, /no/)
      return false
    },
  }
  const workspace = await setUp(t, [tick])
  await runTicks(workspace.app)
  assert.deepEqual(
    (await workspace.ann.call('list_labels')).items.map((item: { name: string }) => item.name),
    ['Good'],
  )
  assert.equal(count(workspace, 'calls', "tool = 'half'"), 1)
})

test('a failing tick is logged and leaves no changes; the others run', async (t) => {
  const errors: unknown[] = []
  let ran = false
  const bad: Tick = { name: 'bad', run: () => Promise.reject(new Error('broken')) }
  const good: Tick = { name: 'good', run: async () => !(ran = true) }
  const workspace = await setUp(t, [bad, good])
  await runTicks({
    ...workspace.app,
    log: { ...workspace.app.log, error: (_, more) => errors.push(more?.what) },
  })
  assert.deepEqual([errors, ran], [['bad'], true])
})

test('an active administrator replaces a deactivated person; without one it is refused', async (t) => {
  const workspace = await setUp(t)
  const { app, clock, ann, bob, eve } = workspace
  const actingPersonId = (id: string) => asPerson(app, id, 'test', async (ctx) => ctx.actor.id)
  await setStatus(app.store, clock, await requirePerson(app.store, bob.id), 'deactivated')
  assert.deepEqual([await actingPersonId(ann.id), await actingPersonId(bob.id)], [ann.id, ann.id])
  app.store.raw.write.prepare("UPDATE users SET status = 'deactivated' WHERE id = ?").run(eve.id) // directly in the database: setStatus would refuse, since she is the only administrator
  await assert.rejects(actingPersonId(eve.id), { code: 'permission_denied' })
})

test('code acting on behalf of a person sees only what that person may see', async (t) => {
  const workspace = await setUp(t)
  await workspace.eve.call('create_label', { name: 'Theirs' })
  const seen = await asPerson(workspace.app, workspace.ann.id, 'look', (ctx) =>
    label.visibleTo(ctx).selectAll('labels').execute(),
  )
  assert.deepEqual(seen, [])
  assert.equal(count(workspace, 'calls', "tool = 'look'"), 0, 'nothing changed, nothing to log')
})

test('key usage is written periodically, outside the requests', async (t) => {
  const { app, clock, ann } = await setUp(t)
  const { id, key } = await issueKey(app.store, clock, { owner: ann.id, name: 'x', via: 'web' })
  const use = () =>
    app.keys.authenticate(`Bearer ${key}`, 'api', { ip: '10.0.0.1', client: 'curl' })
  const storedUse = () =>
    app.store.raw.read
      .prepare('SELECT last_used_at, last_ip, last_client FROM api_keys WHERE id = ?')
      .get(id)
  await use()
  assert.deepEqual(storedUse(), { last_used_at: null, last_ip: null, last_client: null })
  await recordKeyUses(app)
  const first = { last_used_at: clock.now(), last_ip: '10.0.0.1', last_client: 'curl' }
  assert.deepEqual(storedUse(), first)
  clock.pass(minute / 2)
  await use()
  await recordKeyUses(app)
  assert.deepEqual(storedUse(), first)
})

test('stopping waits for work in progress and writes the last key usage', async (t) => {
  const { app, clock, ann } = await setUp(t)
  const { id, key } = await issueKey(app.store, clock, { owner: ann.id, name: 'x', via: 'web' })
  const stop = startTicks(app)
  await app.keys.authenticate(`Bearer ${key}`, 'api', { ip: '::1' })
  await pause(1)
  await stop()
  assert.ok(
    app.store.raw.read.prepare('SELECT last_used_at FROM api_keys WHERE id = ?').pluck().get(id),
  )
})

test('a key unused for a year expires; one in use does not', async () => {
  const workspace = await makeWorkspace()
  const { app, ann, clock } = workspace
  const idle = await issueKey(app.store, clock, { owner: ann.id, name: 'forgotten', via: 'cli' })
  const used = await issueKey(app.store, clock, { owner: ann.id, name: 'in use', via: 'cli' })
  const authenticate = (key: string) =>
    app.keys.authenticate(`Bearer ${key}`, 'api', { ip: '127.0.0.1' })
  clock.pass(200 * dayLong)
  await authenticate(used.key)
  await recordKeyUses(app)
  clock.pass(200 * dayLong)
  await runTicks({ ...app, settings: { ...app.settings, key_idle_days: 0 } })
  await runTicks(app)
  await assert.rejects(authenticate(idle.key), /valid API key/)
  assert.equal((await authenticate(used.key)).id, ann.id)
  const states = (await ann.call('list_api_keys')).items.map(
    (key: { name: string; status: string }) => [key.name, key.status],
  )
  assert.deepEqual(Object.fromEntries(states), { forgotten: 'expired', 'in use': 'active' })
  await workspace.close()
})
