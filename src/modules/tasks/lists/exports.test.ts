import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob } = workspace
  await ann.call('create_project', { name: 'Engineering', key: 'ENG', member_ids: [bob.id] })
  await ann.call('create_custom_field', { project_id: 'ENG', name: 'Cost', type: 'number' })
})
after(() => workspace.close())

const rows = async (who: Someone, args: Record<string, unknown> = {}): Promise<any[]> =>
  parse((await who.call('export_tasks', args)).inline, { columns: true })

test('each task is one row, with names for referenced items', async () => {
  const { ann, bob } = workspace
  const label = await ann.call('create_label', { name: 'bug' })
  const parent = await ann.call('create_task', { project_id: 'ENG', title: '=HYPERLINK("x")' })
  const child = await ann.call('create_task', {
    project_id: 'ENG',
    title: 'Child, second',
    parent_id: parent.id,
    priority: 'high',
    assignee_ids: [ann.id, bob.id],
    label_ids: [label.id],
    points: 3,
    custom_fields: { Cost: -5 },
    description_markdown: 'Two\nlines',
  })
  await ann.call('add_task_dependency', {
    task_id: child.id,
    other_task_id: parent.id,
    type: 'blocked_by',
  })
  const [first, second] = await rows(ann, { project_id: 'ENG' })
  assert.deepEqual([first.key, first.title], ['ENG-1', `'=HYPERLINK("x")`])
  assert.equal(second.parent, 'ENG-1')
  assert.equal(second.blocked_by, 'ENG-1')
  assert.deepEqual(second.assignees.split('; ').toSorted(), ['Ann', 'Bob'])
  assert.deepEqual(
    [second.labels, second.priority, second.points, second.Cost, second.description],
    ['bug', 'high', '3', '-5', 'Two\nlines'],
  )
  const [, everywhere] = await rows(ann)
  assert.deepEqual(JSON.parse(everywhere.custom_fields), { Cost: -5 })
})

test('the filters of list_tasks apply, and invisible tasks cannot be exported', async () => {
  const { ann, bob, carol, eve } = workspace
  const keys = async (who: Someone, args: Record<string, unknown>) =>
    (await rows(who, args)).map((row) => row.key)
  assert.deepEqual(await keys(bob, { assignee: 'me' }), ['ENG-2'])
  assert.deepEqual(await keys(ann, { priority: ['high'] }), ['ENG-2'])
  assert.deepEqual(await keys(ann, { blocked: false }), ['ENG-1'])
  assert.deepEqual(await keys(ann, { label_id: ['bug'] }), ['ENG-2'])
  assert.deepEqual(await keys(carol, {}), [])
  for (const who of [carol, eve]) {
    assert.equal((await who.refused('export_tasks', { project_id: 'ENG' })).code, 'not_found')
  }
  const wrong = await ann.refused('export_tasks', { project_id: 'ENG', status: ['Nowhere'] })
  assert.equal(wrong.code, 'invalid_argument')
})

test('all rows are exported across many pages; a download link expires with access to the project', async () => {
  const { ann, bob } = workspace
  const text = 'y'.repeat(2000)
  const tasks = Array.from({ length: 100 }, (_, i) => ({
    title: `Many ${i}`,
    description_markdown: text,
  }))
  for (let i = 0; i < 6; i++) await ann.call('bulk_create_tasks', { project_id: 'ENG', tasks })
  const answer = await bob.call('export_tasks', { project_id: 'ENG' })
  assert.deepEqual([answer.item_count, answer.inline], [602, undefined])
  const token = answer.download_url.split('/').at(-1)
  const { download } = await bob.call('download_task_export', { token })
  const content = Buffer.from(download.content_base64, 'base64').toString()
  const csvRows: any[] = parse(content, { columns: true, bom: true })
  assert.equal(new Set(csvRows.map((row) => row.key)).size, 602)
  await ann.call('remove_project_member', { project_id: 'ENG', person_id: bob.id })
  assert.equal((await bob.refused('download_task_export', { token })).code, 'not_found')
})

test('a day is exported as a day, and imported as the same day in any time zone', async () => {
  const { ann } = workspace
  await ann.call('create_project', { name: 'Days', key: 'DAY' })
  for (const zone of ['America/Los_Angeles', 'Pacific/Kiritimati', 'Europe/Berlin']) {
    await ann.call('update_my_profile', { timezone: zone })
    Object.assign(ann.actor, { timezone: zone })
    const title = `Due in ${zone}`
    const when = { due_at: '2027-03-15', start_at: '2027-03-14' }
    await ann.call('create_task', { project_id: 'DAY', title, ...when })
  }
  await ann.call('create_task', {
    project_id: 'DAY',
    title: 'At an hour',
    due_at: '2027-03-15T16:30:00Z',
  })
  const { inline } = await ann.call('export_tasks', { project_id: 'DAY' })
  const exported = await rows(ann, { project_id: 'DAY' })
  assert.deepEqual(
    exported.map((row) => [row.due_at, row.start_at]),
    [
      ...Array.from({ length: 3 }, () => ['2027-03-15', '2027-03-14']),
      ['2027-03-15T16:30:00.000Z', ''],
    ],
  )
  await ann.call('update_my_profile', { timezone: 'America/Los_Angeles' })
  Object.assign(ann.actor, { timezone: 'America/Los_Angeles' })
  await ann.call('create_project', { name: 'Back', key: 'BCK' })
  await ann.call('import_tasks', { project_id: 'BCK', content: inline })
  const { items } = await ann.call('list_tasks', { project_id: 'BCK', sort: 'created_at' })
  const days = items.filter((item: any) => item.title.startsWith('Due in'))
  assert.deepEqual(
    days.map((item: any) => [item.due_on, item.start_on]),
    Array.from({ length: 3 }, () => ['2027-03-15', '2027-03-14']),
  )
  const hour = items.find((item: any) => item.title === 'At an hour')
  assert.deepEqual([hour.due_at, hour.due_on], ['2027-03-15T16:30:00.000Z', undefined])
})
