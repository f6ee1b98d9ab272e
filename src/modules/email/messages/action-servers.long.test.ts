import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ImapFlow } from 'imapflow'
import type { Row } from '../../../records/resource.ts'
import { messageText, startMailRig, until, type MailRig } from '../../../testing/mail/setup.ts'
import { noMail } from '../../../testing/servers/daemons.ts'

// Tests mail actions on a real server, checked with another mail program.

const skip = noMail
let rig: MailRig
let alice: Row<'accounts'>
let otherClient: ImapFlow

before(async () => {
  if (skip) return
  rig = await startMailRig(['--no-smtp'])
  alice = await rig.connect(rig.workspace.ann, 'alice')
  otherClient = await rig.client('alice')
})
after(async () => {
  otherClient?.close()
  await rig?.close()
})

const emailBySubject = (subject: string) =>
  rig.rows<Row<'emails'> & { path: string }>(
    'select e.*, f.path from emails e left join mail_folders f on f.id = e.folder_id where e.account_id = ? and e.subject = ?',
    alice.id,
    subject,
  )[0]
const flagsInFolder = async (path: string, subject: string): Promise<string[] | undefined> => {
  const lock = await otherClient.getMailboxLock(path)
  try {
    const uids = (await otherClient.search({ subject }, { uid: true })) as number[] | false
    if (!uids || uids.length === 0) return undefined
    assert.equal(uids.length, 1, `${subject} is in ${path} once`)
    return [
      ...(
        (await otherClient.fetchOne(String(uids[0]), { flags: true }, { uid: true })) as {
          flags: Set<string>
        }
      ).flags,
    ]
      .filter((flag) => flag !== '\\Recent')
      .sort()
  } finally {
    lock.release()
  }
}
const receiveMail = async (...subjects: string[]) => {
  await rig.put(
    'alice',
    'INBOX',
    subjects.map((subject) =>
      messageText({ id: `<${subject.replaceAll(' ', '-')}@else.test>`, subject }),
    ),
  )
  await rig.sync(alice)
}

test('an archive folder is created on the server when first needed, and undoing moves the message back', {
  skip,
}, async () => {
  const { ann } = rig.workspace
  await receiveMail('old news')
  const { undo_call_id } = await ann.call('archive_emails', { query: 'subject:news' })
  await rig.sync(alice)
  assert.deepEqual(
    [await flagsInFolder('INBOX', 'old news'), await flagsInFolder('Archive', 'old news')],
    [undefined, []],
  )
  assert.equal((await ann.call('undo_api_call', { call_id: undo_call_id })).undone, true)
  await rig.sync(alice)
  assert.deepEqual(
    [await flagsInFolder('INBOX', 'old news'), await flagsInFolder('Archive', 'old news')],
    [[], undefined],
  )
  assert.deepEqual(rig.rows('select kind from mail_pushes'), [])
})

test('an action undone before it was sent leaves the server unchanged', {
  skip,
}, async () => {
  const { ann } = rig.workspace
  await receiveMail('hasty')
  const trashed = await ann.call('trash_emails', { email_ids: [emailBySubject('hasty')!.id] })
  await ann.call('undo_api_call', { call_id: trashed.undo_call_id })
  await rig.sync(alice)
  assert.deepEqual(
    [await flagsInFolder('INBOX', 'hasty'), await flagsInFolder('Trash', 'hasty')],
    [[], undefined],
  )
  assert.deepEqual(
    [
      emailBySubject('hasty')!.place,
      emailBySubject('hasty')!.path,
      typeof emailBySubject('hasty')!.uid,
    ],
    ['inbox', 'INBOX', 'number'],
  )
  assert.deepEqual(rig.rows('select kind from mail_pushes'), [])
})

test('a move undone after the server applied it, but before its push is deleted, is moved back', {
  skip,
}, async () => {
  const { app, ann } = rig.workspace
  await receiveMail('on its way')
  const archived = await ann.call('archive_emails', {
    email_ids: [emailBySubject('on its way')!.id],
  })
  const [push] = rig.rows<Row<'mail_pushes'>>('select * from mail_pushes')
  await rig.sync(alice)
  // Restores the push as it is between the two writes of the sync: the message is in Archive, its push not yet deleted.
  await app.store.writer.run(
    async () => void (await app.store.write.insertInto('mail_pushes').values(push!).execute()),
  )
  await ann.call('undo_api_call', { call_id: archived.undo_call_id })
  await rig.sync(alice)
  await rig.sync(alice)
  assert.deepEqual(
    [await flagsInFolder('INBOX', 'on its way'), await flagsInFolder('Archive', 'on its way')],
    [[], undefined],
  )
  assert.deepEqual(
    [emailBySubject('on its way')!.place, emailBySubject('on its way')!.path],
    ['inbox', 'INBOX'],
  )
  assert.deepEqual(rig.rows('select kind from mail_pushes'), [])
})

test('labels of any name become keywords on the server and return by their names', {
  skip,
}, async () => {
  const { ann } = rig.workspace
  await receiveMail('tax papers')
  await ann.call('label_emails', {
    email_ids: [emailBySubject('tax papers')!.id],
    add: ['Büro 2026/Steuer', 'important', 'starred'],
    create_missing: true,
  })
  await rig.sync(alice)
  const flags = await flagsInFolder('INBOX', 'tax papers')
  assert.ok(
    flags!.includes('$Important') && flags!.includes('\\Flagged') && flags!.length === 3,
    String(flags),
  )
  const detail = await ann.call('get_email', { email_id: emailBySubject('tax papers')!.id })
  assert.deepEqual(
    [detail.labels.sort(), detail.starred],
    [['Büro 2026/Steuer', 'important'], true],
  )
  await ann.call('label_emails', {
    email_ids: [emailBySubject('tax papers')!.id],
    remove: ['büro 2026/steuer'],
  })
  await rig.sync(alice)
  assert.deepEqual(await flagsInFolder('INBOX', 'tax papers'), ['$Important', '\\Flagged'])
})

test('spam moves to the junk folder with its flag, and back without it', {
  skip,
}, async () => {
  const { ann } = rig.workspace
  await receiveMail('cheap pills')
  const junk = () =>
    rig.rows<{ path: string }>(
      "select path from mail_folders where account_id = ? and role = 'spam'",
      alice.id,
    )[0]!.path
  await ann.call('label_emails', { email_ids: [emailBySubject('cheap pills')!.id], add: ['spam'] })
  await rig.sync(alice)
  assert.ok((await flagsInFolder(junk(), 'cheap pills'))!.includes('$Junk'))
  assert.deepEqual((await ann.call('search_emails', { query: 'cheap pills' })).items, [])
  await ann.call('move_emails', { email_ids: [emailBySubject('cheap pills')!.id], folder: 'inbox' })
  await rig.sync(alice)
  assert.deepEqual(await flagsInFolder('INBOX', 'cheap pills'), ['$NotJunk'])
  assert.equal((await ann.call('search_emails', { query: 'cheap pills' })).items.length, 1)
})

test('a rule sorts incoming mail here and on the server, and wakes threads that waited for a reply', {
  skip,
}, async () => {
  const { ann } = rig.workspace
  await ann.call('create_project', { name: 'Mail', key: 'MAIL' })
  await ann.call('create_email_rule', {
    name: 'Receipts',
    conditions: { all: [{ field: 'body', op: 'contains', value: 'amount due' }] },
    actions: [
      { type: 'label', params: { label: 'Receipts' } },
      { type: 'mark_read' },
      { type: 'archive' },
      { type: 'create_task', params: { project_id: 'MAIL', title: 'Pay it' } },
    ],
  })
  const stop = rig.live()
  try {
    await until(
      () =>
        rig.rows(
          "select 1 from mail_folders where account_id = ? and role = 'inbox' and is_complete = 1",
          alice.id,
        ).length === 1,
    )
    await ann.call('snooze_email', {
      thread_id: emailBySubject('hasty')!.thread_id,
      until_reply: true,
    })
    await rig.put('alice', 'INBOX', [
      messageText({
        id: '<bill@else.test>',
        subject: 'Your bill',
        body: 'The amount due is 20.\r\n',
      }),
      messageText({
        id: '<re@else.test>',
        subject: 'Re: hasty',
        more: ['In-Reply-To: <hasty@else.test>', 'References: <hasty@else.test>'],
      }),
    ])
    await until(() => emailBySubject('Your bill')?.place === 'archive')
    await until(async () => (await flagsInFolder('Archive', 'Your bill')) !== undefined)
    assert.deepEqual(await flagsInFolder('Archive', 'Your bill'), ['Receipts', '\\Seen'])
    assert.equal((await ann.call('list_tasks', { project_id: 'MAIL' })).items.length, 1)
    assert.equal((await ann.call('list_email_rules')).items[0].hits, 1)
    await until(() => emailBySubject('Re: hasty') !== undefined)
    assert.equal(
      rig.rows<{ snoozed_until_reply: number }>(
        'select snoozed_until_reply from mail_threads where id = ?',
        emailBySubject('hasty')!.thread_id,
      )[0]!.snoozed_until_reply,
      0,
    )
    assert.equal(emailBySubject('Re: hasty')!.thread_id, emailBySubject('hasty')!.thread_id)
  } finally {
    await stop()
  }
})

test('incoming mail triggers only its owner’s automations, which see the message as its operation returns it', {
  skip,
}, async () => {
  const { ann, bob } = rig.workspace
  await bob.call('create_project', { name: 'Bobs', key: 'BOBS' })
  for (const [who, project] of [
    [ann, 'MAIL'],
    [bob, 'BOBS'],
  ] as const) {
    const { id } = await who.call('create_automation', {
      name: 'Mail',
      trigger: { type: 'event', params: { event: 'email.received' } },
      conditions: [{ expression: 'item.subject.startsWith("Order")' }],
      actions: [
        {
          type: 'create_task',
          params: {
            project_id: project,
            title: 'Look at {{ item.subject }} of {{ item.from.email }}',
          },
        },
      ],
    })
    await who.call('enable_automation', { automation_id: id })
  }
  const stop = rig.live()
  try {
    await rig.put('alice', 'INBOX', [messageText({ id: '<order@else.test>', subject: 'Order 66' })])
    const titles = async () =>
      (await ann.call('list_tasks', { project_id: 'MAIL' })).items.map((item: any) => item.title)
    await until(async () => (await titles()).includes('Look at Order 66 of cara@else.test'))
    assert.equal((await bob.call('list_tasks', { project_id: 'BOBS' })).items.length, 0)
  } finally {
    await stop()
  }
})
