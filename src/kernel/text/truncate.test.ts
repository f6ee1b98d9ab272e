import assert from 'node:assert/strict'
import { test } from 'node:test'
import { truncate } from './truncate.ts'

test('only a longer text is cut, and the mark counts', () => {
  assert.equal(truncate('abcd', 4), 'abcd')
  assert.equal(truncate('abcde', 4), 'abc…')
})

test('half a surrogate pair is not left over', () => {
  assert.equal(truncate('ab😀cd', 4), 'ab\ufffd…')
  assert.equal(truncate('ab😀cd', 5), 'ab😀…')
})
