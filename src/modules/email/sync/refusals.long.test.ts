import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Row } from '../../../records/resource.ts'
import { messageText, startMailRig, type MailRig } from '../../../testing/mail/setup.ts'
import { noMail } from '../../../testing/servers/daemons.ts'

const skip = noMail
let rig: MailRig
let alice: Row<'accounts'>

before(async () => {
  if (skip) return
  rig = await startMailRig(['--no-smtp', '--hide', 'QRESYNC'])
  alice = await rig.connect(rig.workspace.ann, 'alice', 'door')
  await rig.put(
    'alice',
    'INBOX',
    ['one', 'two', 'three'].map((subject) =>
      messageText({ id: `<${subject}@else.test>`, subject }),
    ),
  )
  await rig.sync(alice)
})
after(() => rig?.close())

const emails = () =>
  rig.rows<Row<'emails'> & { path: string | null }>(
    'select e.*, f.path from emails e left join mail_folders f on f.id = e.folder_id where e.account_id = ? order by e.subject',
    alice.id,
  )
const emailBySubject = (subject: string) => emails().find((row) => row.subject === subject)
/** Makes postponed work due now. */
const makePushesDue = () =>
  rig.workspace.app.store.writer.run(
    async () =>
      void (await rig.workspace.app.store.write
        .updateTable('mail_pushes')
        .set({ not_before: 0 })
        .execute()),
  )

/** Runs the sync once, even if it ends with a failure. */
async function syncOnce(): Promise<void> {
  const { Queue } = await import('../../../jobs/queue.ts')
  const queue = new Queue(rig.workspace.app)
  await queue.add(
    'sync_mail',
    { account_id: alice.id },
    {
      uniqueKey: alice.id,
      asker: { org_id: alice.org_id, owner_id: alice.owner_id, key_id: null },
    },
  )
  await queue.drain()
}

test('folders of a server that refuses to search are not treated as empty', {
  skip,
}, async () => {
  assert.equal(emails().length, 3)
  rig.door.refuse(/^(UID )?SEARCH/i)
  const other = await rig.client('alice')
  await other.mailboxOpen('INBOX')
  await other.messageFlagsAdd('1', ['\\Flagged'])
  await other.logout()
  await syncOnce()
  assert.ok(rig.door.refused.length > 0)
  assert.deepEqual(
    emails().map((row) => row.subject),
    ['one', 'three', 'two'],
  )
  rig.door.refuse(undefined)
  await syncOnce()
  assert.deepEqual(
    emails().map((row) => [row.subject, row.starred]),
    [
      ['one', 1],
      ['three', 0],
      ['two', 0],
    ],
  )
})

test('a message that the server refuses to move is not lost, and is moved later', {
  skip,
}, async () => {
  rig.door.refuse(/^UID (MOVE|COPY)/i)
  await rig.workspace.ann.call('archive_emails', { email_ids: [emailBySubject('two')!.id] })
  await syncOnce()
  assert.ok(rig.door.refused.length > 0)
  assert.equal(emailBySubject('two')?.place, 'archive')
  rig.door.refuse(undefined)
  await makePushesDue()
  await syncOnce()
  assert.deepEqual(
    [
      emailBySubject('two')?.path,
      emailBySubject('two')?.uid !== null,
      rig.rows('select 1 from mail_pushes').length,
    ],
    ['Archive', true, 0],
  )
})

test('a flag temporarily refused by the server is pushed later', {
  skip,
}, async () => {
  rig.door.refuse(/^UID STORE/i)
  await rig.workspace.ann.call('mark_emails_read', { email_ids: [emailBySubject('three')!.id] })
  await syncOnce()
  assert.ok(rig.door.refused.length > 0)
  assert.equal(rig.rows('select 1 from mail_pushes').length, 1)
  rig.door.refuse(undefined)
  await makePushesDue()
  await syncOnce()
  assert.equal(rig.rows('select 1 from mail_pushes').length, 0)
  const other = await rig.client('alice')
  await other.mailboxOpen('INBOX')
  assert.equal(
    ((await other.search({ subject: 'three', seen: true }, { uid: true })) as number[]).length,
    1,
  )
  await other.logout()
})

test('a message being moved into a folder that another program removes returns to its place', {
  skip,
}, async () => {
  const other = await rig.client('alice')
  await other.mailboxCreate('Plans')
  await syncOnce()
  const { id, place, path } = emailBySubject('one')!
  await rig.workspace.ann.call('move_emails', { email_ids: [id], folder: 'Plans' })
  await other.mailboxDelete('Plans')
  await other.logout()
  await syncOnce()
  await makePushesDue()
  await syncOnce()
  assert.deepEqual(
    [
      emailBySubject('one')?.id,
      emailBySubject('one')?.place,
      emailBySubject('one')?.path,
      emailBySubject('one')?.uid !== null,
      rig.rows('select 1 from mail_pushes').length,
    ],
    [id, place, path, true, 0],
  )
})

test('a permanently refused action does not appear as done here', {
  skip,
}, async () => {
  const { app, ann } = rig.workspace
  const original = emailBySubject('one')!
  rig.door.refuse(/^UID (MOVE|STORE|COPY)/i)
  await ann.call('mark_emails_read', { email_ids: [original.id] })
  await ann.call('trash_emails', { email_ids: [original.id] })
  await app.store.writer.run(
    async () =>
      void (await app.store.write.updateTable('mail_pushes').set({ attempts: 11 }).execute()),
  )
  await syncOnce()
  rig.door.refuse(undefined)
  await syncOnce()
  assert.deepEqual(
    [
      emailBySubject('one')?.place,
      emailBySubject('one')?.path,
      emailBySubject('one')?.uid,
      emailBySubject('one')?.unread,
      rig.rows('select 1 from mail_pushes').length,
    ],
    [original.place, original.path, original.uid, original.unread, 0],
  )
})
