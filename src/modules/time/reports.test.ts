import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../testing/harness.ts'

let workspace: TestWorkspace
let keys: { one: any; two: any; bobs: any; red: any; blue: any }
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob } = workspace
  await ann.call('create_project', { name: 'Anns', key: 'ANNS', member_ids: [bob.id] })
  await bob.call('create_project', { name: 'Bobs', key: 'BOBS', member_ids: [ann.id] })
  const [red, blue] = [
    await ann.call('create_label', { name: 'Red' }),
    await ann.call('create_label', { name: 'Blue' }),
  ]
  const item = await ann.call('create_task', {
    project_id: 'ANNS',
    title: 'One',
    estimate_minutes: 100,
    label_ids: [red.id, blue.id],
  })
  const two = await ann.call('create_task', {
    project_id: 'ANNS',
    title: 'Two',
    estimate_minutes: 50,
    label_ids: [red.id],
  })
  const bobs = await bob.call('create_task', { project_id: 'BOBS', title: 'Third' })
  keys = { one: item, two, bobs, red, blue }
  const log = (
    who: Someone,
    duration_minutes: number,
    spent_on: string,
    more: Record<string, unknown>,
  ) => who.call('create_time_entry', { duration_minutes, spent_on, ...more })
  await log(ann, 10, '2026-11-01', { task_id: item.id, billable: true })
  await log(ann, 20, '2026-11-02', { task_id: two.id })
  await log(bob, 40, '2026-11-02', { task_id: item.id })
  await log(ann, 80, '2026-11-09', { project_id: 'ANNS' })
  await log(ann, 160, '2026-11-09', { task_id: bobs.id })
  await log(bob, 320, '2026-11-09', { task_id: bobs.id, billable: true })
  await log(ann, 5, '2026-12-01', { project_id: 'ANNS' })
})
after(() => workspace.close())

const november = { from: '2026-11-01', to: '2026-11-30' }
const report = (who: Someone, group_by: string, more: Record<string, unknown> = {}) =>
  who.call('get_time_report', { ...november, group_by, ...more })
const groups = async (who: Someone, group_by: string, more: Record<string, unknown> = {}) =>
  (await report(who, group_by, more)).groups.map((group: any) => [group.label, group.minutes])

test('a reader’s total covers their own time and the projects they lead', async () => {
  const { ann, bob, carol, eve } = workspace
  const totals = []
  for (const who of [ann, bob, carol, eve]) totals.push((await report(who, 'person')).total_minutes)
  assert.deepEqual(totals, [10 + 20 + 40 + 80 + 160, 40 + 160 + 320, 0, 0])
  assert.deepEqual(await groups(ann, 'person'), [
    ['Ann', 270],
    ['Bob', 40],
  ])
  assert.deepEqual(await groups(bob, 'person'), [
    ['Bob', 360],
    ['Ann', 160],
  ])
})

test('time is reported by project and by task, against estimates', async () => {
  const { ann } = workspace
  const projects = (await report(ann, 'project')).groups
  assert.deepEqual(
    projects.map((project: any) => [
      project.label,
      project.minutes,
      project.billable_minutes,
      project.estimate_minutes,
    ]),
    [
      ['Bobs', 160, 0, undefined],
      ['Anns', 150, 10, 150],
    ],
  )
  const tasks = (await report(ann, 'task')).groups
  assert.deepEqual(
    tasks.map((task: any) => [task.label, task.minutes, task.estimate_minutes]),
    [
      ['BOBS-1 Third', 160, undefined],
      ['Without a task', 80, undefined],
      ['ANNS-1 One', 50, 100],
      ['ANNS-2 Two', 20, 50],
    ],
  )
  assert.equal(tasks[2].key, keys.one.id)
})

test('a task with several labels counts in each of them, but once in the total', async () => {
  const { ann } = workspace
  const labelReport = await report(ann, 'label')
  assert.equal(labelReport.total_minutes, 310)
  assert.deepEqual(
    labelReport.groups.map((group: any) => [group.label, group.minutes, group.estimate_minutes]),
    [
      ['Without a label', 240, undefined],
      ['Red', 70, 150],
      ['Blue', 50, 100],
    ],
  )
})

test('time is reported by day and by ISO 8601 week', async () => {
  const { ann } = workspace
  assert.deepEqual(await groups(ann, 'day'), [
    ['2026-11-01', 10],
    ['2026-11-02', 60],
    ['2026-11-09', 240],
  ])
  const weeks = (await report(ann, 'week')).groups
  assert.deepEqual(
    weeks.map((week: any) => [week.key, week.label, week.minutes]),
    [
      ['2026-W44', '2026-10-26 to 2026-11-01', 10],
      ['2026-W45', '2026-11-02 to 2026-11-08', 60],
      ['2026-W46', '2026-11-09 to 2026-11-15', 240],
    ],
  )
})

test('a week belongs to the year of its Thursday', async () => {
  const { ann } = workspace
  for (const [spent_on, key] of [
    ['2021-01-03', '2020-W53'],
    ['2024-12-30', '2025-W01'],
    ['2026-01-01', '2026-W01'],
  ] as const) {
    await ann.call('create_time_entry', { duration_minutes: 1, spent_on, project_id: 'ANNS' })
    assert.equal(
      (await ann.call('get_time_report', { from: spent_on, to: spent_on, group_by: 'week' }))
        .groups[0].key,
      key,
    )
  }
})

test('a report can be limited to one project, one person or billable time', async () => {
  const { ann, bob } = workspace
  assert.deepEqual(await groups(ann, 'person', { project_id: 'ANNS' }), [
    ['Ann', 110],
    ['Bob', 40],
  ])
  assert.deepEqual(await groups(ann, 'project', { person_id: bob.id }), [['Anns', 40]])
  assert.deepEqual(await groups(bob, 'task', { billable: true }), [['BOBS-1 Third', 320]])
})

test('a running timer has no minutes yet', async () => {
  const { bob } = workspace
  await bob.call('start_timer', { project_id: 'BOBS' })
  assert.equal((await report(bob, 'day')).total_minutes, 520)
  workspace.clock.pass(60_000)
  await bob.call('stop_timer')
  assert.equal((await report(bob, 'day')).total_minutes, 521)
  await bob.call('delete_time_entry', {
    entry_id: (await bob.call('list_time_entries', { limit: 1 })).items[0].id,
  })
})

test('own time on items that are no longer visible counts without their name', async () => {
  const { ann, bob } = workspace
  await bob.call('remove_project_member', { project_id: 'BOBS', person_id: ann.id })
  for (const group_by of ['project', 'task', 'label'])
    assert.deepEqual(
      (await groups(ann, group_by)).find(([label]: [string]) => /visible/.test(label)),
      ['No longer visible to you', 160],
      group_by,
    )
  assert.equal((await report(ann, 'project')).total_minutes, 310)
})

test('a period that ends before it begins, or exceeds two years, is refused', async () => {
  const { ann } = workspace
  assert.match(
    (
      await ann.refused('get_time_report', {
        from: '2026-11-02',
        to: '2026-11-01',
        group_by: 'day',
      })
    ).message,
    /before from/,
  )
  assert.match(
    (
      await ann.refused('get_time_report', {
        from: '2020-01-01',
        to: '2026-11-01',
        group_by: 'day',
      })
    ).message,
    /two years/,
  )
})
