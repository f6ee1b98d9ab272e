import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../kernel/ids.ts'
import { Census, RecentDistinct, RecentSum } from './recent.ts'

test('distinct values count once, and only while recent', () => {
  const seen = new RecentDistinct(1000)
  assert.deepEqual(
    ['a', 'b', 'a'].map((value) => seen.add(value, 0, 10)),
    [1, 2, 2],
  )
  assert.equal(seen.add('a', 900, 10), 2)
  assert.equal(seen.add('c', 1000, 10), 2) // b is too old, a was seen again
  assert.equal(seen.add('d', 1950, 10), 2)
})

test('no more values are stored than needed', () => {
  const seen = new RecentDistinct(1000)
  let counted = 0
  for (let i = 0; i < 5000; i++) counted = seen.add(String(i), 0, 50)
  assert.equal(counted, 50)
})

test('a sum drops old values', () => {
  const recent = new RecentSum(1000)
  recent.add(3, 0)
  recent.add(4, 500)
  assert.equal(recent.sum(999), 7)
  assert.equal(recent.sum(1000), 4)
  assert.equal(recent.sum(1500), 0)
})

test('distinct ids are counted within a few percent, and anew after an hour', () => {
  const census = new Census(3600_000, 10_000, 0)
  const ids = Array.from({ length: 10_000 }, (_, i) => newId('tsk', 1_800_000_000_000 + (i % 7)))
  for (const id of ids) census.add(id)
  for (const id of ids) census.add(id)
  assert.ok(Math.abs(census.count - 10_000) < 500, String(census.count))
  census.advanceTo(3599_999)
  assert.ok(census.count > 9000)
  census.advanceTo(3600_000)
  assert.equal(census.count, 0)
})
