import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysOf, duePeriod, sinceOf, sincePeriod } from './periods.ts'

const range = (period: string, today: string) => {
  const days = daysOf(period, today)
  return days && `${days.from} ${days.to}`
}

test('a period is relative to the day on which it is read', () => {
  const friday = '2026-11-27'
  const cases: [string, string][] = [
    ['today', '2026-11-27 2026-11-27'],
    ['tomorrow', '2026-11-28 2026-11-28'],
    ['yesterday', '2026-11-26 2026-11-26'],
    ['this_week', '2026-11-23 2026-11-29'],
    ['next_week', '2026-11-30 2026-12-06'],
    ['last_week', '2026-11-16 2026-11-22'],
    ['this_month', '2026-11-01 2026-11-30'],
    ['next_month', '2026-12-01 2026-12-31'],
    ['last_month', '2026-10-01 2026-10-31'],
    ['next_14_days', '2026-11-27 2026-12-11'],
    ['last_7_days', '2026-11-20 2026-11-27'],
  ]
  for (const [period, days] of cases) assert.equal(range(period, friday), days, period)
})

test('weeks start on Monday, and months have their actual number of days', () => {
  assert.equal(range('this_week', '2026-11-29'), '2026-11-23 2026-11-29') // a Sunday
  assert.equal(range('this_week', '2026-11-30'), '2026-11-30 2026-12-06') // a Monday
  assert.equal(range('next_month', '2028-01-31'), '2028-02-01 2028-02-29')
  assert.equal(range('last_month', '2027-01-15'), '2026-12-01 2026-12-31')
  assert.equal(range('next_1_days', '2026-12-31'), '2026-12-31 2027-01-01')
})

test('an invalid period is rejected', () => {
  for (const word of ['overdue', 'none', 'soon', '', 'next_days', 'next_0_days', 'this_year'])
    assert.equal(duePeriod.test(word) && word !== 'overdue' && word !== 'none', false, word)
  assert.equal(daysOf('overdue', '2026-11-27'), undefined)
  for (const word of ['next_1000_days', 'last_week\n', 'today,tomorrow', 'next_7_hours'])
    assert.equal(duePeriod.test(word), false, word)
  for (const word of ['tomorrow', 'next_7_days', 'last_0_days', 'last_week'])
    assert.equal(sincePeriod.test(word), false, word)
})

test('changes count from the start of a day, or from a number of hours ago', () => {
  const reader = {
    now: Date.parse('2026-11-27T15:30:00Z'),
    today: '2026-11-27',
    startOf: (day: string) => Date.parse(`${day}T05:00:00Z`),
  }
  const since = (period: string) => new Date(sinceOf(period, reader)).toISOString()
  assert.equal(since('today'), '2026-11-27T05:00:00.000Z')
  assert.equal(since('this_week'), '2026-11-23T05:00:00.000Z')
  assert.equal(since('last_7_days'), '2026-11-20T05:00:00.000Z')
  assert.equal(since('last_1_hour'), '2026-11-27T14:30:00.000Z')
  assert.equal(since('last_48_hours'), '2026-11-25T15:30:00.000Z')
})
