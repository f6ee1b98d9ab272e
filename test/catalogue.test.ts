import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Catalogue } from '../src/operations/catalogue.ts'
import type { Entry } from '../src/operations/entry.ts'
import { dayOrTime, instantPattern } from '../src/kernel/fields.ts'
import { operation } from '../src/operations/operation.ts'
import type { JsonSchema } from '../src/operations/schemas.ts'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { z } from 'zod'
import { makeFetch } from '../src/http/server.ts'
import { issueKey } from '../src/keys/issue.ts'
import { modules } from '../src/modules/index.ts'
import { makeWorkspace, type TestWorkspace } from '../src/testing/harness.ts'
import { snapshotOf } from '../tools/snapshot.ts'

const { entries, routes } = new Catalogue(modules)

/** Operations that violate a rule. */
function failing(
  rule: (entry: Entry) => boolean | undefined,
  entries: readonly Entry[] = routes,
): string[] {
  return entries.filter((entry) => !rule(entry)).map((entry) => entry.operation.name)
}

/** A schema with its descendants, each with its path. */
function* within(schema: JsonSchema, path = ''): Generator<[string, JsonSchema]> {
  yield [path, schema]
  for (const [name, one] of Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>))
    yield* within(one, `${path}.${name}`)
  for (const name of ['items', 'additionalProperties', 'propertyNames'] as const) {
    const item = schema[name]
    if (item !== null && typeof item === 'object')
      yield* within(item as JsonSchema, `${path}.${name}`)
  }
  for (const name of ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const)
    for (const jsonSchema of (schema[name] ?? []) as JsonSchema[]) yield* within(jsonSchema, path)
}

/** Places in operation inputs that violate a rule. */
function places(rule: (schema: JsonSchema) => boolean): string[] {
  return routes.flatMap(({ operation, schemas }) =>
    [...within(schemas.inputJson)]
      .filter(([, schema]) => !rule(schema))
      .map(([path]) => `${operation.name}${path}`),
  )
}

test('the snapshot matches the catalogue; `npm run snapshot` rewrites it', () => {
  const stored = readFileSync(new URL('../src/catalogue.snapshot', import.meta.url), 'utf8')
  const now = snapshotOf(modules)
  if (stored === now) return
  const blocks = (text: string) =>
    new Map(text.split('\n\n').map((block) => [block.split('  ')[0]!.trim(), block]))
  const [before, after] = [blocks(stored), blocks(now)]
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  )
  assert.fail(
    `src/catalogue.snapshot is stale at ${changed.slice(0, 20).join(', ')}. If the change is meant, run \`npm run snapshot\` and read the diff.`,
  )
})

/** Names that clients expect literally: ChatGPT's connectors and deep research. */
const fixedNames = ['search', 'fetch']

test('names are verb_noun in lower case, short enough for every client', () => {
  assert.deepEqual(
    failing(
      (entry) =>
        fixedNames.includes(entry.operation.name) ||
        (/^[a-z]+(_[a-z0-9]+)+$/.test(entry.operation.name) && entry.operation.name.length <= 44),
    ),
    [],
  )
  assert.deepEqual(
    failing((entry) =>
      entry.operation.aliases.every((alias) => /^[a-z]+(_[a-z0-9]+)+$/.test(alias)),
    ),
    [],
  )
})

test('every operation describes its purpose in one sentence', () => {
  assert.deepEqual(
    failing(
      ({ operation: { about } }) =>
        about.length >= 10 &&
        about.length <= 200 &&
        /^\S.*[^.\s]$/.test(about) &&
        !about.includes('\n'),
    ),
    [],
  )
})

/** Reads whose arguments are too large for an address. */
const asks = new Set(['test_automation', 'preview_email_rule', 'find_meeting_time'])

test('the method follows from the effect of the operation', () => {
  assert.deepEqual(
    failing(({ method }) => ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method)),
    [],
  )
  assert.deepEqual(
    failing(
      ({ method, operation }) =>
        (method === 'GET') === (operation.kind === 'read') || asks.has(operation.name),
    ),
    [],
  )
  const marks = ['remove_message_reaction'] // takes back a mark of one's own, and can be given again
  assert.deepEqual(
    failing(
      ({ method, operation }) =>
        method !== 'DELETE' || operation.kind === 'destructive' || marks.includes(operation.name),
    ),
    [],
  )
  const versions = ['update_file_content'] // puts a content where it belongs, and keeps each as a version
  assert.deepEqual(
    failing(
      ({ method, operation }) =>
        !['PUT', 'DELETE'].includes(method) ||
        operation.idempotent ||
        versions.includes(operation.name),
    ),
    [],
  )
})

test('routes are plain paths whose ids are required arguments', () => {
  assert.deepEqual(
    failing(({ path }) => /^\/api(\/([a-z-]+|\{[a-z_]+\}))+$/.test(path), entries),
    [],
  )
  assert.deepEqual(
    failing(({ schemas }) =>
      schemas.path.every((name) => ((schemas.inputJson.required ?? []) as string[]).includes(name)),
    ),
    [],
  )
  assert.deepEqual(
    failing(({ schemas, operation }) =>
      schemas.path.every(
        (name) =>
          schemas.params.some((param) => param.wire === name) ||
          operation.input[name] !== undefined,
      ),
    ),
    [],
  )
})

/** Arguments named like ids that are not in `on`, each with its reason. */
const notIds: Record<string, string> = {
  'create_task.delegate_key_id':
    'administrators choose among keys they do not see: requireDelegate',
  'update_task.delegate_key_id':
    'administrators choose among keys they do not see: requireDelegate',
}

test('every id is declared in `on`, so that its visibility is always checked', () => {
  const ids = routes.flatMap(({ operation }) =>
    Object.keys(operation.input)
      .filter((name) => /_ids?$/.test(name))
      .map((name) => `${operation.name}.${name}`),
  )
  assert.deepEqual(
    ids.filter((name) => !(name in notIds)),
    [],
  )
  assert.deepEqual(
    Object.keys(notIds).filter((name) => !ids.includes(name)),
    [],
    'an exception that is not needed any more',
  )
})

test('expected_revision is checked against a row of the call', () => {
  assert.deepEqual(
    failing(
      ({ operation }) => !operation.revision || operation.on[operation.revision] !== undefined,
    ),
    [],
  )
})

test('inputs are objects without alternatives at the root, and closed at every depth', () => {
  assert.deepEqual(
    failing(
      ({ schemas: { inputJson } }) =>
        inputJson.type === 'object' && !inputJson.anyOf && !inputJson.oneOf && !inputJson.allOf,
    ),
    [],
  )
  assert.deepEqual(
    places(
      (schema) =>
        schema.type !== 'object' ||
        schema.additionalProperties === false ||
        (schema.propertyNames !== undefined && schema.properties === undefined),
    ),
    [],
  )
})

test('every text and every list is bounded', () => {
  const bounded = (schema: JsonSchema) =>
    ['maxLength', 'enum', 'const', 'pattern', 'format'].some((name) => schema[name] !== undefined)
  assert.deepEqual(
    places((schema) => schema.type !== 'string' || bounded(schema)),
    [],
  )
  assert.deepEqual(
    places((schema) => schema.type !== 'array' || schema.maxItems !== undefined),
    [],
  )
})

test('lists take limit and cursor, and can be paged through', () => {
  const lists = routes.filter(({ operation }) =>
    /^(list|search)_|^run_saved_view$/.test(operation.name),
  )
  assert.ok(lists.length > 10)
  assert.deepEqual(
    failing(
      ({ schemas }) => schemas.names.includes('limit') && schemas.names.includes('cursor'),
      lists,
    ),
    [],
  )
  const output = (entry: Entry) => Object.keys((entry.operation.output as z.ZodObject).shape)
  assert.deepEqual(
    failing(
      (entry) => ['items', 'has_more', 'next_cursor'].every((name) => output(entry).includes(name)),
      lists,
    ),
    [],
  )
})

test('exactly the writes that are not idempotent take an idempotency key', () => {
  assert.deepEqual(
    failing(
      ({ operation, schemas }) =>
        schemas.names.includes('idempotency_key') ===
        (operation.kind !== 'read' && !operation.idempotent),
    ),
    [],
  )
})

test('responses are closed objects too', () => {
  assert.deepEqual(
    failing(
      ({ schemas }) =>
        schemas.output instanceof z.ZodObject && schemas.output.def.catchall instanceof z.ZodNever,
    ),
    [],
  )
})

/** Tokens that a model reads for each tool, largest first. */
const costs = entries
  .map(({ operation, schemas }) => ({
    name: operation.name,
    tokens: countTokens(
      `${operation.name}\n${operation.about}\n${JSON.stringify(schemas.toolJson)}`,
    ),
  }))
  .sort((a, b) => b.tokens - a.tokens)
const largest = `the largest: ${costs
  .slice(0, 10)
  .map((cost) => `${cost.name} ${cost.tokens}`)
  .join(', ')}`

test('listing all tools costs at most 160 tokens per tool on average', () => {
  const average = costs.reduce((sum, cost) => sum + cost.tokens, 0) / costs.length
  assert.ok(average <= 160, `it is ${average.toFixed(1)}; ${largest}`)
})

test('no tool costs more than 700 tokens', () => {
  assert.deepEqual(
    costs.filter((cost) => cost.tokens > 700),
    [],
    largest,
  )
})

test('an input listed by MCP is an object without alternatives at its root, closed at every depth, accepted by every client', () => {
  const free = (schema: JsonSchema) =>
    schema.properties === undefined && schema.additionalProperties !== undefined
  const open = entries.flatMap(({ operation, schemas }) =>
    [...within(schemas.toolJson)]
      .filter(
        ([, one]) => one.type === 'object' && one.additionalProperties !== false && !free(one),
      )
      .map(([path]) => `${operation.name}${path}`),
  )
  assert.deepEqual(open, [])
  assert.deepEqual(
    failing(
      ({ schemas: { toolJson } }) =>
        toolJson.type === 'object' &&
        !['anyOf', 'oneOf', 'allOf', 'enum', 'not', '$ref', '$defs'].some(
          (name) => name in toolJson,
        ),
      entries,
    ),
    [],
  )
  assert.deepEqual(
    failing(({ operation: { name } }) => /^[a-z0-9_]{1,44}$/.test(name), entries),
    [],
  )
})

test('MCP lists the same in every workspace, whatever its items are named', async () => {
  const canary = 'canary-7f3a'
  const [empty, full] = [await makeWorkspace(), await makeWorkspace()]
  try {
    await full.person(canary)
    await full.ann.call('create_project', { name: canary, key: 'CNRY' })
    await full.ann.call('create_label', { name: canary })
    await full.ann.call('create_team', { name: canary })
    await full.ann.call('create_task', { project_id: 'CNRY', title: canary })
    const [before, after] = [await toolList(empty), await toolList(full)]
    assert.equal(after, before)
    assert.ok(before.includes('"list_tasks"') && !after.includes(canary))
  } finally {
    await empty.close()
    await full.close()
  }
})

/** tools/list as sent over the network. */
async function toolList({ app, clock, ann }: TestWorkspace): Promise<string> {
  const { key } = await issueKey(app.store, clock, { owner: ann.id, name: 'lists', via: 'cli' })
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json',
  }
  const response = await makeFetch(app)(
    new Request('http://workspace.test/mcp', {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    }),
  )
  assert.equal(response.status, 200)
  return response.text()
}

test('an input listed by MCP differs only in limits: no argument, choice or requirement is lost', () => {
  const explainedOnce = new Set(['cursor', 'idempotency_key']) // by the instructions of the server
  const outline = (schema: JsonSchema): unknown => ({
    type: schema.type,
    enum: schema.enum,
    required: schema.required,
    closed: schema.additionalProperties === false,
    items: schema.items && outline(schema.items as JsonSchema),
    anyOf: (schema.anyOf as JsonSchema[] | undefined)?.map(outline),
    properties: Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(
      ([name, one]) => [
        name,
        outline(one),
        explainedOnce.has(name) ? '' : one.description,
        one.default,
      ],
    ),
  })
  assert.deepEqual(
    failing(
      ({ schemas }) =>
        JSON.stringify(outline(schemas.toolJson)) === JSON.stringify(outline(schemas.inputJson)),
    ),
    [],
  )
})

test('no argument for a day or a local time claims to be a date-time, and each describes its format', () => {
  const all = entries.flatMap(({ operation, schemas }) =>
    [schemas.inputJson, schemas.toolJson].flatMap((schema) =>
      [...within(schema)].map(([path, one]) => ({ path: `${operation.name}${path}`, one })),
    ),
  )
  assert.deepEqual(
    all.filter(({ one }) => one.format === 'date-time').map(({ path }) => path),
    [],
  )
  const moments = all.filter(({ one }) => one.pattern === instantPattern.source)
  assert.ok(moments.length > 100)
  assert.deepEqual(
    moments
      .filter(({ one }) => !String(one.description).includes(dayOrTime))
      .map(({ path }) => path),
    [],
  )
})

/** Objects with arbitrary member names, which do not describe their contents. */
const isOpen = (jsonSchema: JsonSchema) =>
  jsonSchema.type === 'object' &&
  jsonSchema.properties === undefined &&
  typeof jsonSchema.additionalProperties === 'object'

test('open objects describe their content, directly or in their parent', () => {
  const received = (schema: JsonSchema, above = false): boolean => {
    const says = above || typeof schema.description === 'string'
    const inner = [
      ...Object.values((schema.properties ?? {}) as Record<string, JsonSchema>),
      ...((schema.anyOf as JsonSchema[]) ?? []),
      ...(schema.items ? [schema.items as JsonSchema] : []),
    ]
    return (!isOpen(schema) || says) && inner.every((jsonSchema) => received(jsonSchema, says))
  }
  assert.deepEqual(
    failing(
      ({ schemas }) =>
        Object.values((schemas.inputJson.properties ?? {}) as Record<string, JsonSchema>).every(
          (jsonSchema) => received(jsonSchema),
        ),
      entries,
    ),
    [],
  )
})

test('every operation defined in a file is listed by its module', () => {
  const root = new URL('../src/modules/', import.meta.url).pathname
  const defined = globSync('**/*.ts', { cwd: root })
    .filter((file) => !/(\.test|\/testing)\.ts$/.test(file))
    .flatMap((file) =>
      [
        ...readFileSync(`${root}${file}`, 'utf8').matchAll(
          /(?:operation\(|listExport\(|link: )\{\s*name: '([^']+)'/g,
        ),
      ].map(([, name]) => `${file.split('/')[0]} ${name}`),
    )
  const listed = routes.map((route) => `${route.module} ${route.operation.name}`)
  assert.deepEqual(
    defined.filter((name) => !listed.includes(name)),
    [],
    'defined and not listed',
  )
  assert.deepEqual(
    listed.filter((name) => !defined.includes(name)),
    [],
    'listed and defined elsewhere',
  )
})

test('modules have unique names and describe their purpose', () => {
  assert.equal(new Set(modules.map((module) => module.name)).size, modules.length)
  assert.deepEqual(
    modules
      .filter(
        (module) => !/^[a-z]+$/.test(module.name) || !/^[A-Z].*Nouns?: .*\.$/s.test(module.about),
      )
      .map((module) => module.name),
    [],
  )
})

test('two operations with the same name or route are refused at startup', () => {
  const testOperation = (name: string, rest: string) =>
    operation({
      name,
      kind: 'read',
      rest,
      about: 'x',
      input: { a: z.string().optional(), b: z.string().optional() },
      output: z.strictObject({}),
      handle: async () => ({}),
    })
  const catalogue = (...operations: ReturnType<typeof testOperation>[]) =>
    new Catalogue([{ name: 'm', about: '', operations }])
  assert.throws(
    () => catalogue(testOperation('get_x', 'GET /api/x/{id}')),
    /route names id, the input does not/,
  )
  assert.throws(
    () => catalogue(testOperation('get_x', 'GET /api/x'), testOperation('get_x', 'GET /api/y')),
    /called get_x/,
  )
  assert.throws(
    () =>
      catalogue(testOperation('get_x', 'GET /api/x/{a}'), testOperation('get_y', 'GET /api/x/{b}')),
    /the route GET/,
  )
})

test('an operation that sends, and makes outbound requests beforehand, cannot offer a dry run', () => {
  const leaky = operation({
    name: 'send_letter',
    kind: 'write',
    rest: 'POST /api/letters',
    about: 'Send a letter',
    input: {},
    output: z.object({}),
    dryRun: true,
    outbound: true,
    prepare: async () => {},
    handle: async () => ({}),
  })
  assert.throws(
    () => new Catalogue([{ name: 'letters', about: 'Letters', operations: [leaky] }]),
    /dry run/,
  )
})
