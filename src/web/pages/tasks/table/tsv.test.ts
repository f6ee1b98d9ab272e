import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printTsv, readTsv } from './tsv.ts'

test('cells come back as they were, whatever stands in them', () => {
  const cells = [
    ['plain', '', 'with "quotes"', 'two\nlines'],
    ['a\tb', '"', ' spaces ', ''],
  ]
  assert.deepEqual(readTsv(printTsv(cells)), cells)
})

test('what spreadsheets put on the clipboard is read: line ends of Windows, one at the end', () => {
  assert.deepEqual(readTsv('a\tb\r\nc\td\r\n'), [
    ['a', 'b'],
    ['c', 'd'],
  ])
  assert.deepEqual(readTsv('a\n\nb'), [['a'], [''], ['b']])
  assert.deepEqual(readTsv(''), [])
})

test('a quote that never ends is a letter, and many of them are read in one pass', () => {
  assert.deepEqual(readTsv('"open\tb'), [['"open', 'b']])
  assert.deepEqual(readTsv('5" pipe\tx'), [['5" pipe', 'x']])
  assert.equal(readTsv('"'.repeat(400_001))?.length, 1)
  assert.equal(readTsv('a'.repeat(500_001)), undefined)
})
