import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getHeapStatistics } from 'node:v8'
import { IdleMemory } from './idle-memory.ts'

const heap = () => getHeapStatistics().total_heap_size

/** Leaves at least 100 MB of garbage that V8's minor collections do not free. */
function allocateGarbage(): void {
  const objects: object[] = []
  for (let i = 0; i < 1_000_000; i++) objects.push({ i, name: `thing ${i}` })
  assert.equal(objects.length, 1_000_000)
}

test('memory taken under load is released only once idle', () => {
  const memory = new IdleMemory()
  memory.collectIfIdle(0)
  const before = heap()
  allocateGarbage()
  const loaded = heap()
  assert.ok(loaded > before + 50e6, `${before} became ${loaded}`)
  assert.equal(memory.collectIfIdle(5_000_000), false, 'the server is busy')
  assert.ok(heap() > before + 50e6, 'nothing was collected')
  assert.equal(memory.collectIfIdle(5_001_000), true, 'the server is idle')
  assert.ok(heap() < before + 16e6, `${loaded} fell to ${heap()} only`)
  assert.equal(memory.collectIfIdle(5_002_000), false, 'nothing more can be released')
})
