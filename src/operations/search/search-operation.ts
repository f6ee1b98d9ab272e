// Common parts of the modules' searches: their arguments, their answer and the way from one to
// the other. A module defines the kind of items, the filters and the presentation of a hit.

import { shape } from '../../kernel/shape.ts'
import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import type { Query } from '../../search/query.ts'
import type { ReadContext } from '../context.ts'
import { pageOf, paging } from '../../kernel/fields.ts'
import { pageWithItems, type PageRequest } from '../../records/paging.ts'
import type { ItemTable, Resource, Row, Scoped } from '../../records/resource.ts'
import {
  requireQuery,
  matchedTexts,
  matchItems,
  pageOfHits,
  type ItemMatch,
  type MatchedText,
} from './hits.ts'
import { searchItems } from './search-items.ts'
import type { ItemHit, SearchResults } from './results.ts'
import { searchScopeOf, type Searchable } from './searchable.ts'

const modes = ['keyword', 'semantic', 'hybrid'] as const

export type SearchMode = (typeof modes)[number]

/**
 * Search mode used: keyword alone, also if semantic search was requested but is not available; the
 * note then says why.
 */
const Searched = shape('SearchMode', { mode: z.enum(modes), note: z.string().optional() })

const words = () =>
  z
    .string()
    .min(1)
    .max(2000)
    .describe('words in any form and order; "quoted phrases" match exactly')

/** The arguments of a search: a query, a mode, filters and a page. */
export function searchInput<F extends z.ZodRawShape>(filters: F) {
  return searchInputWith(words(), filters)
}

/** Search arguments with a different description of the query. */
export function searchInputWith<Q extends z.ZodType<string>, F extends z.ZodRawShape>(
  query: Q,
  filters: F,
) {
  const mode = z.enum(modes).default('keyword').describe('by words, meaning or both')
  return { query, mode, ...filters, ...paging }
}

/** The answer of a search: a page of hits, and the method used. */
export function searchOutput<H extends z.ZodType>(hit: H) {
  return pageOf(hit).extend({ searched: Searched })
}

/** Arguments common to all searches. */
export interface SearchArguments extends PageRequest {
  query: string
  mode: SearchMode
}

/** A search result as presented. */
interface ShownItem<T extends ItemTable, S> {
  id: string
  row: Row<T>
  shape: S
  /** Relative to the best hit, 0 to 1. */
  score: number
  query: Query
}

/** A hit of a search by words, with its matching texts, best first. */
export interface KeywordHit<T extends ItemTable, S> extends ShownItem<T, S> {
  texts: readonly [MatchedText, ...MatchedText[]]
}

/** A hit of a search that includes meaning, with its nearest passage. */
export interface SimilarHit<T extends ItemTable, S> extends ShownItem<T, S> {
  match: ItemHit
}

/** Search definition of a module. */
export interface SearchSource<T extends ItemTable, S extends { id: string }, H> {
  searchable: Searchable
  resource: Resource<T>
  /** The filters. */
  narrow?: ((items: Scoped<T>) => Scoped<T>) | undefined
  /** Containers to which a keyword search is limited; default: all in which the kind is found. */
  containers?: readonly string[] | undefined
  /** Number of texts read to present a hit; default: 1. */
  textsPerHit?: number
  /** A hit that is shown first, since the query names it. */
  exact?: { id: string; hit: H } | undefined
  /** Presents items as references. */
  show(ctx: ReadContext, rows: readonly Row<T>[]): Promise<readonly S[]>
  keywordHit(hit: KeywordHit<T, S>): H | Promise<H>
  similarHit(hit: SimilarHit<T, S>): H | Promise<H>
}

/** Runs a search. @throws Refusal where the query has no searchable words */
export async function answerSearch<T extends ItemTable, S extends { id: string }, H>(
  ctx: ReadContext,
  { query: text, mode, limit, cursor }: SearchArguments,
  source: SearchSource<T, S, H>,
) {
  const query = requireQuery(text)
  const { exact } = source
  const first = exact && cursor === undefined ? [exact.hit] : []
  const pageRequest = { limit: limit - first.length, cursor }
  const isOther = ({ id }: { id: string }) => id !== exact?.id
  if (mode === 'keyword') {
    const { items, note } = await keywordMatches(ctx, query, source)
    const page = pageOfHits(items.filter(isOther), pageRequest)
    const hits = await presentKeywordHits(ctx, query, page.items, source)
    return { ...pageWithItems(page, [...first, ...hits]), searched: searchedByKeyword(note) }
  }
  const similarHits = await searchSimilar(ctx, query, mode, source)
  const page = pageOfHits(similarHits.hits.filter(isOther), pageRequest)
  const hits = await presentSimilarHits(ctx, query, page.items, source)
  return { ...pageWithItems(page, [...first, ...hits]), searched: searchedWith(similarHits) }
}

async function keywordMatches<T extends ItemTable, S extends { id: string }, H>(
  ctx: ReadContext,
  query: Query,
  { searchable, resource, narrow, containers }: SearchSource<T, S, H>,
) {
  return matchItems(ctx, query, {
    resource,
    containers: containers ?? (await searchScopeOf(ctx, searchable)).containers,
    narrow,
  })
}

async function searchSimilar<T extends ItemTable, S extends { id: string }, H>(
  ctx: ReadContext,
  query: Query,
  mode: SearchMode,
  { searchable, narrow }: SearchSource<T, S, H>,
): Promise<SearchResults> {
  const only = narrow && { only: new Map([[searchable.kind, narrow]]) }
  return searchItems(ctx, { query, mode, kinds: [searchable], rerank: true, ...only })
}

async function presentKeywordHits<T extends ItemTable, S extends { id: string }, H>(
  ctx: ReadContext,
  query: Query,
  matches: readonly ItemMatch[],
  { resource, textsPerHit = 1, show, keywordHit }: SearchSource<T, S, H>,
): Promise<H[]> {
  const rows = await resource.among(
    ctx,
    matches.map((match) => match.id),
  )
  const shapes = byId(await show(ctx, [...rows.values()]))
  const textsOf = (match: ItemMatch) => match.texts.slice(0, textsPerHit)
  const docs = await matchedTexts(ctx, matches.flatMap(textsOf))
  const hits: H[] = []
  for (const match of matches) {
    const { id, score } = match
    const [row, shape] = [rows.get(id), shapes.get(id)]
    const [best, ...others] = textsOf(match).flatMap((text) => docs.get(text.rowid_) ?? [])
    if (!row || !shape || !best) continue
    hits.push(await keywordHit({ id, row, shape, score, query, texts: [best, ...others] }))
  }
  return hits
}

async function presentSimilarHits<T extends ItemTable, S extends { id: string }, H>(
  ctx: ReadContext,
  query: Query,
  matches: readonly ItemHit[],
  { show, similarHit }: SearchSource<T, S, H>,
): Promise<H[]> {
  const rows = matches.map((match) => match.row as Row<T>)
  const shapes = byId(await show(ctx, rows))
  const hits: H[] = []
  for (const [i, match] of matches.entries()) {
    const { id, score } = match
    const shape = shapes.get(id)
    if (shape) hits.push(await similarHit({ id, row: rows[i]!, shape, score, query, match }))
  }
  return hits
}

function byId<S extends { id: string }>(shapes: readonly S[]): Map<string, S> {
  return new Map(shapes.map((shape) => [shape.id, shape]))
}

/** Reports that only words were searched, and which were omitted. */
export function searchedByKeyword(note?: string): z.infer<typeof Searched> {
  return omitNullish({ mode: 'keyword', note })
}

/** Reports the method of a search that may include meaning. */
export function searchedWith({
  by,
  note,
}: Pick<SearchResults, 'by' | 'note'>): z.infer<typeof Searched> {
  const modeOf = { words: 'keyword', meaning: 'semantic', 'words and meaning': 'hybrid' } as const
  return omitNullish({ mode: modeOf[by], note })
}
