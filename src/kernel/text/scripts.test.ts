import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mixedScripts, mixedScriptsNote } from './scripts.ts'

test('names in a single script, or in the Japanese, Korean or Chinese combinations, are ordinary', () => {
  for (const name of [
    'Ann Müller-Ørsted',
    'Анна Иванова',
    'Ελένη',
    '田中たろう カタカナ',
    '김민수 金',
    'Lee 이',
    'Tanaka 田中',
    '李雷',
    'שלום',
    'Anna 2 👩🏽‍🚀 (x)',
    'e\u0301',
    '',
  ])
    assert.equal(mixedScripts(name), undefined, name)
})

test('lookalike letters of other scripts are noted', () => {
  assert.deepEqual(mixedScripts('\u0410nn'), ['Latin', 'Cyrillic'])
  assert.deepEqual(mixedScripts('Ann \u039frsted'), ['Latin', 'Greek'])
  assert.deepEqual(mixedScripts('たа'), ['Cyrillic', 'Hiragana'])
  assert.equal(
    mixedScriptsNote('B\u043eb'),
    'This name mixes Latin and Cyrillic letters: it may look like the name of another person.',
  )
  assert.equal(mixedScriptsNote('Bob'), undefined)
})
