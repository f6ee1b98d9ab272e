// Computes text vectors from word vectors. Words get theirs from the bundled table, and from the texts of the
// workspace: team notes are full of names that no table contains.

import { quantize } from './scan.ts'
import type { StaticTable } from './static-table.ts'
import { stemsOf } from '../text.ts'

/** Number of occurrences of each stem in a text. */
export type Bag = ReadonlyMap<string, number>

/** Stored statistics of a stem. */
export interface TermRow {
  stem: string
  /** Number of passages with the word. */
  passages: number
  /** Its vector, as signed bytes; undefined: that of the table. */
  bytes: Int8Array | undefined
  scale: number
}

export function bagOfWords(text: string): Map<string, number> {
  return bagOfStems(stemsOf(text))
}

export function bagOfStems(stems: readonly string[]): Map<string, number> {
  const bag = new Map<string, number>()
  for (const stem of stems) bag.set(stem, (bag.get(stem) ?? 0) + 1)
  return bag
}

/** Exponent for the weight of rare words: idf relative to that of a word in five passages. */
const rarityExponent = 0.5
/** Share of contexts in a known word's vector. */
const contextShare = 0.5
/** Minimum passages for a word's contexts to count in full. */
const fullTrustPassages = 5
/** A word in more than this share of the passages gets no context vector. */
const commonShare = 0.2
/** Maximum stored words: those in the most passages. */
const maxTerms = 150_000

/** An embedding space: computes vectors of texts. */
export class Embeddings {
  readonly dimensions: number
  readonly #table: StaticTable
  readonly #terms: ReadonlyMap<string, TermRow>
  /** Number of passages that it was built from. */
  readonly passages: number
  readonly #rows = new Map<string, Float32Array | null>()

  constructor(table: StaticTable, passages: number, terms: ReadonlyMap<string, TermRow>) {
    this.dimensions = table.dimensions
    this.#table = table
    this.passages = passages
    this.#terms = terms
  }

  /** The vector of a text, of length 1; all zeros if none of its words is known. */
  embed(bag: Bag): Float32Array {
    return normalize(this.sum(bag))
  }

  /** The vector before normalization. */
  sum(bag: Bag): Float32Array {
    const vector = new Float32Array(this.dimensions)
    for (const [stem, times] of bag) {
      const row = this.rowOf(stem)
      if (!row) continue
      const weight = (1 + Math.log(times)) * this.#weightOf(stem)
      for (let i = 0; i < vector.length; i++) vector[i]! += weight * row[i]!
    }
    return vector
  }

  /** Number of passages with a stem at build time. */
  passagesWith(name: string): number {
    return this.#terms.get(name)?.passages ?? 0
  }

  /** Inverse document frequency of a stem: the logarithm of all passages divided by those that contain it. */
  idf(name: string): number {
    return Math.log(1 + this.passages / ((this.#terms.get(name)?.passages ?? 0) + 1))
  }

  rowOf(name: string): Float32Array | null {
    const cached = this.#rows.get(name)
    if (cached !== undefined) return cached
    const term = this.#terms.get(name)
    const row = term?.bytes
      ? Float32Array.from(term.bytes, (x) => x * term.scale)
      : (this.#table.rowOf(name) ?? null)
    if (this.#rows.size >= 50_000) this.#rows.clear()
    this.#rows.set(name, row)
    return row
  }

  #weightOf(name: string): number {
    return this.passages === 0
      ? 1
      : (this.idf(name) / Math.log(1 + this.passages / 5)) ** rarityExponent
  }
}

/** Builds a space from the passages of a workspace in two passes: `count` for each, `learn` for each, then `made`. */
export class Adaptation {
  readonly #table: StaticTable
  readonly #counts = new Map<string, number>()
  #passages = 0
  #baseSpace: Embeddings | undefined
  #contexts = new Map<string, Float32Array>()

  constructor(table: StaticTable) {
    this.#table = table
  }

  count(bag: Bag): void {
    this.#passages++
    for (const key of bag.keys()) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
    if (this.#counts.size > 4 * maxTerms)
      for (const [stem, n] of this.#counts) if (n === 1) this.#counts.delete(stem)
  }

  learn(bag: Bag): void {
    const plain = (this.#baseSpace ??= this.#begin())
    const vector = plain.embed(bag)
    for (const [one, times] of bag) {
      const context = this.#contexts.get(one)
      if (!context) continue
      const weight = 1 + Math.log(times)
      for (let i = 0; i < vector.length; i++) context[i]! += weight * vector[i]!
    }
  }

  build(): { passages: number; terms: TermRow[] } {
    const plain = (this.#baseSpace ??= this.#begin())
    const vectorLengths = [...this.#contexts.keys()]
      .flatMap((key) => plain.rowOf(key) ?? [])
      .map(vectorNorm)
      .sort((a, b) => a - b)
    const medianLength = vectorLengths[Math.floor(vectorLengths.length / 2)] ?? 1
    const terms = [...this.#counts].map(([one, passages]): TermRow => {
      const context = this.#contexts.get(one)
      if (!context || vectorNorm(context) === 0)
        return { stem: one, passages, bytes: undefined, scale: 0 }
      return {
        stem: one,
        passages,
        ...quantize(blend(plain.rowOf(one), context, passages, medianLength)),
      }
    })
    return { passages: this.#passages, terms }
  }

  #begin(): Embeddings {
    const topTerms = [...this.#counts].sort(([, a], [, b]) => b - a).slice(0, maxTerms)
    this.#counts.clear()
    for (const [one, n] of topTerms) this.#counts.set(one, n)
    for (const [one, n] of topTerms)
      if (n <= this.#passages * commonShare)
        this.#contexts.set(one, new Float32Array(this.#table.dimensions))
    const terms = new Map(
      topTerms.map(([one, passages]) => [one, { stem: one, passages, bytes: undefined, scale: 0 }]),
    )
    return new Embeddings(this.#table, this.#passages, terms)
  }
}

/** Blends a word's vector with that of its contexts, which weighs more the more passages contain the word. */
function blend(
  row: Float32Array | null,
  context: Float32Array,
  passages: number,
  typicalLength: number,
): Float32Array {
  const trust = Math.min(1, passages / fullTrustPassages)
  const [length, contextLength] = [row ? vectorNorm(row) : typicalLength, vectorNorm(context)]
  return context.map((x, i) =>
    row
      ? row[i]! * (1 - contextShare * trust) + contextShare * trust * length * (x / contextLength)
      : length * (x / contextLength),
  )
}

export function vectorNorm(vector: Float32Array): number {
  let sum = 0
  for (const x of vector) sum += x * x
  return Math.sqrt(sum)
}

function normalize(vector: Float32Array): Float32Array {
  const length = vectorNorm(vector)
  return length === 0 ? vector : vector.map((x) => x / length)
}
