import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ThreadMail } from '../useThread.ts'
import { addressText, forwardOf, isMailAddress, replyTo } from './composition.ts'

const mail = (more: Partial<ThreadMail>) =>
  ({
    id: 'eml_1',
    thread_id: 'thr_1',
    account_id: 'mac_1',
    subject: 'Plans',
    from: { name: 'Cara Long', email: 'cara@else.test' },
    to: [{ email: 'ann@acme.test' }, { email: 'dan@else.test' }],
    cc: [{ name: 'Eve', email: 'eve@else.test' }, { email: 'CARA@else.test' }],
    ...more,
  }) as ThreadMail
const ownAddresses = new Set(['ann@acme.test'])

test('an answer goes to the sender, to all without oneself and no one twice, or where an answer is asked for', () => {
  assert.deepEqual(replyTo(mail({}), false, ownAddresses).start.to, ['Cara Long <cara@else.test>'])
  const all = replyTo(mail({}), true, ownAddresses).start
  assert.deepEqual(all.to, ['Cara Long <cara@else.test>'])
  assert.deepEqual(all.cc, ['dan@else.test', 'Eve <eve@else.test>'])
  const list = mail({ reply_to: [{ email: 'list@else.test' }] })
  assert.deepEqual(replyTo(list, false, ownAddresses).start.to, ['list@else.test'])
})

test('an answer to one’s own message goes where that went', () => {
  const mine = mail({ from: { email: 'ann@acme.test' } })
  assert.deepEqual(replyTo(mine, false, ownAddresses).start.to, ['dan@else.test'])
  const toMyself = mail({
    from: { email: 'ann@acme.test' },
    to: [{ email: 'ann@acme.test' }],
    cc: [],
  })
  assert.deepEqual(replyTo(toMyself, true, ownAddresses).start.to, ['ann@acme.test'])
})

test('subjects get their prefix once, and names that would be read as something else are left out', () => {
  assert.equal(
    replyTo(mail({ subject: 'RE: Plans' }), false, ownAddresses).start.subject,
    'RE: Plans',
  )
  assert.equal(forwardOf(mail({})).start.subject, 'Fwd: Plans')
  assert.equal(addressText({ name: 'Long, Cara', email: 'c@else.test' }), 'c@else.test')
  assert.ok(
    isMailAddress('Cara <c@else.test>') && !isMailAddress('Cara') && !isMailAddress('a@b c'),
  )
})
