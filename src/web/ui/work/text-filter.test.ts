import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phraseFilter } from './phrase-filter.ts'
import { wordFilter } from './text-filter.ts'
import { rankSuggestions } from './suggestions.ts'

const pairs: readonly (readonly [query: string, text: string])[] = [
  ['strasse', 'Hauptstraße 5'],
  ['STRASSE', 'straße'],
  ['straße', 'Strasse'],
  ['cafe', 'Café'],
  ['Café', 'CAFE'],
  ['cafe\u0301', 'Caf\u00e9'],
  ['ozil', 'Mesut Özil'],
  ['istanbul', 'İstanbul'],
  ['lodz', 'Łódź'],
  ['ЁЛКА', 'елка'],
  ['елка', 'Ёлка'],
  ['会议', '明天的会议'],
  ['ABC', 'ＡＢＣ'],
  ['１２', '12'],
  ['カタカナ', 'ｶﾀｶﾅ'],
  ['ｶﾞ', 'ガ'],
  ['σοφος', 'ΣΟΦΌΣ'],
]

test('a filter finds a text in any spelling of its letters', () => {
  for (const [query, text] of pairs) {
    assert.ok(wordFilter(query)(text), `${query} finds ${text}`)
    assert.ok(phraseFilter(query)(`before ${text} after`), `${query} finds the phrase ${text}`)
  }
})

test('words are found in any order, a phrase only verbatim', () => {
  assert.ok(wordFilter(' ozil  mesut ')('Mesut Özil'))
  assert.ok(phraseFilter(' Mesut ozil ')('Mesut Özil'))
  assert.ok(!phraseFilter('ozil mesut')('Mesut Özil'))
  assert.ok(!wordFilter('ozil anna')('Mesut Özil'))
  assert.ok(!wordFilter('议会')('明天的会议'))
})

test('an empty query matches everything', () => {
  for (const query of ['', '  ']) {
    assert.ok(wordFilter(query)('Café'))
    assert.ok(phraseFilter(query)('Café'))
  }
})

test('completions ignore accents like filters do', () => {
  const names = ['Zoë Berg', 'Mesut Özil', 'Łukasz']
  const namesFor = (query: string) => rankSuggestions(names, query, (name) => name)
  assert.deepEqual(namesFor('zoe'), ['Zoë Berg'])
  assert.deepEqual(namesFor('OZ'), ['Mesut Özil'])
  assert.deepEqual(namesFor('luk'), ['Łukasz'])
})
