import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  await workspace.ann.call('create_project', {
    name: 'Actions',
    key: 'ACT',
    member_ids: [workspace.bob.id],
  })
})
after(() => workspace.close())

const createMeeting = (fields: object = {}) =>
  workspace.ann.call('create_meeting', {
    title: 'Weekly',
    participants: [workspace.bob.id, workspace.carol.id, 'Zed <zed@customer.example>'],
    ...fields,
  })
const listItems = async (args: Record<string, unknown> = {}, who: Someone = workspace.ann) =>
  (await who.call('list_action_items', args)).items
const lastCall = (tool: string) =>
  workspace.app.store.raw.read
    .prepare("SELECT id FROM calls WHERE tool = ? AND status = 'ok' ORDER BY seq DESC LIMIT 1")
    .pluck()
    .get(tool) as string

test('action items have an owner, a due date, a quote and its time in the recording; the owner is notified', async () => {
  const { ann, bob } = workspace
  const { id: meeting_id } = await createMeeting()
  const added = await ann.call('add_action_items', {
    meeting_id,
    items: [
      {
        text: ' Send the offer ',
        owner: 'bob@acme.test',
        due_on: '2026-12-01',
        quote: 'I will send it',
        at_second: 93,
      },
      { text: 'Sign', owner: 'zed' },
      { text: 'Ask legal', owner: 'The lawyers' },
      { text: 'Nobody yet' },
    ],
  })
  assert.deepEqual(
    [added.requested, added.changed, added.items.map((item: any) => item.type)],
    [4, 4, Array(4).fill('action_item')],
  )
  const listedItems = (await ann.call('get_meeting', { meeting_id })).action_items
  assert.deepEqual(
    listedItems.map((item: any) => [
      item.text,
      item.owner?.person?.title ?? item.owner?.email ?? item.owner?.name,
      item.status,
    ]),
    [
      ['Send the offer', 'Bob', 'open'],
      ['Sign', 'zed@customer.example', 'open'],
      ['Ask legal', 'The lawyers', 'open'],
      ['Nobody yet', undefined, 'open'],
    ],
  )
  assert.deepEqual(
    [
      listedItems[0].due_on,
      listedItems[0].quote,
      listedItems[0].at_second,
      listedItems[0].meeting.title,
    ],
    ['2026-12-01', 'I will send it', 93, 'Weekly'],
  )
  assert.deepEqual((await ann.call('get_meeting', { meeting_id })).missing, ['owners', 'tasks'])
  assert.deepEqual(
    workspace.app.store.raw.read
      .prepare('SELECT kind, text FROM notifications WHERE person_id = ? AND item_id = ?')
      .all(bob.id, added.items[0].id),
    [{ kind: 'assignment', text: 'Ann gave you an action from a meeting' }],
  )
  assert.ok(
    workspace.app.store.raw.read
      .prepare("SELECT 1 FROM changes WHERE item_id = ? AND events_json LIKE '%action_item.added%'")
      .get(added.items[0].id),
  )
})

test('adding is all or nothing, and the invalid item is named', async () => {
  const { ann, carol, eve } = workspace
  const { id: meeting_id } = await createMeeting({ participants: [], visibility: 'organization' })
  const refused = await ann.refused('add_action_items', {
    meeting_id,
    items: [{ text: 'fine' }, { text: 'x', owner: eve.id }],
  })
  assert.deepEqual([refused.code, refused.more.field], ['not_found', 'items[1].owner'])
  assert.equal(
    (
      await ann.refused('add_action_items', {
        meeting_id,
        items: [{ text: 'x', due: '2026-12-01' }],
      })
    ).code,
    'invalid_argument',
  )
  assert.deepEqual(await listItems({ meeting_id }), [])
  assert.equal(
    (await carol.refused('add_action_items', { meeting_id, items: [{ text: 'x' }] })).code,
    'permission_denied',
  )
})

test('the list is filtered by meeting, owner, project, state and day; nearest due date first', async () => {
  const { ann, bob, carol, eve } = workspace
  const projectMeeting = await createMeeting({ project_id: 'ACT' })
  const otherMeeting = await createMeeting({ participants: [bob.id] })
  await ann.call('add_action_items', {
    meeting_id: projectMeeting.id,
    items: [
      { text: 'L late', due_on: '2027-01-09', owner: 'Bob' },
      { text: 'L none', owner: 'me' },
    ],
  })
  await ann.call('add_action_items', {
    meeting_id: otherMeeting.id,
    items: [
      { text: 'L soon', due_on: '2027-01-02', owner: 'Someone Else' },
      { text: 'L outside', owner: 'pat@x.example', due_on: '2027-01-03' },
    ],
  })
  const textsFor = async (args: Record<string, unknown> = {}, who = ann) =>
    (await listItems(args, who))
      .map((item: any) => item.text)
      .filter((text: string) => text.startsWith('L '))
  assert.deepEqual(await textsFor(), ['L soon', 'L outside', 'L late', 'L none'])
  assert.deepEqual(await textsFor({ due_before: '2027-01-03' }), ['L soon', 'L outside'])
  assert.deepEqual(
    [
      await textsFor({ owner: 'me' }),
      await textsFor({ owner: bob.id }),
      await textsFor({ owner: 'someone else' }),
      await textsFor({ owner: 'pat@x.example' }),
    ],
    [['L none'], ['L late'], ['L soon'], ['L outside']],
  )
  assert.deepEqual(await textsFor({ project_id: 'ACT' }), ['L late', 'L none'])
  assert.deepEqual([await textsFor({}, carol), await textsFor({}, eve)], [['L late', 'L none'], []])
  assert.deepEqual(await textsFor({ status: ['done', 'dropped', 'task_created'] }), [])
  assert.equal((await ann.refused('list_action_items', { owner: eve.id })).code, 'not_found')
  const page = await ann.call('list_action_items', { limit: 2 })
  assert.equal(
    new Set(
      [...page.items, ...(await listItems({ limit: 100, cursor: page.next_cursor }))].map(
        (item: any) => item.id,
      ),
    ).size,
    (await listItems({ limit: 100 })).length,
  )
})

test('tasks created from action items carry assignee, due date, quote and a link back; each item becomes a task only once', async () => {
  const { ann, bob, carol } = workspace
  const { id: meeting_id } = await createMeeting({ title: 'Secret name' })
  const { items: actionItems } = await ann.call('add_action_items', {
    meeting_id,
    items: [
      {
        text: 'Write it',
        owner: 'Bob',
        due_on: '2026-12-01',
        quote: 'I write\nit',
        at_second: 3723,
      },
      { text: 'Read it', owner: 'Carol' },
    ],
  })
  const args = { action_item_ids: actionItems.map((item: any) => item.id), project_id: 'ACT' }
  const dryRun = await ann.call('create_tasks_from_action_items', { ...args, dry_run: true })
  assert.deepEqual(
    [
      dryRun.changed,
      dryRun.dry_run,
      dryRun.undo_call_id,
      (await listItems({ meeting_id })).map((item: any) => item.status),
    ],
    [2, true, undefined, ['open', 'open']],
  )
  const done = await ann.call('create_tasks_from_action_items', args)
  assert.deepEqual([done.requested, done.changed, done.skipped, done.failed], [2, 2, [], []])
  const [first, second] = await Promise.all(
    done.items.map((item: any) => bob.call('get_task', { task_id: item.id })),
  )
  assert.deepEqual(
    [
      first.title,
      first.assignees.map((assignee: any) => assignee.title),
      first.due_at,
      first.source.type,
      first.source.id,
    ],
    ['Write it', ['Bob'], '2026-12-01T22:59:59.000Z', 'action_item', actionItems[0].id],
  )
  assert.match(first.description_markdown, /> I write\n> it\n/)
  assert.match(
    first.description_markdown,
    new RegExp(`\\(/meetings/${meeting_id}#${actionItems[0].id}\\), at 1:02:03\\.`),
  )
  assert.equal(first.description_markdown.includes('Secret name'), false)
  assert.deepEqual(
    [second.assignees, second.description_markdown.includes('Agreed for: Carol')],
    [[], true],
  )
  const [write] = await listItems({ meeting_id }, bob)
  assert.deepEqual([write.status, write.task.key], ['task_created', first.key])
  const [forCarol] = await listItems({ meeting_id }, carol)
  assert.deepEqual([forCarol.status, forCarol.task], ['task_created', undefined])
  const again = await ann.call('create_tasks_from_action_items', args)
  assert.deepEqual(
    [again.changed, again.undo_call_id, again.skipped[0]],
    [
      0,
      undefined,
      { id: actionItems[0].id, title: 'Write it', reason: `it already has a task: ${first.key}` },
    ],
  )
  await carol.call('create_project', { name: 'Carols', key: 'CAR' })
  const carolsResult = await carol.call('create_tasks_from_action_items', {
    ...args,
    project_id: 'CAR',
  })
  assert.deepEqual(
    carolsResult.skipped.map((item: any) => item.reason),
    Array(2).fill('it already has a task, which is not visible to you'),
  )
  assert.deepEqual((await ann.call('get_meeting', { meeting_id })).missing, [])
})

test('an action item follows its task: done, reopened, dropped, open while the task is trashed, and back', async () => {
  const { ann } = workspace
  const { id: meeting_id } = await createMeeting()
  const { items: actionItems } = await ann.call('add_action_items', {
    meeting_id,
    items: [{ text: 'Follow me' }],
  })
  const status = async () => (await listItems({ meeting_id }))[0].status
  const task = await ann.call('create_task_from_source', {
    source_type: 'action_item',
    source_id: actionItems[0].id,
    project_id: 'ACT',
  })
  assert.equal(await status(), 'task_created')
  await ann.call('complete_task', { task_id: task.id })
  assert.equal(await status(), 'done')
  assert.deepEqual((await listItems({ meeting_id, status: ['done'] })).length, 1)
  await ann.call('reopen_task', { task_id: task.id })
  assert.equal(await status(), 'task_created')
  await ann.call('update_task', { task_id: task.id, status: 'Cancelled' })
  assert.equal(await status(), 'dropped')
  await ann.call('delete_task', { task_id: task.id })
  assert.equal(await status(), 'open')
  await ann.call('restore_item', { item_id: task.id })
  assert.equal(await status(), 'dropped')
})

test('undo removes the tasks and reopens the action items; undoing the addition removes the items', async () => {
  const { ann } = workspace
  const { id: meeting_id } = await createMeeting()
  const { items: actionItems } = await ann.call('add_action_items', {
    meeting_id,
    items: [{ text: 'U one', owner: 'Bob' }, { text: 'U two' }],
  })
  await ann.call('create_tasks_from_action_items', {
    action_item_ids: actionItems.map((item: any) => item.id),
    project_id: 'ACT',
  })
  assert.equal(
    (await ann.call('undo_api_call', { call_id: lastCall('create_tasks_from_action_items') }))
      .undone,
    true,
  )
  assert.deepEqual(
    (await listItems({ meeting_id })).map((item: any) => item.status),
    ['open', 'open'],
  )
  assert.equal(
    (await ann.call('undo_api_call', { call_id: lastCall('add_action_items') })).undone,
    true,
  )
  assert.deepEqual(await listItems({ meeting_id }), [])
  assert.equal(
    (await ann.call('undo_api_call', { call_id: lastCall('undo_api_call') })).undone,
    true,
  )
  assert.deepEqual(
    (await listItems({ meeting_id })).map((item: any) => [item.text, item.owner?.name]),
    [
      ['U one', 'Bob'],
      ['U two', undefined],
    ],
  )
})

test('action items of an invisible meeting do not exist, not even in a list of ids', async () => {
  const { ann, bob, eve } = workspace
  const { id: meeting_id } = await createMeeting({ participants: [] })
  const { items } = await ann.call('add_action_items', {
    meeting_id,
    items: [{ text: 'Mine' }],
  })
  for (const who of [bob, eve]) {
    const projectId =
      who === bob ? 'ACT' : (await eve.call('create_project', { name: 'E', key: 'EVE' })).id
    assert.equal(
      (
        await who.refused('create_tasks_from_action_items', {
          action_item_ids: [items[0].id],
          project_id: projectId,
        })
      ).code,
      'not_found',
    )
    assert.equal(
      (
        await who.refused('create_task_from_source', {
          source_type: 'action_item',
          source_id: items[0].id,
          project_id: projectId,
        })
      ).code,
      'not_found',
    )
    assert.equal((await who.refused('list_action_items', { meeting_id })).code, 'not_found')
  }
})
