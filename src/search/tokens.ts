// The words of texts as numbers: ranking looks through some hundred texts at each search, and
// numbers are compared and kept much more cheaply than strings.

import { isAscii } from '../kernel/text/text.ts'
import { foreignWords } from './scripts/words.ts'
import { stem } from './stem.ts'

/**
 * The words of a text as the index has them: in lower case and without accents. Scripts that are
 * written without spaces have no words that could be told apart: of those, each pair of neighbouring
 * characters counts as a word, so that any part of two characters is in the index.
 */
export function wordsOf(text: string): string[] {
  if (isAscii(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const words: string[] = []
  for (let start = 0; start < text.length; start++) {
    if (kindOf(text.charCodeAt(start)) === separator) continue
    const { end, isPlain } = wordAt(text, start)
    const run = text.slice(start, end)
    if (isPlain) words.push(run.toLowerCase())
    else for (const { word } of foreignWords(run)) words.push(word)
    start = end - 1
  }
  return words
}

/** Words of a text that are looked at. */
const maxWords = 3000

/** The stems of a title and of a text in their order, as `stemHash` numbers them. */
export interface TextTokens {
  title: Uint32Array
  text: Uint32Array
}

/** The number of a stem. Two stems of a language share one about never. */
export function stemHash(stem: string): number {
  let hash = offset
  for (let i = 0; i < stem.length; i++) hash = Math.imul(hash ^ stem.charCodeAt(i), prime)
  return hash >>> 0
}

export function textTokens(title: string, text: string): TextTokens {
  return { title: tokensOf(title, maxWords), text: tokensOf(text, maxWords) }
}

// FNV-1a
const offset = 0x811c9dc5
const prime = 0x01000193

const maxKnown = 200_000
/** By the hash of a word: that of its stem. */
const known = new Map<number, number>()

const scratch = new Uint32Array(maxWords)

/** The same as the stems of `wordsOf(text)`, without a string for each word. */
function tokensOf(text: string, max: number): Uint32Array {
  let count = 0
  forEachWord(text, (token) => {
    scratch[count++] = token
    return count < max
  })
  return scratch.slice(0, count)
}

type WordVisitor = (token: number, start: number, end: number) => boolean

/** Shows each word of a text, as the number of its stem, until it is told to stop. */
export function forEachWord(text: string, visit: WordVisitor): void {
  for (let start = 0; start < text.length; start++) {
    if (kindOf(text.charCodeAt(start)) === separator) continue
    const { hash, end, isPlain } = wordAt(text, start)
    const goesOn = isPlain
      ? visit(stemOf(hash, text, start, end), start, end)
      : visitForeign(text, start, end, visit)
    if (!goesOn) return
    start = end - 1
  }
}

/**
 * Characters of a run beyond ASCII that are looked at together, until the next one that is no letter: a regular expression has no room
 * for a run of megabytes. A run without such a place is cut at twice as many.
 */
const maxRun = 2000

/** The word that begins at a place, in lower case as a number; of a longer run its beginning. */
function wordAt(text: string, start: number): { hash: number; end: number; isPlain: boolean } {
  let [hash, end, isPlain] = [offset, start, true]
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end)
    const kind = kindOf(code)
    if (kind === separator) break
    if (kind === foreign) {
      if (end - start >= maxRun && (end - start >= 2 * maxRun || !isLetter(code))) break
      isPlain = false
    }
    hash = Math.imul(hash ^ (kind === capital ? code | 32 : code), prime)
  }
  return { hash: hash >>> 0, end, isPlain }
}

/** A run with characters beyond ASCII. */
function visitForeign(text: string, start: number, end: number, visit: WordVisitor): boolean {
  for (const { word, from, to } of foreignWords(text.slice(start, end)))
    if (!visit(stemHash(stem(word)), start + from, start + to)) return false
  return true
}

function stemOf(hash: number, text: string, start: number, end: number): number {
  const before = known.get(hash)
  if (before !== undefined) return before
  if (known.size >= maxKnown) known.clear()
  const made = stemHash(stem(text.slice(start, end).toLowerCase()))
  known.set(hash, made)
  return made
}

const isLetter = (code: number) => /[\p{L}\p{M}\p{N}\p{Cs}]/u.test(String.fromCharCode(code))

const separator = 0
const plain = 1
const capital = 2
/** Beyond ASCII: what belongs to a word is for Unicode to say. */
const foreign = 3

const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code)
  if (/[a-z0-9]/.test(char)) return plain
  return /[A-Z]/.test(char) ? capital : separator
})

function kindOf(code: number): number {
  return code < 128 ? (kinds[code] ?? separator) : foreign
}

/** Where the stems of a query stand in a text. */
export interface StemPlaces {
  /** By stem: its places, ascending. */
  places: ReadonlyMap<string, readonly number[]>
  /** Places below this are in the title. */
  titleLength: number
}

/** Finds the stems of one query in many texts. */
export class StemFinder {
  readonly #stems: ReadonlyMap<number, string>
  /** By the lowest eight bits: whether a stem may have such a number. */
  readonly #possible = new Uint8Array(256)

  constructor(stems: Iterable<string>) {
    this.#stems = new Map(Array.from(stems, (name) => [stemHash(name), name]))
    for (const hash of this.#stems.keys()) this.#possible[hash & 255] = 1
  }

  placesIn({ title, text }: TextTokens): StemPlaces {
    const places = new Map<string, number[]>()
    this.#look(title, 0, places)
    this.#look(text, title.length + 1, places) // a title's last word stands beside no word of the text
    return { places, titleLength: title.length }
  }

  #look(tokens: Uint32Array, from: number, places: Map<string, number[]>): void {
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i]!
      if (this.#possible[token & 255] === 0) continue
      const stem = this.#stems.get(token)
      if (stem === undefined) continue
      const list = places.get(stem)
      if (list) list.push(from + i)
      else places.set(stem, [from + i])
    }
  }
}
