import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attachmentOf, parseMessage, readBody } from './mail-parser.ts'

const message = (...lines: string[]) => Buffer.from(lines.join('\r\n'))
const html = async (source: string) => (await readBody({ html: source })).body

test('a multipart message is parsed into headers, both texts and numbered attachments', async () => {
  const parsed = await parseMessage(
    message(
      'From: =?utf-8?q?B=C3=B6b?= <Bob@Out.example>',
      'To: Ann <ann@me.example>, "Lee, Cy" <cy@me.example>, Team: d@me.example, e@me.example;',
      'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=',
      '\taus  =?iso-8859-1?Q?K=F6ln?=',
      'Date: Mon, 4 May 2026 10:00:00 +0200 (CEST)',
      'Message-ID: <a1@out.example>',
      'In-Reply-To: <r2@me.example>',
      'References: <r1@me.example>',
      ' <r2@me.example>',
      'List-Unsubscribe: <mailto:off@out.example>, <https://out.example/off?u=1>',
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: multipart/related; boundary=c',
      '',
      '--c',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>Hello <img src="cid:logo"></p>',
      '--c',
      'Content-Type: image/png; name=logo.png',
      'Content-ID: <logo>',
      'Content-Transfer-Encoding: base64',
      '',
      'iVBORw0KGgo=',
      '--c--',
      '--b',
      "Content-Type: application/pdf; name*=utf-8''Angebot%20f%C3%BCr%20Ann.pdf",
      'Content-Disposition: attachment',
      'Content-Transfer-Encoding: base64',
      '',
      'SGVsbG8=',
      '--b',
      'Content-Type: message/rfc822',
      '',
      'From: x@y.example',
      'Subject: inside',
      '',
      'The enclosed text.',
      '--b',
      'Content-Type: text/calendar; method=REQUEST',
      '',
      'BEGIN:VCALENDAR',
      'END:VCALENDAR',
      '--b--',
      '',
    ),
  )
  assert.deepEqual(parsed.from, { name: 'Böb', address: 'bob@out.example' })
  assert.deepEqual(
    parsed.to.map((mailAddress) => mailAddress.address),
    ['ann@me.example', 'cy@me.example', 'd@me.example', 'e@me.example'],
  )
  assert.equal(parsed.to[1]!.name, 'Lee, Cy')
  assert.equal(parsed.subject, 'Grüße aus Köln')
  assert.equal(new Date(parsed.date!).toISOString(), '2026-05-04T08:00:00.000Z')
  assert.deepEqual(
    [parsed.messageId, parsed.inReplyTo, parsed.references],
    ['<a1@out.example>', '<r2@me.example>', ['<r1@me.example>', '<r2@me.example>']],
  )
  assert.deepEqual(
    [parsed.listUnsubscribe, parsed.listUnsubscribeOneClick, parsed.automatic],
    [['mailto:off@out.example', 'https://out.example/off?u=1'], true, true],
  )
  assert.equal(parsed.body.own, 'Hello')
  assert.equal(parsed.calendar, 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR')
  assert.deepEqual(
    parsed.attachments.map((attachment) => [
      attachment.part,
      attachment.name,
      attachment.mime,
      attachment.size,
      attachment.inline,
    ]),
    [
      ['1.2', 'logo.png', 'image/png', 8, true],
      ['2', 'Angebot für Ann.pdf', 'application/pdf', 5, false],
      ['3', 'message.eml', 'message/rfc822', 56, false],
      ['4', 'invite.ics', 'text/calendar', 30, false],
    ],
  )
  assert.equal(
    parsed.attachments[1]!.sha256,
    '185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969',
  )
  assert.deepEqual(parsed.warnings, [])
})

test('an attachment is extracted from a message by its number', async () => {
  const raw = message(
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    '',
    'text',
    '--b',
    'Content-Type: text/csv; name=a.csv',
    'Content-Disposition: attachment',
    '',
    'a,b',
    '--b--',
    '',
  )
  const attachment = await attachmentOf(raw, '2')
  assert.deepEqual(
    [attachment!.name, attachment!.mime, Buffer.from(attachment!.content).toString().trim()],
    ['a.csv', 'text/csv', 'a,b'],
  )
  assert.equal(await attachmentOf(raw, '7'), undefined)
})

test('hidden content of a message is not in its text', async () => {
  const hidden = [
    '<div style="display:none">SECRET</div>',
    '<span style="font-size:0px">SECRET</span>',
    '<p style="color:#ffffff">SECRET</p>',
    '<table bgcolor="#000000"><tr><td><font color="black">SECRET</font></td></tr></table>',
    '<div style="background:#fafafa"><span style="color:rgb(250, 250, 250)">SECRET</span></div>',
    '<div style="max-height:0;overflow:hidden">SECRET</div>',
    '<div style="position:absolute;left:-9999px">SECRET</div>',
    '<div style="opacity:0">SECRET</div>',
    '<div hidden>SECRET</div>',
    '<style>.a{display:none!important}</style><div class="a">SECRET</div>',
    '<style>#b, .c{visibility:hidden}</style><div id="b">SECRET</div><i class="c">SECRET</i>',
    '<!-- SECRET --><script>SECRET</script><title>SECRET</title><template>SECRET</template>',
    '<textarea>SECRET</textarea><select><option>SECRET</option></select><svg><text>SECRET</text></svg>',
    '<img src="https://x.example/p.gif?SECRET" width="1" height="1" alt="SECRET">',
    `seen${[...'SECRET'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')}`,
  ]
  for (const source of hidden) {
    const { markdown, own, html: safe } = await html(`<p>Seen text.</p>${source}`)
    assert.doesNotMatch(
      `${markdown} ${own} ${safe}`.replaceAll(/[\u{E0000}-\u{E007F}]/gu, (letter) =>
        String.fromCharCode(letter.codePointAt(0)! - 0xe0000),
      ),
      /SECRET/,
      source,
    )
    assert.match(own, /Seen text\./)
  }
})

test('visible content of a message is kept, even where its style is not understood', async () => {
  const visibleTexts = [
    '<style>@media (max-width:600px){.m{display:none}}</style><div class="m">VISIBLE</div>',
    '<div style="background:url(x.png)"><span style="color:#fff">VISIBLE</span></div>',
    '<table bgcolor="navy"><tr><td style="color:white">VISIBLE</td></tr></table>',
    '<div style="background-color:#333"><p style="color:#fff">VISIBLE</p></div>',
    '<td style="font-size:0"><span style="font-size:14px">VISIBLE</span></td>',
    '<div style="height:0">VISIBLE</div>',
    '<div style="color:var(--ink)">VISIBLE</div>',
    '<![if !mso]>VISIBLE<![endif]>',
    '<noscript>VISIBLE</noscript>',
  ]
  for (const source of visibleTexts) assert.match((await html(source)).own, /VISIBLE/, source)
})

test('HTML becomes Markdown: data tables stay tables, layout tables become text, images become their alt text', async () => {
  const { own } = await html(
    '<h1>Order</h1><table role="presentation"><tr><td><table><tr><td><p>Dear Ann,</p></td></tr><tr><td>here is <a href="https://x.example/a_b?c=1">your order</a>.</td></tr></table></td></tr></table>' +
      '<table><tr><th>Item</th><th>Price</th></tr><tr><td>Tea</td><td>3 €</td></tr></table><ul><li>one</li><li>two</li></ul>first line<br>second line<p><img src="https://x.example/l.png" alt="Tea House"><a href="https://x.example/t"><img src="x.gif"></a>mail ann_b@me.example</p>',
  )
  assert.equal(
    own,
    '# Order\n\nDear Ann,\n\nhere is [your order](https://x.example/a_b?c=1).\n\n| Item | Price |\n| ---- | ----- |\n| Tea  | 3 €   |\n\n- one\n- two\n\nfirst line\nsecond line\n\nTea Housemail ann_b@me.example',
  )
})

test('stored HTML has no scripts, styles, forms, ids or remote images', async () => {
  const { html: safe } = await html(
    '<p id="x" class="y" style="color:red" onclick="a()">Text</p><img src="https://track.example/i.png" alt="i"><img src="cid:logo"><img src="data:image/svg+xml,x"><a href="javascript:a()">a</a><a href="https://x.example">b</a><form action="/x"><input name="q"><button>c</button></form><iframe src="https://x.example"></iframe><base href="https://x.example"><meta http-equiv="refresh" content="0"><link rel="stylesheet" href="x"><svg><script>1</script></svg>',
  )
  assert.doesNotMatch(
    safe!,
    /script|style|onclick|track|iframe|<form|<input|<base|<meta|<link|data:|id=|class=|svg/,
  )
  assert.match(safe!, /<p>Text<\/p>/)
  assert.match(safe!, /src="cid:logo"/)
  assert.match(safe!, /href="https:\/\/x\.example"/)
})

test('authentication results of the receiving server count, not those inserted by the sender', async () => {
  const authenticationOf = async (...headers: string[]) =>
    (await parseMessage(message(...headers, 'From: a@b.example', '', ''))).authentication
  assert.deepEqual(
    await authenticationOf(
      'Authentication-Results: mx.me.example; spf=pass smtp.mailfrom=x; dkim=fail (bad; dkim=pass) header.d=x; dmarc=none',
    ),
    { spf: 'pass', dkim: 'fail', dmarc: 'none' },
  )
  assert.deepEqual(
    await authenticationOf(
      'Authentication-Results: mx.me.example; spf=fail',
      'Authentication-Results: mx.me.example; dkim=none',
      'Authentication-Results: evil.example; dmarc=pass',
      'Authentication-Results: mx.me.example; dmarc=pass; spf=pass',
    ),
    { spf: 'fail', dkim: 'none' },
  )
  assert.deepEqual(
    await authenticationOf(
      'Authentication-Results: mx.me.example; dkim=fail header.d=list; dkim=pass header.d=x',
    ),
    { dkim: 'pass' },
  )
  assert.deepEqual(await authenticationOf('Received-SPF: softfail (mx: domain of x)'), {
    spf: 'softfail',
  })
  assert.deepEqual(await authenticationOf('Subject: spf=pass'), {})
})

test('a delivery report gives the address whose mail bounced, and the reason', async () => {
  const { reports } = await parseMessage(
    message(
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
      '',
      '--b',
      '',
      'Sorry.',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx',
      '',
      'Final-Recipient: rfc822; Bob@out.example',
      'Action: failed',
      'Status: 5.1.1',
      'Diagnostic-Code: smtp; 550 5.1.1',
      ' no such user',
      '--b',
      'Content-Type: message/rfc822',
      '',
      'Message-ID: <m@x>',
      '',
      'text',
      '--b--',
      '',
    ),
  )
  assert.deepEqual(reports, [
    {
      address: 'bob@out.example',
      action: 'failed',
      status: '5.1.1',
      diagnostic: '550 5.1.1 no such user',
    },
  ])
})

test('legacy charsets and encodings are read', async () => {
  const read = async (charset: string, encoding: string, body: Buffer) =>
    (
      await parseMessage(
        Buffer.concat([
          message(
            `Content-Type: text/plain; charset=${charset}`,
            `Content-Transfer-Encoding: ${encoding}`,
            '',
            '',
          ),
          body,
        ]),
      )
    ).body.own
  assert.equal(await read('iso-8859-1', 'quoted-printable', Buffer.from('Gr=FC=DFe')), 'Grüße')
  assert.equal(
    await read('windows-1251', '8bit', Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])),
    'Привет',
  )
  assert.equal(
    await read('iso-2022-jp', '7bit', Buffer.from('\x1b$B$3$s$K$A$O\x1b(B', 'latin1')),
    'こんにちは',
  )
  assert.equal(
    await read(
      'gb18030',
      'base64',
      Buffer.from(Buffer.from([0xc4, 0xe3, 0xba, 0xc3]).toString('base64')),
    ),
    '你好',
  )
  assert.equal(await read('utf-7', '7bit', Buffer.from('Gr+APwA3w-e 1 +- 1')), 'Grüße 1 + 1')
  assert.equal(await read('no-such-charset', '8bit', Buffer.from('plain')), 'plain')
})

test('broken messages are read as far as possible and never fail', async () => {
  const broken = {
    empty: Buffer.from(''),
    'without headers': Buffer.from('\r\n\r\njust text'),
    'a body alone': Buffer.from('no header here at all\r\nand more'),
    'cut in a part': message(
      'Subject: cut',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'half of the te',
    ),
    'a boundary that never comes': message(
      'Subject: none',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      'text without parts',
    ),
    'no boundary parameter': message('Subject: none', 'Content-Type: multipart/mixed', '', 'text'),
    'broken base64': message(
      'Subject: b64',
      'Content-Transfer-Encoding: base64',
      '',
      '!!!!====SGVsbG8',
    ),
    'NUL and odd bytes': Buffer.concat([
      Buffer.from('Subject: a\0b\xff\r\nFrom: \x80\x81 <>\r\n\r\n'),
      Buffer.from([0, 1, 2, 0xff, 0xfe, 0xd8, 0]),
    ]),
    'broken encoded words': message(
      'Subject: =?utf-8?B?////?= =?xx?Q?=ZZ?= =?utf-8?Q?',
      'From: =?utf-8?Q?a@b <x',
      '',
      'text',
    ),
    'a date of no calendar': message('Date: 99 Foo 20266 99:99', '', 'text'),
    'addresses without end': message(
      `To: ${'('.repeat(20_000)}`,
      `Cc: ${'a,'.repeat(20_000)}`,
      '',
      'text',
    ),
    'unpaired surrogates': message('Content-Type: text/plain; charset=utf-16le', '', '\ud800'),
  }
  for (const [label, bytes] of Object.entries(broken)) {
    const parsed = await parseMessage(bytes)
    assert.ok(JSON.stringify(parsed).isWellFormed(), label)
    assert.doesNotMatch(parsed.body.markdown, /\0/, label)
  }
  assert.equal((await parseMessage(broken['cut in a part'])).body.own, 'half of the te')
  assert.equal((await parseMessage(broken['a date of no calendar'])).date, undefined)
})

test('8-bit text that is valid UTF-8 is read as UTF-8 under us-ascii or no charset, else as windows-1252', async () => {
  const plain = async (type: string, body: Buffer) =>
    (await parseMessage(Buffer.concat([Buffer.from(`Subject: x\r\n${type}\r\n\r\n`), body]))).body
      .own
  for (const type of [
    'Content-Type: text/plain; charset=us-ascii',
    'Content-Type: text/plain; charset="US-ASCII"',
    'Content-Type: text/plain',
    'Content-Type: text/plain; charset=unknown-8bit',
    'X-Nothing: here',
  ]) {
    assert.equal(await plain(type, Buffer.from('∮ E⋅da = Q')), '∮ E⋅da = Q', type)
    assert.equal(await plain(type, Buffer.from('Grüße', 'latin1')), 'Grüße', type)
  }
  const declared = 'Content-Type: text/plain; charset=iso-8859-1'
  assert.equal(await plain(declared, Buffer.from('Ã¼', 'latin1')), 'Ã¼')
  const { subject } = await parseMessage(
    message('Subject: =?us-ascii?Q?=E2=88=AE?= and =?us-ascii?Q?=FC?=', '', ''),
  )
  assert.equal(subject, '∮ and ü')
  const invitation = await parseMessage(
    Buffer.from('Content-Type: text/calendar; charset=us-ascii\r\n\r\nSUMMARY:Café'),
  )
  assert.equal(invitation.calendar?.trim(), 'SUMMARY:Café')
})

test('text attachments are preserved byte for byte', async () => {
  const part = (headers: string[], body: string) => [
    '--b',
    ...headers,
    'Content-Disposition: attachment',
    '',
    body,
  ]
  const patch = 'diff --git a b\r\n-old  \r\n+new\r\n \r\n'
  const bytes = message(
    'Content-Type: multipart/mixed; boundary=b',
    '',
    'preamble',
    ...part(['Content-Type: text/plain'], 'words'),
    ...part(
      ['Content-Type: text/x-patch', 'Content-Transfer-Encoding: 8bit'],
      `${patch}mixed\nends\r\r\nlast`,
    ),
    ...part(
      ['Content-Type: text/csv', 'Content-Transfer-Encoding: quoted-printable'],
      'a=3D1;=\r\nb \t\r\n=C3=A4;=0A\r\nend',
    ),
    ...part(
      ['Content-Type: text/calendar; method=REQUEST'],
      'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n',
    ),
    ...part(['Content-Type: application/pgp-signature'], ''),
    ...part(['Content-Type: message/rfc822'], 'Subject: inside\r\n\r\ntext\r\n'),
    '--b--',
    'epilogue',
  )
  const contents = [
    'words',
    `${patch}mixed\nends\r\r\nlast`,
    'a=1;b\r\nä;\n\r\nend',
    'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n',
    '',
    'Subject: inside\r\n\r\ntext\r\n',
  ]
  const { attachments } = await parseMessage(bytes, { contents: true })
  assert.deepEqual(
    attachments.map((attachment) => Buffer.from(attachment.content!).toString()),
    contents,
  )
  assert.deepEqual(
    attachments.map((attachment) => attachment.size),
    contents.map((content) => Buffer.byteLength(content)),
  )
  for (const [i, text] of contents.entries()) {
    const attachment = await attachmentOf(bytes, `${i + 1}`)
    assert.equal(attachment && Buffer.from(attachment.content).toString(), text)
  }
  const alone = Buffer.from(
    `Content-Type: text/x-patch\r\nContent-Disposition: attachment\r\n\r\n${patch}`,
  )
  assert.equal(Buffer.from((await attachmentOf(alone, '1'))!.content).toString(), patch)
  const open = Buffer.from(
    'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/csv\r\n\r\na\r\n',
  )
  assert.equal(Buffer.from((await attachmentOf(open, '1'))!.content).toString(), 'a\r\n')
})

test('a date with an unreadable zone keeps its day and time, is read as UTC, and carries a warning', async () => {
  const parseWithDate = (date: string) =>
    parseMessage(message(`Date: ${date}`, 'Subject: x', '', 'words'))
  for (const date of [
    'Mon, 4 May 2026 10:00:00 Local time zone must be set--see zic manual page',
    'Mon, 4 May 2026 10:00:00 +99999',
    'Mon, 4 May 2026 10:00:00 (Pacific Daylight Time) W. Europe Standard Time',
    '4 May 2026 10:00 WEDT-10',
    'Mon May  4 10:00:00 XYZ 2026',
  ]) {
    const { date: at, warnings } = await parseWithDate(date)
    assert.equal(at, Date.UTC(2026, 4, 4, 10), date)
    assert.match(warnings.join(), /time zone of its Date header .* read as UTC/, date)
  }
  for (const date of ['Mon, 4 May 2026 10:00:00 +0000', 'Mon, 4 May 2026 10:00:00 GMT']) {
    assert.deepEqual((await parseWithDate(date)).warnings, [], date)
  }
  for (const date of ['Mon, 41 May 2026 10:00:00 ???', 'yesterday', '10:00:00 nowhere']) {
    assert.equal((await parseWithDate(date)).date, undefined, date)
  }
})

const calendarLines = (summary: string, ...more: string[]) => [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  ...more,
  'BEGIN:VEVENT',
  'UID:one',
  `SUMMARY:${summary}`,
  'END:VEVENT',
  'END:VCALENDAR',
]

async function calendarIn(headers: string[], body: Uint8Array | string) {
  const head = ['From: a@b.example', 'MIME-Version: 1.0', ...headers, '', ''].join('\r\n')
  const { calendar } = await parseMessage(Buffer.concat([Buffer.from(head), Buffer.from(body)]))
  return calendar
}

test('a calendar in a mail is found by type, name or content, with the method and charset of its part', async () => {
  const lines = calendarLines('Prüfung')
  const text = lines.join('\r\n')
  const byHeader = await calendarIn(
    ['Content-Type: text/calendar; charset=utf-8; method=request'],
    text,
  )
  assert.match(byHeader!, /^BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nVERSION/)
  const inFile = calendarLines('Prüfung', 'METHOD:CANCEL').join('\r\n')
  const both = await calendarIn(['Content-Type: text/calendar; method=REQUEST'], inFile)
  assert.deepEqual(both!.match(/METHOD:\w+/g), ['METHOD:CANCEL'])
  const latin1 = Buffer.from(text, 'latin1')
  const base64 = 'Content-Transfer-Encoding: base64'
  const parts: [headers: string[], body: Uint8Array | string][] = [
    [['Content-Type: text/calendar; charset=iso-8859-1'], latin1],
    [['Content-Type: text/calendar'], latin1],
    [
      ['Content-Type: text/calendar; charset=utf-16le', base64],
      Buffer.from(text, 'utf16le').toString('base64'),
    ],
    [
      ['Content-Type: application/octet-stream; name="invite.ics"', base64],
      Buffer.from(text).toString('base64'),
    ],
    [['Content-Type: application/ics; name="invite.ics"'], text],
  ]
  for (const [headers, body] of parts)
    assert.match((await calendarIn(headers, body)) ?? '', /SUMMARY:Prüfung/, headers[0])
  const cut = Buffer.from(text).indexOf(Buffer.from('ü')) + 1
  const bytes = Buffer.from(text)
  const folded = Buffer.concat([bytes.subarray(0, cut), Buffer.from('\r\n '), bytes.subarray(cut)])
  assert.match((await calendarIn(['Content-Type: text/calendar'], folded))!, /SUMMARY:Prüfung/)
  const other = ['Content-Type: application/octet-stream; name="notes.ics"']
  assert.equal(await calendarIn(other, 'These are notes.'), undefined)
})

test('text within signed data is used as the message text, with its attachments', async () => {
  const inner = [
    'Content-Type: multipart/mixed; boundary=in',
    '',
    '--in',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Pay 4711 EUR, Café at noon.',
    '--in',
    'Content-Type: application/pdf; name=contract.pdf',
    'Content-Transfer-Encoding: base64',
    '',
    'SGVsbG8=',
    '--in--',
    '',
  ]
  for (const encode of [encodeDefinite, encodeIndefinite]) {
    const opaque = signed(encode, message(...inner))
    const whole = message(
      'From: ines@partner.example',
      'Subject: Contract',
      'Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m',
      'Content-Transfer-Encoding: base64',
      '',
      opaque,
    )
    const parsed = await parseMessage(whole)
    assert.equal(parsed.body.markdown, 'Pay 4711 EUR, Café at noon.')
    assert.deepEqual(
      parsed.attachments.map(({ part, name, inline }) => [part, name, inline]),
      [
        ['1', 'smime.p7m', true],
        ['1/2', 'contract.pdf', false],
      ],
    )
    assert.equal(Buffer.from((await attachmentOf(whole, '1/2'))!.content).toString(), 'Hello')
    assert.deepEqual(parsed.warnings, [])
  }
})

test('signed data within a mailing list message or within other signed data is read before the lines added by the list', async () => {
  const text = message('Content-Type: text/plain', '', 'The decision.')
  const twice = signed(
    encodeDefinite,
    message(
      'Content-Type: application/x-pkcs7-mime; smime-type=signed-data',
      'Content-Transfer-Encoding: base64',
      '',
      signed(encodeIndefinite, text),
    ),
  )
  const parsed = await parseMessage(
    message(
      'Subject: List',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: application/octet-stream; name=smime.p7m',
      'Content-Transfer-Encoding: base64',
      '',
      twice,
      '--b',
      'Content-Type: text/plain',
      '',
      'Unsubscribe at the list.',
      '--b--',
      '',
    ),
  )
  assert.equal(parsed.body.markdown, 'The decision.\n\nUnsubscribe at the list.')
})

test('a message with unreadable text gives the reason', async () => {
  const whole = (type: string, content: string) =>
    message('Subject: x', `Content-Type: ${type}`, 'Content-Transfer-Encoding: base64', '', content)
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const enveloped = encodeDefinite(0x30, oid('1.2.840.113549.1.7.3')).toString('base64')
  for (const [source, reason] of [
    [
      whole('application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m', enveloped),
      /encrypted \(S\/MIME\)/,
    ],
    [
      whole('application/pkcs7-mime; smime-type=signed-data; name=smime.p7m', base64('noise')),
      /in smime\.p7m, signed data/,
    ],
    [
      whole('application/ms-tnef; name=winmail.dat', base64('noise')),
      /winmail\.dat, a format of Outlook/,
    ],
    [whole('text/enriched', base64('<bold>Hi</bold>')), /one part of the type text\/enriched/],
    [
      message(
        'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b',
        '',
        '--b',
        'Content-Type: application/pgp-encrypted',
        '',
        'Version: 1',
        '--b',
        'Content-Type: application/octet-stream; name=encrypted.asc',
        '',
        '-----BEGIN PGP MESSAGE-----',
        '--b--',
        '',
      ),
      /encrypted \(PGP\)/,
    ],
  ] as const) {
    const { body, warnings } = await parseMessage(source)
    assert.equal(body.markdown, '')
    assert.match(warnings.join('\n'), reason)
  }
  const picture = await parseMessage(whole('image/png; name=a.png', 'iVBORw0KGgo='))
  assert.deepEqual(picture.warnings, [])
})

type Encode = (tag: number, ...content: Buffer[]) => Buffer

/** A DER-encoded ASN.1 value. */
const encodeDefinite: Encode = (tag, ...content) => {
  const bytes = Buffer.concat(content)
  const length =
    bytes.length < 128
      ? Buffer.from([bytes.length])
      : Buffer.from([0x82, bytes.length >> 8, bytes.length & 255])
  return Buffer.concat([Buffer.from([tag]), length, bytes])
}

/** The same in BER of indefinite length, with strings in pieces, as Outlook writes it. */
const encodeIndefinite: Encode = (tag, ...content) => {
  const bytes = Buffer.concat(content)
  const isText = tag === 0x04
  const pieces = isText
    ? [bytes.subarray(0, 50), bytes.subarray(50)].map((piece) => encodeDefinite(0x04, piece))
    : [bytes]
  return Buffer.concat([Buffer.from([isText ? 0x24 : tag, 0x80]), ...pieces, Buffer.from([0, 0])])
}

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...others] = text.split('.').map(Number)
  const bytes = others.flatMap((part) => {
    const digits = [part & 127]
    for (let rest = part >> 7; rest > 0; rest >>= 7) digits.unshift((rest & 127) | 128)
    return digits
  })
  return encodeDefinite(0x06, Buffer.from([first * 40 + second, ...bytes]))
}

/** CMS signed data without signers around a content, in base64 lines. */
function signed(encode: Encode, content: Buffer): string {
  const data = encode(
    0x30,
    encodeDefinite(0x02, Buffer.from([1])),
    encodeDefinite(0x31),
    encode(0x30, oid('1.2.840.113549.1.7.1'), encode(0xa0, encode(0x04, content))),
    encodeDefinite(0x31),
  )
  const whole = encode(0x30, oid('1.2.840.113549.1.7.2'), encode(0xa0, data))
  return whole.toString('base64').replaceAll(/.{76}/g, '$&\r\n')
}
