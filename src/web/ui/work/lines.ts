/** The trimmed, non-empty lines of a text. */
export const filledLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Moves a list entry to another index; unchanged if there is no such index. */
export function withMoved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.toSpliced(from, 1)
  return [...rest.slice(0, to), ...list.slice(from, from + 1), ...rest.slice(to)]
}
