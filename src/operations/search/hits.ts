import { CompiledQuery, sql, type Kysely, type SqlBool } from 'kysely'
import { separateIndexFile } from '../../db/index-file.ts'
import type { Tables } from '../../db/tables.ts'
import { awaitLookups, fullText, type FullTextScope } from '../../search/full-text.ts'
import { parseQuery, type Query, type Terms } from '../../search/query.ts'
import {
  badCursor,
  cut,
  decodeCursor,
  encodeCursor,
  type PageRequest,
  type PageOf,
} from '../../records/paging.ts'
import { invalid } from '../../kernel/refusal.ts'
import type { ItemTable, Resource, Row, Scoped } from '../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../records/access-scope.ts'
import { byScore } from '../../kernel/text/order.ts'

/** Maximum number of texts read by a search by words. */
const maxTexts = 1000

/** Maximum number of matches from an external search index that are checked against the caller's access. */
const maxBeside = 20_000

/** A matching text of an item, with its row in the index. */
interface TextMatch {
  item_id: string
  rowid_: number
  score: number
}

/** An item with its matching texts, best first. */
export interface ItemMatch<T extends { score: number } = TextMatch> {
  id: string
  /** Relative to the best hit of the whole search, 0 to 1. */
  score: number
  texts: T[]
}

/** Scope of a keyword search. */
export interface MatchOptions<T extends ItemTable> {
  resource: Resource<T>
  /** The type of the texts in the index; default: that of the resource. */
  type?: string | undefined
  /**
   * The containers (SearchText.container) that may contain items visible to the caller; undefined: too many to list.
   * They only make the search faster: every match is still checked against `resource.seen`.
   */
  containers?: readonly string[] | undefined
  /** Further conditions on the items. */
  narrow?: ((items: Scoped<T>) => Scoped<T>) | undefined
}

/** Matching items, with a description of the omitted ones. */
export interface Matches {
  items: ItemMatch[]
  note: string | undefined
}

/** Tokenizes the query of an operation. @throws Refusal where there is no word in it */
export function requireQuery(text: string): Query {
  const query = parseQuery(text)
  if (query.stems.size === 0) throw invalid('query', 'the query contains no searchable words.')
  return query
}

/** Visible items of one kind with texts that match a query, best first. */
export async function matchItems<T extends ItemTable>(
  viewer: Viewer,
  { terms }: Query,
  { resource, type = resource.definition.type, containers, narrow }: MatchOptions<T>,
): Promise<Matches> {
  if (containers?.length === 0) return { items: [], note: undefined }
  const seen = resource.visibleTo(viewer)
  const allowed = (narrow?.(seen) ?? seen)
    .where(sql<SqlBool>`${sql.ref(`${resource.table}.id`)} = d.item_id`)
    .select(sql`1`.as('one'))
  const { matches, note } = await textMatches(viewer, terms, { containers, types: [type] })
  const texts = await matches
    .where(sql<SqlBool>`exists ${allowed}`)
    .select(['d.item_id', 'd.rowid_'])
    .execute()
  return { items: groupByItem(texts, (text) => text.item_id), note }
}

/** The items that match words, best first. @throws Refusal where there is no word in the query */
export async function itemsWithWords<T extends ItemTable>(
  reader: Viewer,
  text: string,
  options: MatchOptions<T>,
): Promise<ItemMatch[]> {
  return (await matchItems(reader, requireQuery(text), options)).items
}

/** The matching texts (`d`) with their scores, best first, at most 1,000. */
export async function textMatches(viewer: Viewer, terms: Terms, scope: FullTextScope) {
  const { all } = accessScopeOf(viewer)
  const index = separateIndexFile(all)
  const { matches, note } = await matchesIn(index?.queries ?? all, terms, scope)
  if (!index) return { matches: matches.limit(maxTexts), note }
  await index.refresh()
  const scored = await matches
    .clearSelect()
    .select([sql<number>`h.rowid`.as('doc'), sql<number>`-h.rank`.as('score')])
    .limit(maxBeside)
    .execute()
  return { matches: matchesOf(all, scored, scope).limit(maxTexts), note }
}

/** Matches from an index outside the database, as a database query. */
function matchesOf(
  db: Kysely<Tables>,
  matches: readonly { doc: number; score: number }[],
  { types }: FullTextScope,
) {
  const docs = matches.map((match) => match.doc)
  const ranks = matches.map((match) => -match.score)
  const hits = sql<{
    rowid: number
    rank: number
  }>`(select * from unnest(${docs}::bigint[], ${ranks}::float8[]) as f (rowid, rank))`
  return db
    .selectFrom(hits.as('h'))
    .crossJoin('search_docs as d')
    .where(sql<SqlBool>`d.rowid_ = h.rowid`)
    .where('d.item_type', 'in', types)
    .select(sql<number>`-h.rank`.as('score'))
    .orderBy('h.rank')
}

function matchesIn(db: Kysely<Tables>, terms: Terms, scope: FullTextScope) {
  return awaitLookups(fullText(db, terms, scope), async (lookup) => {
    const { rows } = await db.executeQuery<{ n: number }>(
      CompiledQuery.raw(lookup.sql, [...lookup.parameters]),
    )
    return Number(rows[0]!.n)
  })
}

export type MatchedText = Pick<
  Row<'search_docs'>,
  'rowid_' | 'ref' | 'item_id' | 'part' | 'title' | 'body' | 'at'
>

/** The texts that the caller's search matched, by their row in the index. */
export async function matchedTexts(
  viewer: Viewer,
  matches: readonly { rowid_: number }[],
): Promise<Map<number, MatchedText>> {
  if (matches.length === 0) return new Map()
  const ids = matches.map((item) => item.rowid_)
  const rows = await accessScopeOf(viewer)
    .all.selectFrom('search_docs')
    .select(['rowid_', 'ref', 'item_id', 'part', 'title', 'body', 'at'])
    .where('rowid_', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.rowid_, row]))
}

/** Texts grouped by item, best first. */
function groupByItem<T extends { score: number }>(
  texts: readonly T[],
  idOf: (text: T) => string,
): ItemMatch<T>[] {
  const best = texts[0]?.score ?? 1
  const itemHits = [...Map.groupBy(texts, idOf)].map(([id, some]) => ({
    id,
    score: best > 0 ? Math.round((some[0]!.score / best) * 10_000) / 10_000 : 1,
    texts: some,
  }))
  return itemHits.sort(byScore)
}

/** A score above every hit: the position before the first one. */
const beforeAll = 2

/**
 * The cursor is the position of the last hit, so an item that appears or disappears between pages does not shift the
 * others.
 */
export function pageOfHits<F extends { id: string; score: number }>(
  hits: readonly F[],
  { limit, cursor }: PageRequest,
): PageOf<F> {
  const rest = cursor === undefined ? hits : hitsAfter(hits, cursor)
  if (limit === 0)
    return rest.length === 0
      ? { items: [], has_more: false }
      : { items: [], has_more: true, next_cursor: encodeCursor([beforeAll, '']) }
  return cut(rest.slice(0, limit + 1), limit, (last) => encodeCursor([last.score, last.id]))
}

function hitsAfter<F extends { id: string; score: number }>(
  rankedHits: readonly F[],
  cursor: string,
): F[] {
  const { score, id } = decodeHitCursor(cursor)
  return rankedHits.filter((item) => item.score < score || (item.score === score && item.id < id))
}

/** The position of the previous page's last hit. */
export function decodeHitCursor(cursor: string): { score: number; id: string }
export function decodeHitCursor(
  cursor: string | undefined,
): { score: number; id: string } | undefined
export function decodeHitCursor(
  cursor: string | undefined,
): { score: number; id: string } | undefined {
  if (cursor === undefined) return undefined
  const [score, id, ...more] = decodeCursor(cursor)
  if (typeof score !== 'number' || typeof id !== 'string' || more.length > 0) throw badCursor()
  return { score, id }
}
