import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorPosition } from './plan-context.ts'

test('the error position is read from server messages on expressions and templates', () => {
  assert.deepEqual(errorPosition('is not a valid expression: line 2, column 14: unexpected'), {
    line: 2,
    column: 14,
  })
  assert.deepEqual(errorPosition('is not a valid template: tag "x" not found, line:1, col:4.'), {
    line: 1,
    column: 4,
  })
  assert.equal(errorPosition('unknown name itm.'), undefined)
})
