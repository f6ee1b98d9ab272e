import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../../testing/properties.ts'
import { comparisons, readCondition, writeCondition, type SimpleCondition } from './conditions.ts'

test('a condition with three parts is read back unchanged from its expression', () => {
  const field = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/)
  fc.assert(
    fc.property(
      fc.oneof(
        field,
        fc.tuple(field, field).map((names) => names.join('.')),
      ),
      fc.constantFrom(...comparisons),
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean()),
      (name, comparison, value) => {
        const isBare = comparison === 'isSet' || comparison === 'isNotSet'
        const text = comparison === 'contains' ? String(value) : value
        const condition: SimpleCondition = isBare
          ? { field: name, comparison }
          : { field: name, comparison, value: text }
        assert.deepEqual(readCondition(writeCondition(condition)), condition)
      },
    ),
  )
})

test('an expression with more than three parts stays an expression', () => {
  for (const expression of [
    'item.priority == "urgent" && item.title != ""',
    'item.title.lowerAscii().contains("outage")',
    'has(changes.status) && changes.priority.to == "urgent"',
    'item.labels.exists(x, x == "a")',
    'size(item.title) > 3',
    'item.title == "\\x41"',
    '',
  ])
    assert.equal(readCondition(expression), undefined, expression)
  assert.deepEqual(readCondition(" item.priority == 'urgent' "), {
    field: 'priority',
    comparison: 'is',
    value: 'urgent',
  })
})
