import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDealLine, parseAmount } from './line.ts'

test('a line gives name, amount, currency and company in any order', () => {
  assert.deepEqual(parseDealLine('Website @Acme 12.500 EUR'), {
    name: 'Website',
    amount: 12_500,
    currency: 'EUR',
    company: 'Acme',
  })
  assert.deepEqual(parseDealLine('€5k @"Looms & Sons" Loom 3 for the mill'), {
    name: 'Loom 3 for the mill',
    amount: 5000,
    currency: 'EUR',
    company: 'Looms & Sons',
  })
})

test('a number without a currency is part of the name', () => {
  assert.deepEqual(parseDealLine('Phase 2 of 300 seats'), { name: 'Phase 2 of 300 seats' })
})

test('numbers are read in common formats', () => {
  assert.deepEqual(
    ['12,500', '12.500', '1.250.000', '99,90', '99.9', '12k', '1.5k', '7'].map(parseAmount),
    [12_500, 12_500, 1_250_000, 99.9, 99.9, 12_000, 1500, 7],
  )
  assert.equal(parseAmount('k'), undefined)
})
