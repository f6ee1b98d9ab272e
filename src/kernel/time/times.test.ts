import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, dayAt, daysBetween, parseInstant, iso, weekday } from './times.ts'
import { Refusal } from '../refusal.ts'

test('a bare date is the start or the end of that day in the zone', () => {
  assert.equal(
    iso(parseInstant('2026-11-20', 'Europe/Berlin', 'start')),
    '2026-11-19T23:00:00.000Z',
  )
  assert.equal(iso(parseInstant('2026-11-20', 'Europe/Berlin', 'end')), '2026-11-20T22:59:59.000Z')
  assert.equal(
    iso(parseInstant('2026-11-20', 'America/Los_Angeles', 'start')),
    '2026-11-20T08:00:00.000Z',
  )
})

test('days with DST changes have 23 and 25 hours', () => {
  const hours = (day: string) =>
    Math.round(
      (parseInstant(day, 'Europe/Berlin', 'end') - parseInstant(day, 'Europe/Berlin', 'start')) /
        3600_000,
    )
  assert.deepEqual(['2026-03-29', '2026-10-25', '2026-11-20'].map(hours), [23, 25, 24])
})

test('a time with an offset is taken as is; without one it is local to the zone', () => {
  assert.equal(
    iso(parseInstant('2026-11-20T15:00:00+02:00', 'Asia/Tokyo', 'start')),
    '2026-11-20T13:00:00.000Z',
  )
  assert.equal(
    iso(parseInstant('2026-11-20T15:00', 'Asia/Tokyo', 'start')),
    '2026-11-20T06:00:00.000Z',
  )
  assert.equal(
    iso(parseInstant('2026-11-20T15:00:00.5Z', 'Asia/Tokyo', 'start')),
    '2026-11-20T15:00:00.500Z',
  )
})

test('a local time skipped by DST moves one hour later', () => {
  assert.equal(
    iso(parseInstant('2026-03-29T02:30', 'Europe/Berlin', 'start')),
    '2026-03-29T01:30:00.000Z',
  )
})

test('an invalid time is refused by the name of its argument', () => {
  assert.throws(
    () => parseInstant('2026-11-20T25:00', 'UTC', 'start', 'after'),
    (error: unknown) => error instanceof Refusal && error.more.field === 'after',
  )
})

test('days are counted by the calendar', () => {
  assert.equal(dayAt(Date.UTC(2026, 10, 20, 23, 30), 'Europe/Berlin'), '2026-11-21')
  assert.equal(addDays('2028-02-28', 1), '2028-02-29')
  assert.equal(daysBetween('2026-12-31', '2027-01-02'), 2)
  assert.equal(daysBetween('2026-12-31', '2026-12-01'), -30)
  assert.equal(weekday('2026-11-20'), 5)
})
