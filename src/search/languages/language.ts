import { isAscii } from '../../kernel/text/text.ts'
import type { Language } from './endings.ts'

/** Characters of a text used for language detection. */
const maxCharacters = 2000
/** Minimum score from frequent words and letters, and their minimum share of all words. */
const minScore = 2
const minShare = 0.08

type DetectedLanguage = Language | 'en'

/** Frequent words, without accents; excludes words that also exist in English, except for English itself. */
const frequentWords: Readonly<Record<Exclude<DetectedLanguage, 'ru'>, string>> = {
  en: 'the and that this these with from have been were would should could there their they which our you your are not will what when where who how about into than',
  de: 'der das und ist nicht mit fur ein eine einen einem einer des dem den von zu zum zur auf bei nach sich auch oder als wie wird werden wurde wurden sind haben sein ich wir sie uber unter durch bis wenn noch nur kann konnen bitte',
  fr: 'le la les des du une et est dans pour par sur avec pas que qui ne au aux ce cette ces sont nous vous ils elle il ont ete etre leur plus mais ou se de',
  es: 'el la los las de del que en y un una por con para se su sus es al como fue son esta este pero mas sin sobre entre tambien ha hay lo le',
  it: 'il lo la gli di del della delle dei degli che e un una per con non si sono nel nella alla da dal dalla al ha piu come anche questo questa ma ed ci le',
  pt: 'os as um uma de da das dos em na nas nos que nao para com por se ao aos foi sao mais como seu sua esta este mas pela pelo tambem ou e ser',
  nl: 'de het een en van dat niet zijn op voor met aan er ook naar wordt worden werd bij uit deze dit heeft hebben maar om ze wij hij als door nog',
  sv: 'och att det som en ett pa av med inte den har till ar om vi jag eller vid fran var ska kan sig sin blir han hon de nar fore efter sa',
}

/** Letters characteristic of a language. */
const characteristicLetters: readonly (readonly [
  string,
  Partial<Record<DetectedLanguage, number>>,
])[] = [
  ['ßü', { de: 2 }],
  ['äö', { de: 1, sv: 1 }],
  ['å', { sv: 2 }],
  ['ñ¿¡', { es: 2 }],
  ['ãõ', { pt: 2 }],
  ['áíóú', { es: 1, pt: 1 }],
  ['çêâ', { fr: 1, pt: 1 }],
  ['œûî', { fr: 2 }],
  ['é', { fr: 1, es: 0.5 }],
  ['èà', { fr: 1, it: 1 }],
  ['òìù', { it: 1 }],
]
/**
 * Endings, without accents, that are common in one language and rare in English. Each weighs as much as two frequent
 * words.
 */
const characteristicEndings: readonly (readonly [RegExp, DetectedLanguage])[] = [
  [
    /(?<=.{4})(?:ung|ungen|(?:ke|he)it(?:en)?|schaft(?:en)?|lich(?:e[nrs]?)?|isch(?:e[nrs]?)?|ieren|ierte?n?)$(?<!samsung)/,
    'de',
  ],
  [/(?<=.{3})(?:ciones|[ai]mientos?|idades)$/, 'es'],
  [/(?<=.{3})(?:coes|dades?)$/, 'pt'],
  [/(?<=.{3})(?:zion[ei]|agg[io]o?)$/, 'it'],
  [/(?<=.{3})(?:euses?|eaux)$/, 'fr'],
  [/(?<=.{3})(?:lijke?|heden|schappen)$/, 'nl'],
  [/(?<=.{3})(?:ningar(?:na)?|heten|skapet)$/, 'sv'],
]

const anyLetter = new RegExp(
  `[${characteristicLetters.map(([letterGroup]) => letterGroup).join('')}]`,
  'g',
)
const languagesByLetter = new Map(
  characteristicLetters.flatMap(([some, weights]) =>
    Array.from(some, (letter) => [letter, weights] as const),
  ),
)

const languagesByWord = new Map<string, DetectedLanguage[]>()
for (const [language, words] of Object.entries(frequentWords))
  for (const word of words.split(' ')) {
    const list = languagesByWord.get(word) ?? []
    languagesByWord.set(word, [...list, language as DetectedLanguage])
  }

/** True if a word is too frequent in a language to be significant. */
export function isFrequentIn(language: Language, word: string): boolean {
  return languagesByWord.get(word)?.includes(language) === true
}

/**
 * An id, a number, a mail address or a URL: random letters and host names (`.de`) would count as words of a
 * language.
 */
const identifier = /[@_\d]|:\/\/|^www\.|[a-z]\.[a-z]/

/**
 * The language at the beginning of a text, from its frequent words, letters and endings; undefined if these are
 * inconclusive, as in many titles alone. Cyrillic words need no detected language (`isCyrillic`).
 */
export function languageOf(title: string, body: string): DetectedLanguage | undefined {
  const text = `${title.slice(0, maxCharacters)}\n${body.slice(0, maxCharacters)}`
    .toLowerCase()
    .split(/\s+/)
    .filter((piece) => !identifier.test(piece))
    .join(' ')
  const words = withoutAccents(text).match(/[a-zа-я]+/g) ?? []
  const scores = scoresOf(words, text)
  const english = scores.get('en') ?? 0
  scores.delete('en')
  const [best, score] = [...scores].reduce<[DetectedLanguage | undefined, number]>(
    (best, [language, count]) => (count > best[1] ? [language, count] : best),
    [undefined, 0],
  )
  if (score >= Math.max(minScore, minShare * words.length) && score > 2 * english) return best
  return english >= Math.max(minScore, minShare * words.length) ? 'en' : undefined
}

/** Score of each language for the words and letters of a lower-case text. */
function scoresOf(words: readonly string[], text: string): Map<DetectedLanguage, number> {
  const scores = new Map<DetectedLanguage, number>()
  const add = (language: DetectedLanguage, weight: number) =>
    scores.set(language, (scores.get(language) ?? 0) + weight)
  for (const word of words) {
    for (const language of languagesByWord.get(word) ?? []) add(language, 1)
    for (const [ending, language] of characteristicEndings) if (ending.test(word)) add(language, 2)
  }
  for (const letter of text.match(anyLetter) ?? [])
    for (const [language, by] of Object.entries(languagesByLetter.get(letter) ?? {}))
      add(language as DetectedLanguage, by)
  return scores
}

function withoutAccents(text: string): string {
  return isAscii(text) ? text : text.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, '')
}
