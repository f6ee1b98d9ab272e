import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ImapFlow } from 'imapflow'
import type { Row } from '../../../records/resource.ts'
import { messageText, startMailRig, type MailRig } from '../../../testing/mail/setup.ts'
import { noMail } from '../../../testing/servers/daemons.ts'

const skip = noMail

for (const [kind, flags] of [
  ['a server with CONDSTORE', []],
  [
    'a server without extensions',
    ['--hide', 'CONDSTORE QRESYNC IDLE MOVE UIDPLUS SPECIAL-USE LIST-STATUS'],
  ],
] as const) {
  let rig: MailRig
  let alice: Row<'accounts'>
  let otherClient: ImapFlow
  before(async () => {
    if (skip) return
    rig = await startMailRig(['--no-smtp', ...flags])
    alice = await rig.connect(rig.workspace.ann, 'alice')
    otherClient = await rig.client('alice')
  })
  after(async () => {
    otherClient?.close()
    await rig?.close()
  })

  const emails = (where = '1 = 1') =>
    rig.rows<Row<'emails'> & { path: string }>(
      `select e.*, f.path from emails e left join mail_folders f on f.id = e.folder_id where e.account_id = ? and ${where} order by e.subject`,
      alice.id,
    )
  const emailBySubject = (subject: string) => emails(`e.subject = '${subject}'`)[0]
  const thread = (id: string) =>
    rig.rows<Row<'mail_threads'>>('select * from mail_threads where id = ?', id)[0]!
  const changesOf = async (id: string) =>
    (await rig.workspace.ann.call('list_changes', { limit: 100 })).items
      .filter((change: any) => change.item.id === id)
      .map((change: any) => ({ op: change.op, type: change.item.type }))
  const inFolder = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
    await otherClient.mailboxOpen(path)
    return work()
  }
  const uidOf = async (subject: string) =>
    ((await otherClient.search({ subject }, { uid: true })) as number[]).at(-1)!
  const flagsOf = async (subject: string) =>
    [
      ...(
        (await otherClient.fetchOne(
          String(await uidOf(subject)),
          { flags: true },
          { uid: true },
        )) as {
          flags: Set<string>
        }
      ).flags,
    ]
      .filter((flag) => flag !== '\\Recent')
      .sort()

  test(`${kind}: flags set by another program are synced, and the thread counts them`, {
    skip,
  }, async () => {
    await rig.put(
      'alice',
      'INBOX',
      ['one', 'two', 'three'].map((subject) =>
        messageText({ id: `<${subject}@else.test>`, subject }),
      ),
    )
    await rig.sync(alice)
    assert.deepEqual(
      emails().map((row) => [row.subject, row.unread, row.place, row.path]),
      [
        ['one', 1, 'inbox', 'INBOX'],
        ['three', 1, 'inbox', 'INBOX'],
        ['two', 1, 'inbox', 'INBOX'],
      ],
    )
    await inFolder('INBOX', async () => {
      await otherClient.messageFlagsAdd(
        await uidOf('one').then(String),
        ['\\Seen', '\\Flagged', 'Project_X'],
        { uid: true },
      )
    })
    await rig.sync(alice)
    const row = emailBySubject('one')!
    assert.deepEqual([row.unread, row.starred, row.answered], [0, 1, 0])
    assert.equal(thread(row.thread_id).unread_count, 0)
    assert.deepEqual(rig.rows('select name from email_labels where email_id = ?', row.id), [
      { name: 'Project_X' },
    ])
    assert.deepEqual(
      await changesOf(row.id),
      [{ op: 'updated', type: 'email' }],
      'the change is listed',
    )
  })

  test(`${kind}: a message moved by another program keeps its id, and an erased one is gone, also from search`, {
    skip,
  }, async () => {
    const before = emailBySubject('two')!
    await inFolder('INBOX', async () => {
      await otherClient.messageMove(String(await uidOf('two')), 'Archive', { uid: true })
      await otherClient.messageDelete(String(await uidOf('three')), { uid: true })
    })
    await rig.sync(alice)
    const moved = emailBySubject('two')!
    assert.deepEqual([moved.id, moved.place, moved.path], [before.id, 'archive', 'Archive'])
    assert.deepEqual(await changesOf(moved.id), [{ op: 'updated', type: 'email' }])
    assert.equal(emailBySubject('three'), undefined)
    assert.equal(rig.rows("select 1 from search_docs where title = 'three'").length, 0)
    assert.equal(thread(moved.thread_id).in_inbox, 0)
    assert.equal(rig.rows('select 1 from mail_threads where account_id = ?', alice.id).length, 2)
  })

  test(`${kind}: local actions are pushed to the server, once`, {
    skip,
  }, async () => {
    const { ann } = rig.workspace
    await rig.put(
      'alice',
      'INBOX',
      ['four', 'five'].map((subject) => messageText({ id: `<${subject}@else.test>`, subject })),
    )
    await rig.sync(alice)
    const [four, five] = [emailBySubject('four')!, emailBySubject('five')!]
    await ann.call('mark_emails_read', { email_ids: [four.id] })
    await ann.call('archive_emails', { email_ids: [four.id] })
    await ann.call('trash_emails', { email_ids: [five.id] })
    await rig.sync(alice)
    assert.deepEqual(rig.rows('select kind, problem, wanted_json from mail_pushes'), [])
    assert.deepEqual(
      emails("e.subject in ('four', 'five')").map((row) => [
        row.id,
        row.path,
        row.unread,
        row.uid !== null,
      ]),
      [
        [five.id, 'Trash', 1, true],
        [four.id, 'Archive', 0, true],
      ],
    )
    assert.deepEqual(await inFolder('Archive', () => flagsOf('four')), ['\\Seen'])
    assert.ok(await inFolder('Trash', () => uidOf('five')))
    await rig.sync(alice)
    assert.equal(emails("e.subject in ('four', 'five')").length, 2, 'there are no duplicates')
  })

  test(`${kind}: a pending local change wins in its field, everything else follows the server`, {
    skip,
  }, async () => {
    const row = emailBySubject('one')!
    await rig.workspace.ann.call('mark_emails_read', { email_ids: [row.id], read: false })
    await inFolder('INBOX', async () => {
      const uid = String(await uidOf('one'))
      await otherClient.messageFlagsAdd(uid, ['\\Answered'], { uid: true })
      await otherClient.messageFlagsRemove(uid, ['\\Flagged'], { uid: true })
    })
    await rig.sync(alice)
    const updated = emailBySubject('one')!
    assert.deepEqual([updated.unread, updated.starred, updated.answered], [1, 0, 1])
    assert.deepEqual(await inFolder('INBOX', () => flagsOf('one')), ['Project_X', '\\Answered'])
  })

  test(`${kind}: a message moved here and erased by another program is gone; one moved elsewhere ends up where it was moved here`, {
    skip,
  }, async () => {
    await rig.put(
      'alice',
      'INBOX',
      ['six', 'seven'].map((subject) => messageText({ id: `<${subject}@else.test>`, subject })),
    )
    await rig.sync(alice)
    await rig.workspace.ann.call('archive_emails', {
      email_ids: [emailBySubject('six')!.id, emailBySubject('seven')!.id],
    })
    await inFolder('INBOX', async () => {
      await otherClient.messageDelete(String(await uidOf('six')), { uid: true })
      await otherClient.messageMove(String(await uidOf('seven')), 'Archive', { uid: true })
    })
    const seven = emailBySubject('seven')!.id
    await rig.sync(alice)
    assert.equal(emailBySubject('six'), undefined)
    assert.deepEqual(
      emails("e.subject = 'seven'").map((row) => [row.id, row.path]),
      [[seven, 'Archive']],
    )
  })

  test(`${kind}: a folder recreated under its name has the same messages with the same ids`, {
    skip,
  }, async () => {
    const texts = Array.from({ length: 60 }, (_, i) =>
      messageText({ id: `<p${i}@else.test>`, subject: `plan ${String(i).padStart(2, '0')}` }),
    )
    await otherClient.mailboxCreate('Plans')
    await rig.put('alice', 'Plans', texts)
    await rig.sync(alice)
    const ids = emails("f.path = 'Plans'").map((row) => [row.id, row.subject])
    assert.equal(ids.length, 60)
    await otherClient.mailboxClose()
    await otherClient.mailboxDelete('Plans')
    await otherClient.mailboxCreate('Plans')
    await rig.put('alice', 'Plans', texts.slice(10).reverse())
    await rig.sync(alice)
    assert.deepEqual(
      emails("f.path = 'Plans'").map((row) => [row.id, row.subject]),
      ids.slice(10),
    )
    assert.ok(
      emails("f.path = 'Plans'").every((row) => row.uid !== null && row.body_state === 'ready'),
    )
  })

  test(`${kind}: a renamed folder keeps its messages, and a removed one takes them along`, {
    skip,
  }, async () => {
    const ids = emails("f.path = 'Plans'").map((row) => row.id)
    await otherClient.mailboxRename('Plans', 'Old plans')
    await rig.sync(alice)
    assert.deepEqual(
      emails("f.path = 'Old plans'").map((row) => row.id),
      ids,
    )
    await otherClient.mailboxDelete('Old plans')
    await rig.sync(alice)
    assert.equal(emails("e.subject like 'plan %'").length, 0)
    assert.equal(rig.rows("select 1 from mail_folders where path = 'Old plans'").length, 0)
  })

  test(`${kind}: a reply that arrived before its original merges two conversations with correct counts`, {
    skip,
  }, async () => {
    await rig.put('alice', 'INBOX', [
      messageText({ id: '<a1@t.test>', subject: 'Budget' }),
      messageText({
        id: '<a3@t.test>',
        subject: 'Re: Budget',
        more: ['In-Reply-To: <a2@t.test>', 'References: <a2@t.test>'],
      }),
    ])
    await rig.sync(alice)
    assert.notEqual(emailBySubject('Budget')!.thread_id, emailBySubject('Re: Budget')!.thread_id)
    const before = ['Budget', 'Re: Budget'].map((subject) => emailBySubject(subject)!.thread_id)
    await rig.workspace.ann.call('snooze_email', { thread_id: before[1], until_reply: true })
    await rig.put('alice', 'INBOX', [
      messageText({
        id: '<a2@t.test>',
        subject: 'AW: Budget',
        more: ['In-Reply-To: <a1@t.test>', 'References: <a1@t.test>'],
      }),
    ])
    await rig.sync(alice)
    const threads = new Set(emails("e.subject like '%Budget'").map((row) => row.thread_id))
    assert.equal(threads.size, 1)
    assert.deepEqual(
      [thread([...threads][0]!).message_count, thread([...threads][0]!).unread_count],
      [3, 3],
    )
    for (const thread_id of before)
      assert.equal(
        (await rig.workspace.ann.call('get_email_thread', { thread_id })).id,
        [...threads][0],
        'both ids resolve to the merged thread',
      )
    assert.equal(
      (await rig.workspace.bob.refused('get_email_thread', { thread_id: before[1] })).code,
      'not_found',
    )
    await rig.put('alice', 'INBOX', [
      messageText({ subject: 'Re: Lunch', from: 'Dan <dan@else.test>' }),
      messageText({ subject: 'Lunch', from: 'alice@example.test', to: 'dan@else.test' }),
      messageText({ subject: 'Lunch', from: 'zoe@elsewhere.test', to: 'alice@example.test' }),
    ])
    await rig.sync(alice)
    const lunch = emails("e.subject like '%Lunch'")
    assert.equal(
      new Set(lunch.map((row) => row.thread_id)).size,
      2,
      'by subject and people, and not with strangers',
    )
  })
}
