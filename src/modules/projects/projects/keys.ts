const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Format of a project key. */
export const keyPattern = /^[A-Z][A-Z0-9]{1,9}$/

/**
 * Keys of two to five letters for a name, best first: its initials, its beginning, then these with letters appended.
 */
export function* keysFor(name: string): Generator<string> {
  const words =
    name
      .normalize('NFKD')
      .toUpperCase()
      .replace(/\p{M}/gu, '')
      .match(/[A-Z]+/g) ?? []
  const initials = words
    .map((word) => word[0]!)
    .join('')
    .slice(0, 5)
  const joined = words.join('')
  const preferred = [
    initials,
    joined.slice(0, 3),
    joined.slice(0, 4),
    joined.slice(0, 5),
    joined.slice(0, 2),
  ]
  yield* new Set(preferred.filter((key) => key.length >= 2))
  const stem = (initials.length >= 2 ? initials : joined || 'PRJ').slice(0, 3)
  if (joined === '') yield stem
  for (const letter of letters) yield stem + letter
  for (const letter of letters) for (const two of letters) yield stem + letter + two
  for (let count = 0; count < 26 ** 4; count++) yield stem[0]! + lettersOf(count)
}

/** A number as four letters. */
function lettersOf(count: number): string {
  return [26 ** 3, 26 ** 2, 26, 1].map((place) => letters[Math.floor(count / place) % 26]!).join('')
}
