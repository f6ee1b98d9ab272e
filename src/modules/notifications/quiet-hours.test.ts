import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../testing/properties.ts'
import { Temporal } from 'temporal-polyfill'
import { quietUntil, type QuietHoursSetting } from './quiet-hours.ts'

const minute = 60_000
const until = (at: string, quiet: QuietHoursSetting) => {
  const end = quietUntil(Date.parse(at), quiet)
  return end === undefined ? undefined : new Date(end).toISOString()
}
const nights: QuietHoursSetting = { from: '22:00', to: '07:00', timezone: 'Europe/Berlin' }

test('quiet hours across midnight end in the morning, seen from either side of midnight', () => {
  assert.equal(until('2026-11-20T21:30:00Z', nights), '2026-11-21T06:00:00.000Z')
  assert.equal(until('2026-11-21T02:00:00Z', nights), '2026-11-21T06:00:00.000Z')
  assert.equal(until('2026-11-20T21:00:00Z', nights), '2026-11-21T06:00:00.000Z')
})

test('nothing waits outside quiet hours, or in the minute in which they end', () => {
  assert.equal(until('2026-11-20T12:00:00Z', nights), undefined)
  assert.equal(until('2026-11-21T06:00:00Z', nights), undefined)
  assert.equal(
    until('2026-11-20T12:00:00Z', { from: '12:00', to: '14:00', timezone: 'Europe/Berlin' }),
    '2026-11-20T13:00:00.000Z',
  )
})

test('quiet hours end in local time across clock changes', () => {
  assert.equal(until('2026-10-24T22:00:00Z', nights), '2026-10-25T06:00:00.000Z')
  assert.equal(until('2027-03-27T22:00:00Z', nights), '2027-03-28T05:00:00.000Z')
  const early: QuietHoursSetting = { ...nights, to: '02:30' }
  assert.equal(
    until('2027-03-28T00:30:00Z', early),
    '2027-03-28T01:00:00.000Z',
    'half past two does not come: they end when the clocks skip it',
  )
})

test('quiet hours end in the first minute that is not quiet, in any time zone at any time of the year', () => {
  const moments = [
    '2026-10-24T20:00Z',
    '2027-03-27T20:00Z',
    '2026-10-31T20:00Z',
    '2027-03-13T20:00Z',
    '2026-10-03T08:00Z',
    '2027-04-03T08:00Z',
    '2026-11-20T00:00Z',
  ].map((text) => Date.parse(text))
  const zones = [
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'UTC',
    'America/St_Johns',
  ]
  const time = fc
    .integer({ min: 0, max: 95 })
    .map(
      (quarter) =>
        `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`,
    )
  fc.assert(
    fc.property(
      fc.constantFrom(...moments),
      fc.integer({ min: 0, max: 20 * 60 }),
      fc.constantFrom(...zones),
      time,
      time,
      (start, later, timezone, from, to) => {
        if (from === to) return
        const at = start + later * minute
        assert.equal(
          quietUntil(at, { from, to, timezone }),
          firstMinuteNotQuiet(at, { from, to, timezone }),
        )
      },
    ),
    { numRuns: 60 },
  )
})

/** The same, computed minute by minute. */
function firstMinuteNotQuiet(
  at: number,
  { from, to, timezone }: QuietHoursSetting,
): number | undefined {
  const isQuiet = (moment: number) => {
    const time = Temporal.Instant.fromEpochMilliseconds(moment)
      .toZonedDateTimeISO(timezone)
      .toPlainTime()
      .toString()
      .slice(0, 5)
    return from < to ? from <= time && time < to : from <= time || time < to
  }
  if (!isQuiet(at)) return undefined
  let moment = at
  while (isQuiet(moment)) moment += minute
  return moment
}
