import { Adaptation, Embeddings, type TermRow, bagOfWords } from '../embeddings.ts'
import { titledPassages } from '../passages.ts'
import { VectorPool } from '../pool.ts'
import type { EmbeddedText } from '../protocol.ts'
import type { StaticTable } from '../static-table.ts'
import type { TextCache } from '../texts.ts'
import { embeddedBatch, passageVectors } from './batches.ts'
import type { TextQueries } from './text-queries.ts'

/**
 * Makes a new space out of all texts, a batch a request: they are counted, then learned from, and when the space is made
 * each gets its vectors in it.
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

  /** The space that was made last, until it is let go. */
  get made(): { embeddings: Embeddings; pool: VectorPool } | undefined {
    if (!this.#embeddings || !this.#pool) return undefined
    return { embeddings: this.#embeddings, pool: this.#pool }
  }

  letGo(): void {
    this.#embeddings = undefined
    this.#pool = undefined
  }

  /** Shows the next texts to the space that is being made; where it is then, or null at the end. */
  learn(
    how: 'count' | 'learn',
    after: number,
    limit: number,
  ): { after: number | null; passages: number } {
    if (how === 'count' && after === 0) this.#adaptation = new Adaptation(this.#table())
    let passages = 0
    const rows = this.#queries.next(after, limit)
    for (const { title, body } of rows) {
      for (const { text } of titledPassages(title, body)) {
        passages++
        this.#adaptation![how](bagOfWords(text))
      }
    }
    return { after: rows.length < limit ? null : rows.at(-1)!.rowid_, passages }
  }

  /** Makes the space of what was learned. */
  finish(): { passages: number; terms: TermRow[] } {
    const adapted = this.#adaptation!.made()
    this.#adaptation = undefined
    const terms = new Map(adapted.terms.map((term) => [term.stem, term]))
    this.#embeddings = new Embeddings(this.#table(), adapted.passages, terms)
    this.#pool = new VectorPool(this.#table().dimensions)
    return adapted
  }

  /** Vectors of the next texts in the space that was made last. */
  embed(after: number, limit: number): { made: EmbeddedText[]; after: number | null } {
    const rows = this.#queries.next(after, limit)
    const embedded = embeddedBatch(rows, ({ rowid_, title, body }) => ({
      doc: rowid_,
      version: 0,
      passages: passageVectors(this.#embeddings!, title, body),
    }))
    for (const [i, { doc, passages }] of embedded.entries())
      this.#pool!.put(doc, this.#texts.documents.number(rows[i]!), passages!)
    return {
      made: embedded,
      after: rows.length < limit && embedded.length === rows.length ? null : embedded.at(-1)!.doc,
    }
  }
}
