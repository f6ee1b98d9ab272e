import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../kernel/refusal.ts'
import { FrameReader, encodeFrame, type ProtocolFrame } from './frames.ts'
import { memoryBudget } from './memory.ts'
import { Sandbox, SandboxFailure } from './sandbox.ts'
import type { ProbeTasks } from './probing.ts'

const sandbox = new Sandbox<ProbeTasks>('probing', import.meta.url, {
  cpuMs: 10_000,
  megabytes: 192,
})
const isFailure = (reason: SandboxFailure['reason']) => (error: unknown) =>
  error instanceof SandboxFailure && error.reason === reason

test('a task returns a result, and the caller keeps its input', async () => {
  const bytes = new Uint8Array([1, 2, 3])
  assert.deepEqual(await sandbox.run('sum', { bytes, times: 2 }), { sum: 12 })
  assert.deepEqual(bytes, new Uint8Array([1, 2, 3]))
  assert.deepEqual(
    await sandbox.run('sum', { bytes: new Uint8Array(5_000_000).fill(1), times: 1 }),
    { sum: 5_000_000 },
  )
})

test('a process that exceeds a limit is killed, and the next task gets a new one', async () => {
  await assert.rejects(sandbox.run('spin', {}, { cpuMs: 200 }), isFailure('time'))
  await assert.rejects(sandbox.run('growHeap', {}), isFailure('memory'))
  await assert.rejects(sandbox.run('growBuffers', {}), isFailure('memory'))
  await assert.rejects(sandbox.run('nest', {}), /nested too deeply/)
  await assert.rejects(sandbox.run('exit', {}), isFailure('failed'))
  assert.deepEqual(await sandbox.run('sum', { bytes: new Uint8Array([1]), times: 1 }), { sum: 1 })
})

test('a refusal is rethrown unchanged', async () => {
  await assert.rejects(
    sandbox.run('refuse', {}),
    (error: unknown) =>
      error instanceof Refusal &&
      error.code === 'too_large' &&
      error.message === 'Too many rows.' &&
      error.more.field === 'content' &&
      error.status === 413,
  )
})

test('batches are produced one at a time, each after the previous one is consumed', async () => {
  const seen: unknown[] = []
  const batches = sandbox.batches('count', { limit: 5 })
  for (let next = await batches.next(); ; next = await batches.next()) {
    seen.push(next.value)
    if (next.done) break
  }
  assert.deepEqual(seen, [[0, 0], [1, 1], [2, 2], [3, 3], [4, 4], { made: 5 }])
})

test('a consumer that stops taking batches stops the task', async () => {
  for await (const [i] of sandbox.batches('count', { limit: 1e9 })) if (i === 3) break
  assert.deepEqual(await sandbox.run('sum', { bytes: new Uint8Array([1]), times: 1 }), { sum: 1 })
})

test('tasks of different owners take turns', async () => {
  const order: string[] = []
  const run = (owner: string) =>
    sandbox
      .run('sum', { bytes: new Uint8Array([1]), times: 1 }, { owner })
      .then(() => order.push(owner))
  await Promise.all([run('a'), run('a'), run('a'), run('b')])
  assert.deepEqual(order, ['a', 'a', 'b', 'a'])
})

test('a reader process gets nothing from the environment', async () => {
  process.env.WORKSPACE_PROBE = 'secret'
  const names = await sandbox.run('environment', {})
  delete process.env.WORKSPACE_PROBE
  assert.ok(!names.some((name) => name.startsWith('WORKSPACE_')), names.join())
})

test('frames are reassembled from any chunks, and an oversized one is refused before it is buffered', () => {
  const frames: ProtocolFrame[] = [
    { message: Buffer.from('abc'), bytes: Buffer.from('de') },
    { message: Buffer.alloc(0), bytes: Buffer.alloc(0) },
    { message: Buffer.from('f'), bytes: Buffer.alloc(0) },
  ]
  const stream = Buffer.concat(frames.flatMap(encodeFrame))
  for (const size of [1, 3, 7, 100]) {
    const receivedFrames: string[] = []
    const reader = new FrameReader(100, ({ message, bytes }) =>
      receivedFrames.push(`${Buffer.from(message)}|${Buffer.from(bytes)}`),
    )
    for (let at = 0; at < stream.length; at += size) reader.push(stream.subarray(at, at + size))
    assert.deepEqual(receivedFrames, ['abc|de', '|', 'f|'])
  }
  assert.throws(() => new FrameReader(4, () => {}).push(stream), /too long/)
})

test('with 1 GiB of memory, half of it is left to the server', () => {
  assert.deepEqual(memoryBudget(1024), { perProcess: 256, total: 512 })
  assert.deepEqual(memoryBudget(64 * 1024), { perProcess: 512, total: 1536 })
})
