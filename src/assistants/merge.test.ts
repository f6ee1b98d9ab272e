import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse as parseToml } from '@decimalturn/toml-patch'
import { mergeConfig, UnmergeableConfig } from './merge.ts'

const value = { url: 'https://h.test/mcp', headers: { Authorization: 'Bearer k' } }
const mergeInto = (text: string, language: 'json' | 'toml' = 'json') =>
  mergeConfig(text, {
    language,
    puts: [{ path: [language === 'toml' ? 'mcp_servers' : 'mcpServers', 'workspace'], value }],
  })

test('a missing or empty file is created with just the entry', () => {
  for (const text of ['', '\n', '{}'])
    assert.deepEqual(JSON.parse(mergeInto(text)), { mcpServers: { workspace: value } })
  assert.deepEqual(JSON.parse(JSON.stringify(parseToml(mergeInto('', 'toml')))), {
    mcp_servers: { workspace: value },
  })
})

test('comments, order, formatting and line endings of a JSON file are preserved', () => {
  const text =
    '// mine\r\n{\r\n\t"theme": "dark", // nice\r\n\t"mcpServers": {\r\n\t\t/* other */ "other": { "url": "x" }, // keep\r\n\t},\r\n\t"z": [1,2]\r\n}\r\n'
  const result = mergeInto(text)
  const entry =
    '\r\n\t\t"workspace": {\r\n\t\t\t"url": "https://h.test/mcp",\r\n\t\t\t"headers": {\r\n\t\t\t\t"Authorization": "Bearer k"\r\n\t\t\t}\r\n\t\t},'
  assert.equal(result, text.replace('// keep', `// keep${entry}`))
})

test('an entry is added after the last one when that has no trailing comma', () => {
  const text = '{\n  "a": 1,\n  "mcpServers": {\n    "other": {} // last\n  }\n}\n'
  assert.equal(
    mergeInto(text),
    text.replace(
      '{} // last',
      `{}, // last\n    "workspace": ${JSON.stringify(value, null, 2).replaceAll('\n', '\n    ')}`,
    ),
  )
  assert.equal(
    mergeInto('{\n  "a": 1\n}'),
    `{\n  "a": 1,\n  "mcpServers": ${JSON.stringify({ workspace: value }, null, 2).replaceAll('\n', '\n  ')}\n}`,
  )
})

test('our existing entry is updated; the owner’s additions stay and the old transport is removed', () => {
  const result = mergeInto(
    '{"mcpServers":{"workspace":{"command":"x","args":["y"],"disabled":true,"headers":{"Old":"1"}},"other":{}},"n":1}',
  )
  assert.deepEqual(JSON.parse(result), {
    mcpServers: { workspace: { disabled: true, ...value }, other: {} },
    n: 1,
  })
  assert.equal(mergeInto(result), result, 'a second time changes nothing')
})

test('a byte order mark is preserved at the start', () => {
  assert.equal(mergeInto('\ufeff{}')[0], '\ufeff')
})

test('a list item replaces the one with the same id', () => {
  const file = {
    language: 'jsonc' as const,
    puts: [{ path: ['inputs'], value: { id: 'k', password: true }, intoList: true as const }],
  }
  assert.deepEqual(JSON.parse(mergeConfig('{"inputs":[{"id":"a"}]}', file)), {
    inputs: [{ id: 'a' }, { id: 'k', password: true }],
  })
  assert.deepEqual(JSON.parse(mergeConfig('{"inputs":[{"id":"k"},{"id":"a"}]}', file)), {
    inputs: [{ id: 'k', password: true }, { id: 'a' }],
  })
})

test('a TOML file keeps its comments and tables, whether our entry is added or updated', () => {
  const withoutEntry =
    '# mine\nmodel = "x" # best\n\n[mcp_servers.other]\ncommand = "y"\nargs = ["a", "b"]\n\n[tui]\ntheme = 1\n'
  const added = mergeInto(withoutEntry, 'toml')
  assert.ok(added.startsWith(withoutEntry))
  assert.match(
    added.slice(withoutEntry.length),
    /^\n\[mcp_servers\.workspace\]\nurl = "https:\/\/h\.test\/mcp"\nheaders = \{ Authorization = "Bearer k" \}\n$/,
  )
  const withEntry =
    '# top\n[mcp_servers.workspace]\n# why\nurl = "old" # here\nbearer_token_env_var = "K"\nenabled_tools = ["a"]\n\n[tui] # below\nx = 1979-05-27\n'
  const updated = mergeInto(withEntry, 'toml')
  for (const originalPart of [
    '# top',
    '# why',
    '# here',
    'enabled_tools = ["a"]',
    '[tui] # below',
    'x = 1979-05-27',
  ])
    assert.ok(updated.includes(originalPart), originalPart)
  assert.ok(!updated.includes('bearer_token_env_var'))
  assert.deepEqual(
    JSON.parse(
      JSON.stringify(parseToml(mergeInto('mcp_servers = { other = { command = "y" } }\n', 'toml'))),
    ),
    { mcp_servers: { other: { command: 'y' }, workspace: value } },
  )
})

test('a file of another format, or with a different type in that place, is refused', () => {
  const assertRefused = (text: string, why: RegExp, language: 'json' | 'toml' = 'json') =>
    assert.throws(
      () => mergeInto(text, language),
      (error: Error) => error instanceof UnmergeableConfig && why.test(error.message),
      text,
    )
  assertRefused('{\n "a": 1\n "b": 2\n}', /not valid JSON: CommaExpected in line 3/)
  assertRefused('[]', /something other than an object/)
  assertRefused('{"mcpServers": []}', /mcpServers is not/)
  assertRefused('{"mcpServers": {"workspace": "x"}}', /mcpServers\.workspace is not/)
  assertRefused('a = = 1', /not valid TOML/, 'toml')
  assertRefused('mcp_servers = 1', /mcp_servers is not/, 'toml')
})
