// Program started by tools/search-adapter.mjs: a temporary workspace, searched through the index that the server uses.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { newId } from '../src/kernel/ids.ts'
import { openStore, type Store } from '../src/db/open.ts'
import { SearchEngine } from '../src/search/engine.ts'
import { SearchIndex } from '../src/search/index.ts'
import { EncoderProcess } from '../src/search/encoder/process.ts'
import { EncoderSource } from '../src/search/encoder/source.ts'
import { parseQuery } from '../src/search/query.ts'
import type { Link } from '../src/search/worker/protocol.ts'

interface Doc {
  id: string
  title?: string
  text: string
  container?: string
  scope?: string
  links?: (string | { to: string; kind: string })[]
  thread?: string
  seq?: number
}

interface Query {
  text: string
  scope?: string
}

/** Words only, ranked by SQLite; plus meaning; plus links; the same with the encoder's vectors instead of the table's. */
type Way = 'words' | 'meaning' | 'all' | 'encoder'

const everywhere = 'everywhere'
/** Number of items ranked, so that a hundred can be returned. */
const maxRanked = 200

class Collection {
  readonly #dir = mkdtempSync(join(tmpdir(), 'search-'))
  readonly #store: Store = openStore(this.#dir)
  readonly #engine = new SearchEngine(this.#store, () => Date.now())
  #encoderEngine: Promise<SearchEngine> | undefined
  readonly #index = new SearchIndex()
  readonly #org = newId('org', Date.now())
  readonly #links = new Map<string, Link[]>()
  readonly #threads = new Map<string, { id: string; seq: number }[]>()
  #count = 0

  async add(docs: readonly Doc[]): Promise<void> {
    await this.#store.writer.run(async () => {
      if (this.#count === 0)
        this.#store.raw.write
          .prepare(
            "insert into orgs (id, name, default_timezone, work_week_json, holidays_json, severity_scale_json, deal_stages_json, trash_days, revision, created_at, updated_at) values (?, 'Collection', 'UTC', '[]', '[]', '[]', '[]', 30, 1, 0, 0)",
          )
          .run(this.#org)
      const texts = docs.map((doc) => ({
        ref: doc.id,
        title: doc.title ?? '',
        body: doc.text,
        container: doc.container ?? doc.scope ?? everywhere,
        part: 'item' as const,
        item_id: doc.id,
        item_type: 'page',
        at: ++this.#count,
      }))
      await this.#index.addAll(this.#store.write, this.#org, texts)
    })
    for (const doc of docs) {
      for (const link of doc.links ?? [])
        this.#link(
          doc.id,
          ...(typeof link === 'string'
            ? ([link, 'link'] as const)
            : ([link.to, link.kind] as const)),
        )
      if (doc.seq !== undefined) this.#threadOf(doc).push({ id: doc.id, seq: doc.seq })
    }
  }

  async finish(): Promise<void> {
    for (const turns of this.#threads.values()) {
      turns.sort((a, b) => a.seq - b.seq)
      for (const [i, turn] of turns.entries())
        if (i > 0) this.#link(turns[i - 1]!.id, turn.id, 'next')
    }
    await this.#engine.maintain()
    await this.#engine.rebuild()
  }

  #engineWithEncoder(): Promise<SearchEngine> {
    this.#encoderEngine ??= this.#openEncoder()
    return this.#encoderEngine
  }

  /** Computes the vectors of the encoder; the engine without it must not maintain the index afterwards. */
  async #openEncoder(): Promise<SearchEngine> {
    const source = new EncoderSource(
      new EncoderProcess({ threads: 1 }),
      { queryTimeoutMs: 60_000 },
      Date.now,
    )
    const engine = new SearchEngine(this.#store, Date.now, { provider: source })
    await engine.maintain()
    await engine.maintainProvider()
    return engine
  }

  async search({ text, scope }: Query, k: number, way: Way): Promise<string[]> {
    const engine = way === 'encoder' ? await this.#engineWithEncoder() : this.#engine
    const candidates = await engine.search({
      query: parseQuery(text),
      mode: way === 'words' ? 'keyword' : 'hybrid',
      ...(way === 'words' ? { limit: maxRanked } : {}),
      scope: { containers: [scope ?? everywhere], types: ['page'] },
    })
    const ids = candidates.candidates.map((candidate) => candidate.item_id)
    if (way === 'words') return ids.slice(0, k)
    const links =
      way === 'meaning'
        ? []
        : [...candidates.mentions, ...ids.slice(0, 10).flatMap((id) => this.#links.get(id) ?? [])]
    const { hits } = await engine.rank(candidates.id, {
      allowed: [...new Set([...ids, ...links.map((link) => link.to)])],
      links,
      limit: maxRanked,
    })
    return hits.slice(0, k).map((hit) => hit.item_id)
  }

  async close(): Promise<void> {
    await (await this.#encoderEngine)?.close()
    await this.#engine.close()
    await this.#store.close()
    rmSync(this.#dir, { recursive: true })
  }

  #link(name: string, other: string, kind: string): void {
    for (const [from, to] of [
      [name, other],
      [other, name],
    ] as const) {
      const links = this.#links.get(from)
      if (links) links.push({ from, to, kind, weight: 1 })
      else this.#links.set(from, [{ from, to, kind, weight: 1 }])
    }
  }

  #threadOf({ thread, container, scope }: Doc): { id: string; seq: number }[] {
    const name = thread ?? container ?? scope ?? everywhere
    const existing = this.#threads.get(name)
    if (existing) return existing
    const newThread: { id: string; seq: number }[] = []
    this.#threads.set(name, newThread)
    return newThread
  }
}

let collection: Collection | undefined

async function answer(question: {
  begin?: true
  add?: Doc[]
  index?: Doc[]
  search?: Query
  k?: number
  way?: Way
}): Promise<unknown> {
  if (question.begin) {
    await collection?.close()
    collection = undefined
  }
  const docs = question.add ?? question.index
  if (docs) await (collection ??= new Collection()).add(docs)
  if (question.index) await collection!.finish()
  if (!question.search) return null
  if (!collection) throw new Error('There is nothing to search: index comes first.')
  return collection.search(question.search, question.k ?? 100, question.way ?? 'all')
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue
  const reply = await answer(JSON.parse(line) as object).then(
    (value) => ({ value }),
    (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
  )
  process.stdout.write(`${JSON.stringify(reply)}\n`)
}
await collection?.close()
