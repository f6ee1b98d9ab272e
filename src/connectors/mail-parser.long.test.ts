import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuWatch } from '../testing/cost.ts'
import { parseMessage } from './mail-parser.ts'

const message = (...lines: string[]) => Buffer.from(lines.join('\r\n'))
test('hostile messages take bounded time and keep their headers', async () => {
  const nested = (depth: number) =>
    `Subject: deep\r\nFrom: a@b.example\r\n${Array.from({ length: depth }, (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`).join('')}\r\ntext`
  const many = `Subject: many\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nx\r\n'.repeat(20_000)}--b--`
  const hostile: [string, string][] = [
    ['deep', nested(2_000)],
    ['many', many],
    ['headers', `Subject: headers\r\n${'X-A: b\r\n'.repeat(100_000)}\r\ntext`],
    [
      'recipients',
      `Subject: recipients\r\nTo: ${Array.from({ length: 50_000 }, (_, i) => `u${i}@x.example`).join(', ')}\r\n\r\ntext`,
    ],
    ['html', `Subject: html\r\nContent-Type: text/html\r\n\r\n${'<div>'.repeat(100_000)}text`],
    [
      'large',
      `Subject: large\r\nContent-Type: text/html\r\n\r\n<p>text</p>${'<p>word &amp; word</p>'.repeat(250_000)}`,
    ],
    [
      'quotes',
      `Subject: quotes\r\n\r\n${'>'.repeat(100_000)} text\r\n${'> > text\r\n'.repeat(50_000)}`,
    ],
    [
      'attributions',
      `Subject: attributions\r\n\r\n${'On Monday 4 May 2026 at 10:00 somebody of that name\r\n'.repeat(20_000)}`,
    ],
    ['rules', `Subject: rules\r\n\r\n${'_'.repeat(200_000)}\r\n${'\\_ '.repeat(100_000)}`],
    [
      'styles',
      `Subject: styles\r\nContent-Type: text/html\r\n\r\n<style>${'.a{color:red}'.repeat(50_000)}${'@media{'.repeat(50_000)}</style><p style="${'a:b;'.repeat(50_000)}">text`,
    ],
  ]
  for (const [subject, raw] of hostile) {
    const spent = cpuWatch()
    const parsed = await parseMessage(Buffer.from(raw))
    assert.equal(parsed.subject, subject)
    assert.ok(spent() < 20_000, `${subject} took ${spent()} ms`)
    assert.ok(JSON.stringify(parsed).length < 8_000_000, subject)
  }
  const parsed = await parseMessage(Buffer.from(many))
  assert.equal(parsed.attachments.length, 500)
  assert.match(parsed.warnings.join(' '), /20000 attachments/)
  assert.match(
    (await parseMessage(Buffer.from(nested(2_000)))).warnings.join(' '),
    /Only the headers/,
  )
})

test('a message that takes too long loses its text but not its headers, and does not block the next', async () => {
  const slow = Buffer.from(
    `Subject: slow\r\nContent-Type: text/html\r\n\r\n${'<p>word <b>word</b></p>'.repeat(60_000)}`,
  )
  const [first, second] = await Promise.all([
    parseMessage(slow, { milliseconds: 100 }),
    parseMessage(message('Subject: next', '', 'text')),
  ])
  assert.deepEqual([first.subject, first.body.own], ['slow', ''])
  assert.match(first.warnings[0]!, /takes too long/)
  assert.deepEqual([second.subject, second.body.own], ['next', 'text'])
})
