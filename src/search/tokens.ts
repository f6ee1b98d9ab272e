// The words of texts as numbers: each search ranks several hundred texts, and numbers are much cheaper to compare and
// store than strings.

import { isAscii } from '../kernel/text/text.ts'
import { maxLetters } from './languages/endings.ts'
import { indexForms, indexLanguage, type TextLanguage } from './languages/forms.ts'
import { nonAsciiWords } from './scripts/words.ts'
import { stem } from './stem.ts'

/**
 * The words of a text as indexed: lower case, without accents. Scripts without spaces have no distinguishable words:
 * there, each pair of adjacent characters counts as a word, so that every two-character substring is indexed.
 */
export function lowerCaseWords(text: string): string[] {
  if (isAscii(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const words: string[] = []
  for (let start = 0; start < text.length; start++) {
    if (characterKindOf(text.charCodeAt(start)) === separator) continue
    const { end, isPlain } = wordAt(text, start)
    const run = text.slice(start, end)
    if (isPlain) words.push(run.toLowerCase())
    else for (const { word } of nonAsciiWords(run)) words.push(word)
    start = end - 1
  }
  return words
}

/** Maximum words of a text that are processed. */
const maxWords = 3000

/** The stems of a title and of a text in order, as `stemHash` numbers. */
export interface TextTokens {
  title: Uint32Array
  text: Uint32Array
  /** Forms of the words in languages other than English: pairs of a position and a form's number. */
  titleForms: Uint32Array
  textForms: Uint32Array
}

/** The hash of a stem. Collisions within a language are extremely rare. */
export function stemHash(stem: string): number {
  let hash = fnvOffset
  for (let i = 0; i < stem.length; i++) hash = Math.imul(hash ^ stem.charCodeAt(i), fnvPrime)
  return hash >>> 0
}

/** `language`: language of the whole indexed text, if this is an excerpt. */
export function textTokens(
  title: string,
  text: string,
  language: TextLanguage = indexLanguage(title, text),
): TextTokens {
  const [titleTokens, textTokens] = [tokensOf(title, language), tokensOf(text, language)]
  return {
    title: titleTokens.tokens,
    text: textTokens.tokens,
    titleForms: titleTokens.forms,
    textForms: textTokens.forms,
  }
}

// FNV-1a
const fnvOffset = 0x811c9dc5
const fnvPrime = 0x01000193

const maxCachedStems = 200_000
/** Hash of a word → hash of its stem. */
const stemHashes = new Map<number, number>()

const tokenBuffer = new Uint32Array(maxWords)

/** The stems of `lowerCaseWords(text)` and their forms as numbers, without creating a string per word. */
function tokensOf(
  text: string,
  language: TextLanguage,
): { tokens: Uint32Array; forms: Uint32Array } {
  let count = 0
  const pairs: number[] = []
  forEachWord(text, language, (token, forms) => {
    for (const form of forms) pairs.push(count, form)
    tokenBuffer[count++] = token
    return count < maxWords
  })
  return { tokens: tokenBuffer.slice(0, count), forms: Uint32Array.from(pairs) }
}

type WordVisitor = (token: number, forms: readonly number[], start: number, end: number) => boolean

/** Visits each word of a text, with the numbers of its stem and of its forms, until told to stop. */
export function forEachWord(text: string, language: TextLanguage, visit: WordVisitor): void {
  for (let start = 0; start < text.length; start++) {
    if (characterKindOf(text.charCodeAt(start)) === separator) continue
    const { hash, end, isPlain } = wordAt(text, start)
    const continues = isPlain
      ? visit(
          stemOf(hash, text, start, end),
          language === 'none' || end - start > maxLetters
            ? noForms
            : formHashes(text.slice(start, end).toLowerCase(), language),
          start,
          end,
        )
      : visitNonAscii({ text, start, end }, language, visit)
    if (!continues) return
    start = end - 1
  }
}

/**
 * Characters of a non-ASCII run processed together, up to the next non-letter: a regular expression cannot handle
 * runs of megabytes. A run without such a break is cut at twice this length.
 */
const maxRun = 2000

/** The end and the lower-case hash of the word at a position; of a run that is too long, those of its beginning. */
function wordAt(text: string, start: number): { hash: number; end: number; isPlain: boolean } {
  let [hash, end, isPlain] = [fnvOffset, start, true]
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end)
    const kind = characterKindOf(code)
    if (kind === separator) break
    if (kind === nonAscii) {
      if (end - start >= maxRun && (end - start >= 2 * maxRun || !isLetter(code))) break
      isPlain = false
    }
    hash = Math.imul(hash ^ (kind === capital ? code | 32 : code), fnvPrime)
  }
  return { hash: hash >>> 0, end, isPlain }
}

/** Visits a run with non-ASCII characters. */
function visitNonAscii(
  { text, start, end }: { text: string; start: number; end: number },
  language: TextLanguage,
  visit: WordVisitor,
): boolean {
  for (const { word, from, to } of nonAsciiWords(text.slice(start, end)))
    if (!visit(stemHash(stem(word)), formHashes(word, language), start + from, start + to))
      return false
  return true
}

const noForms: readonly number[] = []
const maxCachedForms = 50_000
/** By language and word. */
const cachedForms = new Map<TextLanguage, Map<string, readonly number[]>>()

function formHashes(word: string, language: TextLanguage): readonly number[] {
  if (word.length > maxLetters) return noForms
  const formsByWord = cachedForms.get(language) ?? new Map<string, readonly number[]>()
  cachedForms.set(language, formsByWord)
  const cached = formsByWord.get(word)
  if (cached) return cached
  if (formsByWord.size >= maxCachedForms) formsByWord.clear()
  const forms = indexForms(word, language)
  const hashes = forms.length === 0 ? noForms : forms.map(stemHash)
  formsByWord.set(word, hashes)
  return hashes
}

function stemOf(hash: number, text: string, start: number, end: number): number {
  const cached = stemHashes.get(hash)
  if (cached !== undefined) return cached
  if (stemHashes.size >= maxCachedStems) stemHashes.clear()
  const stemValue = stemHash(stem(text.slice(start, end).toLowerCase()))
  stemHashes.set(hash, stemValue)
  return stemValue
}

const isLetter = (code: number) => /[\p{L}\p{M}\p{N}\p{Cs}]/u.test(String.fromCharCode(code))

const separator = 0
const plain = 1
const capital = 2
/** Beyond ASCII: Unicode determines word characters. */
const nonAscii = 3

const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code)
  if (/[a-z0-9]/.test(char)) return plain
  return /[A-Z]/.test(char) ? capital : separator
})

function characterKindOf(code: number): number {
  return code < 128 ? (kinds[code] ?? separator) : nonAscii
}

/** Positions of a query's stems in a text. */
export interface StemPositions {
  /** Ascending positions by stem. */
  places: ReadonlyMap<string, readonly number[]>
  /** Positions below this are in the title. */
  titleLength: number
}

/** Finds the stems of one query in many texts. */
export class StemFinder {
  readonly #stems: ReadonlyMap<number, readonly string[]>
  /** A filter by the lowest eight bits of a hash: 1 if a stem has such a hash. */
  readonly #possible = new Uint8Array(256)

  /** `byHash`: stems by the number of a word or its form. */
  constructor({ byHash }: { byHash: ReadonlyMap<number, readonly string[]> }) {
    this.#stems = byHash
    for (const hash of this.#stems.keys()) this.#possible[hash & 255] = 1
  }

  positionsIn({ title, text, titleForms, textForms }: TextTokens): StemPositions {
    const places = new Map<string, number[]>()
    const textStart = title.length + 1 // the last word of a title is not adjacent to the first of the text
    this.#findInTokens(title, 0, places)
    this.#findInTokens(text, textStart, places)
    const added = new Set<string>()
    this.#findInForms(titleForms, 0, { places, added })
    this.#findInForms(textForms, textStart, { places, added })
    for (const stem of added)
      places.set(
        stem,
        [...new Set(places.get(stem))].sort((place, other) => place - other),
      )
    return { places, titleLength: title.length }
  }

  #findInForms(
    forms: Uint32Array,
    from: number,
    result: { places: Map<string, number[]>; added: Set<string> },
  ): void {
    for (let i = 0; i < forms.length; i += 2) {
      const [place = 0, form = 0] = forms.subarray(i, i + 2)
      if (this.#possible[form & 255] === 0) continue
      for (const stem of this.#stems.get(form) ?? []) {
        addPosition(result.places, stem, from + place)
        result.added.add(stem)
      }
    }
  }

  #findInTokens(tokens: Uint32Array, from: number, places: Map<string, number[]>): void {
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i]!
      if (this.#possible[token & 255] === 0) continue
      for (const stem of this.#stems.get(token) ?? []) addPosition(places, stem, from + i)
    }
  }
}

function addPosition(places: Map<string, number[]>, stem: string, at: number): void {
  const list = places.get(stem)
  if (list) list.push(at)
  else places.set(stem, [at])
}
