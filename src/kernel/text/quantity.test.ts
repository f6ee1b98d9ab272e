import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quantity } from './quantity.ts'

test('one is singular, zero and many are plural', () => {
  assert.deepEqual(
    [0, 1, 2].map((count) => quantity(count, 'entry', 'entries')),
    ['0 entries', '1 entry', '2 entries'],
  )
  assert.equal(quantity(1, 'live key'), '1 live key')
  assert.equal(quantity(21, 'live key'), '21 live keys')
})
