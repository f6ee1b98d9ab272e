// The rows of the encoder's tokens: 384 weights of 4 bits each, in blocks of 32 with a scale (q4_0 of llama.cpp).

export const dimensions = 384
const blockWeights = 32
/** A scale of two bytes (float16), and two weights a byte. */
const blockBytes = 2 + blockWeights / 2
const rowBytes = (dimensions / blockWeights) * blockBytes

/** Reads part of a file into a buffer. */
export type ReadAt = (target: Uint8Array, position: number) => void

/** Rows are read as they are needed: a text has some hundred of 250,000. */
export class TokenRows {
  readonly #read: ReadAt
  readonly #row = new Uint8Array(rowBytes)
  readonly #view = new DataView(this.#row.buffer)

  constructor(read: ReadAt) {
    this.#read = read
  }

  /** Adds the row of a token to 384 numbers of `target`. */
  addTo(target: Float32Array, offset: number, id: number): void {
    const add = (at: number, weight: number) => {
      target[at] = (target[at] ?? 0) + weight
    }
    this.#read(this.#row, id * rowBytes)
    for (let block = 0; block < dimensions / blockWeights; block++) {
      const start = block * blockBytes
      const scale = this.#view.getFloat16(start, true)
      const first = offset + block * blockWeights
      for (const [at, pair] of this.#row.subarray(start + 2, start + blockBytes).entries()) {
        add(first + at, ((pair & 0x0f) - 8) * scale)
        add(first + at + blockWeights / 2, ((pair >> 4) - 8) * scale)
      }
    }
  }
}
