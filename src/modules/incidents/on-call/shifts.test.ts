import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Temporal } from 'temporal-polyfill'
import { cpuWatch } from '../../../testing/cost.ts'
import { gaps, shifts, weekdays, type Override, type Layer, type Rota } from './shifts.ts'

const minute = 60_000
const people = ['ann', 'bob', 'carol', 'dave']
const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds
const plainRota = (
  layer: Partial<Layer>,
  timezone = 'Europe/Berlin',
  overrides: Override[] = [],
): Rota => ({
  timezone,
  overrides,
  isActive: () => true,
  layers: [
    {
      level: 1,
      people: ['ann', 'bob'],
      rotation: 'weekly',
      starts_on: '2026-10-05',
      handover: { time: '09:00', weekday: 'mon' },
      ...layer,
    },
  ],
})
const shiftTexts = (all: readonly { person: string; from: number; until: number }[]) =>
  all.map(
    (item) =>
      `${item.person} ${new Date(item.from).toISOString().slice(0, 16)} ${new Date(item.until).toISOString().slice(0, 16)}`,
  )

test('a weekly handover stays at nine local time when DST ends', () => {
  assert.deepEqual(
    shiftTexts(shifts(plainRota({}), at('2026-10-19T00:00Z'), at('2026-11-03T00:00Z'))),
    [
      'bob 2026-10-19T00:00 2026-10-19T07:00',
      'ann 2026-10-19T07:00 2026-10-26T08:00',
      'bob 2026-10-26T08:00 2026-11-02T08:00',
      'ann 2026-11-02T08:00 2026-11-03T00:00',
    ],
  )
})

test('a handover in the hour repeated by DST happens once, and one in the skipped hour at the equivalent time', () => {
  const repeatedHour = plainRota({
    rotation: 'daily',
    starts_on: '2026-10-24',
    handover: { time: '02:30' },
  })
  assert.deepEqual(
    shiftTexts(shifts(repeatedHour, at('2026-10-24T12:00Z'), at('2026-10-26T12:00Z'))),
    [
      'ann 2026-10-24T12:00 2026-10-25T00:30',
      'bob 2026-10-25T00:30 2026-10-26T01:30',
      'ann 2026-10-26T01:30 2026-10-26T12:00',
    ],
  )
  const skippedHour = plainRota({
    rotation: 'daily',
    starts_on: '2026-03-28',
    handover: { time: '02:30' },
  })
  assert.deepEqual(
    shiftTexts(shifts(skippedHour, at('2026-03-28T12:00Z'), at('2026-03-29T12:00Z'))),
    ['ann 2026-03-28T12:00 2026-03-29T01:00', 'bob 2026-03-29T01:00 2026-03-29T12:00'],
  )
})

test('a clock set back exactly at midnight has not reached midnight: the person on call stays', () => {
  const hourly = plainRota(
    { rotation: 'every 1 hours', starts_on: '2026-10-28', handover: { time: '00:00' } },
    'Africa/Cairo',
  )
  assert.deepEqual(shiftTexts(shifts(hourly, at('2026-10-29T19:00Z'), at('2026-10-29T23:00Z'))), [
    'ann 2026-10-29T19:00 2026-10-29T20:00',
    'bob 2026-10-29T20:00 2026-10-29T22:00',
    'ann 2026-10-29T22:00 2026-10-29T23:00',
  ])
})

test('the half-hour DST of Lord Howe is supported: duty hours follow local time', () => {
  const nights = plainRota(
    {
      rotation: 'daily',
      people: ['ann'],
      starts_on: '2026-04-01',
      handover: { time: '00:00' },
      hours: { sun: [{ from: '01:00', to: '03:00' }] },
    },
    'Australia/Lord_Howe',
  )
  const [first, second] = shifts(nights, at('2026-04-04T00:00Z'), at('2026-04-06T00:00Z')).map(
    (shift) => (shift.until - shift.from) / minute,
  )
  assert.deepEqual([first, second], [150, undefined])
})

test('the newest of two overlapping overrides wins, and the covered person is named', () => {
  const overrides = [
    {
      id: 'a',
      level: 1,
      person: 'carol',
      from: at('2026-10-20T00:00Z'),
      until: at('2026-10-21T00:00Z'),
    },
    {
      id: 'b',
      level: 1,
      person: 'dave',
      from: at('2026-10-20T12:00Z'),
      until: at('2026-10-20T18:00Z'),
    },
  ]
  const overridden = shifts(
    plainRota({}, 'UTC', overrides),
    at('2026-10-20T00:00Z'),
    at('2026-10-21T06:00Z'),
  )
  assert.deepEqual(
    overridden.map((shift) => [shift.person, shift.overrideId, shift.covers_for]),
    [
      ['carol', 'a', 'ann'],
      ['dave', 'b', 'ann'],
      ['carol', 'a', 'ann'],
      ['ann', undefined, undefined],
    ],
  )
})

test('a year of hourly shifts with duty hours is computed quickly', () => {
  const rota = plainRota({
    rotation: 'every 1 hours',
    people,
    handover: { time: '00:00', weekday: undefined },
    hours: Object.fromEntries(weekdays.map((name) => [name, [{ from: '08:00', to: '20:00' }]])),
  })
  const spent = cpuWatch()
  const yearShifts = shifts(rota, at('2026-01-01T00:00Z'), at('2027-01-01T00:00Z'))
  assert.equal(yearShifts.length, 88 * 12, 'from 5 October on')
  assert.ok(spent() < 1000)
})

test('a year of a level with many layers and many duty hours each, gaps included, is computed quickly', () => {
  const hours = (i: number) =>
    Object.fromEntries(
      weekdays.map((name) => [
        name,
        [0, 4, 8, 12, 16, 20].map((from) => ({
          from: `${String(from).padStart(2, '0')}:${10 + i}`,
          to: `${String(from).padStart(2, '0')}:${11 + i}`,
        })),
      ]),
    )
  const [template] = plainRota({
    rotation: 'every 1 hours',
    people,
    starts_on: '2025-10-01',
    handover: { time: '00:00', weekday: undefined },
  }).layers
  const rota: Rota = {
    timezone: 'UTC',
    layers: Array.from({ length: 20 }, (_, i) => ({ ...template!, hours: hours(i) })),
    overrides: [],
    isActive: () => true,
  }
  const spent = cpuWatch()
  const [from, until] = [at('2026-01-01T00:00Z'), at('2027-01-01T00:00Z')]
  assert.equal(shifts(rota, from, until).length, 365 * 6 * 20)
  assert.equal(gaps(rota, from, until).length, 365 * 6 + 1)
  assert.ok(spent() < 2000, `${spent()} ms`)
})
