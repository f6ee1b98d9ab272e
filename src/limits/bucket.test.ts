import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../testing/properties.ts'
import { fullBucket, takeTokens, waitFor, type Quota } from './bucket.ts'

const schedule = fc.array(
  fc.tuple(
    fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 90_000 })),
    fc.integer({ min: 1, max: 20 }),
  ),
  { minLength: 1, maxLength: 60 },
)
const quotas = fc.record({
  perMinute: fc.integer({ min: 1, max: 1200 }),
  burst: fc.integer({ min: 1, max: 200 }),
})

/** Requests of a schedule of [pause, weight] that were admitted, as [moment, units]. */
function admittedRequests(quota: Quota, steps: [number, number][]): [number, number][] {
  let now = 1000
  const bucket = fullBucket(quota, now)
  return steps.flatMap(([pause, weight]): [number, number][] => {
    now += pause
    return takeTokens(bucket, quota, weight, now) ? [[now, Math.min(weight, quota.burst)]] : []
  })
}

test('no time window admits more than the rate plus one burst', () => {
  fc.assert(
    fc.property(quotas, schedule, (quota, steps) => {
      const admitted = admittedRequests(quota, steps)
      for (const [i, [from]] of admitted.entries()) {
        let sum = 0
        for (const [at, units] of admitted.slice(i)) {
          sum += units
          const maxUnits = quota.burst + ((at - from) * quota.perMinute) / 60_000
          assert.ok(sum <= maxUnits + 1e-6, `${sum} units in ${at - from} ms`)
          if (at - from <= 60_000) assert.ok(sum <= quota.perMinute + quota.burst + 1e-6)
        }
      }
    }),
    { numRuns: 10_000 },
  )
})

test('a caller who waits the announced time is admitted, and not before', () => {
  fc.assert(
    fc.property(quotas, fc.integer({ min: 1, max: 20 }), (quota, weight) => {
      const bucket = fullBucket(quota, 0)
      while (takeTokens(bucket, quota, weight, 0));
      const wait = waitFor(bucket, quota, weight)
      assert.ok(wait > 0)
      assert.equal(takeTokens({ ...bucket }, quota, weight, wait * 0.99), false)
      assert.equal(takeTokens({ ...bucket }, quota, weight, wait + 0.01), true)
    }),
    { numRuns: 500 },
  )
})

test('a clock that stops or steps back adds no tokens', () => {
  const quota = { perMinute: 60, burst: 1 }
  const bucket = fullBucket(quota, 5000)
  assert.equal(takeTokens(bucket, quota, 1, 5000), true)
  assert.equal(takeTokens(bucket, quota, 1, 5000), false)
  assert.equal(takeTokens(bucket, quota, 1, 1000), false)
  assert.equal(takeTokens(bucket, quota, 1, 5999), false)
  assert.equal(takeTokens(bucket, quota, 1, 6000), true)
})
