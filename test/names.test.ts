import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Entry } from '../src/operations/entry.ts'
import { readWithoutLogging } from '../src/operations/call/index.ts'
import type { WriteContext } from '../src/operations/context.ts'
import { AnyItemParam } from '../src/records/items.ts'
import { resolveOperationRows } from '../src/operations/call/named-rows.ts'
import { Refusal } from '../src/kernel/refusal.ts'
import {
  allResources,
  type ItemTable,
  type RowParam,
  type Mode,
  type Resource,
} from '../src/records/resource.ts'
import type { WireParam } from '../src/operations/schemas.ts'
import { makeWorkspace, type Someone, type TestWorkspace } from '../src/testing/harness.ts'
import { plantModules, plantOpenly } from '../src/testing/fixtures/index.ts'
import type { Ids } from '../src/testing/fixtures/fixture.ts'

// Every id argument accepts a name if such items have names, using one resolver: a unique name is accepted, ambiguous
// and unknown ones are refused with candidates, which never include items invisible to the caller.

let workspace: TestWorkspace
let first: Ids
let second: Ids
let hidden: Ids
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob } = workspace
  first = await plant(ann, 'amber', 'AMB')
  second = await plant(ann, 'cobalt', 'COB')
  hidden = await plant(bob, 'zuyxhidden', 'ZUYX')
})
after(() => workspace.close())

async function plant(who: Someone, word: string, key: string): Promise<Ids> {
  const make = (tool: string, args?: Record<string, unknown>) => who.call(tool, args)
  const say = (what: string) => `${word} ${what}`
  const project = await make('create_project', { name: say('project'), key })
  const field = await make('create_custom_field', {
    project_id: key,
    name: say('field'),
    type: 'text',
  })
  const sprint = await make('create_sprint', {
    project_id: key,
    name: say('sprint'),
    starts_on: '2026-11-16',
    ends_on: '2026-11-29',
  })
  const milestone = await make('create_milestone', {
    project_id: key,
    name: say('milestone'),
    due_on: '2026-11-25',
  })
  const task = await make('create_task', {
    project_id: key,
    title: say('task'),
    sprint_id: sprint.id,
  })
  const comment = await make('add_task_comment', {
    task_id: task.id,
    body_markdown: say('comment'),
  })
  const template = await make('create_task_template', {
    name: say('template'),
    from_task_id: task.id,
    project_id: key,
  })
  const view = await make('create_saved_view', { name: say('view'), item_type: 'task', filter: {} })
  const webhook = await make('create_webhook', {
    url: 'https://93.184.216.34/',
    name: say('webhook'),
    events: ['task.*'],
  })
  const issued = await workspace.key(who, { name: say('key') })
  const ids: Ids = {
    project: [project.id],
    custom_field: [field.id],
    sprint: [sprint.id],
    milestone: [milestone.id],
    task: [task.id],
    comment: [comment.id],
    task_template: [template.id],
    saved_view: [view.id],
    webhook: [webhook.id],
    api_key: [issued.id],
    person: [who.id],
  }
  const planted = await plantModules(make as never, say, ids, workspace.app.store)
  const open = word === 'zuyxhidden' ? {} : await plantOpenly(make as never, say)
  const team =
    word === 'zuyxhidden'
      ? {}
      : {
          team: [(await make('create_team', { name: say('team'), lead_id: who.id })).id],
          label: [(await make('create_label', { name: say('label') })).id],
        }
  return { ...open, ...planted, ...team, ...ids }
}

type ItemParam = WireParam & { param: RowParam<ItemTable, Mode> }

/** All arguments that refer to items of one kind. */
function references(): { entry: Entry; one: ItemParam }[] {
  return workspace.app.catalogue.routes.flatMap((entry) =>
    entry.schemas.params
      .filter((param): param is ItemParam => !(param.param instanceof AnyItemParam))
      .map((param) => ({ entry, one: param })),
  )
}

const isMany = ({ param }: ItemParam) => param.modeName.startsWith('many')
const typeOf = (resource: Resource<ItemTable>) => resource.definition.type

/** Resolves an argument to ids, or to the refusal. */
async function resolved(
  who: Someone,
  entry: Entry,
  itemNeed: ItemParam,
  text: string,
): Promise<string[] | Refusal> {
  const request = {
    tool: 'names',
    args: undefined,
    transport: 'rest' as const,
    requestId: 'test',
    route: 'test',
    ip: '',
  }
  return readWithoutLogging(workspace.app, who.actor, request, async (ctx) => {
    try {
      const rows = await resolveOperationRows(
        entry,
        { [itemNeed.wire]: isMany(itemNeed) ? [text] : text },
        ctx as WriteContext,
        () => {},
      )
      return [rows[itemNeed.key]].flat().map((row) => (row as { id: string }).id)
    } catch (error) {
      if (error instanceof Refusal) return error
      throw error
    }
  })
}

const outcomeOf = (got: string[] | Refusal) => (got instanceof Refusal ? got.code : got)
const candidatesOf = (got: string[] | Refusal) =>
  ((got as Refusal).more?.context?.candidates ?? []) as { id: string; title: string }[]

/** The name of a planted row in the database. */
function nameOf(resource: Resource<ItemTable>, id: string): string {
  const column = resource.definition.names!.columns[0]
  return (
    workspace.app.store.raw.read
      .prepare(`SELECT ${column} AS name FROM ${resource.table} WHERE id = ?`)
      .get(id) as { name: string }
  ).name
}

/** Resources whose items have names, with one of ann's items. */
function named(): { resource: Resource<ItemTable>; id: string; name: string }[] {
  return allResources()
    .filter((resource) => resource.definition.names)
    .flatMap((resource) => {
      const id = first[typeOf(resource)]?.find((name) =>
        name.startsWith(`${resource.definition.prefix}_`),
      )
      return id === undefined ? [] : [{ resource, id, name: nameOf(resource, id) }]
    })
}

test('every kind of item with names is covered', () => {
  const tried = named().map((item) => typeOf(item.resource))
  assert.deepEqual(
    allResources()
      .filter((resource) => resource.definition.names && !tried.includes(typeOf(resource)))
      .map(typeOf),
    [],
  )
})

test('every argument that takes an id takes the name, with the same result', async () => {
  const wrong: string[] = []
  let resolvedCount = 0
  for (const { resource, id, name } of named()) {
    for (const { entry, one } of references().filter(
      (each) => each.one.param.resource === resource && !each.one.param.inside,
    )) {
      const [byId, byName, byOther] = [
        await resolved(workspace.ann, entry, one, id),
        await resolved(workspace.ann, entry, one, name),
        await resolved(workspace.ann, entry, one, ` ${name.toUpperCase()} `),
      ]
      if (!(byId instanceof Refusal)) resolvedCount++
      for (const got of [byName, byOther])
        if (JSON.stringify(outcomeOf(got)) !== JSON.stringify(outcomeOf(byId)))
          wrong.push(
            `${entry.operation.name}(${one.wire} = ${name}): ${JSON.stringify(outcomeOf(got))}, by id ${JSON.stringify(outcomeOf(byId))}`,
          )
    }
  }
  assert.deepEqual(wrong, [])
  assert.ok(resolvedCount > 300, `${resolvedCount} arguments`)
})

test('every argument takes the address of the item on this instance', async () => {
  const wrong: string[] = []
  for (const { resource, id } of named()) {
    const [reference] = references().filter(
      (each) =>
        each.one.param.resource === resource &&
        each.one.param.level === 'see' &&
        !each.one.param.inside,
    )
    if (!reference) continue
    const row = workspace.app.store.raw.read
      .prepare(`SELECT * FROM ${resource.table} WHERE id = ?`)
      .get(id)
    const address = resource.url(row as never, workspace.app.baseUrl)
    if (
      ![id, resource.definition.key?.(row as never)].some(
        (part) => part !== undefined && address.endsWith(part),
      )
    )
      continue // of a list
    const got = await resolved(workspace.ann, reference.entry, reference.one, address)
    if (JSON.stringify(got) !== JSON.stringify([id]))
      wrong.push(`${typeOf(resource)}: ${address} ${JSON.stringify(outcomeOf(got))}`)
    const elsewhere = await resolved(
      workspace.ann,
      reference.entry,
      reference.one,
      address.replace('workspace.test', 'elsewhere.test'),
    )
    if (outcomeOf(elsewhere) !== 'not_found')
      wrong.push(`${typeOf(resource)}: taken from elsewhere`)
  }
  assert.deepEqual(wrong, [])
})

test('an unknown name is refused with similar ones', async () => {
  const wrong: string[] = []
  for (const { resource, id, name } of named()) {
    for (const { entry, one } of references().filter(
      (each) => each.one.param.resource === resource && !each.one.param.inside,
    )) {
      const got = await resolved(workspace.ann, entry, one, `${name} of yore`)
      const right =
        got instanceof Refusal &&
        got.code === 'not_found' &&
        got.more.field?.startsWith(one.wire) &&
        candidatesOf(got).some((each) => each.id === id) &&
        candidatesOf(got).length <= 3
      if (!right)
        wrong.push(
          `${entry.operation.name}(${one.wire}): ${JSON.stringify(got instanceof Refusal ? got.body() : got)}`,
        )
    }
  }
  assert.deepEqual(wrong, [])
})

/** Kinds of which each person has one with the same name. */
const everybodyHas = new Set(['calendar', 'drive'])

test('invisible items of others are not among the candidates', async () => {
  const wrong: string[] = []
  let tried = 0
  for (const resource of allResources().filter((each) => each.definition.names)) {
    const id = hidden[typeOf(resource)]?.find((name) =>
      name.startsWith(`${resource.definition.prefix}_`),
    )
    if (id === undefined || everybodyHas.has(typeOf(resource)) || typeOf(resource) === 'person')
      continue
    for (const { entry, one } of references().filter(
      (each) => each.one.param.resource === resource && !each.one.param.inside,
    )) {
      const name = nameOf(resource, id)
      const got = await resolved(workspace.ann, entry, one, name)
      const seen = await resolved(workspace.ann, entry, one, id)
      if (!(seen instanceof Refusal) || seen.code !== 'not_found') continue
      tried++
      const outcomes = await Promise.all(
        candidatesOf(got).map((each) => resolved(workspace.ann, entry, one, each.id)),
      )
      const right =
        got instanceof Refusal &&
        got.code === 'not_found' &&
        outcomes.every((each) => outcomeOf(each) !== 'not_found')
      if (!right)
        wrong.push(
          `${entry.operation.name}(${one.wire}): ${JSON.stringify(got instanceof Refusal ? got.body() : got)}`,
        )
    }
  }
  assert.deepEqual(wrong, [])
  assert.ok(tried > 200, `${tried} arguments`)
})

test('an ambiguous name is refused with all matches', async () => {
  const unique = new Set(
    allResources().filter(
      (resource) =>
        resource.definition.names?.unique ||
        ['channel', 'person', 'entity', 'email_account'].includes(typeOf(resource)),
    ),
  )
  const wrong: string[] = []
  for (const { resource, id, name } of named().filter(
    (item) => !unique.has(item.resource) && !everybodyHas.has(typeOf(item.resource)),
  )) {
    const other = second[typeOf(resource)]!.find((item) =>
      item.startsWith(`${resource.definition.prefix}_`),
    )!
    await rename(resource, other, id, name)
    for (const { entry, one } of references().filter(
      (each) => each.one.param.resource === resource && !each.one.param.inside,
    )) {
      const got = await resolved(workspace.ann, entry, one, name)
      const ids = candidatesOf(got).map((each) => each.id)
      const right =
        got instanceof Refusal &&
        got.code === 'invalid_argument' &&
        got.more.field?.startsWith(one.wire) &&
        ids.includes(id) &&
        ids.includes(other)
      if (!right)
        wrong.push(
          `${entry.operation.name}(${one.wire}): ${JSON.stringify(got instanceof Refusal ? got.body() : got)}`,
        )
    }
  }
  assert.deepEqual(wrong, [])
})

/** Gives a row the name of another one, including normalized columns. */
async function rename(
  resource: Resource<ItemTable>,
  other: string,
  id: string,
  name: string,
): Promise<void> {
  if (resource.table === 'tasks')
    return void (await workspace.ann.call('update_task', { task_id: other, title: name }))
  const { write } = workspace.app.store.raw
  const folded = (write.prepare(`PRAGMA table_info(${resource.table})`).all() as { name: string }[])
    .map((row) => row.name)
    .filter((item) => ['name_key', 'title_folded', 'name_folded'].includes(item))
  await workspace.app.store.writer.run(async () => {
    for (const column of [...resource.definition.names!.columns, ...folded])
      write
        .prepare(
          `UPDATE ${resource.table} SET ${column} = (SELECT ${column} FROM ${resource.table} WHERE id = ?) WHERE id = ?`,
        )
        .run(id, other)
  })
}

test('the operations that list items exist, and require no more than declared', () => {
  for (const resource of allResources()) {
    const { list, names } = resource.definition
    if (!list) continue
    const entry = workspace.app.catalogue.requireEntry(list.tool)
    const required = (entry.schemas.inputJson.required ?? []) as string[]
    assert.equal(entry.operation.kind, 'read')
    if (list.by === undefined) assert.deepEqual(required, [], list.tool)
    if (list.by === 'query') assert.deepEqual(required, ['query'], list.tool)
    if (names?.within && list.by === 'container')
      assert.deepEqual(required, [names.within.column], list.tool)
    if (names?.within) assert.ok(entry.schemas.names.includes(names.within.column), list.tool)
  }
})

test('an argument that takes more than ids describes it', () => {
  const silent = references().filter(({ entry, one }) => {
    const schema = (
      entry.schemas.inputJson.properties as Record<
        string,
        { description?: string; anyOf?: { description?: string }[] }
      >
    )[one.wire]
    return (
      one.param.resource.takes !== undefined &&
      !schema?.description &&
      !schema?.anyOf?.some((each) => each.description)
    )
  })
  assert.deepEqual(
    silent.map(({ entry, one }) => `${entry.operation.name}.${one.wire}`),
    [],
  )
})

test('a first name is enough in a mention, and an unresolved mention is reported in the response', async () => {
  const { ann, bob } = workspace
  const mia = await workspace.person('Mia Berg')
  await ann.call('add_project_member', { project_id: 'AMB', person_id: mia.id })
  const channel = await ann.call('create_channel', { name: 'mentions' })
  await ann.call('add_channel_members', { channel_id: channel.id, person_ids: [mia.id, bob.id] })
  const text = 'For @Mia and @nobody, not `@code` or joe@elsewhere.test'
  const incident = await ann.call('create_incident', { title: 'Mentions', severity: 'sev3' })
  const meeting = await ann.call('create_meeting', { title: 'Mentions', participants: [mia.id] })
  const page = await ann.call('create_page', {
    title: 'Mentions',
    body_markdown: text,
    visibility: 'organization',
  })
  const [task] = first.task!
  const answers = {
    message: await ann.call('send_message', { channel_id: channel.id, body_markdown: text }),
    comment: await ann.call('add_task_comment', { task_id: task, body_markdown: text }),
    page,
    edit: await ann.call('append_to_page', { page_id: page.id, body_markdown: 'And @whoever' }),
    pageComment: await ann.call('add_page_comment', { page_id: page.id, body_markdown: text }),
    note: await ann.call('add_incident_note', { incident_id: incident.id, body_markdown: text }),
    meetingNote: await ann.call('add_meeting_note', {
      meeting_id: meeting.id,
      body_markdown: text,
    }),
    meeting: await ann.call('update_meeting', { meeting_id: meeting.id, notes_markdown: text }),
    interaction: await ann.call('log_interaction', {
      kind: 'call',
      summary_markdown: text,
      contact_ids: [first.contact![0]!],
    }),
  }
  const unresolved = Object.entries(answers).map(([kind, answer]) => [
    kind,
    answer.unresolved_mentions,
  ])
  assert.deepEqual(
    unresolved,
    Object.keys(answers).map((kind) => [kind, kind === 'edit' ? ['@whoever'] : ['@nobody']]),
  )
  for (const kind of ['message', 'comment', 'pageComment'] as const)
    assert.deepEqual(
      answers[kind].mentions.map((mention: { id: string }) => mention.id),
      [mia.id],
      kind,
    )
  assert.equal(
    (await ann.call('send_message', { channel_id: channel.id, body_markdown: 'Hello @Mia Berg' }))
      .unresolved_mentions,
    undefined,
  )
  const received = (await mia.call('list_notifications', { limit: 100 })).items
  assert.ok(
    received.filter((item: { kind: string }) => item.kind === 'mention').length >= 5,
    JSON.stringify(received.map((item: { kind: string }) => item.kind)),
  )
})

test('a first name is enough if it is unique among active people, but not to delete or remove something', async () => {
  const { ann } = workspace
  const tom = await workspace.person('Tom Costa')
  assert.equal((await ann.call('get_person', { person_id: 'tom' })).id, tom.id)
  assert.equal((await ann.call('get_person', { person_id: 'TOM COSTA' })).id, tom.id)
  await ann.call('add_team_member', { team_id: 'amber team', person_id: 'Tom' })
  const refused = await ann.refused('remove_team_member', {
    team_id: 'amber team',
    person_id: 'Tom',
  })
  assert.deepEqual(
    [refused.code, refused.more.field, candidatesOf(refused)[0]?.id],
    ['not_found', 'person_id', tom.id],
  )
  await ann.call('remove_team_member', { team_id: 'amber team', person_id: 'Tom Costa' })
  const other = await workspace.person('Tom Weber')
  const two = await ann.refused('get_person', { person_id: 'Tom' })
  assert.deepEqual(
    [
      two.code,
      candidatesOf(two)
        .map((candidate) => candidate.id)
        .sort(),
    ],
    ['invalid_argument', [tom.id, other.id].sort()],
  )
  assert.equal(two.more.next?.tool, 'list_people')
})

test('sprints and milestones are resolved in the project of the call, including current and next', async () => {
  const { ann } = workspace
  for (const key of ['ONE', 'TWO']) {
    await ann.call('create_project', { name: `Project ${key}`, key })
    await ann.call('create_sprint', {
      project_id: key,
      name: 'Sprint 3',
      starts_on: '2026-11-16',
      ends_on: '2026-11-29',
    })
    await ann.call('create_sprint', {
      project_id: key,
      name: 'Sprint 4',
      starts_on: '2026-11-30',
      ends_on: '2026-12-13',
    })
    await ann.call('create_milestone', {
      project_id: key,
      name: 'Public launch',
      due_on: '2026-12-01',
    })
    await ann.call('create_task', { project_id: key, title: `Task of ${key}` })
  }
  const task = await ann.call('create_task', {
    project_id: 'ONE',
    title: 'Ready',
    sprint_id: 'sprint 3',
    milestone_id: 'Public launch',
  })
  assert.deepEqual([task.sprint.title, task.milestone.title], ['Sprint 3', 'Public launch'])
  const moved = await ann.call('update_task', { task_id: 'TWO-1', sprint_id: 'next' })
  assert.equal(moved.sprint.title, 'Sprint 3')
  await ann.call('start_sprint', { sprint_id: moved.sprint.id })
  assert.equal(
    (await ann.call('update_task', { task_id: 'Task of TWO', sprint_id: 'current' })).sprint.id,
    moved.sprint.id,
  )
  const bulk = await ann.call('bulk_update_tasks', {
    task_ids: ['ONE-1'],
    changes: { sprint_id: 'Sprint 4', assignee_ids: ['Ann'] },
  })
  assert.equal(bulk.changed, 1)
  const refused = await ann.refused('start_sprint', { sprint_id: 'Sprint 4' })
  assert.deepEqual(
    refused.more.context?.candidates &&
      candidatesOf(refused)
        .map((candidate) => (candidate as unknown as { project: string }).project)
        .sort(),
    ['ONE', 'TWO'],
  )
  const unknown = await ann.refused('create_task', {
    project_id: 'ONE',
    title: 'x',
    sprint_id: 'Sprint 5',
  })
  const { id } = await ann.call('get_project', { project_id: 'ONE' })
  assert.deepEqual(unknown.more.next, { tool: 'list_sprints', arguments: { project_id: id } })
})

test('channels are named with or without #, files by path, items of any kind by name', async () => {
  const { ann } = workspace
  const channel = await ann.call('create_channel', { name: 'website' })
  for (const name of ['website', '#website', '#Website'])
    assert.equal((await ann.call('get_channel', { channel_id: name })).id, channel.id)
  const top = await ann.call('create_folder', { name: 'Reports' })
  const below = await ann.call('create_folder', { name: '2026', parent_id: top.id })
  const file = await ann.call('upload_file', {
    name: 'plan.txt',
    folder_id: 'Reports/2026',
    content_base64: 'eA==',
  })
  await ann.call('upload_file', { name: 'plan.txt', folder_id: top.id, content_base64: 'eA==' })
  assert.equal(file.folder?.id ?? file.parent?.id ?? below.id, below.id)
  assert.equal((await ann.call('get_file', { file_id: '/reports/2026/Plan.txt' })).id, file.id)
  assert.equal((await ann.refused('get_file', { file_id: 'plan.txt' })).code, 'invalid_argument')
  const reminder = await ann.call('create_reminder', {
    item_id: 'website',
    text: 'Look',
    remind_at: '2026-12-01',
  })
  assert.equal(reminder.item.id, channel.id)
  const unknown = await ann.refused('create_reminder', {
    item_id: 'webzite',
    text: 'Look',
    remind_at: '2026-12-01',
  })
  assert.equal(unknown.code, 'not_found')
})

test('a file is shared with people, and for an external address the refusal names the way to share it', async () => {
  const { ann } = workspace
  const file = await ann.call('upload_file', { name: 'outside.txt', content_base64: 'eA==' })
  const refused = await ann.refused('share_file', {
    file_id: file.id,
    person_id: 'somebody@elsewhere.test',
    role: 'viewer',
  })
  assert.deepEqual([refused.code, refused.more.field], ['not_found', 'person_id'])
  assert.match(refused.body().message, /create_share_link/)
})

test('form answers, goal values and pulse answers are accepted by label', async () => {
  const { ann } = workspace
  const form = await ann.call('create_form', {
    title: 'Lunch',
    fields: [
      { label: 'Your name', type: 'short_text', required: true },
      { label: 'Guests', type: 'number' },
    ],
  })
  await ann.call('publish_form', { form_id: form.id, audience: 'organization' })
  const response = await ann.call('submit_form_response', {
    form_id: 'Lunch',
    answers: { 'your name': 'Ann', [form.fields[1].id]: 2 },
  })
  assert.deepEqual(
    response.answers.map((answer: { value: unknown }) => answer.value),
    ['Ann', 2],
  )
  const wrong = await ann.refused('submit_form_response', {
    form_id: 'Lunch',
    answers: { Name: 'Ann' },
  })
  assert.match(wrong.body().message, /Your name/)
  const twice = await ann.refused('submit_form_response', {
    form_id: 'Lunch',
    answers: { 'Your name': 'Ann', [form.fields[0].id]: 'Bob' },
  })
  assert.match(twice.message, /has more than one value/)
  const goal = await ann.call('create_goal', {
    title: 'Grow',
    period: '2026-Q4',
    level: 'personal',
    key_results: [{ title: 'Signups', metric: 'number', start_value: 0, target_value: 100 }],
  })
  await ann.call('update_goal', { goal_id: goal.id, status: 'active' })
  const checkin = await ann.call('record_goal_checkin', {
    goal_id: 'grow',
    values: { signups: 42 },
  })
  assert.deepEqual(Object.values(checkin.values), [42])
  const unknown = await ann.refused('record_goal_checkin', {
    goal_id: 'grow',
    values: { Revenue: 1 },
  })
  assert.deepEqual(
    [unknown.code, candidatesOf(unknown).map((candidate) => candidate.title)],
    ['not_found', ['Signups']],
  )
})

test('a value that should be an object is refused with the expected fields', async () => {
  const { ann } = workspace
  const refused = await ann.refused('create_pulse', {
    name: 'Standup',
    team_id: 'amber team',
    rrule: 'FREQ=DAILY',
    questions: ['What is next?'],
  })
  assert.match(refused.message, /questions\.0: must be an object with the fields .*text.*type/)
})

test('an unknown operation is refused with similar ones', async () => {
  const refused = await workspace.ann.refused('list_task')
  assert.deepEqual(
    [refused.code, (refused.more.context?.candidates as string[])[0]],
    ['not_found', 'list_tasks'],
  )
  assert.match(
    refused.body().message,
    /There is no operation "list_task"\. Did you mean list_tasks/,
  )
})

test('failed and skipped list entries are named, not just given by id', async () => {
  const { ann, bob } = workspace
  const task = await ann.call('create_task', {
    project_id: 'AMB',
    title: 'In a list',
    priority: 'high',
  })
  const failed = await ann.call('bulk_update_tasks', {
    task_ids: [task.key],
    changes: { assignee_ids: [bob.id] },
  })
  assert.deepEqual(
    failed.failed.map((item: { key: string; title: string }) => [item.key, item.title]),
    [[task.key, 'In a list']],
  )
  assert.match(failed.failed[0].message, /Bob is not a member/)
  const skipped = await ann.call('bulk_update_tasks', {
    task_ids: ['In a list'],
    changes: { priority: 'high' },
  })
  assert.deepEqual(
    skipped.skipped.map((item: { key: string; title: string }) => [item.key, item.title]),
    [[task.key, 'In a list']],
  )
})
