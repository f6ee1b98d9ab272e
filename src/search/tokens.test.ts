import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StemSet } from './languages/stem-set.ts'
import { stem } from './stem.ts'
import { forEachWord, StemFinder, stemHash, textTokens, lowerCaseWords } from './tokens.ts'

const texts = [
  'The Servers were deployed; deploying TWO servers takes 40 minutes.',
  'Café „Zürich“ – naïve co-operation, 1½ litres, Größe, ﬁne, it’s e\u0301tude',
  'Ελλάδα και ΟΔΥΣΣΕΥΣ, 東京タワー, Привет мир',
  "o'clock don't  under_score\ttab\nline",
  '',
  '…!?',
]

test('words are tokenized and stemmed as in the index, beyond ASCII too', () => {
  for (const text of texts)
    assert.deepEqual(
      [...textTokens('', text).text],
      lowerCaseWords(text).map((word) => stemHash(stem(word))),
      text,
    )
})

test('words of each script are recognized, with spelling variants normalized', () => {
  const cases: [text: string, words: string[]][] = [
    ['会议改到三点', ['会议', '议改', '改到', '到三', '三点']],
    ['2026年の予算', ['2026', '年の', 'の予', '予算']],
    ['人', ['人']],
    ['か\u3099くせい ﾒｰﾙ', ['がく', 'くせ', 'せい', 'メー', 'ール']],
    ['서버', ['서버']],
    ['서버'.normalize('NFD'), ['서버']],
    ['हिंदी', ['हिंदी']],
    ['फ़ोन', ['फोन']],
    ['ЁЛКА, чай', ['елка', 'чаи']],
    ['Συνάντησης ΣΥΝΆΝΤΗΣΗΣ', ['συναντησησ', 'συναντησησ']],
    ['العَقْـد فاتورة', ['العقد', 'فاتوره']],
    ['İstanbul ILIK ılık', ['istanbul', 'ilik', 'ilik']],
    ['Straße Łódź Ærø', ['strasse', 'lodz', 'aero']],
    ['Rech\u00adnung', ['rechnung']],
    ['𠮷野家', ['𠮷野', '野家']],
  ]
  for (const [text, words] of cases) assert.deepEqual(lowerCaseWords(text), words, text)
})

test('a word of a script without spaces has the position of its characters', () => {
  const text = 'Ja, 会议改 – 𠮷野家'
  const parts: string[] = []
  forEachWord(text, 'none', (_, _forms, start, end) => {
    parts.push(text.slice(start, end))
    return true
  })
  assert.deepEqual(parts, ['Ja', '会议', '议改', '𠮷野', '野家'])
})

test('a word has its position in the text', () => {
  const text = 'Two Cafés, deployed'
  const words: string[] = []
  forEachWord(text, 'none', (_, _forms, start, end) => {
    words.push(text.slice(start, end))
    return words.length < 2
  })
  assert.deepEqual(words, ['Two', 'Cafés'])
})

test('the stems of a query are found in title and text, with positions', () => {
  const finder = new StemFinder(new StemSet(['deploy', 'servers']))
  const { places, titleLength } = finder.positionsIn(
    textTokens('Deployed servers', 'The server that we deploy'),
  )
  assert.equal(titleLength, 2)
  assert.deepEqual(Object.fromEntries(places), { deploi: [0, 7], server: [1, 4] })
})

test('an inflected form is found at its position, along with the exact word, and a compound by its part', () => {
  const finder = new StemFinder(new StemSet(['rechnung', 'strom']))
  const { places } = finder.positionsIn(
    textTokens('Rechnung', 'Die Rechnungen sind da, und die Stromrechnung ist nicht dabei.'),
  )
  assert.deepEqual(Object.fromEntries(places), { rechnung: [0, 3, 8], strom: [8] })
  assert.deepEqual(
    [...finder.positionsIn(textTokens('', 'Rechnungen of the company are what we have')).places],
    [],
  )
})

test('a text of megabytes is tokenized, even one without any break', () => {
  const sentence = '项目预算已经批准。'
  const words = lowerCaseWords(sentence.repeat(100_000))
  assert.equal(words.length, 7 * 100_000)
  assert.deepEqual(new Set(words), new Set(lowerCaseWords(sentence)))
  assert.ok(lowerCaseWords('长'.repeat(3_000_000)).length > 2_990_000)
  assert.equal(lowerCaseWords(`${'é'.repeat(5000)} end`).at(-1), 'end')
})
