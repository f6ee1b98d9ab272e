import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { ImapFlow } from 'imapflow'
import { messageText, until } from '../../../testing/mail/setup.ts'
import { scratch, serve, workspaceJson, type Served } from '../../../testing/process.ts'
import { noMail, startMail } from '../../../testing/servers/daemons.ts'

const rounds = Number(process.env.CRASH_ROUNDS ?? 4)
const total = 1200
const archivedPerRound = 20

test(`a server killed ${rounds} times while syncing and pushing loses and duplicates nothing, locally or on the mail server`, {
  skip: noMail,
}, async (t) => {
  const { dir, remove } = scratch()
  const mail = await startMail(['--users', 'ann:ann-secret'])
  const { user, password } = mail.users[0]!
  const before = {
    NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS,
    WORKSPACE_OUTBOUND_ALLOW: process.env.WORKSPACE_OUTBOUND_ALLOW,
  }
  Object.assign(process.env, {
    NODE_EXTRA_CA_CERTS: mail.ca,
    WORKSPACE_OUTBOUND_ALLOW: `${mail.host}:${mail.imap.tlsPort},${mail.host}:${mail.smtp.tlsPort}`,
  })
  const otherClient = new ImapFlow({
    host: mail.host,
    port: mail.imap.tlsPort,
    secure: true,
    auth: { user, pass: password },
    tls: { ca: readFileSync(mail.ca) },
    logger: false,
    disableAutoIdle: true,
  })
  otherClient.on('error', () => {})
  let server: Served | undefined
  t.after(async () => {
    if (server && server.child.exitCode === null && server.child.signalCode === null)
      await server.end('SIGKILL')
    otherClient.close()
    await mail.close()
    for (const [name, value] of Object.entries(before))
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    rmSync(`${dir}.key`, { force: true })
    rmSync(`${dir}.password`, { force: true })
    remove()
  })
  await otherClient.connect()
  for (let i = 0; i < total; i++)
    await otherClient.append(
      'INBOX',
      messageText({ id: `<c${i}@else.test>`, to: 'ann@example.test', subject: `Crash ${i}` }),
    )
  writeFileSync(`${dir}.password`, password)
  await workspaceJson('orgs', 'create', '--name', 'Crash', '--data', dir)
  await workspaceJson(
    'users',
    'create',
    '--email',
    'ann@crash.test',
    '--name',
    'Ann',
    '--admin',
    '--data',
    dir,
  )
  const { key } = await workspaceJson(
    'keys',
    'create',
    '--user',
    'ann@crash.test',
    '--name',
    'crash',
    '--data',
    dir,
  )
  await workspaceJson(
    'accounts',
    'add',
    'imap',
    '--person',
    'ann@crash.test',
    '--address',
    user,
    '--imap',
    `${mail.host}:${mail.imap.tlsPort}`,
    '--smtp',
    `${mail.host}:${mail.smtp.tlsPort}`,
    '--password-file',
    `${dir}.password`,
    '--data',
    dir,
  )
  const db = new Database(`${dir}/workspace.db`, { readonly: true })
  t.after(() => db.close())
  const read = (sql: string) => db.prepare(sql).pluck().get() as number
  const progressCount = () =>
    read(
      "SELECT count(*) + sum(body_state = 'ready') + sum(place = 'archive' AND uid IS NOT NULL) FROM emails",
    )
  for (let round = 0; round < rounds; round++) {
    server = await serve(dir, '--limits', 'no')
    const { url } = server
    const previousCount = progressCount() ?? 0
    await until(() => progressCount() > previousCount)
    const ids = db
      .prepare("SELECT id FROM emails WHERE place = 'inbox' ORDER BY id LIMIT ?")
      .pluck()
      .all(archivedPerRound)
    const answer = await fetch(`${url}/api/emails/archive`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email_ids: ids }),
    })
    assert.equal(answer.status, 200, await answer.text())
    await pause(90 + 67 * round)
    await server.end('SIGKILL')
  }
  server = await serve(dir, '--limits', 'no')
  await until(
    () =>
      read("SELECT count(*) FROM emails WHERE body_state = 'ready'") === total &&
      read('SELECT count(*) FROM mail_pushes') === 0,
  )
  const archived = read("SELECT count(*) FROM emails WHERE place = 'archive'")
  assert.equal(archived, rounds * archivedPerRound)
  assert.deepEqual(
    [
      read('SELECT count(*) FROM emails'),
      read('SELECT count(DISTINCT message_id) FROM emails'),
      read('SELECT count(*) FROM emails WHERE uid IS NULL'),
    ],
    [total, total, 0],
  )
  const folderStatus = (path: string) =>
    otherClient.status(path, { messages: true }) as Promise<{ messages: number }>
  assert.deepEqual(
    [(await folderStatus('Archive')).messages, (await folderStatus('INBOX')).messages],
    [archived, total - archived],
  )
  assert.equal(await server.end(), 0)
})
