import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClockWatch } from './clock-watch.ts'

const day = 24 * 60 * 60 * 1000
const year = 365 * day

/** A wall clock and a monotonic clock that tests can move apart. */
function clocks(): {
  clock: { now(): number; monotonic(): number }
  pass(ms: number): void
  jump(ms: number): void
} {
  let [now, monotonic] = [Date.UTC(2026, 10, 20), 1000]
  return {
    clock: { now: () => now, monotonic: () => monotonic },
    pass(ms) {
      now += ms
      monotonic += ms
    },
    jump(ms) {
      now += ms
    },
  }
}

function startWatch(
  lastSeen?: number,
): ReturnType<typeof clocks> & { watch: ClockWatch; logged: string[] } {
  const all = clocks()
  const messages: string[] = []
  const line = (message: string) => void messages.push(message)
  return {
    ...all,
    logged: messages,
    watch: new ClockWatch(all.clock, { info: line, warn: line, error: line }, lastSeen),
  }
}

test('elapsed time is not a jump, however long', () => {
  const { watch, pass, logged } = startWatch()
  for (let i = 0; i < 400; i++) {
    pass(day)
    assert.ok(watch.isTrusted)
  }
  assert.deepEqual(logged, [])
})

test('after a jump of a year in either direction nothing may be erased for a day', () => {
  for (const distance of [year, -year]) {
    const { watch, pass, jump, logged } = startWatch()
    jump(distance)
    assert.ok(!watch.isTrusted)
    pass(day - 1)
    assert.ok(!watch.isTrusted)
    pass(2)
    assert.ok(watch.isTrusted)
    assert.deepEqual(logged, [
      'the clock jumped; nothing is permanently deleted until it is set back or a day has passed',
      'the clock is trusted again',
    ])
  }
})

test('a clock that is set back is trusted immediately', () => {
  const { watch, jump, pass } = startWatch()
  jump(year)
  assert.ok(!watch.isTrusted)
  pass(60_000)
  jump(-year)
  assert.ok(watch.isTrusted)
})

test('a small correction is only logged, and many of them do not add up to a jump', () => {
  const { watch, jump, logged } = startWatch()
  for (let i = 0; i < 30; i++) {
    jump(60 * 60 * 1000)
    assert.ok(watch.isTrusted)
  }
  assert.equal(logged.length, 30)
})

test('a server that starts long after the last change, or before it, distrusts its clock for a day', () => {
  const now = Date.UTC(2026, 10, 20)
  for (const lastSeen of [now - year, now + year]) {
    const { watch, pass } = startWatch(lastSeen)
    assert.ok(!watch.isTrusted)
    pass(day + 1)
    assert.ok(watch.isTrusted)
  }
  assert.ok(startWatch(now - 10 * day).watch.isTrusted)
})
