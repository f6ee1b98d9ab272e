interface Waiting {
  key: string
  go: () => void
}

/** Limits concurrent requests: per target, and in total. Further requests queue. */
export class Slots {
  readonly #perKey: number
  readonly #inAll: number
  readonly #countByTarget = new Map<string, number>()
  #all = 0
  #waiting: Waiting[] = []

  constructor(perKey: number, inAll: number) {
    this.#perKey = perKey
    this.#inAll = inAll
  }

  /** Resolves to a function that releases the slot; rejects with the signal's reason if it aborts first. */
  async take(key: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    if (!this.#hasRoom(key)) await this.#turn(key, signal)
    else this.#enter(key)
    let isOut = false
    return () => {
      if (!isOut) this.#leave(key)
      isOut = true
    }
  }

  #hasRoom(key: string): boolean {
    return this.#all < this.#inAll && (this.#countByTarget.get(key) ?? 0) < this.#perKey
  }

  #turn(key: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = () => {
        this.#waiting = this.#waiting.filter((item) => item !== waiting)
        reject(signal.reason as Error)
      }
      const waiting = {
        key,
        go: () => {
          signal.removeEventListener('abort', end)
          resolve()
        },
      }
      this.#waiting.push(waiting)
      signal.addEventListener('abort', end, { once: true })
    })
  }

  #enter(key: string): void {
    this.#all++
    this.#countByTarget.set(key, (this.#countByTarget.get(key) ?? 0) + 1)
  }

  #leave(key: string): void {
    this.#all--
    const left = this.#countByTarget.get(key)! - 1
    if (left === 0) this.#countByTarget.delete(key)
    else this.#countByTarget.set(key, left)
    const next = this.#waiting.find((waiting) => this.#hasRoom(waiting.key))
    if (!next) return
    this.#waiting = this.#waiting.filter((waiting) => waiting !== next)
    this.#enter(next.key)
    next.go()
  }
}
