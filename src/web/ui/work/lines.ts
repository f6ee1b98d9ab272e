/** The lines of a text without spaces around them, those left out that say nothing. */
export const filledLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** A list with the entry of one place at another; as it is where there is none. */
export function withMoved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.toSpliced(from, 1)
  return [...rest.slice(0, to), ...list.slice(from, from + 1), ...rest.slice(to)]
}
