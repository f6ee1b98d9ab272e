import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { Tokenizer as ReferenceTokenizer } from '@huggingface/tokenizers'
import { modelVocabulary } from '../../testing/encoder.ts'
import { maxIds, Tokenizer } from './tokenizer.ts'
import { Vocabulary } from './vocabulary.ts'

const collections = new URL('../../../bench/search/collections/', import.meta.url)

/** Replaces a class of characters, in the form of Hugging Face's tokenizer.json. */
const replace = (pattern: string, content: string) => ({
  type: 'Replace',
  pattern: { Regex: pattern },
  content,
})

/** The model's tokenizer in the form of Hugging Face. */
function referenceTokenizer(): ReferenceTokenizer {
  const pieces = Buffer.from(modelVocabulary())
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t') as [string, string])
  return new ReferenceTokenizer(
    {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: [],
      decoder: null,
      normalizer: {
        type: 'Sequence',
        normalizers: [
          replace('[\u0001-\u0008\u000b\u000e-\u001f\u007f\u008f\u009f]', ''),
          replace('[\t\n\u000c\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]', ' '),
          { type: 'NFKC' },
          replace(' {2,}', ' '),
          { type: 'Strip', strip_left: true, strip_right: true },
        ],
      },
      pre_tokenizer: {
        type: 'Metaspace',
        replacement: '\u2581',
        prepend_scheme: 'always',
        split: true,
      },
      post_processor: null,
      model: {
        type: 'Unigram',
        unk_id: 3,
        vocab: pieces.map(([piece, score]) => [piece, Number(score)]),
        byte_fallback: false,
      },
    } as never,
    {} as never,
  )
}

/** Share of texts with two equally probable segmentations, such as that of `....`, which rounding decides. */
const maxTies = 0.001

test('texts of the search collections get the ids of the model’s own tokenizer', () => {
  const reference = referenceTokenizer()
  const tokenizer = new Tokenizer(new Vocabulary(modelVocabulary()))
  let [count, ties] = [0, 0]
  for (const text of collectionTexts()) {
    const passage = `passage: ${text}`
    const expected = [...reference.encode(passage).ids].slice(0, maxIds - 2)
    const ids = tokenizer.encode(passage).slice(1, -1)
    count++
    if (ids.join() === expected.join()) continue
    ties++
    assert.deepEqual(ids.toSorted(), expected.toSorted(), passage)
  }
  assert.ok(count > 10_000, `${count} texts`)
  assert.ok(ties <= count * maxTies, `${ties} of ${count} texts`)
})

function* collectionTexts(): Generator<string> {
  for (const name of readdirSync(collections).filter((file) => file.endsWith('.json.br'))) {
    const packed = readFileSync(new URL(name, collections))
    const { docs } = JSON.parse(brotliDecompressSync(packed).toString()) as {
      docs: { text: string }[]
    }
    for (const { text } of docs)
      for (let at = 0; at < Math.min(text.length, 3000); at += 250) yield text.slice(at, at + 250)
  }
}
