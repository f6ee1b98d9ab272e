// The thread of search: it has the vectors in memory, looks into the word index by a connection of its own, and makes vectors. It writes
// nothing: what it made goes to the writer of the process that started it.

import Database from 'better-sqlite3'
import { parentPort, workerData } from 'node:worker_threads'
import { Looking, type DocPlace, type Ground } from './worker/lookup.ts'
import { Adaptation, bagOf, Meanings, type TermRow } from './worker/meanings.ts'
import { Titles } from './worker/names.ts'
import { passagesOf } from './worker/passages.ts'
import { typesOf, type Places } from './worker/places.ts'
import { wordsFrom, type Words } from './ranking.ts'
import { Pool, type Placed } from './worker/pool.ts'
import { quantized } from './worker/scan.ts'
import type { Look, Rank, Scope } from './protocol.ts'
import { readTable, type StaticTable } from './static-table.ts'

/** A text with what was made of it. */
export interface Made {
  doc: number
  version: number
  /** undefined: the text is gone. */
  passages: Placed[] | undefined
}

/** What is asked of the thread; each answer has the number of its question. */
export type Question =
  | { do: 'look'; look: Look }
  | { do: 'rank'; of: number; rank: Rank }
  | { do: 'make'; most: number }
  | { do: 'keep'; space: string; made: readonly Made[] }
  | { do: 'count'; after: number; most: number }
  | { do: 'learn'; after: number; most: number }
  | { do: 'adapted' }
  | { do: 'remake'; after: number; most: number }
  | { do: 'missing'; space: string; after: number; most: number }
  | { do: 'due'; space: string; most: number }
  | { do: 'use'; space: string | null }
  | { do: 'state' }

/** A text whose vectors a provider is to make. */
export interface Wanting {
  doc: number
  version: number
  /** Its passages, with the title before each; undefined: the text is gone. */
  passages: { start: number; length: number; text: string }[] | undefined
  /** The vectors that it has, where it was only moved. */
  kept: Placed[] | undefined
}

export interface State {
  own: string | undefined
  passages: number
  bytes: number
  pending: number
}

interface NextText {
  rowid_: number
  title: string
  body: string
  item_type: string
  container: string
}

/** Passages that are made at once, about: more would hold up who searches, and who writes. */
const mostAtOnce = 400
/** Texts whose stems are remembered. */
const mostRemembered = 5000

const { path } = workerData as { path: string }
const db = new Database(path, { readonly: true, timeout: 2000 })
db.pragma('trusted_schema = OFF')
db.pragma('cache_size = -32000')

class Thread implements Ground {
  readonly db = db
  readonly titles = new Titles()
  readonly #groups = new Map<string, number>()
  readonly #pools = new Map<string, Pool>()
  readonly #lookings = new Map<number, Looking>()
  /** Of texts that were looked at lately; forgotten when they change. */
  readonly #words = new Map<number, Words>()
  readonly #place = db.prepare(
    "select item_id, item_type, container, at from search_docs where item_id = ? and part = 'item' limit 1",
  )
  #table: StaticTable | undefined
  #meanings: Meanings | undefined
  #own: string | undefined
  #adaptation: Adaptation | undefined
  #adapted: Meanings | undefined
  /** The vectors of the space that is being made. */
  #coming: Pool | undefined

  constructor() {
    this.#loadTitles()
    const spaces = db
      .prepare("select id, provider from search_spaces where state = 'active'")
      .all() as { id: string; provider: string }[]
    for (const { id, provider } of spaces) this.#load(id, provider)
  }

  get meanings(): Meanings | undefined {
    return this.#meanings
  }

  get own(): string | undefined {
    return this.#own
  }

  pool(space: string): Pool | undefined {
    return this.#pools.get(space)
  }

  groups(places: Places): Uint8Array {
    const allowed = new Uint8Array(this.#groups.size + 1)
    for (const [name, group] of this.#groups) {
      const at = name.indexOf(' ')
      if (places.isWhole(name.slice(0, at), name.slice(at + 1))) allowed[group] = 1
    }
    return allowed
  }

  placeOf(item: string): DocPlace | undefined {
    return this.#place.get(item) as DocPlace | undefined
  }

  words(rowid: number, title: string, text: () => string): Words {
    const known = this.#words.get(rowid)
    if (known) return known
    if (this.#words.size >= mostRemembered) this.#words.clear()
    const made = wordsFrom(title, text())
    this.#words.set(rowid, made)
    return made
  }

  answer(id: number, question: Question): unknown {
    switch (question.do) {
      case 'look':
        return this.#look(id, question.look)
      case 'rank':
        return this.#rank(question.of, question.rank)
      case 'make':
        return this.#make(question.most)
      case 'keep':
        return this.#keep(question.space, question.made)
      case 'count':
        return this.#learn('count', question.after, question.most)
      case 'learn':
        return this.#learn('look', question.after, question.most)
      case 'adapted':
        return this.#finish()
      case 'remake':
        return this.#remake(question.after, question.most)
      case 'missing':
        return this.#missing(question.space, question.after, question.most)
      case 'due':
        return this.#due(question.space, question.most)
      case 'use':
        return this.#use(question.space)
      case 'state':
        return this.#state()
    }
  }

  #look(id: number, look: Look): unknown {
    const looking = new Looking(this, {
      ...look,
      scope: { ...look.scope, types: typesOf(look.scope.types) },
    })
    const answer = looking.candidates(
      this.#pendingIn(
        looking.scope,
        look.given && this.#pools.has(look.given.space) ? 'openai' : 'embedded',
      ),
    )
    this.#lookings.set(id, looking)
    if (this.#lookings.size > 64) this.#lookings.delete(this.#lookings.keys().next().value!)
    return answer
  }

  #rank(of: number, rank: Rank): unknown {
    const looking = this.#lookings.get(of)
    this.#lookings.delete(of)
    return looking?.ranked(rank) ?? null
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
  #pendingIn({ containers, types }: Scope, provider: 'embedded' | 'openai'): number {
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
  #make(most: number): Made[] {
    const due = db
      .prepare(
        "select t.doc, t.version, d.title, d.body from search_todo as t left join search_docs as d on d.rowid_ = t.doc where t.provider = 'embedded' order by t.version limit ?",
      )
      .all(most) as { doc: number; version: number; title: string | null; body: string | null }[]
    return asManyAsFit(due, ({ doc, version, title, body }) => ({
      doc,
      version,
      passages:
        title === null || body === null ? undefined : this.#passages(this.#space(), title, body),
    }))
  }

  /** Takes what the writer has kept into memory. */
  #keep(space: string, made: readonly Made[]): null {
    const pool = this.#pools.get(space) ?? this.#begun(space)
    const doc = db.prepare(
      'select item_id, item_type, container, title, part from search_docs where rowid_ = ?',
    )
    for (const { doc: rowid, passages } of made) {
      this.#words.delete(rowid)
      const row = doc.get(rowid) as
        | { item_id: string; item_type: string; container: string; title: string; part: string }
        | undefined
      if (row?.part === 'item' && row.title !== '') this.titles.set(row.item_id, row.title)
      if (!row || !passages) pool?.drop(rowid)
      else pool?.put(rowid, this.#groupOf(row.item_type, row.container), passages)
    }
    return null
  }

  #passages(space: Meanings, title: string, body: string): Placed[] {
    return withTitles(title, body).map(({ start, length, text }) => ({
      start,
      length,
      ...quantized(space.of(bagOf(text))),
    }))
  }

  #next(after: number, most: number): NextText[] {
    return db
      .prepare(
        'select rowid_, title, body, item_type, container from search_docs where rowid_ > ? order by rowid_ limit ?',
      )
      .all(after, most) as NextText[]
  }

  /** Shows the next texts to the space that is being made; where it is then, or null at the end. */
  #learn(
    how: 'count' | 'look',
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
        this.#adaptation![how](bagOf(text))
      }
    }
    return { after: rows.length < most ? null : rows.at(-1)!.rowid_, passages }
  }

  #finish(): { passages: number; terms: TermRow[] } {
    const made = this.#adaptation!.made()
    this.#adaptation = undefined
    this.#adapted = new Meanings(
      this.#table!,
      made.passages,
      new Map(made.terms.map((one) => [one.stem, one])),
    )
    this.#coming = new Pool(this.#table!.dimensions)
    return made
  }

  /** Vectors of the next texts in the space that was made last. */
  #remake(after: number, most: number): { made: Made[]; after: number | null } {
    const rows = this.#next(after, most)
    const made = asManyAsFit(
      rows,
      ({ rowid_, title, body }): Made => ({
        doc: rowid_,
        version: 0,
        passages: this.#passages(this.#adapted!, title, body),
      }),
    )
    for (const [i, { doc, passages }] of made.entries())
      this.#coming!.put(doc, this.#groupOf(rows[i]!.item_type, rows[i]!.container), passages!)
    return {
      made,
      after: rows.length < most && made.length === rows.length ? null : made.at(-1)!.doc,
    }
  }

  /** The next texts that have no vectors in a space of a provider. */
  #missing(space: string, after: number, most: number): { texts: Wanting[]; after: number | null } {
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
  #due(space: string, most: number): Wanting[] {
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
  #begun(space: string): Pool | undefined {
    const is = db
      .prepare(
        "select 1 from search_spaces where id = ? and provider = 'openai' and state = 'building'",
      )
      .get(space)
    if (is !== undefined) this.#load(space, 'openai')
    return this.#pools.get(space)
  }

  /** Takes a space that became active in place of the former one of its kind; null: drops what is active no more. */
  #use(space: string | null): null {
    const kept = db
      .prepare(
        "select id, provider, state from search_spaces where state = 'active' or (state = 'building' and provider = 'openai')",
      )
      .all() as { id: string; provider: string; state: string }[]
    for (const id of [...this.#pools.keys()])
      if (!kept.some((one) => one.id === id)) this.#pools.delete(id)
    for (const { id, provider, state } of kept) {
      if (this.#pools.has(id) || state === 'building') continue
      if (id === space && provider === 'embedded' && this.#coming) this.#take(id)
      else this.#load(id, provider)
    }
    if (kept.some((one) => one.id === space && one.provider === 'embedded'))
      this.#adapted = this.#coming = undefined
    return null
  }

  /** The space that was made here is in memory already. */
  #take(space: string): void {
    this.#own = space
    this.#meanings = this.#adapted
    this.#pools.set(space, this.#coming!)
  }

  #state(): State {
    return {
      own: this.#own,
      passages: this.#own === undefined ? 0 : (this.#pools.get(this.#own)?.passages ?? 0),
      bytes: [...this.#pools.values()].reduce((sum, pool) => sum + pool.bytes, 0),
      pending: this.#pending(),
    }
  }

  #space(): Meanings {
    return (this.#meanings ??= new Meanings((this.#table ??= readTable()), 0, new Map()))
  }

  #groupOf(type: string, container: string): number {
    const name = `${type} ${container}`
    const known = this.#groups.get(name)
    if (known !== undefined) return known
    const made = this.#groups.size + 1
    this.#groups.set(name, made)
    return made
  }

  #loadTitles(): void {
    for (const { item_id, title } of db
      .prepare("select item_id, title from search_docs where part = 'item' and title <> ''")
      .iterate() as IterableIterator<{ item_id: string; title: string }>)
      this.titles.set(item_id, title)
  }

  #load(space: string, provider: string): void {
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
      this.#meanings = new Meanings((this.#table ??= readTable()), passages, known)
    }
    const pool = new Pool(dimensions)
    let [doc, group, some]: [number, number, Placed[]] = [0, 0, []]
    const flush = () => some.length > 0 && pool.put(doc, group, some)
    const rows = db.prepare(
      'select v.doc, v.start, v.length, v.vector, v.scale, d.item_type, d.container from search_vectors as v join search_docs as d on d.rowid_ = v.doc where v.space = ? order by v.doc, v.n',
    )
    for (const row of rows.iterate(space) as IterableIterator<{
      doc: number
      start: number
      length: number
      vector: Buffer
      scale: number
      item_type: string
      container: string
    }>) {
      if (row.doc !== doc) {
        flush()
        ;[doc, group, some] = [row.doc, this.#groupOf(row.item_type, row.container), []]
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
function asManyAsFit<T>(texts: readonly T[], make: (text: T) => Made): Made[] {
  const made: Made[] = []
  for (let i = 0, passages = 0; i < texts.length && passages < mostAtOnce; i++) {
    made.push(make(texts[i]!))
    passages += made[i]!.passages?.length ?? 0
  }
  return made
}

function bytesOf(blob: Buffer): Int8Array {
  return new Int8Array(blob.buffer, blob.byteOffset, blob.byteLength)
}

const thread = new Thread()
parentPort!.on('message', ({ id, question }: { id: number; question: Question }) => {
  try {
    parentPort!.postMessage({ id, answer: thread.answer(id, question) })
  } catch (error) {
    parentPort!.postMessage({
      id,
      failed: error instanceof Error ? (error.stack ?? error.message) : String(error),
    })
  }
})
