import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextPeriod, periodOf } from './periods.ts'

test('a period consists of whole weeks, months or years, and leads to its neighbors', () => {
  assert.deepEqual(periodOf('week', '2026-11-28'), { from: '2026-11-23', to: '2026-11-29' })
  assert.deepEqual(periodOf('month', '2028-02-10'), { from: '2028-02-01', to: '2028-02-29' })
  assert.deepEqual(periodOf('year', '2026-11-28'), { from: '2026-01-01', to: '2026-12-31' })
  assert.equal(nextPeriod('month', '2026-12-15', 1), '2027-01-01')
  assert.equal(nextPeriod('month', '2027-01-15', -1), '2026-12-01')
  assert.equal(nextPeriod('week', '2026-11-28', -1), '2026-11-16')
  assert.equal(nextPeriod('year', '2026-11-28', -1), '2025-01-01')
})
