import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyPattern, keysFor } from './keys.ts'

const first = (name: string, count = 1) => [...take(keysFor(name), count)]

function* take<T>(from: Generator<T>, count: number): Generator<T> {
  for (let i = 0; i < count; i++) yield from.next().value as T
}

test('a key consists of the initials of several words, or the beginning of a single one', () => {
  assert.deepEqual(first('Website relaunch'), ['WR'])
  assert.deepEqual(first('Engineering'), ['ENG'])
  assert.deepEqual(first('the very long name of a project'), ['TVLNO'])
})

test('accents are stripped, and a name without Latin letters gets a generic key', () => {
  assert.deepEqual(first('Über Ärger'), ['UA'])
  assert.deepEqual(first('项目'), ['PRJ'])
  assert.deepEqual(first('X'), ['XA'])
})

test('thousands of keys for one name have two to five letters, with few duplicates', () => {
  const keys = first('Project', 2000)
  assert.ok(keys.every((key) => keyPattern.test(key) && key.length <= 5 && /^[A-Z]+$/.test(key)))
  assert.ok(new Set(keys).size > 1950)
})
