import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mixedScripts, mixedScriptsNote } from './scripts.ts'

test('names in one script, and in those of Japanese, Korean and Chinese, are ordinary', () => {
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

test('letters of other scripts that look alike are noted', () => {
  assert.deepEqual(mixedScripts('\u0410nn'), ['Latin', 'Cyrillic'])
  assert.deepEqual(mixedScripts('Ann \u039frsted'), ['Latin', 'Greek'])
  assert.deepEqual(mixedScripts('たа'), ['Cyrillic', 'Hiragana'])
  assert.equal(
    mixedScriptsNote('B\u043eb'),
    'This name mixes Latin and Cyrillic letters: it may look like the name of another person.',
  )
  assert.equal(mixedScriptsNote('Bob'), undefined)
})
