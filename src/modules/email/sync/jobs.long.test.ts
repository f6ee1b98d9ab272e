import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Row } from '../../../records/resource.ts'
import { messageText, startMailRig, until, type MailRig } from '../../../testing/mail/setup.ts'
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

test('the first sync of 2,000 messages imports them all, newest first', {
  skip,
}, async (t) => {
  const total = 2000
  const messages = Array.from({ length: total }, (_, i) =>
    messageText({
      id: `<m${i}@else.test>`,
      subject: `${i % 4 === 0 ? 'Re: ' : ''}Topic ${Math.floor(i / 4)}`,
      more: i % 4 === 0 ? [] : [`References: <m${i - (i % 4)}@else.test>`],
      date: new Date(Date.now() - (total - i) * 60_000),
      body: `Word${i} and more.\r\n`,
    }),
  )
  await rig.put('alice', 'INBOX', messages)
  const stop = rig.live()
  const startedAt = performance.now()
  const count = (where = '1 = 1') =>
    rig.rows<{ n: number }>(
      `select count(*) as n from emails where account_id = ? and ${where}`,
      alice.id,
    )[0]!.n
  const firstMessageMs = (await until(() => count() > 0)) && performance.now() - startedAt
  await until(() => count() === total)
  const headersMs = performance.now() - startedAt
  await until(() => count("body_state = 'ready'") === total)
  const bodiesMs = performance.now() - startedAt
  t.diagnostic(
    `usable after ${Math.round(firstMessageMs)} ms, ${Math.round((1000 * total) / headersMs)} headers a second, ${Math.round((1000 * total) / bodiesMs)} messages a second with bodies`,
  )
  await stop()
  assert.equal(
    rig.rows('select count(*) as n from mail_threads where account_id = ?', alice.id)[0]!.n,
    total / 4,
  )
})
