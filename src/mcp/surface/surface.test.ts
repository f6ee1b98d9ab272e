import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import fc from '../../testing/properties.ts'
import { z } from 'zod'
import type { ActingKey } from '../../kernel/actor.ts'
import { keyRefusal } from '../../operations/catalogue.ts'
import type { Entry } from '../../operations/entry.ts'
import { operation } from '../../operations/operation.ts'
import type { Module } from '../../operations/module.ts'
import { modules } from '../../modules/index.ts'
import { serveWorkspace, type TestResponse, type ServedWorkspace } from '../../testing/server.ts'
import { presetNames } from './presets.ts'
import { isForResearch } from './presets.ts'
import { surfaceOf } from './surface.ts'

const renamed = operation({
  name: 'list_oddities',
  aliases: ['list_curiosities'],
  kind: 'read',
  rest: 'GET /api/oddities',
  about: 'Renamed once',
  output: z.array(z.number()),
  handle: async () => [1],
})
const hidden = operation({
  name: 'download_oddity',
  kind: 'read',
  unlisted: true,
  rest: 'GET /api/oddity',
  about: 'Not a tool',
  output: z.object({}),
  handle: async () => ({}),
})
const oddities: Module = {
  name: 'oddities',
  about: 'For the tests of selections.',
  operations: [renamed, hidden],
}

let served: ServedWorkspace
let entries: readonly Entry[]
before(async () => {
  served = await serveWorkspace({ modules: [...modules, oddities] })
  entries = served.app.catalogue.entries
})
after(() => served.close())

type HeaderMap = Record<string, string>
const acceptBoth = { accept: 'application/json, text/event-stream' }
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '1' },
}

type Send = (
  path: string,
  method: string,
  params?: Record<string, unknown>,
  headers?: HeaderMap,
  key?: string,
) => Promise<TestResponse>

const modern: Send = (path, method, params = {}, headers = {}, key = served.bearer) => {
  const nameHeader = typeof params.name === 'string' ? { 'mcp-name': params.name } : {}
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method,
    params: { ...params, _meta: { ...envelope, ...(params._meta as object) } },
  }
  return served.ask('POST', path, {
    key,
    headers: {
      ...acceptBoth,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...nameHeader,
      ...headers,
    },
    body,
  })
}
const legacy: Send = (path, method, params = {}, headers = {}, key = served.bearer) =>
  served.ask('POST', path, {
    key,
    headers: { accept: 'application/json', ...headers },
    body: { jsonrpc: '2.0', id: 1, method, params },
  })

/** Tool names listed for a connection, the same in both eras. */
async function listedNames(path: string, headers: HeaderMap = {}, key?: string): Promise<string[]> {
  const [modernList, legacyList] = await Promise.all(
    [modern, legacy].map((send) => send(path, 'tools/list', {}, headers, key)),
  )
  const names = (got: TestResponse): string[] =>
    got.json.result.tools.map((tool: { name: string }) => tool.name)
  assert.deepEqual(names(modernList!), names(legacyList!))
  return names(modernList!)
}

const namesOf = (rule: (entry: Entry) => boolean) =>
  entries.filter(rule).map((entry) => entry.operation.name)
const inModules = (...names: string[]) => namesOf((entry) => names.includes(entry.module))

async function callResult(
  path: string,
  name: string,
  args: Record<string, unknown> = {},
  headers: HeaderMap = {},
  key?: string,
): Promise<any> {
  const { json } = await modern(path, 'tools/call', { name, arguments: args }, headers, key)
  return json.result
}

async function refusedWith(
  message: RegExp,
  path: string,
  name: string,
  headers: HeaderMap = {},
  args: Record<string, unknown> = {},
): Promise<void> {
  for (const send of [modern, legacy]) {
    const { json } = await send(path, 'tools/call', { name, arguments: args }, headers)
    assert.equal(json.result?.isError, true, `${path} ${name}: ${JSON.stringify(json)}`)
    assert.equal(json.result.structuredContent.code, 'permission_denied')
    assert.match(json.result.structuredContent.message, message)
  }
}

test('plain addresses have everything, and toolsets have their modules, in catalogue order', async () => {
  const all = namesOf((entry) => !isForResearch(entry))
  for (const path of [
    '/mcp',
    '/mcp/x/all',
    '/mcp?toolsets=all',
    '/mcp?toolsets=default',
    '/mcp?preset=all',
    '/mcp?readonly=0',
    '/mcp?toolsets=',
  ])
    assert.deepEqual(await listedNames(path), all, path)
  const two = inModules('labels', 'tasks')
  for (const path of [
    '/mcp/x/labels,tasks',
    '/mcp/x/tasks,labels',
    '/mcp?toolsets=tasks,labels',
    '/mcp?toolsets=tasks&toolsets=labels',
    '/mcp/x/tasks,labels,views?toolsets=labels,tasks',
  ])
    assert.deepEqual(await listedNames(path), two, path)
  assert.deepEqual(await listedNames('/mcp', { 'x-mcp-toolsets': ' labels , tasks' }), two)
})

test('read-only is requested as a whole or per module', async () => {
  const reads = namesOf((entry) => entry.operation.kind === 'read' && !isForResearch(entry))
  for (const [path, headers] of [
    ['/mcp/readonly'],
    ['/mcp?readonly=1'],
    ['/mcp?readonly=true'],
    ['/mcp/x/all/readonly'],
    ['/mcp/x/all:ro'],
    ['/mcp', { 'x-mcp-readonly': 'true' }],
  ] as [string, HeaderMap?][])
    assert.deepEqual(await listedNames(path, headers), reads, path)
  assert.deepEqual(
    await listedNames('/mcp?toolsets=tasks:ro,labels:rw'),
    namesOf(
      (entry) =>
        entry.module === 'labels' || (entry.module === 'tasks' && entry.operation.kind === 'read'),
    ),
  )
  assert.deepEqual(
    await listedNames('/mcp?toolsets=all,tasks:ro'),
    namesOf(
      (entry) =>
        !isForResearch(entry) && (entry.module !== 'tasks' || entry.operation.kind === 'read'),
    ),
  )
  assert.deepEqual(
    await listedNames('/mcp?toolsets=tasks,tasks:ro'),
    namesOf((entry) => entry.module === 'tasks' && entry.operation.kind === 'read'),
  )
  assert.deepEqual(await listedNames('/mcp/x/labels/readonly'), ['list_labels'])
})

test('tools extend the toolsets of the same place or stand alone; excluded ones are always out', async () => {
  assert.deepEqual(await listedNames('/mcp?tools=get_me,list_labels'), ['get_me', 'list_labels'])
  assert.deepEqual(await listedNames('/mcp?toolsets=labels&tools=get_me'), [
    'get_me',
    ...inModules('labels'),
  ])
  assert.deepEqual(
    await listedNames('/mcp', {
      'x-mcp-tools': 'list_labels,get_me',
      'x-mcp-exclude-tools': 'get_me',
    }),
    ['list_labels'],
  )
  assert.deepEqual(await listedNames('/mcp?toolsets=labels&tools=update_task&readonly=1'), [
    'list_labels',
  ])
  assert.deepEqual(
    await listedNames('/mcp/x/labels?tools=get_me'),
    [],
    'two places have nothing in common',
  )
})

test('older names of a tool are accepted as aliases', async () => {
  assert.deepEqual(await listedNames('/mcp?tools=list_curiosities'), ['list_oddities'])
  assert.ok(!(await listedNames('/mcp?exclude=list_curiosities')).includes('list_oddities'))
  await refusedWith(
    /list_oddities is excluded.*exclude=/,
    '/mcp?exclude=list_oddities',
    'list_curiosities',
  )
})

test('a deliberately hidden tool refuses, names what hides it, and is logged as denied', async () => {
  await refusedWith(
    /is read-only, and create_label makes changes \(set by readonly= in the address\)/,
    '/mcp?readonly=1',
    'create_label',
  )
  await refusedWith(/\/readonly in the address/, '/mcp/readonly', 'create_label')
  await refusedWith(/set by X-MCP-Readonly/, '/mcp', 'create_label', { 'x-mcp-readonly': '1' })
  await refusedWith(
    /allows only tasks, and list_labels belongs to labels \(set by \/x\/ in the address/,
    '/mcp/x/tasks',
    'list_labels',
  )
  await refusedWith(
    /is read-only in labels, and create_label makes changes \(set by X-MCP-Toolsets/,
    '/mcp',
    'create_label',
    { 'x-mcp-toolsets': 'labels:ro' },
  )
  await refusedWith(
    /allows only get_me, not list_labels \(set by tools=/,
    '/mcp?tools=get_me',
    'list_labels',
  )
  await refusedWith(
    /create_label is excluded from this connection \(set by X-MCP-Exclude-Tools\)\. .*ask the user/,
    '/mcp',
    'create_label',
    { 'x-mcp-exclude-tools': 'create_label' },
  )
  const row = served.app.store.raw.read
    .prepare(
      "SELECT status, error_code, transport FROM calls WHERE tool = 'create_label' ORDER BY seq DESC LIMIT 1",
    )
    .get()
  assert.deepEqual(row, { status: 'denied', error_code: 'permission_denied', transport: 'mcp' })
})

test('restrictions of a connection cannot be bypassed via another operation', async () => {
  const label = await callResult('/mcp', 'create_label', { name: 'To be undone' })
  const call_id = label._meta['workspace/call_id']
  await refusedWith(
    /allows only activity, and create_label belongs to labels/,
    '/mcp?toolsets=activity',
    'undo_api_call',
    {},
    { call_id },
  )
  assert.equal((await callResult('/mcp', 'undo_api_call', { call_id })).isError, undefined)
})

test('a preset shortens the list, but omitted tools still work', async () => {
  const core = await listedNames('/mcp?preset=core')
  assert.ok(core.includes('create_task') && !core.includes('list_labels') && core.length <= 40)
  assert.equal((await callResult('/mcp?preset=core', 'list_labels')).isError, undefined)
  assert.deepEqual(await listedNames('/mcp', { 'x-mcp-preset': 'core' }), core)
  assert.deepEqual(
    await listedNames('/mcp?preset=core&tools=list_labels'),
    namesOf(
      (entry) => core.includes(entry.operation.name) || entry.operation.name === 'list_labels',
    ),
  )
  assert.equal(
    (await callResult('/mcp?preset=core&tools=list_labels', 'list_teams')).isError,
    undefined,
  )
  assert.deepEqual(
    await listedNames('/mcp?preset=core', { 'x-mcp-tools': 'list_labels,get_me' }),
    ['get_me'],
    'another place only narrows',
  )
  await refusedWith(/is read-only/, '/mcp?preset=core&readonly=1', 'create_label')
  assert.deepEqual(
    await listedNames('/mcp?preset=core&toolsets=projects'),
    namesOf((entry) => entry.module === 'projects' && core.includes(entry.operation.name)),
  )
})

test('an unknown name is refused with the available ones before any message is read', async () => {
  const wrong: [string, HeaderMap, RegExp][] = [
    [
      '/mcp?toolsets=tsaks',
      {},
      /toolsets= in the address: unknown toolset "tsaks"\. Did you mean tasks\?.*Available: people, projects/,
    ],
    ['/mcp/x/none/readonly', {}, /unknown toolset "none"/],
    [
      '/mcp',
      { 'x-mcp-tools': 'creat_task' },
      /X-MCP-Tools: unknown tool "creat_task"\. Did you mean create_task/,
    ],
    ['/mcp?exclude=download_oddity', {}, /unknown tool "download_oddity"/],
    ['/mcp?tools=call_tool', {}, /unknown tool "call_tool"/],
    ['/mcp?preset=huge', {}, /Available: core, daily, all, compact/],
    ['/mcp?read_only=1', {}, /Did you mean readonly=\?/],
  ]
  for (const [path, headers, message] of wrong) {
    for (const send of [modern, legacy]) {
      const { status, json } = await send(path, 'tools/list', {}, headers)
      assert.equal(status, 400, path)
      assert.equal(json.error.data.code, 'invalid_argument')
      assert.match(json.error.data.field ?? 'none', /^[a-zA-Z-/]+$/)
      assert.match(json.error.message, message)
    }
  }
  assert.equal((await modern('/mcp/elsewhere', 'tools/list')).status, 404)
  assert.equal((await modern('/mcp?toolsets=tsaks', 'tools/list', {}, {}, 'svc_wrong')).status, 401)
})

test("a key's own toolsets, some of them read-only, are the upper bound", async () => {
  const { key } = await served.keyFor(served.bob, {
    toolsets: ['labels:ro', 'views:rw', 'people'],
    modules: ['labels', 'views', 'people'],
  })
  const allowed = namesOf(
    (entry) => ['views', 'people'].includes(entry.module) || entry.operation.name === 'list_labels',
  )
  for (const path of ['/mcp', '/mcp?toolsets=all', '/mcp?toolsets=labels:rw,views,people,tasks'])
    assert.deepEqual(await listedNames(path, {}, key), allowed, path)
  assert.deepEqual(await listedNames('/mcp?tools=create_label,list_labels,list_tasks', {}, key), [
    'list_labels',
  ])
  const refused = await callResult('/mcp', 'create_label', { name: 'x' }, {}, key)
  assert.match(refused.structuredContent.message, /The key "test" is read-only in labels/)
  assert.equal((await served.ask('POST', '/api/labels', { key, body: { name: 'x' } })).status, 403)
  assert.equal((await served.ask('GET', '/api/labels', { key })).status, 200)
})

const toolsetTexts = () =>
  fc.constantFrom(
    ...served.app.catalogue.toolsets.flatMap((name) => [name, `${name}:ro`]),
    'all',
    'all:ro',
    'default',
  )
const toolTexts = () =>
  fc.constantFrom(...entries.map((entry) => entry.operation.name), 'list_curiosities')

/** Arbitrary selection for one place. */
const arbitraryPlace = () =>
  fc.record({
    toolsets: fc.option(fc.array(toolsetTexts(), { minLength: 1, maxLength: 4 })),
    tools: fc.option(fc.array(toolTexts(), { minLength: 1, maxLength: 6 })),
    exclude: fc.option(fc.array(toolTexts(), { minLength: 1, maxLength: 6 })),
    readonly: fc.option(fc.constantFrom('1', 'true', '0')),
    preset: fc.option(fc.constantFrom(...presetNames)),
  })

interface SelectionPlace {
  toolsets?: string[] | null
  tools?: string[] | null
  exclude?: string[] | null
  readonly?: string | null
  preset?: string | null
}

const headerNames: Record<keyof SelectionPlace, string> = {
  toolsets: 'x-mcp-toolsets',
  tools: 'x-mcp-tools',
  exclude: 'x-mcp-exclude-tools',
  readonly: 'x-mcp-readonly',
  preset: 'x-mcp-preset',
}

function requestOf(
  path: SelectionPlace,
  query: SelectionPlace,
  headers: SelectionPlace,
): { path: string; headers: HeaderMap } {
  const definedEntries = (place: SelectionPlace) =>
    Object.entries(place)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, String(value)] as const)
  const search = new URLSearchParams(Object.fromEntries(definedEntries(query))).toString()
  return {
    path: `/mcp${path.toolsets ? `/x/${path.toolsets.join()}` : ''}${path.readonly === '1' ? '/readonly' : ''}${search ? `?${search}` : ''}`,
    headers: Object.fromEntries(
      definedEntries(headers).map(([name, value]) => [
        headerNames[name as keyof SelectionPlace],
        value,
      ]),
    ),
  }
}

const keys = () =>
  fc.option(
    fc.record({
      read_only: fc.boolean(),
      toolsets: fc.option(
        fc.uniqueArray(
          toolsetTexts().filter((text) => !/^(all|default)/.test(text)),
          { minLength: 1, maxLength: 5, selector: (text) => text.split(':')[0] },
        ),
        { nil: undefined },
      ),
    }),
    { nil: undefined },
  )

test('no selection exceeds the key, each place only narrows except for the research tools, and every listed tool works', () => {
  fc.assert(
    fc.property(
      keys(),
      arbitraryPlace(),
      arbitraryPlace(),
      arbitraryPlace(),
      (policy, path, query, headers) => {
        const key =
          policy &&
          ({
            id: 'key',
            name: 'k',
            prefix: 'svc',
            admin_grant: false,
            expires_at: null,
            ...policy,
          } as unknown as ActingKey)
        const surfaceFor = (...places: [SelectionPlace, SelectionPlace, SelectionPlace]) => {
          const request = requestOf(...places)
          return surfaceOf(served.app, key, {
            url: `http://x${request.path}`,
            headers: new Headers(request.headers),
          })
        }
        const narrowest = surfaceFor(path, query, headers)
        for (const entry of narrowest.callable) assert.equal(keyRefusal(key, entry), undefined)
        assert.deepEqual(
          narrowest.callable,
          entries.filter((entry) => !narrowest.refusalFor(entry)),
          'in the order of the catalogue',
        )
        assert.ok(narrowest.listed.every((entry) => narrowest.callable.includes(entry)))
        for (const wider of [
          surfaceFor({}, query, headers),
          surfaceFor(path, {}, headers),
          surfaceFor(path, query, {}),
          surfaceFor({}, {}, {}),
        ]) {
          assert.ok(
            narrowest.listed.every((entry) => wider.listed.includes(entry) || isForResearch(entry)),
          )
          assert.ok(narrowest.callable.every((entry) => wider.callable.includes(entry)))
        }
        const requests = (entry: Entry) =>
          [path, query, headers].some(
            ({ preset, tools }) => preset === 'research' || tools?.includes(entry.operation.name),
          )
        assert.ok(narrowest.listed.every((entry) => !isForResearch(entry) || requests(entry)))
        assert.equal(
          narrowest.readOnly,
          narrowest.callable.every((entry) => entry.operation.kind === 'read'),
        )
        const reversed = {
          ...query,
          toolsets: query.toolsets && [...query.toolsets].reverse(),
          tools: query.tools && [...query.tools, ...query.tools].reverse(),
        }
        assert.equal(surfaceFor(path, reversed, headers).id, narrowest.id)
      },
    ),
    { numRuns: 150 },
  )
})

test('over the wire, listed and preset-hidden tools work, deliberately hidden ones refuse, and the same selection gives the same bytes', async () => {
  await fc.assert(
    fc.asyncProperty(
      arbitraryPlace(),
      arbitraryPlace(),
      arbitraryPlace(),
      fc.constantFrom(modern, legacy),
      async (path, query, headers, send) => {
        const request = requestOf(path, query, headers)
        const [first, again] = [
          await send(request.path, 'tools/list', {}, request.headers),
          await send(request.path, 'tools/list', {}, request.headers),
        ]
        assert.equal(first.text, again.text)
        const { callable } = surfaceOf(served.app, undefined, {
          url: `http://x${request.path}`,
          headers: new Headers(request.headers),
        })
        for (const name of ['list_labels', 'list_oddities', 'get_me', 'create_label'] as const) {
          const { json } = await send(
            request.path,
            'tools/call',
            { name, arguments: name === 'create_label' ? { nonsense: 1 } : {} },
            request.headers,
          )
          const isOpen = callable.some((entry) => entry.operation.name === name)
          const openCode = name === 'create_label' ? 'invalid_argument' : 'ok'
          assert.equal(
            json.result.structuredContent?.code ?? 'ok',
            isOpen ? openCode : 'permission_denied',
            `${request.path} ${JSON.stringify(request.headers)} ${name}`,
          )
        }
      },
    ),
    { numRuns: 25 },
  )
})

test('instructions describe what this connection can access', async () => {
  const instructionsAt = async (path: string, key?: string) =>
    (await modern(path, 'server/discover', {}, {}, key)).json.result.instructions as string
  const plain = await instructionsAt('/mcp')
  assert.match(plain, /Available: people, projects, tasks/)
  assert.doesNotMatch(plain, /is read-only|Not open|of \d+ tools/)
  assert.match(await instructionsAt('/mcp/readonly'), /This connection is read-only/)
  assert.match(
    await instructionsAt('/mcp?toolsets=tasks:ro,labels'),
    /Available: tasks \(read only\), labels\. Not available to this connection: people, projects/,
  )
  assert.match(
    await instructionsAt('/mcp?preset=core'),
    /shows \d+ of \d+ tools\. Find others with search_tools/,
  )
  assert.match(
    await instructionsAt('/mcp?preset=compact'),
    /find it with search_tools, .* call it with call_tool/,
  )
  assert.match(
    await instructionsAt('/mcp/x/labels?tools=get_me'),
    /the key allows none of the tools selected/,
  )
  assert.doesNotMatch(await instructionsAt('/mcp?toolsets=tasks'), /search_tools|get_me/)
  assert.match(
    await instructionsAt('/mcp', (await served.keyFor(served.ann, { adminGrant: true })).key),
    /They are an administrator/,
  )
  const initialized = await legacy('/mcp/readonly', 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  })
  assert.match(initialized.json.result.instructions, /This connection is read-only/)
  for (const text of [plain, await instructionsAt('/mcp?preset=core')])
    assert.ok(text.length < 2000, 'hosts truncate longer texts')
})

type AnyClient = Pick<OldClient, 'listTools' | 'callTool' | 'close' | 'getInstructions'>

async function connect(
  generation: 'first' | 'second',
  path: string,
  headers: HeaderMap = {},
): Promise<AnyClient> {
  const options = {
    requestInit: { headers: { authorization: `Bearer ${served.bearer}`, ...headers } },
  }
  const url = new URL(served.url + path)
  const client =
    generation === 'first'
      ? new OldClient({ name: 'old', version: '1' })
      : new Client({ name: 'new', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(
    (generation === 'first'
      ? new OldTransport(url, options)
      : new StreamableHTTPClientTransport(url, options)) as never,
  )
  return client as unknown as AnyClient
}

for (const generation of ['first', 'second'] as const) {
  test(`the client of the ${generation} generation is served at every form of address`, async () => {
    const forms: [string, HeaderMap, string[]][] = [
      ['/mcp/x/labels', {}, inModules('labels')],
      [
        '/mcp/x/labels,views/readonly',
        {},
        namesOf(
          (entry) => ['labels', 'views'].includes(entry.module) && entry.operation.kind === 'read',
        ),
      ],
      ['/mcp?toolsets=labels', {}, inModules('labels')],
      ['/mcp', { 'X-MCP-Toolsets': 'labels', 'X-MCP-Readonly': '1' }, ['list_labels']],
    ]
    for (const [path, headers, names] of forms) {
      const client = await connect(generation, path, headers)
      assert.deepEqual(
        (await client.listTools()).tools.map((tool) => tool.name),
        names,
        path,
      )
      await client.close()
    }
  })

  test(`the client of the ${generation} generation gets results and refusals that match the output schemas`, async () => {
    const client = await connect(generation, '/mcp?output_schemas=1')
    const { tools } = await client.listTools()
    const schemas = new Map(tools.map((tool) => [tool.name, tool.outputSchema]))
    assert.equal(schemas.get('list_labels')!.type, 'object')
    assert.equal(schemas.get('list_oddities'), undefined, 'it answers no object')
    const key = `HELD${generation.toUpperCase()}`.slice(0, 6)
    const calls: [string, Record<string, unknown>][] = [
      ['create_project', { name: `Held ${generation}`, key }],
      ['create_task', { project_id: key, title: 'x' }],
      ['list_tasks', { fields: ['title'] }],
      ['get_task', { task_id: `${key}-1` }],
      ['get_me', {}],
      ['search_tools', { query: 'label' }],
      ['update_label', { label_id: 'none', name: 'x' }],
    ]
    for (const [name, args] of calls) {
      const result = await client.callTool({ name, arguments: args })
      assert.equal(
        result.isError,
        name === 'update_label' ? true : undefined,
        `${name} ${JSON.stringify(result.content)}`,
      )
    }
    await client.close()
  })
}

test('the oldest clients select in the address of their stream', async () => {
  const client = new OldClient({ name: 'oldest', version: '1' })
  const headers = { authorization: `Bearer ${served.bearer}` }
  const withKey: typeof fetch = (url, init) =>
    fetch(url, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init?.headers)), ...headers },
    })
  await client.connect(
    new SSEClientTransport(new URL(`${served.url}/sse?toolsets=labels&readonly=1`), {
      fetch: withKey as never,
      requestInit: { headers },
    }) as never,
  )
  assert.deepEqual(
    (await client.listTools()).tools.map((tool) => tool.name),
    ['list_labels'],
  )
  assert.match(
    String(
      (
        (await client.callTool({ name: 'create_label', arguments: { name: 'x' } }))
          .structuredContent as { message: string }
      ).message,
    ),
    /is read-only/,
  )
  await client.close()
})

test('output schemas are in a list only on request', async () => {
  const schemas = async (path: string) =>
    (await modern(path, 'tools/list')).json.result.tools.filter(
      (tool: { outputSchema?: object }) => tool.outputSchema,
    ).length
  assert.equal(await schemas('/mcp'), 0)
  assert.ok((await schemas('/mcp?output_schemas=1')) > entries.length - 5)
})

test('tools needed in every session are marked, and some have search hints', async () => {
  const listOf = async (path: string) =>
    (await modern(path, 'tools/list')).json.result.tools as {
      name: string
      _meta?: Record<string, unknown>
    }[]
  const tools = await listOf('/mcp')
  const loaded = tools
    .filter((tool) => tool._meta?.['anthropic/alwaysLoad'] === true)
    .map((tool) => tool.name)
  assert.ok(loaded.includes('get_me') && loaded.includes('search_tools') && loaded.length <= 15)
  assert.match(
    String(
      (await listOf('/mcp?details=1')).find((tool) => tool.name === 'restore_item')!._meta![
        'anthropic/searchHint'
      ],
    ),
    /undelete/,
  )
  assert.doesNotMatch(JSON.stringify(tools), /searchHint/)
})

test('annotations state deviations from the protocol defaults, and for writing tools always whether they are destructive', async () => {
  const hintsIn = async (path: string) =>
    new Map<string, object>(
      (await modern(path, 'tools/list')).json.result.tools.map(
        ({ name, annotations }: { name: string; annotations: object }) => [name, annotations],
      ),
    )
  const short = await hintsIn('/mcp')
  for (const [name, hints] of [
    ['list_tasks', { readOnlyHint: true, openWorldHint: false }],
    ['create_task', { destructiveHint: false, openWorldHint: false }],
    ['update_task', { destructiveHint: false, idempotentHint: true, openWorldHint: false }],
    ['send_email', { destructiveHint: true, openWorldHint: true }],
    ['delete_task', { destructiveHint: true, idempotentHint: true, openWorldHint: false }],
  ] as const)
    assert.deepEqual(short.get(name), hints, name)
  assert.deepEqual((await hintsIn('/mcp?details=1')).get('list_tasks'), {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  })
})

test('the tool lists stay within their character budget', async () => {
  for (const [path, max] of [
    ['/mcp', 300_000],
    ['/mcp?preset=core', 40_000],
    ['/mcp?preset=compact', 2_200],
  ] as const) {
    const { length } = JSON.stringify((await modern(path, 'tools/list')).json.result.tools)
    assert.ok(length <= max, `${path}: ${length} characters`)
  }
})
