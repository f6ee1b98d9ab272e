import assert from 'node:assert/strict'
import { test } from 'node:test'
import { totalHours, rotaBarOf, shiftAfter } from './spans.ts'

const day = (n: number) => `2026-11-${String(n).padStart(2, '0')}T00:00:00Z`
const period = { from: day(1), to: day(11) }

test('a span is placed by its share of the period, clipped at both ends, and omitted outside', () => {
  assert.deepEqual(rotaBarOf(period, { from: day(2), to: day(4) }), { start: 10, width: 20 })
  assert.deepEqual(rotaBarOf(period, { from: '2026-10-20T00:00:00Z', to: day(2) }), {
    start: 0,
    width: 10,
  })
  assert.deepEqual(rotaBarOf(period, { from: day(10), to: day(30) }), { start: 90, width: 10 })
  assert.equal(rotaBarOf(period, { from: day(11), to: day(12) }), undefined)
})

test('the next shift is the first of the same level that begins at or after the handover', () => {
  const shift = (level: number, from: number, to: number) => ({
    level,
    starts_at: day(from),
    ends_at: day(to),
  })
  const shifts = [shift(1, 8, 10), shift(2, 5, 8), shift(1, 5, 8), shift(1, 1, 5)]
  assert.deepEqual(shiftAfter(shifts, shift(1, 1, 5)), shift(1, 5, 8))
  assert.equal(shiftAfter(shifts, shift(2, 5, 8)), undefined)
})

test('hours of gaps are summed', () => {
  assert.equal(
    totalHours([
      { from: day(1), to: day(2) },
      { from: day(3), to: '2026-11-03T00:30:00Z' },
    ]),
    24.5,
  )
})
