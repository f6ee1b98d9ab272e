import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { ImapFlow } from 'imapflow'
import { scratch, serve, workspaceJson, type Served } from '../../../testing/process.ts'
import { noMail, startMail, type MailDaemon } from '../../../testing/servers/daemons.ts'
import { untilTrue } from '../../../testing/limits.ts'

const rounds = Number(process.env.CRASH_ROUNDS ?? 2)
const writerCount = 2

/** Sends messages until the server is killed, and adds the acknowledged ones to `sent`. */
async function sendUntilKilled(
  { url }: Served,
  key: string,
  sent: { id: string; messageId: string }[],
): Promise<void> {
  for (;;) {
    try {
      const body = JSON.stringify({
        to: ['bob@example.test'],
        subject: `Crash ${sent.length}`,
        body_markdown: 'Hello.',
      })
      const answer = await fetch(`${url}/api/emails`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body,
      })
      const email = (await answer.json()) as { id: string; message_id_header: string }
      assert.ok(answer.ok, JSON.stringify(email))
      sent.push({ id: email.id, messageId: email.message_id_header })
      await pause(20)
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      return // the server was killed
    }
  }
}

/** Message-IDs in a folder, as another mail program reads them. */
async function idsIn(server: MailDaemon, name: string, folder: string): Promise<string[]> {
  const { user, password } = server.users.find((item) => item.user.startsWith(`${name}@`))!
  const flow = new ImapFlow({
    host: server.host,
    port: server.imap.tlsPort,
    secure: true,
    auth: { user, pass: password },
    tls: { ca: readFileSync(server.ca) },
    logger: false,
    disableAutoIdle: true,
  })
  flow.on('error', () => {})
  await flow.connect()
  const { exists } = await flow.mailboxOpen(folder)
  const all = exists === 0 ? [] : await flow.fetchAll('1:*', { envelope: true })
  await flow.logout()
  return all.map((fetchMessageObject) => fetchMessageObject.envelope!.messageId!)
}

test(`a server killed ${rounds} times while sending duplicates nothing and loses nothing silently`, {
  skip: noMail,
}, async (t) => {
  const { dir, remove } = scratch()
  const mail = await startMail()
  const passwordFile = `${dir}.password`
  let server: Served | undefined
  t.after(async () => {
    if (server && server.child.exitCode === null && server.child.signalCode === null)
      await server.end('SIGKILL')
    await mail.close()
    for (const file of [`${dir}.key`, passwordFile]) rmSync(file, { force: true })
    remove()
  })
  const allowedAddresses = [mail.imap.tlsPort, mail.smtp.port]
    .map((port) => `127.0.0.1:${port}`)
    .join(',')
  Object.assign(process.env, {
    NODE_EXTRA_CA_CERTS: mail.ca,
    WORKSPACE_OUTBOUND_ALLOW: allowedAddresses,
    WORKSPACE_MASTER_KEY_FILE: `${dir}.key`,
  })
  writeFileSync(passwordFile, mail.users.find((user) => user.user.startsWith('alice'))!.password)
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
    'alice@example.test',
    '--imap',
    `127.0.0.1:${mail.imap.tlsPort}`,
    '--smtp',
    `127.0.0.1:${mail.smtp.port}:start`,
    '--password-file',
    passwordFile,
    '--data',
    dir,
  )
  const start = () => serve(dir, '--limits', 'no', '--mail-daily-limit', '0')
  const sent: { id: string; messageId: string }[] = []
  for (let round = 0; round < rounds; round++) {
    server = await start()
    const before = sent.length
    const writing = Array.from({ length: writerCount }, () => sendUntilKilled(server!, key, sent))
    await untilTrue(() => sent.length >= before + 10, 'nothing was acknowledged')
    await pause(37 * (round % 7))
    await server.end('SIGKILL')
    await Promise.all(writing)
    assert.ok(sent.length > before, `round ${round}: something was acknowledged`)
  }
  server = await start()
  const db = new Database(`${dir}/workspace.db`, { readonly: true })
  const unfinishedCount = () =>
    db
      .prepare("SELECT count(*) FROM email_outbox WHERE state IN ('queued', 'handing', 'handed')")
      .pluck()
      .get() as number
  await untilTrue(
    () => unfinishedCount() === 0,
    () => `${unfinishedCount()} are left`,
  )
  const rows = db
    .prepare(
      'SELECT id, message_id, delivery, delivery_problem FROM emails WHERE id IN (SELECT email_id FROM email_outbox)',
    )
    .all() as {
    id: string
    message_id: string
    delivery: string
    delivery_problem: string | null
  }[]
  db.close()
  const rowsById = new Map(rows.map((row) => [row.id, row]))
  assert.deepEqual(
    sent.filter((item) => !rowsById.has(item.id)),
    [],
    'every acknowledged message is stored',
  )
  const receivedIds = await idsIn(mail, 'bob', 'INBOX')
  const sentCopyIds = await idsIn(mail, 'alice', 'Sent')
  assert.equal(new Set(receivedIds).size, receivedIds.length, 'no message was delivered twice')
  assert.equal(new Set(sentCopyIds).size, sentCopyIds.length, 'no copy is in Sent twice')
  const arrived = new Set(receivedIds)
  for (const row of rows) {
    if (row.delivery === 'sent')
      assert.ok(
        arrived.has(row.message_id) && sentCopyIds.includes(row.message_id),
        `${row.id} arrived, and its copy is in Sent`,
      )
    else
      assert.match(`${row.delivery} ${row.delivery_problem}`, /^failed .*may have been delivered/)
  }
  const failed = rows.filter((row) => row.delivery === 'failed').length
  assert.ok(
    failed <= rounds * 4,
    `${failed} of ${rows.length} have an unknown outcome: at most those being sent`,
  )
  t.diagnostic(
    `${rows.length} sent, ${failed} of them with an unknown outcome after a kill, of which ${rows.filter((row) => row.delivery === 'failed' && arrived.has(row.message_id)).length} had arrived`,
  )
  assert.equal(await server.end(), 0)
})
