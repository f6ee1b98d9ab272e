import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuWatch } from '../../../testing/cost.ts'
import { readObject, Unreadable } from './objects.ts'
import { expand, occurrenceAt } from './occurrences.ts'

const berlin = 'Europe/Berlin'

/** An object with events given by their lines. */
function ics(...events: string[][]): string {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:test',
    ...events.flatMap((lines) => ['BEGIN:VEVENT', 'UID:one', ...lines, 'END:VEVENT']),
    'END:VCALENDAR',
    '',
  ].join('\r\n')
}

/** A custom zone: always UTC+05:30. */
const ownZone = [
  'BEGIN:VTIMEZONE',
  'TZID:Our Office',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0530',
  'TZOFFSETTO:+0530',
  'END:STANDARD',
  'END:VTIMEZONE',
]

/** Starts within a period, `2026-03-28T08:00Z`. */
function starts(text: string, from: string, until: string, zone = berlin): string[] {
  return expand(readObject(text), Date.parse(from), Date.parse(until), zone).occurrences.map(
    (occurrence) => new Date(occurrence.starts_at).toISOString().replace(':00.000Z', 'Z'),
  )
}

const atNine = 'DTSTART;TZID=Europe/Berlin:20260327T090000'
const hour = 'DURATION:PT1H'
const daily = 'RRULE:FREQ=DAILY;COUNT=4'
const march = ['2026-03-01T00:00:00Z', '2026-04-30T00:00:00Z'] as const

const cases: [what: string, text: string, expected: string[], zone?: string][] = [
  [
    'nine o’clock stays nine o’clock when the clocks go forward',
    ics([atNine, hour, daily]),
    ['2026-03-27T08:00Z', '2026-03-28T08:00Z', '2026-03-29T07:00Z', '2026-03-30T07:00Z'],
  ],
  [
    'a zone without VTIMEZONE is looked up in the IANA list',
    ics(['DTSTART;TZID=America/New_York:20260401T090000', hour]),
    ['2026-04-01T13:00Z'],
  ],
  [
    'a Windows zone name is mapped to its IANA zone',
    ics(['DTSTART;TZID=W. Europe Standard Time:20260401T090000', hour]),
    ['2026-04-01T07:00Z'],
  ],
  [
    'a vendor’s prefix is ignored',
    ics(['DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20260401T090000', hour]),
    ['2026-04-01T07:00Z'],
  ],
  [
    'a private VTIMEZONE defines its own offset',
    ics(['DTSTART;TZID=Our Office:20260401T090000', hour]).replace(
      'PRODID:test',
      ['PRODID:test', ...ownZone].join('\r\n'),
    ),
    ['2026-04-01T03:30Z'],
  ],
  [
    'an unknown zone name falls back to the calendar’s zone',
    ics(['DTSTART;TZID=Moon/Base:20260401T090000', hour]),
    ['2026-04-01T07:00Z'],
  ],
  [
    'a time without a zone is in the calendar’s zone',
    ics(['DTSTART:20260401T090000', hour]),
    ['2026-04-01T07:00Z'],
  ],
  ['a UTC instant stays the same', ics(['DTSTART:20260401T090000Z', hour]), ['2026-04-01T09:00Z']],
  [
    'EXDATE in the zone',
    ics([atNine, hour, daily, 'EXDATE;TZID=Europe/Berlin:20260329T090000']),
    ['2026-03-27T08:00Z', '2026-03-28T08:00Z', '2026-03-30T07:00Z'],
  ],
  [
    'EXDATE in UTC',
    ics([atNine, hour, daily, 'EXDATE:20260329T070000Z']),
    ['2026-03-27T08:00Z', '2026-03-28T08:00Z', '2026-03-30T07:00Z'],
  ],
  [
    'EXDATE as a day',
    ics([atNine, hour, daily, 'EXDATE;VALUE=DATE:20260329']),
    ['2026-03-27T08:00Z', '2026-03-28T08:00Z', '2026-03-30T07:00Z'],
  ],
  [
    'an exception that was moved',
    ics(
      [atNine, hour, daily],
      [
        'RECURRENCE-ID;TZID=Europe/Berlin:20260328T090000',
        'DTSTART;TZID=Europe/Berlin:20260328T150000',
        hour,
      ],
    ),
    ['2026-03-27T08:00Z', '2026-03-28T14:00Z', '2026-03-29T07:00Z', '2026-03-30T07:00Z'],
  ],
  [
    'an exception that was cancelled',
    ics(
      [atNine, hour, daily],
      ['RECURRENCE-ID:20260328T080000Z', 'DTSTART:20260328T080000Z', 'STATUS:CANCELLED'],
    ),
    ['2026-03-27T08:00Z', '2026-03-29T07:00Z', '2026-03-30T07:00Z'],
  ],
  [
    'an exception for a day outside the rule',
    ics(
      [atNine, hour, 'RRULE:FREQ=DAILY;COUNT=1'],
      [
        'RECURRENCE-ID;TZID=Europe/Berlin:20260410T090000',
        'DTSTART;TZID=Europe/Berlin:20260410T100000',
        hour,
      ],
    ),
    ['2026-03-27T08:00Z', '2026-04-10T08:00Z'],
  ],
  [
    'exceptions without a series, for a person invited only to these occurrences',
    ics(
      ['RECURRENCE-ID:20260328T080000Z', 'DTSTART:20260328T090000Z', hour],
      ['RECURRENCE-ID:20260329T080000Z', 'DTSTART:20260329T080000Z', hour],
    ),
    ['2026-03-28T09:00Z', '2026-03-29T08:00Z'],
  ],
  [
    'RDATE adds dates, and periods',
    ics([
      atNine,
      hour,
      'RDATE;TZID=Europe/Berlin:20260401T110000,20260402T120000',
      'RDATE;VALUE=PERIOD:20260403T100000Z/PT2H',
    ]),
    ['2026-03-27T08:00Z', '2026-04-01T09:00Z', '2026-04-02T10:00Z', '2026-04-03T10:00Z'],
  ],
  [
    'UNTIL in UTC includes that instant',
    ics([atNine, hour, 'RRULE:FREQ=DAILY;UNTIL=20260329T070000Z']),
    ['2026-03-27T08:00Z', '2026-03-28T08:00Z', '2026-03-29T07:00Z'],
  ],
  [
    'UNTIL as a day includes that day',
    ics([atNine, hour, 'RRULE:FREQ=DAILY;UNTIL=20260328']),
    ['2026-03-27T08:00Z', '2026-03-28T08:00Z'],
  ],
  [
    'BYSETPOS selects from the set',
    ics([
      'DTSTART;TZID=Europe/Berlin:20260331T090000',
      hour,
      'RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
    ]),
    ['2026-03-31T07:00Z'],
    berlin,
  ],
  [
    'a start in a skipped hour moves one hour later',
    ics(['DTSTART;TZID=Europe/Berlin:20260328T023000', hour, 'RRULE:FREQ=DAILY;COUNT=3']),
    ['2026-03-28T01:30Z', '2026-03-29T01:30Z', '2026-03-30T00:30Z'],
  ],
  [
    'two rules are both expanded',
    ics([atNine, hour, 'RRULE:FREQ=DAILY;COUNT=2', 'RRULE:FREQ=WEEKLY;COUNT=2']),
    ['2026-03-27T08:00Z', '2026-03-28T08:00Z', '2026-04-03T07:00Z'],
  ],
  [
    'an impossible rule leaves only the first occurrence',
    ics([atNine, hour, 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30']),
    ['2026-03-27T08:00Z'],
  ],
  [
    'all-day events are days in the calendar’s zone',
    ics(['DTSTART;VALUE=DATE:20260328', 'RRULE:FREQ=DAILY;COUNT=3']),
    ['2026-03-27T23:00Z', '2026-03-28T23:00Z', '2026-03-29T22:00Z'],
  ],
]

for (const [title, text, expected, zone] of cases) {
  test(title, () => assert.deepEqual(starts(text, ...march, zone), expected))
}

test('nine o’clock stays nine o’clock when the clocks go back, and an hour stays an hour', () => {
  const text = ics(['DTSTART;TZID=Europe/Berlin:20261024T090000', hour, daily])
  assert.deepEqual(starts(text, '2026-10-01T00:00:00Z', '2026-12-01T00:00:00Z'), [
    '2026-10-24T07:00Z',
    '2026-10-25T08:00Z',
    '2026-10-26T08:00Z',
    '2026-10-27T08:00Z',
  ])
  const night = ics([
    'DTSTART;TZID=Europe/Berlin:20261024T230000',
    'DTEND;TZID=Europe/Berlin:20261025T060000',
  ])
  const [one] = expand(readObject(night), 0, Infinity, berlin).occurrences
  assert.equal(
    one!.ends_at - one!.starts_at,
    8 * 3600_000,
    'seven hours on the clock are eight when it goes back',
  )
})

test('occurrences are identified by their original time and can be looked up by it wherever they were moved', () => {
  const object = readObject(
    ics(
      [atNine, hour, 'RRULE:FREQ=WEEKLY'],
      [
        'RECURRENCE-ID;TZID=Europe/Berlin:20260403T090000',
        'DTSTART;TZID=Europe/Berlin:20270101T090000',
        hour,
      ],
    ),
  )
  assert.deepEqual(
    expand(object, Date.parse('2026-03-25'), Date.parse('2026-04-20'), berlin).occurrences.map(
      (occurrence) => occurrence.place,
    ),
    ['20260327T080000Z', '20260410T070000Z', '20260417T070000Z'],
  )
  assert.equal(
    new Date(occurrenceAt(object, '20260403T070000Z', berlin)!.starts_at).toISOString(),
    '2027-01-01T08:00:00.000Z',
  )
  assert.ok(
    expand(object, Date.parse('2027-01-01'), Date.parse('2027-01-02'), berlin).occurrences.some(
      (occurrence) => occurrence.place === '20260403T070000Z',
    ),
    'it is listed at its new time',
  )
  assert.equal(occurrenceAt(object, '20260404T070000Z', berlin), undefined)
  assert.equal(
    expand(readObject(ics(['DTSTART:20260401T090000Z', hour])), 0, Infinity, berlin).occurrences[0]!
      .place,
    '',
  )
  assert.equal(
    expand(readObject(ics(['DTSTART;VALUE=DATE:20260328', daily])), 0, Infinity, berlin)
      .occurrences[1]!.place,
    '20260329',
  )
})

test('secondly rules and rules that never occur end quickly', () => {
  const spent = cpuWatch()
  for (const rule of [
    'FREQ=SECONDLY',
    'FREQ=MINUTELY;INTERVAL=7',
    'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=YEARLY;BYDAY=53MO;BYMONTH=1',
    'FREQ=DAILY;COUNT=999999999',
    'FREQ=YEARLY;INTERVAL=99999',
  ]) {
    const { occurrences } = expand(
      readObject(ics([atNine, hour, `RRULE:${rule}`])),
      Date.parse('2026-01-01'),
      Date.parse('2031-01-01'),
      berlin,
    )
    assert.ok(
      occurrences.length >= 1 && occurrences.length <= 2001,
      `${rule}: ${occurrences.length}`,
    )
  }
  assert.ok(spent() < 20_000, `${spent()} ms`)
})

test('a distant time in a long-running series costs no more than a near one', () => {
  const object = readObject(
    ics(['DTSTART;TZID=Europe/Berlin:20100101T090000', hour, 'RRULE:FREQ=DAILY']),
  )
  const spent = cpuWatch()
  for (let i = 0; i < 50; i++)
    assert.equal(
      expand(object, Date.parse('2026-03-01'), Date.parse('2026-04-01'), berlin).occurrences.length,
      31,
    )
  assert.ok(spent() < 5000, `${spent()} ms for 50`)
})

test('an unreadable object is reported as such', () => {
  for (const text of [
    '',
    'nonsense',
    'BEGIN:VCALENDAR\r\nEND:VCALENDAR',
    ics([hour]),
    ics(['DTSTART:20261399T000000Z']),
    ics([atNine, 'RRULE:FREQ=NEVER']),
    ics([atNine]).replace('UID:one', 'X-UID:one'),
  ]) {
    assert.throws(() => readObject(text), Unreadable, text)
  }
})
