import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../testing/properties.ts'
import { diffRows, type DiffRow } from './line-diff.ts'

const textOf = (row: DiffRow) =>
  row.kind === 'gap' ? `… ${row.count}` : row.parts.map((part) => part.text).join('')
const markedTexts = (row: DiffRow | undefined) =>
  row && row.kind !== 'gap' ? row.parts.filter((part) => part.isMarked).map(({ text }) => text) : []

test('a changed line is shown with its words marked, context lines, and a count of omitted ones', () => {
  const lines = Array.from({ length: 20 }, (_, n) => `line ${n + 1} of the text`)
  const after = lines.with(9, 'line 10 of a text').join('\n')
  const rows = diffRows(lines.join('\n'), after)
  assert.deepEqual(rows.map(textOf), [
    '… 6',
    ...lines.slice(6, 10),
    'line 10 of a text',
    ...lines.slice(10, 13),
    '… 7',
  ])
  const [removed, added] = rows.filter((row) => row.kind === 'removed' || row.kind === 'added')
  assert.deepEqual([markedTexts(removed), markedTexts(added)], [['the'], ['a']])
  assert.deepEqual([removed?.number, added?.number, rows.at(-1)?.number], [10, 10, 14])
})

test('lines with little in common are not marked word by word', () => {
  const [removed, added] = diffRows('The quick brown fox', 'Nothing of that at all')
  assert.deepEqual([markedTexts(removed), markedTexts(added)], [[], []])
})

test('equal texts have no difference; against an empty text every line is new', () => {
  assert.deepEqual(diffRows('one\ntwo\n', 'one\ntwo\n'), [])
  assert.deepEqual(
    diffRows('', 'one\ntwo')
      .filter((row) => row.kind === 'added')
      .map(textOf),
    ['one', 'two'],
  )
})

test('removed and unchanged lines form the old text, added and unchanged lines the new one', () => {
  const line = fc.constantFrom('', 'a', 'b', 'one two three', 'one 2 three', '😀 x', 'end\r')
  const text = fc.array(line, { maxLength: 7 }).map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const rows = diffRows(before, after)
      if (before === after) return assert.deepEqual(rows, [])
      if (rows.some((row) => row.kind === 'gap')) return
      const without = (kind: string) =>
        rows
          .filter((row) => row.kind !== kind)
          .map(textOf)
          .join('\n')
      assert.equal(without('added'), before)
      assert.equal(without('removed'), after)
    }),
  )
})

test('two long texts with nothing in common are compared in bounded time', () => {
  const text = (seed: string) =>
    Array.from({ length: 20_000 }, (_, n) => `${seed} ${(n * 7919) % 10_007} words ${seed}`).join(
      '\n',
    )
  const startedAt = performance.now()
  const rows = diffRows(text('a'), text('b'))
  assert.equal(rows.length, 40_000)
  assert.ok(performance.now() - startedAt < 3000, 'the work is bounded')
})
