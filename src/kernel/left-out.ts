/** A kind of data omitted by an import: how often it occurred, and where first. */
export interface LeftOut {
  what: string
  count: number
  /** The first three places, such as `line 4` or the path of a file. */
  lines: string[]
}

const maxLines = 3
const maxKinds = 100
const maxTextLength = 300

/** Counts data omitted by an import, by kind. */
export class LeftOutCounter {
  readonly #kinds = new Map<string, LeftOut>()

  /** Continues the counts of `kinds`. */
  constructor(kinds: readonly LeftOut[] = []) {
    for (const kind of kinds) this.#kinds.set(kind.what, { ...kind, lines: [...kind.lines] })
  }

  /** @param where the number of a line, or another place */
  add(what: string, where: number | string): void {
    const key = what.slice(0, maxTextLength).toWellFormed()
    const kind = this.#kinds.get(key) ?? { what: key, count: 0, lines: [] }
    kind.count++
    if (kind.lines.length < maxLines)
      kind.lines.push(typeof where === 'number' ? `line ${where}` : where.slice(0, maxTextLength))
    this.#kinds.set(key, kind)
  }

  /** At most a hundred; the rest are counted together. */
  get kinds(): LeftOut[] {
    const all = [...this.#kinds.values()]
    if (all.length <= maxKinds) return all
    const rest = all.slice(maxKinds - 1)
    const count = rest.reduce((sum, kind) => sum + kind.count, 0)
    return [
      ...all.slice(0, maxKinds - 1),
      { what: `${rest.length} other kinds`, count, lines: rest[0]?.lines ?? [] },
    ]
  }
}

/** Describes a kind of omitted data in a sentence. */
export function leftOutText({ what, count, lines }: LeftOut): string {
  const more = count > lines.length ? ` and ${count - lines.length} more` : ''
  return `Left out: ${what} (${lines.join(', ')}${more}).`
}

/** Description of omitted cells whose field another column already fills. */
export function duplicateColumn(column: string, first: string, field: string): string {
  return `column ${JSON.stringify(column.slice(0, 100))} where ${JSON.stringify(first.slice(0, 100))} fills the field ${field}`
}

/** Description of omitted cells whose column matches no field. */
export function unknownColumn(column: string): string {
  return `column ${JSON.stringify(column.slice(0, 100))}`
}
