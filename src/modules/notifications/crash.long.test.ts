import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { scratch, serve, workspaceJson, type Served } from '../../testing/process.ts'
import { startMailbox } from '../../testing/servers/mailbox.ts'
import { untilTrue } from '../../testing/limits.ts'

const rounds = Number(process.env.CRASH_ROUNDS ?? 2)
const remindersPerRound = 12

/** Requests a reminder; returns the answer. */
async function remind(
  url: string,
  key: string,
  reminder: { text: string; remind_at: string },
): Promise<string> {
  const response = await fetch(`${url}/api/reminders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(reminder),
  })
  const answer = await response.text()
  if (!answer.includes('has passed')) assert.equal(response.status, 201, answer)
  return answer
}

/** The key of a newly added person. */
async function addPersonWithKey(email: string, dir: string): Promise<string> {
  await workspaceJson(
    'users',
    'create',
    '--email',
    email,
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
    email,
    '--name',
    'crash',
    '--data',
    dir,
  )
  return key
}

test(`with a server killed ${rounds} times during reminders and mails, each reminder fires once, and each mail except the one in flight is sent once`, async (t) => {
  const { dir, remove } = scratch()
  const mailbox = await startMailbox({ after: 15 })
  let server: Served | undefined
  t.after(async () => {
    if (server && server.child.exitCode === null && server.child.signalCode === null)
      await server.end('SIGKILL')
    await mailbox.close()
    rmSync(`${dir}.key`, { force: true })
    remove()
  })
  await workspaceJson('orgs', 'create', '--name', 'Crash', '--data', dir)
  const start = () =>
    serve(
      dir,
      '--outbound-allow',
      mailbox.opening,
      '--mail-server',
      mailbox.url,
      '--mail-from',
      'workspace@crash.test',
      '--limits',
      'no',
    )
  const texts: string[] = []
  for (let round = 0; round < rounds; round++) {
    const email = `ann${round}@crash.test` // a new person each round, since many mails to one person are combined
    const key = await addPersonWithKey(email, dir)
    server = await start()
    const { url } = server
    for (let i = 0; i < remindersPerRound; i++) {
      const text = `round ${round} number ${i}`
      for (let answerText = ''; answerText === '' || answerText.includes('has passed'); )
        answerText = await remind(url, key, {
          text,
          remind_at: new Date(Date.now() + 1500 + 60 * i).toISOString(),
        }) // on a busy machine, the time may have passed
      texts.push(`Reminder: ${text}`)
    }
    const hasMail = () => mailbox.letters.some(({ to }) => to.includes(email))
    await untilTrue(hasMail, 'no mail is on its way')
    await pause(17 * round)
    await server.end('SIGKILL')
  }
  server = await start()
  const db = new Database(`${dir}/workspace.db`, { readonly: true })
  const pendingCount = () =>
    db
      .prepare(
        "SELECT (SELECT count(*) FROM reminders WHERE status = 'pending') + (SELECT count(*) FROM notifications WHERE mail = 'new' OR mail = 'waiting') + (SELECT count(*) FROM notice_mails WHERE state = 'pending')",
      )
      .pluck()
      .get() as number
  await untilTrue(
    () => pendingCount() === 0,
    () => `${pendingCount()} are left`,
  )
  const received = db
    .prepare("SELECT text FROM notifications WHERE kind = 'reminder'")
    .pluck()
    .all() as string[]
  db.close()
  assert.deepEqual(received.toSorted(), texts.toSorted(), 'each reminder fired exactly once')
  const ids = mailbox.letters.map((letter) => letter.headers.get('message-id')!)
  assert.ok(
    ids.length - new Set(ids).size <= rounds,
    'only mails in flight are sent twice, with the same Message-ID',
  )
  assert.equal(await server.end(), 0)
})
