import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dueAt, nextReminder } from '../events/reminders.ts'
import { shiftWall } from './object-fields.ts'
import { propertyText, readObject } from './objects.ts'
import { expand } from './occurrences.ts'
import { shiftSeries, splitSeries } from './series.ts'
import { Temporal } from 'temporal-polyfill'

const berlin = 'Europe/Berlin'

const ics = (...lines: string[]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:test',
    'BEGIN:VEVENT',
    'UID:one',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')

const shortIso = (at: number) => new Date(at).toISOString().replace(':00.000Z', 'Z')

function ends(text: string): string[] {
  return expand(readObject(text), 0, Infinity, berlin).occurrences.map(({ ends_at }) =>
    shortIso(ends_at),
  )
}

test('days and weeks of a DURATION follow the calendar, its hours are exact', () => {
  const cases: [start: string, duration: string, end: string][] = [
    ['TZID=Europe/Berlin:20270327T120000', 'P1D', '2027-03-28T10:00Z'],
    ['TZID=America/New_York:20271106T120000', 'P1DT2H', '2027-11-07T19:00Z'],
    ['TZID=Europe/Berlin:20270327T120000', 'PT24H', '2027-03-28T11:00Z'],
    ['TZID=Europe/Berlin:20271025T090000', 'P1W', '2027-11-01T08:00Z'],
    ['TZID=America/New_York:20270310T080000', 'P2WT90M', '2027-03-24T13:30Z'],
    ['TZID=Europe/Berlin:20270327T023000', 'P1DT1H', '2027-03-28T02:30Z'],
  ]
  for (const [start, duration, end] of cases)
    assert.deepEqual(ends(ics(`DTSTART;${start}`, `DURATION:${duration}`)), [end], duration)
  assert.deepEqual(ends(ics('DTSTART:20270327T120000Z', 'DURATION:P1D')), ['2027-03-28T12:00Z'])
  assert.deepEqual(ends(ics('DTSTART:20270327T120000', 'DURATION:-P1D')), ['2027-03-27T11:00Z'])
})

const dailyWatch = ics(
  'DTSTART;TZID=Europe/Berlin:20270326T120000',
  'DURATION:P1D',
  'RRULE:FREQ=DAILY;COUNT=4',
)
const watchEnds = [
  '2027-03-27T11:00Z',
  '2027-03-28T10:00Z',
  '2027-03-29T10:00Z',
  '2027-03-30T10:00Z',
]

test('each occurrence of a series keeps its duration in days, even after a split or a move', () => {
  assert.deepEqual(ends(dailyWatch), watchEnds)
  const object = readObject(dailyWatch)
  const rest = splitSeries(object, '20270327T110000Z', berlin)
  assert.equal(propertyText(rest.master!, 'duration'), 'P1D')
  const after = expand(rest, 0, Infinity, berlin).occurrences
  assert.deepEqual(
    after.map(({ ends_at }) => shortIso(ends_at)),
    watchEnds.slice(1),
  )
  const series = readObject(dailyWatch)
  const from = '2027-03-26T12:00:00'
  const to = shiftWall(from, Temporal.Duration.from({ hours: -2 }))
  assert.ok(shiftSeries(series, from, to, { length: 0, nominalDays: 1 }, berlin))
  assert.deepEqual(
    expand(series, 0, Infinity, berlin).occurrences.map(({ ends_at }) => shortIso(ends_at)),
    ['2027-03-27T09:00Z', '2027-03-28T08:00Z', '2027-03-29T08:00Z', '2027-03-30T08:00Z'],
  )
})

test('an alarm set days ahead fires at the same local time of that day', () => {
  const alarm = (trigger: string) => [
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `TRIGGER:${trigger}`,
    'END:VALARM',
  ]
  const cases: [start: string, trigger: string, moment: string][] = [
    ['20270328T120000', '-P1D', '2027-03-27T11:00Z'],
    ['20270328T120000', '-PT24H', '2027-03-27T10:00Z'],
    ['20271101T090000', '-P1W', '2027-10-25T07:00Z'],
    ['20271101T090000', '-P1DT2H', '2027-10-31T06:00Z'],
  ]
  for (const [start, trigger, moment] of cases) {
    const object = readObject(ics(`DTSTART;TZID=${berlin}:${start}`, ...alarm(trigger)))
    const reader = { zone: berlin, ownAddresses: new Set<string>() }
    const next = nextReminder(object, reader, Date.parse('2027-01-01'))
    assert.equal(next && shortIso(next), moment, trigger)
    assert.equal(dueAt(object, reader, next!).length, 1, trigger)
  }
})
