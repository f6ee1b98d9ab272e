import { isAscii } from '../../kernel/text/text.ts'
import { indexForms, languageMarker, type TextLanguage } from '../languages/forms.ts'
import { composeCharacters, unspacedScripts } from './words.ts'
import { lowerCaseWords } from '../tokens.ts'

const lastCharacterOfRun = new RegExp(
  `(?<=[${unspacedScripts}])[${unspacedScripts}](?![${unspacedScripts}])`,
  'gu',
)

/** Maximum words of a text that are indexed with forms in languages other than English. */
const maxStemmedWords = 200_000

/**
 * A text as passed to the full-text index: its words (`lowerCaseWords`), spelled so that SQLite's tokenizer does not split
 * them. ASCII text is unchanged. The last character of each run of pairs is appended, so that a single character is a
 * word prefix wherever it occurs. The forms of its words are also appended, each once; phrases match adjacent words
 * as written.
 */
export function indexText(text: string, language: TextLanguage): string {
  if (isAscii(text) && language === 'none') return text
  const words = lowerCaseWords(text)
  const lastCharacters = new Set(
    isAscii(text) ? [] : composeCharacters(text).match(lastCharacterOfRun),
  )
  const forms = distinctFormsOf(words, language).join(' ')
  if (isAscii(text)) return `${text} ${forms}`
  return `${indexWord([...words, ...lastCharacters].join(' '))} ${forms}`
}

function distinctFormsOf(words: readonly string[], language: TextLanguage): string[] {
  const distinct = new Set(words.slice(0, maxStemmedWords))
  const forms = new Set<string>(
    language === 'none' || language === 'any' ? [] : [languageMarker(language)],
  )
  for (const word of distinct) for (const form of indexForms(word, language)) forms.add(form)
  return [...forms]
}

/** A word in index spelling: combining marks would end a word there, so they are written as private use letters. */
export function indexWord(word: string): string {
  return isAscii(word)
    ? word
    : word.replaceAll(/\p{M}/gu, (mark) =>
        String.fromCharCode(0xe000 + (mark.charCodeAt(0) & 0x17ff)),
      )
}
