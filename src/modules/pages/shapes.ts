import { shape } from '../../kernel/shape.ts'
import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { datetimeString, unresolvedMentionsField } from '../../kernel/fields.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Row } from '../../records/resource.ts'
import { iso } from '../../kernel/time/times.ts'
import { labelsByItem } from '../labels/shapes.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { common, commonOf, ItemRef, ReaderChange, Ref } from '../../records/shapes.ts'
import { project } from '../portfolio/access.ts'
import { projectRef } from '../portfolio/shapes.ts'
import {
  page,
  pageComment,
  pageLabel,
  pageShare,
  rolesOn,
  shareRoles,
  type PageRole,
} from './access.ts'
import { pagesAbove, pathToRoot } from './pages/access-tree.ts'
import { Publication } from './publications/shapes.ts'

/** Re-exported for other modules. */
export { changeAccess as readersChanging } from './pages/readers.ts'
export { htmlOf } from './rendering/renderer.ts'
export { variablesIn } from './templates/variables.ts'

export const kinds = ['page', 'template', 'postmortem', 'runbook', 'meeting_notes'] as const
export const visibilities = ['private', 'organization'] as const

export const Share = shape('PageShare', {
  ...common,
  on: ItemRef,
  kind: z.enum(['person', 'link']),
  person: Ref.optional(),
  role: z.enum(shareRoles),
  note: z.string().optional(),
  has_password: z.boolean(),
  inherited_from: ItemRef.optional(),
})

const pageFields = {
  ...common,
  title: z.string(),
  icon: z.string().optional(),
  kind: z.enum(kinds),
  parent: Ref.optional(),
  breadcrumb: z.array(Ref).describe('ancestor pages you can see, outermost first'),
  visibility: z.enum(visibilities),
  project: Ref.optional(),
  owner: Ref,
  labels: z.array(Ref),
  my_role: z.enum([...shareRoles, 'owner']),
}

/** A page in lists: without its text and context. */
export const ListedPage = shape('ListedPage', pageFields)

const OutlineEntry = shape('OutlineEntry', {
  level: z.int(),
  heading: z.string(),
  anchor: z.string(),
})

/** One page, with the fields that an operation adds to its result. */
export const Page = shape('Page', {
  ...pageFields,
  shares: z.array(Share).optional(),
  outline: z.array(OutlineEntry).optional(),
  body_markdown: z.string().optional(),
  section: z.string().optional().describe('the heading of the section in body_markdown'),
  offset: z.int().optional(),
  total_chars: z.int().optional().describe('of the whole text or the requested section'),
  next_offset: z.int().optional().describe('where to continue'),
  backlinks: z.array(ItemRef).optional(),
  publication: Publication.optional(),
  /** People who gained or lost access; only in results of move_page. */
  readers: ReaderChange.optional(),
  warnings: z.array(z.string()).optional(),
  unresolved_mentions: unresolvedMentionsField(),
  dry_run: z.boolean().optional(),
})

export const PageEdit = shape('PageEdit', {
  page: Ref,
  revision: z.int(),
  diff: z.string(),
  matches: z.int(),
  dry_run: z.boolean(),
  unresolved_mentions: unresolvedMentionsField(),
  undo_call_id: z.string().optional(),
})

export const PageVersion = shape('PageVersion', {
  id: z.string(),
  page: Ref,
  number: z.int(),
  title: z.string(),
  author: Ref,
  authors: z.array(Ref).optional().describe('everyone who wrote it live, most active first'),
  via: z.enum(['web', 'api', 'mcp', 'automation', 'sync', 'cli']),
  key_name: z.string().optional(),
  created_at: datetimeString(),
  chars_changed: z.int(),
  total_chars: z.int(),
  current: z.boolean(),
  body_markdown: z.string().optional(),
  diff: z.string().optional(),
  url: z.string(),
})

export const Comment = shape('PageComment', {
  ...common,
  body_markdown: z.string(),
  author: Ref,
  on: ItemRef,
  reply_to: z.string().optional(),
  quote: z.string().optional().describe('the passage it refers to'),
  anchor: z.enum(['found', 'lost']).optional().describe('whether the passage is still in the text'),
  quote_offset: z.int().optional().describe('where the passage begins now'),
  resolved: z.boolean(),
  resolved_by: Ref.optional(),
  resolved_at: datetimeString().optional(),
  mentions: z.array(Ref),
  unresolved_mentions: unresolvedMentionsField(),
})

export type ListedPageShape = z.infer<typeof ListedPage>

export function pageRef(row: Pick<Row<'pages'>, 'id' | 'title'>): Ref {
  return { id: row.id, title: row.title }
}

/** Pages for lists. The rows are already visible. */
export async function presentPages(
  ctx: ReadContext,
  rows: readonly Row<'pages'>[],
): Promise<ListedPageShape[]> {
  if (rows.length === 0) return []
  const people = await peopleRefs(
    ctx,
    rows.flatMap((row) => [row.owner_id, row.created_by]),
  )
  const projects = await project.among(
    ctx,
    rows.flatMap((row) => row.project_id ?? []),
  )
  const labels = await labelsByPage(
    ctx,
    rows.map((row) => row.id),
  )
  const breadcrumbs = await breadcrumbsOf(ctx, rows)
  const roles = await rolesOn(ctx, rows)
  return rows.map((row) => {
    const breadcrumb = breadcrumbs.get(row.id)!
    const parent = breadcrumb.at(-1)
    const projectRow = row.project_id === null ? undefined : projects.get(row.project_id)
    return omitNullish({
      ...commonOf(row, page.url(row, ctx.baseUrl), people),
      title: row.title,
      icon: row.icon,
      kind: row.kind,
      parent: parent && parent.id === row.parent_id ? parent : undefined,
      breadcrumb,
      visibility: row.visibility,
      project: projectRow ? projectRef(projectRow) : undefined,
      owner: people.get(row.owner_id) ?? { id: row.owner_id, title: '' },
      labels: labels.get(row.id) ?? [],
      my_role: roles.get(row.id) as PageRole,
    })
  })
}

/** The visible ancestors of each page, outermost first. */
async function breadcrumbsOf(
  ctx: ReadContext,
  rows: readonly Row<'pages'>[],
): Promise<Map<string, Ref[]>> {
  const parents = [...new Set(rows.flatMap((row) => row.parent_id ?? []))]
  const nodes = await pagesAbove(ctx, parents)
  const visible = await page.among(ctx, [...nodes.keys()])
  return new Map(
    rows.map((row) => [
      row.id,
      pathToRoot(nodes, row.parent_id)
        .reverse()
        .flatMap((node) => (visible.has(node.id) ? [pageRef(node)] : [])),
    ]),
  )
}

async function labelsByPage(
  ctx: ReadContext,
  ids: readonly Id<'pages'>[],
): Promise<Map<string, Ref[]>> {
  const labelLinks = await pageLabel
    .of(ctx, ids)
    .select(['page_labels.page_id as item', 'page_labels.label_id'])
    .orderBy('page_labels.added_at')
    .orderBy('page_labels.label_id')
    .execute()
  return labelsByItem(ctx, labelLinks)
}

/** A page's direct shares, and those of its ancestors that the reader can see. */
export async function sharesOf(
  ctx: ReadContext,
  row: Row<'pages'>,
): Promise<z.infer<typeof Share>[]> {
  const ancestors = await page.among(ctx, [...(await pagesAbove(ctx, [row.id])).keys()])
  const shares = await pageShare
    .of(ctx, [row.id, ...[...ancestors.values()].map((item) => item.id)])
    .selectAll('page_shares')
    .orderBy('page_shares.id')
    .execute()
  return presentShares(ctx, row, shares, ancestors)
}

export async function presentShares(
  ctx: ReadContext,
  pageRow: Row<'pages'>,
  shares: readonly Row<'page_shares'>[],
  ancestors: ReadonlyMap<string, Row<'pages'>> = new Map(),
): Promise<z.infer<typeof Share>[]> {
  const people = await peopleRefs(
    ctx,
    shares.flatMap((share) => [share.person_id, share.created_by]),
  )
  return shares.map((share) => {
    const from = share.page_id === pageRow.id ? undefined : ancestors.get(share.page_id)
    return omitNullish({
      ...commonOf(share, page.url(pageRow, ctx.baseUrl), people),
      on: page.ref(pageRow, ctx.baseUrl),
      kind: 'person',
      person: people.get(share.person_id) ?? { id: share.person_id, title: '' },
      role: share.role,
      note:
        share.note !== null &&
        (share.person_id === ctx.actor.id || share.created_by === ctx.actor.id)
          ? share.note
          : undefined,
      has_password: false,
      inherited_from: from ? page.ref(from, ctx.baseUrl) : undefined,
    })
  })
}

/** Current position of each comment's quoted passage in the text; undefined if it no longer occurs. */
export type Places = ReadonlyMap<string, number | undefined>

/** Comments of a visible page; `threads` has the comments that start their threads, by id. */
export async function presentComments(
  ctx: ReadContext,
  pageRow: Row<'pages'>,
  rows: readonly Row<'page_comments'>[],
  threadStarts: ReadonlyMap<string, Row<'page_comments'>>,
  places: Places,
): Promise<z.infer<typeof Comment>[]> {
  const mentions = new Map(rows.map((row) => [row.id, JSON.parse(row.mentions_json) as string[]]))
  const threadStartOf = (row: Row<'page_comments'>) =>
    row.reply_to_id === null ? row : (threadStarts.get(row.reply_to_id) ?? row)
  const people = await peopleRefs(
    ctx,
    rows.flatMap((row) => [
      row.created_by,
      threadStartOf(row).resolved_by,
      ...mentions.get(row.id)!,
    ]),
  )
  return rows.map((row) => {
    const { resolved, resolved_by, resolved_at } = threadStartOf(row)
    const resolver = people.get(resolved_by ?? '')
    const place = places.get(row.id)
    return omitNullish({
      ...commonOf(row, pageComment.url(row, ctx.baseUrl), people),
      body_markdown: row.body_markdown,
      author: people.get(row.created_by) ?? { id: row.created_by, title: '' },
      on: page.ref(pageRow, ctx.baseUrl),
      reply_to: row.reply_to_id,
      ...(row.quote === null
        ? {}
        : { quote: row.quote, anchor: place === undefined ? 'lost' : 'found' }),
      quote_offset: place,
      resolved: resolved === 1,
      resolved_by: resolver,
      resolved_at: resolved_at === null ? undefined : iso(resolved_at),
      mentions: mentions.get(row.id)!.flatMap((id) => people.get(id) ?? []),
    })
  })
}
