import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../testing/properties.ts'
import { exponentialBackoff, backoffFromList } from './backoff.ts'

test('each delay is twice the previous one, up to the maximum', () => {
  const backoff = exponentialBackoff({ first: 1000, max: 10_000 })
  assert.deepEqual(
    [1, 2, 3, 4, 5, 50, 5000].map((attempt) => backoff(attempt, () => 0.5)),
    [1000, 2000, 4000, 8000, 10_000, 10_000, 10_000],
  )
})

test('jitter stays within 20 percent', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attempt, random) => {
        const wait = exponentialBackoff()(attempt, () => 0.5)
        const jittered = exponentialBackoff()(attempt, () => random)
        assert.ok(jittered >= wait * 0.8 - 1 && jittered <= wait * 1.2 + 1)
      },
    ),
  )
})

test('an explicit list of delays repeats its last one', () => {
  assert.deepEqual(
    [1, 2, 3, 9].map((attempt) => backoffFromList(10, 100, 1000)(attempt, () => 0.5)),
    [10, 100, 1000, 1000],
  )
})
