import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { parse as parseToml } from '@decimalturn/toml-patch'
import {
  leading,
  program,
  scratch,
  serve,
  workspaceJson,
  type Ran,
  type Served,
} from '../testing/process.ts'

// The real command line with a home folder of its own, against a real server.

const { dir, remove } = scratch()
const home = join(dir, 'home')
const data = join(dir, 'data')
let server: Served
let key: string

before(async () => {
  mkdirSync(home)
  await workspaceJson('orgs', 'create', '--name', 'Acme', '--data', data)
  await workspaceJson(
    'users',
    'create',
    '--email',
    'ann@acme.test',
    '--name',
    'Ann',
    '--data',
    data,
  )
  key = (
    await workspaceJson(
      'keys',
      'create',
      '--user',
      'ann@acme.test',
      '--name',
      'laptop',
      '--data',
      data,
    )
  ).key
  server = await serve(data)
})
after(async () => {
  if (server) await server.end('SIGKILL')
  remove()
})

function connect(
  args: readonly string[],
  env: Record<string, string> = { WORKSPACE_KEY: key },
): Promise<Ran> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(program, [...leading, 'connect', ...args, '--data', data], {
    env: { PATH, NODE_COMPILE_CACHE, HOME: home, ...env },
  })
  const ran: Ran = { code: 0, stdout: '', stderr: '' }
  child.stdout.on('data', (part: Buffer) => (ran.stdout += part.toString()))
  child.stderr.on('data', (part: Buffer) => (ran.stderr += part.toString()))
  return new Promise((resolve) => child.on('close', (code) => resolve({ ...ran, code: code ?? 1 })))
}

const mode = (file: string) => (statSync(file).mode & 0o777).toString(8)

test('without a client all are listed; with one, its setup is shown with the running instance’s address and the key', async () => {
  const [listed, shown] = await Promise.all([connect(['--json']), connect(['claude-code'])])
  assert.ok((JSON.parse(listed.stdout) as { id: string }[]).some((item) => item.id === 'zed'))
  assert.ok(
    shown.stdout.includes(
      `claude mcp add --transport http workspace ${server.url}/mcp --header "Authorization: Bearer ${key}"`,
    ),
  )
})

test('JSON output contains the setup methods, with the selection in the address', async () => {
  const { stdout } = await connect([
    'cursor',
    '--json',
    '--url',
    'https://work.example.org/mcp',
    '--preset',
    'core',
    '--toolsets',
    'tasks,labels:ro',
    '--readonly',
    '--name',
    'work',
  ])
  const { mcp_url, ways } = JSON.parse(stdout)
  assert.equal(
    mcp_url,
    'https://work.example.org/mcp?preset=core&toolsets=tasks,labels:ro&readonly=1',
  )
  assert.deepEqual(Object.keys(JSON.parse(ways[0].contents[0].text).mcpServers), ['work'])
})

test('without a key a placeholder is shown and announced; a variable reference is shown on request', async () => {
  const [none, reference] = await Promise.all([
    connect(['cursor'], {}),
    connect(['cursor', '--key', 'env']),
  ])
  assert.match(none.stdout, /Bearer svc_YOUR_KEY[\s\S]+Replace svc_YOUR_KEY with your key/)
  assert.match(reference.stdout, /Bearer \$\{env:WORKSPACE_KEY\}/)
  assert.ok(!reference.stdout.includes(key))
})

test('the setup is written to an owner-only client file, and the previous one is backed up', async () => {
  const file = join(home, '.cursor', 'mcp.json')
  mkdirSync(join(home, '.cursor'))
  const old = '{\n  // mine\n  "mcpServers": {\n    "other": { "url": "x" }\n  }\n}\n'
  writeFileSync(file, old, { mode: 0o644 })
  const done = JSON.parse((await connect(['cursor', '--write', '--json'])).stdout)
  assert.deepEqual([done.file, done.changed, readFileSync(done.backup, 'utf8')], [file, true, old])
  assert.deepEqual([mode(file), mode(done.backup)], ['600', '600'])
  assert.ok(!done.next.some((step: string) => /add this/i.test(step)), done.next.join(' '))
  const text = readFileSync(file, 'utf8')
  assert.ok(
    text.startsWith(
      '{\n  // mine\n  "mcpServers": {\n    "other": { "url": "x" },\n    "workspace": {',
    ),
  )
  const again = JSON.parse((await connect(['cursor', '--write', '--json'])).stdout)
  assert.deepEqual(
    [again.changed, again.backup, readFileSync(file, 'utf8')],
    [false, undefined, text],
  )
  assert.deepEqual(readdirSync(join(home, '.cursor')).length, 2, 'nothing else is left behind')
})

test('a missing file is created, also at a path set by a variable or in a project', async () => {
  const moved = join(dir, 'codex')
  await connect(['codex', '--write'], { WORKSPACE_KEY: key, CODEX_HOME: moved })
  assert.equal(
    (parseToml(readFileSync(join(moved, 'config.toml'), 'utf8')) as any).mcp_servers.workspace
      .http_headers.Authorization,
    `Bearer ${key}`,
  )
  const project = join(dir, 'project', '.vscode', 'mcp.json')
  await connect(['vscode', '--write', '--key', 'env', '--file', project])
  assert.equal(
    JSON.parse(readFileSync(project, 'utf8')).servers.workspace.headers.Authorization,
    'Bearer ${input:workspace-key}',
  )
  assert.equal(mode(project), '644', 'no key is in it')
})

test('the bridge is written with full paths because desktop apps have no shell PATH', async () => {
  const { stdout } = await connect([
    'claude-desktop',
    '--write',
    '--json',
    '--file',
    join(dir, 'desktop.json'),
  ])
  const { command, args, env } = JSON.parse(readFileSync(JSON.parse(stdout).file, 'utf8'))
    .mcpServers.workspace
  assert.deepEqual(
    [command, ...args, env],
    [program, ...leading, 'mcp', '--url', `${server.url}/mcp`, { WORKSPACE_KEY: key }],
  )
})

test('a symlink is followed, not replaced', async () => {
  const targetPath = join(dir, 'dotfiles.json')
  const link = join(dir, 'link.json')
  writeFileSync(targetPath, '{}')
  symlinkSync(targetPath, link)
  assert.equal((await connect(['zed', '--write', '--file', link])).code, 0)
  assert.ok(JSON.parse(readFileSync(targetPath, 'utf8')).context_servers.workspace)
})

test('an unreadable or invalid file is left untouched with a reason', async () => {
  const file = join(dir, 'broken.json')
  for (const [text, why] of [
    ['{ "a": 1 "b" }', /is not valid JSON: CommaExpected in line 1/],
    ['[]', /something other than an object/],
    [Buffer.from([0x7b, 0xff, 0x7d]), /Cannot read/],
  ] as const) {
    writeFileSync(file, text)
    const { code, stderr } = await connect(['cursor', '--write', '--file', file])
    assert.equal(code, 1)
    assert.match(stderr, why)
    assert.match(stderr, /Nothing was changed/)
    assert.deepEqual(readFileSync(file), Buffer.from(text))
  }
  const folder = await connect(['cursor', '--write', '--file', dir])
  assert.match(folder.stderr, /Cannot read/)
})

test('nothing is written without a key, a client or a target file', async () => {
  const refused = async (args: string[], why: RegExp, env?: Record<string, string>) => {
    const { code, stderr } = await connect(args, env)
    assert.notEqual(code, 0)
    assert.match(stderr, why)
  }
  await refused(['windsurf', '--write'], /There is no key to write/, {})
  await refused(['zed', '--write', '--key', 'env'], /There is no key to write/)
  await refused(['generic', '--write'], /configuration file of .+ is not known/)
  await refused(['--write'], /Which program\?/)
  await refused(['emacs'], /Unknown program emacs\. Known: claude-code/)
  await refused(['cursor', '--preset', 'nope'], /There is no preset nope\. Available: core/)
  assert.ok(!existsSync(join(home, '.codeium')))
})

test('a check reports the owner of the key and the number of tools', async () => {
  const { code, stdout } = await connect(['--check', '--json'])
  const { ok, url, person, tools, connect_ms } = JSON.parse(stdout)
  assert.deepEqual(
    [code, ok, url, person],
    [0, true, `${server.url}/mcp`, { name: 'Ann', email: 'ann@acme.test' }],
  )
  assert.ok(tools > 80 && connect_ms >= 0)
  const human = await connect(['cursor', '--check'])
  assert.match(
    human.stdout,
    /^Connected to workspace .+ with the key of Ann <ann@acme\.test>\.\n\d+ tools, protocol 2026-07-28; \d+ ms to connect/,
  )
})

test('a failed check reports the reason and a remedy', async () => {
  const failed = async (
    args: string[],
    code: string,
    advice: RegExp,
    env?: Record<string, string>,
  ) => {
    const ran = await connect(['--check', '--json', ...args], env)
    const trouble = JSON.parse(ran.stdout)
    assert.deepEqual([ran.code, trouble.ok, trouble.code], [1, false, code])
    assert.match(trouble.advice, advice)
  }
  await failed([], 'unauthenticated', /workspace keys check/, {
    WORKSPACE_KEY: `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`,
  })
  await failed(['--url', `${server.url}/elsewhere`], 'wrong_path', /address of the instance itself/)
  await failed(['--url', 'http://127.0.0.1:9999'], 'unreachable', /workspace serve/)
  await failed(['--url', server.url.replace('http:', 'https:')], 'unreachable', /http:\/\//)
  await failed(['--url', 'http://work.example.org'], 'exposed', /--allow-http/)
  await failed(['--url', 'http://127.0.0.1:1'], 'bad_port', /Check the port in --url/)
  const none = await connect(['--check'], {})
  assert.match(none.stderr, /No key to test with/)
})

test('the OAuth path of an assistant that signs in is checked step by step without a key', async () => {
  const { code, stdout } = await connect(['--check', '--oauth', '--json'], {})
  const { ok, url, findings } = JSON.parse(stdout) as {
    ok: boolean
    url: string
    findings: { check: string; state: string; says: string }[]
  }
  assert.deepEqual([code, ok, url], [0, true, `${server.url}/mcp`], stdout)
  assert.deepEqual(
    findings.filter(({ state }) => state === 'ok').map(({ check }) => check),
    ['challenge', 'resource', 'server', 'client', 'consent', 'cleanup'],
  )
  const clients = await workspaceJson('oauth', 'clients', 'list', '--data', data)
  assert.deepEqual(clients, [])
  const human = await connect(['cursor', '--check', '--oauth'], {})
  assert.match(human.stdout, /^ok {4}challenge .+[\s\S]+give it \S+\/mcp\?preset=core\.\n$/)
})

test('an OAuth path that assistants cannot use is reported with a remedy', async () => {
  for (const [url, says, fix] of [
    ['http://127.0.0.1:9999', /FAIL {2}oauth .+Nothing answers at/, /→ start `workspace serve`/],
    [
      'http://work.example.org',
      /FAIL {2}address .+is not https/,
      /→ put a proxy with a certificate/,
    ],
    ['https://nowhere.invalid', /nowhere\.invalid is not in the DNS/, /→ add an A record/],
  ] as const) {
    const { code, stdout } = await connect(['--check', '--oauth', '--url', url], {})
    assert.equal(code, 1)
    assert.match(stdout, says)
    assert.match(stdout, fix)
    assert.match(stdout, /No assistant that signs in can be connected at/)
  }
  const alone = await connect(['--oauth'], {})
  assert.match(alone.stderr, /--oauth goes with --check/)
})

test('clients that drop tools are given the core preset, also by --write; VS Code prompts for the key itself', async () => {
  for (const [client, at] of [
    ['cursor', 'mcpServers'],
    ['windsurf', 'mcpServers'],
  ] as const) {
    const file = join(dir, `${client}-core.json`)
    assert.equal((await connect([client, '--write', '--file', file])).code, 0)
    const { url, serverUrl } = JSON.parse(readFileSync(file, 'utf8'))[at].workspace
    assert.equal(url ?? serverUrl, `${server.url}/mcp?preset=core`)
    const { mcp_url } = JSON.parse((await connect([client, '--json'])).stdout)
    assert.equal(mcp_url, `${server.url}/mcp?preset=core`)
    const all = await connect([client, '--json', '--preset', 'all'])
    assert.equal(JSON.parse(all.stdout).mcp_url, `${server.url}/mcp?preset=all`)
  }
  const file = join(dir, 'vscode-asks.json')
  const { stdout } = await connect(['vscode', '--write', '--file', file])
  assert.match(stdout, /VS Code asks for the key/)
  assert.ok(!readFileSync(file, 'utf8').includes(key))
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).inputs[0].password, true)
  await connect(['vscode', '--write', '--file', file, '--key', key])
  assert.ok(readFileSync(file, 'utf8').includes(key), 'a key given on purpose is written')
})
