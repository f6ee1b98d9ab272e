import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TaskRow } from '../data/rows.ts'
import { isTooEarly, rangeOf, shiftSpan, taskSpanOf } from './spans.ts'
import { dayTicks, monthTicks, scaleOf } from './scale.ts'

const row = (days: Partial<TaskRow>) => days as TaskRow

test('a bar extends from the start to the due day, and lasts one day if only one is set', () => {
  assert.equal(taskSpanOf(row({})), undefined)
  assert.deepEqual(taskSpanOf(row({ due_on: '2026-12-04' })), {
    from: '2026-12-04',
    to: '2026-12-04',
  })
  assert.deepEqual(taskSpanOf(row({ start_on: '2026-12-01', due_on: '2026-12-04' })), {
    from: '2026-12-01',
    to: '2026-12-04',
  })
  assert.deepEqual(
    taskSpanOf(row({ start_on: '2026-12-09', due_on: '2026-12-04' })),
    { from: '2026-12-04', to: '2026-12-04' },
    'a start after the due day',
  )
})

test('a bar is moved as a whole or at one end, and lasts at least a day', () => {
  const span = { from: '2026-12-28', to: '2026-12-30' }
  assert.deepEqual(shiftSpan(span, 'both', 7), { from: '2027-01-04', to: '2027-01-06' })
  assert.deepEqual(shiftSpan(span, 'to', -9), { from: '2026-12-28', to: '2026-12-28' })
  assert.deepEqual(shiftSpan(span, 'from', 9), { from: '2026-12-30', to: '2026-12-30' })
})

test('a blocked task starts too early if it starts before its blocker ends', () => {
  const blocker = { from: '2026-12-01', to: '2026-12-04' }
  assert.equal(isTooEarly(blocker, { from: '2026-12-03', to: '2026-12-09' }), true)
  assert.equal(isTooEarly(blocker, { from: '2026-12-04', to: '2026-12-09' }), false)
})

test('the range starts on a Monday and includes all bars of the year, but none of another century', () => {
  const range = rangeOf(
    [
      { from: '1999-01-01', to: '1999-01-02' },
      { from: '2027-05-01', to: '2027-05-02' },
    ],
    '2026-11-25',
  )
  assert.equal(new Date(`${range.from}T00:00:00Z`).getUTCDay(), 1)
  assert.ok(range.from > '2025-11-01' && range.from <= '2025-11-25')
  assert.ok(range.to >= '2027-05-02')
})

test('positions and days are inverse, and the ticks fill the whole width', () => {
  const range = { from: '2026-11-02', to: '2027-02-15' }
  for (const zoom of ['week', 'month', 'quarter'] as const) {
    const scale = scaleOf(range, zoom)
    assert.equal(scale.dayAt(scale.x('2027-01-31')), '2027-01-31', zoom)
    const months = monthTicks(scale).reduce((sum, tick) => sum + tick.width, 0)
    assert.equal(months, scale.width, zoom)
  }
  assert.equal(dayTicks(scaleOf(range, 'week'), 'week').length, 106)
})
