import type { Truncated } from './shapes.ts'

/** Limits the lists in one answer, and reports those that were longer. */
export class SectionCuts {
  readonly #cut: { name: string; tool: string }[] = []

  /** The first `limit` items. The caller reads one more, so that a longer list is detected; `tool` lists the rest. */
  take<T>(name: string, items: readonly T[], limit: number, tool: string): T[] {
    if (items.length > limit) this.#cut.push({ name, tool })
    return items.slice(0, limit)
  }

  /** Reports a list that another operation has shortened. */
  note(name: string, hasMore: boolean, tool: string): void {
    if (hasMore) this.#cut.push({ name, tool })
  }

  /** `hint`: an argument that shows more of every list. */
  report(hint?: string): { truncated?: Truncated } {
    if (this.#cut.length === 0) return {}
    const names = this.#cut.map(({ name }) => name)
    const calls = this.#cut.map(({ name, tool }) => `${tool} for ${name}`)
    return {
      truncated: {
        reason: `There are more than are shown of: ${names.join(', ')}.`,
        how_to_continue: `${hint === undefined ? '' : `${hint} `}Call ${calls.join(', ')}.`,
      },
    }
  }
}
