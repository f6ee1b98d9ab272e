import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../testing/properties.ts'
import { nextRun } from './cron.ts'
import { Refusal } from '../refusal.ts'
import { localIso } from './times.ts'

const berlin = 'Europe/Berlin'

/** The next moments of a schedule after one, in the zone's own time. */
function times(cron: string, zone: string, after: string, count: number): string[] {
  const runTimes: string[] = []
  let at: number | null = Date.parse(after)
  for (let i = 0; i < count; i++) {
    at = nextRun(cron, zone, at!)
    runTimes.push(localIso(at!, zone))
  }
  return runTimes
}

test('a time skipped by DST fires once, right after the change', () => {
  assert.deepEqual(times('30 2 * * *', berlin, '2026-03-28T12:00:00Z', 2), [
    '2026-03-29T03:00:00+02:00',
    '2026-03-30T02:30:00+02:00',
  ])
})

test('a time repeated by DST fires once', () => {
  assert.deepEqual(times('30 2 * * *', berlin, '2026-10-24T12:00:00Z', 2), [
    '2026-10-25T02:30:00+02:00',
    '2026-10-26T02:30:00+01:00',
  ])
})

test('a half-hourly schedule continues through both DST changes, half an hour apart', () => {
  for (const start of ['2026-03-29T00:15:00Z', '2026-10-24T23:45:00Z']) {
    const moments = times('*/30 * * * *', berlin, start, 8).map((text) => Date.parse(text))
    assert.deepEqual(
      moments.slice(1).map((at, i) => at - moments[i]!),
      Array(7).fill(30 * 60_000),
      start,
    )
  }
})

test('nine in the morning is nine in the morning all year', () => {
  const mornings = times('0 9 * * *', berlin, '2026-01-01T00:00:00Z', 365)
  assert.ok(mornings.every((text) => text.includes('T09:00:00')))
  assert.equal(new Set(mornings).size, 365)
})

test('the next moment is always later, on a whole minute, and the same from any time before it', () => {
  const field = (max: number, least = 0) =>
    fc.oneof(
      fc.constant('*'),
      fc.integer({ min: least, max: max }).map(String),
      fc.integer({ min: 2, max: 9 }).map((step) => `*/${step}`),
    )
  const crons = fc.tuple(
    field(59),
    field(23),
    fc.constantFrom('*', '1', '28', 'L'),
    fc.constantFrom('*', '3', '10'),
    fc.constantFrom('*', '1-5', '0'),
  )
  const moments = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 11, 31) })
  fc.assert(
    fc.property(
      crons,
      moments,
      fc.constantFrom('UTC', berlin, 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'),
      (fields, after, zone) => {
        const next = nextRun(fields.join(' '), zone, after)
        if (next === null) return
        assert.ok(next > after && next % 60_000 === 0)
        assert.equal(nextRun(fields.join(' '), zone, Math.floor((after + next) / 2)), next)
      },
    ),
    { numRuns: 200 },
  )
})

test('a schedule for an impossible date returns null', () => {
  assert.equal(nextRun('0 0 30 2 *', 'UTC', 0), null)
})

test('an invalid schedule is refused with a note on the syntax', () => {
  for (const [cron, zone, field] of [
    ['* * * *', 'UTC', 'cron'],
    ['0 0 0 * * *', 'UTC', 'cron'],
    ['61 * * * *', 'UTC', 'cron'],
    ['@daily', 'UTC', 'cron'],
    ['x'.repeat(9999), 'UTC', 'cron'],
    ['0 0 * * *', 'Nowhere/Else', 'timezone'],
  ] as const) {
    assert.throws(
      () => nextRun(cron, zone, 0),
      (error: unknown) => error instanceof Refusal && error.more.field === field,
      cron,
    )
  }
})
