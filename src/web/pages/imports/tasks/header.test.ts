import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnsOf } from './header.ts'

test('the columns of a table are named by its first line, whatever stands between them', () => {
  assert.deepEqual(columnsOf('\ufeffWhat,When\r\na,b'), ['What', 'When'])
  assert.deepEqual(columnsOf('What;"Said, done; ""now""";\n1;2;3'), ['What', 'Said, done; "now"'])
  assert.deepEqual(columnsOf('"Two\nlines"\tB\tB'), ['Two\nlines', 'B'])
  assert.deepEqual(columnsOf('Only'), ['Only'])
  assert.deepEqual(columnsOf('sep=;\r\n\r\nWhat;When\r\na;b'), ['What', 'When'])
  assert.deepEqual(columnsOf(''), [])
})
