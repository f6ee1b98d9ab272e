import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { shape, shapeNames } from './shape.ts'

const Fruit = shape('TestFruit', { color: z.string().describe('as it is ripe') })

test('a shape is defined once under its name; a derived one is inlined', () => {
  const json = z.toJSONSchema(
    z.object({ one: Fruit, another: Fruit, bigger: Fruit.extend({ size: z.int() }) }),
    { metadata: shapeNames },
  )
  assert.deepEqual(Object.keys(json.$defs!), ['TestFruit'])
  assert.deepEqual(json.properties!.one, { $ref: '#/$defs/TestFruit' })
  assert.deepEqual(json.properties!.another, { $ref: '#/$defs/TestFruit' })
  assert.ok('properties' in (json.properties!.bigger as object))
})

test('descriptions stay with the schemas of a shape', () => {
  const { $defs } = z.toJSONSchema(z.object({ one: Fruit }), { metadata: shapeNames })
  assert.deepEqual($defs!.TestFruit!.properties!.color, {
    type: 'string',
    description: 'as it is ripe',
  })
})

test('shape names are unique', () => {
  assert.throws(() => shape('TestFruit', {}), /Two shapes are called TestFruit/)
})
