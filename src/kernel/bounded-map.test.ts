import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BoundedMap } from './bounded-map.ts'

function filled(...keys: string[]): BoundedMap<string, number> {
  const map = new BoundedMap<string, number>(3)
  for (const [i, key] of keys.entries()) map.set(key, i)
  return map
}

test('adding beyond capacity drops the oldest entry', () => {
  const map = filled('a', 'b', 'c')
  assert.equal(map.isFull, true)
  map.set('d', 9)
  assert.deepEqual(
    [...map],
    [
      ['b', 1],
      ['c', 2],
      ['d', 9],
    ],
  )
})

test('setting an existing entry makes it the newest and drops nothing', () => {
  const map = filled('a', 'b', 'c').set('a', 7)
  assert.deepEqual(
    [...map],
    [
      ['b', 1],
      ['c', 2],
      ['a', 7],
    ],
  )
  assert.deepEqual([...map.set('d', 8).keys()], ['c', 'a', 'd'])
})

test('use keeps an entry from being dropped; get does not', () => {
  const map = filled('a', 'b', 'c')
  assert.equal(map.get('a'), 0)
  assert.equal(map.use('b'), 1)
  assert.deepEqual([...map.set('d', 3).set('e', 4).keys()], ['b', 'd', 'e'])
})

test('useOrAdd creates a value once', () => {
  const map = filled('a', 'b', 'c')
  assert.equal(
    map.useOrAdd('a', () => assert.fail('there is one')),
    0,
  )
  assert.equal(
    map.useOrAdd('d', () => 4),
    4,
  )
  assert.deepEqual([...map.keys()], ['c', 'a', 'd'])
})

test('use of a missing entry adds nothing', () => {
  const map = filled('a', 'b')
  assert.equal(map.use('x'), undefined)
  assert.deepEqual([map.size, map.isFull], [2, false])
})
