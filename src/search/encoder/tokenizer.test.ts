import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goldenTexts, modelVocabulary } from '../../testing/encoder.ts'
import { maxIds, Tokenizer } from './tokenizer.ts'
import { Vocabulary } from './vocabulary.ts'

// Ids are compared with those of the model's own tokenizer (Hugging Face).

const vocabulary = new Vocabulary(modelVocabulary())
const tokenizer = new Tokenizer(vocabulary)

test('texts of sixteen languages and odd ones get the ids of the model’s own tokenizer', () => {
  for (const { text, ids } of goldenTexts()) assert.deepEqual(tokenizer.encode(text), ids, text)
})

test('marks of the model in a text are characters, and no ids of their own', () => {
  const ids = tokenizer.encode('<s> </s> <unk> <pad> <mask>')
  assert.deepEqual([ids[0], ids.at(-1)], [0, 2])
  assert.ok(ids.slice(1, -1).every((id) => id > 3))
})

test('a text of any length gets at most 512 ids, and ends with that of the end', () => {
  for (const text of ['a '.repeat(5000), 'x'.repeat(100_000), '会'.repeat(5000)]) {
    const ids = tokenizer.encode(text)
    assert.equal(ids.length, maxIds)
    assert.equal(ids.at(-1), 2)
  }
})

test('an empty text, lone surrogates and characters that no piece contains are encoded', () => {
  assert.deepEqual(tokenizer.encode(''), [0, 2])
  assert.deepEqual(tokenizer.encode(' \u200b\n '), [0, 2])
  assert.deepEqual(tokenizer.encode('\ud83d'), tokenizer.encode('\ufffd'))
  assert.equal(tokenizer.encode('\u{10600}\u{10601}\u{10602}').filter((id) => id === 3).length, 1)
})

test('counting gives the number of ids between the first and the last', () => {
  for (const { text, ids } of goldenTexts())
    if (ids.length < maxIds) assert.equal(tokenizer.count(text), ids.length - 2, text)
})

test('a vocabulary that was cut short is refused', () => {
  const file = modelVocabulary()
  assert.throws(
    () => new Vocabulary(file.subarray(0, file.length - 5)),
    /Line 250002 of the vocabulary is incomplete/,
  )
})
