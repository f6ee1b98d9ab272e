import { nameKey } from '../contacts/names.ts'

/** Titles and suffixes, which do not distinguish people. */
const titles = new Set([
  'dr',
  'prof',
  'mr',
  'mrs',
  'ms',
  'miss',
  'herr',
  'frau',
  'sir',
  'jr',
  'sr',
  'ii',
  'iii',
  'phd',
  'md',
  'dipl',
  'ing',
  'mag',
  'm',
  'mme',
])

/** The words of a name in alphabetical order, so that `Müller, Dr. Jörg` and `Jörg Müller` are the same. */
export function nameWords(name: string): string[] {
  const words = nameKey(name).match(/[\p{L}\p{N}]+/gu) ?? []
  const nameParts = words.filter((word) => !titles.has(word))
  return (nameParts.length > 0 ? nameParts : words).sort()
}

/**
 * Similarity of two names, 0 to 1: word by word by Jaro and Winkler, each word with its best match. An initial
 * matches a word that begins with it, at a discount: `J. Smith` and `Jane Smith`.
 */
export function nameLikeness(words: readonly string[], otherWords: readonly string[]): number {
  const [short, long] =
    words.length <= otherWords.length ? [words, otherWords] : [otherWords, words]
  if (short.length === 0) return 0
  const unmatched = [...long]
  let sum = 0
  for (const word of short) {
    const scores = unmatched.map((candidate) => wordLikeness(word, candidate))
    const best = scores.indexOf(Math.max(...scores))
    sum += scores[best]!
    unmatched.splice(best, 1)
  }
  return sum / (short.length + unmatched.length * 0.5)
}

function wordLikeness(name: string, other: string): number {
  if (name === other) return 1
  if (name.length === 1 || other.length === 1) return name[0] === other[0] ? 0.85 : 0
  return jaroWinkler(name, other)
}

/** W. E. Winkler, String Comparator Metrics and Enhanced Decision Rules in the Fellegi-Sunter Model of Record Linkage (1990). */
export function jaroWinkler(name: string, other: string): number {
  const jaro = jaroLikeness(name, other)
  let commonPrefix = 0
  while (
    commonPrefix < 4 &&
    commonPrefix < name.length &&
    name[commonPrefix] === other[commonPrefix]
  )
    commonPrefix++
  return jaro + commonPrefix * 0.1 * (1 - jaro)
}

function jaroLikeness(name: string, other: string): number {
  const maxDistance = Math.max(0, Math.floor(Math.max(name.length, other.length) / 2) - 1)
  const isMatched = new Array<boolean>(other.length).fill(false)
  const matched: string[] = []
  for (let i = 0; i < name.length; i++) {
    for (
      let j = Math.max(0, i - maxDistance);
      j <= Math.min(other.length - 1, i + maxDistance);
      j++
    ) {
      if (isMatched[j] || name[i] !== other[j]) continue
      isMatched[j] = true
      matched.push(name[i]!)
      break
    }
  }
  if (matched.length === 0) return 0
  const matchedInOther = [...other].filter((_, j) => isMatched[j])
  const transpositions = matched.filter((letter, i) => letter !== matchedInOther[i]).length / 2
  return (
    (matched.length / name.length +
      matched.length / other.length +
      (matched.length - transpositions) / matched.length) /
    3
  )
}
