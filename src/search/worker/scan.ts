// Dot products of one vector of signed bytes with many, by WebAssembly SIMD: exact, and fast enough to need no
// nearest-neighbour index.

/*
 * The module, as text (scan: q, v, n, d, out):
 *   for each of n vectors of d bytes from v: accumulate in i32x4 the i32x4.dot_i16x8_s of the low and the high half of 16 bytes of
 *   q and of the vector (i16x8.extend_low_i8x16_s, extend_high_i8x16_s), add the four lanes, store the i32 at out.
 */
const binary =
  'AGFzbQEAAAABCQFgBX9/f39/AAMCAQAFBgEBAYCABAcRAgZtZW1vcnkCAARzY2FuAAAKqwEBqAECAn8DewJAA0AgAkUNAf0MAAAAAAAAAAAAAAAAAAAAACEHIAAhBiAAIANqIQUDQCAG/QAEACEIIAH9AAQAIQkgByAI/YcBIAn9hwH9ugEg' +
  'CP2IASAJ/YgB/boB/a4B/a4BIQcgBkEQaiEGIAFBEGohASAGIAVJDQALIAQgB/0bACAH/RsBaiAH/RsCIAf9GwNqajYCACAEQQRqIQQgAkEBayECDAALCws='

const wasmPageBytes = 65_536

/** The parts of WebAssembly that are used: Node's types do not declare it. */
const { WebAssembly } = globalThis as {
  WebAssembly: {
    Module: new (bytes: Uint8Array) => object
    Instance: new (module: object) => { exports: object }
  }
}

interface Exports {
  memory: { buffer: ArrayBuffer; grow(pages: number): void }
  scan(query: number, vectors: number, n: number, dimensions: number, out: number): void
}

/** Vectors of signed bytes in one block of memory, each in its own slot. */
export class VectorSlots {
  /** Dimensions of each vector; a multiple of 16. */
  readonly dimensions: number
  readonly #wasm: Exports
  /** Allocated slots. */
  #capacity = 0

  constructor(dimensions: number) {
    if (dimensions % 16 !== 0) throw new Error('The dimensions of vectors are a multiple of 16.')
    this.dimensions = dimensions
    this.#wasm = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(binary, 'base64')))
      .exports as Exports
  }

  /** Bytes in use. */
  get bytes(): number {
    return this.#wasm.memory.buffer.byteLength
  }

  put(slot: number, vector: Int8Array): void {
    this.#reserve(slot + 1)
    new Int8Array(this.#wasm.memory.buffer).set(vector, this.dimensions * (1 + slot))
  }

  get(slot: number): Int8Array {
    return new Int8Array(this.#wasm.memory.buffer, this.dimensions * (1 + slot), this.dimensions)
  }

  /** Products of a vector with those in the first n slots; valid until the next call. */
  scan(query: Int8Array, n: number): Int32Array {
    this.#reserve(n)
    const { memory, scan } = this.#wasm
    new Int8Array(memory.buffer).set(query, 0)
    const resultOffset = this.dimensions * (1 + this.#capacity)
    scan(0, this.dimensions, n, this.dimensions, resultOffset)
    return new Int32Array(memory.buffer, resultOffset, n)
  }

  /** Allocates memory for the query, the slots and their products. */
  #reserve(slots: number): void {
    if (slots <= this.#capacity) return
    this.#capacity = Math.max(slots, 1024, Math.ceil(this.#capacity * 1.25))
    const { memory } = this.#wasm
    const needed = this.dimensions * (1 + this.#capacity) + 4 * this.#capacity
    if (needed > memory.buffer.byteLength)
      memory.grow(Math.ceil((needed - memory.buffer.byteLength) / wasmPageBytes))
  }
}

/** Quantizes a vector of length 1 to signed bytes, with their scale. */
export function quantize(vector: Float32Array): { bytes: Int8Array; scale: number } {
  let maxAbs = 0
  for (const x of vector) maxAbs = Math.max(maxAbs, Math.abs(x))
  const bytes = new Int8Array(vector.length)
  if (maxAbs === 0) return { bytes, scale: 0 }
  for (let i = 0; i < vector.length; i++) bytes[i] = Math.round((vector[i]! / maxAbs) * 127)
  return { bytes, scale: maxAbs / 127 }
}
