import { CompiledQuery, sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import {
  boundOf,
  counting,
  frequent,
  manyTexts,
  matchOf,
  mostNewest,
  planOf,
  wholePlan,
  type Plan,
} from './worker/frequent.ts'
import { matchFor, termsOf, type Terms } from './text.ts'
import {
  badCursor,
  cut,
  decodeCursor,
  encodeCursor,
  type PageRequest,
  type PageOf,
} from '../records/paging.ts'
import { invalid } from '../kernel/refusal.ts'
import type { ItemTable, Resource, Row, Scoped } from '../records/resource.ts'
import { sightOf, type Viewer } from '../records/access-scope.ts'

/** Texts that are looked at behind a search. */
const searchDepth = 1000
/** Of more containers than this, each text found is looked up instead of naming all of them in the query. */
export const mostContainers = 300

const modes = ['keyword', 'semantic', 'hybrid'] as const

/** How a search is asked to look. */
export const searchMode = () =>
  z.enum(modes).default('keyword').describe('by words, meaning or both')

export type SearchMode = (typeof modes)[number]

/** What answered: words alone, also where meaning was asked for and could not; then the note says why. */
export const Searched = z.strictObject({ mode: z.enum(modes), note: z.string().optional() })

/** Says what answered a search that meaning took part in. */
export function searchedBy({
  by,
  note,
}: {
  by: 'words' | 'words and meaning' | 'meaning'
  note: string | undefined
}): z.infer<typeof Searched> {
  const mode = by === 'words' ? 'keyword' : by === 'meaning' ? 'semantic' : 'hybrid'
  return { mode, ...(note === undefined ? {} : { note }) }
}

/** A text of an item that matches, with its place in the index. */
export interface FoundText {
  item_id: string
  rowid_: number
  score: number
}

/** An item with its texts that matched, best first. */
export interface FoundItem<T extends { score: number } = FoundText> {
  id: string
  /** Against the best hit of the whole search, 0 to 1. */
  score: number
  texts: T[]
}

/** Where a search looks. */
export interface Ground<T extends ItemTable> {
  resource: Resource<T>
  /** What the texts are called in the index, where it is another name than the item's. */
  type?: string | undefined
  /**
   * The containers (SearchText.container) that may hold what the caller sees; undefined: too many to name. They only make the search quick:
   * every text found is held against `resource.seen` all the same.
   */
  containers?: readonly string[] | undefined
  /** Further conditions on the items. */
  narrow?: ((items: Scoped<T>) => Scoped<T>) | undefined
}

/** The items of one kind with texts that match a query of words, best first. @throws Refusal where there is no word in it */
export async function itemsMatching<T extends ItemTable>(
  from: Viewer,
  query: string,
  ground: Ground<T>,
): Promise<FoundItem[]> {
  return (await foundMatching(from, query, ground)).items
}

/** The same, with what was not looked at, in words. */
export async function foundMatching<T extends ItemTable>(
  from: Viewer,
  query: string,
  ground: Ground<T>,
): Promise<{ items: FoundItem[]; bound: string | undefined }> {
  const terms = termsOf(query)
  if (terms.any.length === 0) throw invalid('query', 'the query contains no searchable words.')
  if (ground.containers?.length === 0) return { items: [], bound: undefined }
  const { table, definition } = ground.resource
  const seen = ground.resource.seen(from)
  const allowed = (ground.narrow?.(seen) ?? seen)
    .where(sql<SqlBool>`${sql.ref(`${table}.id`)} = d.item_id`)
    .select(sql`1`.as('one'))
  const { hits, bound } = await wordHits(
    from,
    terms,
    ground.type ?? definition.type,
    ground.containers,
  )
  const texts = await hits
    .where(({ exists }) => exists(allowed as never))
    .select(['d.item_id', 'd.rowid_'])
    .execute()
  return { items: byItem(texts, (one) => one.item_id), bound }
}

/**
 * The texts of one type (`d`) that match, with their scores (`h`), best first and at most `searchDepth`. They come one by one: conditions that are added are held
 * against no more of them than it takes, and only a join that keeps this order may be added. `bound` says what was not looked at.
 */
export async function wordHits(
  from: Viewer,
  terms: Terms,
  type: string,
  containers: readonly string[] | undefined,
) {
  const { all } = sightOf(from)
  const plan = await planned(from, terms)
  const few = containers && containers.length <= mostContainers ? containers : undefined
  const match = (await areWorthNaming(from, plan, few, type))
    ? matchOf(plan, few, [type])
    : matchOf(plan)
  const newest = sql<Hit>`(select search_fts.rowid as rowid, -1.0 as rank from search_fts where search_fts match ${match} order by search_fts.rowid desc limit ${sql.lit(mostNewest)})`
  const hits = all
    .selectFrom((plan.order === 'best' ? sql<Hit>`search_fts` : newest).as('h'))
    .crossJoin('search_docs as d')
    .where(sql<SqlBool>`d.rowid_ = h.rowid and d.item_type = ${type}`)
    .select(sql<number>`-h.rank`.as('score'))
    .limit(searchDepth)
  if (plan.order === 'newest') return { hits, bound: boundOf(plan) }
  return {
    hits: hits
      .where(sql<SqlBool>`h.search_fts match ${match} and h.rank match 'bm25(2.0, 1.0, 0.0)'`)
      .orderBy('h.rank'),
    bound: boundOf(plan),
  }
}

interface Hit {
  rowid: number
  rank: number
}

/** How the words of a query are looked up, by how many texts have them where there are many. */
async function planned(from: Viewer, terms: Terms): Promise<Plan> {
  const { all } = sightOf(from)
  const last = await all
    .selectFrom('search_docs')
    .select((eb) => eb.fn.max('rowid_').as('last'))
    .executeTakeFirst()
  if (Number(last?.last ?? 0) < manyTexts) return wholePlan(terms)
  const counts = new Map<string, number>()
  for (const word of terms.any)
    counts.set(word, await count(from, matchFor({ any: [word], phrases: [] })))
  return planOf(terms, counts)
}

/** A type, or containers, with very many texts narrow a search by little, and to name them makes ranking read all that they hold. */
async function areWorthNaming(
  from: Viewer,
  { order, isWhole }: Plan,
  containers: readonly string[] | undefined,
  type: string,
): Promise<boolean> {
  return (
    isWhole ||
    order === 'newest' ||
    (await count(from, matchFor({ any: [], phrases: [] }, containers, [type]))) < frequent
  )
}

/** Texts that match; of more than `frequent`, that number. */
async function count(from: Viewer, match: string): Promise<number> {
  const { rows } = await sightOf(from).all.executeQuery<{ n: number }>(
    CompiledQuery.raw(counting, [match]),
  )
  return rows[0]!.n
}

/** The answer of the index of words, with what of it was bounded. */
export function byWordsAlone(bound?: string): z.infer<typeof Searched> {
  return { mode: 'keyword', ...(bound === undefined ? {} : { note: bound }) }
}

/** The texts of rows that a search of the caller found, by their place in the index. */
export async function textsFound(
  from: Viewer,
  found: readonly { rowid_: number }[],
): Promise<
  Map<
    number,
    Pick<Row<'search_docs'>, 'rowid_' | 'ref' | 'item_id' | 'part' | 'title' | 'body' | 'at'>
  >
> {
  if (found.length === 0) return new Map()
  const ids = found.map((one) => one.rowid_)
  const rows = await sightOf(from)
    .all.selectFrom('search_docs')
    .select(['rowid_', 'ref', 'item_id', 'part', 'title', 'body', 'at'])
    .where('rowid_', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.rowid_, row]))
}

/** Texts by the item that they lead to, best first. */
export function byItem<T extends { score: number }>(
  texts: readonly T[],
  idOf: (text: T) => string,
): FoundItem<T>[] {
  const best = texts[0]?.score ?? 1
  const found = [...Map.groupBy(texts, idOf)].map(([id, some]) => ({
    id,
    score: best > 0 ? Math.round((some[0]!.score / best) * 10_000) / 10_000 : 1,
    texts: some,
  }))
  return found.sort((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1))
}

/** A score that no hit has: the place before the first one. */
const beforeAll = 2

/** The cursor is the place of the last hit, so an item that comes or goes between pages moves no other. */
export function pageOfHits<F extends { id: string; score: number }>(
  found: readonly F[],
  { limit, cursor }: PageRequest,
): PageOf<F> {
  const rest = cursor === undefined ? found : behind(found, cursor)
  if (limit === 0)
    return rest.length === 0
      ? { items: [], has_more: false }
      : { items: [], has_more: true, next_cursor: encodeCursor([beforeAll, '']) }
  return cut(rest.slice(0, limit + 1), limit, (last) => encodeCursor([last.score, last.id]))
}

function behind<F extends { id: string; score: number }>(found: readonly F[], cursor: string): F[] {
  const { score, id } = placeOf(cursor)
  return found.filter((one) => one.score < score || (one.score === score && one.id < id))
}

/** The place of the last hit of the page before. */
export function placeOf(cursor: string): { score: number; id: string }
export function placeOf(cursor: string | undefined): { score: number; id: string } | undefined
export function placeOf(cursor: string | undefined): { score: number; id: string } | undefined {
  if (cursor === undefined) return undefined
  const [score, id, ...more] = decodeCursor(cursor)
  if (typeof score !== 'number' || typeof id !== 'string' || more.length > 0) throw badCursor()
  return { score, id }
}
