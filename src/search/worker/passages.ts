// Splits texts into passages for vectors.

import { unspacedScripts } from '../scripts/words.ts'

/** A passage of a text: its start and length, in characters. */
export interface Passage {
  start: number
  length: number
}

/** Limits of a passage, in words or tokens. */
export interface PassageSize {
  /** Size from which on a passage ends with its sentence. */
  target: number
  /** Size at which a sentence is split. */
  max: number
  sizeOf: (word: string) => number
}

/** About 80 words: for vectors that are sums of word vectors. */
const sizeInWords: PassageSize = { target: 80, max: 120, sizeOf: () => 1 }
/** About 100 tokens of a model, at most 160: the equivalent of 75 English words, in any script. */
export const sizeInTokens: PassageSize = { target: 100, max: 135, sizeOf: estimateTokens }

/** Maximum passages per text; text beyond them is found by words only. */
const maxPassages = 2000

/** Splits a text into passages at the end of a line or a sentence. A text without words is one passage. */
export function passagesOf(text: string, size = sizeInWords): Passage[] {
  const { target, max } = size
  const passages: Passage[] = []
  let [start, end, sum, previousSum] = [0, 0, 0, 0]
  const closePassage = () => {
    if (sum > 0) passages.push({ start, length: end - start })
    ;[start, sum, previousSum] = [end, 0, sum]
  }
  for (const piece of splitIntoPieces(text, size)) {
    if (sum > 0 && sum + piece.size > target * 1.25) closePassage()
    ;[end, sum] = [piece.start + piece.length, sum + piece.size]
    if (sum >= target) closePassage()
    if (passages.length >= maxPassages) return passages
  }
  const last = passages.at(-1)
  if (last && sum < target / 4 && previousSum + sum <= max) last.length = end - last.start
  else closePassage()
  return passages.length > 0 ? passages : [{ start: 0, length: text.length }]
}

/** A text's passages, each preceded by the title. */
export function titledPassages(
  title: string,
  body: string,
  size = sizeInWords,
): (Passage & { text: string })[] {
  return passagesOf(body, size).map(({ start, length }) => {
    const text = body.slice(start, start + length)
    return { start, length, text: title === '' ? text : `${title}. ${text}` }
  })
}

interface Piece extends Passage {
  size: number
}

/** Ends of sentences and lines; in scripts without spaces, no space follows. */
const sentenceEnd = /(?<=[.!?])\s+|[。！？｡।॥؟][」』”’）)]*\s*|\n+/g

/** Sentences and lines; a very long one (a table, a log) is split between words. */
function* splitIntoPieces(text: string, size: PassageSize): Generator<Piece> {
  const ends = new RegExp(sentenceEnd)
  let start = 0
  for (let match = ends.exec(text); start < text.length; match = ends.exec(text)) {
    const end = match ? match.index + match[0].length : text.length
    yield* splitAtWords(text, start, end, size)
    start = end
    if (!match) return
  }
}

function* splitAtWords(
  text: string,
  from: number,
  to: number,
  passageSize: PassageSize,
): Generator<Piece> {
  let [start, size] = [from, 0]
  for (const word of wordsOf(text, from, to, passageSize)) {
    size += word.size
    if (size < passageSize.max) continue
    yield { start, length: word.end - start, size }
    ;[start, size] = [word.end, 0]
  }
  if (start < to && (size > 0 || start === from)) yield { start, length: to - start, size }
}

/** Words with the space after them; one that is a passage by itself is split, such as a sentence without spaces. */
function* wordsOf(
  text: string,
  from: number,
  to: number,
  { target, sizeOf }: PassageSize,
): Generator<{ end: number; size: number }> {
  for (const { 0: word, index } of text.slice(from, to).matchAll(/\S+\s*/g)) {
    const size = sizeOf(word)
    if (size >= target) yield* splitWord(word, from + index, sizeOf)
    else yield { end: from + index + word.length, size }
  }
}

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })
/** Characters of a part of a word that has no parts, such as a key or a picture in base64. */
const maxPartLength = 48

function* splitWord(
  word: string,
  offset: number,
  sizeOf: PassageSize['sizeOf'],
): Generator<{ end: number; size: number }> {
  for (const { segment, index } of segmenter.segment(word))
    for (let at = 0; at < segment.length; ) {
      const part = segment.slice(at, at + maxPartLength)
      at += part.isWellFormed() ? part.length : part.length - 1 // not between two surrogates
      yield { end: offset + index + at, size: sizeOf(part) }
    }
}

const unspaced = new RegExp(`[${unspacedScripts}]`, 'u')
/** Their characters are letters of words, with vowel signs of their own. */
const southeastAsian = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u
const letter = /[\p{L}\p{M}]/u
/**
 * Tokens of characters by kind, for each run of letters, and for letters that form no word. Fitted to the vocabulary of XLM-RoBERTa on texts in eight
 * languages.
 */
const tokensOf = {
  run: 0.5,
  letter: 0.23,
  randomLetter: 0.8,
  unspaced: 0.85,
  southeastAsian: 0.5,
  digit: 0.7,
  mark: 1,
  symbol: 1.2,
  space: 0,
}

type CharacterKind = Exclude<keyof typeof tokensOf, 'run' | 'randomLetter'>

/** A longer run of characters is no word, but a key, a number or an address: its tokens are shorter. */
const maxWordLength = 40

/** Estimates the tokens of a word for subword vocabularies of many languages, rather too high than too low. */
function estimateTokens(word: string): number {
  const letters = word.length > maxWordLength ? tokensOf.randomLetter : tokensOf.letter
  let tokens = tokensOf.run
  let previous: CharacterKind | undefined
  for (const character of word) {
    const kind = kindOf(character)
    tokens += kind === 'letter' ? letters : tokensOf[kind]
    if (kind === 'letter' && previous !== undefined && previous !== kind) tokens += tokensOf.run
    previous = kind
  }
  return tokens
}

function kindOf(character: string): CharacterKind {
  const code = character.charCodeAt(0)
  if (code > 0x7f) {
    if (southeastAsian.test(character)) return 'southeastAsian'
    if (unspaced.test(character)) return 'unspaced'
    return letter.test(character) ? 'letter' : 'symbol'
  }
  if (code <= 0x20) return 'space'
  if (code >= 0x30 && code <= 0x39) return 'digit'
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x7a ? 'letter' : 'mark'
}
