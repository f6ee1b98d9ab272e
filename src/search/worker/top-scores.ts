/** The best of many scores, in a heap with the smallest on top. */
export class TopScores {
  readonly #limit: number
  readonly #slots: Int32Array
  readonly #scores: Float64Array
  #size = 0

  constructor(capacity: number) {
    this.#limit = capacity
    this.#slots = new Int32Array(capacity)
    this.#scores = new Float64Array(capacity)
  }

  /** Scores up to this one are not among the best. `add` does not check this itself. */
  get threshold(): number {
    return this.#size < this.#limit ? -Infinity : this.#scores[0]!
  }

  add(slot: number, score: number): void {
    if (this.#size < this.#limit) this.#insertUp(this.#size++, slot, score)
    else this.#replaceTop(slot, score)
  }

  sorted(): { slot: number; score: number }[] {
    return Array.from({ length: this.#size }, (_, i) => ({
      slot: this.#slots[i]!,
      score: this.#scores[i]!,
    })).sort((a, b) => b.score - a.score || a.slot - b.slot)
  }

  #insertUp(from: number, slot: number, score: number): void {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#scores[parent]! <= score) break
      this.#copyEntry(at, parent)
      at = parent
    }
    this.#slots[at] = slot
    this.#scores[at] = score
  }

  #replaceTop(slot: number, score: number): void {
    let at = 0
    for (let child = 1; child < this.#size; child = 2 * at + 1) {
      if (child + 1 < this.#size && this.#scores[child + 1]! < this.#scores[child]!) child++
      if (this.#scores[child]! >= score) break
      this.#copyEntry(at, child)
      at = child
    }
    this.#slots[at] = slot
    this.#scores[at] = score
  }

  #copyEntry(at: number, from: number): void {
    this.#slots[at] = this.#slots[from]!
    this.#scores[at] = this.#scores[from]!
  }
}
