import { sql } from 'kysely'
import { NoThread } from '../search/engine.ts'
import { linksOf } from '../search/links.ts'
import { queryOf, shownScore, standsOut } from '../search/ranking.ts'
import type { Link, Look, Place, Ranked } from '../search/protocol.ts'
import { contentStems, rangesOf, snippet, stemsOf, termsOf } from '../search/text.ts'
import type { ReadContext } from './context.ts'
import type { FindFilter, Findable } from '../search/findable.ts'
import { itemsMatching, placeOf, textsFound } from '../search/hits.ts'
import type { PageRequest } from '../records/paging.ts'
import { invalid } from '../kernel/refusal.ts'
import type { ItemTable, Row, Scoped } from '../records/resource.ts'
import { sightOf, type Viewer } from '../records/access-scope.ts'

/** Hits that are ranked in full: what is behind them is not shown. */
const mostRanked = 150
/** The best hits, whose links bring others. */
const seeds = 10
/** Texts waiting to be understood that are looked at, and items that are counted of them. */
const mostLookedAt = 10_000
const mostWaiting = 500
/** Items that a filter may name; of more, each hit is held against the filter afterwards. */
const mostNarrowed = 20_000

export interface Finding {
  /** What to find, or a text to which others are to be like. */
  query: string
  mode: Look['mode']
  kinds: readonly Findable[]
  filter?: FindFilter
  /** Items that alone may be found, by a further condition on each kind. */
  only?: ReadonlyMap<string, (rows: Scoped<ItemTable>) => Scoped<ItemTable>>
  after?: number | undefined
  before?: number | undefined
  /** Items that lend to their neighbours as the best hit does. */
  near?: readonly string[]
  /** An item that is not to be found itself. */
  except?: string
  /** Whether each text is found by itself (the lines of a transcript). */
  each?: boolean
  /** Whether links bring items; the rule. */
  withLinks?: boolean
  most?: number
  /** The page that is shown: hits beyond it get no snippet. Without it all of them do. */
  page?: PageRequest
}

export interface Found {
  hits: FoundHit[]
  /** What answered. */
  by: 'words' | 'words and meaning' | 'meaning'
  /** Whose vectors, where meaning did: those of this program (static-256), or the model of a provider. */
  model?: string | undefined
  /** Why not all of it did, in words. */
  note: string | undefined
  /** Items that the caller sees whose texts wait to be understood; of very many not all are counted. */
  pending: number
}

/** An item that was found, with its row. */
export interface FoundHit
  extends SeenRow,
    Pick<
      Ranked,
      | 'id'
      | 'by'
      | 'via'
      | 'part'
      | 'ref'
      | 'start'
      | 'nearness'
      | 'above'
      | 'snippet'
      | 'ranges'
      | 'at'
    > {
  /** 0 to 1, comparable across kinds and searches. */
  score: number
  /** Words of the query that are in it. */
  terms: string[]
  /** How much of the query is in it, 0 to 1. */
  coverage: number
}

/**
 * Searches by words, meaning and links. What the caller may not see is neither shown nor lends anything to what is. Where the thread of
 * search does not answer, or inside of a write, words alone do, and the answer says so.
 * @throws Refusal where there is no word in the query
 */
export async function findItems(ctx: ReadContext, finding: Finding): Promise<Found> {
  if (termsOf(finding.query).any.length === 0)
    throw invalid('query', 'the query contains no searchable words.')
  const kinds = await narrowed(ctx, finding)
  if (kinds.length === 0) return { hits: [], by: 'words', note: undefined, pending: 0 }
  if ('add' in ctx)
    return byWords(ctx, finding, kinds, 'Within a change only keyword search is possible.')
  try {
    return await byAll(ctx, finding, kinds)
  } catch (error) {
    if (!(error instanceof NoThread)) throw error
    return byWords(ctx, finding, kinds, 'The semantic index is temporarily unavailable.')
  }
}

/** A kind with what the filters leave of it. */
interface Narrowed {
  of: Findable
  containers: readonly string[]
  place: Place
  /** The items that the filters let through; undefined: there are none. */
  narrow: ((rows: Scoped<ItemTable>) => Scoped<ItemTable>) | undefined
}

async function narrowed(
  ctx: ReadContext,
  { kinds, filter = {}, only }: Finding,
): Promise<Narrowed[]> {
  const isFiltered = Object.values(filter).some((one) => one !== undefined)
  const found: Narrowed[] = []
  for (const of of kinds) {
    const further = only?.get(of.kind)
    if (isFiltered && !(await of.narrow?.(ctx, of.resource.seen(ctx), filter))) continue
    const narrow =
      isFiltered || further
        ? (rows: Scoped<ItemTable>) =>
            (further ?? ((one) => one))(isFiltered ? of.narrow!(ctx, rows, filter)! : rows)
        : undefined
    const { containers, place } = await groundOf(ctx, of)
    if (containers.length > 0) found.push({ of, containers, place, narrow })
  }
  return found
}

/** All containers in which texts of a kind lie that the caller may find, and which of those they see as a whole. */
export async function groundOf(
  ctx: ReadContext,
  of: Findable,
): Promise<{ containers: readonly string[]; place: Place }> {
  const whole = await of.containers(ctx)
  const elsewhere = (await of.elsewhere?.(ctx)) ?? []
  return {
    containers: [...new Set([...whole, ...elsewhere.map((one) => one.container)])],
    place: { type: of.kind, containers: whole, items: elsewhere.map((one) => one.id) },
  }
}

async function byAll(
  ctx: ReadContext,
  finding: Finding,
  kinds: readonly Narrowed[],
): Promise<Found> {
  const {
    query,
    mode,
    after,
    before,
    near = [],
    except,
    each = false,
    withLinks = !finding.each,
    most = mostRanked,
    page,
  } = finding
  const items = await itemsOf(ctx, kinds)
  const scope = {
    containers: [...new Set(kinds.flatMap((one) => one.containers))],
    types: kinds.map((one) => one.of.kind),
    places: kinds.map((one) => one.place),
    after,
    before,
    ...(items ? { items } : {}),
  }
  const looked = await ctx.searchEngine.look({
    text: query,
    mode,
    scope,
    except,
    each,
    most,
    links: withLinks,
  })
  const pending = looked.pending === 0 ? 0 : await waitingOf(ctx, kinds, scope.containers)
  if (mode === 'semantic' && !looked.byMeaning)
    return byWords(ctx, finding, kinds, noMeaning(pending))
  const rows = await seenAmong(
    ctx,
    kinds,
    looked.candidates.map((one) => one.item_id),
  )
  const best = looked.candidates
    .filter((one) => rows.has(one.item_id))
    .slice(0, seeds)
    .map((one) => one.item_id)
  const links = withLinks
    ? await linksBetween(ctx, kinds, rows, [...near, ...best], looked.mentions)
    : []
  const allowed = each
    ? looked.candidates.filter((one) => rows.has(one.item_id)).map((one) => one.id)
    : [...rows.keys()]
  const ranked = await ctx.searchEngine.rank(looked.id, {
    allowed,
    links,
    near,
    most,
    page: page && { limit: page.limit, behind: placeOf(page.cursor) },
  })
  const note =
    [mode === 'keyword' || looked.byMeaning ? undefined : noMeaning(pending), looked.bound]
      .filter((one) => one !== undefined)
      .join(' ') || undefined
  const hits = ranked.flatMap((one) => {
    const row = rows.get(one.item_id)
    return row && one.item_id !== except && standsOut(one)
      ? [
          {
            ...one,
            ...row,
            score: shownScore(one.score),
            terms: one.why.terms,
            coverage: one.why.coverage,
          },
        ]
      : []
  })
  return {
    hits: inOrder(hits),
    by: !looked.byMeaning ? 'words' : mode === 'semantic' ? 'meaning' : 'words and meaning',
    model: looked.model,
    note,
    pending,
  }
}

/** In a container may lie more than the caller sees, so each item that waits is held against their sight. */
async function waitingOf(
  ctx: Viewer,
  kinds: readonly Narrowed[],
  containers: readonly string[],
): Promise<number> {
  const inside = new Set(containers)
  const due = await sightOf(ctx)
    .all.selectFrom('search_todo')
    .innerJoin('search_docs', 'search_docs.rowid_', 'search_todo.doc')
    .select(['search_docs.item_id', 'search_docs.container'])
    .limit(mostLookedAt)
    .execute()
  const ids = new Set(due.filter((one) => inside.has(one.container)).map((one) => one.item_id))
  return (await seenAmong(ctx, kinds, [...ids].slice(0, mostWaiting))).size
}

const noMeaning = (pending: number) =>
  pending > 0
    ? 'The semantic index is still being built: keyword results only.'
    : 'No word of the query is in the semantic index: keyword results only.'

/** As pageOfHits counts on it. */
function inOrder(hits: FoundHit[]): FoundHit[] {
  return hits.sort((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1))
}

/** From these on a hit is like what was looked for: a third of its words, or well nearer than the rest. */
const alike = { coverage: 0.34, nearness: 0.12, above: 1.5 } as const

/** Whether a hit has to do with what was looked for, and is not only the next best. */
export function isLike({
  coverage,
  nearness,
  above,
}: Pick<FoundHit, 'coverage' | 'nearness' | 'above'>): boolean {
  return coverage >= alike.coverage || (nearness >= alike.nearness && above >= alike.above)
}

/** What an item that was seen is linked with by its own tables. What it leads to is for the caller's sight to be held against. */
export function linksFrom(from: Viewer, ids: readonly string[]): Promise<Link[]> {
  return linksOf(sightOf(from), ids)
}

/** The beginning of the text of an item that was seen, to find others that are like it. */
export async function textOf(from: Viewer, id: string, most = 2000): Promise<string> {
  const rows = await sightOf(from)
    .all.selectFrom('search_docs')
    .select(['title', 'body'])
    .where('item_id', '=', id)
    .orderBy('part', 'desc')
    .orderBy('rowid_')
    .limit(20)
    .execute()
  return rows
    .map((row) => `${row.title}\n${row.body.slice(0, most)}`)
    .join('\n')
    .slice(0, most)
    .toWellFormed()
}

/** Links among the best hits and what they bring; both ends are seen, and pass the filters. */
async function linksBetween(
  ctx: ReadContext,
  kinds: readonly Narrowed[],
  rows: Map<string, SeenRow>,
  from: readonly string[],
  mentions: readonly Link[],
): Promise<Link[]> {
  const starts = new Set(from)
  const links = [
    ...mentions.filter((one) => starts.has(one.from)),
    ...(await linksOf(sightOf(ctx), from)),
  ]
  const others = [...new Set(links.map((one) => one.to))].filter((id) => !rows.has(id))
  for (const [id, row] of await seenAmong(ctx, kinds, others)) rows.set(id, row)
  return links.filter((one) => rows.has(one.to))
}

interface SeenRow {
  found: Findable
  row: Row<ItemTable> & { id: string }
}

/** Those of some items that the caller may see and the filters let through. */
async function seenAmong(
  ctx: Viewer,
  kinds: readonly Narrowed[],
  ids: readonly string[],
): Promise<Map<string, SeenRow>> {
  const seen = new Map<string, SeenRow>()
  for (const { of, narrow } of kinds) {
    const own = ids.filter((id) => id.startsWith(`${of.resource.definition.prefix}_`))
    if (own.length === 0) continue
    const query = of.resource.seen(ctx).where(sql.ref(`${of.resource.table}.id`), 'in', own)
    const rows = (await (narrow?.(query) ?? query)
      .selectAll(of.resource.table)
      .execute()) as unknown as SeenRow['row'][]
    for (const row of rows) seen.set(row.id, { found: of, row })
  }
  return seen
}

/** The ids of all items that the filters leave, where they are few enough to name. */
async function itemsOf(ctx: Viewer, kinds: readonly Narrowed[]): Promise<string[] | undefined> {
  if (kinds.every((one) => one.narrow === undefined)) return undefined
  const items: string[] = []
  for (const { of, narrow } of kinds) {
    if (!narrow) return undefined
    const rows = await narrow(of.resource.seen(ctx))
      .select(sql<string>`${sql.ref(`${of.resource.table}.id`)}`.as('id'))
      .limit(mostNarrowed + 1)
      .execute()
    items.push(...rows.map((row) => row.id))
    if (items.length > mostNarrowed) return undefined
  }
  return items
}

async function byWords(
  ctx: ReadContext,
  finding: Finding,
  kinds: readonly Narrowed[],
  note: string,
): Promise<Found> {
  const {
    query,
    except,
    each = false,
    most = mostRanked,
    after = -Infinity,
    before = Infinity,
  } = finding
  const stems = contentStems(query)
  const { words } = queryOf(query)
  const hits: FoundHit[] = []
  for (const { of, containers, narrow } of kinds) {
    const found = (
      await itemsMatching(ctx, query, { resource: of.resource, type: of.kind, containers, narrow })
    )
      .filter((one) => one.id !== except)
      .slice(0, most)
    const rows = await of.resource.among(
      ctx,
      found.map((one) => one.id),
    )
    const texts = found.flatMap((one) => (each ? one.texts : one.texts.slice(0, 1)))
    const docs = await textsFound(ctx, texts)
    const best = texts.reduce((most, one) => Math.max(most, one.score), 0)
    for (const { item_id, rowid_, score } of texts) {
      const [row, doc] = [rows.get(item_id), docs.get(rowid_)]
      if (!row || !doc || doc.at < after || doc.at > before) continue
      const shown = snippet(doc.body || doc.title, stems)
      const has = [...new Set(stemsOf(`${doc.title} ${shown}`))].filter((one) => stems.has(one))
      hits.push({
        id: each ? doc.ref : item_id,
        found: of,
        row: row as SeenRow['row'],
        score: best > 0 ? Math.round((score / best) * 1e6) / 1e6 : 1,
        by: ['keyword'],
        via: [],
        terms: has.map((one) => words.get(one) ?? one),
        part: doc.part,
        ref: doc.ref,
        start: undefined,
        nearness: 0,
        above: 0,
        coverage: has.length / stems.size,
        snippet: shown,
        ranges: rangesOf(shown, stems),
        at: doc.at,
      })
    }
  }
  return { hits: inOrder(hits).slice(0, most), by: 'words', note, pending: 0 }
}
