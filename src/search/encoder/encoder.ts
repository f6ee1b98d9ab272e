// multilingual-e5-small (Wang et al., "Multilingual E5 Text Embeddings", 2024): vectors of texts in a hundred languages.

import { InferenceSession, Tensor } from 'onnxruntime-node'
import { dimensions, TokenRows, type ReadAt } from './rows.ts'
import { maxIds, Tokenizer } from './tokenizer.ts'
import { Vocabulary } from './vocabulary.ts'

/** The files of the model. */
export interface ModelFiles {
  vocabulary: Uint8Array
  /** The ONNX graph of the layers, or its path: from there it is loaded without a copy in memory. */
  layers: string | Uint8Array
  /** Float32 numbers, added to the rows of the tokens. */
  positions: Uint8Array
  /** Float32 numbers: the mean of the vectors of many texts, which is subtracted. */
  mean: Uint8Array
  readRow: ReadAt
}

export class Encoder {
  readonly #session: InferenceSession
  readonly #tokenizer: Tokenizer
  readonly #rows: TokenRows
  readonly #positions: Float32Array
  readonly #mean: Float32Array

  private constructor(session: InferenceSession, files: ModelFiles) {
    this.#session = session
    this.#tokenizer = new Tokenizer(new Vocabulary(files.vocabulary))
    this.#rows = new TokenRows(files.readRow)
    this.#positions = readFloats('positions', files.positions, maxIds * dimensions)
    this.#mean = readFloats('mean', files.mean, dimensions)
  }

  /** Loads the model. `threads`: processor cores that one text uses. @throws Error if a file is incomplete */
  static async load(files: ModelFiles, threads: number): Promise<Encoder> {
    const options = {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: 'sequential',
    } as const
    const session =
      typeof files.layers === 'string'
        ? await InferenceSession.create(files.layers, options)
        : await InferenceSession.create(files.layers, options)
    return new Encoder(session, files)
  }

  /**
   * The vector of a text, of length 1. One text a run: activations are quantized over the whole batch, so that in a
   * batch the vector of a text would depend on the others.
   */
  async embed(text: string): Promise<Float32Array> {
    const ids = this.#tokenizer.encode(text)
    const embeddings = this.#positions.slice(0, ids.length * dimensions)
    for (const [at, id] of ids.entries()) this.#rows.addTo(embeddings, at * dimensions, id)
    const { embedding } = await this.#session.run({
      embeddings: new Tensor('float32', embeddings, [1, ids.length, dimensions]),
      attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), [1, ids.length]),
    })
    return this.#center(embedding?.data as Float32Array)
  }

  #center(vector: Float32Array): Float32Array {
    const centered = vector.map((x, at) => x - (this.#mean[at] ?? 0))
    const length = Math.hypot(...centered)
    return centered.map((x) => x / length)
  }
}

/** A copy, since the bytes of a file need not be aligned. */
function readFloats(name: string, bytes: Uint8Array, count: number): Float32Array {
  const numbers = new Float32Array(new Uint8Array(bytes).buffer)
  if (numbers.length !== count)
    throw new Error(`${name} has ${numbers.length} numbers, and must have ${count}.`)
  return numbers
}
