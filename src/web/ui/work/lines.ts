/** The trimmed, non-empty lines of a text. */
export const nonEmptyLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Moves a list entry to another index; unchanged if there is no such index. */
export function moveItem<T>(list: readonly T[], from: number, to: number): T[] {
  const others = list.toSpliced(from, 1)
  return [...others.slice(0, to), ...list.slice(from, from + 1), ...others.slice(to)]
}
