import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { shape, shapeNames } from './shape.ts'

const Fruit = shape('TestFruit', { color: z.string().describe('as it is ripe') })

test('a shape stands once, under its name; what derives from it stands where it is', () => {
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

test('no two shapes have one name', () => {
  assert.throws(() => shape('TestFruit', {}), /Two shapes are called TestFruit/)
})
