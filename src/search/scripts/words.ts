// Words beyond ASCII: where they begin and end, and one spelling for all ways to write them. Texts and
// questions are cut by the same rules, and so is what SQLite's full-text index is given, since its own
// tokenizer takes vowel signs for spaces and a Chinese sentence for a word.

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

/**
 * Marks that people write or leave out: accents, the vowel points of Hebrew and Arabic, the dots of
 * Indic letters, and what only joins or stretches. Vowel signs of other scripts are letters of their
 * words and stay.
 */
const optionalMarks = new RegExp(
  `[${[
    String.raw`\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f`, // accents
    String.raw`\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed`,
    String.raw`\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc`, // dots of Indic letters
    String.raw`\u00ad\u200c\u200d\ufe00-\ufe0f`,
  ].join('')}]`,
  'gu',
)

/** Letters that Unicode does not decompose, as people type them without the key for it. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
}
const foldable = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu')

/** The words of a run of letters and digits. Pairs of characters overlap. */
export function foreignWords(text: string): ScriptWord[] {
  const words: ScriptWord[] = []
  for (const { 0: part, index } of text.matchAll(wordRun))
    for (const { 0: piece, index: at } of part.matchAll(sameScript)) {
      const from = index + at
      if (beginsUnspaced.test(piece)) addPairs(words, piece, from)
      else
        for (const [spelling] of folded(piece).matchAll(wordPattern))
          words.push({ word: spelling, from, to: from + piece.length })
    }
  return words
}

function folded(piece: string): string {
  return piece
    .normalize('NFKD')
    .replace(optionalMarks, '')
    .toLowerCase()
    .replace(foldable, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFC')
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
