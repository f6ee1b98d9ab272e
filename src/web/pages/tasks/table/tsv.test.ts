import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printTsv, readTsv } from './tsv.ts'

test('cells with any content survive the round trip', () => {
  const cells = [
    ['plain', '', 'with "quotes"', 'two\nlines'],
    ['a\tb', '"', ' spaces ', ''],
  ]
  assert.deepEqual(readTsv(printTsv(cells)), cells)
})

test('clipboard text of spreadsheets is read: Windows line endings, one at the end', () => {
  assert.deepEqual(readTsv('a\tb\r\nc\td\r\n'), [
    ['a', 'b'],
    ['c', 'd'],
  ])
  assert.deepEqual(readTsv('a\n\nb'), [['a'], [''], ['b']])
  assert.deepEqual(readTsv(''), [])
})

test('an unclosed quote is a literal character, and many of them are read in one pass', () => {
  assert.deepEqual(readTsv('"open\tb'), [['"open', 'b']])
  assert.deepEqual(readTsv('5" pipe\tx'), [['5" pipe', 'x']])
  assert.equal(readTsv('"'.repeat(400_001))?.length, 1)
  assert.equal(readTsv('a'.repeat(500_001)), undefined)
})
