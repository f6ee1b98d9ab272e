import type Database from 'better-sqlite3'
import { Embeddings, type TermRow } from '../embeddings.ts'
import { type PassageVector, VectorPool, vectorBytes } from '../pool.ts'
import type { EmbeddedText, VectorStatus } from '../protocol.ts'
import { type StaticTable, readTable } from '../static-table.ts'
import type { TextCache } from '../texts.ts'
import { embeddedBatch, passageVectors } from './batches.ts'
import { SpaceAdaptation } from './space-adaptation.ts'
import type { TextQueries } from './text-queries.ts'

interface StoredVector {
  doc: number
  start: number
  length: number
  vector: Buffer
  scale: number
  org_id: string
  item_type: string
  container: string
}

/** The vector spaces in memory: this program's and a provider's. */
export class Spaces {
  readonly adaptation: SpaceAdaptation
  readonly #db: Database.Database
  readonly #queries: TextQueries
  readonly #texts: TextCache
  readonly #pools = new Map<string, VectorPool>()
  #table: StaticTable | undefined
  #embeddings: Embeddings | undefined
  #own: string | undefined

  constructor(db: Database.Database, queries: TextQueries, texts: TextCache) {
    this.#db = db
    this.#queries = queries
    this.#texts = texts
    this.adaptation = new SpaceAdaptation(queries, texts, () => this.#staticTable())
    const active = db
      .prepare("select id, provider from search_spaces where state = 'active'")
      .all() as { id: string; provider: string }[]
    for (const { id, provider } of active) this.#read(id, provider)
  }

  /** Embeddings of this program's space, once available. */
  get embeddings(): Embeddings | undefined {
    return this.#embeddings
  }

  /** The id of this program's space. */
  get own(): string | undefined {
    return this.#own
  }

  pool(space: string): VectorPool | undefined {
    return this.#pools.get(space)
  }

  /** Vectors of the texts changed the longest time ago. */
  embed(limit: number): EmbeddedText[] {
    const space = (this.#embeddings ??= new Embeddings(this.#staticTable(), 0, new Map()))
    return embeddedBatch(
      this.#queries.changed('embedded', limit),
      ({ doc, version, title, body }) => ({
        doc,
        version,
        passages: title === null || body === null ? undefined : passageVectors(space, title, body),
      }),
    )
  }

  /** Loads vectors stored by the writer. */
  load(space: string, embedded: readonly EmbeddedText[]): null {
    const pool = this.#pools.get(space) ?? this.#building(space)
    for (const { doc, passages } of embedded) {
      const row = this.#texts.load(doc)
      if (!row || !passages) pool?.drop(doc)
      else pool?.put(doc, this.#texts.documents.number(row), passages)
    }
    return null
  }

  /** Replaces the former space of its kind with a newly active one; null: drops inactive ones. */
  activate(space: string | null): null {
    const spaces = this.#db
      .prepare(
        "select id, provider, state from search_spaces where state = 'active' or (state = 'building' and provider = 'openai')",
      )
      .all() as { id: string; provider: string; state: string }[]
    for (const id of [...this.#pools.keys()])
      if (!spaces.some((item) => item.id === id)) this.#pools.delete(id)
    for (const { id, provider, state } of spaces) {
      if (this.#pools.has(id) || state === 'building') continue
      if (!(id === space && provider === 'embedded' && this.#takeMade(id))) this.#read(id, provider)
    }
    if (spaces.some((item) => item.id === space && item.provider === 'embedded'))
      this.adaptation.letGo()
    return null
  }

  status(space = this.#own): VectorStatus {
    return {
      own: this.#own,
      passages: space === undefined ? 0 : (this.#pools.get(space)?.passages ?? 0),
      bytes: [...this.#pools.values()].reduce((sum, pool) => sum + pool.bytes, 0),
      pending: this.#queries.pending(),
    }
  }

  #staticTable(): StaticTable {
    return (this.#table ??= readTable())
  }

  /** Uses a space built in this thread, which is already in memory; false if there is none. */
  #takeMade(space: string): boolean {
    const { made } = this.adaptation
    if (!made) return false
    this.#own = space
    this.#embeddings = made.embeddings
    this.#pools.set(space, made.pool)
    return true
  }

  /** A provider's space under construction: in memory from its first vectors. */
  #building(space: string): VectorPool | undefined {
    const is = this.#db
      .prepare(
        "select 1 from search_spaces where id = ? and provider = 'openai' and state = 'building'",
      )
      .get(space)
    if (is !== undefined) this.#read(space, 'openai')
    return this.#pools.get(space)
  }

  /** Reads a space from the database. */
  #read(space: string, provider: string): void {
    const { dimensions, passages } = this.#db
      .prepare('select dimensions, passages from search_spaces where id = ?')
      .get(space) as { dimensions: number; passages: number }
    if (provider === 'embedded') {
      this.#own = space
      this.#embeddings = new Embeddings(this.#staticTable(), passages, this.#terms(space))
    }
    this.#pools.set(space, this.#vectors(space, dimensions))
  }

  #terms(space: string): Map<string, TermRow> {
    const rows = this.#db
      .prepare('select stem, passages, vector, scale from search_terms where space = ?')
      .iterate(space) as IterableIterator<{
      stem: string
      passages: number
      vector: Buffer | null
      scale: number
    }>
    const terms = new Map<string, TermRow>()
    for (const { stem, passages, vector, scale } of rows) {
      const bytes = vector === null ? undefined : vectorBytes(vector)
      terms.set(stem, { stem, passages, bytes, scale })
    }
    return terms
  }

  #vectors(space: string, dimensions: number): VectorPool {
    const pool = new VectorPool(dimensions)
    let [doc, group, some]: [number, number, PassageVector[]] = [0, 0, []]
    const flush = () => some.length > 0 && pool.put(doc, group, some)
    const rows = this.#db
      .prepare(
        'select v.doc, v.start, v.length, v.vector, v.scale, d.org_id, d.item_type, d.container from search_vectors as v join search_docs as d on d.rowid_ = v.doc where v.space = ? order by v.doc, v.n',
      )
      .iterate(space) as IterableIterator<StoredVector>
    for (const row of rows) {
      if (row.doc !== doc) {
        flush()
        ;[doc, group, some] = [row.doc, this.#texts.documents.number(row), []]
      }
      const { start, length, vector, scale } = row
      some.push({ start, length, bytes: vectorBytes(vector), scale })
    }
    flush()
    return pool
  }
}
