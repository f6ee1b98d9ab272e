import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withinRenderTime } from './render-time.ts'

/** Fails with Liquid's limit error the given number of times, after some processor time. */
function failing(times: number, busyMs: number): () => string {
  return () => {
    const start = process.threadCpuUsage()
    while (process.threadCpuUsage(start).user < busyMs * 1000);
    if (times-- > 0) throw new Error('template render limit exceeded, line:1, col:1')
    return 'text'
  }
}

test('a render that waited for the processor is repeated, twice at most', () => {
  assert.equal(withinRenderTime(1000, failing(2, 0)), 'text')
  assert.throws(() => withinRenderTime(1000, failing(3, 0)), /render limit/)
})

test('a render that used the time itself is not repeated, and neither is one that failed otherwise', () => {
  assert.throws(() => withinRenderTime(10, failing(1, 8)), /render limit/)
  let renders = 0
  const broken = () => {
    renders++
    throw new Error('undefined variable: x')
  }
  assert.throws(() => withinRenderTime(1000, broken), /undefined variable/)
  assert.equal(renders, 1)
})
