import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../refusal.ts'
import { assertStorableText } from './text.ts'

const refusal = (value: unknown): string => {
  try {
    assertStorableText(value)
  } catch (error) {
    assert.ok(error instanceof Refusal && error.code === 'invalid_argument')
    return error.message
  }
  return 'accepted'
}

test('every text that the database can store is accepted, in any script', () => {
  for (const text of ['', 'ä', '日本語', '👩‍👩‍👧', '\u202e', '\n\t', '\ud83d\ude00'])
    assert.equal(refusal({ text }), 'accepted')
})

test('NUL and lone surrogates are refused anywhere, naming the location', () => {
  assert.match(refusal({ a: { b: ['x', 'y\0'] } }), /^a\.b\.1 contains a NUL/)
  assert.match(refusal({ a: '\ud800' }), /^a contains half/)
  assert.match(refusal({ 'k\0': 1 }), /NUL/)
  assert.match(refusal({ a: JSON.parse('{"__proto__": 1}') }), /__proto__/)
})

test('nesting depth is limited', () => {
  let deep: unknown = 1
  for (let i = 0; i < 34; i++) deep = [deep]
  assert.match(refusal({ deep }), /nested deeper than 32/)
})
