import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { runTick } from '../../../operations/jobs/system.ts'
import {
  dayLong,
  hour,
  makeWorkspace,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'
import { projectsModule } from '../index.ts'

let workspace: TestWorkspace
let ann: Someone, bob: Someone
let project_id: string
before(async () => {
  workspace = await makeWorkspace()
  ;({ ann, bob } = workspace)
})
beforeEach(async () => {
  workspace.clock.at = Date.UTC(2026, 10, 20, 12)
  project_id = (await ann.call('create_project', { name: 'Miles', member_ids: [bob.id] })).id
})
after(() => workspace.close())

const make = (name: string, more: object = {}) =>
  bob.call('create_milestone', { project_id, name, ...more })
const update = (milestone_id: string, more: object) =>
  bob.call('update_milestone', { milestone_id, ...more })
const tick = () => runTick(workspace.app, projectsModule.ticks![0]!)
const list = async (args: object = {}) =>
  (await ann.call('list_milestones', { project_id, ...args })).items

test('progress counts the tasks of a milestone except cancelled ones', async () => {
  const { id } = await make('Beta', { due_on: '2026-12-01', description_markdown: 'All of it' })
  for (const status of ['To do', 'Done', 'Cancelled'])
    await ann.call('create_task', { project_id, title: status, status, milestone_id: id })
  const [shown] = await list()
  assert.deepEqual(
    [shown.progress, shown.status, shown.slip_days, shown.description_markdown],
    [{ done: 1, total: 2 }, 'open', 0, 'All of it'],
  )
})

test('lists are sorted by due date, undated last, paginated, and filtered by status and date', async () => {
  await make('None')
  await make('Later', { due_on: '2026-12-24' })
  const soon = await make('Soon', { due_on: '2026-12-01' })
  const names = (items: any[]) => items.map((item) => item.name)
  assert.deepEqual(names(await list()), ['Soon', 'Later', 'None'])
  const page = await ann.call('list_milestones', { project_id, limit: 2 })
  assert.deepEqual(
    names(
      (await ann.call('list_milestones', { project_id, limit: 2, cursor: page.next_cursor })).items,
    ),
    ['None'],
  )
  assert.deepEqual(names(await list({ due_before: '2026-12-01' })), ['Soon'])
  await update(soon.id, { status: 'reached' })
  assert.deepEqual(names(await list({ status: ['open'] })), ['Later', 'None'])
  await ann.call('archive_project', { project_id })
  assert.equal((await list()).length, 3)
  assert.ok(
    !(await ann.call('list_milestones', { limit: 100 })).items.some(
      (item: any) => item.project.id === project_id,
    ),
  )
})

test('the slip of a postponed milestone is measured from its original date', async () => {
  const { id } = await make('Slips')
  assert.equal((await update(id, { due_on: '2026-12-01' })).slip_days, 0)
  assert.equal((await update(id, { due_on: '2026-12-08' })).slip_days, 7)
  assert.equal((await update(id, { due_on: null })).slip_days, 0)
  workspace.clock.at = Date.UTC(2026, 11, 3, 12)
  const reached = await update(id, { status: 'reached' })
  assert.deepEqual([reached.slip_days, reached.reached_at], [2, '2026-12-03T12:00:00.000Z'])
})

test('an open milestone is missed the day after its due date in the time zone of the lead', async () => {
  const { id } = await make('Today', { due_on: '2026-11-20' })
  await make('Tomorrow', { due_on: '2026-11-21' })
  const archivedProject = await ann.call('create_project', { name: 'Rests' })
  await ann.call('create_milestone', {
    project_id: archivedProject.id,
    name: 'Archived',
    due_on: '2026-11-01',
  })
  await ann.call('archive_project', { project_id: archivedProject.id })
  workspace.clock.at = Date.UTC(2026, 10, 20, 22, 59)
  await tick()
  assert.deepEqual(
    (await list()).map((item: any) => item.status),
    ['open', 'open'],
  )
  workspace.clock.at = Date.UTC(2026, 10, 20, 23, 1) // past midnight in Berlin
  assert.equal(await tick(), false)
  assert.deepEqual(
    (await list()).map((item: any) => item.status),
    ['missed', 'open'],
  )
  const change = await workspace.app.store.read
    .selectFrom('changes')
    .selectAll()
    .where('item_id', '=', id)
    .orderBy('seq', 'desc')
    .executeTakeFirstOrThrow()
  assert.deepEqual(
    [
      change.actor_id,
      change.via,
      (JSON.parse(change.events_json) as string[]).includes('milestone.missed'),
    ],
    [ann.id, 'automation', true],
  )
  workspace.clock.pass(2 * dayLong)
  assert.equal((await list())[0].slip_days, 3)
})

test('a missed milestone can be reached, or reopened with a future date', async () => {
  const createDueToday = async (name: string) => {
    const { id } = await make(name, { due_on: '2026-11-20' })
    return id as string
  }
  const [firstId, secondId, thirdId] = [
    await createDueToday('One'),
    await createDueToday('Two'),
    await createDueToday('Three'),
  ]
  workspace.clock.pass(dayLong + hour)
  await tick()
  assert.equal((await update(firstId, { status: 'reached' })).status, 'reached')
  assert.equal(
    (await bob.refused('update_milestone', { milestone_id: secondId, status: 'open' })).more.field,
    'due_on',
  )
  assert.equal((await update(secondId, { status: 'open', due_on: '2026-11-30' })).status, 'open')
  assert.equal(
    (await update(thirdId, { due_on: '2026-11-30' })).status,
    'open',
    'a new future date reopens it',
  )
  await tick()
  assert.equal((await list({ status: ['missed'] })).length, 0)
})

test('invalid transitions are refused with the valid ones', async () => {
  const { id } = await make('Steps', { due_on: '2026-12-01' })
  assert.equal(
    (await bob.refused('update_milestone', { milestone_id: id, status: 'missed' })).more.field,
    'status',
  )
  await update(id, { status: 'cancelled' })
  const refusal = await bob.refused('update_milestone', { milestone_id: id, status: 'reached' })
  assert.match(refusal.body().message, /is cancelled and cannot become reached. It can become open/)
  assert.equal((await update(id, { status: 'open' })).status, 'open')
  await update(id, { status: 'reached' })
  assert.equal(
    (await bob.refused('update_milestone', { milestone_id: id, status: 'open' })).code,
    'conflict',
  )
  assert.equal(
    (await update(id, { name: 'Renamed', description_markdown: 'x', status: 'reached' })).name,
    'Renamed',
  )
})

test('milestones are not visible outside the project', async () => {
  const { id } = await make('Hidden')
  for (const who of [workspace.carol, workspace.eve]) {
    assert.equal(
      (await who.refused('update_milestone', { milestone_id: id, name: 'x' })).code,
      'not_found',
    )
    assert.equal(
      (await who.refused('create_milestone', { project_id, name: 'x' })).code,
      'not_found',
    )
    assert.equal((await who.refused('list_milestones', { project_id })).code, 'not_found')
    assert.deepEqual((await who.call('list_milestones')).items, [])
  }
})
