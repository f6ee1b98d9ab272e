// Words beyond ASCII: where they begin and end, and one spelling for all ways to write them. Texts and
// questions are cut by the same rules, and so is what SQLite's full-text index is given, since its own
// tokenizer takes vowel signs for spaces and a Chinese sentence for a word.
import { foldText } from '../../kernel/text/folded-text.ts'

/** A word of a run of text: its spelling in the index, and where it stands. */
export interface ScriptWord {
  word: string
  from: number
  to: number
}

const letters = String.raw`\p{L}\p{N}\p{M}\p{Co}`
/** Soft hyphens and joiners stand inside of words. */
const wordRun = new RegExp(`[${letters}\\u00ad\\u200c\\u200d]+`, 'gu')
const wordPattern = new RegExp(`[${letters}]+`, 'gu')
/** The class of the scripts without spaces between words, and of Hangul, whose particles stand on their words. */
export const unspaced = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}`
const sameScript = new RegExp(`[${unspaced}]+|[^${unspaced}]+`, 'gu')
const beginsUnspaced = new RegExp(`^[${unspaced}]`, 'u')

/** The words of a run of letters and digits. Pairs of characters overlap. */
export function foreignWords(text: string): ScriptWord[] {
  const words: ScriptWord[] = []
  for (const { 0: part, index } of text.matchAll(wordRun))
    for (const { 0: piece, index: at } of part.matchAll(sameScript)) {
      const from = index + at
      if (beginsUnspaced.test(piece)) addPairs(words, piece, from)
      else
        for (const [spelling] of foldText(piece).matchAll(wordPattern))
          words.push({ word: spelling, from, to: from + piece.length })
    }
  return words
}

/** Each two characters that stand side by side; one that stands alone. */
function addPairs(words: ScriptWord[], piece: string, from: number): void {
  const spelling = composed(piece)
  const isInPlace = spelling.length === piece.length
  for (const { 0: part, index } of spelling.matchAll(wordPattern)) {
    let at = from + index
    let previous: string | undefined
    const add = (text: string, length: number) =>
      words.push(
        isInPlace
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

/** Letters of half width in full width, and composed as most people write them. */
export function composed(piece: string): string {
  return piece
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\u00ad|\u200c|\u200d/g, '')
}

/** Whether a word is a single character of a script without spaces, which is in the index in pairs. */
export function isSingleCharacter(text: string): boolean {
  return beginsUnspaced.test(text) && [...text].length === 1
}
