import { Adaptation, Embeddings, type TermRow, bagOfWords } from '../embeddings.ts'
import { titledPassages } from '../passages.ts'
import { VectorPool } from '../pool.ts'
import type { EmbeddedText } from '../protocol.ts'
import type { StaticTable } from '../static-table.ts'
import type { TextCache } from '../texts.ts'
import { embedBatch, passageVectors } from './batches.ts'
import type { TextQueries } from './text-queries.ts'

/**
 * Builds a new space from all texts, one batch per request: counts them, then learns from them, then computes their
 * vectors once the space is built.
 */
export class SpaceAdaptation {
  readonly #queries: TextQueries
  readonly #texts: TextCache
  readonly #table: () => StaticTable
  #adaptation: Adaptation | undefined
  #embeddings: Embeddings | undefined
  #pool: VectorPool | undefined

  constructor(queries: TextQueries, texts: TextCache, table: () => StaticTable) {
    this.#queries = queries
    this.#texts = texts
    this.#table = table
  }

  /** The most recently built space, until it is released. */
  get built(): { embeddings: Embeddings; pool: VectorPool } | undefined {
    if (!this.#embeddings || !this.#pool) return undefined
    return { embeddings: this.#embeddings, pool: this.#pool }
  }

  release(): void {
    this.#embeddings = undefined
    this.#pool = undefined
  }

  /** Feeds the next texts to the space being built; returns the new position, or null at the end. */
  learn(
    pass: 'count' | 'learn',
    after: number,
    limit: number,
  ): { after: number | null; passages: number } {
    if (pass === 'count' && after === 0) this.#adaptation = new Adaptation(this.#table())
    let passages = 0
    const rows = this.#queries.textsAfter(after, limit)
    for (const { title, body } of rows) {
      for (const { text } of titledPassages(title, body)) {
        passages++
        this.#adaptation![pass](bagOfWords(text))
      }
    }
    return { after: rows.length < limit ? null : rows.at(-1)!.rowid_, passages }
  }

  /** Builds the space from what was learned. */
  buildSpace(): { passages: number; terms: TermRow[] } {
    const adapted = this.#adaptation!.build()
    this.#adaptation = undefined
    const terms = new Map(adapted.terms.map((term) => [term.stem, term]))
    this.#embeddings = new Embeddings(this.#table(), adapted.passages, terms)
    this.#pool = new VectorPool(this.#table().dimensions)
    return adapted
  }

  /** Vectors of the next texts in the most recently built space. */
  embed(after: number, limit: number): { embedded: EmbeddedText[]; after: number | null } {
    const rows = this.#queries.textsAfter(after, limit)
    const embedded = embedBatch(rows, ({ rowid_, title, body }) => ({
      doc: rowid_,
      version: 0,
      passages: passageVectors(this.#embeddings!, title, body),
    }))
    for (const [i, { doc, passages }] of embedded.entries())
      this.#pool!.put(doc, this.#texts.documents.groupNumber(rows[i]!), passages!)
    return {
      embedded,
      after: rows.length < limit && embedded.length === rows.length ? null : embedded.at(-1)!.doc,
    }
  }
}
