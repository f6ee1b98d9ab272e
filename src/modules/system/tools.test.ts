import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import { makeWorkspace, type TestWorkspace, type KeyNarrowing } from '../../testing/harness.ts'
import { nearestNames } from '../../kernel/text/nearest.ts'
import { ToolScores } from './scores.ts'
import { significantWords } from './wish-words.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const key = (more: KeyNarrowing = {}) => workspace.key(workspace.ann, more)

const namesOf = (page: { items: { name: string }[] }) => page.items.map((item) => item.name)

test('tools are found by task description, best match first', async () => {
  const { ann } = workspace
  const first = async (query: string) => namesOf(await ann.call('search_tools', { query }))[0]
  assert.equal(await first('take a person out of a team'), 'remove_team_member')
  assert.equal(await first('book vacation'), 'create_time_off')
  assert.equal(await first('rename a label'), 'update_label')
  assert.equal(await first('make a new team'), 'create_team')
  assert.equal(await first('who am I'), 'get_me')
  assert.equal(await first('what is on my plate today?'), 'get_my_agenda')
  assert.equal(await first('get_tool'), 'get_tool')
  assert.deepEqual((await ann.call('search_tools', { query: 'xyzzy' })).items, [])
})

test('the same words give the same order, paginated without repeats', async () => {
  const { ann } = workspace
  const whole = namesOf(await ann.call('search_tools', { query: 'team', limit: 100 }))
  const paged: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await ann.call('search_tools', {
      query: 'team',
      limit: 3,
      ...(cursor ? { cursor } : {}),
    })
    paged.push(...namesOf(page))
    if (!page.has_more) break
    cursor = page.next_cursor
  }
  assert.deepEqual(paged, whole)
  assert.equal(
    (await ann.refused('search_tools', { query: 'team', cursor: 'rubbish' })).more.field,
    'cursor',
  )
})

test('without words all tools are listed, by module and kind', async () => {
  const { ann } = workspace
  const all = await ann.call('search_tools', { limit: 100 })
  assert.equal(all.total, workspace.app.catalogue.entries.length)
  assert.deepEqual(namesOf(await ann.call('search_tools', { module: 'labels', kind: 'read' })), [
    'list_labels',
  ])
  const refusal = await ann.refused('search_tools', { module: 'kitchen' })
  assert.match(refusal.body().message, /people/)
})

test('tools that the key may not use are listed too, but marked', async () => {
  const { ann } = workspace
  const item = async (query: string, more: KeyNarrowing) =>
    (await ann.call('search_tools', { query }, { key: await key(more) })).items[0]
  assert.deepEqual(await item('create_label', { read_only: true, toolsets: ['system'] }), {
    name: 'create_label',
    module: 'labels',
    kind: 'write',
    summary: 'Create a label; if the name exists, that label is returned with existing: true',
    rest: 'POST /api/labels',
    in_session: false,
    aliases: [],
  })
  assert.equal((await item('list_labels', { read_only: true })).in_session, true)
  assert.equal((await item('create_label', {})).in_session, true)
})

test('one tool is shown in full', async () => {
  const { ann } = workspace
  const tool = await ann.call('get_tool', {
    tool_name: 'create_label',
    include: ['output_schema', 'requests'],
  })
  assert.equal(tool.rest, 'POST /api/labels')
  assert.deepEqual(tool.input_schema.required, ['name'])
  assert.equal(tool.output_schema.properties.name.type, 'string')
  assert.equal(tool.examples[0].request.path, '/api/labels')
  assert.deepEqual(tool.examples[0].request.body, tool.examples[0].arguments)
  assert.equal(
    (await ann.call('create_label', tool.examples[0].arguments)).name,
    tool.examples[0].arguments.name,
  )
})

test('a tool is shown with what a call needs; its output schema and REST requests are included on request', async () => {
  const { ann } = workspace
  const tool = await ann.call('get_tool', { tool_name: 'create_automation' })
  assert.equal(tool.output_schema, undefined)
  assert.ok(tool.examples.length > 0)
  assert.ok(tool.examples.every((example: object) => !('request' in example)))
  assert.ok(JSON.stringify(tool).length < 4000)
  const whole = await ann.call('get_tool', {
    tool_name: 'create_automation',
    include: ['output_schema'],
  })
  assert.equal(whole.output_schema.type, 'object')
})

test('a search returns at most eight hits, fewer if relevance drops, and the rest on the next page', async () => {
  const { ann } = workspace
  let minHitCount = 8
  for (const query of ['overdue tasks', 'team', 'export deals csv', 'who am I', 'book vacation']) {
    const { items, total, next_cursor } = await ann.call('search_tools', { query })
    assert.ok(items.length >= Math.min(3, total) && items.length <= 8, query)
    const all = namesOf(await ann.call('search_tools', { query, limit: 100 }))
    assert.deepEqual(namesOf({ items }), all.slice(0, items.length))
    minHitCount = Math.min(minHitCount, items.length)
    if (items.length === total) continue
    const next = await ann.call('search_tools', { query, cursor: next_cursor })
    assert.equal(namesOf(next)[0], all[items.length], query)
  }
  assert.ok(minHitCount < 8, 'if one tool fits, few others fit nearly as well')
})

test('an unknown tool is refused with similar names', async () => {
  const { ann } = workspace
  const misspelled = await ann.refused('get_tool', { tool_name: 'craete_label' })
  assert.equal((misspelled.more.context?.candidates as string[])[0], 'create_label')
  const reversed = await ann.refused('get_tool', { tool_name: 'label_create' })
  assert.equal(reversed.code, 'not_found')
  assert.equal((reversed.more.context?.candidates as string[])[0], 'create_label')
  assert.deepEqual((await ann.refused('get_tool', { tool_name: '???' })).more.context, {
    candidates: [],
  })
  for (const tool_name of ['__proto__', 'constructor', 'x'.repeat(100)])
    assert.equal((await ann.refused('get_tool', { tool_name })).code, 'not_found')
})

test('every tool has examples that its schema accepts', async () => {
  const { ann } = workspace
  for (const { operation, schemas } of workspace.app.catalogue.entries) {
    const { examples, input_schema } = await ann.call('get_tool', {
      tool_name: operation.name,
      include: ['requests'],
    })
    assert.ok(examples.length > 0, `${operation.name} has no example`)
    const byJson = z.fromJSONSchema(input_schema)
    for (const example of examples) {
      assert.equal(schemas.input.safeParse(example.arguments).error, undefined, operation.name)
      assert.equal(byJson.safeParse(example.arguments).error, undefined, operation.name)
      assert.ok(!/[{}]/.test(example.request.path), operation.name)
    }
  }
})

test('words are weighted by where they occur, and stop words count only if there are no others', async () => {
  const words = (query: string) => significantWords(query).map((wanted) => wanted.text)
  assert.deepEqual(words('Show me my tasks'), ['tasks'])
  assert.deepEqual(words('who am I'), ['who', 'am', 'i'])
  const common = { kind: 'write', aliases: [], module: 'tasks', hint: '' } as const
  const tools = await ToolScores.make([
    { ...common, name: 'create_task', about: 'Create a task', arguments: ['title', 'project_id'] },
    {
      ...common,
      name: 'create_task_template',
      about: 'Save a task as template',
      arguments: ['task_id'],
    },
  ])
  const scoresOf = (query: string) => tools.scoreAll(query) as [number, number]
  assert.ok(scoresOf('create task')[0] > scoresOf('create task')[1])
  assert.ok(scoresOf('create template')[0] < scoresOf('create template')[1])
  assert.ok(scoresOf('project')[0] > 0)
  assert.deepEqual(scoresOf('mozzarella'), [0, 0])
  assert.deepEqual(scoresOf('constructor __proto__ toString'), [0, 0])
  assert.deepEqual(nearestNames('creat_task', ['create_task', 'list_people']), ['create_task'])
})
