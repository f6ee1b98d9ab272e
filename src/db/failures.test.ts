import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeError } from './failures.ts'

test('the log entry of an error truncates a long message and keeps the stack', () => {
  const description = describeError(new TypeError('x'.repeat(50_000)))
  assert.match(description, /^TypeError: x{300}…\n {4}at /)
  assert.ok(description.length < 5000)
  assert.equal(describeError('y'.repeat(1000)), `${'y'.repeat(300)}…`)
  assert.match(
    describeError(Object.assign(new Error('cannot open'), { code: 'SQLITE_CANTOPEN' })),
    /^Error: cannot open \(SQLITE_CANTOPEN\)\n/,
  )
})

test('the log entry of an error omits a message that repeats an argument or part of one', () => {
  const secret = 'the plan is to sell the house in spring'
  for (const args of [{ find: secret }, { fields: [{ value: secret }] }]) {
    const description = describeError(
      new SyntaxError(`Invalid regular expression: /${secret.slice(5, 30)}/: too large`),
      args,
    )
    assert.match(description, /^SyntaxError: \[left out: it repeats an argument\]\n {4}at /)
    assert.ok(!description.includes('sell the house'))
  }
  assert.ok(!describeError(new Error('bad pin 47119'), { pin: '47119' }).includes('47119'))
  assert.match(describeError(new Error('cannot read'), { find: secret }), /^Error: cannot read\n/)
})
