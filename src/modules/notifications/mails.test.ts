import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { DeliveryFailure, sendLetter } from '../../connectors/smtp/smtp.ts'
import { runTick } from '../../operations/jobs/system.ts'
import { notifyPeople, type NoticeKind } from '../../notify/notifications.ts'
import { Queue } from '../../jobs/queue.ts'
import {
  dayLong,
  hour,
  makeWorkspace,
  minute,
  type Someone,
  type TestWorkspace,
} from '../../testing/harness.ts'
import { startMailbox, type ReceivedMessage, type Mailbox } from '../../testing/servers/mailbox.ts'
import { notificationsModule } from './index.ts'

const passwordFile = `/tmp/workspace-mail-${process.pid}.password`
let workspace: TestWorkspace
let mailbox: Mailbox
let refusals: number[] = []
before(async () => {
  writeFileSync(passwordFile, 'not a guess\n')
  mailbox = await startMailbox({
    user: 'work@acme.test',
    pass: 'not a guess',
    refuse: () => refusals.shift(),
  })
  const settings = {
    mail_server: mailbox.url,
    mail_from: 'workspace@acme.test',
    mail_password_file: passwordFile,
    outbound_allow: mailbox.opening,
  }
  workspace = await makeWorkspace({ settings })
  const { ann, bob } = workspace
  await ann.call('create_project', { name: 'Launch', key: 'LAU' })
  await ann.call('add_project_member', { project_id: 'LAU', person_id: bob.id })
  await ann.call('create_task', { project_id: 'LAU', title: 'Ship <it> & rest' })
  await runBackgroundWork()
  mailbox.letters.length = 0
  workspace.clock.pass(hour)
})
after(async () => {
  await workspace.close()
  await mailbox.close()
  rmSync(passwordFile, { force: true })
})

/** Runs the server's background work for this module. */
async function runBackgroundWork(): Promise<void> {
  for (const tick of notificationsModule.ticks!) while (await runTick(workspace.app, tick));
  await new Queue(workspace.app, { random: () => 0 }).drain()
}

/** Mails received since the last call. */
async function receivedMails(): Promise<ReceivedMessage[]> {
  await runBackgroundWork()
  return mailbox.letters.splice(0)
}

const taskId = () =>
  workspace.app.store.raw.read
    .prepare("SELECT id FROM tasks WHERE key = 'LAU-1'")
    .pluck()
    .get() as string
const notify = (who: Someone, kind: NoticeKind, text: string) =>
  workspace.app.store.writer.run(() =>
    notifyPeople(workspace.app.store.write, workspace.clock.now(), who.actor.org_id, [who.id], {
      kind,
      item: { type: 'task', id: taskId() },
      actor: null,
      text,
    }),
  )
const noon = (day: string) => Date.parse(`${day}T11:00:00Z`)

test('a mention is mailed at once, with its item, a link and where to turn it off', async () => {
  const { ann, bob } = workspace
  assert.equal((await bob.call('get_notification_preferences')).email_delivery, 'configured')
  await ann.call('add_task_comment', { task_id: 'LAU-1', body_markdown: '@Bob look' })
  const [letter, ...more] = await receivedMails()
  assert.deepEqual([letter!.from, letter!.to, more], ['workspace@acme.test', ['bob@acme.test'], []])
  assert.equal(letter!.headers.get('subject'), 'Ann mentioned you in a comment on LAU-1')
  assert.match(letter!.headers.get('message-id')!, /^<nml_[0-9a-z]{26}@acme\.test>$/)
  assert.equal(letter!.headers.get('auto-submitted'), 'auto-generated')
  assert.match(
    letter!.raw,
    /LAU-1 Ship <it> & rest\r\n\r?\n?http:\/\/workspace\.test\/tasks\/LAU-1/,
  )
  assert.match(letter!.raw, /Ship &lt;it&gt; &amp; rest/)
  assert.match(letter!.raw, /http:\/\/workspace\.test\/settings\/notifications/)
  assert.ok(!letter!.raw.includes('look'), 'the text of the comment is not mailed')
  assert.deepEqual(await receivedMails(), [], 'and only once')
})

test('a kind with mail turned off sends none', async () => {
  const { bob } = workspace
  await notify(bob, 'comment', 'a comment')
  assert.deepEqual(await receivedMails(), [])
})

test('mails wait until quiet hours end in local time; incident mails do not', async () => {
  const { bob, clock } = workspace
  clock.at = noon('2026-11-24')
  await bob.call('update_notification_preferences', { quiet_hours: { from: '22:00', to: '07:00' } })
  clock.at = Date.parse('2026-11-24T22:30:00Z')
  await notify(bob, 'mention', 'at night')
  await notify(bob, 'incident', 'it burns')
  assert.deepEqual(
    (await receivedMails()).map((receivedMessage) => receivedMessage.headers.get('subject')),
    ['it burns'],
  )
  clock.at = Date.parse('2026-11-25T05:59:00Z')
  assert.deepEqual(await receivedMails(), [])
  clock.pass(minute)
  assert.deepEqual(
    (await receivedMails()).map((receivedMessage) => receivedMessage.headers.get('subject')),
    ['at night'],
  )
  await bob.call('update_notification_preferences', { quiet_hours: null })
})

test('an entry that is read or becomes invisible before its mail is sent is not mailed', async () => {
  const { ann, bob, clock } = workspace
  clock.at = noon('2026-11-25')
  await bob.call('update_notification_preferences', { quiet_hours: { from: '22:00', to: '07:00' } })
  clock.at = Date.parse('2026-11-25T22:30:00Z')
  await notify(bob, 'mention', 'read at night')
  await runBackgroundWork()
  clock.pass(1000)
  await bob.call('mark_notifications_read', { all: true })
  clock.pass(1000)
  await notify(bob, 'mention', 'secret by morning')
  await runBackgroundWork()
  await ann.call('delete_task', { task_id: 'LAU-1' })
  clock.at = Date.parse('2026-11-26T07:00:00Z')
  assert.deepEqual(await receivedMails(), [])
  assert.deepEqual(
    workspace.app.store.raw.read
      .prepare('SELECT state, count(*) n FROM notice_mails WHERE finished_at = ? GROUP BY state')
      .all(clock.now()),
    [{ state: 'dropped', n: 2 }],
  )
  await ann.call('restore_item', { item_id: taskId() })
  await bob.call('update_notification_preferences', { quiet_hours: null })
})

test('simultaneous notifications are batched into one mail, and so are those that follow too closely', async () => {
  const { bob, clock } = workspace
  clock.at = noon('2026-11-27')
  for (let i = 1; i <= 6; i++) await notify(bob, 'mention', `burst ${i}`)
  const [combinedMail, ...none] = await receivedMails()
  assert.deepEqual([combinedMail!.headers.get('subject'), none], ['6 notifications', []])
  for (let i = 1; i <= 6; i++) assert.ok(combinedMail!.raw.includes(`burst ${i}`))
  clock.pass(hour)
  for (let i = 1; i <= 5; i++) {
    await notify(bob, 'mention', `alone ${i}`)
    assert.equal((await receivedMails()).length, 1)
  }
  for (let i = 1; i <= 3; i++) {
    await notify(bob, 'mention', `gathered ${i}`)
    assert.deepEqual(await receivedMails(), [])
  }
  clock.pass(5 * minute)
  assert.deepEqual(
    (await receivedMails()).map((letter) => letter.headers.get('subject')),
    ['3 notifications'],
  )
})

test('a temporary rejection is retried with the same Message-ID, a permanent one is not', async () => {
  const { bob, clock, app } = workspace
  clock.at = noon('2026-11-30')
  refusals = [451]
  await notify(bob, 'mention', 'at the second try')
  assert.deepEqual(await receivedMails(), [])
  const [pending] = app.store.raw.read
    .prepare('SELECT id, state, attempts, last_error FROM notice_mails ORDER BY id DESC LIMIT 1')
    .all() as { id: string; state: string; attempts: number; last_error: string }[]
  assert.deepEqual([pending!.state, pending!.attempts], ['pending', 1])
  assert.match(pending!.last_error, /451|Not taken/)
  clock.wait(minute)
  const [letter] = await receivedMails()
  assert.equal(letter!.headers.get('message-id'), `<${pending!.id}@acme.test>`)
  refusals = [550]
  await notify(bob, 'mention', 'never')
  assert.deepEqual(await receivedMails(), [])
  clock.wait(hour)
  assert.deepEqual(await receivedMails(), [])
  assert.equal(
    app.store.raw.read
      .prepare('SELECT state FROM notice_mails ORDER BY id DESC LIMIT 1')
      .pluck()
      .get(),
    'failed',
  )
})

test('a wrong password holds mails back until it is corrected', async () => {
  const { bob, clock } = workspace
  clock.at = noon('2026-12-01')
  writeFileSync(passwordFile, 'a guess')
  await notify(bob, 'mention', 'patience')
  assert.deepEqual(await receivedMails(), [])
  writeFileSync(passwordFile, 'not a guess')
  clock.wait(minute)
  assert.deepEqual(
    (await receivedMails()).map((receivedMessage) => receivedMessage.headers.get('subject')),
    ['patience'],
  )
})

test('a digest is sent at eight on work days as one entry with counts and one mail, and not at all without news', async () => {
  const { bob, clock } = workspace
  clock.at = noon('2026-12-03')
  await bob.call('mark_notifications_read', { all: true })
  await bob.call('update_notification_preferences', { digest: 'daily' })
  await runBackgroundWork()
  clock.pass(1000)
  await notify(bob, 'comment', 'first')
  await notify(bob, 'comment', 'second')
  await notify(bob, 'due', 'third')
  clock.at = Date.parse('2026-12-04T06:59:00Z')
  assert.deepEqual(await receivedMails(), [])
  clock.pass(minute)
  const [letter, ...more] = await receivedMails()
  assert.deepEqual(
    [letter!.headers.get('subject'), more],
    ['Your daily digest: 2 comments, 1 date', []],
  )
  for (const text of ['first', 'second', 'third']) assert.ok(letter!.raw.includes(text))
  clock.pass(1000)
  const [entry] = (await bob.call('list_notifications', { kind: ['digest'] })).items
  assert.deepEqual(
    [entry.text, entry.item.type],
    ['Your daily digest: 2 comments, 1 date', 'organization'],
  )
  assert.deepEqual(await receivedMails(), [])
  clock.pass(3 * dayLong)
  assert.deepEqual(await receivedMails(), [], 'no news since')
  clock.pass(1)
  await notify(bob, 'comment', 'late')
  clock.pass(-2 * hour)
  assert.deepEqual(await receivedMails(), [])
  clock.pass(40 * dayLong)
  assert.deepEqual(
    (await receivedMails()).map((receivedMessage) => receivedMessage.headers.get('subject')),
    ['Your daily digest: 1 comment'],
    'after long downtime, one digest is sent',
  )
  await bob.call('update_notification_preferences', { digest: 'off' })
})

test('nothing is sent to a server without TLS when TLS is required', async () => {
  const socket = connect(Number(mailbox.opening.split(':')[1]), '127.0.0.1')
  const letter = {
    from: { name: 'W', address: 'w@acme.test' },
    to: { name: 'B', address: 'b@acme.test' },
    subject: 'x',
    text: 'x',
    html: 'x',
    messageId: '<x@acme.test>',
    date: new Date(0),
    headers: {},
  }
  const sent = sendLetter(
    { socket, host: '127.0.0.1', tls: 'start', auth: undefined },
    letter,
    new AbortController().signal,
  )
  await assert.rejects(
    sent,
    (error: unknown) =>
      error instanceof DeliveryFailure && !error.isFinal && /TLS/i.test(error.message),
  )
  assert.deepEqual(mailbox.letters, [])
})
