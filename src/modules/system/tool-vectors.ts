import { quantize } from '../../search/worker/scan.ts'
import { type StaticTable, readTable } from '../../search/worker/static-table.ts'

/** Unit vectors, one byte per dimension, in one block of memory. */
export class Vectors {
  readonly #bytes: Int8Array
  readonly #scales: Float32Array

  constructor(vectors: readonly Float32Array[]) {
    const dimensions = vectors[0]?.length ?? 0
    this.#bytes = new Int8Array(dimensions * vectors.length)
    this.#scales = new Float32Array(vectors.length)
    for (const [i, vector] of vectors.entries()) {
      const { bytes, scale } = quantize(vector)
      this.#bytes.set(bytes, i * dimensions)
      this.#scales[i] = scale
    }
  }

  /** The cosine of each vector with the given one. */
  products(vector: Float32Array): number[] {
    const products: number[] = []
    for (let n = 0, at = 0; n < this.#scales.length; n++) {
      let sum = 0
      for (let i = 0; i < vector.length; i++) sum += vector[i]! * this.#bytes[at++]!
      products.push(sum * this.#scales[n]!)
    }
    return products
  }
}

let table: StaticTable | undefined
export const sharedTable = () => (table ??= readTable())
