// Endings of inflected words in eight languages. Words are in index form, lower case without accents, so that a query
// typed without accents gets the same stems. Each list is tried as a whole: if a noun can end like a verb, its plural must be
// listed as well.

/** The languages whose inflected forms match each other. English has its stemmer in stem.ts. */
export const languages = ['de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'ru'] as const
export type Language = (typeof languages)[number]

type StemmingStep = readonly [ending: RegExp, by: string]

/** Removes the longest ending that leaves at least a number of letters. */
const removalStep = (minLength: number, endings: string): StemmingStep => [
  new RegExp(`(?<=.{${minLength}})(?:${endings.split(' ').join('|')})$`),
  '',
]

const undoubleStep: StemmingStep = [/(?<=.{2})([b-df-hj-np-tv-z])\1$/, '$1']

const steps: Readonly<Record<Language, readonly StemmingStep[]>> = {
  de: [
    [/innen$/, 'in'],
    removalStep(3, 'ern ers em en er es e (?<=[lr])n (?<=[bdfghklmnrt])s'),
    removalStep(4, 'test tet ten te et est st t'),
    removalStep(4, 'er'),
  ],
  fr: [
    [/(?<=.{2})(?:aux|ail)$/, 'al'],
    [/(?<=.{2})(?:eux|euses?)$/, 'eur'],
    removalStep(
      3,
      'e es ee ees er ers ere eres ez ent ents ente entes ant ants ante antes ait ais aient a ai as ' +
        'era erai eras erez eront erons erait erais eraient erent s x ie ies i is it ir irent issent issons issez issait',
    ),
    removalStep(4, 'ons? ions'),
    undoubleStep,
  ],
  es: [
    [/(?<=.{2})ces$/, 'z'],
    removalStep(
      3,
      'ando iendo ado ada ados adas ido ida idos idas ar er ir aba aban abas aria arian ia ian ias iamos ' +
        'aron ieron io ios aste amos emos imos an en as es os a e o s ara aras aran are aremos era eras eran',
    ),
    [/(?<=.{2})gu$/, 'g'],
    [/(?<=.{2})qu$/, 'c'],
  ],
  it: [
    removalStep(
      3,
      'are ere ire ato ata ati ate ito ita iti ite uto uta uti ute ando endo ante anti ente enti iamo ete ' +
        'ano ono avo ava avano ava era ero io ia ie ii i a e o he hi',
    ),
  ],
  pt: [
    [/(?<=.{2})oes$/, 'ao'],
    [/(?<=.{2})ais$/, 'al'],
    [/(?<=.{2})eis$/, 'el'],
    [/(?<=.{2})ns$/, 'm'],
    removalStep(
      3,
      'ando endo indo ado ada ados adas ido ida idos idas ar er ir ava avam ou aram eram iram amos emos imos ' +
        'am em ara era aras eras ia ias iam as os es a o e s ei eu iu',
    ),
  ],
  nl: [
    [/heden$/, 'heid'],
    removalStep(5, 'ten te t den de d'),
    removalStep(3, 'en e'),
    removalStep(4, '(?<=[bdfgklmnprt])s'),
    [/(?<=.{2})v$/, 'f'],
    [/(?<=.{2})z$/, 's'],
    [/([aeou])\1(?=[b-df-hj-np-tv-z]?$)/, '$1'],
    undoubleStep,
  ],
  sv: [
    removalStep(
      3,
      'heterna heten heter het arnas ernas ornas andets andet ande anden ena enas ens ets arna erna orna ' +
        'ar er or en et an a e na n ade at ad as',
    ),
    removalStep(4, 'or er ar en et an s'),
    undoubleStep,
  ],
  ru: [
    [/(?<=.{3})(?:ся|сь)$/, ''],
    removalStep(
      3,
      'ыи ии ои еи ая яя ое ее ые ие ого его ому ему ым им ом ем ых их ую юю ою ею ыми ими ' +
        'а я о е и ы у ю ь ам ям ами ями ах ях ов ев ью иями иях иям ию ия ием ' +
        'ать ять ить еть ают яют ишь ешь ите ете ала али ало ила или ило',
    ),
    removalStep(4, 'ан ен ет ит ут ют ат ят ал ил'),
    [/н(?=н$)/, ''],
  ],
}

/** Longer runs of letters are not inflected words. */
export const maxLetters = 40
const latin = new RegExp(`^[a-z]{3,${maxLetters}}$`)
const cyrillic = new RegExp(`^[а-я]{3,${maxLetters}}$`)

/** True for a Cyrillic word: its letters indicate the endings regardless of the text. */
export const isCyrillic = (word: string) => cyrillic.test(word)

/** The stem of a word in index form, in a language; undefined if it has letters that the language does not use. */
export function stemIn(language: Language, word: string): string | undefined {
  if (!(language === 'ru' ? cyrillic : latin).test(word)) return undefined
  let stem = word
  for (const [ending, by] of steps[language]) stem = stem.replace(ending, by)
  return stem
}
