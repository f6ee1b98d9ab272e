// Inflected forms of a word are found by its stems in languages other than English. In the index they
// stand behind the text, marked by a character of the private use area, one for each language, so that no
// word of a query and no word of another language is taken for one.

import { compoundPartsOf } from './compounds.ts'
import { isCyrillic, languages, maxLetters, stemIn, type Language } from './endings.ts'
import { isFrequentIn, languageOf } from './language.ts'

/** The language of the words of a text; `any`: one of all; `none`: English or unknown. */
export type TextLanguage = Language | 'any' | 'none'

/** Behind those of src/search/scripts/index-text.ts. */
const firstMark = 0xf8e0
const marks = new Map(
  languages.map((language, i) => [language, String.fromCharCode(firstMark + i)] as const),
)

const markedStem = (language: Language, stem: string) => `${marks.get(language)}${stem}`

/** The language by which a text is in the index. Words of a text that tells none are found as they are written. */
export function indexLanguage(title: string, body: string): TextLanguage {
  const detected = languageOf(title, body)
  return detected === undefined || detected === 'en' ? 'none' : detected
}

/** The language by which words are marked in a piece of a text, which may be too short to tell it: then any. */
export function shownLanguage(text: string): TextLanguage {
  const detected = languageOf('', text)
  return detected === 'en' ? 'none' : (detected ?? 'any')
}

/** Stands in each text of a language, so that it is known which languages an index has. */
export function languageMark(language: Language): string {
  return markedStem(language, '')
}

/** The forms of a word of a query, which is too short to tell its language: in each of these. */
export function formsOf(word: string, selected: readonly Language[] = languages): string[] {
  return selected.flatMap((language) => {
    const stem = stemIn(language, word)
    return stem === undefined ? [] : [markedStem(language, stem)]
  })
}

/** The forms by which a word of a text is found, besides itself: its stem, and those of its parts. */
export function indexForms(word: string, language: TextLanguage): string[] {
  if (isCyrillic(word)) return formsOf(word)
  if (language === 'none' || word.length > maxLetters) return []
  if (language === 'any') return [...formsOf(word), ...parts(word)]
  const stem = stemIn(language, word)
  if (stem === undefined || isFrequentIn(language, word)) return []
  return language === 'de' ? [markedStem('de', stem), ...parts(word)] : [markedStem(language, stem)]
}

function parts(word: string): string[] {
  return compoundPartsOf(word).flatMap((part) => {
    const stem = stemIn('de', part)
    return stem === undefined ? [] : [markedStem('de', stem)]
  })
}
