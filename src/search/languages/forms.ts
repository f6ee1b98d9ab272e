// Inflected words match by their stems in languages other than English. The stems are indexed after the text, marked
// with a private use character per language, so that they cannot be confused with words of a query or of another
// language.

import { compoundPartsOf } from './compounds.ts'
import { isCyrillic, languages, maxLetters, stemIn, type Language } from './endings.ts'
import { isFrequentIn, languageOf } from './language.ts'

/** The language of a text's words; `any`: unknown, so all are tried; `none`: English or undetected. */
export type TextLanguage = Language | 'any' | 'none'

/** The code after the markers of src/search/scripts/index-text.ts. */
const firstMarkerCode = 0xf8e0
const languageMarkers = new Map(
  languages.map((language, i) => [language, String.fromCharCode(firstMarkerCode + i)] as const),
)

const markedStem = (language: Language, stem: string) => `${languageMarkers.get(language)}${stem}`

/** The language in which a text is indexed. Without a detected language, words match as written. */
export function indexLanguage(title: string, body: string): TextLanguage {
  const detected = languageOf(title, body)
  return detected === undefined || detected === 'en' ? 'none' : detected
}

/** The language of an excerpt, which may be too short to detect it: then any. */
export function excerptLanguage(text: string): TextLanguage {
  const detected = languageOf('', text)
  return detected === 'en' ? 'none' : (detected ?? 'any')
}

/** The marker added to each text of a language, so that a query can find which languages the index contains. */
export function languageMarker(language: Language): string {
  return markedStem(language, '')
}

/** The forms of a query word in each of these languages, because a query is too short to detect one. */
export function formsOf(word: string, selected: readonly Language[] = languages): string[] {
  return selected.flatMap((language) => {
    const stem = stemIn(language, word)
    return stem === undefined ? [] : [markedStem(language, stem)]
  })
}

/** Additional index forms of a word: its stem, and those of its parts. */
export function indexForms(word: string, language: TextLanguage): string[] {
  if (isCyrillic(word)) return formsOf(word)
  if (language === 'none' || word.length > maxLetters) return []
  if (language === 'any') return [...formsOf(word), ...compoundPartForms(word)]
  const stem = stemIn(language, word)
  if (stem === undefined || isFrequentIn(language, word)) return []
  return language === 'de'
    ? [markedStem('de', stem), ...compoundPartForms(word)]
    : [markedStem(language, stem)]
}

function compoundPartForms(word: string): string[] {
  return compoundPartsOf(word).flatMap((part) => {
    const stem = stemIn('de', part)
    return stem === undefined ? [] : [markedStem('de', stem)]
  })
}
