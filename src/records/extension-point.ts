/**
 * Extension point of a lower module that does not know its users: it defines and reads the point, and other modules
 * register when they are loaded. Dependencies then only point downwards.
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
