import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { iso } from '../../../kernel/time/times.ts'
import {
  dayLong,
  hour,
  makeWorkspace,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'

let workspace: TestWorkspace
let ann: Someone, bob: Someone
let project_id: string
before(async () => {
  workspace = await makeWorkspace()
  ;({ ann, bob } = workspace)
})
beforeEach(async () => {
  workspace.clock.at = Date.UTC(2026, 10, 20, 12)
  project_id = (await ann.call('create_project', { name: 'Sum', member_ids: [bob.id] })).id
})
after(() => workspace.close())

/** A task, optionally blocked by another. */
async function createTask(
  title: string,
  {
    due_at,
    blocker_id,
    ...more
  }: { due_at?: number; blocker_id?: string; status?: string; assignee_ids?: string[] } = {},
) {
  const task = await ann.call('create_task', {
    project_id,
    title,
    ...(due_at === undefined ? {} : { due_at: iso(due_at) }),
    ...more,
  })
  if (blocker_id !== undefined)
    await ann.call('add_task_dependency', { task_id: task.id, other_task_id: blocker_id })
  return task
}
const summary = (args: object = {}) => bob.call('get_project_summary', { project_id, ...args })
const kinds = (summary: any) => summary.risks.map((risk: any) => risk.kind)

test('an update sets the health of the project and is shown as its latest', async () => {
  const posted = await bob.call('post_project_update', {
    project_id,
    health: 'at_risk',
    body_markdown: 'Slow **week**',
  })
  assert.deepEqual(
    [posted.author.id, posted.health, posted.body_markdown, posted.project.id],
    [bob.id, 'at_risk', 'Slow **week**', project_id],
  )
  workspace.clock.pass(hour)
  const second = await ann.call('post_project_update', {
    project_id,
    health: 'off_track',
    body_markdown: 'Worse',
  })
  assert.equal((await ann.call('get_project', { project_id })).health, 'off_track')
  const updated = await summary()
  assert.equal(updated.last_update.id, second.id)
  assert.ok(kinds(updated).includes('off_track'))
  const change = await workspace.app.store.read
    .selectFrom('changes')
    .select('events_json')
    .where('item_id', '=', project_id)
    .orderBy('seq', 'desc')
    .executeTakeFirstOrThrow()
  assert.ok((JSON.parse(change.events_json) as string[]).includes('project.update_posted'))
})

test('an update needs text, a valid health, and an author from the project', async () => {
  assert.equal(
    (
      await ann.refused('post_project_update', {
        project_id,
        health: 'on_track',
        body_markdown: ' ',
      })
    ).more.field,
    'body_markdown',
  )
  assert.equal(
    (await ann.refused('post_project_update', { project_id, health: 'fine', body_markdown: 'x' }))
      .code,
    'invalid_argument',
  )
  assert.equal(
    (
      await workspace.carol.refused('post_project_update', {
        project_id,
        health: 'on_track',
        body_markdown: 'x',
      })
    ).code,
    'not_found',
  )
  assert.equal(
    (await workspace.eve.refused('get_project_summary', { project_id })).code,
    'not_found',
  )
})

test('a summary of an empty project is all zeros', async () => {
  const empty = await summary()
  assert.deepEqual(
    [empty.from, empty.to, empty.progress, empty.unassigned, empty.risks],
    ['2026-10-22', '2026-11-20', { done: 0, total: 0, percent: 0 }, 0, []],
  )
  assert.ok(empty.throughput.length >= 5 && empty.throughput.every((item: any) => item.done === 0))
})

test('a summary shows done, late, blocked, upcoming and unassigned tasks', async () => {
  const now = workspace.clock.now()
  await createTask('Done', { status: 'Done' })
  await createTask('Cancelled', { status: 'Cancelled' })
  const late = await createTask('Late', { due_at: now - hour, assignee_ids: [bob.id] })
  await createTask('Blocked', {
    blocker_id: late.id,
    due_at: now + dayLong,
    assignee_ids: [bob.id, ann.id],
  })
  await createTask('Far', { due_at: now + 8 * dayLong })
  const current = await summary()
  assert.deepEqual(current.progress, { done: 1, total: 4, percent: 25 })
  assert.deepEqual(
    [current.overdue, current.blocked, current.due_soon].map((list) =>
      list.map((item: any) => item.title),
    ),
    [['Late'], ['Blocked'], ['Blocked']],
  )
  assert.deepEqual(current.counts, { open: 3, overdue: 1, blocked: 1, due_soon: 1 })
  assert.equal(current.unassigned, 1)
  assert.deepEqual(
    current.workload.map((item: any) => [item.person.title, item.open]),
    [
      ['Bob', 2],
      ['Ann', 1],
    ],
  )
  const risk = current.risks.find((item: any) => item.kind === 'overdue_share')
  assert.deepEqual([risk.detail, risk.items[0].key], ['1 of 3 open tasks is overdue.', late.key])
})

test('a blocker that the reader cannot see is ignored in the summary', async () => {
  const hidden = await ann.call('create_project', { name: 'Hidden' })
  const blocker = await ann.call('create_task', { project_id: hidden.id, title: 'Canary' })
  await createTask('Waits', { blocker_id: blocker.id })
  assert.equal((await ann.call('get_project_summary', { project_id })).counts.blocked, 1)
  const current = await summary()
  assert.equal(current.counts.blocked, 0)
  assert.doesNotMatch(JSON.stringify(current), /Canary/)
})

test("scope and throughput cover the period in the reader's time zone", async () => {
  await createTask('Before', { status: 'Done' })
  workspace.clock.at = Date.UTC(2026, 10, 29, 23, 30) // Monday the 30th in Berlin
  await createTask('Done', { status: 'Done' })
  const trashedTask = await createTask('Trashed')
  await ann.call('delete_task', { task_id: trashedTask.id })
  await createTask('Cancelled', { status: 'Cancelled' })
  const ofPeriod = await summary({ from: '2026-11-30', to: '2026-12-06' })
  assert.deepEqual(
    [ofPeriod.scope_change, ofPeriod.throughput],
    [{ added: 3, removed: 2 }, [{ week: '2026-W49', done: 1 }]],
  )
  assert.deepEqual((await summary({ from: '2026-11-23', to: '2026-11-29' })).scope_change, {
    added: 0,
    removed: 0,
  })
  assert.equal(
    (await bob.refused('get_project_summary', { project_id, from: '2026-12-02', to: '2026-12-01' }))
      .more.field,
    'to',
  )
  assert.deepEqual((await summary({ from: '9999-12-31' })).throughput, [
    { week: '9999-W52', done: 0 },
  ])
  assert.equal(
    (await bob.refused('get_project_summary', { project_id, to: '0000-01-01' })).more.field,
    'to',
  )
  assert.match(
    (await bob.refused('get_project_summary', { project_id, from: '2020-01-01', to: '2026-12-01' }))
      .message,
    /731 days/,
  )
})

test('risks name long blocks, missing updates, slipped milestones and a passed end date', async () => {
  const blocker = await createTask('Blocker')
  const stuck = await createTask('Stuck', { blocker_id: blocker.id })
  const milestone = await ann.call('create_milestone', {
    project_id,
    name: 'Beta',
    due_on: '2026-12-01',
  })
  await ann.call('update_milestone', { milestone_id: milestone.id, due_on: '2026-12-20' })
  await ann.call('update_project', { project_id, status: 'active', ends_on: '2026-12-05' })
  assert.deepEqual(kinds(await summary()), ['milestone_slip'])
  workspace.clock.pass(16 * dayLong)
  const current = await summary()
  assert.deepEqual(kinds(current), ['late', 'blocked_long', 'milestone_slip', 'no_update'])
  assert.equal(current.risks[1].items[0].key, stuck.key)
  assert.match(current.risks[3].detail, /16 days/)
  await ann.call('post_project_update', { project_id, health: 'on_track', body_markdown: 'Here' })
  assert.ok(!kinds(await summary()).includes('no_update'))
  await ann.call('update_project', { project_id, status: 'completed' })
  assert.deepEqual((await summary()).risks, [])
})

test('the initial tasks of a young project are not scope growth, later ones are', async () => {
  for (let n = 0; n < 6; n++) await createTask(`Begins with ${n}`)
  assert.ok(!kinds(await summary()).includes('scope_growth'))
  workspace.clock.pass(30 * dayLong)
  const from = iso(workspace.clock.at - 7 * dayLong).slice(0, 10)
  assert.ok(!kinds(await summary({ from })).includes('scope_growth'), 'nothing was added')
  for (let n = 0; n < 6; n++) await createTask(`Added ${n}`)
  const { risks } = await summary({ from })
  const growth = risks.find((risk: any) => risk.kind === 'scope_growth')
  assert.match(growth.detail, /6 tasks/)
})
