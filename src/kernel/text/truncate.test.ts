import assert from 'node:assert/strict'
import { test } from 'node:test'
import { truncate } from './truncate.ts'

test('only a longer text is truncated, and the ellipsis counts', () => {
  assert.equal(truncate('abcd', 4), 'abcd')
  assert.equal(truncate('abcde', 4), 'abc…')
})

test('a surrogate pair is not split', () => {
  assert.equal(truncate('ab😀cd', 4), 'ab\ufffd…')
  assert.equal(truncate('ab😀cd', 5), 'ab😀…')
})
