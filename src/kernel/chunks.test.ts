import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chunks } from './chunks.ts'

test('the last batch holds the remainder, and empty input makes no batch', () => {
  assert.deepEqual([...chunks([1, 2, 3, 4, 5], 2)], [[1, 2], [3, 4], [5]])
  assert.deepEqual([...chunks([1, 2], 2)], [[1, 2]])
  assert.deepEqual([...chunks([], 2)], [])
})
