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

/** Headers for which Dovecot's ENVELOPE has placeholders or truncated addresses, with the expected addresses. */
const headers: Record<
  string,
  { from?: string; to: string; expect: { from?: string[]; to: string[] } }
> = {
  'a name with an unquoted @': {
    to: 'Joe @ Work <joe@home.test>, Cara <cara@else.test>',
    expect: { to: ['joe@home.test', 'cara@else.test'] },
  },
  'an address as its own unquoted name': {
    from: 'support@shop.test via List <list@lists.test>',
    to: 'joe@home.test <joe@home.test>, @cara <cara@else.test>, dan@else.test',
    expect: { from: ['list@lists.test'], to: ['joe@home.test', 'cara@else.test', 'dan@else.test'] },
  },
  'a name alone': {
    from: 'root',
    to: 'undisclosed recipients, cara@else.test',
    expect: { from: [], to: ['cara@else.test'] },
  },
  'an empty address': {
    from: '<>',
    to: 'Ann <>, <@>, cara@else.test',
    expect: { from: [], to: ['cara@else.test'] },
  },
  'a list without commas': {
    to: 'ann@x.test; bob@y.test',
    expect: { to: ['ann@x.test', 'bob@y.test'] },
  },
  'a semicolon list of names': {
    to: 'Ann <ann@x.test>; Bob <bob@y.test>',
    expect: { to: ['ann@x.test', 'bob@y.test'] },
  },
  'an address with words': {
    to: 'Ann <ann at x.test>, cara@else.test',
    expect: { to: ['cara@else.test'] },
  },
  'a group': {
    to: 'Team: ann@x.test, bob@y.test;, cara@else.test',
    expect: { to: ['ann@x.test', 'bob@y.test', 'cara@else.test'] },
  },
  'an encoded name': {
    to: '=?utf-8?Q?J=C3=B6rg_@_Werk?= <joe@home.test>, cara@else.test',
    expect: { to: ['joe@home.test', 'cara@else.test'] },
  },
}

test('addresses are those of the header, not the server’s placeholders', {
  skip,
}, async () => {
  const messages = Object.entries(headers).map(([subject, { from, to }], i) =>
    messageText({ id: `<a${i}@else.test>`, subject, ...(from === undefined ? {} : { from }), to }),
  )
  await rig.put('alice', 'INBOX', messages)
  await rig.sync(alice)
  for (const [subject, { expect }] of Object.entries(headers)) {
    const [row] = rig.rows<Row<'emails'>>('select * from emails where subject = ?', subject)
    const { to } = JSON.parse(row!.addresses_json) as { to: { email: string }[] }
    assert.deepEqual(
      to.map((item) => item.email).filter((name) => name !== ''),
      expect.to,
      subject,
    )
    assert.equal(row!.from_email, expect.from ? (expect.from[0] ?? '') : 'cara@else.test', subject)
    const stored = rig.rows<{ address: string }>(
      "select address from email_addresses where email_id = ? and field = 'to' order by address",
      row!.id,
    )
    assert.deepEqual(
      stored.map((item) => item.address),
      [...expect.to].sort(),
      subject,
    )
  }
  assert.deepEqual(
    rig.rows(
      "select address from email_addresses where address like '%missing%' or address like '%syntax%'",
    ),
    [],
  )
  assert.doesNotMatch(JSON.stringify(rig.rows('select * from mail_threads')), /MISSING_|SYNTAX_/i)
  const emailRow = rig.rows<Row<'emails'>>(
    "select * from emails where subject = 'a name with an unquoted @'",
  )[0]!
  assert.equal(JSON.parse(emailRow.addresses_json).to[0].name, 'Joe @ Work')
})

test('a date with an unreadable zone keeps its day and time, and the mail says so', {
  skip,
}, async () => {
  const source = messageText({ id: '<zone@else.test>', subject: 'no zone' }).replace(
    /^Date: .*$/m,
    'Date: Mon, 4 May 2026 10:00:00 Local time zone must be set',
  )
  await rig.put('alice', 'INBOX', [source.replace(/\r?\n/g, '\r\n')])
  await rig.sync(alice)
  const row = rig.rows<Row<'emails'>>("select * from emails where subject = 'no zone'")[0]!
  assert.equal(new Date(row.sent_at).toISOString(), '2026-05-04T10:00:00.000Z')
  const detail = await rig.workspace.ann.call('get_email', { email_id: row.id })
  assert.match(detail.warnings.join(), /time zone of its Date header cannot be read/)
})

test('8-bit subjects and names without a charset are read as UTF-8', {
  skip,
}, async () => {
  const [subject, name] = ['=?us-ascii?Q?sum_=E2=88=AE?=', '=?us-ascii?Q?J=C3=B6rg?=']
  await rig.put('alice', 'INBOX', [
    messageText({ id: '<ascii@else.test>', subject, from: `${name} <j@else.test>` }),
    messageText({ id: '<raw@else.test>', subject: 'raw ∮', from: '"Jörg" <j@else.test>' }),
  ])
  await rig.sync(alice)
  const rows = rig.rows<Row<'emails'>>(
    "select * from emails where message_id in ('<ascii@else.test>', '<raw@else.test>') order by message_id",
  )
  assert.deepEqual(
    rows.map((row) => [row.subject, row.from_name]),
    [
      ['sum ∮', 'Jörg'],
      ['raw ∮', 'Jörg'],
    ],
  )
})
