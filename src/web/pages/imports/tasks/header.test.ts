import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvColumnsOf } from './header.ts'

test('the columns of a table are named by its first line, with any delimiter', () => {
  assert.deepEqual(csvColumnsOf('\ufeffWhat,When\r\na,b'), ['What', 'When'])
  assert.deepEqual(csvColumnsOf('What;"Said, done; ""now""";\n1;2;3'), [
    'What',
    'Said, done; "now"',
  ])
  assert.deepEqual(csvColumnsOf('"Two\nlines"\tB\tB'), ['Two\nlines', 'B'])
  assert.deepEqual(csvColumnsOf('Only'), ['Only'])
  assert.deepEqual(csvColumnsOf('sep=;\r\n\r\nWhat;When\r\na;b'), ['What', 'When'])
  assert.deepEqual(csvColumnsOf(''), [])
})
