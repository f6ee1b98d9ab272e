// The vocabulary of the encoder: pieces of words with their log probabilities, in typed arrays.

/** Ids of the model that stand for no text. */
export const specialIds = { begin: 0, end: 2, unknown: 3 } as const
/** Ids below this one are special, and no text is taken for them. */
const firstPieceId = 4
/** Added to the lowest log probability for a character that no piece contains. */
const unknownPenalty = -10
const emptySlot = -1
const tab = 0x09
const newline = 0x0a
const fnvOffset = 0x811c9dc5
const fnvPrime = 0x01000193

/**
 * Pieces by their UTF-8 bytes. A hash table with open addressing instead of a map: it takes 8 MB, where a map of
 * 250,000 strings takes 30.
 */
export class Vocabulary {
  /** Log probability of a piece by its id. */
  readonly scores: Float64Array
  /** Log probability of an unknown character. */
  readonly unknownScore: number
  /** Bytes of the longest piece. */
  readonly maxLength: number
  readonly #bytes: Buffer
  readonly #offsets: Uint32Array
  readonly #slots: Int32Array

  /** Reads lines of a piece, a tab and its log probability; the number of the line is the id of the piece. */
  constructor(file: Uint8Array) {
    const count = countLines(file)
    this.scores = new Float64Array(count)
    this.#offsets = new Uint32Array(count + 1)
    const bytes = new Uint8Array(file.length)
    const text = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
    let [id, length, maxLength, minScore] = [0, 0, 0, Infinity]
    for (let start = 0; start < file.length; id++) {
      const separator = file.indexOf(tab, start)
      const end = file.indexOf(newline, separator)
      if (separator < 0 || end < 0)
        throw new Error(`Line ${id + 1} of the vocabulary is incomplete.`)
      const score = Number(text.toString('latin1', separator + 1, end))
      bytes.set(file.subarray(start, separator), length)
      length += separator - start
      this.scores[id] = score
      this.#offsets[id + 1] = length
      maxLength = Math.max(maxLength, separator - start)
      minScore = Math.min(minScore, score)
      start = end + 1
    }
    this.#bytes = Buffer.copyBytesFrom(bytes, 0, length)
    this.maxLength = maxLength
    this.unknownScore = minScore + unknownPenalty
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(count * 1.5))).fill(emptySlot)
    for (let piece = firstPieceId; piece < count; piece++) this.#insert(piece)
  }

  /** Reports each piece with which the UTF-8 text from `start` begins, shortest first. */
  forEachPrefix(
    text: Uint8Array,
    start: number,
    report: (id: number, length: number) => void,
  ): void {
    let hash = fnvOffset
    let length = 0
    const find = () => {
      const id = this.#find(hash, text, start, length)
      if (id !== undefined) report(id, length)
    }
    for (const byte of text.subarray(start, start + this.maxLength + 1)) {
      if (length > 0 && !isContinuation(byte)) find()
      hash = hashStep(hash, byte)
      length++
    }
    if (start + length === text.length) find()
  }

  #find(hash: number, text: Uint8Array, start: number, length: number): number | undefined {
    for (let slot = this.#slotOf(hash); ; slot = this.#nextSlot(slot)) {
      const id = this.#slots[slot] ?? emptySlot
      if (id === emptySlot) return undefined
      const [from, to] = this.#range(id)
      if (to - from === length && this.#bytes.compare(text, start, start + length, from, to) === 0)
        return id
    }
  }

  #insert(id: number): void {
    const hash = this.#bytes.subarray(...this.#range(id)).reduce(hashStep, fnvOffset)
    let slot = this.#slotOf(hash)
    while (this.#slots[slot] !== emptySlot) slot = this.#nextSlot(slot)
    this.#slots[slot] = id
  }

  #range(id: number): [number, number] {
    return [this.#offsets[id] ?? 0, this.#offsets[id + 1] ?? 0]
  }

  #nextSlot(slot: number): number {
    return (slot + 1) % this.#slots.length
  }

  #slotOf(hash: number): number {
    return (hash ^ (hash >>> 15)) & (this.#slots.length - 1)
  }
}

function hashStep(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, fnvPrime)
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}

function countLines(file: Uint8Array): number {
  let count = 0
  for (let at = file.indexOf(newline); at >= 0; at = file.indexOf(newline, at + 1)) count++
  return count
}
