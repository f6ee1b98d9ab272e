/**
 * What modules add to a lower one that knows nothing of them: the lower module defines the point and reads it, the others
 * register when they are loaded. Modules depend on what lies below them that way, and never the other way round.
 */
export class ExtensionPoint<T> {
  readonly #entries: T[] = []

  register(entry: T): void {
    this.#entries.push(entry)
  }

  get entries(): readonly T[] {
    return this.#entries
  }
}
