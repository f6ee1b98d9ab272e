import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dayLong, makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  await workspace.ann.call('create_project', {
    name: 'Engineering',
    key: 'ENG',
    member_ids: [workspace.bob.id],
  })
  await workspace.ann.call('create_project', { name: 'Private', key: 'PRIV' })
})
after(() => workspace.close())

const onUpdated = { type: 'event', params: { event: 'task.updated' } }
const comment = {
  type: 'add_task_comment',
  params: { task_id: '{{ item.id }}', body_markdown: 'Seen: {{ item.title }}' },
}
const createAutomation = (more: Record<string, unknown> = {}) =>
  workspace.ann.call('create_automation', {
    name: 'Rule',
    trigger: onUpdated,
    actions: [comment],
    ...more,
  })
const rowCounts = () =>
  workspace.app.store.raw.write
    .prepare(
      'SELECT (SELECT max(seq) FROM changes) AS seq, (SELECT count(*) FROM automation_runs) AS runs, (SELECT count(*) FROM jobs) AS jobs',
    )
    .get()

test('a dry run against an item shows which conditions hold and what each action would do, and changes nothing', async () => {
  const { ann } = workspace
  const task = await ann.call('create_task', {
    project_id: 'ENG',
    title: 'Broken door',
    priority: 'urgent',
  })
  const { id } = await createAutomation({
    trigger: { type: 'manual', params: {} },
    conditions: [
      { expression: 'item.priority == "urgent"' },
      { expression: 'item.title.startsWith("Fixed")' },
      { expression: 'item.nope' },
    ],
  })
  const before = rowCounts()
  const preview = await ann.call('test_automation', { automation_id: id, item_id: task.id })
  assert.deepEqual(
    preview.conditions.map((condition: any) => [condition.held, condition.value]),
    [
      [true, true],
      [false, false],
      [false, undefined],
    ],
  )
  assert.match(preview.conditions[2].error, /field not found: nope/)
  assert.equal(preview.would_trigger, false)
  assert.deepEqual(
    [
      preview.actions[0].type,
      preview.actions[0].target.id,
      preview.actions[0].params.body_markdown,
      preview.actions[0].outbound,
    ],
    ['add_task_comment', task.id, 'Seen: Broken door', false],
  )
  assert.ok(preview.warnings.some((warning: string) => warning.includes('disabled')))
  assert.deepEqual(rowCounts(), before)
})

test('a sample replaces the real data; unknown names are refused, and so is a sample together with an item', async () => {
  const { ann, bob, eve } = workspace
  const { id } = await createAutomation({
    conditions: [{ expression: 'has(changes.status) && changes.status.to == "done"' }],
    actions: [
      { type: 'create_task', params: { project_id: 'ENG', title: 'After {{ item.title }}' } },
    ],
  })
  const preview = await ann.call('test_automation', {
    automation_id: id,
    sample: { item: { title: 'Door' }, changes: { status: { from: 'todo', to: 'done' } } },
  })
  assert.deepEqual(
    [preview.would_trigger, preview.held_against, preview.actions[0].params],
    [true, 'the sample', { project_id: 'ENG', title: 'After Door' }],
  )
  assert.equal(
    (await ann.refused('test_automation', { automation_id: id, sample: { secrets: 1 } })).more
      .field,
    'sample.secrets',
  )
  assert.equal(
    (await ann.refused('test_automation', { automation_id: id, sample: {}, item_id: id })).more
      .field,
    'sample',
  )
  for (const other of [bob, eve])
    assert.equal((await other.refused('test_automation', { automation_id: id })).code, 'not_found')
})

test('replay lists past events that would have triggered it, newest first, limited to those visible to its owner', async () => {
  const { ann, bob, clock } = workspace
  const tasks = []
  for (const title of ['One', 'Two', 'Three'])
    tasks.push(await bob.call('create_task', { project_id: 'ENG', title }))
  await ann.call('create_task', { project_id: 'PRIV', title: 'Hidden' })
  const { id } = await bob.call('create_automation', {
    name: 'Bobs',
    trigger: { type: 'event', params: { event: 'task.created' } },
    conditions: [{ expression: 'item.title != "Two"' }],
    actions: [comment],
  })
  const preview = await bob.call('test_automation', { automation_id: id, replay_days: 7 })
  assert.deepEqual(
    preview.replay.slice(0, 3).map((item: any) => [item.item.id, item.event, item.would_trigger]),
    [
      [tasks[2].id, 'task.created', true],
      [tasks[1].id, 'task.created', false],
      [tasks[0].id, 'task.created', true],
    ],
  )
  assert.equal(JSON.stringify(preview).includes('Hidden'), false)
  assert.match(preview.held_against, /^task.created of ENG-\d+/)
  assert.equal(preview.actions[0].params.body_markdown, 'Seen: Three')
  clock.pass(40 * dayLong)
  const later = await bob.call('test_automation', { automation_id: id, replay_days: 7 })
  assert.deepEqual([later.replay, later.would_trigger, later.held_against], [[], false, 'nothing'])
  assert.ok(later.warnings.some((warning: string) => warning.startsWith('No event of the last')))
})

test('steps are followed through branches, lists, waits and stops; reads are executed, and values that depend on a write are marked', async () => {
  const { ann } = workspace
  const parent = await ann.call('create_task', { project_id: 'ENG', title: 'Parent' })
  const { id } = await createAutomation({
    trigger: { type: 'manual', params: {} },
    actions: [
      { type: 'get_task', id: 'seen', params: { task_id: '{{ input.task }}' } },
      {
        type: 'branch',
        params: {
          if: 'steps.seen.title == "Parent"',
          then: [
            {
              type: 'create_task',
              id: 'made',
              params: { project_id: 'ENG', title: 'Of {{ steps.seen.title }}' },
            },
          ],
        },
      },
      {
        type: 'for_each',
        params: {
          items: 'input.names',
          do: [
            { type: 'create_task', params: { project_id: 'ENG', title: '{{ index }} {{ each }}' } },
          ],
        },
      },
      { type: 'update_task', params: { task_id: '{{ steps.made.id }}', title: 'x' } },
      { type: 'wait', params: { hours: 2 } },
      { type: 'stop', params: {} },
      { type: 'create_task', params: { project_id: 'ENG', title: 'never' } },
    ],
  })
  const { actions } = await ann.call('test_automation', {
    automation_id: id,
    sample: { input: { task: parent.id, names: ['a', 'b', 'c', 'd', 'e'] } },
  })
  assert.deepEqual(
    actions.map((action: any) => `${action.path} ${action.type}`),
    [
      '0 get_task',
      '1 branch',
      '1.then.0 create_task',
      '2 for_each',
      '2.0.0 create_task',
      '2.1.0 create_task',
      '2.2.0 create_task',
      '3 update_task',
      '4 wait',
      '5 stop',
    ],
  )
  assert.equal(actions[2].params.title, 'Of Parent')
  assert.equal(actions[6].params.title, '2 c')
  assert.match(actions[7].would_do, /the result of step made/)
  assert.deepEqual(
    actions.filter((action: any) => action.problem),
    [],
  )
})

test('expected failures are reported: wrong arguments, invisible or read-only items, unknown names', async () => {
  const { ann, bob } = workspace
  const hidden = await ann.call('create_task', { project_id: 'PRIV', title: 'Hidden' })
  const updateAction = (params: object) => [{ type: 'update_task', params, on_error: 'continue' }]
  const { id } = await bob.call('create_automation', {
    name: 'Bobs',
    trigger: { type: 'manual', params: {} },
    actions: [
      ...updateAction({ task_id: hidden.id, title: 'x' }),
      ...updateAction({ task_id: '{{ item.nope }}' }),
      ...updateAction({ task_id: 'ENG-1', priority: '{{ input.p }}' }),
    ],
  })
  const { actions, warnings } = await bob.call('test_automation', {
    automation_id: id,
    sample: { input: { p: 'huge' }, item: {} },
  })
  assert.deepEqual(
    actions.map((action: any) =>
      /no such|not found|There is no|undefined variable|priority/i.test(action.problem),
    ),
    [true, true, true],
    JSON.stringify(actions),
  )
  assert.equal(warnings.filter((warning: string) => warning.includes('would fail')).length, 3)
  assert.equal(JSON.stringify(actions).includes('Hidden'), false)
})

test('it warns about loops and outbound actions', async () => {
  const { ann } = workspace
  const warnsOfLoop = async (event: string, type: string, params: object) =>
    (
      await ann.call('test_automation', {
        automation_id: (
          await createAutomation({
            trigger: { type: 'event', params: { event } },
            actions: [{ type, params }],
          })
        ).id,
        sample: { item: { id: 'ENG-1' } },
      })
    ).warnings.some((warning: string) => warning.includes('trigger it again'))
  assert.equal(
    await warnsOfLoop('task.updated', 'update_task', { task_id: '{{ item.id }}', title: 'x' }),
    true,
  )
  assert.equal(
    await warnsOfLoop('task.created', 'create_task', { project_id: 'ENG', title: 'x' }),
    true,
  )
  assert.equal(
    await warnsOfLoop('task.created', 'update_task', { task_id: '{{ item.id }}', title: 'x' }),
    false,
  )
  assert.equal(
    await warnsOfLoop('project.created', 'create_task', { project_id: 'ENG', title: 'x' }),
    false,
  )
  assert.equal(
    await warnsOfLoop('task.completed', 'complete_task', { task_id: '{{ item.id }}' }),
    true,
  )
  const page = await ann.call('create_page', { title: 'Plan', body_markdown: 'x' })
  const { id } = await createAutomation({
    trigger: { type: 'manual', params: {} },
    actions: [{ type: 'publish_page', params: { page_id: '{{ item.id }}' } }],
  })
  const preview = await ann.call('test_automation', { automation_id: id, item_id: page.id })
  assert.deepEqual([preview.actions[0].outbound, preview.actions[0].target.id], [true, page.id])
  assert.ok(preview.warnings.includes('It sends something outside with publish_page.'))
})

test('the catalogue describes every part with its fields, is searchable by words, and is paged', async () => {
  const { ann, app, key } = workspace
  const listAll = async (more: Record<string, unknown>, as: object = {}) => {
    const items: any[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await ann.call(
        'list_automation_catalog',
        { limit: 100, ...more, ...(cursor ? { cursor } : {}) },
        as,
      )
      items.push(...page.items)
      if (!page.has_more) return items
      cursor = page.next_cursor
    }
  }
  const actions = await listAll({ kind: 'action' })
  const types = actions.map((action) => action.type)
  assert.equal(new Set(types).size, types.length)
  assert.ok(
    ['wait', 'branch', 'for_each', 'stop', 'create_task', 'get_automation'].every((name) =>
      types.includes(name),
    ),
  )
  assert.ok(!types.includes('create_automation') && !types.includes('enable_automation'))
  assert.ok(actions.every((action) => action.params === undefined))
  const fullPart = async (type: string, kind?: string) => {
    const [first, ...more] = await listAll({ type, kind })
    for (const { params } of more) Object.assign(first.params.properties, params.properties)
    return first
  }
  const create = await fullPart('create_task')
  assert.deepEqual(
    [
      create.module,
      create.outbound,
      create.params.required.includes('title'),
      'idempotency_key' in create.params.properties,
    ],
    ['tasks', false, true, false],
  )
  const triggers = await listAll({ kind: 'trigger' })
  const events = triggers.flatMap((trigger) => trigger.event ?? [])
  assert.ok(events.includes('task.completed') && !events.includes('automation.updated'))
  assert.equal(triggers.length, events.length + 4)
  assert.equal((await fullPart('task.completed')).params.properties.event.const, 'task.completed')
  assert.ok('filter' in (await fullPart('event', 'trigger')).params.properties)
  for (const event of events)
    await createAutomation({ trigger: { type: 'event', params: { event } } })
  const task = (await fullPart('task')).params.properties
  assert.ok('priority' in task && 'subtasks' in task && 'watchers' in task)
  for (const kind of [undefined, 'trigger', 'condition', 'action'])
    for (const query of [undefined, 'message', 'task']) {
      const page = await ann.call('list_automation_catalog', { kind, query })
      const { length } = JSON.stringify(page)
      assert.ok(length <= 6000, `${kind} ${query}: ${length} characters`)
    }
  for (const type of ['task', 'incident', 'email_thread', 'create_task', 'create_incident', 'page'])
    for (let cursor: string | undefined, n = 0; n === 0 || cursor; n++) {
      const page = await ann.call('list_automation_catalog', { type, ...(cursor && { cursor }) })
      const { length } = JSON.stringify(page)
      assert.ok(length <= 6000, `${type}, page ${n}: ${length} characters`)
      cursor = page.next_cursor
    }
  assert.deepEqual(
    (await listAll({ query: 'for_each' })).map((item) => item.type),
    ['for_each'],
  )
  const narrow = await listAll(
    { kind: 'action' },
    { via: 'api', key: await key(ann, { toolsets: ['automations', 'labels'] }) },
  )
  assert.deepEqual(
    [...new Set(narrow.map((item) => item.module))].sort(),
    ['automations', 'labels'].filter((name) =>
      app.catalogue.modules.some((module) => module.name === name),
    ),
  )
  assert.equal(
    (await ann.refused('list_automation_catalog', { cursor: 'x' })).code,
    'invalid_argument',
  )
})
