// Tracks events within a sliding window, in little memory.

/** Distinct values in a recent period. */
export class RecentDistinct {
  readonly #window: number
  readonly #lastSeenAt = new Map<string, number>()

  constructor(window: number) {
    this.#window = window
  }

  /** Adds a value and returns the number of distinct ones; stores at most `maxSize`. */
  add(value: string, now: number, maxSize: number): number {
    this.#lastSeenAt.delete(value)
    this.#lastSeenAt.set(value, now) // at the end, so that the oldest comes first
    for (const [stored, at] of this.#lastSeenAt) {
      if (now - at < this.#window && this.#lastSeenAt.size <= maxSize) break
      this.#lastSeenAt.delete(stored)
    }
    return this.#lastSeenAt.size
  }
}

/** Divisions of a window: the values of one division expire together, at most that much too early. */
const divisions = 60

/** A sum over a recent period. */
export class RecentSum {
  readonly #window: number
  #parts: { at: number; amount: number }[] = []
  #total = 0

  constructor(window: number) {
    this.#window = window
  }

  add(amount: number, now: number): void {
    this.#total += amount
    const last = this.#parts.at(-1)
    if (last && now - last.at < this.#window / divisions) last.amount += amount
    else this.#parts.push({ at: now, amount })
  }

  sum(now: number): number {
    while (this.#parts.length > 0 && now - this.#parts[0]!.at >= this.#window)
      this.#total -= this.#parts.shift()!.amount
    return this.#total
  }
}

const bitsPerWord = 32

/**
 * Counts distinct ids within an hour or another period, by linear counting over a bitmap: 8 KiB for 10,000 of them,
 * with an error of a few percent. Restarts after each period.
 */
export class Census {
  readonly #window: number
  readonly #bits: Uint32Array
  readonly #size: number
  #setBits = 0
  #since: number

  constructor(window: number, maxEntries: number, now: number) {
    this.#window = window
    this.#size = Math.min(2 ** 24, 2 ** Math.ceil(Math.log2(Math.max(1024, maxEntries * 5))))
    this.#bits = new Uint32Array(this.#size / bitsPerWord)
    this.#since = now
  }

  /** Restarts if its period is over. */
  advanceTo(now: number): void {
    if (now - this.#since < this.#window) return
    this.#bits.fill(0)
    this.#setBits = 0
    this.#since = now
  }

  add(id: string): void {
    const position = hashOfId(id) & (this.#size - 1)
    const word = position >>> 5
    const bit = 1 << (position & 31)
    if (this.#bits[word]! & bit) return
    this.#bits[word]! |= bit
    this.#setBits++
  }

  get count(): number {
    const free = Math.max(1, this.#size - this.#setBits)
    return Math.round(this.#size * Math.log(this.#size / free))
  }
}

/** A hash (FNV-1a) of the last twelve characters: the distinguishing part of an id. */
function hashOfId(id: string): number {
  let hash = 0x811c9dc5
  for (let i = Math.max(0, id.length - 12); i < id.length; i++)
    hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
