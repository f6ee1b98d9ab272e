// Cuts texts into the ids of the encoder: unigram segmentation (Kudo, "Subword Regularization", ACL 2018, §3.2), as in
// SentencePiece.

import { specialIds, type Vocabulary } from './vocabulary.ts'

/** Maximum ids of a text, with the one before and the one after it. */
export const maxIds = 512

/** Marks the beginning of a word, in place of the space before it. */
const wordStart = '\u2581'
/** Normalization of the model's tokenizer: characters that are dropped, and those that count as a space. */
const dropped = /[\u0001-\u0008\u000b\u000e-\u001f\u007f\u008f\u009f]/g
const blanks = /[\t\n\f\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]/g
const outerSpace = /^[\s\u0085]+|[\s\u0085]+$/g

export class Tokenizer {
  readonly #vocabulary: Vocabulary
  readonly #encoder = new TextEncoder()

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
  }

  /** The ids of a text between those of its beginning and its end, at most 512: what is longer is cut off. */
  encode(text: string): number[] {
    const ids: number[] = [specialIds.begin]
    for (const piece of this.#pieces(text)) {
      if (ids.length === maxIds - 1) break
      ids.push(piece)
    }
    ids.push(specialIds.end)
    return ids
  }

  /** Number of ids of a text, without those of its beginning and its end. */
  count(text: string): number {
    let count = 0
    for (const _ of this.#pieces(text)) count++
    return count
  }

  *#pieces(text: string): Generator<number> {
    for (const word of splitWords(text)) yield* this.#segment(this.#encoder.encode(word))
  }

  /** The most probable pieces of a word in UTF-8 (Viterbi); a run of unknown characters is one id. */
  #segment(word: Uint8Array): number[] {
    const best = new Float64Array(word.length + 1).fill(-Infinity)
    const from = new Int32Array(word.length + 1)
    const ids = new Int32Array(word.length + 1)
    best[0] = 0
    for (let start = 0; start < word.length; ) {
      const next = start + characterLength(word[start] ?? 0)
      const score = best[start] ?? 0
      let isKnown = false
      this.#vocabulary.forEachPrefix(word, start, (id, length) => {
        const end = start + length
        isKnown ||= end === next
        const total = score + (this.#vocabulary.scores[id] ?? 0)
        if (total <= (best[end] ?? 0)) return
        best[end] = total
        from[end] = start
        ids[end] = id
      })
      const unknown = score + this.#vocabulary.unknownScore
      if (!isKnown && unknown > (best[next] ?? 0)) {
        best[next] = unknown
        from[next] = start
        ids[next] = specialIds.unknown
      }
      start = next
    }
    return pathTo(word.length, from, ids)
  }
}

function pathTo(end: number, from: Int32Array, ids: Int32Array): number[] {
  const path: number[] = []
  for (let at = end; at > 0; at = from[at] ?? 0) {
    const id = ids[at] ?? specialIds.unknown
    if (id !== specialIds.unknown || path.at(-1) !== specialIds.unknown) path.push(id)
  }
  return path.reverse()
}

/** The words of a text, normalized, each with the mark of its beginning. */
function* splitWords(text: string): Generator<string> {
  const normalized = text
    .toWellFormed()
    .replace(dropped, '')
    .replace(blanks, ' ')
    .normalize('NFKC')
    .replace(/ {2,}/g, ' ')
    .replace(outerSpace, '')
  if (normalized === '') return
  for (const word of normalized.split(' ')) yield wordStart + word
}

/** Bytes of the UTF-8 character that begins with a byte. */
function characterLength(byte: number): number {
  if (byte < 0x80) return 1
  if (byte < 0xe0) return 2
  return byte < 0xf0 ? 3 : 4
}
