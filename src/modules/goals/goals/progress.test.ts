import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../../kernel/refusal.ts'
import { elapsedShare, readPeriod } from './periods.ts'
import { isAtRisk, isReached, measuredProgress } from './progress.ts'

const measure = (start_value: number, current_value: number, target_value: number) => ({
  start_value,
  current_value,
  target_value,
})

test('progress runs from start to target, up or down, and never beyond', () => {
  assert.equal(measuredProgress(measure(0, 25, 100)), 25)
  assert.equal(measuredProgress(measure(10, 10, 20)), 0)
  assert.equal(measuredProgress(measure(500, 300, 100)), 50)
  assert.equal(measuredProgress(measure(500, 600, 100)), 0)
  assert.equal(measuredProgress(measure(0, 130, 100)), 100)
  assert.equal(measuredProgress(measure(0, 1, 1)), 100)
  assert.equal(measuredProgress(measure(-5, 0, 5)), 50)
})

test('a value short of the target is never shown as reached', () => {
  assert.equal(measuredProgress(measure(0, 99.99, 100)), 99.9)
  assert.equal(isReached(measure(0, 99.99, 100)), false)
  assert.equal(isReached(measure(500, 100, 100)), true)
  assert.equal(isReached(measure(500, 101, 100)), false)
})

test('a period is a year, a half, a quarter or a month, and nothing else', () => {
  for (const period of ['2026', '2026-H1', '2026-H2', '2026-Q1', '2026-Q4', '2026-01', '2026-12'])
    assert.equal(readPeriod(period), period)
  assert.equal(readPeriod(' 2026-q3 '), '2026-Q3')
  for (const text of [
    '26',
    '2026-Q5',
    '2026-H3',
    '2026-13',
    '2026-00',
    '2026-1',
    '1999',
    'Q4',
    '2026-Q4-1',
    '',
  ])
    assert.throws(() => readPeriod(text), Refusal, text)
})

test('elapsed time of a period is measured in days', () => {
  assert.equal(elapsedShare('2026-Q4', Date.UTC(2026, 8, 30)), 0)
  assert.equal(elapsedShare('2026-Q4', Date.UTC(2026, 9, 1)), 0)
  assert.equal(elapsedShare('2026-Q4', Date.UTC(2026, 10, 16)), 0.5)
  assert.equal(elapsedShare('2026-H2', Date.UTC(2027, 0, 1)), 1)
  assert.equal(elapsedShare('2026-11', Date.UTC(2026, 10, 16)), 0.5)
  assert.equal(elapsedShare('2026', Date.UTC(2028, 0, 1)), 1)
})

test('an active goal is at risk with low confidence or more than 20 points behind time', () => {
  const half = Date.UTC(2026, 10, 16)
  const goal = { status: 'active', period: '2026-Q4', confidence: undefined, measured: 30 }
  assert.equal(isAtRisk(goal, half), false)
  assert.equal(isAtRisk({ ...goal, measured: 29.9 }, half), true)
  assert.equal(isAtRisk({ ...goal, confidence: 'low', measured: 90 }, half), true)
  assert.equal(isAtRisk({ ...goal, confidence: 'low', status: 'draft' }, half), false)
  assert.equal(isAtRisk({ ...goal, measured: undefined }, half), false)
})
