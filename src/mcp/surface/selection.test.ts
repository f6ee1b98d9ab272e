import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../kernel/refusal.ts'
import { parseSelection, selectionText, type ToolSelection } from './selection.ts'

const requestFor = (path: string, headers: Record<string, string> = {}) => ({
  url: `http://workspace.test${path}`,
  headers: new Headers(headers),
})

/** The non-empty parts of a selection. */
function partsOf(
  path: string,
  headers?: Record<string, string>,
): Partial<Record<keyof ToolSelection, unknown>>[] {
  return parseSelection(requestFor(path, headers)).parts.map(({ names, toolsets, ...part }) => {
    const all = {
      ...part,
      toolsets: toolsets?.map(({ module, readOnly }) => (readOnly ? `${module}:ro` : module)),
    }
    return Object.fromEntries(
      Object.entries(all).filter(
        ([, value]) =>
          value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0),
      ),
    )
  })
}

const accepted: [string, Record<string, string>, object[]][] = [
  ['/mcp', {}, []],
  ['/mcp/', {}, []],
  ['/mcp/readonly', {}, [{ readOnly: true }]],
  ['/mcp/x/tasks,email', {}, [{ toolsets: ['tasks', 'email'] }]],
  ['/mcp/x/tasks%2Cemail%3Aro/readonly', {}, [{ toolsets: ['tasks', 'email:ro'], readOnly: true }]],
  ['/mcp/p/core', {}, [{ preset: 'core' }]],
  [
    '/mcp/p/compact/x/tasks/readonly',
    {},
    [{ preset: 'compact', toolsets: ['tasks'], readOnly: true }],
  ],
  ['/mcp/p/all', {}, [{ preset: 'all' }]],
  ['/mcp/x/all', {}, []],
  ['/mcp/x/all/readonly', {}, [{ readOnly: true }]],
  ['/mcp/x/all:ro', {}, [{ toolsets: ['all:ro'] }]],
  ['/mcp?toolsets=tasks,%20Email&toolsets=tasks', {}, [{ toolsets: ['tasks', 'email'] }]],
  ['/mcp?toolsets=tasks:ro,chat:rw', {}, [{ toolsets: ['tasks:ro', 'chat'] }]],
  ['/mcp?toolsets=default', {}, []],
  ['/mcp?toolsets=', {}, []],
  [
    '/mcp?tools=get_me,list_tasks&exclude=delete_task',
    {},
    [{ tools: ['get_me', 'list_tasks'], exclude: ['delete_task'] }],
  ],
  ['/mcp?preset=core&tools=list_labels', {}, [{ preset: 'core', tools: ['list_labels'] }]],
  ['/mcp?readonly=1', {}, [{ readOnly: true }]],
  ['/mcp?readonly=true', {}, [{ readOnly: true }]],
  ['/mcp?readonly', {}, [{ readOnly: true }]],
  ['/mcp?readonly=0', {}, []],
  ['/mcp?readonly=0&readonly=1', {}, [{ readOnly: true }]],
  [
    '/mcp',
    { 'x-mcp-toolsets': 'tasks, chat:ro', 'x-mcp-readonly': 'true' },
    [{ toolsets: ['tasks', 'chat:ro'], readOnly: true }],
  ],
  [
    '/mcp',
    { 'x-mcp-tools': 'get_me', 'x-mcp-exclude-tools': 'delete_task', 'x-mcp-preset': 'compact' },
    [{ tools: ['get_me'], exclude: ['delete_task'], preset: 'compact' }],
  ],
  ['/mcp', { 'x-mcp-toolsets': '', 'x-mcp-readonly': '', 'x-mcp-preset': '' }, []],
  ['/mcp', { 'x-mcp-readonly': 'false' }, []],
  [
    '/mcp/x/tasks?readonly=1',
    { 'x-mcp-toolsets': 'tasks,chat' },
    [{ toolsets: ['tasks'] }, { readOnly: true }, { toolsets: ['tasks', 'chat'] }],
  ],
  ['/sse?toolsets=tasks', {}, [{ toolsets: ['tasks'] }]],
  ['/messages?sessionId=1', {}, []],
  ['/api/tools.sha256?preset=daily', {}, [{ preset: 'daily' }]],
  ['/mcp?sessionId=1&utm_source=x&token=y', {}, []],
]

test('selections in path, query and headers are parsed separately', () => {
  for (const [path, headers, parts] of accepted)
    assert.deepEqual(partsOf(path, headers), parts, `${path} ${JSON.stringify(headers)}`)
})

const refused: [string, Record<string, string>, RegExp][] = [
  [
    '/mcp?preset=big',
    {},
    /preset= in the address: unknown preset "big"\. Available: core, daily, all, compact/,
  ],
  ['/mcp?preset=core,daily', {}, /accepts only one preset/],
  ['/mcp?preset=core&preset=daily', {}, /accepts only one preset/],
  ['/mcp?readonly=yes', {}, /readonly= in the address: is not a flag\. Use 1, true, 0 or false/],
  ['/mcp', { 'x-mcp-readonly': 'on' }, /X-MCP-Readonly: is not a flag/],
  ['/mcp?toolsets=tasks:no', {}, /"tasks:no" is not a toolset\..*tasks:ro/],
  ['/mcp?output_schemas=maybe', {}, /not a flag/],
  ['/mcp/x/%E0%A4%A', {}, /invalid percent encoding/],
  [
    '/mcp?read_only=1',
    {},
    /"read_only" in the address is an unknown parameter\. Did you mean readonly=\?/,
  ],
  ['/mcp?Readonly=1', {}, /Did you mean readonly=\?/],
  ['/mcp?toolset=tasks', {}, /Did you mean toolsets=\?/],
  ['/mcp?exclude_tools=delete_task', {}, /Did you mean exclude=\?/],
  [
    '/mcp',
    { 'x-mcp-read-only': '1' },
    /Unknown header x-mcp-read-only\. Available: X-MCP-Toolsets, .*X-MCP-Readonly/,
  ],
  ['/mcp', { 'x-mcp-toolset': 'tasks' }, /Unknown header/],
]

test('a contradictory selection, or one that only seems to narrow, is refused by name', () => {
  for (const [path, headers, message] of refused) {
    assert.throws(
      () => parseSelection(requestFor(path, headers)),
      (error: unknown) =>
        error instanceof Refusal &&
        error.code === 'invalid_argument' &&
        message.test(error.body().message),
      `${path} ${JSON.stringify(headers)}`,
    )
  }
})

test('output schemas are requested in the query', () => {
  assert.deepEqual(
    ['', '?output_schemas=1', '?output_schemas', '?output_schemas=0'].map(
      (query) => parseSelection(requestFor(`/mcp${query}`)).outputSchemas,
    ),
    [undefined, true, true, false],
  )
})

test('an empty selection has no cache text; any other includes everything requested', () => {
  for (const path of ['/mcp', '/sse', '/api/tools.sha256'])
    assert.equal(selectionText(requestFor(path)), '')
  const texts = [
    requestFor('/mcp?a'),
    requestFor('/mcp/readonly'),
    requestFor('/mcp', { 'x-mcp-tools': 'a' }),
    requestFor('/mcp', { 'x-mcp-exclude-tools': 'a' }),
    requestFor('/mcp', { 'x-mcp-read-only': '1' }),
  ].map(selectionText)
  assert.equal(new Set([...texts, '']).size, 6)
})
