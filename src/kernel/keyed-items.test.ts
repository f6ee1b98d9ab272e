import assert from 'node:assert/strict'
import { test } from 'node:test'
import { valuesByItemId } from './keyed-items.ts'
import type { Refusal } from './refusal.ts'

const items = [
  { id: 'a', name: 'Your name' },
  { id: 'b', name: 'Guests' },
  { id: 'c', name: 'guests ' },
  { id: 'Guest', name: 'a' },
]

test('keys are ids, or names regardless of case and spaces; unknown ones are kept', () => {
  assert.deepEqual(valuesByItemId({ a: 1 }, items, 'answers'), { a: 1 })
  assert.deepEqual(valuesByItemId({ ' your  NAME ': 1, b: 2, other: 3 }, items, 'answers'), {
    a: 1,
    b: 2,
    other: 3,
  })
  assert.deepEqual(Object.keys(valuesByItemId({ ['__proto__']: 1 }, items, 'answers')), [
    '__proto__',
  ])
})

test('an ambiguous name or two values for one field is refused', () => {
  assert.throws(
    () => valuesByItemId({ Guests: 1 }, items, 'answers'),
    (error: Refusal) =>
      error.code === 'invalid_argument' &&
      (error.more.context!.candidates as unknown[]).length === 2,
  )
  assert.throws(
    () => valuesByItemId({ a: 1, 'Your name': 2 }, items, 'answers'),
    /answers\.Your name: "Your name" has more than one value/,
  )
})
