import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuWatch } from '../../testing/cost.ts'
import { csvLines, joinValues, splitCell, unescapeFormula, escapeFormula } from './csv.ts'

test('potential spreadsheet formulas are escaped with an apostrophe and unescaped again', () => {
  const formulas = ['=1+1', '+49 30', '-1', '@SUM(A1)', '\t=1', "'=1", "''+1", '＝1', '＋1', '\r=1']
  for (const text of formulas) {
    assert.equal(escapeFormula(text), `'${text}`)
    assert.equal(unescapeFormula(escapeFormula(text)), text)
  }
  for (const text of ['Anna', "'quoted'", "it's", '', 'a=b', "'"]) {
    assert.equal(escapeFormula(text), text)
    assert.equal(unescapeFormula(text), text)
  }
})

test('fields are quoted where necessary, and numbers stay numbers', () => {
  const lines = csvLines([['a,b', 'say "x"', -5, true, null, 'one\ntwo']])
  assert.equal(lines, '"a,b","say ""x""",-5,yes,,"one\ntwo"\r\n')
  assert.equal(csvLines([]), '')
})

test('several values in a cell survive a round trip, whatever they contain', () => {
  for (const values of [
    ['a', 'b'],
    ['a, b', 'c; d', 'e|f'],
    ['say "x"', '"', '"quoted"', 'a "b", c'],
    ['two\nlines'],
    ['+1-212-555-2368;ext=55', '5" disks'],
    [],
  ]) {
    assert.deepEqual(splitCell(joinValues(values), /;(?!ext=)|[,|\n]/), values)
  }
  assert.equal(
    joinValues(['jane@x.example', '+1-212-555-2368;ext=55']),
    'jane@x.example; +1-212-555-2368;ext=55',
  )
  assert.deepEqual(splitCell(' "a" , b c ,, "open, d', /,/), ['a', 'b c', '"open', 'd'])
})

test('the time to split a cell grows linearly with its length', () => {
  for (const text of [' ', '"', '""', '",', '"a,', '"""b,', ' ,', '" ', ';ext=']) {
    const spent = cpuWatch()
    splitCell(`"${text.repeat(300_000)}`, /;(?!ext=)|[,|\n]/)
    assert.ok(spent() < 2_000, JSON.stringify(text))
  }
})
