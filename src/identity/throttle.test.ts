import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../testing/properties.ts'
import { afterFailure, pauseBefore, type FailedAttempts } from './throttle.ts'

const minute = 60_000
const hour = 60 * minute
const pauses = fc.array(
  fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 1000 }),
    fc.integer({ min: 0, max: 20 * minute }),
    fc.integer({ min: 0, max: 30 * hour }),
  ),
  { minLength: 1, maxLength: 200 },
)

/** Times at which a wrong password was verified; attempts during a pause are refused. */
function verificationTimes(steps: readonly number[]): number[] {
  let now = 1_800_000_000_000
  let tries: FailedAttempts | undefined
  return steps.flatMap((step) => {
    now += step
    if (pauseBefore(tries, now) > 0) return []
    tries = afterFailure(tries, now)
    return [now]
  })
}

test('at most eight passwords are checked in any fifteen minutes, and forty in any day', () => {
  fc.assert(
    fc.property(pauses, (steps) => {
      const at = verificationTimes(steps)
      for (const [window, max] of [
        [15 * minute, 8],
        [24 * hour, 40],
      ] as const) {
        for (const [i, from] of at.entries())
          assert.ok(
            at.slice(i).filter((value) => value < from + window).length <= max,
            `${window / minute} minutes`,
          )
      }
    }),
    { numRuns: 5000 },
  )
})

test('an attempt is allowed exactly after the announced delay', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40 }), fc.nat(10 * minute), (failures, _) => {
      let now = 1_800_000_000_000
      let tries: FailedAttempts | undefined
      for (let i = 0; i < failures; i++) {
        now += pauseBefore(tries, now)
        tries = afterFailure(tries, now)
      }
      const pause = pauseBefore(tries, now)
      assert.equal(pause, failures < 5 ? 0 : Math.min(60, 2 ** (failures - 5)) * minute)
      if (pause > 0) assert.ok(pauseBefore(tries, now + pause - 1) > 0)
      assert.equal(pauseBefore(tries, now + pause), 0)
    }),
  )
})

test('four failures are forgotten after fifteen minutes, more of them after a day', () => {
  const failed = (times: number) =>
    Array.from({ length: times }).reduce<FailedAttempts | undefined>(
      (tries, _, i) => afterFailure(tries, i),
      undefined,
    )!
  assert.equal(afterFailure(failed(4), 15 * minute + 3).failures, 1)
  assert.equal(afterFailure(failed(4), 15 * minute).failures, 5)
  assert.equal(afterFailure(failed(7), 23 * hour).failures, 8)
  assert.equal(afterFailure(failed(7), 24 * hour + 6).failures, 1)
})

test('setting back the clock locks no one out', () => {
  const tries = { failures: 20, last_at: 2_000_000_000_000, next_at: 2_000_003_600_000 }
  assert.equal(pauseBefore(tries, 1_900_000_000_000), 0)
})
