// The search thread: it has the vectors in memory, queries the full-text index on a connection of
// its own, and computes vectors. It writes nothing: what it computed goes to the writer of the
// process that started it.

import Database from 'better-sqlite3'
import { parentPort, workerData } from 'node:worker_threads'
import { BoundedMap } from '../../kernel/bounded-map.ts'
import { kyselyOver, Statements } from '../../db/dialect.ts'
import type { Tables } from '../../db/tables.ts'
import type { SearchData } from './search-data.ts'
import { SearchRun } from './run.ts'
import { Adaptation, bagOfWords, Embeddings, type TermRow } from './embeddings.ts'
import { TextCache } from './texts.ts'
import { passagesOf } from './passages.ts'
import { typesOfKinds } from './scope.ts'
import { VectorPool, type PassageVector } from './pool.ts'
import { quantized } from './scan.ts'
import type {
  EmbeddedText,
  PendingText,
  RankedHit,
  RankRequest,
  Request,
  SearchRequest,
  SearchScope,
  VectorStatus,
  Candidates,
} from './protocol.ts'
import { readTable, type StaticTable } from './static-table.ts'

interface NextText {
  rowid_: number
  title: string
  body: string
  org_id: string
  item_type: string
  container: string
}

/** Passages of one batch, about: more would hold up searches and writes. */
const maxPassages = 400
/** Searches kept at most for a later ranking. */
const maxRuns = 64

const { path } = workerData as { path: string }
const db = new Database(path, { readonly: true, timeout: 2000 })
db.pragma('trusted_schema = OFF')
db.pragma('cache_size = -32000')

class SearchThread implements SearchData {
  readonly db = db
  readonly #pools = new Map<string, VectorPool>()
  readonly queries = kyselyOver<Tables>(db)
  readonly statements = new Statements(db)
  readonly texts = new TextCache(this.statements)
  /** Searches whose candidates are being checked. */
  readonly #runs = new BoundedMap<number, SearchRun>(maxRuns)
  #table: StaticTable | undefined
  #embeddings: Embeddings | undefined
  #own: string | undefined
  #adaptation: Adaptation | undefined
  #adapted: Embeddings | undefined
  /** The vectors of the space that is being made. */
  #coming: VectorPool | undefined

  constructor() {
    this.texts.loadAll()
    const spaces = db
      .prepare("select id, provider from search_spaces where state = 'active'")
      .all() as { id: string; provider: string }[]
    for (const { id, provider } of spaces) this.#loadSpace(id, provider)
  }

  get embeddings(): Embeddings | undefined {
    return this.#embeddings
  }

  get own(): string | undefined {
    return this.#own
  }

  pool(space: string): VectorPool | undefined {
    return this.#pools.get(space)
  }

  answer(id: number, request: Request): unknown {
    switch (request.do) {
      case 'search':
        return this.#search(id, request.search)
      case 'rank':
        return this.#rank(request.of, request.rank)
      case 'embed':
        return this.#embed(request.limit)
      case 'load':
        return this.#load(request.space, request.embedded)
      case 'count':
      case 'learn':
        return this.#learn(request.do, request.after, request.limit)
      case 'adapt':
        return this.#adapt()
      case 'reembed':
        return this.#reembed(request.after, request.limit)
      case 'missing':
        return this.#missing(request.space, request.after, request.limit)
      case 'due':
        return this.#due(request.space, request.limit)
      case 'activate':
        return this.#activate(request.space)
      case 'status':
        return this.#status()
    }
  }

  /** A search that is ranked at once is not kept for a later request. */
  #search(id: number, { scope, ...request }: SearchRequest): Candidates {
    const scoped = { ...request, scope: { ...scope, types: typesOfKinds(scope.types) } }
    this.texts.noteChanges()
    const run = new SearchRun(this, scoped)
    const provider = request.vector && this.#pools.has(request.vector.space) ? 'openai' : 'embedded'
    const found = run.candidates(this.#pendingIn(scoped.scope, provider))
    if (request.ranked) return { ...found, hits: run.rankedAlone(request.ranked, found.candidates) }
    this.#runs.set(id, run)
    return { ...found, hits: undefined }
  }

  #rank(of: number, request: RankRequest): RankedHit[] | null {
    const run = this.#runs.get(of)
    this.#runs.delete(of)
    return run?.ranked(request) ?? null
  }

  #pending(): number {
    return db
      .prepare(
        "select count(*) from (select 1 from search_todo where provider = 'embedded' limit 10000)",
      )
      .pluck()
      .get() as number
  }

  /** Of the texts where a search looks: how many others wait is not for its caller to know. */
  #pendingIn({ containers, types }: SearchScope, provider: 'embedded' | 'openai'): number {
    return db
      .prepare(
        'select count(*) from (select 1 from (select doc from search_todo where provider = ? limit 10000) as t cross join search_docs as d where d.rowid_ = t.doc and d.item_type in (select value from json_each(?)) and (? or d.container in (select value from json_each(?))))',
      )
      .pluck()
      .get(
        provider,
        JSON.stringify(types),
        containers === null ? 1 : 0,
        JSON.stringify(containers ?? []),
      ) as number
  }

  /** Vectors of the texts that were changed longest ago. */
  #embed(limit: number): EmbeddedText[] {
    const due = db
      .prepare(
        "select t.doc, t.version, d.title, d.body from search_todo as t left join search_docs as d on d.rowid_ = t.doc where t.provider = 'embedded' order by t.version limit ?",
      )
      .all(limit) as { doc: number; version: number; title: string | null; body: string | null }[]
    return asManyAsFit(due, ({ doc, version, title, body }) => ({
      doc,
      version,
      passages:
        title === null || body === null ? undefined : this.#passages(this.#space(), title, body),
    }))
  }

  /** Takes what the writer has kept into memory. */
  #load(space: string, embedded: readonly EmbeddedText[]): null {
    const pool = this.#pools.get(space) ?? this.#begun(space)
    for (const { doc, passages } of embedded) {
      const row = this.texts.load(doc)
      if (!row || !passages) pool?.drop(doc)
      else pool?.put(doc, this.texts.documents.number(row), passages)
    }
    return null
  }

  #passages(space: Embeddings, title: string, body: string): PassageVector[] {
    return withTitles(title, body).map(({ start, length, text }) => ({
      start,
      length,
      ...quantized(space.of(bagOfWords(text))),
    }))
  }

  #next(after: number, most: number): NextText[] {
    return db
      .prepare(
        'select rowid_, title, body, org_id, item_type, container from search_docs where rowid_ > ? order by rowid_ limit ?',
      )
      .all(after, most) as NextText[]
  }

  /** Shows the next texts to the space that is being made; where it is then, or null at the end. */
  #learn(
    how: 'count' | 'learn',
    after: number,
    most: number,
  ): { after: number | null; passages: number } {
    if (how === 'count' && after === 0)
      this.#adaptation = new Adaptation((this.#table ??= readTable()))
    let passages = 0
    const rows = this.#next(after, most)
    for (const { title, body } of rows) {
      for (const { text } of withTitles(title, body)) {
        passages++
        this.#adaptation![how](bagOfWords(text))
      }
    }
    return { after: rows.length < most ? null : rows.at(-1)!.rowid_, passages }
  }

  #adapt(): { passages: number; terms: TermRow[] } {
    const made = this.#adaptation!.made()
    this.#adaptation = undefined
    this.#adapted = new Embeddings(
      this.#table!,
      made.passages,
      new Map(made.terms.map((term) => [term.stem, term])),
    )
    this.#coming = new VectorPool(this.#table!.dimensions)
    return made
  }

  /** Vectors of the next texts in the space that was made last. */
  #reembed(after: number, most: number): { made: EmbeddedText[]; after: number | null } {
    const rows = this.#next(after, most)
    const made = asManyAsFit(
      rows,
      ({ rowid_, title, body }): EmbeddedText => ({
        doc: rowid_,
        version: 0,
        passages: this.#passages(this.#adapted!, title, body),
      }),
    )
    for (const [i, { doc, passages }] of made.entries())
      this.#coming!.put(doc, this.texts.documents.number(rows[i]!), passages!)
    return {
      made,
      after: rows.length < most && made.length === rows.length ? null : made.at(-1)!.doc,
    }
  }

  /** The next texts that have no vectors in a space of a provider. */
  #missing(
    space: string,
    after: number,
    most: number,
  ): { texts: PendingText[]; after: number | null } {
    const rows = db
      .prepare(
        "select d.rowid_, d.title, d.body from search_docs as d where d.rowid_ > ? and not exists (select 1 from search_vectors as v where v.doc = d.rowid_ and v.space = ?) and not exists (select 1 from search_todo as t where t.doc = d.rowid_ and t.provider = 'openai') order by d.rowid_ limit ?",
      )
      .all(after, space, most) as { rowid_: number; title: string; body: string }[]
    const texts = rows.map(({ rowid_, title, body }) => ({
      doc: rowid_,
      version: 0,
      passages: withTitles(title, body),
      kept: undefined,
    }))
    return { texts, after: rows.length < most ? null : rows.at(-1)!.rowid_ }
  }

  /** The texts that changed longest ago, of those that a provider has yet to look at. */
  #due(space: string, most: number): PendingText[] {
    const due = db
      .prepare(
        "select t.doc, t.version, d.title, d.body from search_todo as t left join search_docs as d on d.rowid_ = t.doc where t.provider = 'openai' order by t.version limit ?",
      )
      .all(most) as { doc: number; version: number; title: string | null; body: string | null }[]
    const vectors = db.prepare(
      'select start, length, vector, scale from search_vectors where doc = ? and space = ? order by n',
    )
    return due.map(({ doc, version, title, body }) => {
      if (title === null || body === null)
        return { doc, version, passages: undefined, kept: undefined }
      const kept = (
        vectors.all(doc, space) as {
          start: number
          length: number
          vector: Buffer
          scale: number
        }[]
      ).map(({ vector, ...one }) => ({ ...one, bytes: bytesOf(vector) }))
      return {
        doc,
        version,
        passages: kept.length > 0 ? [] : withTitles(title, body),
        kept: kept.length > 0 ? kept : undefined,
      }
    })
  }

  /** A provider's space that is being made: in memory from its first vectors on. */
  #begun(space: string): VectorPool | undefined {
    const is = db
      .prepare(
        "select 1 from search_spaces where id = ? and provider = 'openai' and state = 'building'",
      )
      .get(space)
    if (is !== undefined) this.#loadSpace(space, 'openai')
    return this.#pools.get(space)
  }

  /**
   * Takes a space that became active in place of the former one of its kind; null: drops what is
   * active no more.
   */
  #activate(space: string | null): null {
    const kept = db
      .prepare(
        "select id, provider, state from search_spaces where state = 'active' or (state = 'building' and provider = 'openai')",
      )
      .all() as { id: string; provider: string; state: string }[]
    for (const id of [...this.#pools.keys()])
      if (!kept.some((item) => item.id === id)) this.#pools.delete(id)
    for (const { id, provider, state } of kept) {
      if (this.#pools.has(id) || state === 'building') continue
      if (id === space && provider === 'embedded' && this.#coming) this.#take(id)
      else this.#loadSpace(id, provider)
    }
    if (kept.some((item) => item.id === space && item.provider === 'embedded'))
      this.#adapted = this.#coming = undefined
    return null
  }

  /** The space that was made here is in memory already. */
  #take(space: string): void {
    this.#own = space
    this.#embeddings = this.#adapted
    this.#pools.set(space, this.#coming!)
  }

  #status(): VectorStatus {
    return {
      own: this.#own,
      passages: this.#own === undefined ? 0 : (this.#pools.get(this.#own)?.passages ?? 0),
      bytes: [...this.#pools.values()].reduce((sum, pool) => sum + pool.bytes, 0),
      pending: this.#pending(),
    }
  }

  #space(): Embeddings {
    return (this.#embeddings ??= new Embeddings((this.#table ??= readTable()), 0, new Map()))
  }

  #loadSpace(space: string, provider: string): void {
    const { dimensions, passages } = db
      .prepare('select dimensions, passages from search_spaces where id = ?')
      .get(space) as { dimensions: number; passages: number }
    if (provider === 'embedded') {
      this.#own = space
      const terms = db
        .prepare('select stem, passages, vector, scale from search_terms where space = ?')
        .iterate(space) as IterableIterator<{
        stem: string
        passages: number
        vector: Buffer | null
        scale: number
      }>
      const known = new Map<string, TermRow>()
      for (const { stem, passages: n, vector, scale } of terms)
        known.set(stem, {
          stem,
          passages: n,
          bytes: vector === null ? undefined : bytesOf(vector),
          scale,
        })
      this.#embeddings = new Embeddings((this.#table ??= readTable()), passages, known)
    }
    const pool = new VectorPool(dimensions)
    let [doc, group, some]: [number, number, PassageVector[]] = [0, 0, []]
    const flush = () => some.length > 0 && pool.put(doc, group, some)
    const rows = db.prepare(
      'select v.doc, v.start, v.length, v.vector, v.scale, d.org_id, d.item_type, d.container from search_vectors as v join search_docs as d on d.rowid_ = v.doc where v.space = ? order by v.doc, v.n',
    )
    for (const row of rows.iterate(space) as IterableIterator<{
      doc: number
      start: number
      length: number
      vector: Buffer
      scale: number
      org_id: string
      item_type: string
      container: string
    }>) {
      if (row.doc !== doc) {
        flush()
        ;[doc, group, some] = [row.doc, this.texts.documents.number(row), []]
      }
      some.push({
        start: row.start,
        length: row.length,
        bytes: bytesOf(row.vector),
        scale: row.scale,
      })
    }
    flush()
    this.#pools.set(space, pool)
  }
}

/** A text in its passages, each with the title before it. */
function withTitles(
  title: string,
  body: string,
): { start: number; length: number; text: string }[] {
  return passagesOf(body).map(({ start, length }) => ({
    start,
    length,
    text:
      title === ''
        ? body.slice(start, start + length)
        : `${title}. ${body.slice(start, start + length)}`,
  }))
}

/** The first of them, until they have passages enough for one transaction. */
function asManyAsFit<T>(texts: readonly T[], make: (text: T) => EmbeddedText): EmbeddedText[] {
  const made: EmbeddedText[] = []
  for (let i = 0, passages = 0; i < texts.length && passages < maxPassages; i++) {
    made.push(make(texts[i]!))
    passages += made[i]!.passages?.length ?? 0
  }
  return made
}

function bytesOf(blob: Buffer): Int8Array {
  return new Int8Array(blob.buffer, blob.byteOffset, blob.byteLength)
}

const thread = new SearchThread()
parentPort!.on('message', ({ id, request }: { id: number; request: Request }) => {
  try {
    parentPort!.postMessage({ id, answer: thread.answer(id, request) })
  } catch (error) {
    parentPort!.postMessage({
      id,
      failed: error instanceof Error ? (error.stack ?? error.message) : String(error),
    })
  }
})
