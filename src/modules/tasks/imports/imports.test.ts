import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Queue } from '../../../jobs/queue.ts'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
let ann: Someone
before(async () => {
  workspace = await makeWorkspace()
  ann = workspace.ann
  await ann.call('create_project', { name: 'Shop', key: 'SHOP', member_ids: [workspace.bob.id] })
})
after(() => workspace.close())

const jira = [
  'Summary,Issue key,Status,Status Category,Priority,Assignee,Due date,Labels,Parent key,Inward issue link (Blocks),Comment,Project name',
  'Pay,OLD-2,In QA,In Progress,Highest,Bob,15/Mar/30 12:00 AM,web,OLD-1,OLD-3,"12/Mar/24 3:04 PM;Dana;Looks good",Old',
  'Cart,OLD-1,Done,Done,Low,dana@elsewhere.test,,,,,,Old',
  'Ship,OLD-3,To Do,To Do,,,,web,,,,Old',
].join('\n')

const tasksOf = async (key: string) =>
  (await ann.call('list_tasks', { project_id: key, sort: 'created_at', order: 'asc', limit: 100 }))
    .items

test('a preview shows the resulting tasks and writes nothing', async () => {
  const preview = await ann.call('import_tasks', {
    project_id: 'SHOP',
    content: jira,
    dry_run: true,
  })
  assert.deepEqual(
    [preview.format, preview.records, preview.counts],
    ['jira', 3, { created: 3, skipped: 0 }],
  )
  assert.deepEqual(preview.statuses, [
    { from: 'Done', to: 'Done', by: 'name', count: 1 },
    { from: 'In QA', to: 'In progress', by: 'meaning', count: 1 },
    { from: 'To Do', to: 'To do', by: 'name', count: 1 },
  ])
  assert.deepEqual(preview.people, [
    { name: 'dana@elsewhere.test', to: null, count: 1 },
    { name: 'Bob', to: 'Bob', count: 1 },
  ])
  assert.deepEqual(preview.preview[1], {
    line: 2,
    title: 'Pay',
    status: 'In progress',
    priority: 'urgent',
    due: '2030-03-15',
    assignees: ['Bob'],
    labels: ['web'],
    parent: 'OLD-1',
    comments: 1,
    imported_before: false,
  })
  assert.deepEqual(await tasksOf('SHOP'), [])
})

test('tasks are imported with parents, people, labels, comments, days and dependencies; a second import recognizes them', async () => {
  const statuses = (await ann.call('get_project', { project_id: 'SHOP' })).statuses.map(
    (status: any) => status.name,
  )
  const done = await ann.call('import_tasks', {
    project_id: 'SHOP',
    content: jira,
    statuses: { 'In QA': statuses.at(-2) },
  })
  assert.deepEqual([done.counts, done.created.length], [{ created: 3, skipped: 0 }, 3])
  assert.match(done.warnings.join(), /dana@elsewhere.test is not a member/)
  const [cart, pay, ship] = await tasksOf('SHOP')
  assert.deepEqual(
    [pay.title, pay.parent.id, pay.assignees[0].title, pay.labels[0].title, pay.due_on, pay.status],
    ['Pay', cart.id, 'Bob', 'web', '2030-03-15', statuses.at(-2)],
  )
  assert.deepEqual(
    pay.blocked_by.map((task: any) => task.id),
    [ship.id],
  )
  assert.equal(cart.status_category, 'done')
  const {
    items: [comment],
  } = await ann.call('list_task_comments', { task_id: pay.key })
  assert.match(comment.body_markdown, /^\*\*Dana\*\*, 2024-03-12 15:04:\n\nLooks good$/)
  assert.match(
    (await ann.call('get_task', { task_id: pay.key })).description_markdown,
    /Imported from Jira: OLD-2/,
  )
  const received = (await workspace.bob.call('list_notifications', {})).items
  assert.deepEqual(
    received.filter((notice: any) => notice.item?.type === 'task'),
    [],
    'an import notifies no one',
  )

  const again = await ann.call('import_tasks', { project_id: 'SHOP', content: jira })
  assert.deepEqual(again.counts, { created: 0, skipped: 3 })
  assert.match(again.skipped[0].reason, /already imported \(OLD-1\)/)
})

test('undo reverts an import, which can then be repeated', async () => {
  await ann.call('create_project', { name: 'Undone', key: 'UND' })
  const by = { key: await workspace.key(ann) }
  const first = await ann.call('import_tasks', { project_id: 'UND', content: jira }, by)
  assert.equal((await tasksOf('UND')).length, 3)
  await ann.call('undo_api_call', { call_id: first.undo_call_id }, by)
  assert.equal((await tasksOf('UND')).length, 0)
  assert.equal(
    (await ann.call('import_tasks', { project_id: 'UND', content: jira })).counts.created,
    3,
  )
})

test('a large file is imported by a job in chunks, with dependencies across them', async () => {
  await ann.call('create_project', { name: 'Large', key: 'BIG' })
  const rows = Array.from(
    { length: 450 },
    (_, i) =>
      `Task ${i},T-${i},${i === 0 ? 'T-449' : ''},${i > 0 && i % 10 !== 0 ? `T-${i - (i % 10)}` : ''}`,
  )
  const content = ['title,key,blocked by,parent', ...rows].join('\n')
  const started = await ann.call('import_tasks', { project_id: 'BIG', content })
  assert.deepEqual([started.counts, started.records], [{ created: 0, skipped: 0 }, 450])
  await new Queue(workspace.app).drain()
  const job = await ann.call('get_job', { job_id: started.job.job_id })
  assert.equal(job.state, 'done', job.error)
  assert.deepEqual(
    [job.result.counts, job.result.undo_call_ids.length],
    [{ created: 450, skipped: 0 }, 5],
  )
  const { total } = await ann.call('count_tasks', { project_id: 'BIG', group_by: 'status' })
  assert.equal(total, 450)
  const [first] = await tasksOf('BIG')
  assert.deepEqual(
    [first.title, first.blocked_by.length, first.subtask_counts.total],
    ['Task 0', 1, 9],
  )
  assert.equal(
    workspace.app.store.raw.read.prepare('SELECT count(*) FROM task_import_pieces').pluck().get(),
    0,
  )
})

test('an uploaded file and one of several projects are imported, and invalid input is refused', async () => {
  await ann.call('create_project', { name: 'Part', key: 'PART' })
  const { id } = await ann.call('upload_file', {
    name: 'export.csv',
    content_base64: Buffer.from('\ufefftitle;project\nÄ;One\nB;Two\n').toString('base64'),
  })
  const item = await ann.call('import_tasks', {
    project_id: 'PART',
    file_id: id,
    source_project: 'one',
  })
  assert.deepEqual(
    item.created.map((task: any) => task.title),
    ['Ä'],
  )
  const refused = async (args: Record<string, unknown>) =>
    ann.refused('import_tasks', { project_id: 'PART', ...args })
  assert.match((await refused({})).message, /nothing to import/)
  assert.match((await refused({ content: 'title\nA', file_id: id })).message, /not both/)
  assert.match((await refused({ content: 'x\nA' })).message, /no column contains the task title/)
  assert.match(
    (await refused({ content: 'title\nA', statuses: { Open: 'Nowhere' } })).message,
    /no status "Nowhere"/,
  )
  assert.match(
    (await refused({ content: 'title,assignee\nA,Dana', people: { Dana: workspace.carol.id } }))
      .message,
    /Carol is not a member/,
  )
  assert.equal(
    (await workspace.carol.refused('import_tasks', { project_id: 'PART', content: 'title\nA' }))
      .code,
    'not_found',
  )
  const early = await ann.call('import_tasks', {
    project_id: 'PART',
    content: 'title,start,due\nEarly,2030-02-02,2030-01-01\n',
  })
  assert.deepEqual([early.counts.created, /start is after/.test(early.warnings.join())], [1, true])
})

test('parents without an id are linked by line, also in later chunks of a job', async () => {
  await ann.call('create_project', { name: 'Lists', key: 'LST' })
  const rows = Array.from({ length: 250 }, (_, i) => `task,Part ${i},1,2`)
  const content = ['TYPE,CONTENT,PRIORITY,INDENT', 'task,All parts,1,1', ...rows].join('\n')
  const dry = await ann.call('import_tasks', { project_id: 'LST', content, dry_run: true })
  assert.equal(dry.preview[1].parent, 'All parts')
  const started = await ann.call('import_tasks', { project_id: 'LST', content })
  await new Queue(workspace.app).drain()
  const job = await ann.call('get_job', { job_id: started.job.job_id })
  assert.deepEqual([job.result.counts, job.result.warnings], [{ created: 251, skipped: 0 }, []])
  const [root, ...others] = await tasksOf('LST')
  assert.equal(root.title, 'All parts')
  const below = await ann.call('list_tasks', { project_id: 'LST', parent_id: root.id, limit: 100 })
  assert.equal(below.items.length, 100)
  assert.ok(others.every((task: any) => task.parent?.id === root.id))
  const [last] = (
    await ann.call('list_tasks', { project_id: 'LST', sort: 'created_at', order: 'desc', limit: 1 })
  ).items
  assert.deepEqual([last.title, last.parent?.id], ['Part 249', root.id])
})

test('an import counts omissions by kind, with the first three lines', async () => {
  await ann.call('create_project', { name: 'Left', key: 'LFT' })
  const content = 'ID,Title,Effort,Created\n1,A,3,2026-01-01\n2,B,4,\n3,,5,\n4,C,6,\n1,Again,,\n'
  const leftOut = [
    { what: 'column "Effort"', count: 4, lines: ['line 2', 'line 3', 'line 4'] },
    { what: 'column "Created"', count: 1, lines: ['line 2'] },
    { what: 'The title is missing.', count: 1, lines: ['line 4'] },
  ]
  const before = { what: 'It was already imported.', count: 1, lines: ['line 6'] }
  const first = await ann.call('import_tasks', { project_id: 'LFT', content })
  assert.deepEqual(first.left_out, [...leftOut, before])
  const dry = await ann.call('import_tasks', { project_id: 'LFT', content, dry_run: true })
  assert.deepEqual(dry.left_out, [
    ...leftOut,
    { ...before, count: 4, lines: ['line 2', 'line 3', 'line 5'] },
  ])
  const board = {
    lists: [{ id: 'l', name: 'Doing' }],
    cards: [
      { id: 'c1', name: 'One', idList: 'l', attachments: [{}, {}] },
      { id: 'c2', name: 'Old', idList: 'l', closed: true },
    ],
  }
  const trello = await ann.call('import_tasks', {
    project_id: 'LFT',
    content: JSON.stringify(board),
  })
  assert.deepEqual(trello.left_out, [
    { what: 'attachments of cards', count: 2, lines: ['One', 'One'] },
    { what: 'The card is archived.', count: 1, lines: ['line 2'] },
  ])
})

test('ambiguous dates are read in the format of the organization', async () => {
  await ann.call('create_project', { name: 'Dates', key: 'DTS' })
  const content = 'Title,Due date\nA,3/4/2027\n'
  const dry = await ann.call('import_tasks', { project_id: 'DTS', content, dry_run: true })
  assert.equal(dry.preview[0].due, '2027-04-03')
  assert.match(dry.warnings[0], /Column "Due date": dates such as "3\/4\/2027" were read as day/)
  const args = { project_id: 'DTS', content, dry_run: true, date_order: 'mdy' }
  const preview = await ann.call('import_tasks', args)
  assert.deepEqual([preview.preview[0].due, preview.warnings], ['2027-03-04', []])
})
