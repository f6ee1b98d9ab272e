import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commaRoleIn, parseNumber } from './numbers.ts'

test('numbers are parsed in the notations of many countries', () => {
  const expected: Record<string, number> = {
    '3,5': 3.5,
    '0,75': 0.75,
    '-12,25': -12.25,
    '−12,25': -12.25,
    '+7': 7,
    '3.5': 3.5,
    '0,750': 0.75,
    '1234,567': 1234.567,
    '1.234,5': 1234.5,
    '1,234.5': 1234.5,
    '1.234.567': 1_234_567,
    '1,234,567': 1_234_567,
    '1 234': 1234,
    '1\u00a0234,50': 1234.5,
    '12\u202f345\u202f678': 12_345_678,
    '1\u2009234.5': 1234.5,
    "1'234.50": 1234.5,
    '1’234’567': 1_234_567,
    '12,34,567.5': 1_234_567.5,
    '-0': 0,
    ' 12 ': 12,
  }
  for (const [text, value] of Object.entries(expected))
    assert.deepEqual(parseNumber(text), { value }, text)
})

test('a number with two readings is ambiguous, and invalid ones are refused', () => {
  for (const text of ['1,234', '-12,500'])
    assert.deepEqual(parseNumber(text), { reason: 'ambiguous' }, text)
  const wrong = ['3,5,1', '1,23,4', '1.2.3', '12 34', "1'23", '1,234 567', '1.234.5,6', '1 234 5']
  for (const text of [...wrong, '', ',5', '5,', '1e3', '0x10', '--1', 'twelve', '1234567890123456'])
    assert.deepEqual(parseNumber(text), { reason: 'unreadable' }, text)
})

test('the other numbers of a column determine the meaning of a comma', () => {
  assert.equal(commaRoleIn(['1,234', '3,5', '7']), 'decimal')
  assert.equal(commaRoleIn(['1,234', '1,234,567']), 'group')
  assert.equal(commaRoleIn(['1,234', '1,234.5']), 'group')
  assert.equal(commaRoleIn(['1,234', '1.234,5']), 'decimal')
  assert.equal(commaRoleIn(['1,234', '3,5', '1,234.5']), undefined)
  assert.equal(commaRoleIn(['1,234', '12']), undefined)
  assert.deepEqual(parseNumber('1,234', 'decimal'), { value: 1.234 })
  assert.deepEqual(parseNumber('-1,234', 'group'), { value: -1234 })
})
