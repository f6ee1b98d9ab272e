/** A kind of thing that an import left out: how often, and where first. */
export interface LeftOut {
  what: string
  count: number
  /** Of the first three. */
  lines: number[]
}

const maxLines = 3
const maxKinds = 100

/** Counts what an import leaves out, by kind. */
export class LeftOutCounter {
  readonly #kinds = new Map<string, LeftOut>()

  add(what: string, line: number): void {
    const known = this.#kinds.get(what)
    if (known) {
      known.count++
      if (known.lines.length < maxLines) known.lines.push(line)
    } else this.#kinds.set(what, { what, count: 1, lines: [line] })
  }

  get kinds(): LeftOut[] {
    return [...this.#kinds.values()].slice(0, maxKinds)
  }
}

/** A sentence for a person. */
export function leftOutText({ what, count, lines }: LeftOut): string {
  const places = lines.length === 1 ? `line ${lines[0]}` : `lines ${lines.join(', ')}`
  const more = count > lines.length ? ` and ${count - lines.length} more` : ''
  return `Left out: ${what} (${places}${more}).`
}

/** The kind of cells whose field another column filled. */
export function secondColumn(column: string, first: string, field: string): string {
  return `column ${JSON.stringify(column.slice(0, 100))} where ${JSON.stringify(first.slice(0, 100))} fills the field ${field}`
}
