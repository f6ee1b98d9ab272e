import { chunks } from '../../../kernel/chunks.ts'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import type { ItemRef, Row } from '../../../records/resource.ts'
import { page, pageLink } from '../access.ts'
import { pagesLinkingTo, pagesTitled } from './access-links.ts'
import { foldTitle } from '../../../kernel/text/order.ts'
import { internalTargetOf, linksIn, linkSpans, type PageLink } from './link-spans.ts'

const maxBacklinks = 100

type Link = Pick<Row<'page_links'>, 'page_id' | 'kind' | 'target_id' | 'title_folded'>

/**
 * Stores the links in a page's current body. A title is bound to the page visible under it to the writer, so that the
 * link survives renaming; without one, readers get the page that later has the title. `targetsByTitle`: the pages that
 * its titles refer to, if the caller knows them.
 */
export async function saveLinks(
  ctx: WriteContext,
  page: Row<'pages'>,
  body: string,
  targetsByTitle: ReadonlyMap<string, Row<'pages'>['id']> = new Map(),
): Promise<void> {
  const storedLinks = await pageLink.of(ctx, [page.id]).selectAll('page_links').execute()
  const linksInBody = linksIn(body, ctx.baseUrl)
  if (storedLinks.length === 0 && linksInBody.length === 0) return
  const next = await bindLinks(ctx, page, linksInBody, [
    ...storedLinks,
    ...[...targetsByTitle].map(
      ([title, id]): Link => ({
        page_id: page.id,
        kind: 'title',
        target_id: id,
        title_folded: title,
      }),
    ),
  ])
  const key = (link: Link) => `${link.target_id} ${link.title_folded}`
  const [old, fresh] = [new Set(storedLinks.map(key)), new Set(next.map(key))]
  for (const row of storedLinks) if (!fresh.has(key(row))) await ctx.remove('page_links', row)
  for (const row of next) if (!old.has(key(row))) await ctx.add('page_links', row)
}

async function bindLinks(
  ctx: ReadContext,
  pageRow: Row<'pages'>,
  wanted: readonly PageLink[],
  knownLinks: readonly Link[],
): Promise<Link[]> {
  const boundTargets = new Map(
    knownLinks
      .filter((row) => row.kind === 'title' && row.target_id !== '')
      .map((row) => [row.title_folded, row.target_id]),
  )
  const visibleTargets = await page.among(ctx, [...boundTargets.values()])
  const unboundTitles = wanted.flatMap((link) =>
    'title' in link && !visibleTargets.has(boundTargets.get(link.title) ?? '') ? [link.title] : [],
  )
  const pagesByTitle = nearestByTitle(pageRow, await pagesTitled(ctx, unboundTitles))
  const all = wanted.map((link): Link => {
    if ('page' in link)
      return { page_id: pageRow.id, kind: 'page', target_id: link.page, title_folded: '' }
    const boundTarget = boundTargets.get(link.title)
    const target =
      boundTarget !== undefined && visibleTargets.has(boundTarget)
        ? boundTarget
        : (pagesByTitle.get(link.title)?.id ?? '')
    return { page_id: pageRow.id, kind: 'title', target_id: target, title_folded: link.title }
  })
  return all.filter((link) => link.target_id !== pageRow.id)
}

/** Chooses between pages with the same title: one below the linking page, one beside it, else the oldest. */
function nearestByTitle(
  page: Pick<Row<'pages'>, 'id' | 'parent_id'>,
  candidates: readonly Row<'pages'>[],
): Map<string, Row<'pages'>> {
  const distance = (row: Row<'pages'>) => {
    if (row.parent_id === page.id) return 0
    return row.parent_id === page.parent_id ? 1 : 2
  }
  const best = new Map<string, Row<'pages'>>()
  for (const row of candidates) {
    const current = best.get(row.title_folded)
    if (!current || distance(row) < distance(current)) best.set(row.title_folded, row)
  }
  return best
}

/** Pages reachable for a reader from the links of these texts, by id or folded title. */
export interface Targets {
  byId: ReadonlyMap<string, Row<'pages'>>
  /** Resolves a wiki link of a page. */
  pageByTitle(from: Row<'pages'>, title: string): Row<'pages'> | undefined
}

/** Link targets of pages, as the reader sees them. `bodies`: their texts, by page id. */
export async function targetsOf(
  ctx: ReadContext,
  rows: readonly Row<'pages'>[],
  bodies: ReadonlyMap<string, string>,
): Promise<Targets> {
  const stored = rows.length === 0 ? [] : await linksOf(ctx, rows)
  const internalTargets = rows.flatMap((row) =>
    linkSpans(bodies.get(row.id) ?? '').map((link) => internalTargetOf(link, ctx.baseUrl)),
  )
  const ids = internalTargets.flatMap((to) => (to && 'page' in to ? [to.page] : []))
  const byId = await visiblePagesById(ctx, [
    ...ids,
    ...stored.map((link) => link.target_id).filter((id) => id !== ''),
  ])
  const boundTo = new Map(
    stored
      .filter((link) => link.kind === 'title' && byId.has(link.target_id))
      .map((link) => [`${link.page_id} ${link.title_folded}`, byId.get(link.target_id)!]),
  )
  const titles = internalTargets.flatMap((to) =>
    to && 'title' in to ? [foldTitle(to.title.split('/').at(-1)!)] : [],
  )
  const pagesByTitle = Map.groupBy(await pagesTitled(ctx, titles), (row) => row.title_folded)
  const pageByTitle = (from: Row<'pages'>, title: string) => {
    const folded = foldTitle(title)
    const last = foldTitle(title.split('/').at(-1)!)
    return (
      boundTo.get(`${from.id} ${folded}`) ??
      nearestByTitle(from, pagesByTitle.get(last) ?? []).get(last)
    )
  }
  return { byId, pageByTitle }
}

async function linksOf(
  ctx: ReadContext,
  rows: readonly Row<'pages'>[],
): Promise<Row<'page_links'>[]> {
  const linkRows: Row<'page_links'>[] = []
  for (const batch of chunks(rows, 500))
    linkRows.push(
      ...(await pageLink
        .of(
          ctx,
          batch.map((row) => row.id),
        )
        .selectAll('page_links')
        .execute()),
    )
  return linkRows
}

async function visiblePagesById(
  ctx: ReadContext,
  ids: readonly string[],
): Promise<Map<string, Row<'pages'>>> {
  const all = [...new Set(ids)]
  const pagesById = new Map<string, Row<'pages'>>()
  for (const batch of chunks(all, 500))
    for (const [id, row] of await page.among(ctx, batch)) pagesById.set(id, row)
  return pagesById
}

/** Visible pages that link to a page; at most a hundred. */
export async function backlinksOf(ctx: ReadContext, pageRow: Row<'pages'>): Promise<ItemRef[]> {
  const linkingPages = await pagesLinkingTo(ctx, pageRow, maxBacklinks)
  return linkingPages.map((row) => page.ref(row, ctx.baseUrl))
}
