import { isAscii } from '../../kernel/text/text.ts'
import { composed, unspaced } from './words.ts'
import { wordsOf } from '../tokens.ts'

const lastOfRun = new RegExp(`(?<=[${unspaced}])[${unspaced}](?![${unspaced}])`, 'gu')

/**
 * A text as the full-text index is given it: the words of `wordsOf`, in a spelling that SQLite's
 * tokenizer keeps whole. Text of ASCII characters stays as it is. The last character of each run of
 * pairs follows at the end: then a single character is the beginning of some word wherever it stands.
 */
export function indexText(text: string): string {
  if (isAscii(text)) return text
  const lastCharacters = new Set(composed(text).match(lastOfRun))
  return indexWord([...wordsOf(text), ...lastCharacters].join(' '))
}

/** A word in the spelling of the index: a mark would end it there, so marks are written as letters of the private use area. */
export function indexWord(word: string): string {
  return isAscii(word)
    ? word
    : word.replaceAll(/\p{M}/gu, (mark) =>
        String.fromCharCode(0xe000 + (mark.charCodeAt(0) & 0x17ff)),
      )
}
