// One search, in the thread: candidates by words and meaning first; then, of those that the caller may see, the order.

import type Database from 'better-sqlite3'
import {
  boundOf,
  counting,
  manyTexts,
  matchOf,
  mostNewest,
  planOf,
  wholePlan,
  type Plan,
} from './frequent.ts'
import { namesIn, type Titles } from './names.ts'
import { bagOf, type Meanings } from './meanings.ts'
import type { Near, Pool } from './pool.ts'
import { kindOf, Places } from './places.ts'
import {
  explained,
  givenShares,
  givenWeights,
  queryOf,
  scoreOf,
  shares,
  shownScore,
  standsOut,
  weights,
  type Query,
  type Why,
  type Words,
} from '../ranking.ts'
import { quantized } from './scan.ts'
import type {
  Candidate,
  GivenVector,
  Link,
  Look,
  Looked,
  Rank,
  Ranked,
  Scope,
} from '../protocol.ts'
import { contentStems, matchFor, rangesOf, snippet, termsOf, type Terms } from '../text.ts'

/** Texts that each side brings. */
const depth = 200
/** Items that are ranked in full. */
const poolSize = 150
/** The best hits, which lend to their neighbours. */
const seeds = 10
/** Where what stands in quotation marks is found in fewer items, its words are looked for as well. */
const fewest = 10
/** A name that so many texts have says nothing. */
const commonName = 25
/** More containers than this are not named in the query of the word index. */
const mostNamed = 300
/** Of more types, the query of the word index names the containers alone. */
const fewTypes = 2
/** Characters of a text that are looked at for the order. */
const mostCharacters = 20_000

/** What the thread knows. */
export interface Ground {
  readonly db: Database.Database
  readonly titles: Titles
  /** The space of this program, once it is there. */
  readonly meanings: Meanings | undefined
  /** The vectors of a space; undefined: it is not loaded. */
  pool(space: string): Pool | undefined
  /** The space of this program. */
  readonly own: string | undefined
  /** By number of type and container: whether a search may look there. */
  groups(places: Places): Uint8Array
  /** Where an item lies in the index; undefined: it has no text of its own there. */
  placeOf(item: string): DocPlace | undefined
  /** The stems of a text, remembered by its place. */
  words(rowid: number, title: string, text: () => string): Words
}

/** What says whether a search may know of a text. */
export type DocPlace = Pick<Doc, 'item_id' | 'item_type' | 'container' | 'at'>

interface Doc {
  rowid_: number
  ref: string
  item_id: string
  item_type: string
  part: string
  container: string
  title: string
  body: string
  at: number
}

/** What is known of an item while a search goes on. */
interface Item {
  id: string
  item_id: string
  type: string
  docs: Map<number, { bm25: number; cosine: number; near: Near | undefined }>
  bm25: number
  cosine: number
  wordRank: number | undefined
  meaningRank: number | undefined
  base: number
}

/** What neighbours lend to an item. */
interface Gain {
  sum: number
  via: { from: string; kind: string }[]
}

interface Weighed {
  item: Item
  doc: Doc
  near: Near | undefined
  gain: Gain | undefined
  why: Why
  score: number
}

const columns =
  'd.rowid_, d.ref, d.item_id, d.item_type, d.part, d.container, d.title, d.body, d.at'

export class Looking {
  readonly #on: Ground
  readonly #look: Look
  readonly #query: Query
  readonly #items = new Map<string, Item>()
  readonly #docs = new Map<number, Doc>()
  readonly #places: Places
  readonly #only: ReadonlySet<string> | undefined
  /** The vector that came with the question, where its space is there. */
  readonly #given: GivenVector | undefined
  readonly #stems: ReadonlySet<string>
  /** What of the words was not looked at. */
  #bound: string | undefined

  constructor(on: Ground, look: Look) {
    this.#on = on
    this.#look = look
    this.#query = queryOf(look.text)
    this.#places = new Places(look.scope)
    this.#stems = contentStems(look.text)
    this.#only = look.scope.items && new Set(look.scope.items)
    this.#given = look.given && on.pool(look.given.space) ? look.given : undefined
  }

  get scope(): Scope {
    return this.#look.scope
  }

  candidates(pending: number): Looked {
    const { mode, except } = this.#look
    if (mode !== 'semantic') this.#byWords()
    const space = mode === 'keyword' ? undefined : this.#byMeaning()
    if (except !== undefined) this.#items.delete(except)
    const [words, meaning] =
      mode === 'semantic'
        ? [0, 1]
        : mode === 'keyword' || space === undefined
          ? [1, 0]
          : this.#given
            ? [givenShares.words, givenShares.meaning]
            : [shares.words, shares.meaning]
    const bestWord = Math.max(...[...this.#items.values()].map((one) => one.bm25), 1e-9)
    const bestMeaning = Math.max(...[...this.#items.values()].map((one) => one.cosine), 1e-9)
    for (const item of this.#items.values()) {
      item.bm25 = Math.max(0, item.bm25) / bestWord
      item.cosine = Math.max(0, item.cosine) / bestMeaning
      item.base = words * item.bm25 + meaning * item.cosine
    }
    const best = [...this.#items.values()]
      .sort((a, b) => b.base - a.base || (a.id < b.id ? 1 : -1))
      .slice(0, this.#look.most ?? poolSize)
    const candidates = best.map(
      ({ id, item_id, type, base }): Candidate => ({ id, item_id, item_type: type, base }),
    )
    return {
      candidates,
      mentions:
        this.#look.each || this.#look.links === false ? [] : this.#mentions(best.slice(0, seeds)),
      byMeaning: space !== undefined,
      space,
      pending,
      bound: this.#bound,
    }
  }

  ranked({ allowed, links, near = [], most, page }: Rank): Ranked[] {
    const seen = new Set(allowed)
    const pool = [...this.#items.values()]
      .filter((one) => seen.has(one.id))
      .sort((a, b) => b.base - a.base || (a.id < b.id ? 1 : -1))
    const best = pool[0]?.base ?? 1
    const lenders = new Map([
      ...pool.slice(0, seeds).map((one): [string, number] => [one.id, one.base / (best || 1)]),
      ...near.map((id): [string, number] => [id, 1]),
    ])
    const gains = gainsOf(
      lenders,
      links.filter((one) => (seen.has(one.from) || near.includes(one.from)) && seen.has(one.to)),
    )
    const known = new Set(pool.map((one) => one.id))
    const brought = this.#itemsOf([...gains.keys()].filter((id) => !known.has(id)))
    const ranked = [...pool, ...brought]
      .flatMap((item) => this.#weighed(item, gains.get(item.id)) ?? [])
      .sort((a, b) => b.score - a.score || b.doc.at - a.doc.at || (a.item.id < b.item.id ? 1 : -1))
      .slice(0, most)
      .map((one) => this.#shown(one))
    for (const { shown, of } of page ? onPage(ranked, page) : ranked)
      Object.assign(shown, this.#snippetOf(of))
    return ranked.map((one) => one.shown)
  }

  /** A space makes its own vectors, or the vector was given with the question. */
  #byMeaning(): string | undefined {
    const { text, scope } = this.#look
    const { meanings, own } = this.#on
    const given = this.#given
    const vector = given?.vector ?? meanings?.of(bagOf(text))
    const space = given?.space ?? own
    const pool = space === undefined ? undefined : this.#on.pool(space)
    if (!vector || !pool || pool.passages === 0 || vector.every((x) => x === 0)) return undefined
    const rowids = this.#only && this.#rowidsOf([...this.#only])
    const also = this.#places.items.length > 0 ? this.#rowidsOf(this.#places.items) : undefined
    const near = pool.nearest(
      quantized(vector),
      this.#on.groups(this.#places),
      scope.after === undefined && scope.before === undefined ? depth : 5 * depth,
      also,
      rowids,
    ) // times are looked at afterwards
    const docs = this.#read(near.map((one) => one.doc))
    let rank = 0
    for (const one of near) {
      const doc = docs.get(one.doc)
      if (!doc || !this.#isInside(doc)) continue // it went, or moved, since its vector was made
      const item = this.#itemOf(doc)
      if (item.meaningRank === undefined) item.meaningRank = rank++
      const text = this.#textOf(item, doc)
      text.near ??= one
      text.cosine = Math.max(text.cosine, one.cosine)
      item.cosine = Math.max(item.cosine, one.cosine)
    }
    return space
  }

  #rowidsOf(items: readonly string[]): ReadonlySet<number> {
    return new Set(
      this.#on.db
        .prepare('select rowid_ from search_docs where item_id in (select value from json_each(?))')
        .pluck()
        .all(JSON.stringify(items)) as number[],
    )
  }

  #byWords(): void {
    const terms = termsOf(this.#look.text)
    if (terms.any.length === 0) return
    this.#takeWords(terms)
    if (terms.phrases.length > 0 && this.#items.size < fewest)
      this.#takeWords({ any: terms.any, phrases: [] }) // nobody wrote it so: then its words
  }

  #takeWords(terms: Terms): void {
    let rank = this.#items.size
    for (const { rowid_, score } of this.#found(terms)) {
      const doc = this.#docs.get(rowid_)!
      const item = this.#itemOf(doc)
      if (item.wordRank === undefined) item.wordRank = rank++
      item.bm25 = Math.max(item.bm25, score)
      this.#textOf(item, doc).bm25 = score
    }
  }

  #planned(terms: Terms): Plan {
    const { db } = this.#on
    if (
      ((db.prepare('select max(rowid_) from search_docs').pluck().get() as number | null) ?? 0) <
      manyTexts
    )
      return wholePlan(terms)
    const count = db.prepare(counting).pluck()
    return planOf(
      terms,
      new Map(
        terms.any.map((word) => [
          word,
          count.get(matchFor({ any: [word], phrases: [] })) as number,
        ]),
      ),
    )
  }

  #found(terms: Terms): { rowid_: number; score: number }[] {
    const { containers, types } = this.#look.scope
    const named = containers !== null && containers.length <= mostNamed ? containers : undefined
    if (named?.length === 0) return []
    const plan = this.#planned(terms)
    this.#bound ??= boundOf(plan)
    const rows = this.#on.db
      .prepare(
        plan.order === 'best'
          ? "select rowid as hit, -rank as score from search_fts where search_fts match ? and rank match 'bm25(2.0, 1.0, 0.0)' order by rank"
          : `select rowid as hit, 1 as score from search_fts where search_fts match ? order by rowid desc limit ${mostNewest}`,
      )
      .iterate(
        matchOf(plan, named, types.length <= fewTypes ? types : undefined),
      ) as IterableIterator<{ hit: number; score: number }>
    const doc = this.#on.db.prepare(`select ${columns} from search_docs as d where d.rowid_ = ?`)
    const found: { rowid_: number; score: number }[] = []
    for (const { hit, score } of rows) {
      const row = doc.get(hit) as Doc | undefined
      if (!row || !this.#isInside(row)) continue
      this.#docs.set(hit, row)
      found.push({ rowid_: hit, score })
      if (found.length >= depth) break
    }
    return found
  }

  #isInside({ item_id, item_type, container, at }: DocPlace): boolean {
    if (this.#only && !this.#only.has(item_id)) return false
    const { after, before } = this.#look.scope
    return (
      this.#places.has(item_type, container, item_id) &&
      (after === undefined || at >= after) &&
      (before === undefined || at <= before)
    )
  }

  #read(rowids: readonly number[]): Map<number, Doc> {
    const missing = rowids.filter((one) => !this.#docs.has(one))
    const rows = this.#on.db
      .prepare(
        `select ${columns} from search_docs as d where d.rowid_ in (select value from json_each(?))`,
      )
      .all(JSON.stringify(missing)) as Doc[]
    for (const row of rows) this.#docs.set(row.rowid_, row)
    return this.#docs
  }

  #itemOf({ ref, item_id, item_type }: Doc): Item {
    const id = this.#look.each ? ref : item_id
    const known = this.#items.get(id)
    if (known) return known
    const made: Item = {
      id,
      item_id,
      type: kindOf(item_type),
      docs: new Map(),
      bm25: 0,
      cosine: 0,
      wordRank: undefined,
      meaningRank: undefined,
      base: 0,
    }
    this.#items.set(id, made)
    return made
  }

  #textOf(item: Item, { rowid_ }: Doc) {
    const known = item.docs.get(rowid_)
    if (known) return known
    const made = { bm25: 0, cosine: 0, near: undefined as Near | undefined }
    item.docs.set(rowid_, made)
    return made
  }

  /** Items that only links brought. */
  #itemsOf(ids: readonly string[]): Item[] {
    const rows = this.#on.db
      .prepare(
        `select ${columns} from search_docs as d where d.item_id in (select value from json_each(?)) and d.part = 'item' order by d.rowid_`,
      )
      .all(JSON.stringify(ids)) as Doc[]
    return rows.flatMap((row) => {
      if (this.#items.has(row.item_id) || !this.#isInside(row)) return []
      this.#docs.set(row.rowid_, row)
      const item = this.#itemOf(row)
      this.#textOf(item, row)
      return [item]
    })
  }

  #mentions(best: readonly Item[]): Link[] {
    return best.flatMap((item) => {
      const named = new Set<string>()
      for (const rowid of item.docs.keys()) {
        const text = this.#docs.get(rowid)!.body.slice(0, mostCharacters)
        for (const name of namesIn(text, (one) => this.#bearer(one) !== undefined))
          if (this.#naming(name).length <= commonName) named.add(this.#bearer(name)!)
      }
      const own = this.#on.titles.nameOf(item.id)
      const naming = own === undefined || this.#bearer(own) !== item.id ? [] : this.#naming(own)
      if (naming.length <= commonName) for (const one of naming) named.add(one)
      named.delete(item.id)
      return [...named].map((to) => ({ from: item.id, to, kind: 'mention', weight: 1 }))
    })
  }

  readonly #bearers = new Map<string, string | undefined>()

  /** The item of a name, where one alone has it of those among which is searched. Nearly no run of words is a name: those cost a look into a map. */
  #bearer(name: string): string | undefined {
    const items = this.#on.titles.itemsOf(name)
    if (items.size === 0) return undefined
    if (this.#bearers.has(name)) return this.#bearers.get(name)
    const found: string[] = []
    for (const id of items) {
      const place = this.#on.placeOf(id)
      if (place && this.#isInside(place)) found.push(id)
      if (found.length > 1) break
    }
    const bearer = found.length === 1 ? found[0] : undefined
    this.#bearers.set(name, bearer)
    return bearer
  }

  readonly #namings = new Map<string, string[]>()

  /** The items whose texts have a name as it is written; one more than may be, where there are too many. */
  #naming(name: string): string[] {
    const known = this.#namings.get(name)
    if (known) return known
    const { db } = this.#on
    const { containers } = this.#look.scope
    const named = containers !== null && containers.length <= mostNamed ? containers : undefined
    const places = db
      .prepare(
        'select d.rowid_, d.item_id, d.item_type, d.container, d.at from search_fts cross join search_docs as d where search_fts match ? and d.rowid_ = search_fts.rowid',
      )
      .iterate(
        matchFor(
          { any: [], phrases: [termsOf(`"${name}"`).phrases[0] ?? []], field: 'body' },
          named,
        ),
      ) as IterableIterator<Pick<Doc, 'rowid_' | 'item_id' | 'item_type' | 'container' | 'at'>>
    const hits: number[] = []
    for (const one of places) {
      if (this.#isInside(one)) hits.push(one.rowid_) // the others take no place
      if (hits.length >= 4 * commonName) break
    }
    const docs = this.#read(hits)
    const items = new Set(
      hits.flatMap((hit) => {
        const doc = docs.get(hit)
        return doc?.body.includes(name) ? [doc.item_id] : []
      }),
    )
    const found = [...items].slice(0, commonName + 1)
    this.#namings.set(name, found)
    return found
  }

  #weighed(item: Item, gain: Gain | undefined): Weighed | undefined {
    const doc = this.#bestOf(item)
    if (!doc) return undefined
    const near = item.docs.get(doc.rowid_)!.near
    const why = explained(this.#query, (one) => this.#idf(one), {
      ...item,
      gain: gain?.sum ?? 0,
      words: this.#on.words(doc.rowid_, doc.title, () => lookedAt(doc.body, near)),
    })
    return { item, doc, near, gain, why, score: scoreOf(why, this.#given ? givenWeights : weights) }
  }

  /** The text of an item that speaks most for it. */
  #bestOf({ docs }: Item): Doc | undefined {
    let best: { rowid: number; score: number } | undefined
    for (const [rowid, { bm25, cosine }] of docs)
      if (!best || bm25 / 10 + cosine > best.score) best = { rowid, score: bm25 / 10 + cosine }
    return best && this.#docs.get(best.rowid)
  }

  #shown(of: Weighed): { shown: Ranked; of: Weighed } {
    const { item, doc, near, gain, why, score } = of
    const by = [
      ...(item.wordRank === undefined ? [] : ['keyword' as const]),
      ...(item.meaningRank === undefined ? [] : ['vector' as const]),
      ...(gain ? ['graph' as const] : []),
    ]
    const texts = [...item.docs.values()]
    const nearness = Math.max(0, ...texts.map((one) => one.cosine))
    const above = Math.max(0, ...texts.map((one) => one.near?.above ?? 0))
    const { part, ref, title, at } = doc
    const shown = {
      id: item.id,
      item_id: item.item_id,
      item_type: item.type,
      score,
      why,
      nearness,
      above,
      by,
      via: gain?.via ?? [],
      part,
      ref,
      title,
      start: near?.start,
      snippet: '',
      ranges: [],
      at,
    }
    return { shown, of }
  }

  #snippetOf({ item, doc, near }: Weighed): Pick<Ranked, 'snippet' | 'ranges'> {
    const text =
      near && item.docs.get(doc.rowid_)!.bm25 === 0
        ? doc.body.slice(near.start, near.start + near.length)
        : doc.body
    const shown = snippet(text, this.#stems)
    return { snippet: shown, ranges: rangesOf(shown, this.#stems) }
  }

  #idf(one: string): number {
    const { meanings } = this.#on
    return meanings && meanings.passages > 0 ? meanings.idf(one) : 1
  }
}

/** Those of the hits that a page shows, with one more. */
function onPage<T extends { shown: Ranked }>(
  ranked: readonly T[],
  { limit, behind }: NonNullable<Rank['page']>,
): T[] {
  const listed = ranked
    .filter((one) => standsOut(one.shown))
    .map((one) => ({ one, id: one.shown.id, score: shownScore(one.shown.score) }))
  const rest = behind
    ? listed.filter(
        (one) => one.score < behind.score || (one.score === behind.score && one.id < behind.id),
      )
    : listed
  return rest
    .sort((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1))
    .slice(0, limit + 1)
    .map((one) => one.one)
}

/** Of a long text, what is around the passage that is near, and its beginning. */
function lookedAt(body: string, near: Near | undefined): string {
  if (body.length <= mostCharacters || !near) return body.slice(0, mostCharacters)
  return `${body.slice(Math.max(0, near.start - 1000), near.start + near.length + 1000)}\n${body.slice(0, mostCharacters / 2)}`
}

/** What hits lend to those that they are linked with: the sum over links of weight × score ÷ √links of that kind. */
function gainsOf(scores: ReadonlyMap<string, number>, links: readonly Link[]): Map<string, Gain> {
  const gains = new Map<string, Gain>()
  const degrees = new Map<string, number>()
  const once = new Map(
    links
      .filter((one) => one.from !== one.to && scores.has(one.from))
      .map((one) => [`${one.from} ${one.to} ${one.kind}`, one]),
  )
  for (const { from, kind } of once.values())
    degrees.set(`${from} ${kind}`, (degrees.get(`${from} ${kind}`) ?? 0) + 1)
  for (const { from, to, kind, weight } of once.values()) {
    const gain = gains.get(to) ?? { sum: 0, via: [] }
    gain.sum += (weight * scores.get(from)!) / Math.sqrt(degrees.get(`${from} ${kind}`)!)
    if (gain.via.length < 5) gain.via.push({ from, kind })
    gains.set(to, gain)
  }
  return gains
}
