import { omitNullish } from '../../kernel/present.ts'
import { SearchUnavailable } from '../../search/engine.ts'
import { linksOf } from '../../search/links.ts'
import { countByType, displayScore, isRelevant } from '../../search/ranker.ts'
import type {
  Candidates,
  Link,
  RankedHit,
  RankedHits,
  Ranking,
  SearchRequest,
} from '../../search/worker/protocol.ts'
import type { ReadContext } from '../context.ts'
import { accessScopeOf } from '../../records/access-scope.ts'
import { decodeHitCursor } from './hits.ts'
import { searchByKeyword } from './keyword-search.ts'
import {
  countPending,
  filteredIds,
  narrowedKinds,
  visibleAmong,
  visibleIds,
  type NarrowedKind,
} from './narrowed-kinds.ts'
import type { VisibleRow } from './narrow.ts'
import { isReranked, reranked, rerankedCount, rerankedLength } from './reranked.ts'
import {
  maxHits,
  sortHits,
  type ItemHit,
  type SearchOptions,
  type SearchResults,
} from './results.ts'

/** Number of best hits whose links add others. */
const seedCount = 10

/**
 * Searches by words, meaning and links. Invisible items are neither shown nor affect the result. If the search thread
 * does not answer, and within a write, only words are searched, and `note` says so.
 */
export async function searchItems(
  ctx: ReadContext,
  options: SearchOptions,
): Promise<SearchResults> {
  const kinds = await narrowedKinds(ctx, options)
  if (kinds.length === 0)
    return { hits: [], countByType: {}, by: 'words', note: undefined, pending: 0 }
  if ('add' in ctx)
    return searchByKeyword(ctx, options, kinds, 'Within a change only keyword search is possible.')
  try {
    return await searchWithThread(ctx, options, kinds)
  } catch (error) {
    if (!(error instanceof SearchUnavailable)) throw error
    return searchByKeyword(ctx, options, kinds, 'The semantic index is temporarily unavailable.')
  }
}

async function searchWithThread(
  ctx: ReadContext,
  options: SearchOptions,
  kinds: readonly NarrowedKind[],
): Promise<SearchResults> {
  const { mode, withLinks = !options.each } = options
  const request = await searchRequestOf(ctx, options, kinds)
  const ranking = rankingOf(ctx, options)
  const response = await ctx.searchEngine.search(
    withLinks ? request : { ...request, ranked: ranking },
  )
  const pending =
    response.pending === 0 ? 0 : await countPending(ctx, kinds, request.scope.containers ?? [])
  if (mode === 'semantic' && !response.byMeaning)
    return searchByKeyword(ctx, options, kinds, missingMeaning(pending))
  const visible = await visibleIds(
    ctx,
    kinds,
    response.candidates.map((candidate) => candidate.item_id),
  )
  const ranked = withLinks
    ? await rankedWithLinks(ctx, { ...options, ranking }, { kinds, hits: response, visible })
    : await rankedAlone(ctx, request, { ranking, found: response, visible })
  const rows = await visibleAmong(
    ctx,
    kinds,
    ranked.hits.map((hit) => hit.item_id),
  )
  const hits = ranked.hits.flatMap((hit) => itemHit(hit, rows, options.except))
  return {
    countByType: ranked.countByType,
    hits: ranking.texts ? await reranked(ctx, options, hits) : sortHits(hits),
    by: answeredBy(mode, response),
    model: response.model,
    note: searchNoteOf(mode, response, pending),
    pending,
  }
}

async function searchRequestOf(
  ctx: ReadContext,
  { query, mode, after, before, except, each = false, withLinks = !each, limit }: SearchOptions,
  kinds: readonly NarrowedKind[],
): Promise<SearchRequest> {
  const items = await filteredIds(ctx, kinds)
  const scope = omitNullish({
    containers: [...new Set(kinds.flatMap((kind) => kind.containers))],
    types: kinds.map((kind) => kind.kind.kind),
    visible: kinds.map((kind) => kind.visible),
    after,
    before,
    items,
  })
  const organization = ctx.actor.org_id
  return {
    query,
    mode,
    scope,
    organization,
    exceptItem: except,
    isPerText: each,
    limit: limit ?? maxHits,
    links: withLinks,
  }
}

function rankingOf(ctx: ReadContext, options: SearchOptions): Ranking {
  const { limit = maxHits, page, withSnippets = true } = options
  const isPut = isReranked(ctx, options)
  const more = isPut ? rerankedCount : 0 // in another order, others of the best are on the page
  return {
    limit,
    withSnippets,
    page: page && { limit: page.limit + more, after: decodeHitCursor(page.cursor) },
    texts: isPut ? { count: rerankedCount, length: rerankedLength } : undefined,
  }
}

const noHits: RankedHits = { hits: [], countByType: {} }

type Found = Candidates & { id: number; model: string | undefined }

/**
 * Without links, the score of a hit depends only on itself, so the thread ranked all candidates in the same round
 * trip, and invisible ones are dropped. If snippets are limited to one page, or longer passages to the best hits,
 * dropping hits requires a second request.
 */
async function rankedAlone(
  ctx: ReadContext,
  request: SearchRequest,
  { ranking, found, visible: seen }: { ranking: Ranking; found: Found; visible: Set<string> },
): Promise<RankedHits> {
  const visible = found.candidates.filter((candidate) => seen.has(candidate.item_id))
  const isWhole = visible.length === found.candidates.length
  if (isWhole) return found.ranked ?? noHits
  if (!ranking.page && !ranking.texts) {
    const hits = (found.ranked ?? noHits).hits.filter((hit) => seen.has(hit.item_id))
    const types = hits.filter(isRelevant).map((hit) => hit.item_type)
    return { hits, countByType: countByType(types) }
  }
  const allowed = visible.map((candidate) => candidate.id)
  const again = await ctx.searchEngine.search({ ...request, ranked: { ...ranking, allowed } })
  return again.ranked ?? noHits
}

/** Links count only between items that the caller can see, so they are read before ranking. */
async function rankedWithLinks(
  ctx: ReadContext,
  { near = [], each = false, ranking }: SearchOptions & { ranking: Ranking },
  scope: { kinds: readonly NarrowedKind[]; hits: Found; visible: Set<string> },
): Promise<RankedHits> {
  const { hits, visible } = scope
  const candidates = hits.candidates.filter((candidate) => visible.has(candidate.item_id))
  const best = candidates.slice(0, seedCount).map((candidate) => candidate.item_id)
  const links = await linksBetween(ctx, scope, [...near, ...best])
  return ctx.searchEngine.rank(hits.id, {
    ...ranking,
    allowed: each ? candidates.map((candidate) => candidate.id) : [...visible],
    links,
    nearItems: near,
  })
}

/** Links from some items, and the linked items; both ends are visible and match the filters. */
async function linksBetween(
  ctx: ReadContext,
  { kinds, hits, visible }: { kinds: readonly NarrowedKind[]; hits: Found; visible: Set<string> },
  from: readonly string[],
): Promise<Link[]> {
  const starts = new Set(from)
  const links = [
    ...hits.mentions.filter((link) => starts.has(link.from)),
    ...(await linksOf(accessScopeOf(ctx), from)),
  ]
  const others = [...new Set(links.map((link) => link.to))].filter((id) => !visible.has(id))
  for (const id of await visibleIds(ctx, kinds, others)) visible.add(id)
  return links.filter((link) => visible.has(link.to))
}

function itemHit(
  hit: RankedHit,
  rows: ReadonlyMap<string, VisibleRow>,
  except: string | undefined,
): ItemHit[] {
  const row = rows.get(hit.item_id)
  if (!row || hit.item_id === except || !isRelevant(hit)) return []
  const { terms, coverage } = hit.why
  return [{ ...hit, ...row, score: displayScore(hit.score), terms, coverage }]
}

function answeredBy(mode: SearchRequest['mode'], { byMeaning }: Found): SearchResults['by'] {
  if (!byMeaning) return 'words'
  return mode === 'semantic' ? 'meaning' : 'words and meaning'
}

function searchNoteOf(
  mode: SearchRequest['mode'],
  results: Found,
  pending: number,
): string | undefined {
  const notes = [
    mode === 'keyword' || results.byMeaning ? undefined : missingMeaning(pending),
    results.note,
  ].filter((note) => note !== undefined)
  return notes.length === 0 ? undefined : notes.join(' ')
}

const missingMeaning = (pending: number) =>
  pending > 0
    ? 'The semantic index is still being built: keyword results only.'
    : 'No word of the query is in the semantic index: keyword results only.'
