import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../testing/properties.ts'
import { passagesOf } from './passages.ts'

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '')

test('passages cover the whole text, in order, without gaps', () => {
  const line = fc
    .array(fc.constantFrom('Vent', 'valve.', 'opens!', 'a', 'the', 'Why?', 'x'.repeat(40)), {
      maxLength: 60,
    })
    .map((words) => words.join(' '))
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 30 }).map((lines) => lines.join('\n')),
      (text) => {
        const passages = passagesOf(text)
        assert.deepEqual(
          words(passages.map(({ start, length }) => text.slice(start, start + length)).join('')),
          words(text),
        )
        for (const [i, { start }] of passages.entries())
          if (i > 0) assert.equal(start, passages[i - 1]!.start + passages[i - 1]!.length)
      },
    ),
  )
})

test('a passage has about eighty words, even in a text without sentence ends', () => {
  for (const text of [
    'One two three four five six seven eight. '.repeat(200),
    'word '.repeat(2000),
    'word\n'.repeat(2000),
  ]) {
    const sizes = passagesOf(text).map(
      ({ start, length }) => words(text.slice(start, start + length)).length,
    )
    assert.ok(Math.max(...sizes) <= 130, String(Math.max(...sizes)))
    assert.ok(Math.min(...sizes) >= 20, String(Math.min(...sizes)))
  }
})

test('a text without words is one passage, and a huge one is cut off', () => {
  assert.deepEqual(passagesOf(''), [{ start: 0, length: 0 }])
  assert.equal(passagesOf('A few words here.').length, 1)
  assert.equal(passagesOf('word '.repeat(400_000)).length, 2000)
})
