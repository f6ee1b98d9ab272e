import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codingFor } from './encodings.ts'

const both = ['br', 'gzip'] as const

test('the coding preferred by the client is used, the smallest one among equals', () => {
  const cases: [string | undefined, string | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['GZIP ; q=0.5', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, *', 'gzip'],
    ['identity', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.2, gzip;q=0.5', 'gzip'],
    ['deflate, zstd', undefined],
    ['br;q=2, gzip;q=x', undefined],
    ['brotli, gzipped', undefined],
  ]
  for (const [accepted, expected] of cases)
    assert.equal(codingFor(accepted, both), expected, accepted)
})

test('an unavailable coding is not used', () => {
  assert.equal(codingFor('br, gzip', ['gzip']), 'gzip')
  assert.equal(codingFor('br', ['gzip']), undefined)
  assert.equal(codingFor('*', []), undefined)
})
