import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { serve } from '../testing/process.ts'
import { commandsOn, createAnn } from './testing.ts'

// Tests the first hour of a user at the command line.

test('the last active administrator cannot be deactivated or demoted until there is another one', async (t) => {
  const commands = commandsOn(t)
  await createAnn(commands)
  await commands.runOk('users', 'create', '--email', 'bob@acme.test', '--name', 'Bob')
  for (const args of [
    ['deactivate', 'ann@acme.test'],
    ['set-role', 'ann@acme.test', 'member'],
  ]) {
    const { code, stderr } = await commands.run(['users', ...args, '--json'])
    assert.deepEqual([code, JSON.parse(stderr).code], [1, 'conflict'], args.join(' '))
    assert.match(stderr, /Ann is the only active administrator of Acme/)
    assert.match(stderr, /users set-role/)
  }
  assert.equal((await commands.json('users', 'set-role', 'bob@acme.test', 'admin')).changed, true)
  assert.equal((await commands.json('users', 'set-role', 'bob@acme.test', 'admin')).changed, false)
  assert.equal((await commands.json('users', 'deactivate', 'ann@acme.test')).changed, true)
  const last = await commands.run(['users', 'set-role', 'bob@acme.test', 'guest'])
  assert.equal(last.code, 1, 'a deactivated administrator does not count')
  const wrong = await commands.run(['users', 'set-role', 'bob@acme.test', 'king'])
  assert.equal(wrong.code, 2)
  assert.match(wrong.stderr, /admin, member, guest/)
})

test('an unknown name is answered with the closest matches', async (t) => {
  const commands = commandsOn(t)
  await commands.runOk('orgs', 'create', '--name', 'Acme')
  for (const [args, expected] of [
    [['connect', 'claude'], /Did you mean claude-ai, claude-code or claude-desktop\? Known: /],
    [['connect', 'cursr'], /Did you mean cursor\?/],
    [['doctor', '--only', 'backup'], /Did you mean backups\?/],
    [['jobs', 'list', '--state', 'died'], /there is no state died\..* Use one of /],
  ] as const) {
    const { code, stderr } = await commands.run([...args])
    assert.notEqual(code, 0)
    assert.match(stderr, expected)
  }
  const { stderr } = await commands.run(['connect', 'zzz'])
  assert.doesNotMatch(stderr, /Did you mean/)
})

test('a user created without a password gets a link to set one and sign in', async (t) => {
  const commands = commandsOn(t)
  await commands.runOk('orgs', 'create', '--name', 'Acme')
  const output = await commands.runOk(
    'users',
    'create',
    '--email',
    'ann@acme.test',
    '--name',
    'Ann',
    '--admin',
  )
  assert.match(output, /http:\/\/127\.0\.0\.1:8787\/reset\/[\w-]{43}\n/)
  assert.match(output, /works once, within 24 hours/)
  const bobAnswer = await commands.json(
    'users',
    'create',
    '--email',
    'bob@acme.test',
    '--name',
    'Bob',
  )
  assert.match(bobAnswer.password_link, /\/reset\/[\w-]{43}$/)
  assert.equal(
    (
      await commands.json(
        'users',
        'create',
        '--email',
        'eve@acme.test',
        '--name',
        'Eve',
        '--no-link',
      )
    ).password_link,
    undefined,
  )
  const again = await commands.json('users', 'password-link', 'bob@acme.test')
  assert.notEqual(again.password_link, bobAnswer.password_link)
  const server = await serve(commands.dataDir)
  t.after(() => server.end())
  const post = (path: string, body: object) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url },
      body: JSON.stringify(body),
    })
  const password = 'otter lamp seven moss'
  const resetWithLink = (link: string) =>
    post('/web/reset', { token: link.split('/').at(-1), password })
  assert.equal(
    (await resetWithLink(bobAnswer.password_link)).status,
    404,
    'a new link replaces the one before',
  )
  assert.equal((await resetWithLink(again.password_link)).status, 200)
  assert.equal((await resetWithLink(again.password_link)).status, 404, 'it works once')
  assert.equal((await post('/web/sign-in', { email: 'bob@acme.test', password })).status, 200)
})

test('an organization takes the time zone of the machine unless one is given', async (t) => {
  const commands = commandsOn(t)
  const previousTimezone = process.env.TZ
  process.env.TZ = 'America/New_York'
  t.after(() =>
    previousTimezone === undefined ? delete process.env.TZ : (process.env.TZ = previousTimezone),
  )
  assert.equal(
    (await commands.json('orgs', 'create', '--name', 'Acme')).timezone,
    'America/New_York',
  )
  assert.match(
    await commands.runOk('orgs', 'create', '--name', 'Other'),
    /Time zone: America\/New_York.*--timezone/,
  )
  assert.equal(
    (await commands.json('orgs', 'create', '--name', 'Third', '--timezone', 'Europe/Berlin'))
      .timezone,
    'Europe/Berlin',
  )
})

test('a second organization of the same name is refused unless forced', async (t) => {
  const commands = commandsOn(t)
  await commands.runOk('orgs', 'create', '--name', 'Acme')
  const { code, stderr } = await commands.run(['orgs', 'create', '--name', ' ACME ', '--json'])
  assert.deepEqual([code, JSON.parse(stderr).code], [1, 'conflict'])
  assert.match(stderr, /--force/)
  await commands.runOk('orgs', 'create', '--name', 'Acme', '--force')
  assert.equal((await commands.json('orgs', 'list')).length, 2)
})

test('a server that cannot bind its port creates no database', async (t) => {
  const commands = commandsOn(t)
  const blocker = createServer().listen(0, '127.0.0.1')
  await once(blocker, 'listening')
  t.after(() => blocker.close())
  const { code, stderr } = await commands.run([
    'serve',
    '--port',
    String((blocker.address() as AddressInfo).port),
  ])
  assert.equal(code, 1)
  assert.match(stderr, /in use|EADDRINUSE/)
  assert.equal(existsSync(join(commands.dataDir, 'workspace.db')), false)
})

test('help for serve fits a terminal and shows the essentials; all settings with defaults are on a separate page', async (t) => {
  const commands = commandsOn(t)
  const shortHelp = await commands.runOk('serve', '--help')
  const fullHelp = await commands.runOk('serve', '--help-all')
  for (const text of [shortHelp, fullHelp])
    for (const line of text.split('\n')) assert.ok(line.length <= 80 || !line.includes(' '), line)
  assert.ok(shortHelp.split('\n').length <= 60, `${shortHelp.split('\n').length} lines`)
  for (const flag of [
    '--data',
    '--host',
    '--port',
    '--base-url',
    '--tls-cert',
    '--trusted-proxies',
  ])
    assert.ok(shortHelp.includes(flag), flag)
  assert.match(shortHelp.replace(/\s+/g, ' '), /\(default: 8787\)/)
  assert.match(shortHelp, /--help-all/)
  assert.ok(!shortHelp.includes('--abuse-repeat'))
  assert.match(
    fullHelp.replace(/\s+/g, ' '),
    /--abuse-repeat <number> .*?\(default: 3; WORKSPACE_ABUSE_REPEAT\)/,
  )
  assert.equal(
    [...fullHelp.matchAll(/\(default:\s/g)].length,
    [...fullHelp.matchAll(/\bWORKSPACE_[A-Z_]+\)/g)].length,
    'each has its default',
  )
})
