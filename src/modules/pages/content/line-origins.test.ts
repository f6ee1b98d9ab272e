import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LineOrigins } from './line-origins.ts'

/** Origins of the lines of the last text, by index of the text. */
function originsOf(...texts: string[]) {
  const last = texts.length - 1
  const origins = new LineOrigins<number>(texts[last] ?? '')
  for (let n = last; n > 0; n--) origins.goBack(texts[n - 1] ?? '', n)
  origins.end(0)
  assert.equal(origins.isDone, true)
  return origins.stretches().map(({ line, count, origin }) => [line, count, origin])
}

test('a line originates from the first text with its current form, even if lines above shifted it', () => {
  assert.deepEqual(originsOf('a\nb\nc', 'a\nB\nc', 'new\na\nB\nc', 'new\na\nB\nc\nd'), [
    [1, 1, 2],
    [2, 1, 0],
    [3, 1, 1],
    [4, 1, 0],
    [5, 1, 3],
  ])
})

test('removed lines that return originate from the text that brought them back', () => {
  assert.deepEqual(originsOf('a\nb', 'a', 'a\nb'), [
    [1, 1, 0],
    [2, 1, 2],
  ])
})

test('an empty text has one line, and unexamined lines have no origin', () => {
  assert.deepEqual(originsOf('', ''), [[1, 1, 0]])
  const origins = new LineOrigins<number>('a\nb')
  origins.goBack('a', 7)
  assert.equal(origins.isDone, false)
  assert.deepEqual(origins.stretches(), [
    { line: 1, count: 1, origin: undefined },
    { line: 2, count: 1, origin: 7 },
  ])
})
