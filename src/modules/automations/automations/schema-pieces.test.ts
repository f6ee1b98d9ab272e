import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schemaPieces } from './schema-pieces.ts'

const text = (length: number) => ({ type: 'string', description: 'x'.repeat(length) })

test('the pieces of a schema contain all its properties once, also those within lists', () => {
  const schema = {
    type: 'object',
    properties: {
      a: text(100),
      list: {
        type: 'array',
        items: { type: 'object', properties: { b: text(150), c: text(150), d: text(20) } },
      },
      e: text(100),
    },
    required: ['a'],
  }
  const pieces = [...schemaPieces(schema, 400)]
  assert.ok(pieces.length > 1)
  const names = pieces.flatMap(({ properties, required }: any) => {
    assert.deepEqual(required, ['a'])
    return Object.entries<any>(properties).flatMap(([name, property]) =>
      property.items
        ? Object.keys(property.items.properties).map((inner) => `${name}.${inner}`)
        : [name],
    )
  })
  assert.deepEqual(names, ['a', 'list.b', 'list.c', 'list.d', 'e'])
  for (const piece of pieces) assert.ok(JSON.stringify(piece).length <= 400)
})

test('a schema that fits or cannot be split is one piece', () => {
  for (const schema of [{ type: 'object', properties: {} }, { anyOf: [text(500), text(500)] }])
    assert.deepEqual([...schemaPieces(schema, 400)], [schema])
})
