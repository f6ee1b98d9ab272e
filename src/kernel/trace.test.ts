import assert from 'node:assert/strict'
import { test } from 'node:test'
import { traceIn } from './trace.ts'

test('a trace context is read only if well-formed', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const spanId = '00f067aa0ba902b7'
  assert.deepEqual(traceIn(`00-${traceId}-${spanId}-01`), { traceId, spanId, isSampled: true })
  assert.deepEqual(traceIn(`01-${traceId}-${spanId}-02-of-later`), {
    traceId,
    spanId,
    isSampled: false,
  })
  const bad = [
    undefined,
    7,
    '',
    traceId,
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-01x`,
  ]
  for (const item of bad) assert.equal(traceIn(item), undefined, String(item))
})
