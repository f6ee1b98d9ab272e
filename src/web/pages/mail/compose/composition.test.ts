import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ThreadMail } from '../useThread.ts'
import { addressText, forwardOf, isMailAddress, replyTo } from './composition.ts'

const mail = (overrides: Partial<ThreadMail>) =>
  ({
    id: 'eml_1',
    thread_id: 'thr_1',
    account_id: 'mac_1',
    subject: 'Plans',
    from: { name: 'Cara Long', email: 'cara@else.test' },
    to: [{ email: 'ann@acme.test' }, { email: 'dan@else.test' }],
    cc: [{ name: 'Eve', email: 'eve@else.test' }, { email: 'CARA@else.test' }],
    ...overrides,
  }) as ThreadMail
const ownAddresses = new Set(['ann@acme.test'])

test('a reply goes to the sender, to all without oneself and without duplicates, or to Reply-To', () => {
  assert.deepEqual(replyTo(mail({}), false, ownAddresses).start.to, ['Cara Long <cara@else.test>'])
  const replyAll = replyTo(mail({}), true, ownAddresses).start
  assert.deepEqual(replyAll.to, ['Cara Long <cara@else.test>'])
  assert.deepEqual(replyAll.cc, ['dan@else.test', 'Eve <eve@else.test>'])
  const list = mail({ reply_to: [{ email: 'list@else.test' }] })
  assert.deepEqual(replyTo(list, false, ownAddresses).start.to, ['list@else.test'])
})

test('a reply to one’s own message goes to its recipients', () => {
  const ownMail = mail({ from: { email: 'ann@acme.test' } })
  assert.deepEqual(replyTo(ownMail, false, ownAddresses).start.to, ['dan@else.test'])
  const toMyself = mail({
    from: { email: 'ann@acme.test' },
    to: [{ email: 'ann@acme.test' }],
    cc: [],
  })
  assert.deepEqual(replyTo(toMyself, true, ownAddresses).start.to, ['ann@acme.test'])
})

test('subjects get their prefix once, and ambiguous display names are omitted', () => {
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
