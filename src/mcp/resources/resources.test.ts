import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, minute, type Someone, type TestWorkspace } from '../../testing/harness.ts'
import { complete } from './completions.ts'
import { listResources, listTemplates, readResource } from './resources.ts'
import { assistantOf, errorOf } from '../testing.ts'

const canary = 'zyxword'
let workspace: TestWorkspace
let sprint: string
let task: { id: string; key: string }

before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob, carol, clock } = workspace
  await ann.call('create_project', {
    name: `${canary} engine`,
    key: 'ENG',
    member_ids: [bob.id],
    description_markdown: `${canary} about`,
  })
  clock.pass(minute)
  task = await ann.call('create_task', {
    project_id: 'ENG',
    title: `Oil the ${canary} valves`,
    description_markdown: `# Not a title\n\n${canary} text`,
    assignee_ids: [bob.id],
    due_at: '2026-11-25',
  })
  await ann.call('create_subtasks', { task_id: task.id, subtasks: [{ title: 'Buy oil' }] })
  await bob.call('add_task_comment', {
    task_id: task.id,
    body_markdown: 'Which oil?\n\n## Comments\n\nnone',
  })
  sprint = (
    await ann.call('create_sprint', {
      project_id: 'ENG',
      name: `${canary} sprint`,
      starts_on: '2026-11-16',
      ends_on: '2026-11-29',
      task_ids: [task.id],
    })
  ).id
  await ann.call('start_sprint', { sprint_id: sprint })
  clock.pass(minute)
  await carol.call('create_project', { name: 'Garden', key: 'GAR' })
})
after(() => workspace.close())

const list = (who: Someone, cursor?: string) =>
  listResources(
    workspace.app,
    assistantOf(workspace, who),
    cursor === undefined ? undefined : { cursor },
  )
const read = async (who: Someone, uri: string) =>
  (await readResource(workspace.app, assistantOf(workspace, who), { uri })).contents[0] as {
    uri: string
    mimeType: string
    text: string
  }
const values = async (who: Someone, name: string, value: string) =>
  (
    await complete(workspace.app, assistantOf(workspace, who), {
      ref: { type: 'ref/resource', uri: `workspace://${name}/{id}` },
      argument: { name: 'id', value },
    })
  ).completion

test('the list contains visible items of all kinds, most recently changed first', async () => {
  const { resources, nextCursor } = await list(workspace.bob)
  assert.equal(nextCursor, undefined)
  const inOrder = [
    `workspace://sprints/${sprint}`,
    'workspace://tasks/ENG-2',
    'workspace://tasks/ENG-1',
    ...['carol', 'bob', 'ann'].map((name) => `workspace://people/${name}@acme.test`),
    'workspace://projects/ENG',
  ]
  assert.deepEqual(
    resources.map((resource) => resource.uri),
    inOrder,
  )
  assert.deepEqual(
    resources.find((resource) => resource.name === 'ENG-1'),
    {
      uri: 'workspace://tasks/ENG-1',
      name: 'ENG-1',
      title: `Oil the ${canary} valves`,
      description: 'Task',
      mimeType: 'text/markdown',
      annotations: { lastModified: '2026-11-20T12:01:00.000Z' },
    },
  )
})

test('a non-member finds nothing in list, read or completion, by key or by id', async () => {
  const { carol, eve } = workspace
  const missingKeys = {
    tasks: 'ENG-99',
    projects: 'NONE',
    sprints: 'spr_00000000000000000000000000',
  }
  for (const who of [carol, eve]) {
    assert.doesNotMatch(JSON.stringify(await list(who)), /zyx|ENG/, who.actor.display_name)
    for (const [name, key] of [
      ['tasks', 'ENG-1'],
      ['tasks', task.id],
      ['projects', 'ENG'],
      ['sprints', sprint],
    ] as const) {
      const hidden = await errorOf(read(who, `workspace://${name}/${key}`))
      const unknown = await errorOf(read(who, `workspace://${name}/${missingKeys[name]}`))
      assert.deepEqual(
        [hidden.code, hidden.message.replace(key, ''), Object.keys(hidden.data as object)],
        [unknown.code, unknown.message.replace(missingKeys[name], ''), ['uri']],
      )
    }
    for (const text of ['', 'E', 'ENG', 'ENG-', 'ENG-1', canary, 'oil']) {
      for (const name of ['tasks', 'projects', 'sprints']) {
        const completion = await values(who, name, text)
        assert.deepEqual(
          completion.values.filter((value) => value !== 'GAR'),
          [],
          `${who.actor.display_name}: ${name} ${text}`,
        )
      }
    }
  }
  assert.deepEqual(
    (await list(eve)).resources.map((resource) => resource.name),
    ['eve@other.test'],
  )
  assert.equal((await errorOf(read(eve, 'workspace://people/ann@acme.test'))).code, -32602)
})

test('a task is read as Markdown by key and by id, with user content quoted', async () => {
  const { bob } = workspace
  const { text, mimeType, uri } = await read(bob, 'workspace://tasks/ENG-1')
  assert.deepEqual([mimeType, uri], ['text/markdown', 'workspace://tasks/ENG-1'])
  assert.match(
    text,
    /^# ENG-1: Oil the zyxword valves\n\n- Project: zyxword engine \(ENG\)\n- Status: To do \(todo\)/,
  )
  assert.match(text, /- Assignees: Bob\n- Due: 2026-11-25\n/)
  assert.match(
    text,
    /## Description\n\n> # Not a title\n>\n> zyxword text\n\n## Subtasks\n\n- \[ \] ENG-2: Buy oil/,
  )
  assert.match(
    text,
    /## Comments\n\nBob, 2026-11-20T12:01:00.000Z:\n\n> Which oil\?\n>\n> ## Comments\n>\n> none\n$/,
  )
  assert.deepEqual(text.match(/^##? .*/gm), [
    '# ENG-1: Oil the zyxword valves',
    '## Description',
    '## Subtasks',
    '## Comments',
  ])
  assert.equal((await read(bob, `workspace://tasks/${task.id}`)).text, text)
  assert.equal((await read(bob, 'workspace://tasks/eng-1')).text, text)
})

test('projects, sprints and people are read with their related items', async () => {
  const { bob } = workspace
  const project = (await read(bob, 'workspace://projects/ENG')).text
  assert.match(project, /^# ENG: zyxword engine/)
  assert.match(project, /- Ann \(lead\): 0 open tasks\n- Bob: 1 open task\n/)
  assert.match(project, /- Progress: 0 of 2 done \(0 %\)/)
  assert.match(
    (await read(bob, `workspace://sprints/${sprint}`)).text,
    /- Status: active[^]*## Burndown in tasks\n\n- 2026-11-20: 1 left/,
  )
  assert.match((await read(bob, 'workspace://people/me')).text, /^# Bob\n\n- Email: bob@acme.test/)
  assert.match((await read(bob, 'workspace://people/ann%40acme.test')).text, /^# Ann\n/)
})

test('pages have no gaps or duplicates, even with simultaneous changes', async () => {
  const { ann } = workspace
  await ann.call('create_project', { name: 'Many', key: 'MANY' })
  await ann.call('bulk_create_tasks', {
    project_id: 'MANY',
    tasks: Array.from({ length: 100 }, (_, i) => ({ title: `Piece ${i}` })),
  })
  const uris: string[] = []
  const pages: number[] = []
  for (let cursor: string | undefined, more = true; more; ) {
    const page = await list(ann, cursor)
    uris.push(...page.resources.map((resource) => resource.uri))
    pages.push(page.resources.length)
    cursor = page.nextCursor
    more = cursor !== undefined
  }
  assert.deepEqual(pages, [50, 50, 8])
  assert.equal(new Set(uris).size, 108)
  assert.deepEqual(
    ['tasks', 'people', 'projects', 'sprints'].map(
      (name) => uris.filter((uri) => uri.startsWith(`workspace://${name}/`)).length,
    ),
    [102, 3, 2, 1],
  )
  const bad = await errorOf(list(ann, 'nonsense'))
  assert.deepEqual([bad.code, (bad.data as { field?: string }).field], [-32602, 'cursor'])
})

test('an invalid URI is refused with a reason, and an unknown kind like a missing item', async () => {
  const { ann } = workspace
  for (const uri of [
    '',
    'ENG-1',
    'https://tasks/ENG-1',
    'workspace://tasks',
    'workspace://tasks/',
    'workspace://tasks/a/b',
    'workspace://tasks/%ff',
    'workspace://tasks/ENG-1?x=1',
    `workspace://tasks/${'x'.repeat(3000)}`,
  ]) {
    const error = await errorOf(read(ann, uri))
    assert.deepEqual(
      [error.code, (error.data as { field?: string }).field],
      [-32602, 'uri'],
      uri.slice(0, 40),
    )
    assert.match(error.message, /workspace:\/\/tasks\/\{id\}/)
  }
  for (const uri of [
    'workspace://mailboxes/1',
    'workspace://tasks/ENG-99',
    'workspace://tasks/%00',
  ])
    assert.equal((await errorOf(read(ann, uri))).code, -32602, uri)
  assert.deepEqual((await errorOf(read(ann, 'workspace://mailboxes/1'))).data, {
    uri: 'workspace://mailboxes/1',
  })
})

test('a key or an address limited to some modules has only their documents', async () => {
  const { app, ann } = workspace
  const limitedCallers = [
    assistantOf(workspace, ann, {
      key: await workspace.key(ann, { toolsets: ['people', 'projects'] }),
    }),
    assistantOf(workspace, ann, { path: '/mcp?toolsets=people,projects' }),
  ]
  for (const caller of limitedCallers) {
    assert.deepEqual(
      listTemplates(app, caller).resourceTemplates.map(
        (resourceTemplate) => resourceTemplate.uriTemplate,
      ),
      [
        'workspace://people/{id}',
        'workspace://projects/{id}',
        'workspace://sprints/{id}',
        'workspace://jobs/{id}',
      ],
    )
    assert.doesNotMatch(
      JSON.stringify(await listResources(app, caller, undefined)),
      /workspace:\/\/tasks/,
    )
    assert.deepEqual(
      (await errorOf(readResource(app, caller, { uri: 'workspace://tasks/ENG-1' }))).data,
      { uri: 'workspace://tasks/ENG-1' },
    )
    assert.equal(
      (
        await errorOf(
          complete(app, caller, {
            ref: { type: 'ref/resource', uri: 'workspace://tasks/{id}' },
            argument: { name: 'id', value: 'E' },
          }),
        )
      ).code,
      -32602,
    )
  }
  assert.deepEqual(
    listTemplates(app, assistantOf(workspace, ann)).resourceTemplates.map(
      (resourceTemplate) => resourceTemplate.name,
    ),
    [
      'people',
      'projects',
      'sprints',
      'tasks',
      'pages',
      'meetings',
      'goals',
      'incidents',
      'email-threads',
      'files',
      'jobs',
    ],
  )
})

test('completion matches keys, word beginnings and names', async () => {
  const { ann } = workspace
  assert.deepEqual(await values(ann, 'tasks', 'eng-1'), {
    values: ['ENG-1'],
    hasMore: false,
    total: 1,
  })
  assert.deepEqual((await values(ann, 'tasks', 'ENG')).values, ['ENG-2', 'ENG-1'])
  assert.deepEqual((await values(ann, 'tasks', 'valve zyx')).values, ['ENG-1'])
  assert.deepEqual((await values(ann, 'tasks', 'buyi')).values, [])
  assert.deepEqual((await values(ann, 'projects', 'zyxword')).values, ['ENG'])
  assert.deepEqual((await values(ann, 'people', 'car')).values, ['carol@acme.test'])
  assert.deepEqual((await values(ann, 'sprints', 'ZYX')).values, [sprint])
  const many = await values(ann, 'tasks', 'MANY-1')
  assert.deepEqual([many.values[0], many.values.length, many.hasMore], ['MANY-1', 12, false])
  const all = await values(ann, 'tasks', '')
  assert.deepEqual([all.values.length, all.hasMore, all.total], [100, true, undefined])
  assert.deepEqual((await values(ann, 'tasks', '%_"*(')).values, [])
})

test('completion for a nonexistent template, prompt or argument is refused', async () => {
  const { app, ann } = workspace
  const completionError = (ref: any, name: string, value = '') =>
    errorOf(complete(app, assistantOf(workspace, ann), { ref, argument: { name, value } }))
  for (const [ref, name, value] of [
    [{ type: 'ref/resource', uri: 'workspace://mailboxes/{id}' }, 'id'],
    [{ type: 'ref/resource', uri: 'workspace://tasks/{id}' }, 'key'],
    [{ type: 'ref/resource', uri: 'workspace://tasks/{id}' }, 'id', 'x'.repeat(201)],
    [{ type: 'ref/prompt', name: 'no_prompt' }, 'project'],
    [{ type: 'ref/prompt', name: 'plan_sprint' }, 'colour'],
  ] as const)
    assert.equal((await completionError(ref, name, value)).code, -32602)
})

test('prompt arguments complete with visible keys; free text does not complete', async () => {
  const { app, ann, carol } = workspace
  const completionValues = async (who: Someone, name: string, argument: string) =>
    (
      await complete(app, assistantOf(workspace, who), {
        ref: { type: 'ref/prompt', name },
        argument: { name: argument, value: '' },
      })
    ).completion.values
  assert.deepEqual(await completionValues(ann, 'weekly_project_report', 'project'), ['MANY', 'ENG'])
  assert.deepEqual(await completionValues(carol, 'weekly_project_report', 'project'), ['GAR'])
  assert.deepEqual(await completionValues(ann, 'plan_sprint', 'goal'), [])
})

test('lists, reads and completions are logged, a read under the name of its operation', async () => {
  const { app, bob } = workspace
  const key = await workspace.key(bob)
  const caller = assistantOf(workspace, bob, { key })
  await listResources(app, caller, undefined)
  await readResource(app, caller, { uri: 'workspace://tasks/ENG-1' })
  await errorOf(readResource(app, caller, { uri: 'workspace://tasks/ENG-99' }))
  await errorOf(readResource(app, caller, { uri: 'nonsense' }))
  await complete(app, caller, {
    ref: { type: 'ref/resource', uri: 'workspace://tasks/{id}' },
    argument: { name: 'id', value: 'secret words' },
  })
  const rows = app.store.raw.read
    .prepare(
      'SELECT tool, kind, status, transport, error_code, details_json FROM calls WHERE key_id = ? ORDER BY seq',
    )
    .all(key.id) as Record<string, string>[]
  assert.deepEqual(
    rows.map((row) => [row.tool, row.kind, row.status, row.error_code]),
    [
      ['resources/list', 'read', 'ok', null],
      ['get_task', 'read', 'ok', null],
      ['get_task', 'read', 'error', 'not_found'],
      ['resources/read', 'read', 'error', 'invalid_argument'],
      ['completion/complete', 'read', 'ok', null],
    ],
  )
  assert.ok(
    rows.every((row) => row.transport === 'mcp' && !row.details_json!.includes('secret words')),
  )
  assert.equal(JSON.parse(rows[1]!.details_json!).route, 'resources/read')
})

test('invisible characters are removed, and an overlong text is truncated with a notice', async () => {
  const { ann, app, clock } = workspace
  clock.pass(minute)
  await ann.call('create_task', {
    project_id: 'MANY',
    title: 'Hid\u200Bden\u200F',
    description_markdown: 'ü'.repeat(60_000),
  })
  const { resources } = await list(ann)
  assert.equal(resources[0]!.title, 'Hidden')
  const { text } = await read(ann, resources[0]!.uri)
  assert.match(text, /^# MANY-101: Hidden\n/)
  assert.match(
    text,
    /> ü{30000,}\n\n---\n\nCut here: the text has 12\d{4} bytes, and the limit is 65536\. Read the rest with get_task, or get the full text over REST: GET http:\/\/workspace\.test\/api\/tasks\/MANY-101\?include=subtasks%2Cdependencies%2Ccomments\.\n$/,
  )
  assert.ok(Buffer.byteLength(text) <= app.settings.mcp_answer_limit)
})
