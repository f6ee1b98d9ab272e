import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mondayOf, addSpans, weeksAround } from './weeks.ts'

test('a month consists of whole weeks from Monday on, with each of its days once', () => {
  for (const day of ['2026-11-25', '2027-02-01', '2026-03-31', '2024-02-29', '2026-12-31']) {
    const weeks = weeksAround(day, 'month')
    const days = weeks.flat()
    assert.equal(mondayOf(days[0] ?? ''), days[0], day)
    assert.equal(days.length % 7, 0)
    assert.equal(new Set(days).size, days.length)
    const inMonth = days.filter((other) => other.slice(0, 7) === day.slice(0, 7))
    const [year, month] = day.split('-').map(Number)
    assert.equal(inMonth.length, new Date(Date.UTC(year ?? 0, month ?? 0, 0)).getUTCDate(), day)
    assert.ok(weeks.every((week) => week.some((other) => other.slice(0, 7) === day.slice(0, 7))))
  }
})

test('a calendar moves by a week or a month, even from the last day of a long one', () => {
  assert.equal(addSpans('2026-12-30', 'week', 1), '2027-01-06')
  assert.equal(addSpans('2026-01-31', 'month', 1), '2026-02-01')
  assert.equal(addSpans('2026-01-31', 'month', -1), '2025-12-01')
})
