import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../testing/properties.ts'
import { conflictsIn, mergedText, mergeParts } from './merge.ts'

const merged = (base: string, mine: string, theirs: string) => {
  const parts = mergeParts(base, mine, theirs)
  assert.deepEqual(conflictsIn(parts), [])
  return mergedText(parts, () => [])
}

test('changes to different lines are both kept byte for byte', () => {
  const base = '# Plan\r\n\r\none\n  two  \nthree\n'
  assert.equal(
    merged(base, base.replace('one', 'ONE'), base.replace('three\n', 'THREE')),
    '# Plan\r\n\r\nONE\n  two  \nTHREE',
  )
  assert.equal(merged(base, `${base}mine\n`, `head\n${base}`), `head\n${base}mine\n`)
  assert.equal(
    merged(base, base.replace('one\n', ''), `${base}end`),
    `${base.replace('one\n', '')}end`,
  )
})

test('a replacement by one side and an adjacent insertion by the other are both kept', () => {
  assert.equal(merged('a\nb\nc', 'a\nB\nc', 'a\nnew\nb\nc'), 'a\nnew\nB\nc')
  assert.equal(merged('a\nb\nc', 'a\nnew\nb\nc', 'a\nB\nc'), 'a\nnew\nB\nc')
  assert.equal(merged('a\nb\nc', 'a\nB\nc', 'a\nb\nC'), 'a\nB\nC')
})

test('insertions at the same place follow each other; one already merged is not added again', () => {
  assert.equal(merged('a\n', 'a\nmine\n', 'a\ntheirs\n'), 'a\ntheirs\nmine\n')
  assert.equal(merged('a\n', 'a\nmine\n', 'a\nmine\nmore\n'), 'a\nmine\nmore\n')
  assert.equal(merged('a\nb', 'a\nB', 'a\nB'), 'a\nB')
})

test('lines changed differently by both are a conflict with both versions', () => {
  const parts = mergeParts('1\n2\n3\n4\n5', '1\nmine\n3\n4\n5', '0\n1\ntheirs\n3\n4\nfive')
  assert.deepEqual(conflictsIn(parts), [
    { line: 3, base: ['2'], mine: ['mine'], theirs: ['theirs'] },
  ])
  assert.equal(
    mergedText(parts, (conflict) => [...conflict.theirs, ...conflict.mine]),
    '0\n1\ntheirs\nmine\n3\n4\nfive',
  )
  const removed = mergeParts('1\n2\n3', '1\n3', '1\ntwo\n3')
  assert.deepEqual(conflictsIn(removed), [{ line: 2, base: ['2'], mine: [], theirs: ['two'] }])
})

const lines = fc.array(fc.constantFrom('', 'a', 'b', 'c', '# h\r', '😀'), { maxLength: 12 })
const texts = lines.map((list) => list.join('\n'))

test('an unchanged side takes the other as it is', () => {
  fc.assert(
    fc.property(texts, texts, (base, other) => {
      assert.equal(merged(base, base, other), other)
      assert.equal(merged(base, other, base), other)
      assert.equal(merged(base, other, other), other)
    }),
  )
})

test('every line added by either side appears in the merge or in a conflict', () => {
  fc.assert(
    fc.property(texts, texts, texts, (base, mine, theirs) => {
      const parts = mergeParts(base, mine, theirs)
      const conflictLines = mergedText(parts, (conflict) => [
        ...conflict.theirs,
        ...conflict.mine,
      ]).split('\n')
      const before = new Set(base.split('\n'))
      for (const side of [mine, theirs])
        for (const line of side.split('\n'))
          assert.ok(before.has(line) || conflictLines.includes(line))
    }),
  )
})

test('a line emptied by one side and removed by the other is a conflict', () => {
  const parts = mergeParts('a\nb', '\nb', 'b')
  assert.deepEqual(conflictsIn(parts), [{ line: 1, base: ['a'], mine: [''], theirs: [] }])
})

test('texts without a common line are compared within bounds', () => {
  const numberedLines = (name: string) =>
    Array.from({ length: 60_000 }, (_, n) => `${name} ${n}`).join('\n')
  const parts = mergeParts(numberedLines('base'), numberedLines('mine'), numberedLines('theirs'))
  assert.equal(conflictsIn(parts).length, 1)
})

test('a merge does not depend on how fast the machine is', (t) => {
  let now = 0
  t.mock.method(Date, 'now', () => (now += 3_600_000))
  const base = `one\n${'same\n'.repeat(50_000)}two\nend\n`
  assert.equal(
    merged(base, base.replace('one', 'ONE').replace('end', 'END'), base.replace('two', 'TWO')),
    base.replace('one', 'ONE').replace('two', 'TWO').replace('end', 'END'),
  )
})
