import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Refusal } from '../../../kernel/refusal.ts'
import { daysAway } from '../schedule/days.ts'
import { minutesBetween, minutesOn, orderedHours } from './hours.ts'

const nineToFive = [{ from: '09:00', to: '17:00' }]

test('working hours are sorted by weekday and time of day, and free days omitted', () => {
  const hours = {
    fri: nineToFive,
    mon: [
      { from: '13:00', to: '17:00' },
      { from: '08:00', to: '13:00' },
    ],
    sun: [],
  }
  assert.equal(
    JSON.stringify(orderedHours(hours)),
    JSON.stringify({
      mon: [
        { from: '08:00', to: '13:00' },
        { from: '13:00', to: '17:00' },
      ],
      fri: nineToFive,
    }),
  )
})

test('hours that end before they begin, or overlap, are refused with the day', () => {
  const refusedField = (hours: Parameters<typeof orderedHours>[0]) => {
    try {
      orderedHours(hours)
    } catch (error) {
      return (error as Refusal).more.field
    }
    return undefined
  }
  assert.equal(refusedField({ tue: [{ from: '17:00', to: '09:00' }] }), 'working_hours.tue')
  assert.equal(refusedField({ tue: [{ from: '09:00', to: '09:00' }] }), 'working_hours.tue')
  assert.equal(
    refusedField({
      wed: [
        { from: '09:00', to: '12:00' },
        { from: '11:59', to: '13:00' },
      ],
    }),
    'working_hours.wed',
  )
})

test('working minutes of a day follow its weekday, up to midnight', () => {
  assert.equal(minutesOn('2026-11-20', { fri: nineToFive }), 480)
  assert.equal(minutesOn('2026-11-21', { fri: nineToFive }), 0)
  assert.equal(minutesOn('2026-11-20', { fri: [{ from: '22:00', to: '24:00' }] }), 120)
})

test('minutes between two moments are clipped at both ends, and skip days off', () => {
  const monday = Date.UTC(2026, 10, 23)
  const hours = { mon: nineToFive, tue: nineToFive }
  const at = (hour: number) => monday + hour * 3_600_000
  assert.equal(minutesBetween(at(10), at(12), hours, 'UTC', new Set()), 120)
  assert.equal(minutesBetween(at(0), at(48), hours, 'UTC', new Set()), 960)
  assert.equal(minutesBetween(at(0), at(48), hours, 'UTC', new Set(['2026-11-24'])), 480)
  assert.equal(minutesBetween(at(12), at(10), hours, 'UTC', new Set()), 0)
  assert.equal(
    minutesBetween(at(0), at(24), hours, 'America/New_York', new Set()),
    480,
    '09:00 to 17:00 there is 14:00 to 22:00 UTC',
  )
})

test('a night with a clock change has its actual length', () => {
  const sunday = { sun: [{ from: '00:00', to: '06:00' }] }
  const spring = Date.UTC(2026, 2, 28, 12)
  const autumn = Date.UTC(2026, 9, 24, 12)
  const day = 24 * 3_600_000
  assert.equal(minutesBetween(spring, spring + day, sunday, 'Europe/Berlin', new Set()), 300)
  assert.equal(minutesBetween(autumn, autumn + day, sunday, 'Europe/Berlin', new Set()), 420)
})

test('days away are clipped to the period and counted once', () => {
  const away = daysAway(
    [
      { starts_on: '2026-11-28', ends_on: '2026-12-02' },
      { starts_on: '2026-12-02', ends_on: '2027-01-31' },
    ],
    '2026-12-01',
    '2026-12-03',
  )
  assert.deepEqual([...away].sort(), ['2026-12-01', '2026-12-02', '2026-12-03'])
})
