/**
 * A map of at most `maxEntries` entries: adding one more drops the oldest. An entry is as old as its last `set` or `use`;
 * `get` does not make it newer. A map that is only read by `use` therefore keeps what was used last, and one that is read by
 * `get` what was added last, which costs less per read.
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

  /** Adds or replaces an entry, which is the newest then. */
  override set(key: K, value: V): this {
    this.delete(key)
    super.set(key, value)
    if (this.size > this.#maxEntries) {
      const [oldest] = this.keys()
      this.delete(oldest as K)
    }
    return this
  }

  /** The value of a key, whose entry is the newest then. */
  use(key: K): V | undefined {
    const value = this.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  /** The same, made and added where there is none. */
  useOrAdd(key: K, make: () => V): V {
    const value = this.get(key) ?? make()
    this.set(key, value)
    return value
  }
}
