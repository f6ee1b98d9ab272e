import assert from 'node:assert/strict'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { mintKey } from '../keys/format.ts'
import { workspace } from '../testing/process.ts'
import { commandsOn, createAnn } from './testing.ts'

test('a workspace is set up from the terminal: organization, person, key', async (t) => {
  const commands = commandsOn(t)
  const org = await commands.json('orgs', 'create', '--name', 'Acme')
  assert.match(org.id, /^org_/)
  assert.deepEqual(
    (await commands.json('orgs', 'list')).map((item: { id: string }) => item.id),
    [org.id],
  )
  const ann = await commands.json(
    'users',
    'create',
    '--org',
    'acme',
    '--email',
    'Ann@Acme.test',
    '--name',
    'Ann',
    '--admin',
  )
  assert.equal(ann.email, 'ann@acme.test')
  const key = await commands.json('keys', 'create', '--user', 'ann@acme.test', '--name', 'laptop')
  assert.deepEqual(
    [Object.keys(key).slice(0, 3), key.mcp_url],
    [['id', 'key', 'prefix'], 'http://127.0.0.1:8787/mcp'],
  )
  assert.match(key.key, /^svc_[0-9A-Za-z]{61}$/)
  assert.equal(statSync(join(commands.dataDir, 'workspace.db')).mode & 0o777, 0o600)
})

test('a new key is printed once, with setup commands for each assistant, and no list shows it again', async (t) => {
  const commands = commandsOn(t)
  await createAnn(commands)
  const stdout = await commands.runOk(
    'keys',
    'create',
    '--user',
    'ann@acme.test',
    '--name',
    'laptop',
  )
  const key = /svc_[0-9A-Za-z]{61}/.exec(stdout)![0]
  assert.ok(
    stdout.includes(
      `claude mcp add --transport http workspace http://127.0.0.1:8787/mcp --header "Authorization: Bearer ${key}"`,
    ),
  )
  for (const client of ['Cursor', 'VS Code', 'Any other']) assert.ok(stdout.includes(`${client}.`))
  const secret = key.slice(16, -6)
  const lists = await Promise.all([
    commands.runOk('keys', 'list'),
    commands.runOk('keys', 'list', '--json'),
  ])
  for (const list of lists) assert.ok(list.includes(key.slice(0, 12)) && !list.includes(secret))
  assert.ok(!readFileSync(join(commands.dataDir, 'workspace.db')).includes(secret))
})

test('a key is restricted as requested and listed with its restrictions', async (t) => {
  const commands = commandsOn(t)
  await createAnn(commands)
  await commands.runOk(
    'keys',
    'create',
    '--user',
    'ann@acme.test',
    '--name',
    'reports',
    '--read-only',
    '--toolsets',
    'labels',
    '--expires',
    '2099-01-01',
  )
  const [key] = await commands.json('keys', 'list', '--user', 'ann@acme.test')
  assert.deepEqual(
    [key.read_only, key.toolsets, key.expires_at, key.state],
    [true, ['labels'], '2099-01-01T22:59:59.000Z', 'active'],
  )
  const wide = await commands.runOk(
    'keys',
    'create',
    '--user',
    'ann@acme.test',
    '--name',
    'wide',
    '--admin',
  )
  const lines = (await commands.runOk('keys', 'list')).split('\n')
  assert.match(lines.find((line) => line.includes('reports'))!, / active +read labels /)
  assert.match(
    lines.find((line) => line.includes(wide.match(/svc_\w{8}/)![0]))!,
    / active +administer /,
  )
})

test('a refused command prints the reason to stderr as JSON and exits with 1', async (t) => {
  const commands = commandsOn(t)
  await createAnn(commands)
  const wrong = ['--toolsets nope', '--expires soon', '--expires 2020-01-01'].map((name) => [
    'keys',
    'create',
    '--user',
    'ann@acme.test',
    '--name',
    'x',
    '--json',
    ...name.split(' '),
  ])
  const blank = ['keys', 'create', '--user', 'ann@acme.test', '--name', ' ', '--json']
  for (const args of [...wrong, blank]) {
    const { code, stdout, stderr } = await commands.run(args)
    assert.deepEqual(
      [code, stdout, JSON.parse(stderr).code],
      [1, '', 'invalid_argument'],
      args.join(' '),
    )
  }
})

test('a member cannot have a key with administrator rights', async (t) => {
  const commands = commandsOn(t)
  await createAnn(commands)
  await commands.runOk('users', 'create', '--email', 'bob@acme.test', '--name', 'Bob')
  const { code, stderr } = await commands.run([
    'keys',
    'create',
    '--user',
    'bob@acme.test',
    '--name',
    'x',
    '--admin',
    '--json',
  ])
  assert.deepEqual([code, JSON.parse(stderr).code], [1, 'permission_denied'])
})

test('an invalid command line exits with 2', async (t) => {
  const commands = commandsOn(t)
  const invalidCommands: [string[], string][] = [
    [['keys', 'create', '--name', 'x'], 'keys create'],
    [['keys', 'nonsense'], 'keys'],
    [['orgs', 'list', '--bogus'], 'orgs list'],
    [['call', 'list_labels'], 'call'],
  ]
  for (const [args, helpTopic] of invalidCommands) {
    const { code, stderr } = await commands.run(args)
    assert.equal(code, 2, args.join(' '))
    assert.match(stderr, new RegExp(`^workspace: .+\\nSee workspace ${helpTopic} --help\\n$`))
  }
})

test('every command has help with examples', async (t) => {
  const commands = commandsOn(t)
  const all = [
    '',
    'serve',
    'orgs',
    'orgs create',
    'orgs list',
    'users',
    'users create',
    'users list',
    'users deactivate',
    'users activate',
    'users set-password',
    'users set-role',
    'users password-link',
    'users passkeys',
    'users passkeys list',
    'users passkeys remove',
    'keys',
    'keys create',
    'keys list',
    'keys revoke',
    'keys check',
    'approvals',
    'approvals list',
    'approvals release',
    'approvals deny',
    'secrets',
    'secrets status',
    'secrets rotate',
    'connect',
    'mcp',
    'call',
    'backup',
    'restore',
    'doctor',
    'health',
    'audit',
    'audit verify',
    'audit key',
    'audit export',
    'usage',
    'abuse',
    'abuse list',
    'abuse release',
    'orgs plan',
    'jobs',
    'jobs list',
    'jobs show',
    'jobs retry',
    'jobs cancel',
    'jobs run-now',
    'search',
    'search status',
    'search rebuild',
    'demo',
    'accounts',
    'accounts add',
    'accounts list',
    'accounts test',
    'accounts disable',
    'accounts enable',
    'accounts remove',
  ]
  for (const command of all) {
    const { code, stdout } = await commands.run([...command.split(' ').filter(Boolean), '--help'])
    assert.equal(code, 0, command)
    assert.match(stdout, /Examples:\n {2}\S/, command)
  }
})

test('a folder without a workspace is left untouched', async (t) => {
  const commands = commandsOn(t)
  const { code, stderr } = await commands.run(['keys', 'list'])
  assert.equal(code, 1)
  assert.match(stderr, /no workspace in .*serve/)
  assert.throws(() => statSync(join(commands.dataDir, 'workspace.db')), /ENOENT/)
})

test('a revoked key stays revoked, and revoking it again reports that', async (t) => {
  const commands = commandsOn(t)
  await createAnn(commands)
  const key = await commands.json('keys', 'create', '--user', 'ann@acme.test', '--name', 'laptop')
  const first = await commands.json('keys', 'revoke', key.prefix)
  const again = await commands.json('keys', 'revoke', key.id)
  assert.deepEqual(
    [first.already, again.already, again.revoked_at],
    [false, true, first.revoked_at],
  )
  const [listed] = await commands.json('keys', 'list')
  assert.equal(listed.state, 'revoked')
  assert.match(readFileSync(join(commands.dataDir, 'revoked.log'), 'utf8'), new RegExp(key.id))
})

test('checking a key needs no workspace', async (t) => {
  const commands = commandsOn(t)
  const { key } = mintKey()
  assert.equal((await commands.run(['keys', 'check', key])).code, 0)
  assert.equal(
    (await commands.run(['keys', 'check', key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))]))
      .code,
    1,
  )
  assert.equal((await commands.run(['keys', 'check', 'svc_short'])).code, 1)
})

test('passwords are read from stdin and must be long and not easy to guess', async (t) => {
  const commands = commandsOn(t)
  await createAnn(commands)
  const set = (stdin: string) =>
    commands.run(['users', 'set-password', 'ann@acme.test', '--password-stdin', '--json'], stdin)
  for (const bad of [
    'short',
    'password1234',
    'Password2026!!',
    'aaaaaaaaaaaaaaa',
    'x'.repeat(129),
    '',
  ]) {
    const { code, stderr } = await set(bad)
    assert.deepEqual([code, JSON.parse(stderr).field], [1, 'password'], bad)
    assert.ok(bad.length < 10 || !stderr.includes(bad))
  }
  assert.equal((await set('otter lamp seven moss\n')).code, 0)
  assert.equal(
    (
      await commands.run(
        ['users', 'create', '--email', 'bob@acme.test', '--name', 'Bob', '--password-stdin'],
        'otter lamp seven moss',
      )
    ).code,
    0,
  )
})

test('people are listed, deactivated and reactivated', async (t) => {
  const commands = commandsOn(t)
  await createAnn(commands)
  await commands.runOk('users', 'create', '--email', 'zoe@acme.test', '--name', 'Zoe', '--admin')
  const status = async () => (await commands.json('users', 'list'))[0].status
  assert.equal(await status(), 'active')
  assert.equal((await commands.json('users', 'deactivate', 'ANN@acme.test')).changed, true)
  assert.equal((await commands.json('users', 'deactivate', 'ann@acme.test')).changed, false)
  assert.equal(await status(), 'deactivated')
  assert.equal((await commands.run(['call', 'list_labels', '--as', 'ann@acme.test'])).code, 1)
  await commands.runOk('users', 'activate', 'ann@acme.test')
  assert.equal(await status(), 'active')
})

test('with two organizations, one must be named', async (t) => {
  const commands = commandsOn(t)
  for (const name of ['Acme', 'Other']) await commands.runOk('orgs', 'create', '--name', name)
  const person = ['users', 'create', '--email', 'ann@acme.test', '--name', 'Ann']
  assert.match((await commands.run(person)).stderr, /Which organization\? There are Acme .*, Other/)
  assert.equal((await commands.run([...person, '--org', 'Other'])).code, 0)
})

test('an operation is called with fields, lists of fields and JSON; its result and its errors are JSON', async (t) => {
  const commands = commandsOn(t)
  await createAnn(commands)
  const as = ['--as', 'ann@acme.test']
  const label = JSON.parse(
    await commands.runOk('call', 'create_label', ...as, '--name', 'Bug', '--color=#ff0000'),
  )
  assert.deepEqual([label.name, label.color, label.created_via], ['Bug', '#ff0000', 'cli'])
  assert.equal(
    JSON.parse(await commands.runOk('call', 'list_labels', ...as, '--args', '{"limit": 1}')).items
      .length,
    1,
  )
  assert.equal(
    JSON.parse(await commands.runOk('call', 'list_labels', ...as, '--json', '--limit', '5')).items
      .length,
    1,
  )
  const refused = await commands.run(['call', 'create_label', ...as, '--nme', 'Bug'])
  assert.deepEqual([refused.code, JSON.parse(refused.stderr).code], [1, 'invalid_argument'])
})

test('operations are listed and described', async (t) => {
  const commands = commandsOn(t)
  const listed = (await commands.json('call', '--list')) as { name: string }[]
  assert.ok(listed.some((item) => item.name === 'create_label'))
  const stdout = await commands.runOk('call', 'create_label', '--help')
  assert.match(
    stdout,
    /^create_label \(write, POST \/api\/labels\)[\s\S]+--name +string +\(required\)/,
  )
})

test('key and user commands are recorded in the call log without secrets', async (t) => {
  const commands = commandsOn(t)
  await createAnn(commands)
  const key = await commands.json('keys', 'create', '--user', 'ann@acme.test', '--name', 'laptop')
  await commands.runOk('keys', 'revoke', key.id)
  const db = new Database(join(commands.dataDir, 'workspace.db'), { readonly: true })
  t.after(() => db.close())
  const calls = db
    .prepare('SELECT tool, transport, items_json, details_json FROM calls ORDER BY seq')
    .all() as Record<string, string>[]
  assert.deepEqual(
    calls.map((call) => [call.tool, call.transport]),
    [
      ['create_user', 'cli'],
      ['create_api_key', 'cli'],
      ['revoke_api_key', 'cli'],
    ],
  )
  assert.ok(calls[1]!.items_json!.includes(key.id))
  assert.ok(!JSON.stringify(calls).includes(key.key.slice(4, 30)))
})

test('audit verify passes on an intact log and names the first entry with a flipped byte', async (t) => {
  const commands = commandsOn(t)
  await createAnn(commands)
  for (const name of ['Alpha', 'Beta', 'Gamma'])
    await commands.runOk('call', 'create_label', '--as', 'ann@acme.test', '--name', name)
  assert.deepEqual((await commands.json('audit', 'verify')).ok, true)
  const file = join(commands.dataDir, 'workspace.db')
  const bytes = readFileSync(file)
  const at = bytes.indexOf('"name":"Beta"') + '"name":"'.length
  bytes[at] = bytes[at]! ^ 1
  writeFileSync(file, bytes)
  const { code, stdout } = await commands.run(['audit', 'verify'])
  assert.equal(code, 1)
  assert.match(
    stdout,
    /^Acme: BROKEN at entry 3 \(clg_\w+\): its details were changed\. The 2 before it are intact\.\n$/,
  )
})

test('damage, a newer schema and an invalid setting have distinct exit codes', async (t) => {
  const commands = commandsOn(t)
  await createAnn(commands)
  const file = join(commands.dataDir, 'workspace.db')
  const db = new Database(file)
  db.pragma('user_version = 999')
  db.close()
  const newer = await commands.run(['orgs', 'list', '--json'])
  assert.deepEqual([newer.code, JSON.parse(newer.stderr).code], [78, 'configuration'])
  writeFileSync(
    file,
    'this is no database, and longer than a hundred bytes, which is what SQLite reads of a file before it says so ........',
  )
  assert.equal((await commands.run(['orgs', 'list'])).code, 74)
  assert.equal((await commands.run(['serve', '--port', 'many'])).code, 78)
  const undecided = await commands.run(['serve', '--limits', 'maybe'])
  assert.deepEqual(
    [undecided.code, /--limits .*must be yes or no/.test(undecided.stderr)],
    [78, true],
  )
  for (const args of [
    ['serve', '--port', '0'],
    ['orgs', 'create', '--name', 'x'],
  ]) {
    const { code, stderr } = await workspace([...args, '--data', file])
    assert.deepEqual([code, /Name a folder with --data/.test(stderr)], [78, true], args.join(' '))
  }
})

test('an unreadable folder has a distinct exit code', async (t) => {
  const { dataDir } = commandsOn(t)
  const forbidden = process.getuid?.() === 0 ? '/sys/workspace' : dataDir // root may write to almost any folder
  chmodSync(dataDir, 0)
  const { code } = await workspace(['orgs', 'create', '--name', 'x', '--data', forbidden])
  chmodSync(dataDir, 0o700)
  assert.equal(code, 77)
})
