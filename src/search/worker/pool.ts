// The vectors of one space in memory, with their texts.

import { VectorSlots } from './scan.ts'
import { TopScores } from './top-scores.ts'

export interface PassageVector {
  start: number
  length: number
  bytes: Int8Array
  scale: number
}

/** The bytes of a stored vector. */
export function vectorBytes(blob: Buffer): Int8Array {
  return new Int8Array(blob.buffer, blob.byteOffset, blob.byteLength)
}

/** A passage with a similar meaning. */
export interface NearPassage {
  doc: number
  start: number
  length: number
  cosine: number
  /**
   * Distance above the mean of all scanned passages, in standard deviations, since cosines are low for all passages
   * in a small space and high for all in a large one.
   */
  standardScore: number
}

/** Virtual passages with no similarity, added to the statistics so that a passage can stand out among few. */
const virtualPassages = { count: 20, spread: 0.07 } as const

const noDoc = 0

type Numbers = Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>

/** A growing array of four-byte numbers, one per passage. */
class Column<T extends Numbers> {
  values: T
  readonly #arrayType: new (
    length: number,
  ) => T

  constructor(make: new (length: number) => T) {
    this.#arrayType = make
    this.values = new make(1024)
  }

  set(at: number, value: number): void {
    if (at >= this.values.length) {
      const grown = new this.#arrayType(Math.max(at + 1, Math.ceil(this.values.length * 1.25)))
      grown.set(this.values)
      this.values = grown
    }
    this.values[at] = value
  }
}

export class VectorPool {
  readonly #slots: VectorSlots
  readonly #doc = new Column<Uint32Array<ArrayBuffer>>(Uint32Array)
  readonly #start = new Column<Uint32Array<ArrayBuffer>>(Uint32Array)
  readonly #length = new Column<Uint32Array<ArrayBuffer>>(Uint32Array)
  readonly #scale = new Column<Float32Array<ArrayBuffer>>(Float32Array)
  readonly #group = new Column<Uint32Array<ArrayBuffer>>(Uint32Array)
  /** Slots of a text's passages; most texts have one. */
  readonly #byDoc = new Map<number, number | number[]>()
  readonly #free: number[] = []
  #used = 0
  /** Products of the last query with each slot; valid until the next. */
  #products: { values: Int32Array; scale: number } | undefined

  constructor(dimensions: number) {
    this.#slots = new VectorSlots(Math.ceil(dimensions / 16) * 16)
  }

  get passages(): number {
    return this.#used - this.#free.length
  }

  get bytes(): number {
    return this.#slots.bytes + this.#doc.values.byteLength * 5
  }

  has(doc: number): boolean {
    return this.#byDoc.has(doc)
  }

  /** Replaces the passages of a text. `group`: number of its type and container. */
  put(doc: number, group: number, passages: readonly PassageVector[]): void {
    this.drop(doc)
    const slots = passages.map((passage) => {
      const slot = this.#free.pop() ?? this.#used++
      this.#slots.put(slot, this.#pad(passage.bytes))
      this.#doc.set(slot, doc)
      this.#start.set(slot, passage.start)
      this.#length.set(slot, passage.length)
      this.#scale.set(slot, passage.scale)
      this.#group.set(slot, group)
      return slot
    })
    this.#byDoc.set(doc, slots.length === 1 ? slots[0]! : slots)
  }

  /** Moves a text to another container. */
  regroup(doc: number, group: number): void {
    for (const slot of this.#slotsOf(doc)) this.#group.set(slot, group)
  }

  drop(doc: number): void {
    for (const slot of this.#slotsOf(doc)) {
      this.#doc.set(slot, noDoc)
      this.#free.push(slot)
    }
    this.#byDoc.delete(doc)
  }

  /** The nearest passages to a vector, best first, one per text, among allowed groups and some further texts. */
  nearest(
    query: { bytes: Int8Array; scale: number },
    allowed: Uint8Array,
    limit: number,
    alwaysAllowed?: ReadonlySet<number>,
    onlyDocs?: ReadonlySet<number>,
  ): NearPassage[] {
    const products = this.#slots.scan(this.#pad(query.bytes), this.#used)
    this.#products = { values: products, scale: query.scale }
    const [docs, groups, scales] = [this.#doc.values, this.#group.values, this.#scale.values]
    const hasOnePassagePerText = this.#byDoc.size === this.passages
    const topScores = new TopScores(hasOnePassagePerText ? limit : limit * 4)
    let [count, sum, squares] = [0, 0, 0]
    for (let slot = 0; slot < this.#used; slot++) {
      if (
        docs[slot] === noDoc ||
        (allowed[groups[slot]!] !== 1 && !alwaysAllowed?.has(docs[slot]!)) ||
        (onlyDocs && !onlyDocs.has(docs[slot]!))
      )
        continue
      const cosine = products[slot]! * scales[slot]!
      count++
      sum += cosine
      squares += cosine * cosine
      if (cosine > topScores.threshold) topScores.add(slot, cosine)
    }
    const passages = new Map<number, NearPassage>()
    const mean = (sum * query.scale) / (count + virtualPassages.count)
    const spread = Math.sqrt(
      Math.max(
        1e-6,
        (squares * query.scale ** 2 + virtualPassages.count * virtualPassages.spread ** 2) /
          (count + virtualPassages.count) -
          mean ** 2,
      ),
    )
    for (const { slot, score } of topScores.sorted()) {
      const doc = docs[slot]!
      if (!passages.has(doc) && passages.size < limit)
        passages.set(doc, {
          doc,
          start: this.#start.values[slot]!,
          length: this.#length.values[slot]!,
          cosine: score * query.scale,
          standardScore: (score * query.scale - mean) / spread,
        })
    }
    return [...passages.values()]
  }

  /** The cosine of a text's nearest passage to the vector of the last `nearest`, at least 0. */
  cosineOf(doc: number): number {
    if (!this.#products) return 0
    const { values, scale } = this.#products
    let best = 0
    for (const slot of this.#slotsOf(doc))
      best = Math.max(best, (values[slot] ?? 0) * (this.#scale.values[slot] ?? 0) * scale)
    return best
  }

  #slotsOf(doc: number): readonly number[] {
    const slots = this.#byDoc.get(doc)
    if (slots === undefined) return []
    return typeof slots === 'number' ? [slots] : slots
  }

  #pad(bytes: Int8Array): Int8Array {
    const { dimensions } = this.#slots
    if (bytes.length === dimensions) return bytes
    const padded = new Int8Array(dimensions)
    padded.set(bytes)
    return padded
  }
}
