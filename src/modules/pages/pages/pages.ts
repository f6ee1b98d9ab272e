import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { unresolvedMentions } from '../../../kernel/text/mentions.ts'
import { pageOf, paging, secret, shortText, title } from '../../../kernel/fields.ts'
import { equals, applyFilters, filters, since } from '../../../operations/filters.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems, type Order } from '../../../records/paging.ts'
import { denied } from '../../../kernel/refusal.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { label } from '../../labels/access.ts'
import { person } from '../../directory/access.ts'
import { project } from '../../portfolio/access.ts'
import { listedPages, page, pageLabel, isSharedWithActor } from '../access.ts'
import { withLabel } from './access-tree.ts'
import { pageBodyOf, outlineAt } from '../content/bodies.ts'
import { backlinksOf } from '../content/links.ts'
import { baseRevision, mergeWithLaterChanges } from '../content/later-changes.ts'
import { requireHeading, pageSectionOf } from '../content/outline.ts'
import { presentPublication } from '../publications/publications.ts'
import { changeAccess } from './readers.ts'
import { kinds, ListedPage, Page, sharesOf, presentPages, visibilities } from '../shapes.ts'
import { slice } from '../content/slices.ts'
import { createPageWithBody, writeBody } from './creation.ts'

export const scopes = ['organization', 'own', 'shared'] as const
/** Limit of one request; longer pages are built with append_to_page. */
const maxBodyLength = 10_000_000

export const bodyField = () =>
  secret(z.string().max(maxBodyLength).describe('markdown, stored verbatim'))

const orders: Record<'title' | 'updated_at' | 'created_at', Order[]> = {
  title: [
    { by: 'pages.title_folded', as: 'title_folded', dir: 'asc' },
    { by: 'pages.id', as: 'id', dir: 'asc' },
  ],
  updated_at: [
    { by: 'pages.updated_at', as: 'updated_at', dir: 'desc' },
    { by: 'pages.id', as: 'id', dir: 'desc' },
  ],
  created_at: [
    { by: 'pages.created_at', as: 'created_at', dir: 'desc' },
    { by: 'pages.id', as: 'id', dir: 'desc' },
  ],
}

const pageFilters = filters('pages', {
  parent: equals('pages.parent_id', page.see.maybe.describe('only pages directly below this one')),
  project: equals('pages.project_id', project.see.maybe),
  labels: {
    input: label.see.many.maybe.named('label_id').describe('pages with all of these'),
    where: (query, ids) => ids.reduce(withLabel, query),
  },
  creator: equals('pages.created_by', person.see.maybe.named('created_by')),
  scope: {
    input: z.enum(scopes).optional(),
    where: (query, scope, ctx) => inScope(ctx, query, scope),
  },
  kind: equals('pages.kind', z.enum(kinds).optional()),
  updated_after: since('pages.updated_at'),
})

export const listPages = operation({
  name: 'list_pages',
  searchHint: 'wiki pages, documents, docs, notes, recently changed pages',
  kind: 'read',
  rest: 'GET /api/pages',
  about: 'Your pages, pages shared with you and organization pages, without bodies',
  on: pageFilters.on,
  input: {
    ...pageFilters.input,
    trashed: z.boolean().default(false).describe('pages in the trash that you can restore'),
    sort: z
      .enum(['title', 'updated_at', 'created_at'])
      .default('updated_at')
      .describe('titles from A, latest times first'),
    ...paging,
  },
  output: pageOf(ListedPage),
  async handle({ trashed, sort, limit, cursor, ...filter }, ctx) {
    const pages = trashed ? page.restorable(ctx) : listedPages(ctx)
    const query = await applyFilters(ctx, pages, pageFilters, filter)
    const rows = await paged(query.selectAll('pages'), orders[sort], { limit, cursor })
    return pageWithItems(rows, await presentPages(ctx, rows.items))
  },
})

/** Pages of a scope: the organization's, the caller's own, or those that others share with the caller. */
export function inScope(
  ctx: ReadContext,
  pages: Scoped<'pages'>,
  scope: (typeof scopes)[number] | undefined,
): Scoped<'pages'> {
  if (scope === 'organization') return pages.where('pages.visibility', '=', 'organization')
  if (scope === 'own') return pages.where('pages.owner_id', '=', ctx.actor.id)
  return scope === 'shared'
    ? pages.where('pages.owner_id', '<>', ctx.actor.id).where(isSharedWithActor(ctx))
    : pages
}

export const getPage = operation({
  name: 'get_page',
  searchHint: 'read a page, open a doc, show the wiki page',
  kind: 'read',
  rest: 'GET /api/pages/{page_id}',
  about: 'One page as markdown, or one section of it, with outline, revision, shares and backlinks',
  on: { page: page.see },
  input: {
    section: shortText(1000)
      .optional()
      .describe('a heading, its anchor, or a path of headings such as "Setup > Linux"'),
    outline_only: z.boolean().default(false).describe('only headings'),
    max_chars: z.int().min(1).max(maxBodyLength).optional(),
    offset: z
      .int()
      .min(0)
      .default(0)
      .describe('characters to skip: next_offset of the previous result'),
  },
  output: Page,
  async handle({ page: row, section, outline_only, max_chars, offset }, ctx) {
    const fullBody = await pageBodyOf(ctx, row)
    const outline = outlineAt(row, fullBody)
    const headingIndex = section === undefined ? undefined : requireHeading(outline, section)
    const { start, end } =
      headingIndex === undefined
        ? { start: 0, end: fullBody.length }
        : pageSectionOf(outline, headingIndex, fullBody.length)
    const part = outline_only ? {} : slice(fullBody, start, end, offset, max_chars)
    const sectionHeadings = outline.filter(
      (heading) => heading.start >= start && heading.start < end,
    )
    const publication = await presentPublication(ctx, row)
    const [shape] = await presentPages(ctx, [row])
    return omitNullish({
      ...shape!,
      shares: await sharesOf(ctx, row),
      outline: sectionHeadings.map(({ level, heading, anchor }) => ({ level, heading, anchor })),
      section: headingIndex === undefined ? undefined : outline[headingIndex]!.heading,
      ...part,
      total_chars: end - start,
      backlinks: await backlinksOf(ctx, row),
      publication,
    })
  },
})

export const createPage = operation({
  name: 'create_page',
  searchHint:
    'write a doc, new wiki page, note, spec, draft an article, write up, document something',
  kind: 'write',
  rest: 'POST /api/pages',
  about: 'Create a page from markdown under a parent; private by default',
  on: { parent: page.see.maybe, project: project.edit.maybe, labels: label.see.many.maybe },
  input: {
    title: title(),
    body_markdown: bodyField().optional(),
    visibility: z
      .enum(visibilities)
      .default('private')
      .describe(
        'private: visible to its owner and people it is shared with, directly or through parent pages',
      ),
    kind: z.enum(['page', 'template', 'runbook']).default('page'),
  },
  output: Page,
  async handle({ parent, project, labels, title: name, body_markdown, visibility, kind }, ctx) {
    const row = await createPageWithBody(ctx, {
      title: name,
      body: body_markdown,
      parent,
      visibility,
      kind,
      project,
      labels,
    })
    return presentPage(ctx, row)
  },
})

export const updatePage = operation({
  name: 'update_page',
  searchHint:
    'rewrite a page, rename a doc, page owner, visible to the whole company, let everyone read it',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/pages/{page_id}',
  about:
    'Change title, icon, labels, visibility or the whole body; rejects a stale revision; use edit_page_section for a part',
  on: {
    page: page.edit,
    added: label.see.many.maybe.named('add_label_ids'),
    removed: label.see.many.maybe.named('remove_label_ids'),
  },
  revision: 'page',
  input: {
    title: title().optional(),
    body_markdown: bodyField().optional(),
    base_revision: baseRevision(),
    icon: shortText(100).nullable().optional().describe('an emoji; null: none'),
    visibility: z.enum(visibilities).optional().describe('set by the owner only'),
  },
  output: Page,
  async handle(
    { page, added = [], removed = [], title: name, body_markdown, base_revision, icon, visibility },
    ctx,
  ) {
    let row = page
    const text =
      body_markdown === undefined
        ? undefined
        : await mergeWithLaterChanges(ctx, row, base_revision, () => body_markdown)
    if (visibility !== undefined && visibility !== row.visibility)
      row = await changeVisibility(ctx, row, visibility)
    if (icon !== undefined) row = await ctx.change('pages', row, { icon })
    await relabel(ctx, row, added, removed)
    if (name !== undefined || text !== undefined)
      row = await writeBody(ctx, row, text ?? (await pageBodyOf(ctx, row)), { title: name })
    return presentPage(ctx, row)
  },
})

async function changeVisibility(
  ctx: WriteContext,
  row: Row<'pages'>,
  visibility: Row<'pages'>['visibility'],
): Promise<Row<'pages'>> {
  if (row.owner_id !== ctx.actor.id) throw denied('Only the page owner can change its visibility.')
  return changeAccess(ctx, row, () => ctx.change('pages', row, { visibility })).then(
    ({ result }) => result,
  )
}

async function relabel(
  ctx: WriteContext,
  row: Row<'pages'>,
  added: readonly Row<'labels'>[],
  removed: readonly Row<'labels'>[],
): Promise<void> {
  if (added.length + removed.length === 0) return
  const currentLinks = await pageLabel.of(ctx, [row.id]).selectAll('page_labels').execute()
  for (const link of currentLinks)
    if (removed.some((item) => item.id === link.label_id)) await ctx.remove('page_labels', link)
  const currentLabelIds = new Set(currentLinks.map((link) => link.label_id))
  for (const item of added)
    if (!currentLabelIds.has(item.id) && !removed.some((other) => other.id === item.id))
      await ctx.add('page_labels', { page_id: row.id, label_id: item.id })
}

/** Reads a page again and presents it as the result of a write. Omits its text, which the caller knows. */
export async function presentPage(
  ctx: ReadContext,
  { id }: Pick<Row<'pages'>, 'id'>,
): Promise<z.infer<typeof Page>> {
  const row = await page.demand(ctx, id, 'see', 'page_id')
  const fullBody = await pageBodyOf(ctx, row)
  const [shape] = await presentPages(ctx, [row])
  return {
    ...shape!,
    shares: await sharesOf(ctx, row),
    outline: outlineAt(row, fullBody).map(({ level, heading, anchor }) => ({
      level,
      heading,
      anchor,
    })),
    total_chars: fullBody.length,
    ...unresolvedMentions(ctx),
  }
}
