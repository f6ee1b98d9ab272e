import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../testing/properties.ts'
import { quantize, VectorSlots } from './scan.ts'

const vector = (dimensions: number) =>
  fc.int8Array({ minLength: dimensions, maxLength: dimensions })

test('scanned products match plain arithmetic for any slots', () => {
  fc.assert(
    fc.property(
      vector(32),
      fc.array(vector(32), { minLength: 1, maxLength: 40 }),
      (query, vectors) => {
        const slots = new VectorSlots(32)
        for (const [slot, bytes] of vectors.entries()) slots.put(slot, bytes)
        const plain = vectors.map((array) => array.reduce((sum, x, i) => sum + x * query[i]!, 0))
        assert.deepEqual([...slots.scan(query, vectors.length)], plain)
      },
    ),
    { numRuns: 50 },
  )
})

test('memory grows with the slots and preserves their content', () => {
  const slots = new VectorSlots(256)
  const vectorOf = (n: number) =>
    Int8Array.from({ length: 256 }, (_, i) => ((n * 7 + i * 3) % 255) - 127)
  for (let n = 0; n < 5000; n++) slots.put(n, vectorOf(n))
  assert.deepEqual([...slots.get(1)], [...vectorOf(1)])
  const products = slots.scan(vectorOf(17), 5000)
  assert.equal(
    products[17],
    vectorOf(17).reduce((sum, x) => sum + x * x, 0),
  )
  assert.ok(slots.bytes < 5000 * 300 * 1.5)
})

test('a quantized vector keeps its direction', () => {
  const vector = Float32Array.from({ length: 256 }, (_, i) => Math.sin(i) / 11.3)
  const { bytes, scale } = quantize(vector)
  const error = Math.sqrt(vector.reduce((sum, x, i) => sum + (x - bytes[i]! * scale) ** 2, 0))
  assert.ok(error < 0.01, String(error))
  assert.deepEqual(quantize(new Float32Array(16)), { bytes: new Int8Array(16), scale: 0 })
})
