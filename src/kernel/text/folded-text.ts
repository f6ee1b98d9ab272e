// One normal form for all spellings of a word: the full-text index and the web app's filters fold by the same rules.
import { isAscii } from './text.ts'

/**
 * Marks that people write or omit: accents, the vowel points of Hebrew and Arabic, the dots of Indic letters, joiners
 * and elongation. Vowel signs of other scripts are letters of their words and stay.
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

/** Letters that Unicode does not decompose, with their substitutes on keyboards without them. */
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

/** A text in lower case, without accents and optional marks, with full-width and half-width characters normalized. */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(optionalMarks, '')
    .toLowerCase()
    .replace(foldable, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFC')
}
