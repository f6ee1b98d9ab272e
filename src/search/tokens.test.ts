import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stem } from './stem.ts'
import { forEachWord, StemFinder, stemHash, textTokens, wordsOf } from './tokens.ts'

const texts = [
  'The Servers were deployed; deploying TWO servers takes 40 minutes.',
  'Café „Zürich“ – naïve co-operation, 1½ litres, Größe, ﬁne, it’s e\u0301tude',
  'Ελλάδα και ΟΔΥΣΣΕΥΣ, 東京タワー, Привет мир',
  "o'clock don't  under_score\ttab\nline",
  '',
  '…!?',
]

test('words are numbered as the index cuts and stems them, beyond ASCII too', () => {
  for (const text of texts)
    assert.deepEqual(
      [...textTokens('', text).text],
      wordsOf(text).map((word) => stemHash(stem(word))),
      text,
    )
})

test('a word is where it stands in the text', () => {
  const text = 'Two Cafés, deployed'
  const found: string[] = []
  forEachWord(text, (_, start, end) => {
    found.push(text.slice(start, end))
    return found.length < 2
  })
  assert.deepEqual(found, ['Two', 'Cafés'])
})

test('the stems of a query are found in the title and in the text, each at its places', () => {
  const finder = new StemFinder(['deploi', 'server'])
  const { places, titleLength } = finder.placesIn(
    textTokens('Deployed servers', 'The server that we deploy'),
  )
  assert.equal(titleLength, 2)
  assert.deepEqual(Object.fromEntries(places), { deploi: [0, 7], server: [1, 4] })
})
