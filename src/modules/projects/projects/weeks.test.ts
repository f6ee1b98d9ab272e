import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isoWeekOf, weeksOf } from './weeks.ts'

test('the first days of January may belong to the last week of the previous year', () => {
  assert.equal(isoWeekOf('2027-01-01'), '2026-W53')
  assert.equal(isoWeekOf('2026-01-01'), '2026-W01')
})

test('a span covers all its weeks, including partial ones and the last of the calendar', () => {
  assert.deepEqual(weeksOf('2026-12-27', '2027-01-04'), ['2026-W52', '2026-W53', '2027-W01'])
  assert.deepEqual(weeksOf('2026-11-18', '2026-11-18'), ['2026-W47'])
  assert.equal(weeksOf('9999-12-31', '9999-12-31').length, 1)
})
