const maxCachedStems = 200_000
const cache = new Map<string, string>()

/**
 * The stem of a lower-case English word by Porter's algorithm (1980), the same as in the full-text index. Cached: few
 * words make up most of all text.
 */
export function stem(word: string): string {
  if (!/^[a-z0-9]{3,64}$/.test(word)) return word
  const cached = cache.get(word)
  if (cached !== undefined) return cached
  if (cache.size >= maxCachedStems) cache.clear()
  const result = porterStem(word)
  cache.set(word, result)
  return result
}

function porterStem(word: string): string {
  const first = word[0] === 'y' ? 'Y' : word[0]!
  const result = step5(steps2to4(step1bc(step1a(first + word.slice(1)))))
  return first === 'Y' ? `y${result.slice(1)}` : result
}

const consonant = '[^aeiou]'
const vowel = '[aeiouy]'
const consonants = `${consonant}[^aeiouy]*`
const vowels = `${vowel}[aeiou]*`
const m0 = new RegExp(`^(${consonants})?${vowels}${consonants}`) // m > 0
const m1 = new RegExp(`^(${consonants})?${vowels}${consonants}(${vowels})?$`) // m = 1
const mMore = new RegExp(`^(${consonants})?${vowels}${consonants}${vowels}${consonants}`) // m > 1
const hasVowel = new RegExp(`^(${consonants})?${vowel}`)
const shortEnd = new RegExp(`^${consonants}${vowel}[^aeiouwxy]$`) // *o, of a stem with m = 1

function step1a(word: string): string {
  if (/(ss|i)es$/.test(word)) return word.slice(0, -2)
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word
}

function step1bc(word: string): string {
  return step1c(step1b(word))
}

function step1b(word: string): string {
  if (word.endsWith('eed')) return m0.test(word.slice(0, -3)) ? word.slice(0, -1) : word
  const root = /^(.+?)(ed|ing)$/.exec(word)?.[1]
  if (root === undefined || !hasVowel.test(root)) return word
  if (/(at|bl|iz)$/.test(root)) return `${root}e`
  if (/([^aeiouylsz])\1$/.test(root)) return root.slice(0, -1)
  return shortEnd.test(root) ? `${root}e` : root
}

function step1c(word: string): string {
  return word.endsWith('y') && hasVowel.test(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word
}

const step2Suffixes: Record<string, string> = {
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  bli: 'ble',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
  logi: 'log',
}
const step3Suffixes: Record<string, string> = {
  icate: 'ic',
  ative: '',
  alize: 'al',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
}

function steps2to4(word: string): string {
  const two = replaceSuffix(
    word,
    /^(.+?)(ational|tional|enci|anci|izer|bli|alli|entli|eli|ousli|ization|ation|ator|alism|iveness|fulness|ousness|aliti|iviti|biliti|logi)$/,
    step2Suffixes,
  )
  return step4(replaceSuffix(two, /^(.+?)(icate|ative|alize|iciti|ical|ful|ness)$/, step3Suffixes))
}

function replaceSuffix(word: string, ending: RegExp, by: Record<string, string>): string {
  const [, root, suffix] = ending.exec(word) ?? []
  return root !== undefined && m0.test(root) ? root + by[suffix!]! : word
}

function step4(word: string): string {
  const plain =
    /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$/.exec(
      word,
    )?.[1]
  if (plain !== undefined) return mMore.test(plain) ? plain : word
  const root = /^(.+?[st])ion$/.exec(word)?.[1]
  return root !== undefined && mMore.test(root) ? root : word
}

function step5(word: string): string {
  return doubleL(finalE(word))
}

function finalE(word: string): string {
  const root = /^(.+?)e$/.exec(word)?.[1]
  if (root === undefined) return word
  return mMore.test(root) || (m1.test(root) && !shortEnd.test(root)) ? root : word
}

function doubleL(word: string): string {
  return word.endsWith('ll') && mMore.test(word) ? word.slice(0, -1) : word
}
