import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeEntryPages, type CatalogEntry } from './parts.ts'

test('a part split over several pages has the fields of all of them', () => {
  const part = (properties: object): CatalogEntry => ({
    kind: 'condition',
    type: 'expression',
    summary: 'item.<field> of a task',
    module: 'tasks',
    outbound: false,
    params: { type: 'object', properties },
  })
  const list = (...names: string[]) => ({
    type: 'array',
    items: { properties: Object.fromEntries(names.map((name) => [name, {}])) },
  })
  const whole = mergeEntryPages([
    part({ a: {}, subtasks: list('b') }),
    part({ subtasks: list('c'), d: {} }),
  ])
  assert.deepEqual(whole?.params?.properties, { a: {}, subtasks: list('b', 'c'), d: {} })
  assert.deepEqual(mergeEntryPages([part({ a: {} })]), part({ a: {} }))
  assert.equal(mergeEntryPages([]), undefined)
})
