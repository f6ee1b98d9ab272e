interface Waiter {
  key: string
  proceed: () => void
}

/** Limits concurrent requests: per target, and in total. Further requests queue. */
export class Slots {
  readonly #maxPerKey: number
  readonly #maxTotal: number
  readonly #countByTarget = new Map<string, number>()
  #total = 0
  #waiting: Waiter[] = []

  constructor(perKey: number, inAll: number) {
    this.#maxPerKey = perKey
    this.#maxTotal = inAll
  }

  /** Resolves to a function that releases the slot; rejects with the signal's reason if it aborts first. */
  async take(key: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    if (!this.#hasRoom(key)) await this.#waitForTurn(key, signal)
    else this.#occupy(key)
    let isReleased = false
    return () => {
      if (!isReleased) this.#release(key)
      isReleased = true
    }
  }

  #hasRoom(key: string): boolean {
    return this.#total < this.#maxTotal && (this.#countByTarget.get(key) ?? 0) < this.#maxPerKey
  }

  #waitForTurn(key: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = () => {
        this.#waiting = this.#waiting.filter((item) => item !== waiting)
        reject(signal.reason as Error)
      }
      const waiting: Waiter = {
        key,
        proceed: () => {
          signal.removeEventListener('abort', end)
          resolve()
        },
      }
      this.#waiting.push(waiting)
      signal.addEventListener('abort', end, { once: true })
    })
  }

  #occupy(key: string): void {
    this.#total++
    this.#countByTarget.set(key, (this.#countByTarget.get(key) ?? 0) + 1)
  }

  #release(key: string): void {
    this.#total--
    const remaining = this.#countByTarget.get(key)! - 1
    if (remaining === 0) this.#countByTarget.delete(key)
    else this.#countByTarget.set(key, remaining)
    const next = this.#waiting.find((waiting) => this.#hasRoom(waiting.key))
    if (!next) return
    this.#waiting = this.#waiting.filter((waiting) => waiting !== next)
    this.#occupy(next.key)
    next.proceed()
  }
}
