import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { spawn } from 'node:child_process'
import { noMail, startMail } from '../../testing/servers/daemons.ts'
import { leading, program } from '../../testing/process.ts'
import { commandsOn, createAnn } from '../testing.ts'

test('accounts are connected, listed, tested, switched off and removed at the command line; passwords come only from stdin or a file', {
  skip: noMail,
}, async (t) => {
  const mail = await startMail(['--users', 'ann:ann-secret'])
  t.after(() => mail.close())
  const commands = commandsOn(t)
  const siblingPath = (name: string) =>
    join(commands.dataDir, '..', `${basename(commands.dataDir)}.${name}`)
  const { authorize, token, revoke, userinfo } = mail.oauth
  Object.assign(process.env, {
    NODE_EXTRA_CA_CERTS: mail.ca,
    WORKSPACE_OUTBOUND_ALLOW: [mail.imap.tlsPort, mail.smtp.port, new URL(mail.oauth.url).port]
      .map((port) => `${mail.host}:${port}`)
      .join(','),
    WORKSPACE_MASTER_KEY_FILE: siblingPath('key'),
    WORKSPACE_GOOGLE_CLIENT_ID: mail.oauth.clientId,
    WORKSPACE_GOOGLE_CLIENT_SECRET_FILE: siblingPath('google'),
    WORKSPACE_GOOGLE_ENDPOINTS: JSON.stringify({ authorize, token, revoke, userinfo }),
  })
  writeFileSync(siblingPath('google'), mail.oauth.clientSecret)
  writeFileSync(siblingPath('password'), 'ann-secret\n')
  t.after(() =>
    ['key', 'google', 'password'].forEach((name) => rmSync(siblingPath(name), { force: true })),
  )
  await createAnn(commands)
  const person = ['--person', 'ann@acme.test']
  const add = [
    'accounts',
    'add',
    'imap',
    ...person,
    '--address',
    'ann@example.test',
    '--imap',
    `${mail.host}:${mail.imap.tlsPort}`,
    '--smtp',
    `${mail.host}:${mail.smtp.port}:start`,
  ]

  const wrong = await commands.run([...add, '--password-stdin'], 'wrong\n')
  assert.equal(wrong.code, 1, wrong.stderr)
  assert.match(wrong.stderr, /refused the user name or the password/)
  assert.equal(
    (await commands.run([...add, '--password', 'ann-secret'])).code,
    2,
    'not on the command line',
  )
  const added = await commands.run([...add, '--password-stdin', '--json'], 'ann-secret\n')
  assert.equal(
    added.stderr,
    '',
    'no discovery runs for specified servers, and no log lines are mixed in',
  )
  const account = JSON.parse(added.stdout)
  assert.deepEqual([account.status, account.servers.smtp.tls], ['syncing', 'start'])
  const again = await commands.run([...add, '--password-file', siblingPath('password')])
  assert.match(again.stderr, /already connected/)
  const listed = await commands.runOk('accounts', 'list')
  assert.match(listed, /ann@acme\.test +imap +ann@example\.test +syncing/)
  assert.ok(!listed.includes('ann-secret') && !JSON.stringify(account).includes('ann-secret'))
  assert.equal(await commands.runOk('accounts', 'test', account.id, ...person), 'It works.\n')
  assert.equal(
    (await commands.json('accounts', 'disable', account.id, ...person)).status,
    'disabled',
  )
  assert.equal((await commands.json('accounts', 'enable', account.id, ...person)).status, 'syncing')
  await commands.runOk('users', 'create', '--email', 'bob@acme.test', '--name', 'Bob')
  assert.equal(
    (await commands.run(['accounts', 'remove', account.id, '--person', 'bob@acme.test'])).code,
    1,
    'it is not his',
  )
  assert.match(await commands.runOk('accounts', 'remove', account.id, ...person), /Removed/)

  const google = await runPasting(
    commands.dataDir,
    ['accounts', 'add', 'google', ...person, '--services', 'mail', '--json'],
    async (url) => {
      const back = await fetch(`${url}&login_hint=ann@example.test`, { redirect: 'manual' })
      return back.headers.get('location')!
    },
  )
  assert.deepEqual(
    [google.code, JSON.parse(google.stdout).provider, JSON.parse(google.stdout).has_drive],
    [0, 'google', false],
  )
  assert.equal((await commands.json('accounts', 'list', ...person)).length, 1)
  const doctor = await commands.json('doctor', '--only', 'accounts')
  assert.deepEqual(doctor.findings, [
    { check: 'accounts', state: 'ok', says: 'Connected accounts are working.' },
  ])
  const { id } = JSON.parse(google.stdout)
  await fetch(`${mail.control}/fail?error=invalid_grant`)
  const refused = await commands.run(['accounts', 'test', id, ...person])
  assert.equal(refused.code, 1)
  assert.match(refused.stdout, /Google has ended the consent/)
  assert.match(
    (await commands.json('doctor', '--only', 'accounts')).findings[0].says,
    /1 connected account waits for ann@acme\.test to sign in/,
  )
})

/** Runs a command that prints an address to open, and pastes the address of the redirect. */
function runPasting(
  dataDir: string,
  args: readonly string[],
  visit: (url: string) => Promise<string>,
): Promise<{ code: number | null; stdout: string }> {
  const child = spawn(program, [...leading, ...args, '--data', dataDir], { stdio: 'pipe' })
  let [stdout, stderr, hasPasted] = ['', '', false]
  child.stdout.on('data', (part) => (stdout += part))
  child.stderr.on('data', async (part) => {
    stderr += part
    const url = /^(http\S+authorize\?\S+)$/m.exec(stderr)?.[1]
    if (url === undefined || hasPasted || !stderr.includes('paste')) return
    hasPasted = true
    child.stdin.end(`${await visit(url)}\n`)
  })
  return new Promise((resolve, reject) =>
    child
      .once('error', reject)
      .once('close', (code) =>
        code === 0 ? resolve({ code, stdout }) : reject(new Error(stderr)),
      ),
  )
}
