import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryStarvedRender } from './render-time.ts'

/** Fails with Liquid's limit error the given number of times, after some processor time. */
function failing(times: number, busyMs: number): () => string {
  return () => {
    const start = process.threadCpuUsage()
    while (process.threadCpuUsage(start).user < busyMs * 1000);
    if (times-- > 0) throw new Error('template render limit exceeded, line:1, col:1')
    return 'text'
  }
}

test('a render delayed by a busy processor is repeated at most twice', () => {
  assert.equal(retryStarvedRender(1000, failing(2, 0)), 'text')
  assert.throws(() => retryStarvedRender(1000, failing(3, 0)), /render limit/)
})

test('a render that used up the time itself or failed otherwise is not repeated', () => {
  assert.throws(() => retryStarvedRender(10, failing(1, 8)), /render limit/)
  let renders = 0
  const broken = () => {
    renders++
    throw new Error('undefined variable: x')
  }
  assert.throws(() => retryStarvedRender(1000, broken), /undefined variable/)
  assert.equal(renders, 1)
})
