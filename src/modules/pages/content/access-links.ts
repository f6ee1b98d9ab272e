import type { ReadContext } from '../../../operations/context.ts'
import { accessScopeOf } from '../../../records/access-scope.ts'
import type { Row } from '../../../records/resource.ts'
import { page } from '../access.ts'
import { compareText } from '../../../kernel/text/order.ts'

/** Maximum links checked for a list of backlinks, and maximum pages with the same title for resolving a link. */
const maxLinks = 1000
const maxNamesakes = 50

/** Visible pages that link to a page, by title. */
export async function pagesLinkingTo(
  ctx: ReadContext,
  to: Row<'pages'>,
  limit: number,
): Promise<Row<'pages'>[]> {
  const { all } = accessScopeOf(ctx)
  const links = all
    .selectFrom('page_links')
    .select('page_id')
    .where('org_id', '=', to.org_id)
    .where('page_id', '<>', to.id)
  const byId = await links.where('target_id', '=', to.id).limit(maxLinks).execute()
  const byTitle = await links
    .where('title_folded', '=', to.title_folded)
    .where('target_id', '=', '')
    .limit(maxLinks)
    .execute()
  const seen = await page.among(
    ctx,
    [...byId, ...byTitle].map((row) => row.page_id),
  )
  return [...seen.values()]
    .sort((a, b) => compareText(a.title_folded, b.title_folded) || compareText(a.id, b.id))
    .slice(0, limit)
}

/** Visible pages with these (folded) titles, oldest first. */
export async function pagesTitled(
  ctx: ReadContext,
  titles: readonly string[],
): Promise<Row<'pages'>[]> {
  const titledPages: Row<'pages'>[] = []
  for (const title of new Set(titles)) {
    const rows = await page
      .visibleTo(ctx)
      .selectAll('pages')
      .where('pages.org_id', '=', ctx.actor.org_id)
      .where('pages.title_folded', '=', title)
      .orderBy('pages.id')
      .limit(maxNamesakes)
      .execute()
    titledPages.push(...rows)
  }
  return titledPages
}
