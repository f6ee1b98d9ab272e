/** The nearest existing names: by letters, for typos, and by words, for different word order. */
export function nearestNames(name: string, among: readonly string[], limit = 5): string[] {
  const shortName = name.slice(0, 100)
  const ranked = among
    .map((other) => ({ other, score: similarity(shortName, other) }))
    .filter((item) => item.score >= 0.5)
  return ranked
    .sort((a, b) => b.score - a.score || (a.other < b.other ? -1 : 1))
    .slice(0, limit)
    .map((item) => item.other)
}

/** A suggestion with the nearest names, preceded by a space; empty if none is near. */
export function suggestionFor(name: string, among: readonly string[]): string {
  const suggestions = nearestNames(name, among, 3)
  const last = suggestions.pop()
  if (last === undefined) return ''
  return ` Did you mean ${suggestions.length > 0 ? `${suggestions.join(', ')} or ${last}` : last}?`
}

/** Similarity of two names in words or letters, ignoring case: 0 to 1. */
export function similarity(a: string, b: string): number {
  const [name, other] = [a.toLowerCase(), b.toLowerCase()]
  const words = wordsIn(name)
  const parts = wordsIn(other)
  const shared = words.filter((word) => parts.some((part) => stem(part) === stem(word))).length
  const byWords = (2 * shared) / (words.length + parts.length || 1)
  const byLetters = 1 - distance(name, other) / Math.max(name.length, other.length, 1)
  return Math.max(byWords, byLetters)
}

/** Edit distance between two texts. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(
        row[j]! + 1,
        next[j - 1]! + 1,
        row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
      )
    row = next
  }
  return row[b.length]!
}

/** The words of a text in lower case; underscores also separate. */
export function wordsIn(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** An English word without its plural ending. */
function stem(word: string): string {
  return word.length > 3 ? word.replace(/ies$/, 'y').replace(/s$/, '') : word
}
