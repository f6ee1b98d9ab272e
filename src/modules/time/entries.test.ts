import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { purgeTrash } from '../../jobs/trash.ts'
import { dayLong, makeWorkspace, type Someone, type TestWorkspace } from '../../testing/harness.ts'

let workspace: TestWorkspace
let task: any
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob, carol } = workspace
  await ann.call('create_project', { name: 'Work', key: 'WORK', member_ids: [bob.id, carol.id] })
  await bob.call('create_project', { name: 'Bobs', key: 'BOBS', member_ids: [ann.id] })
  task = await ann.call('create_task', { project_id: 'WORK', title: 'Do it', estimate_minutes: 60 })
})
after(() => workspace.close())

const day = '2026-11-19'
const log = (who: Someone, duration_minutes: number, more: Record<string, unknown> = {}) =>
  who.call('create_time_entry', { duration_minutes, spent_on: day, task_id: task.id, ...more })
const timeSpent = async (who: Someone = workspace.ann) =>
  (await who.call('get_task', { task_id: task.id })).time_spent_minutes
const listed = async (who: Someone, args: Record<string, unknown> = {}) =>
  (await who.call('list_time_entries', args)).items.map((item: any) => item.duration_minutes)

test('time is logged on a task and thereby on its project, or on a project', async () => {
  const { ann } = workspace
  const entry = await log(ann, 30, { note: ' wrote ', billable: true })
  assert.deepEqual(
    [
      entry.person.title,
      entry.task.key,
      entry.project.key,
      entry.spent_on,
      entry.duration_minutes,
      entry.note,
      entry.billable,
    ],
    ['Ann', 'WORK-1', 'WORK', day, 30, 'wrote', true],
  )
  const bare = await log(ann, 15, { task_id: undefined, project_id: 'BOBS' })
  assert.deepEqual([bare.task, bare.project.key, bare.billable], [undefined, 'BOBS', false])
  for (const { id } of [entry, bare]) await ann.call('delete_time_entry', { entry_id: id })
})

test('invalid entries are refused with an explanation', async () => {
  const { ann, eve } = workspace
  const refused = async (args: Record<string, unknown>, who: Someone = ann) =>
    (await who.refused('create_time_entry', { duration_minutes: 5, spent_on: day, ...args })).body()
  assert.match((await refused({})).message, /send the task or project/)
  assert.match(
    (await refused({ task_id: task.id, project_id: 'BOBS' })).message,
    /WORK-1 is not in BOBS/,
  )
  assert.match(
    (await refused({ project_id: 'WORK', spent_on: '2026-12-22' })).message,
    /later than 2026-12-21/,
  )
  assert.match(
    (await refused({ project_id: 'WORK', spent_on: '1999-12-31' })).message,
    /before 2000/,
  )
  for (const duration_minutes of [0, 1441, 1.5, -5])
    assert.equal((await refused({ project_id: 'WORK', duration_minutes })).code, 'invalid_argument')
  assert.equal((await refused({ task_id: task.id }, eve)).code, 'not_found')
})

test('everybody who can see a task sees the total time spent on it, also in lists', async () => {
  const { ann, bob, carol } = workspace
  const entries = [await log(ann, 30), await log(bob, 45)]
  for (const who of [ann, bob, carol]) assert.equal(await timeSpent(who), 75)
  assert.equal(
    (await carol.call('list_tasks', { project_id: 'WORK' })).items[0].time_spent_minutes,
    75,
  )
  await bob.call('update_time_entry', { entry_id: entries[1]!.id, duration_minutes: 20 })
  assert.equal(await timeSpent(), 50)
  const key = await workspace.key(bob)
  await bob.call('delete_time_entry', { entry_id: entries[1]!.id }, { via: 'api', key })
  assert.equal(await timeSpent(), 30)
  const [call] = (await bob.call('list_api_calls', {})).items
  assert.equal((await bob.call('undo_api_call', { call_id: call.id })).undone, true)
  assert.equal(await timeSpent(), 50)
  const whole = await carol.call('get_task', { task_id: task.id, include: ['time'] })
  assert.deepEqual(whole.time, { total_minutes: 50, entries: [] })
  assert.equal(
    (await ann.call('get_task', { task_id: task.id, include: ['time'] })).time.entries.length,
    2,
  )
  for (const [i, who] of [ann, bob].entries())
    await who.call('delete_time_entry', { entry_id: entries[i]!.id })
})

test('entries are private to their person, and readable by the project lead', async () => {
  const { ann, bob, carol, eve } = workspace
  const onTask = await log(bob, 10, { note: 'of bob' })
  const onProject = await log(bob, 20, { task_id: undefined, project_id: 'WORK' })
  const bobsEntry = await log(bob, 40, { task_id: undefined, project_id: 'BOBS' })
  assert.deepEqual(
    [await listed(bob), await listed(ann), await listed(carol), await listed(eve)],
    [[40, 20, 10], [20, 10], [], []],
  )
  assert.deepEqual(
    await listed(ann, { person_id: bob.id, project_id: 'WORK', task_id: task.id }),
    [10],
  )
  assert.equal(
    (await ann.refused('update_time_entry', { entry_id: onTask.id, note: 'x' })).code,
    'permission_denied',
  )
  assert.equal(
    (await ann.refused('delete_time_entry', { entry_id: onProject.id })).code,
    'permission_denied',
  )
  for (const who of [carol, eve])
    assert.equal(
      (await who.refused('delete_time_entry', { entry_id: onTask.id })).code,
      'not_found',
    )
  assert.equal(
    (await ann.refused('delete_time_entry', { entry_id: bobsEntry.id })).code,
    'not_found',
  )
  for (const { id } of [onTask, onProject, bobsEntry])
    await bob.call('delete_time_entry', { entry_id: id })
})

test('a person can correct and move their entry, null clears its note, and each change can be undone', async () => {
  const { bob } = workspace
  const entry = await log(bob, 10, { note: 'first' })
  const key = await workspace.key(bob)
  const now = await bob.call(
    'update_time_entry',
    {
      entry_id: entry.id,
      duration_minutes: 25,
      spent_on: '2026-11-18',
      project_id: 'BOBS',
      note: null,
      billable: true,
    },
    { via: 'api', key },
  )
  assert.deepEqual(
    [now.duration_minutes, now.spent_on, now.task, now.project.key, now.note, now.billable],
    [25, '2026-11-18', undefined, 'BOBS', undefined, true],
  )
  const [call] = (await bob.call('list_api_calls', {})).items
  await bob.call('undo_api_call', { call_id: call.id })
  const restored = (await bob.call('list_time_entries', {})).items[0]
  assert.deepEqual(
    [restored.duration_minutes, restored.task.key, restored.note],
    [10, 'WORK-1', 'first'],
  )
  assert.equal(
    (await bob.call('update_time_entry', { entry_id: entry.id, note: 'first' })).revision,
    restored.revision,
  )
  await bob.call('delete_time_entry', { entry_id: entry.id })
})

test('a day with more than 24 hours is accepted with a note', async () => {
  const { carol } = workspace
  const first = await log(carol, 1000)
  assert.equal(first.notes, undefined)
  const second = await log(carol, 500)
  assert.match(second.notes[0], /25 h are logged on 2026-11-19/)
  for (const { id } of [first, second]) await carol.call('delete_time_entry', { entry_id: id })
})

test('time follows its task to another project, and remains with its person when they leave or the task is deleted', async () => {
  const { ann, bob, carol } = workspace
  const moving = await ann.call('create_task', { project_id: 'WORK', title: 'Moving' })
  const entry = await log(carol, 33, { task_id: moving.id })
  assert.deepEqual([await listed(ann, { project_id: 'WORK' }), await listed(bob)], [[33], []])
  await ann.call('move_task', { task_id: moving.id, project_id: 'BOBS' })
  assert.deepEqual(
    [await listed(ann, { project_id: 'WORK' }), await listed(bob, { project_id: 'BOBS' })],
    [[], [33]],
  )
  const [entryOfCarol] = (await carol.call('list_time_entries', {})).items
  assert.deepEqual(
    [entryOfCarol.id, entryOfCarol.task, entryOfCarol.project, entryOfCarol.duration_minutes],
    [entry.id, undefined, undefined, 33],
  )
  await bob.call('delete_task', { task_id: moving.id })
  assert.deepEqual([await listed(carol), await listed(bob)], [[33], [33]])
  await carol.call('delete_time_entry', { entry_id: entry.id })
})

test('entries are listed by person, day, task and billability, paginated', async () => {
  const { ann } = workspace
  const entries = []
  for (const [i, spent_on] of ['2026-10-01', '2026-10-02', '2026-10-03'].entries())
    entries.push(await log(ann, i + 1, { spent_on, billable: i === 1 }))
  assert.deepEqual(await listed(ann, { from: '2026-10-01', to: '2026-10-02' }), [2, 1])
  assert.deepEqual(await listed(ann, { billable: true }), [2])
  assert.deepEqual(
    await listed(ann, { person_id: 'me', task_id: 'WORK-1', billable: false }),
    [3, 1],
  )
  const first = await ann.call('list_time_entries', { limit: 2 })
  assert.deepEqual(await listed(ann, { limit: 2, cursor: first.next_cursor }), [1])
  assert.equal(
    (await ann.refused('list_time_entries', { from: '2026-10-02', to: '2026-10-01' })).code,
    'invalid_argument',
  )
  for (const { id } of entries) await ann.call('delete_time_entry', { entry_id: id })
})

test('the same idempotency key logs once, and archived projects accept no time', async () => {
  const { ann } = workspace
  const args = { duration_minutes: 5, spent_on: day, task_id: task.id }
  const item = await ann.call('create_time_entry', args, { idempotencyKey: 'k' })
  assert.equal((await ann.call('create_time_entry', args, { idempotencyKey: 'k' })).id, item.id)
  await ann.call('create_project', { name: 'Old', key: 'OLD' })
  await ann.call('archive_project', { project_id: 'OLD' })
  assert.equal(
    (await ann.refused('create_time_entry', { ...args, task_id: undefined, project_id: 'OLD' }))
      .code,
    'permission_denied',
  )
})

test('time on an erased task is kept with the project it was logged in', async () => {
  const { ann, carol, app, clock } = workspace
  const erasedTask = await ann.call('create_task', { project_id: 'WORK', title: 'Going' })
  const entry = await log(carol, 12, { task_id: erasedTask.id })
  await ann.call('delete_task', { task_id: erasedTask.id })
  clock.pass(31 * dayLong)
  while (await purgeTrash(app));
  const left = (await carol.call('list_time_entries', {})).items.find(
    (item: any) => item.id === entry.id,
  )
  assert.deepEqual(
    [left.task, left.project.key, await listed(ann, { person_id: carol.id })],
    [undefined, 'WORK', [12]],
  )
})
