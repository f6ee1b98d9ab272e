import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isNestedDeeply } from './nesting.ts'

test('absurdly deep quotations, lists, indentation, brackets and elements are detected', () => {
  const deepTexts = [
    '> '.repeat(20_000),
    '>'.repeat(300),
    '- '.repeat(5000),
    '1. '.repeat(300),
    `x\n${' '.repeat(1000)}- a`,
    '['.repeat(2000),
    '![a'.repeat(2000),
    '<b>'.repeat(2000),
    `ok\n\n${'> '.repeat(300)}x`,
  ]
  for (const text of deepTexts) assert.equal(isNestedDeeply(text), true, text.slice(0, 40))
})

test('ordinary texts are not flagged as deeply nested', () => {
  const ordinaryTexts = [
    '> > > quoted thrice',
    '- a\n  - b\n    - c',
    '[a](b) '.repeat(5000),
    '<b>x</b>'.repeat(5000),
    '<br>\n'.repeat(5000),
    '<p>x<li>y'.repeat(5000),
    '<img src=x>'.repeat(5000),
    '|'.repeat(3000),
    '-'.repeat(1000),
    '* * *',
    '[ ] '.repeat(5000),
    '[\n\n'.repeat(3000),
  ]
  for (const text of ordinaryTexts) assert.equal(isNestedDeeply(text), false, text.slice(0, 40))
  const readmeFiles = globSync('node_modules/*/README.md', {
    cwd: new URL('../../../../', import.meta.url).pathname,
  }).slice(0, 200)
  for (const file of readmeFiles)
    assert.equal(
      isNestedDeeply(readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8')),
      false,
      file,
    )
})

test('texts crafted to be slow to scan are scanned', () => {
  const slowTexts = [
    '<a '.repeat(500_000),
    '<'.repeat(2_000_000),
    '1'.repeat(2_000_000),
    '> \n'.repeat(500_000),
    '<a <'.repeat(500_000),
  ]
  for (const text of slowTexts) assert.equal(isNestedDeeply(text), false, text.slice(0, 40))
})
