import type Database from 'better-sqlite3'
import { Embeddings, type TermRow } from '../embeddings.ts'
import { type PassageVector, VectorPool, vectorBytes } from '../pool.ts'
import type { EmbeddedText, VectorStatus } from '../protocol.ts'
import { type StaticTable, readTable } from '../static-table.ts'
import type { TextCache } from '../texts.ts'
import { embedBatch, passageVectors } from './batches.ts'
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
  #localSpaceId: string | undefined

  constructor(db: Database.Database, queries: TextQueries, texts: TextCache) {
    this.#db = db
    this.#queries = queries
    this.#texts = texts
    this.adaptation = new SpaceAdaptation(queries, texts, () => this.#staticTable())
    const active = db
      .prepare("select id, provider from search_spaces where state = 'active'")
      .all() as { id: string; provider: string }[]
    for (const { id, provider } of active) this.#readSpace(id, provider)
  }

  /** Embeddings of this program's space, once available. */
  get embeddings(): Embeddings | undefined {
    return this.#embeddings
  }

  /** The id of this program's space. */
  get localSpaceId(): string | undefined {
    return this.#localSpaceId
  }

  pool(space: string): VectorPool | undefined {
    return this.#pools.get(space)
  }

  /** Vectors of the texts changed the longest time ago. */
  embed(limit: number): EmbeddedText[] {
    const space = (this.#embeddings ??= new Embeddings(this.#staticTable(), 0, new Map()))
    return embedBatch(
      this.#queries.oldestChanged('embedded', limit),
      ({ doc, version, title, body }) => ({
        doc,
        version,
        passages: title === null || body === null ? undefined : passageVectors(space, title, body),
      }),
    )
  }

  /** Loads vectors stored by the writer. */
  load(space: string, embedded: readonly EmbeddedText[]): null {
    const pool = this.#pools.get(space) ?? this.#loadBuilding(space)
    for (const { doc, passages } of embedded) {
      const row = this.#texts.load(doc)
      if (!row || !passages) pool?.drop(doc)
      else pool?.put(doc, this.#texts.documents.groupNumber(row), passages)
    }
    return null
  }

  /** Loads a newly active space in place of the previous one of its provider; null: only drops inactive spaces. */
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
      if (!(id === space && provider === 'embedded' && this.#adoptBuilt(id)))
        this.#readSpace(id, provider)
    }
    if (spaces.some((item) => item.id === space && item.provider === 'embedded'))
      this.adaptation.release()
    return null
  }

  status(space = this.#localSpaceId): VectorStatus {
    return {
      localSpaceId: this.#localSpaceId,
      passages: space === undefined ? 0 : (this.#pools.get(space)?.passages ?? 0),
      bytes: [...this.#pools.values()].reduce((sum, pool) => sum + pool.bytes, 0),
      pending: this.#queries.countPending(),
    }
  }

  #staticTable(): StaticTable {
    return (this.#table ??= readTable())
  }

  /** Uses a space built in this thread, which is already in memory; false if there is none. */
  #adoptBuilt(space: string): boolean {
    const { built } = this.adaptation
    if (!built) return false
    this.#localSpaceId = space
    this.#embeddings = built.embeddings
    this.#pools.set(space, built.pool)
    return true
  }

  /** The vectors of a provider's space under construction, which is loaded when its first vectors arrive. */
  #loadBuilding(space: string): VectorPool | undefined {
    const isBuilding = this.#db
      .prepare(
        "select 1 from search_spaces where id = ? and provider = 'openai' and state = 'building'",
      )
      .get(space)
    if (isBuilding !== undefined) this.#readSpace(space, 'openai')
    return this.#pools.get(space)
  }

  /** Reads a space from the database. */
  #readSpace(space: string, provider: string): void {
    const { dimensions, passages } = this.#db
      .prepare('select dimensions, passages from search_spaces where id = ?')
      .get(space) as { dimensions: number; passages: number }
    if (provider === 'embedded') {
      this.#localSpaceId = space
      this.#embeddings = new Embeddings(this.#staticTable(), passages, this.#readTerms(space))
    }
    this.#pools.set(space, this.#readVectors(space, dimensions))
  }

  #readTerms(space: string): Map<string, TermRow> {
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

  #readVectors(space: string, dimensions: number): VectorPool {
    const pool = new VectorPool(dimensions)
    let [doc, group, passages]: [number, number, PassageVector[]] = [0, 0, []]
    const flush = () => passages.length > 0 && pool.put(doc, group, passages)
    const rows = this.#db
      .prepare(
        'select v.doc, v.start, v.length, v.vector, v.scale, d.org_id, d.item_type, d.container from search_vectors as v join search_docs as d on d.rowid_ = v.doc where v.space = ? order by v.doc, v.n',
      )
      .iterate(space) as IterableIterator<StoredVector>
    for (const row of rows) {
      if (row.doc !== doc) {
        flush()
        ;[doc, group, passages] = [row.doc, this.#texts.documents.groupNumber(row), []]
      }
      const { start, length, vector, scale } = row
      passages.push({ start, length, bytes: vectorBytes(vector), scale })
    }
    flush()
    return pool
  }
}
