import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../testing/properties.ts'
import { goldenTexts, modelVocabulary } from '../../testing/encoder.ts'
import { Tokenizer } from '../encoder/tokenizer.ts'
import { Vocabulary } from '../encoder/vocabulary.ts'
import { passagesOf, sizeInTokens } from './passages.ts'

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '')

test('passages cover the whole text, in order, without gaps', () => {
  const line = fc
    .array(fc.constantFrom('Vent', 'valve.', 'opens!', 'a', 'the', 'Why?', 'x'.repeat(40)), {
      maxLength: 60,
    })
    .map((words) => words.join(' '))
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 30 }).map((lines) => lines.join('\n')),
      (text) => {
        const passages = passagesOf(text)
        assert.deepEqual(
          words(passages.map(({ start, length }) => text.slice(start, start + length)).join('')),
          words(text),
        )
        for (const [i, { start }] of passages.entries())
          if (i > 0) assert.equal(start, passages[i - 1]!.start + passages[i - 1]!.length)
      },
    ),
  )
})

test('a passage has about eighty words, even in a text without sentence ends', () => {
  for (const text of [
    'One two three four five six seven eight. '.repeat(200),
    'word '.repeat(2000),
    'word\n'.repeat(2000),
  ]) {
    const sizes = passagesOf(text).map(
      ({ start, length }) => words(text.slice(start, start + length)).length,
    )
    assert.ok(Math.max(...sizes) <= 130, String(Math.max(...sizes)))
    assert.ok(Math.min(...sizes) >= 20, String(Math.min(...sizes)))
  }
})

test('a text without words is one passage, and a huge one is cut off', () => {
  assert.deepEqual(passagesOf(''), [{ start: 0, length: 0 }])
  assert.equal(passagesOf('A few words here.').length, 1)
  assert.equal(passagesOf('word '.repeat(400_000)).length, 2000)
  assert.equal(passagesOf('明天的会议改到三点。'.repeat(100_000)).length, 1250)
})

test('passages for a model have at most 160 tokens, in any script and without any space', () => {
  const tokenizer = new Tokenizer(new Vocabulary(modelVocabulary()))
  const texts = [
    ...goldenTexts()
      .filter(({ text }) => !text.includes('ﷺ')) // one character that stands for eighteen
      .map(({ text }) => `${text.replace(/^\w+: /, '')} `.repeat(60)),
    '会议改到三点'.repeat(500),
    'การประชุมพรุ่งนี้เลื่อนเป็นบ่ายสามโมง'.repeat(50),
    'aGVsbG8gd29ybGQ'.repeat(500),
    '😀'.repeat(2001),
    '| 3,141.59 | 2.71 | -1 |\n'.repeat(200),
  ]
  for (const text of texts) {
    const passages = passagesOf(text, sizeInTokens).map(({ start, length }) =>
      text.slice(start, start + length),
    )
    assert.equal(passages.join(''), text.trimStart() === text ? text : passages.join(''))
    for (const passage of passages) {
      const tokens = tokenizer.count(passage)
      assert.ok(tokens <= 160, `${tokens} tokens: ${passage.slice(0, 50)}`)
      assert.ok(passage.isWellFormed() || !text.isWellFormed())
    }
    const mean = tokenizer.count(text) / passages.length
    assert.ok(text.length < 1000 || mean > 30, `${mean} tokens a passage: ${text.slice(0, 50)}`)
  }
})

test('sentences of scripts without spaces are not cut', () => {
  const sentence = '明天的会议改到三点，地点不变。'
  for (const { start, length } of passagesOf(sentence.repeat(100), sizeInTokens)) {
    assert.equal(start % sentence.length, 0)
    assert.equal(length % sentence.length, 0)
  }
})
