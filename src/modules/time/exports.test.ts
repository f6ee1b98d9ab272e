import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob } = workspace
  await ann.call('create_project', { name: 'Engineering', key: 'ENG', member_ids: [bob.id] })
  await ann.call('create_task', { project_id: 'ENG', title: 'Valves' })
})
after(() => workspace.close())

const rows = async (who: Someone, args: Record<string, unknown> = {}): Promise<any[]> =>
  parse((await who.call('export_time_entries', args)).inline, { columns: true })

test('time is exported with its task, filtered as in list_time_entries', async () => {
  const { ann, bob } = workspace
  const log = (who: Someone, more: object) =>
    who.call('create_time_entry', { task_id: 'ENG-1', duration_minutes: 90, ...more })
  await log(ann, { spent_on: '2026-11-19', note: '=1+1', billable: true })
  await log(bob, { spent_on: '2026-11-20', project_id: undefined })
  const all = await rows(ann)
  assert.deepEqual(
    all.map((row) => [row.spent_on, row.person, row.task_key, row.hours, row.billable, row.note]),
    [
      ['2026-11-19', 'Ann', 'ENG-1', '1.5', 'yes', "'=1+1"],
      ['2026-11-20', 'Bob', 'ENG-1', '1.5', 'no', ''],
    ],
  )
  assert.equal((await rows(ann, { from: '2026-11-20' })).length, 1)
  assert.equal((await rows(ann, { billable: true })).length, 1)
  assert.equal((await rows(ann, { person_id: bob.id })).length, 1)
  const wrong = await ann.refused('export_time_entries', { from: '2026-11-20', to: '2026-11-19' })
  assert.equal(wrong.code, 'invalid_argument')
})

test('other people can export only their own time', async () => {
  const { bob, carol, eve } = workspace
  assert.deepEqual(
    (await rows(bob)).map((row) => row.person),
    ['Bob'],
  )
  assert.deepEqual(await rows(carol), [])
  const refusal = await eve.refused('export_time_entries', { project_id: 'ENG' })
  assert.equal(refusal.code, 'not_found')
})
