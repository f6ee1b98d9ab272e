/** A map that forgets what was not asked for longest. */
export class Recent<V> {
  readonly #kept = new Map<string, V>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get isFull(): boolean {
    return this.#kept.size >= this.#most
  }

  find(key: string): V | undefined {
    const value = this.#kept.get(key)
    if (value === undefined) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, value)
    return value
  }

  keep(key: string, value: V): V {
    if (this.isFull && !this.#kept.has(key)) this.#kept.delete(this.#kept.keys().next().value!)
    this.#kept.set(key, value)
    return value
  }
}
