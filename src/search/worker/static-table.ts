import { assetBytes } from '../../db/assets.ts'

/** Vectors of English word stems trained for this project; table/README.md lists the sources. */
export interface StaticTable {
  dimensions: number
  /** The row of a stem; undefined if the table does not contain it. */
  rowOf(stem: string): Float32Array | undefined
  /** Adds the weighted row of a stem to a vector; nothing if the table does not contain it. */
  addTo(vector: Float32Array, stem: string, weight: number): void
}

/**
 * Reads the table: "WSE1", a u32 length, a JSON header {d, V, words}; then, from the next multiple of 4, f32 scales of
 * V rows and V rows of d signed bytes.
 */
export function readTable(): StaticTable {
  const file = assetBytes('static-256.wse')
  if (file.toString('latin1', 0, 4) !== 'WSE1')
    throw new Error('static-256.wse is no table of vectors.')
  const headerLength = file.readUInt32LE(4)
  const { d, V, words } = JSON.parse(file.toString('utf8', 8, 8 + headerLength)) as {
    d: number
    V: number
    words: string
  }
  const start = Math.ceil((8 + headerLength) / 4) * 4
  const scales = new Float32Array(
    file.buffer.slice(file.byteOffset + start, file.byteOffset + start + 4 * V),
  )
  const rows = new Int8Array(file.buffer, file.byteOffset + start + 4 * V, V * d)
  const rowByStem = new Map(words.split(' ').map((word, i) => [word, i]))
  return {
    dimensions: d,
    rowOf(stem) {
      const at = rowByStem.get(stem)
      return at === undefined
        ? undefined
        : Float32Array.from(rows.subarray(at * d, (at + 1) * d), (x) => x * scales[at]!)
    },
    addTo(vector, stem, weight) {
      const at = rowByStem.get(stem)
      if (at === undefined) return
      const factor = weight * scales[at]!
      for (let i = 0, from = at * d; i < d; i++) vector[i]! += factor * rows[from + i]!
    },
  }
}
