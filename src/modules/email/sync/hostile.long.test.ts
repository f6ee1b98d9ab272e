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
  rig = await startMailRig(['--no-smtp'])
  alice = await rig.connect(rig.workspace.ann, 'alice')
})
after(() => rig?.close())

const parts = (count: number, body = 'x') =>
  `${Array.from({ length: count }, () => `--b\r\nContent-Type: text/plain\r\n\r\n${body}\r\n`).join('')}--b--\r\n`
const nested = (depth: number) =>
  `${Array.from(
    { length: depth },
    (_, i) => `Content-Type: multipart/mixed; boundary="n${i}"\r\n\r\n--n${i}\r\n`,
  ).join('')}Content-Type: text/plain\r\n\r\nin the middle\r\n`

/** Messages designed to break the sync, by description. */
const hostile: Record<string, string | Buffer> = {
  '20,000 parts': messageText({
    subject: 'h01',
    more: ['Content-Type: multipart/mixed; boundary=b'],
    body: parts(20_000),
  }),
  '2,000 levels': `Subject: h02\r\nFrom: x@y.test\r\nMIME-Version: 1.0\r\n${nested(2000)}`,
  'a multipart without an end': messageText({
    subject: 'h03',
    more: ['Content-Type: multipart/mixed; boundary=b'],
    body: '--b\r\nContent-Type: text/plain\r\n\r\nhello',
  }),
  'a multipart without a boundary': messageText({
    subject: 'h04',
    more: ['Content-Type: multipart/mixed'],
    body: 'hello',
  }),
  'unknown charset': messageText({
    subject: 'h05',
    more: ['Content-Type: text/plain; charset=klingon-8'],
    body: 'nuqneH \xff\xfe',
  }),
  'invalid base64': messageText({
    subject: 'h06',
    more: ['Content-Type: text/plain', 'Content-Transfer-Encoding: base64'],
    body: '!!!! not ==== base64 ****',
  }),
  '10,000 recipients': messageText({
    subject: 'h07',
    to: Array.from({ length: 10_000 }, (_, i) => `r${i}@many.test`).join(',\r\n '),
  }),
  'a subject of 200 kB': messageText({ subject: `h08 ${'long '.repeat(40_000)}` }),
  'a subject with control characters and other directions': messageText({
    subject: 'h09 \u202e\u0007\u001b[31m =?utf-8?B?gICA?= =?utf-8?Q?=E2=80=AE?=',
  }),
  '5,000 references': messageText({
    subject: 'h10',
    more: [
      `References: ${Array.from({ length: 5000 }, (_, i) => `<ref${i}@far.test>`).join('\r\n ')}`,
    ],
  }),
  'a date in the far future': messageText({ subject: 'h11', date: new Date(Date.UTC(2099, 0, 1)) }),
  'no date, no sender': 'Subject: h12\r\n\r\nfrom nobody\r\n',
  'nothing but a subject': 'Subject: h13\r\n\r\n',
  'brackets and quotes in addresses': messageText({
    subject: 'h14',
    from: '"a\\"<b>" <<<x@y.test>>>,,, (comment (nested)) @ : ;',
    to: 'undisclosed-recipients:;',
  }),
  'a Message-ID of nothing': messageText({ subject: 'h15', id: '<>' }),
  'the Message-ID of another': messageText({ subject: 'h16', id: '<same@h.test>' }),
  'the Message-ID of another, too': messageText({
    subject: 'h17',
    id: '<same@h.test>',
    body: 'Another text.\r\n',
  }),
  'HTML without an end': messageText({
    subject: 'h18',
    more: ['Content-Type: text/html'],
    body: `${'<div><b>'.repeat(20_000)}deep`,
  }),
  'a file name with parent directories': messageText({
    subject: 'h19',
    more: ['Content-Type: multipart/mixed; boundary=b'],
    body: '--b\r\nContent-Type: application/octet-stream; name="../../etc/passwd"\r\nContent-Disposition: attachment; filename="../../../root/.ssh/id"\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n--b--\r\n',
  }),
  'NUL and high bytes': Buffer.concat([
    Buffer.from('Subject: h20 \xe4\xf6\xfc\r\nFrom: x@y.test\r\n\r\n', 'latin1'),
    Buffer.from([1, 2, 3, 128, 255, 254, 13, 10]),
  ]),
  'a line of 3 MB': messageText({ subject: 'h21', body: 'x'.repeat(3 * 2 ** 20) }),
  'parameters in a thousand pieces': messageText({
    subject: 'h22',
    more: [
      `Content-Type: text/plain; ${Array.from({ length: 1000 }, (_, i) => `name*${i}*=a%20b`).join(';\r\n ')}`,
    ],
  }),
  'a large attachment': messageText({
    subject: 'h23',
    more: ['Content-Type: multipart/mixed; boundary=b'],
    body: `--b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nGr=C3=BC=C3=9Fe behind which it is large.\r\n--b\r\nContent-Type: application/octet-stream; name=big.bin\r\nContent-Transfer-Encoding: base64\r\n\r\n${'QUJD'.repeat(19).concat('\r\n').repeat(160_000)}--b--\r\n`,
  }),
}

test('any message is listed, whatever it contains, and so are those around it', {
  skip,
}, async (t) => {
  const around = Array.from({ length: 60 }, (_, i) =>
    messageText({ id: `<fine${i}@else.test>`, subject: `fine ${i}` }),
  )
  await rig.put('alice', 'INBOX', [
    ...around.slice(0, 30),
    ...Object.values(hostile),
    ...around.slice(30),
  ])
  const startedAt = performance.now()
  await rig.sync(alice)
  t.diagnostic(`${Math.round(performance.now() - startedAt)} ms`)
  const rows = rig.rows<Row<'emails'>>('select * from emails where account_id = ?', alice.id)
  assert.equal(rows.length, 60 + Object.keys(hostile).length)
  assert.equal(
    rows.filter((row) => /^fine/.test(row.subject) && row.body_state === 'ready').length,
    60,
  )
  assert.deepEqual(
    Object.keys(hostile).filter(
      (_, i) => !rows.some((row) => row.subject.startsWith(`h${String(i + 1).padStart(2, '0')}`)),
    ),
    [],
  )
  assert.deepEqual(
    rows.filter((row) => row.body_state !== 'ready').map((row) => row.subject),
    [],
  )
  const rowStarting = (subject: string) => rows.find((row) => row.subject.startsWith(subject))!
  assert.match(rowStarting('h23').snippet, /^Grüße behind which it is large/)
  assert.ok(rowStarting('h11').sent_at <= Date.now() + 86_400_000)
  assert.ok(rowStarting('h08').subject.length <= 1000)
  assert.doesNotMatch(rowStarting('h09').subject, /[\u0000-\u001f]/)
  assert.ok(JSON.parse(rowStarting('h10').references_json).length <= 100)
  const { items } = await rig.workspace.ann.call('list_emails', { limit: 100 })
  assert.equal(items.length, rows.length)
  for (const { id } of items) await rig.workspace.ann.call('get_email', { email_id: id })
})

test('a repeated sync of these messages changes nothing', {
  skip,
}, async () => {
  const before = rig.rows('select id, revision, updated_at from emails order by id')
  await rig.sync(alice)
  assert.deepEqual(rig.rows('select id, revision, updated_at from emails order by id'), before)
})

/** Rewrites the server's answers with a new UIDVALIDITY each time, and counts opened folders. */
function startRenumbering(): { opened: () => number } {
  let next = Date.now()
  let opened = 0
  rig.door.rewrite((text) =>
    text.replaceAll(/UIDVALIDITY \d+/g, (_, at: number) => {
      if (text[at - 1] === '[') opened++
      return `UIDVALIDITY ${++next % 4_000_000_000}`
    }),
  )
  return { opened: () => opened }
}

test('a server that renumbers messages at every visit does not keep the sync busy, duplicates and deletes nothing, and the account reports it', {
  skip,
}, async () => {
  const { bob } = rig.workspace
  await rig.put(
    'bob',
    'INBOX',
    Array.from({ length: 450 }, (_, i) =>
      messageText({ id: `<many${i}@else.test>`, subject: `many ${i}` }),
    ),
  )
  const account = await rig.connect(bob, 'bob', 'door')
  await rig.sync(account)
  const messages = () =>
    rig.rows(
      'select id, subject, unread, body_state from emails where account_id = ? order by id',
      account.id,
    )
  const [first, second] = (await bob.call('list_emails', { limit: 2 })).items
  await bob.call('mark_emails_read', { email_ids: [first.id] })
  await rig.sync(account)
  const before = messages()
  assert.equal(before.length, 450)
  for (let i = 0; i < 3; i++) {
    const { opened } = startRenumbering()
    if (i === 1) {
      await bob.call('mark_emails_read', { email_ids: [second.id] })
      before.find((item) => item.id === second.id)!.unread = 0
    }
    rig.pass(15 * 60_000)
    await rig.sync(account)
    assert.ok(opened() < 40, `${opened()} folders were opened`)
    assert.deepEqual(messages(), before)
    const [shown] = (await bob.call('list_email_accounts')).items
    assert.equal(shown.status, 'degraded')
    assert.match(
      shown.problem,
      /renumbers the messages of “INBOX”.* at each visit .*Ask the provider/,
    )
  }
  rig.door.rewrite(undefined)
  rig.pass(15 * 60_000)
  await rig.sync(account)
  const [recovered] = (await bob.call('list_email_accounts')).items
  assert.deepEqual([recovered.status, recovered.problem ?? null], ['active', null])
  assert.deepEqual(messages(), before)
})

test('for a mailbox with 100,000 folders the account reports how many are synchronized', {
  skip,
}, async () => {
  const { bob } = rig.workspace
  const account = rig.rows<Row<'accounts'>>('select * from accounts where owner_id = ?', bob.id)[0]! // the account of the test above
  const names = Array.from(
    { length: 100_000 },
    (_, i) => `* LIST (\\Noselect) "/" "f${i}"\r\n`,
  ).join('')
  rig.door.rewrite((text) => text.replace('* LIST (', () => `${names}* LIST (`))
  await rig.sync(account)
  rig.door.rewrite(undefined)
  const accountAnswer = (await bob.call('list_email_accounts')).items[0]
  assert.match(
    accountAnswer.problem,
    /^The mailbox has 100\d\d\d folders; only the first 2000 are synchronized\. Delete or merge folders/,
  )
  assert.equal(
    rig.rows('select id from mail_folders where account_id = ?', account.id).length,
    2000,
  )
})
