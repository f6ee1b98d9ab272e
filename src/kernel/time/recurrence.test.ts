import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuWatch } from '../../testing/cost.ts'
import { Refusal } from '../refusal.ts'
import {
  dayStart,
  nextAfter,
  nextOccurrence,
  parseRule,
  shiftInstant,
  wallTime,
  withMonthEnds,
  type Repeat,
} from './recurrence.ts'

const at = (text: string) => Date.parse(text)
const rule = (rrule: string, more: Partial<Repeat> = {}): Repeat => ({
  rrule,
  timezone: 'Europe/Berlin',
  start: '2026-11-20T17:00:00',
  endsOn: null,
  ...more,
})
const next = (repeat: Repeat, after: string) => {
  const nextAt = nextAfter(repeat, at(after))
  return nextAt === undefined ? undefined : new Date(nextAt).toISOString()
}

test('a rule is stored in upper case without its label', () => {
  assert.equal(parseRule(' rrule:freq=weekly;byday=mo,th; '), 'FREQ=WEEKLY;BYDAY=MO,TH')
})

test('an invalid rule for tasks is refused, and the message names the part', () => {
  const wrong: [string, RegExp][] = [
    ['FREQ=HOURLY', /shortest frequency is DAILY/],
    ['INTERVAL=2', /FREQ is missing/],
    ['FREQ=DAILY;FREQ=WEEKLY', /FREQ is given twice/],
    ['FREQ=DAILY;BYHOUR=9,17', /BYHOUR=9,17 is not possible/],
    ['FREQ=DAILY;RSCALE=CHINESE', /RSCALE is not a known part/],
    ['FREQ=DAILY;COUNT=0', /COUNT=0/],
    ['FREQ=DAILY;COUNT=3;UNTIL=20270101', /cannot be combined/],
    ['FREQ=DAILY;UNTIL=20270231', /UNTIL=20270231 is not a date/],
    ['FREQ=WEEKLY;BYDAY=XX', /BYDAY=XX/],
    ['FREQ=MONTHLY;BYMONTHDAY=32', /BYMONTHDAY=32/],
    ['FREQ=WEEKLY;BYMONTHDAY=1', /cannot be combined with FREQ=WEEKLY/],
    ['FREQ=WEEKLY;BYDAY=1MO', /valid only with MONTHLY and YEARLY/],
    ['FREQ=MONTHLY;BYSETPOS=1', /BYSETPOS needs another/],
    ['FREQ=DAILY;toString=1', /TOSTRING is not a known part/],
    ['every monday', /is not a known part of a rule/],
    [';', /empty/],
  ]
  for (const [text, message] of wrong) {
    assert.throws(
      () => parseRule(text),
      (error: unknown) =>
        error instanceof Refusal &&
        error.code === 'invalid_argument' &&
        error.more.field === 'rrule' &&
        message.test(error.message),
      text,
    )
  }
})

test('a task at five stays at five across DST changes', () => {
  assert.equal(
    next(rule('FREQ=WEEKLY', { start: '2026-10-23T17:00:00' }), '2026-10-23T15:00:00Z'),
    '2026-10-30T16:00:00.000Z',
  )
  assert.equal(
    next(
      rule('FREQ=DAILY', { timezone: 'America/New_York', start: '2027-03-13T09:00:00' }),
      '2027-03-13T14:00:00Z',
    ),
    '2027-03-14T13:00:00.000Z',
  )
})

test('an occurrence in the hour skipped by DST moves on that day only', () => {
  const early = rule('FREQ=DAILY', { start: '2027-03-27T02:30:00' })
  assert.equal(next(early, '2027-03-27T01:30:00Z'), '2027-03-28T01:30:00.000Z')
  assert.equal(next(early, '2027-03-28T01:30:00Z'), '2027-03-29T00:30:00.000Z')
})

test('an occurrence in the hour repeated by DST counts once', () => {
  const night = rule('FREQ=DAILY', { start: '2026-10-24T02:30:00' })
  assert.equal(next(night, '2026-10-25T00:30:00Z'), '2026-10-26T01:30:00.000Z')
  assert.equal(next(night, '2026-10-25T01:10:00Z'), '2026-10-26T01:30:00.000Z')
})

test('a biweekly rule keeps its weeks, however late the next date is requested', () => {
  const biweekly = rule('FREQ=WEEKLY;INTERVAL=2')
  assert.equal(next(biweekly, '2026-11-28T00:00:00Z'), '2026-12-04T16:00:00.000Z')
  assert.equal(next(biweekly, '2026-12-04T16:00:00Z'), '2026-12-18T16:00:00.000Z')
})

test('the 31st skips short months, the last day does not', () => {
  assert.equal(
    next(rule('FREQ=MONTHLY', { start: '2027-01-31T12:00:00' }), '2027-02-01T00:00:00Z'),
    '2027-03-31T10:00:00.000Z',
  )
  assert.equal(
    next(
      rule('FREQ=MONTHLY;BYMONTHDAY=-1', { start: '2027-01-31T12:00:00' }),
      '2027-02-01T00:00:00Z',
    ),
    '2027-02-28T11:00:00.000Z',
  )
})

test('a rule ends by COUNT, UNTIL or the last date', () => {
  assert.equal(next(rule('FREQ=DAILY;COUNT=2'), '2026-11-20T16:00:00Z'), '2026-11-21T16:00:00.000Z')
  assert.equal(next(rule('FREQ=DAILY;COUNT=2'), '2026-11-21T16:00:00Z'), undefined)
  assert.equal(
    next(rule('FREQ=DAILY;UNTIL=20261121'), '2026-11-20T16:00:00Z'),
    '2026-11-21T16:00:00.000Z',
  )
  assert.equal(next(rule('FREQ=DAILY;UNTIL=20261121'), '2026-11-21T16:00:00Z'), undefined)
  assert.equal(next(rule('UNTIL=20261121T155959Z;FREQ=DAILY'), '2026-11-20T16:00:00Z'), undefined)
  assert.equal(
    next(rule('FREQ=DAILY;UNTIL=20261121T170000'), '2026-11-20T16:00:00Z'),
    '2026-11-21T16:00:00.000Z',
  )
  assert.equal(
    next(rule('FREQ=DAILY', { endsOn: '2026-11-20' }), '2026-11-20T16:00:00Z'),
    undefined,
  )
})

test('a rule continues for decades', () => {
  assert.equal(
    next(
      rule('FREQ=DAILY;BYDAY=MO;COUNT=999', { start: '2010-01-04T12:00:00' }),
      '2026-11-20T00:00:00Z',
    ),
    '2026-11-23T11:00:00.000Z',
  )
  assert.equal(
    next(
      rule('FREQ=DAILY;BYMONTH=3;BYDAY=MO', { start: '1990-01-01T12:00:00' }),
      '2026-11-20T00:00:00Z',
    ),
    '2027-03-01T11:00:00.000Z',
  )
})

test('a rule that never occurs quickly yields no date', () => {
  const spent = cpuWatch()
  assert.equal(next(rule('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'), '2026-11-20T00:00:00Z'), undefined)
  assert.equal(next(rule('FREQ=MONTHLY;BYDAY=MO;BYSETPOS=300'), '2026-11-20T00:00:00Z'), undefined)
  assert.ok(spent() < 2000)
})

test('dates are shifted by calendar and wall clock', () => {
  assert.equal(
    new Date(
      shiftInstant(
        at('2026-10-22T07:00:00Z'),
        at('2026-10-23T15:00:00Z'),
        at('2026-10-30T16:00:00Z'),
        'Europe/Berlin',
      ),
    ).toISOString(),
    '2026-10-29T08:00:00.000Z',
  )
  assert.equal(
    new Date(dayStart(at('2026-11-20T23:30:00Z'), 'Europe/Berlin')).toISOString(),
    '2026-11-20T23:00:00.000Z',
  )
  assert.equal(wallTime(at('2026-11-20T22:59:59.900Z'), 'Europe/Berlin'), '2026-11-20T23:59:59')
})

test('right after clocks go forward, an occurrence in the skipped hour is still ahead', () => {
  const early = rule('FREQ=DAILY', { start: '2027-03-27T02:30:00' })
  assert.equal(next(early, '2027-03-28T01:10:00Z'), '2027-03-28T01:30:00.000Z') // 03:10 on the wall, where 02:30 is over
  assert.equal(next(early, '2027-03-28T01:30:00Z'), '2027-03-29T00:30:00.000Z')
})

test('an occurrence keeps its rule day, even if DST skips the last hour of that day', () => {
  const late = rule('FREQ=DAILY', { timezone: 'America/Nuuk', start: '2027-03-26T23:30:00' })
  const first = nextOccurrence(late, at('2027-03-28T00:00:00Z'))!
  const second = nextOccurrence(late, first.at)!
  assert.deepEqual(
    [first.on, new Date(first.at).toISOString()],
    ['2027-03-27', '2027-03-28T01:30:00.000Z'],
  ) // 00:30 of the 28th
  assert.deepEqual(
    [second.on, new Date(second.at).toISOString()],
    ['2027-03-28', '2027-03-29T00:30:00.000Z'],
  )
})

test('a monthly rule from the 31st falls on the last day of shorter months, and says so', () => {
  const days = (start: string, rrule: string) => {
    const { rrule: adjustedRule, note } = withMonthEnds(rrule, start)
    const days: string[] = []
    for (
      let from = Date.parse(`${start}Z`);
      days.length < 4;
      from = Date.parse(`${days.at(-1)}T23:59:59Z`)
    )
      days.push(nextOccurrence(rule(adjustedRule, { start, timezone: 'UTC' }), from)!.on)
    return [days.map((name) => name.slice(5)).join(' '), note]
  }
  assert.deepEqual(days('2026-01-31T09:00:00', 'FREQ=MONTHLY'), [
    '02-28 03-31 04-30 05-31',
    'In months without a 31st it falls on their last day.',
  ])
  assert.deepEqual(days('2026-01-30T09:00:00', 'FREQ=MONTHLY'), [
    '02-28 03-30 04-30 05-30',
    'In months without a 30th it falls on their last day.',
  ])
  assert.deepEqual(days('2026-12-29T09:00:00', 'FREQ=MONTHLY;INTERVAL=2'), [
    '02-28 04-29 06-29 08-29',
    'In months without a 29th it falls on their last day.',
  ])
  assert.deepEqual(days('2028-02-29T09:00:00', 'FREQ=YEARLY'), [
    '02-28 02-28 02-28 02-29',
    'In years without a 29 February it falls on 28 February.',
  ])
  for (const [start, rrule] of [
    ['2026-01-28T09:00:00', 'FREQ=MONTHLY'],
    ['2026-01-31T09:00:00', 'FREQ=MONTHLY;BYMONTHDAY=31'],
    ['2026-01-31T09:00:00', 'FREQ=WEEKLY'],
    ['2026-03-31T09:00:00', 'FREQ=YEARLY'],
  ]) {
    assert.deepEqual(withMonthEnds(rrule!, start!), { rrule })
  }
})
