// Words beyond ASCII: their boundaries and normalization. Texts and queries are split by the same rules, and so is the
// input of SQLite's full-text index, whose own tokenizer treats vowel signs as spaces and a Chinese sentence as one
// word.
import { foldText } from '../../kernel/text/folded-text.ts'

/** A word in a run of text: its index spelling and position. */
export interface ScriptWord {
  word: string
  from: number
  to: number
}

const letters = String.raw`\p{L}\p{N}\p{M}\p{Co}`
/** Soft hyphens and joiners can occur inside words. */
const wordRun = new RegExp(`[${letters}\\u00ad\\u200c\\u200d]+`, 'gu')
const wordPattern = new RegExp(`[${letters}]+`, 'gu')
/** Scripts without spaces between words, and Hangul, whose particles are attached to words. */
export const unspacedScripts = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}`
const runOfOneKind = new RegExp(`[${unspacedScripts}]+|[^${unspacedScripts}]+`, 'gu')
const startsUnspaced = new RegExp(`^[${unspacedScripts}]`, 'u')

/** The words of a run of letters and digits. Character pairs overlap. */
export function nonAsciiWords(text: string): ScriptWord[] {
  const words: ScriptWord[] = []
  for (const { 0: part, index } of text.matchAll(wordRun))
    for (const { 0: piece, index: at } of part.matchAll(runOfOneKind)) {
      const from = index + at
      if (startsUnspaced.test(piece)) addPairs(words, piece, from)
      else
        for (const [spelling] of foldText(piece).matchAll(wordPattern))
          words.push({ word: spelling, from, to: from + piece.length })
    }
  return words
}

/** Adds each pair of adjacent characters, or a lone character. */
function addPairs(words: ScriptWord[], piece: string, from: number): void {
  const spelling = composeCharacters(piece)
  const keepsPositions = spelling.length === piece.length
  for (const { 0: part, index } of spelling.matchAll(wordPattern)) {
    let at = from + index
    let previous: string | undefined
    const add = (text: string, length: number) =>
      words.push(
        keepsPositions
          ? { word: text, from: at, to: at + length }
          : { word: text, from, to: from + piece.length },
      )
    for (const character of part) {
      if (previous !== undefined) {
        add(previous + character, previous.length + character.length)
        at += previous.length
      }
      previous = character
    }
    if (previous === part) add(part, part.length)
  }
}

/** A text in composed form (NFKC), lower case, without soft hyphens and joiners. */
export function composeCharacters(piece: string): string {
  return piece
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\u00ad|\u200c|\u200d/g, '')
}

/** True for a single character of a script without spaces, which is indexed in pairs. */
export function isSingleCharacter(text: string): boolean {
  return startsUnspaced.test(text) && [...text].length === 1
}
