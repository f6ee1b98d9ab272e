import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Row } from '../../../records/resource.ts'
import { parseMessage } from '../../../connectors/mail-parser.ts'
import type { ParsedMessage } from '../../../connectors/mail/shapes.ts'
import { messageText, startMailRig, until, type MailRig } from '../../../testing/mail/setup.ts'
import { noMail } from '../../../testing/servers/daemons.ts'

const skip = noMail
let rig: MailRig
let alice: Row<'accounts'>
let bob: Row<'accounts'>
let stop: () => Promise<void>

before(async () => {
  if (skip) return
  rig = await startMailRig()
  alice = await rig.connect(rig.workspace.ann, 'alice')
  bob = await rig.connect(rig.workspace.bob, 'bob')
  await rig.sync(alice)
  await rig.sync(bob)
  stop = rig.live()
})
after(async () => {
  await stop?.()
  await rig?.close()
})

interface ArrivedMessage extends ParsedMessage {
  raw: string
}

/** Waits for messages with a Message-ID in a folder of the server, and reads them with another mail program. */
async function waitForMessages(
  name: string,
  folder: string,
  messageId: string,
  count = 1,
): Promise<ArrivedMessage[]> {
  const flow = await rig.client(name)
  try {
    await flow.mailboxOpen(folder)
    const messages: ArrivedMessage[] = []
    await until(async () => {
      await flow.noop()
      const uids = (await flow.search({ header: { 'message-id': messageId } }, { uid: true })) || []
      if (uids.length < count) return false
      for await (const fetchMessageObject of flow.fetch(uids, { source: true }, { uid: true }))
        messages.push({
          ...(await parseMessage(fetchMessageObject.source!, { contents: true })),
          raw: fetchMessageObject.source!.toString('latin1'),
        })
      return true
    })
    return messages
  } finally {
    await flow.logout()
  }
}

async function waitForOne(
  name: string,
  folder: string,
  messageId: string,
): Promise<ArrivedMessage> {
  const messages = await waitForMessages(name, folder, messageId)
  assert.equal(messages.length, 1)
  return messages[0]!
}

const headerOf = (parsedMessage: ParsedMessage, name: string) =>
  parsedMessage.headers.find((header) => header.name.toLowerCase() === name)?.value
const rowOf = (id: string) => rig.rows<Row<'emails'>>('select * from emails where id = ?', id)[0]
const outboxOf = (id: string) =>
  rig.rows<Row<'email_outbox'>>('select * from email_outbox where email_id = ?', id)[0]

test('a message is sent once as text and HTML, with a copy in Sent; Bcc recipients appear nowhere', {
  skip,
}, async () => {
  const { ann } = rig.workspace
  const sent = await ann.call('send_email', {
    to: ['Bob Baker <bob@example.test>'],
    bcc: ['alice@example.test'],
    subject: 'Grüße 🎉 und שלום',
    body_markdown: '# Plan\n\nSee *this*: <script>alert(1)</script>\n\n- one\n- two\n\nمرحبا',
  })
  assert.deepEqual(
    [sent.delivery, sent.folder, sent.to[0].email, sent.content.trust],
    ['sending', 'sent', 'bob@example.test', 'internal'],
  )
  const got = await waitForOne('bob', 'INBOX', sent.message_id_header)
  assert.equal(got.subject, 'Grüße 🎉 und שלום')
  assert.deepEqual(got.to, [{ name: 'Bob Baker', address: 'bob@example.test' }])
  assert.deepEqual(
    [
      got.from!.address,
      got.bcc,
      /^bcc:/im.test(got.raw),
      got.raw.split('\r\n').every((line) => line.length <= 998),
    ],
    ['alice@example.test', [], false, true],
  )
  assert.match(got.body.own, /Plan[^]*مرحبا/)
  assert.match(got.raw, /multipart\/alternative/)
  assert.doesNotMatch(got.raw.slice(got.raw.indexOf('text/html')), /<script>/)
  const bccCopy = await waitForOne('alice', 'INBOX', sent.message_id_header)
  assert.equal(bccCopy.raw.includes('Bcc'), false)
  const copy = await waitForOne('alice', 'Sent', sent.message_id_header)
  assert.equal(
    copy.raw.slice(copy.raw.indexOf('Content-Type')),
    got.raw
      .slice(got.raw.indexOf('Content-Type'))
      .replace(/\r\n$/, copy.raw.endsWith('\r\n') ? '\r\n' : ''),
    'the same bytes',
  )
  await until(() => outboxOf(sent.id)?.state === 'filed')
  assert.equal(rowOf(sent.id)!.delivery, 'sent')
  assert.deepEqual(
    rig.rows(
      "select for_person_id from changes where item_id = ? and events_json like '%email.sent%'",
      sent.id,
    ),
    [{ for_person_id: ann.id }],
  )
})

test('a reply belongs to its conversation on both sides: headers, recipients, a single Re:, quoted text', {
  skip,
}, async () => {
  const { ann, bob: bobPerson } = rig.workspace
  const first = await ann
    .call('send_email', {
      to: ['bob@example.test'],
      cc: ['cara@example.test', 'alice@example.test'],
      subject: 'Re: Budget',
      body_markdown: 'How much?',
    })
    .catch((error) => error)
  assert.ok(first.id, JSON.stringify(first))
  const bobsCopy = () =>
    rig.rows<Row<'emails'>>(
      'select * from emails where account_id = ? and message_id = ? and body_state = ?',
      bob.id,
      first.message_id_header,
      'ready',
    )[0]
  await until(() => bobsCopy() !== undefined)
  const dryRun = await bobPerson.call('reply_to_email', {
    email_id: bobsCopy()!.id,
    body_markdown: 'Ten.',
    reply_all: true,
    dry_run: true,
  })
  assert.deepEqual(
    dryRun.to.map((item: any) => item.email),
    ['alice@example.test'],
  )
  assert.deepEqual(
    dryRun.cc.map((item: any) => item.email),
    ['cara@example.test'],
  )
  assert.match(
    dryRun.outgoing.text,
    /^Ten\.\n\nOn \d{4}-\d\d-\d\d at \d\d:\d\d, alice <alice@example\.test> wrote:\n> How much\?\n$/,
  )
  assert.equal(
    rig.rows('select count(*) as n from email_outbox where account_id = ?', bob.id)[0]!.n,
    0,
    'a dry run sends nothing',
  )
  const answer = await bobPerson.call('reply_to_email', {
    email_id: bobsCopy()!.id,
    body_markdown: 'Ten. Is it enough?',
  })
  assert.deepEqual([answer.subject, answer.thread_id], ['Re: Budget', bobsCopy()!.thread_id])
  const got = await waitForOne('alice', 'INBOX', answer.message_id_header)
  assert.deepEqual(
    [got.inReplyTo, got.references, got.body.own.trim()],
    [first.message_id_header, [first.message_id_header], 'Ten. Is it enough?'],
  )
  const alicesCopy = () =>
    rig.rows<Row<'emails'>>(
      'select * from emails where account_id = ? and message_id = ?',
      alice.id,
      answer.message_id_header,
    )[0]
  await until(() => alicesCopy() !== undefined)
  assert.equal(alicesCopy()!.thread_id, first.thread_id)
  assert.equal(rowOf(bobsCopy()!.id)!.answered, 1)
  await until(
    () =>
      rig.rows('select awaiting from mail_threads where id = ?', answer.thread_id)[0]!.awaiting ===
      'them',
  )
})

test('files from the drive and attachments of a forwarded message are sent along byte for byte', {
  skip,
}, async () => {
  const { ann, bob: bobPerson } = rig.workspace
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 7) % 256))
  const file = await ann.call('upload_file', {
    name: 'Zahlen ü.bin',
    content_base64: bytes.toString('base64'),
  })
  const sent = await ann.call('send_email', {
    to: ['bob@example.test'],
    subject: 'Numbers',
    body_markdown: 'Attached.',
    attachment_file_ids: [file.id],
  })
  assert.deepEqual(
    sent.attachments.map((attachment: any) => [attachment.name, attachment.size_bytes]),
    [['Zahlen ü.bin', bytes.length]],
  )
  const got = await waitForOne('bob', 'INBOX', sent.message_id_header)
  assert.deepEqual(
    [got.attachments[0]!.name, Buffer.from(got.attachments[0]!.content!).equals(bytes)],
    ['Zahlen ü.bin', true],
  )
  const bobsCopy = () =>
    rig.rows<Row<'emails'>>(
      'select * from emails where account_id = ? and message_id = ? and body_state = ?',
      bob.id,
      sent.message_id_header,
      'ready',
    )[0]
  await until(() => bobsCopy() !== undefined)
  const forwarded = await bobPerson.call('forward_email', {
    email_id: bobsCopy()!.id,
    to: ['alice@example.test'],
    note_markdown: 'For you.',
  })
  assert.equal(forwarded.subject, 'Fwd: Numbers')
  const forwardedMail = await waitForOne('alice', 'INBOX', forwarded.message_id_header)
  assert.ok(Buffer.from(forwardedMail.attachments[0]!.content!).equals(bytes))
  assert.match(forwardedMail.raw, /Forwarded message/)
  const withoutAttachments = await bobPerson.call('forward_email', {
    email_id: bobsCopy()!.id,
    to: ['alice@example.test'],
    include_attachments: false,
  })
  assert.deepEqual(
    (await waitForOne('alice', 'INBOX', withoutAttachments.message_id_header)).attachments,
    [],
  )
})

test('a permanently refused message is kept as a draft, and its sender is notified', {
  skip,
}, async () => {
  const { ann } = rig.workspace
  const sent = await ann.call('send_email', {
    to: ['someone@elsewhere.test'],
    subject: 'Nowhere',
    body_markdown: 'Does it go?',
  })
  await until(() => rowOf(sent.id)!.delivery === 'failed')
  assert.match(rowOf(sent.id)!.delivery_problem!, /did not accept it.*55\d/)
  const [draft] = (await ann.call('list_email_drafts')).items
  assert.deepEqual(
    [draft.subject, draft.to[0].email, draft.body_markdown, draft.state],
    ['Nowhere', 'someone@elsewhere.test', 'Does it go?', 'draft'],
  )
  assert.equal(
    rig.rows(
      "select count(*) as n from notifications where person_id = ? and text like '%could not be sent%'",
      ann.id,
    )[0]!.n,
    1,
  )
  await ann.call('delete_email_draft', { draft_id: draft.id })
})

test('recipients refused by the server are named, and the others get the message', {
  skip,
}, async () => {
  const { ann } = rig.workspace
  const sent = await ann.call('send_email', {
    to: ['bob@example.test', 'someone@elsewhere.test'],
    subject: 'Partly',
    body_markdown: 'x',
  })
  await waitForOne('bob', 'INBOX', sent.message_id_header)
  await until(() => rowOf(sent.id)!.delivery === 'sent')
  assert.match(rowOf(sent.id)!.delivery_problem!, /someone@elsewhere\.test/)
})

test('a bounced message is marked as failed, if it was sent to that address', {
  skip,
}, async () => {
  const { ann } = rig.workspace
  const sent = await ann.call('send_email', {
    to: ['nobody-here@example.test'],
    subject: 'Lost',
    body_markdown: 'x',
  })
  await until(() => rowOf(sent.id)!.delivery === 'failed')
  assert.match(
    rowOf(sent.id)!.delivery_problem!,
    /could not be delivered to nobody-here@example\.test/,
  )
})

test('a forged bounce for an address the message was not sent to changes nothing', {
  skip,
}, async () => {
  const { ann } = rig.workspace
  const sent = await ann.call('send_email', {
    to: ['bob@example.test'],
    subject: 'Fine',
    body_markdown: 'x',
  })
  await until(() => rowOf(sent.id)!.delivery === 'sent')
  const report = [
    '--b',
    'Content-Type: text/plain',
    '',
    'no',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; evil.test',
    '',
    'Final-Recipient: rfc822; carol@example.test',
    'Action: failed',
    'Status: 5.1.1',
    '',
    '--b',
    'Content-Type: text/rfc822-headers',
    '',
    `Message-ID: ${sent.message_id_header}`,
    '',
    '--b--',
    '',
  ].join('\r\n')
  await rig.put('alice', 'INBOX', [
    messageText({
      id: '<forged@evil.test>',
      from: 'mailer-daemon@evil.test',
      subject: 'Undelivered',
      more: ['Content-Type: multipart/report; report-type=delivery-status; boundary=b'],
      body: report,
    }),
  ])
  await until(
    () =>
      rig.rows(
        "select id from emails where message_id = '<forged@evil.test>' and body_state = 'ready'",
      ).length === 1,
  )
  assert.equal(rowOf(sent.id)!.delivery, 'sent')
})

test('addresses, names and subjects cannot inject a header or a command', {
  skip,
}, async () => {
  const { ann } = rig.workspace
  for (const to of [
    'bob@example.test\r\nBcc: eve@evil.test',
    'Bob <bob@example.test>\r\nX-Evil: 1',
    'bob@example.test, eve@evil.test',
    '<bob@example.test> <eve@evil.test>',
    'bob@example.test>\r\nRCPT TO:<eve@evil.test',
    '"a\r\nb" <bob@example.test>',
    'group: bob@example.test;',
    'bob',
  ]) {
    assert.equal(
      (await ann.refused('send_email', { to: [to], subject: 'x', body_markdown: 'x' })).code,
      'invalid_argument',
      to,
    )
  }
  const sent = await ann.call('send_email', {
    to: ['"Bob\\"; evil: <x>" <bob@example.test>'],
    subject: 'a\r\nBcc: eve@evil.test\r\n\r\nbody',
    body_markdown: '.\r\n.\r\nMAIL FROM:<x>\r\n\u0008end',
  })
  const got = await waitForOne('bob', 'INBOX', sent.message_id_header)
  assert.deepEqual([got.subject, headerOf(got, 'bcc')], ['a Bcc: eve@evil.test body', undefined])
  assert.match(got.body.own, /MAIL FROM/)
})

test('a repeated idempotency key sends once, and other people can neither see nor use the message', {
  skip,
}, async () => {
  const { ann, bob: bobPerson, eve } = rig.workspace
  const args = { to: ['bob@example.test'], subject: 'Once', body_markdown: 'x' }
  const [first, second] = await Promise.all([
    ann.call('send_email', args, { idempotencyKey: 'once-1' }),
    ann.call('send_email', args, { idempotencyKey: 'once-1' }),
  ])
  assert.equal(first.id, second.id)
  assert.equal((await waitForMessages('bob', 'INBOX', first.message_id_header)).length, 1)
  for (const stranger of [bobPerson, eve]) {
    assert.equal(
      (await stranger.refused('reply_to_email', { email_id: first.id, body_markdown: 'x' })).code,
      'not_found',
    )
    assert.equal(
      (await stranger.refused('send_email', { ...args, account_id: alice.id })).code,
      'not_found',
    )
  }
})

test('an unreachable server loses nothing: the message is sent when it is back, and the response does not wait', {
  skip,
}, async () => {
  const { ann } = rig.workspace
  await rig.workspace.app.store.writer.run(() =>
    rig.workspace.app.store.write
      .updateTable('accounts')
      .set({
        servers_json: alice.servers_json.replace(
          `"smtp":{"host":"${rig.server.host}","port":${rig.server.smtp.tlsPort}`,
          `"smtp":{"host":"${rig.server.host}","port":1`,
        ),
      })
      .where('id', '=', alice.id)
      .execute(),
  )
  const sent = await ann.call('send_email', {
    to: ['bob@example.test'],
    subject: 'Later',
    body_markdown: 'x',
  })
  await until(() => outboxOf(sent.id)!.attempts > 0)
  assert.deepEqual([rowOf(sent.id)!.delivery, outboxOf(sent.id)!.state], ['sending', 'queued'])
  assert.match(rowOf(sent.id)!.delivery_problem!, /could not be reached/)
  await rig.workspace.app.store.writer.run(async () => {
    await rig.workspace.app.store.write
      .updateTable('accounts')
      .set({ servers_json: alice.servers_json })
      .where('id', '=', alice.id)
      .execute()
    await rig.workspace.app.store.write
      .updateTable('email_outbox')
      .set({ not_before: 0 })
      .where('email_id', '=', sent.id)
      .execute()
    await rig.workspace.app.store.write
      .updateTable('jobs')
      .set({ run_at: 0 })
      .where('kind', '=', 'send_letter')
      .where('finished_at', 'is', null)
      .execute()
  })
  await until(() => rowOf(sent.id)!.delivery === 'sent')
  assert.equal(rowOf(sent.id)!.delivery_problem, null)
  assert.equal((await waitForMessages('bob', 'INBOX', sent.message_id_header)).length, 1)
})

test('a message that may have been sent is never resent: it is looked up, or else its sender is notified', {
  skip,
}, async () => {
  const { ann } = rig.workspace
  await stop()
  const deliveredEmail = await ann.call('send_email', {
    to: ['bob@example.test'],
    subject: 'Known',
    body_markdown: 'x',
  })
  const unknown = await ann.call('send_email', {
    to: ['bob@example.test'],
    subject: 'Unknown',
    body_markdown: 'x',
  })
  await rig.put('alice', 'Sent', [
    messageText({
      id: deliveredEmail.message_id_header,
      from: 'alice@example.test',
      to: 'bob@example.test',
      subject: 'Known',
    }),
  ])
  await rig.workspace.app.store.writer.run(() =>
    rig.workspace.app.store.write
      .updateTable('email_outbox')
      .set({ state: 'handing', handing_at: Date.now() })
      .where('email_id', 'in', [deliveredEmail.id, unknown.id])
      .execute(),
  )
  stop = rig.live()
  await until(
    () => rowOf(deliveredEmail.id)!.delivery === 'sent' && rowOf(unknown.id)!.delivery === 'failed',
  )
  assert.match(rowOf(unknown.id)!.delivery_problem!, /may have been delivered: check Sent/)
  assert.equal(
    (await ann.call('list_email_drafts')).items.filter((item: any) => item.subject === 'Unknown')
      .length,
    1,
  )
  const flow = await rig.client('bob')
  await flow.mailboxOpen('INBOX')
  assert.deepEqual(
    await flow.search({ or: [{ subject: 'Unknown' }, { subject: 'Known' }] }, { uid: true }),
    [],
  )
  await flow.logout()
})

test('undoing cancels only what has not yet been handed to the server', {
  skip,
}, async () => {
  const { ann } = rig.workspace
  await stop()
  const draft = await ann.call('create_email_draft', {
    to: ['bob@example.test'],
    subject: 'Wait',
    body_markdown: 'x',
  })
  const sent = await ann.call('send_email_draft', { draft_id: draft.id })
  const [call] = rig.rows<{ id: string }>(
    "select id from calls where tool = 'send_email_draft' order by seq desc limit 1",
  )
  await ann.call('undo_api_call', { call_id: call!.id })
  assert.deepEqual([rowOf(sent.id), outboxOf(sent.id)], [undefined, undefined])
  assert.equal(
    (await ann.call('list_email_drafts')).items.find((item: any) => item.id === draft.id).state,
    'draft',
  )
  stop = rig.live()
})

test('a message cancelled during the server connection is not sent', {
  skip,
}, async () => {
  const { ann, app } = rig.workspace
  const servers = (port: number) =>
    app.store.writer.run(
      async () =>
        void (await app.store.write
          .updateTable('accounts')
          .set({
            servers_json: alice.servers_json.replace(
              `"port":${rig.server.smtp.tlsPort}`,
              `"port":${port}`,
            ),
          })
          .where('id', '=', alice.id)
          .execute()),
    )
  await servers(rig.smtpDoor!.port)
  const heldConnection = rig.smtpDoor!.hold(/^DATA/im)
  const sent = await ann.call('send_email', {
    to: ['bob@example.test'],
    subject: 'Taken back',
    body_markdown: 'x',
  })
  await heldConnection.reached
  const [call] = rig.rows<{ id: string }>(
    "select id from calls where tool = 'send_email' order by seq desc limit 1",
  )
  assert.equal((await ann.call('undo_api_call', { call_id: call!.id })).undone, true)
  heldConnection.go()
  await until(
    () =>
      rig.rows("select 1 from jobs where kind = 'send_letter' and finished_at is null").length ===
      0,
  )
  await servers(rig.server.smtp.tlsPort)
  const after = await ann.call('send_email', {
    to: ['bob@example.test'],
    subject: 'Afterwards',
    body_markdown: 'x',
  })
  await waitForOne('bob', 'INBOX', after.message_id_header)
  const flow = await rig.client('bob')
  await flow.mailboxOpen('INBOX')
  assert.deepEqual(
    await flow.search({ header: { 'message-id': sent.message_id_header } }, { uid: true }),
    [],
  )
  await flow.logout()
})

test('a draft is kept up to date in the server’s drafts folder until it is sent', {
  skip,
}, async () => {
  const { ann } = rig.workspace
  const draft = await ann.call('create_email_draft', {
    to: ['bob@example.test'],
    bcc: ['cara@example.test'],
    subject: 'In the making',
    body_markdown: 'First.',
  })
  await ann.call('update_email_draft', { draft_id: draft.id, body_markdown: 'Second.' })
  const [row] = rig.rows<{ message_id: string }>(
    'select message_id from email_drafts where id = ?',
    draft.id,
  )
  let copies: ArrivedMessage[] = []
  await until(
    async () =>
      (copies = await waitForMessages('alice', 'Drafts', row!.message_id)).length === 1 &&
      copies[0]!.body.own.includes('Second.'),
  )
  assert.deepEqual(
    copies[0]!.bcc.map((mailAddress) => mailAddress.address),
    ['cara@example.test'],
    'the draft copy includes the Bcc recipients',
  )
  await ann.call('update_email_draft', { draft_id: draft.id, bcc: [] })
  const sent = await ann.call('send_email_draft', { draft_id: draft.id })
  await waitForOne('bob', 'INBOX', sent.message_id_header)
  const flow = await rig.client('alice')
  await flow.mailboxOpen('Drafts')
  await until(async () => {
    await flow.noop()
    return (
      ((await flow.search({ header: { 'message-id': row!.message_id } }, { uid: true })) || [])
        .length === 0
    )
  })
  await flow.logout()
  await waitForOne('alice', 'Sent', sent.message_id_header)
  assert.notEqual(rowOf(sent.id), undefined)
})
