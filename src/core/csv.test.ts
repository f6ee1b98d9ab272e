import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLines, withFormula, withoutFormula } from './csv.ts'

test('what a spreadsheet would compute gets an apostrophe, and loses it again', () => {
  const formulas = ['=1+1', '+49 30', '-1', '@SUM(A1)', '\t=1', "'=1", "''+1", '＝1', '＋1', '\r=1']
  for (const text of formulas) {
    assert.equal(withoutFormula(text), `'${text}`)
    assert.equal(withFormula(withoutFormula(text)), text)
  }
  for (const text of ['Anna', "'quoted'", "it's", '', 'a=b', "'"]) {
    assert.equal(withoutFormula(text), text)
    assert.equal(withFormula(text), text)
  }
})

test('lines are quoted where they must be, and numbers stay numbers', () => {
  const lines = csvLines([['a,b', 'say "x"', -5, true, null, 'one\ntwo']])
  assert.equal(lines, '"a,b","say ""x""",-5,yes,,"one\ntwo"\r\n')
  assert.equal(csvLines([]), '')
})
