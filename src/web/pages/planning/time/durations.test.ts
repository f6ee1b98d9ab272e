import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDuration, parseDuration } from './durations.ts'

test('a duration is entered as a clock, as hours with a point or comma, or with its unit', () => {
  const inputs = ['1:30', '1.5', '1,5', '1.5h', '90m', '90 min', '.25', '8', '0:05', '', '-']
  assert.deepEqual(inputs.map(parseDuration), [90, 90, 90, 90, 90, 90, 15, 480, 5, 0, 0])
})

test('an invalid duration is rejected', () => {
  for (const text of ['soon', '1:75', '1:3', '1.5.2', 'h', '1h30x'])
    assert.equal(parseDuration(text), undefined, text)
})

test('a displayed duration is read back as the same value', () => {
  for (const minutes of [1, 59, 60, 90, 125, 1440])
    assert.equal(parseDuration(formatDuration(minutes)), minutes)
  assert.equal(formatDuration(0), '')
})
