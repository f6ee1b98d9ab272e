import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob, carol } = workspace
  await ann.call('create_project', { name: 'Engine', key: 'ENG' })
  await ann.call('add_project_member', { project_id: 'ENG', person_id: bob.id })
  await carol.call('create_project', { name: 'Own', key: 'OWN' })
})
after(() => workspace.close())

const save = (args: Record<string, unknown>) => workspace.ann.call('create_task_template', args)
const refused = (args: Record<string, unknown>) =>
  workspace.ann.refused('create_task_template', { name: 'x', ...args })
const instantiate = (args: Record<string, unknown>) =>
  workspace.ann.call('create_task_from_template', { project_id: 'ENG', ...args })
const get = (id: string) => workspace.ann.call('get_task', { task_id: id, include: ['subtasks'] })

test('an outline becomes a task tree, with variables filled in and days counted from the start', async () => {
  const { ann, bob } = workspace
  const label = await ann.call('create_label', { name: 'Launch' })
  const template = await save({
    name: 'Release',
    outline: {
      title: 'Release {{ version }}',
      description_markdown: 'Of {{version}} by {{who}}',
      priority: 'high',
      labels: ['launch'],
      due_offset_days: 10,
      subtasks: [
        {
          title: 'Test {{version}}',
          assignees: ['bob@acme.test'],
          estimate_minutes: 60,
          start_offset_days: 0,
          due_offset_days: 3,
          subtasks: [{ title: 'By hand' }],
        },
        { title: 'Announce', points: 2 },
      ],
    },
  })
  assert.deepEqual(template.variables, ['version', 'who'])
  assert.equal(template.project, undefined)
  const creation = await instantiate({
    template_id: template.id,
    variables: { version: '{{who}} $& 2', who: 7 },
    start_on: '2026-12-01',
    assignee_ids: ['me'],
  })
  assert.deepEqual(
    [creation.requested, creation.changed, creation.skipped, creation.failed],
    [4, 4, [], []],
  )
  assert.deepEqual(
    creation.items.map((item: any) => item.title),
    ['Release {{who}} $& 2', 'Test {{who}} $& 2', 'By hand', 'Announce'],
  )
  const root = await get(creation.items[0].id)
  assert.equal(root.description_markdown, 'Of {{who}} $& 2 by 7')
  assert.equal(root.due_at, '2026-12-11T22:59:59.000Z')
  assert.equal(root.priority, 'high')
  assert.equal(root.labels[0].id, label.id)
  assert.deepEqual(
    root.assignees.map((assignee: any) => assignee.id),
    [ann.id],
  )
  assert.deepEqual(root.subtasks.map((subtask: any) => subtask.title).toSorted(), [
    'Announce',
    'Test {{who}} $& 2',
  ])
  const tested = await get(creation.items[1].id)
  assert.deepEqual(
    [tested.start_at, tested.due_at, tested.estimate_minutes],
    ['2026-11-30T23:00:00.000Z', '2026-12-04T22:59:59.000Z', 60],
  )
  assert.deepEqual(
    tested.assignees.map((assignee: any) => assignee.id),
    [bob.id],
  )
  const [again] = (await ann.call('list_task_templates', { query: 'RELEASE' })).items
  for (const query of ['%', '_', '\\'])
    assert.deepEqual((await ann.call('list_task_templates', { query })).items, [], query)
  assert.equal(again.use_count, 1)
  assert.equal(again.revision, template.revision)
})

test('an existing task with its subtasks becomes a template of its project', async () => {
  const { ann } = workspace
  const task = await ann.call('create_task', {
    project_id: 'ENG',
    title: 'Hire',
    start_at: '2026-12-01',
    due_at: '2026-12-10',
    priority: 'low',
  })
  await ann.call('create_task', {
    project_id: 'ENG',
    title: 'Call',
    parent_id: task.id,
    due_at: '2026-12-03',
    assignee_ids: ['me'],
  })
  const template = await save({ name: 'Hiring', from_task_id: task.key })
  assert.equal(template.project.key, 'ENG')
  assert.deepEqual(template.outline, {
    title: 'Hire',
    priority: 'low',
    due_offset_days: 9,
    start_offset_days: 0,
    subtasks: [{ title: 'Call', assignees: [ann.id], due_offset_days: 2 }],
  })
})

test('project templates are visible to members, others to everybody', async () => {
  const { ann, bob, carol, eve } = workspace
  const projectTemplate = await save({
    name: 'Ours',
    project_id: 'ENG',
    outline: { title: 'canary' },
  })
  const shared = await save({ name: 'Shared', outline: { title: 'all' } })
  const names = async (who: any, args = {}) =>
    (await who.call('list_task_templates', { limit: 100, ...args })).items.map(
      (item: any) => item.name,
    )
  assert.ok((await names(bob)).includes('Ours'))
  assert.deepEqual(
    (await names(carol)).filter((name: string) => ['Ours', 'Shared', 'Hiring'].includes(name)),
    ['Shared'],
  )
  assert.deepEqual(await names(eve), [])
  assert.ok(!(await names(ann, { project_id: 'ENG' })).includes('Shared'))
  assert.equal(
    (await carol.refused('list_task_templates', { project_id: 'ENG' })).code,
    'not_found',
  )
  assert.equal(
    (
      await carol.refused('create_task_from_template', {
        template_id: projectTemplate.id,
        project_id: 'OWN',
      })
    ).code,
    'not_found',
  )
  assert.equal(
    (
      await carol.refused('create_task_from_template', {
        template_id: shared.id,
        project_id: 'ENG',
      })
    ).code,
    'not_found',
  )
  assert.equal(
    (await eve.refused('create_task_from_template', { template_id: shared.id, project_id: 'ENG' }))
      .code,
    'not_found',
  )
  assert.equal(
    (await carol.call('create_task_from_template', { template_id: shared.id, project_id: 'OWN' }))
      .changed,
    1,
  )
  assert.equal(
    (
      await carol.refused('create_task_template', {
        name: 'x',
        project_id: 'ENG',
        outline: { title: 'x' },
      })
    ).code,
    'not_found',
  )
})

test('templates are listed by name, paginated', async () => {
  const { ann } = workspace
  const page = await ann.call('list_task_templates', { limit: 1 })
  assert.equal(page.has_more, true)
  assert.notEqual(
    (await ann.call('list_task_templates', { limit: 1, cursor: page.next_cursor })).items[0].id,
    page.items[0].id,
  )
})

test('missing or unknown values, and values that make an invalid title, are refused by name', async () => {
  const { ann } = workspace
  const { id } = await save({
    name: 'Vars',
    outline: { title: '{{a}}', description_markdown: '{{b}}' },
  })
  const refusedWith = (variables?: Record<string, unknown>) =>
    ann.refused('create_task_from_template', {
      template_id: id,
      project_id: 'ENG',
      ...(variables ? { variables } : {}),
    })
  assert.match((await refusedWith()).message, /a, b is missing/)
  assert.match((await refusedWith({ a: 'x', b: 'y', c: 'z' })).message, /no variable c\./)
  assert.match((await refusedWith({ a: ' ', b: 'y' })).message, /blank/)
  assert.match((await refusedWith({ a: 'x'.repeat(501), b: 'y' })).message, /501 characters/)
  assert.equal((await refusedWith({ a: { b: 1 }, b: 'y' })).code, 'invalid_argument')
})

test('outlines are checked at every depth', async () => {
  const deep = (levels: number): any => ({
    title: 'x',
    ...(levels > 1 ? { subtasks: [deep(levels - 1)] } : {}),
  })
  assert.ok(await save({ name: 'Five', outline: deep(5) }))
  assert.match((await refused({ outline: deep(6) })).message, /5 levels/)
  assert.match(
    (
      await refused({
        outline: { title: 'x', subtasks: Array.from({ length: 200 }, () => ({ title: 'y' })) },
      })
    ).message,
    /201 tasks/,
  )
  assert.match(
    (
      await refused({
        outline: { title: 'x', subtasks: [{ title: 'y', subtasks: [{ titel: 'z' }] }] },
      })
    ).message,
    /outline\.subtasks\.0\.subtasks\.0/,
  )
  assert.match(
    (await refused({ outline: { title: 'x', subtasks: [{ title: 'y', status: 'Done' }] } }))
      .message,
    /status: not a field of an outline/,
  )
  assert.match(
    (await refused({ outline: { title: 'x', labels: ['nowhere'] } })).message,
    /no label is named "nowhere"/,
  )
  assert.equal(
    (await refused({ outline: { title: 'x', assignees: ['eve@other.test'] } })).code,
    'not_found',
  )
  assert.match(
    (await refused({ outline: { title: '{{a}}' }, variables: ['b'] })).message,
    /\{\{a\}\} in the outline is not listed/,
  )
  assert.match(
    (await refused({ outline: { title: 'x' }, variables: ['b'] })).message,
    /b does not appear/,
  )
  assert.match((await refused({})).message, /either an outline or from_task_id/)
})

test('deleted labels and unavailable people are omitted and reported', async () => {
  const { ann, carol } = workspace
  const label = await ann.call('create_label', { name: 'Passing' })
  const { id } = await save({
    name: 'Gone',
    outline: { title: 'Gone', labels: ['Passing'], assignees: [carol.id] },
  })
  await ann.call('delete_label', { label_id: label.id })
  const creation = await instantiate({ template_id: id })
  assert.equal(creation.changed, 1)
  assert.deepEqual(
    creation.skipped.map((item: any) => item.reason),
    ['The label "Passing" no longer exists.', 'Carol cannot be assigned in ENG.'],
  )
})

test('custom field values are applied where the project has the field, and required ones may be missing', async () => {
  const { ann } = workspace
  await ann.call('create_project', { name: 'Fields', key: 'FLD' })
  await ann.call('create_custom_field', {
    project_id: 'FLD',
    name: 'Size',
    type: 'select',
    options: ['S', 'L'],
  })
  const task = await ann.call('create_task', {
    project_id: 'FLD',
    title: 'Sized',
    custom_fields: { Size: 'L' },
  })
  await ann.call('create_custom_field', {
    project_id: 'FLD',
    name: 'Owner',
    type: 'text',
    required: true,
  })
  const { id } = await save({ name: 'Sizes', from_task_id: task.id })
  const [here] = (
    await ann.call('create_task_from_template', { template_id: id, project_id: 'FLD' })
  ).items
  assert.deepEqual((await get(here.id)).custom_fields, { Size: 'L' })
  const there = await instantiate({ template_id: id })
  assert.match(there.skipped[0].reason, /ENG has no custom field/)
})

test('a tree is undone as a whole', async () => {
  const { ann } = workspace
  const { id } = await save({
    name: 'Undone',
    outline: { title: 'Undone', subtasks: [{ title: 'Below' }] },
  })
  const creation = await instantiate({ template_id: id })
  assert.equal((await ann.call('undo_api_call', { call_id: creation.undo_call_id })).undone, true)
  for (const item of creation.items)
    assert.equal((await ann.refused('get_task', { task_id: item.id })).code, 'not_found')
})

test('an idempotency key creates a tree only once', async () => {
  const { id } = await save({ name: 'Once', outline: { title: 'Once' } })
  const once = () => instantiate({ template_id: id, idempotency_key: 'tree' })
  assert.deepEqual((await once()).items, (await once()).items)
})
