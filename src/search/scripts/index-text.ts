import { isAscii } from '../../kernel/text/text.ts'
import { indexForms, languageMark, type TextLanguage } from '../languages/forms.ts'
import { composed, unspaced } from './words.ts'
import { lowerCaseWords } from '../tokens.ts'

const lastOfRun = new RegExp(`(?<=[${unspaced}])[${unspaced}](?![${unspaced}])`, 'gu')

/** Words of a text whose forms in other languages than English are in the index. */
const maxStemmedWords = 200_000

/**
 * A text as the full-text index is given it: the words of `wordsOf`, in a spelling that SQLite's
 * tokenizer keeps whole. Text of ASCII characters stays as it is. The last character of each run of
 * pairs follows at the end: then a single character is the beginning of some word wherever it stands.
 * The forms of its words follow as well, each once: phrases find words beside each other as they are written.
 */
export function indexText(text: string, language: TextLanguage): string {
  if (isAscii(text) && language === 'none') return text
  const words = lowerCaseWords(text)
  const lastCharacters = new Set(isAscii(text) ? [] : composed(text).match(lastOfRun))
  const forms = formsOfWords(words, language).join(' ')
  if (isAscii(text)) return `${text} ${forms}`
  return `${indexWord([...words, ...lastCharacters].join(' '))} ${forms}`
}

function formsOfWords(words: readonly string[], language: TextLanguage): string[] {
  const distinct = new Set(words.slice(0, maxStemmedWords))
  const forms = new Set<string>(
    language === 'none' || language === 'any' ? [] : [languageMark(language)],
  )
  for (const word of distinct) for (const form of indexForms(word, language)) forms.add(form)
  return [...forms]
}

/** A word in the spelling of the index: a mark would end it there, so marks are written as letters of the private use area. */
export function indexWord(word: string): string {
  return isAscii(word)
    ? word
    : word.replaceAll(/\p{M}/gu, (mark) =>
        String.fromCharCode(0xe000 + (mark.charCodeAt(0) & 0x17ff)),
      )
}
