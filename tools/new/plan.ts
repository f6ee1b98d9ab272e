/** Output of a generator: the text of each file by its path from the root, and the next steps. */
export interface Plan {
  created: Record<string, string>
  changed: Record<string, string>
  /** Generators to run after the files were written, each with its arguments. */
  commands?: string[][]
  next: string[]
}

/** An invalid name; the message is for the person who chose it. */
export class InvalidName extends Error {}

/** Converts `merge-labels` and `merge_labels` to `mergeLabels`. */
export function camelCase(name: string): string {
  return name.replace(/[-_]([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** Adds an import after a file's last one. */
export function withImport(source: string, line: string): string {
  const last = [...source.matchAll(/^(?:import|\}) .*from '.*'\n/gm)].at(-1)
  const end = last ? last.index + last[0].length : 0
  return `${source.slice(0, end)}${line}\n${source.slice(end)}`
}

/** Appends an element to the list whose `[` ends the first `opening` at or after `from`. */
export function withElement(source: string, from: number, element: string, opening = '['): string {
  const openingAt = source.indexOf(opening, from)
  const start = openingAt < 0 ? -1 : openingAt + opening.length - 1
  let depth = 0
  for (let at = start; at < source.length && start >= 0; at++) {
    if (source[at] === '[') depth++
    if (source[at] === ']' && --depth === 0) {
      const before = source.slice(0, at).trimEnd().replace(/,$/, '')
      return `${before}${before.endsWith('[') ? '' : ', '}${element}${source.slice(at)}`
    }
  }
  throw new Error('The list to which the new element belongs was not found.')
}
