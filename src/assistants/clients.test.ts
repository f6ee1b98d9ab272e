import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { parse as parseToml } from '@decimalturn/toml-patch'
import { clientOf, clients, setupOf } from './clients.ts'
import { buildConfig, type ClientSetup, type Command, type ConfigFile } from './client.ts'
import { posixQuoted, windowsQuoted } from './quote.ts'
import { briefSetup, fullSetupText } from './show.ts'
import { presetNames } from '../mcp/surface/presets.ts'
import {
  parseEndpoint,
  InvalidTarget,
  isExposed,
  mcpUrl,
  placeholder,
  presets,
  selectionOf,
  type Target,
} from './target.ts'

const key = `svc_${'k'.repeat(61)}`
const target: Target = {
  baseUrl: 'https://work.example.org',
  selection: { preset: 'core', toolsets: ['tasks:ro', 'chat'], readonly: true },
  key: { text: key },
  name: 'workspace',
  bridge: ['workspace', 'mcp'],
}
const url = 'https://work.example.org/mcp?preset=core&toolsets=tasks:ro,chat&readonly=1'
const setup = (id: string, more: Partial<Target> = {}): ClientSetup =>
  setupOf(clientOf(id)!, { ...target, ...more })
const files = ({ ways }: ClientSetup) =>
  ways.flatMap((way) => way.contents).filter((item): item is ConfigFile => item.kind === 'file')
const commandsOf = ({ ways }: ClientSetup) =>
  ways.flatMap((way) => way.contents).filter((item): item is Command => item.kind === 'command')
const value = (clientSetup: ClientSetup) => files(clientSetup)[0]!.puts[0]!.value as any

test('every client has setup methods with steps and contents, has notes, and is found by its common names', () => {
  assert.deepEqual(
    clients.map((client) => client.id),
    [
      'claude-code',
      'claude-desktop',
      'cursor',
      'vscode',
      'windsurf',
      'codex',
      'gemini-cli',
      'zed',
      'claude-ai',
      'chatgpt',
      'le-chat',
      'copilot-studio',
      'perplexity',
      'grok',
      'goose',
      'antigravity',
      'generic',
    ],
  )
  for (const { id, title } of clients) {
    const { ways, notes } = setup(id)
    assert.ok(
      ways.length > 0 &&
        notes.length > 0 &&
        ways.every((way) => way.steps.length > 0 && way.contents.length > 0),
      id,
    )
    for (const name of [id, title, title.toUpperCase()]) assert.equal(clientOf(name)?.id, id)
  }
  assert.equal(clientOf('gemini')?.id, 'gemini-cli')
  assert.equal(clientOf('emacs'), undefined)
})

test('each file is in its format and contains the address, the key and only the given values', () => {
  for (const { id } of clients) {
    for (const file of files(setup(id))) {
      const read = file.language === 'toml' ? parseToml(file.text) : JSON.parse(file.text)
      assert.deepEqual(JSON.parse(JSON.stringify(read)), buildConfig(file.puts), id)
      assert.ok(file.text.includes(url) && file.text.includes(key), id)
    }
  }
})

test('each client gets the fields that it reads', () => {
  const headers = { Authorization: `Bearer ${key}` }
  assert.deepEqual(value(setup('claude-code')), { type: 'http', url, headers })
  assert.deepEqual(value(setup('cursor')), { url, headers })
  assert.deepEqual(value(setup('windsurf')), { serverUrl: url, headers })
  assert.deepEqual(value(setup('gemini-cli')), { httpUrl: url, headers })
  assert.deepEqual(value(setup('zed')), { url, headers })
  assert.deepEqual(value(setup('vscode')), { type: 'http', url, headers })
  assert.deepEqual(value(setup('codex')), { url, http_headers: headers })
  assert.deepEqual(value(setup('claude-desktop')), {
    command: 'workspace',
    args: ['mcp', '--url', url],
    env: { WORKSPACE_KEY: key },
  })
  assert.deepEqual(
    [
      'claude-code',
      'cursor',
      'windsurf',
      'gemini-cli',
      'zed',
      'vscode',
      'codex',
      'claude-desktop',
    ].map((id) => files(setup(id))[0]!.puts[0]!.path[0]),
    [
      'mcpServers',
      'mcpServers',
      'mcpServers',
      'mcpServers',
      'context_servers',
      'servers',
      'mcp_servers',
      'mcpServers',
    ],
  )
})

test('a variable replaces the key in the syntax of each client; a placeholder does where variables are unsupported', () => {
  const valueWithVariable = (id: string) => value(setup(id, { key: { variable: 'WORKSPACE_KEY' } }))
  assert.equal(valueWithVariable('claude-code').headers.Authorization, 'Bearer ${WORKSPACE_KEY}')
  assert.equal(valueWithVariable('cursor').headers.Authorization, 'Bearer ${env:WORKSPACE_KEY}')
  assert.equal(valueWithVariable('windsurf').headers.Authorization, 'Bearer ${env:WORKSPACE_KEY}')
  assert.equal(valueWithVariable('gemini-cli').headers.Authorization, 'Bearer ${WORKSPACE_KEY}')
  assert.equal(valueWithVariable('codex').bearer_token_env_var, 'WORKSPACE_KEY')
  assert.equal(valueWithVariable('zed').headers.Authorization, `Bearer ${placeholder}`)
  assert.equal(valueWithVariable('claude-desktop').env.WORKSPACE_KEY, placeholder)
})

test('VS Code prompts for the key when none is given', () => {
  const [servers, inputs] = files(setup('vscode', { key: { text: placeholder } }))[0]!.puts
  assert.equal((servers!.value.headers as any).Authorization, 'Bearer ${input:workspace-key}')
  assert.deepEqual(
    [inputs!.path, inputs!.intoList, inputs!.value.id, inputs!.value.password],
    [['inputs'], true, 'workspace-key', true],
  )
})

test('install links contain the same configuration as the files', () => {
  const cursor = new URL(setup('cursor').ways[0]!.link!)
  assert.equal(
    cursor.protocol + cursor.host + cursor.pathname,
    'cursor:anysphere.cursor-deeplink/mcp/install',
  )
  assert.equal(cursor.searchParams.get('name'), 'workspace')
  assert.deepEqual(
    JSON.parse(Buffer.from(cursor.searchParams.get('config')!, 'base64').toString()),
    value(setup('cursor')),
  )
  const [scheme, packed] = setup('vscode').ways[0]!.link!.split('?')
  assert.equal(scheme, 'vscode:mcp/install')
  assert.deepEqual(JSON.parse(decodeURIComponent(packed!)), {
    name: 'workspace',
    ...value(setup('vscode')),
  })
})

test('commands reach the shell with their arguments intact, whatever the address contains', () => {
  const unusualTarget = {
    baseUrl: 'https://work.example.org/it\'s $HOME `x` "q" 100%!',
    key: { variable: 'WORKSPACE_KEY' },
  }
  for (const more of [{}, unusualTarget]) {
    for (const id of ['claude-code', 'vscode', 'codex', 'gemini-cli']) {
      const line = commandsOf(setup(id, more))
        .filter((command) => command.shell !== 'windows' && !command.text.startsWith('export'))
        .at(-1)!.text
      const args = execFileSync('sh', [
        '-c',
        `set -- ${line}\nfor one; do printf '%s\\0' "$one"; done`,
      ])
        .toString()
        .split('\0')
      assert.ok(
        args.some((arg) =>
          arg.includes(
            mcpUrl(
              more === unusualTarget ? unusualTarget.baseUrl : target.baseUrl,
              target.selection,
            ).replaceAll('"', id === 'vscode' ? '\\"' : '"'),
          ),
        ),
        line,
      )
    }
  }
})

test('arguments are quoted for sh and for Windows only where necessary', () => {
  assert.deepEqual(
    ['plain/text:1,2', 'two words', 'a"b', "it's", '$x', "it's $x", ''].map(posixQuoted),
    ['plain/text:1,2', '"two words"', `'a"b'`, `"it's"`, `'$x'`, `'it'\\''s $x'`, '""'],
  )
  assert.deepEqual(
    ['plain', 'two words', '{"a":1}', 'a\\"b', 'end\\ ', 'x y\\'].map(windowsQuoted),
    ['plain', '"two words"', '"{\\"a\\":1}"', '"a\\\\\\"b"', '"end\\ "', '"x y\\\\"'],
  )
})

test('clients with a tool limit are given or advised the core preset', () => {
  for (const id of ['cursor', 'vscode', 'windsurf'])
    assert.match(setup(id).notes.join(' '), /preset=core/, id)
})

test('a setup is shown in full or one step at a time, with the paths of the platform', () => {
  const full = fullSetupText(setup('vscode'), 'macos')
  assert.match(
    full,
    /^VS Code\n\n1\. In a terminal\n[\s\S]+ {2}code --add-mcp '\{[\s\S]+File: ~\/Library\/Application Support\/Code\/User\/mcp\.json/,
  )
  assert.match(
    fullSetupText(setup('vscode'), 'windows'),
    / {2}code --add-mcp "\{\\"name\\"[\s\S]+File: %APPDATA%\\Code\\User\\mcp\.json/,
  )
  assert.deepEqual(briefSetup(setup('cursor'), 'linux').how, 'Add this to ~/.cursor/mcp.json:')
  assert.deepEqual(
    briefSetup(setup('generic', { selection: {} }), 'linux').text,
    `Address: https://work.example.org/mcp\nAuthorization: Bearer ${key}`,
  )
})

test('an address is accepted with or without its endpoint, a slash or a selection; anything else is refused with a reason', () => {
  const plain = {
    baseUrl: 'https://h.test',
    path: '/mcp',
    selection: { ...selectionOf({}), others: undefined },
  }
  for (const text of [
    'https://h.test',
    'https://h.test/',
    'https://h.test/mcp',
    'https://h.test/mcp/',
  ])
    assert.deepEqual(parseEndpoint(text), plain, text)
  assert.deepEqual(parseEndpoint('http://h.test:1/sub/mcp?toolsets=tasks,chat&readonly=1'), {
    baseUrl: 'http://h.test:1/sub',
    path: '/mcp',
    selection: {
      preset: undefined,
      toolsets: ['tasks', 'chat'],
      readonly: true,
      others: undefined,
    },
  })
  const { baseUrl, path, selection } = parseEndpoint(
    'https://h.test/mcp?tools=get_me&preset=core&output_schemas=1',
  )
  assert.equal(
    mcpUrl(baseUrl, selection, path),
    'https://h.test/mcp?preset=core&tools=get_me&output_schemas=1',
  )
  assert.equal(parseEndpoint('https://h.test/mcp/x/tasks/readonly').path, '/mcp/x/tasks/readonly')
  for (const text of [
    '',
    'h.test',
    'ftp://h.test',
    'https://a:b@h.test',
    'https://h.test/mcp?preset=nope',
    'https://h.test/mcp?toolsets=A!',
    'https://h.test/mcp?readonly=maybe',
  ])
    assert.throws(() => parseEndpoint(text), InvalidTarget, text)
})

test('plain http counts as exposed, except to this machine', () => {
  const exposed = [
    'http://work.example.org/mcp',
    'http://10.0.0.1:8787/mcp',
    'http://localhost.example.org/mcp',
    'http://127.0.0.1.example.org/mcp',
    'http://[2001:db8::1]/mcp',
  ]
  const safe = [
    'https://work.example.org/mcp',
    'http://localhost:8787/mcp',
    'http://127.0.0.1/mcp',
    'http://127.8.8.8/mcp',
    'http://[::1]:8787/mcp',
    'http://app.localhost/mcp',
  ]
  assert.deepEqual([exposed.filter(isExposed), safe.filter(isExposed)], [exposed, []])
})

test('the presets match those of the endpoint', () => {
  assert.deepEqual(presets, presetNames)
})

test('clients that sign in get an address with the selection in its path, and never the key', () => {
  const ids = clients.map(({ id }) => id)
  const hosted = ids.slice(ids.indexOf('claude-ai'), ids.indexOf('generic'))
  assert.equal(hosted.length, 8)
  for (const id of hosted) {
    const setupText = JSON.stringify(setup(id))
    assert.ok(
      setupText.includes('https://work.example.org/mcp/p/core/x/tasks:ro,chat/readonly"'),
      id,
    )
    assert.ok(!setupText.includes(key), id)
    assert.match(setupText, /Made for it: .* was not tried/, id)
  }
})
