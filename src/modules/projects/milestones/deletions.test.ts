import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runTick } from '../../../operations/jobs/system.ts'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  await workspace.ann.call('create_project', { name: 'Engineering', key: 'ENG' })
})
after(() => workspace.close())

const create = (more: object = {}) =>
  workspace.ann.call('create_milestone', { project_id: 'ENG', name: 'Launch', ...more })

test('tasks of a deleted milestone lose it, and get it back when it is restored', async () => {
  const { ann } = workspace
  const { id: milestone_id } = await create({ due_on: '2026-12-01' })
  const task = await ann.call('create_task', { project_id: 'ENG', title: 'Test', milestone_id })
  const milestoneOf = async () =>
    (await ann.call('get_task', { task_id: task.id })).milestone?.title
  const dryRun = await ann.call('delete_milestone', { milestone_id, dry_run: true })
  assert.equal(dryRun.dry_run, true)
  assert.equal(await milestoneOf(), 'Launch')
  await ann.call('delete_milestone', { milestone_id })
  assert.equal(await milestoneOf(), undefined)
  const [listed] = (await ann.call('list_tasks', { project_id: 'ENG' })).items
  assert.equal(listed.milestone, undefined)
  assert.deepEqual((await ann.call('list_milestones', {})).items, [])
  assert.equal((await ann.refused('list_tasks', { milestone_id })).code, 'not_found')
  const other = { project_id: 'ENG', title: 'x', milestone_id }
  assert.equal((await ann.refused('create_task', other)).code, 'not_found')
  const summary = await ann.call('get_project_summary', { project_id: 'ENG' })
  assert.deepEqual(summary.milestones, [])
  await ann.call('restore_item', { item_id: milestone_id })
  assert.equal(await milestoneOf(), 'Launch')
})

test('a trashed milestone is not marked missed until it is restored', async () => {
  const { ann, app, clock } = workspace
  const { id: milestone_id } = await create({ name: 'Overdue', due_on: '2026-11-30' })
  await ann.call('delete_milestone', { milestone_id })
  clock.at = Date.parse('2026-12-15T00:00:00Z')
  const tick = app.catalogue.modules
    .flatMap((module) => module.ticks ?? [])
    .find((item) => item.name === 'miss_milestones')!
  const status = () =>
    app.store.raw.read
      .prepare('SELECT status FROM milestones WHERE id = ?')
      .pluck()
      .get(milestone_id)
  while (await runTick(app, tick));
  assert.equal(status(), 'open')
  await ann.call('restore_item', { item_id: milestone_id })
  while (await runTick(app, tick));
  assert.equal(status(), 'missed')
})

test('undo restores a deleted milestone; undoing the creation of one in use is refused', async () => {
  const { ann } = workspace
  const by = { key: await workspace.key(ann) }
  const { id: milestone_id } = await ann.call(
    'create_milestone',
    { project_id: 'ENG', name: 'Used' },
    by,
  )
  const [creation] = (await ann.call('list_api_calls', { tool: 'create_milestone', limit: 1 }, by))
    .items
  await ann.call('create_task', { project_id: 'ENG', title: 'In it', milestone_id })
  const refused = await ann.call('undo_api_call', { call_id: creation.id }, by)
  assert.deepEqual(
    refused.refused.map((row: any) => row.reason),
    ['changed_since'],
  )
  const deletion = await ann.call('delete_milestone', { milestone_id }, by)
  const undone = await ann.call('undo_api_call', { call_id: deletion.undo_call_id }, by)
  assert.equal(undone.undone, true)
})

test('strangers cannot see a milestone, and one of an archived project cannot be deleted', async () => {
  const { ann, carol, eve } = workspace
  const { id: milestone_id } = await create({ name: 'Guarded' })
  for (const who of [carol, eve]) {
    assert.equal((await who.refused('delete_milestone', { milestone_id })).code, 'not_found')
  }
  await ann.call('archive_project', { project_id: 'ENG' })
  assert.equal((await ann.refused('delete_milestone', { milestone_id })).code, 'permission_denied')
})
