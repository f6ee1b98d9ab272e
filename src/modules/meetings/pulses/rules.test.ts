import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextOccurrence, type Repeat } from '../../../kernel/time/recurrence.ts'
import { closingTime, currentOccurrence } from './rules.ts'

test('a day that a time zone skipped has no round', () => {
  const rule: Repeat = {
    rrule: 'FREQ=DAILY',
    timezone: 'Pacific/Apia',
    start: '2011-12-28T09:00:00',
    endsOn: null,
  }
  const openingTimes: string[] = []
  for (
    let next = nextOccurrence(rule, Date.UTC(2011, 11, 28));
    openingTimes.length < 4;
    next = nextOccurrence(rule, next!.at)
  )
    openingTimes.push(new Date(next!.at).toISOString())
  assert.deepEqual(openingTimes, [
    '2011-12-28T19:00:00.000Z',
    '2011-12-29T19:00:00.000Z',
    '2011-12-30T19:00:00.000Z',
    '2011-12-31T19:00:00.000Z',
  ])
})

test('the newest of several missed rounds is the current one, however long the gap', () => {
  const rule: Repeat = {
    rrule: 'FREQ=DAILY',
    timezone: 'UTC',
    start: '2020-01-01T09:00:00',
    endsOn: null,
  }
  const first = nextOccurrence(rule, Date.UTC(2020, 0, 1))
  assert.deepEqual(currentOccurrence(rule, first, Date.UTC(2026, 10, 20, 12)), {
    at: Date.UTC(2026, 10, 20, 9),
    on: '2026-11-20',
  })
  assert.equal(currentOccurrence(rule, first, Date.UTC(2020, 0, 1, 8)), undefined)
  assert.equal(currentOccurrence(rule, undefined, Date.UTC(2026, 10, 20)), undefined)
})

test('the last round of a rule closes when another one would have opened', () => {
  const rule = (rrule: string): Repeat => ({
    rrule,
    timezone: 'Europe/Berlin',
    start: '2026-11-23T09:00:00',
    endsOn: null,
  })
  const opened = Date.parse('2026-11-23T08:00:00Z')
  assert.equal(closingTime(rule('FREQ=WEEKLY;COUNT=1'), opened), Date.parse('2026-11-30T08:00:00Z'))
  assert.equal(closingTime(rule('COUNT=1;FREQ=DAILY'), opened), Date.parse('2026-11-24T08:00:00Z'))
  assert.equal(
    closingTime(rule('FREQ=WEEKLY;UNTIL=20261124;BYDAY=MO'), opened),
    Date.parse('2026-11-30T08:00:00Z'),
  )
})
