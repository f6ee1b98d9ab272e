/**
 * A map of at most `maxEntries` entries: adding one more drops the oldest. `set` and `use` make an entry the newest;
 * `get` does not. Reading with `use` therefore keeps the most recently used entries, and reading with `get` the most
 * recently added ones, at less cost per read.
 */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #maxEntries: number

  constructor(maxEntries: number) {
    super()
    this.#maxEntries = maxEntries
  }

  get isFull(): boolean {
    return this.size >= this.#maxEntries
  }

  /** Adds or replaces an entry and makes it the newest. */
  override set(key: K, value: V): this {
    this.delete(key)
    super.set(key, value)
    if (this.size > this.#maxEntries) {
      const [oldest] = this.keys()
      this.delete(oldest as K)
    }
    return this
  }

  /** The value of a key; makes its entry the newest. */
  use(key: K): V | undefined {
    const value = this.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  /** The same, creating the value if missing. */
  useOrAdd(key: K, make: () => V): V {
    const value = this.get(key) ?? make()
    this.set(key, value)
    return value
  }
}
