import { omitUndefined, omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { freeObject, paging, pageOf, title } from '../../kernel/fields.ts'
import { operation } from '../../operations/operation.ts'
import { paged, pageWithItems, type PageOf } from '../../records/paging.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Row } from '../../records/resource.ts'
import { deletedRef } from '../directory/shapes.ts'
import { DeletedRef, type ItemRef } from '../../records/shapes.ts'
import { project } from '../portfolio/access.ts'
import { savedView } from './access.ts'
import {
  checkView,
  viewColumns,
  groupOf,
  listArguments,
  requireListOperation,
  type ViewQuery,
} from './lists.ts'
import { itemTypes, layouts, SavedView, presentViews, storedFilter, ViewItem } from './shapes.ts'

const sortText = () =>
  z
    .string()
    .regex(/^-?[a-z_]{1,40}$/, 'must be a field, prefixed with - for descending')
    .describe('sort field; -due_at is descending')
const fieldName = () => z.string().regex(/^[a-z_]{1,40}$/, 'must be a field name')
/** Display settings of an app, in its own words: they do not affect which items are listed. */
const displayInput = () =>
  z
    .record(z.string().regex(/^[a-z_]{1,40}$/, 'must be a word'), z.string().max(2000))
    .refine((words) => Object.keys(words).length <= 20, 'takes at most 20 words')
    .describe('how the web app shows it, in words of its address: {"closed": "true"}')
const columnList = () => z.array(fieldName()).max(30).describe('fields to show for each item')

export const listSavedViews = operation({
  name: 'list_saved_views',
  searchHint: 'my filters, smart lists, boards, dashboards',
  kind: 'read',
  rest: 'GET /api/views',
  about:
    'Your saved views and shared ones: tasks, emails, contacts, deals, incidents, pages or searches',
  on: { project: project.see.maybe },
  input: { item_type: z.enum(itemTypes).optional(), shared: z.boolean().optional(), ...paging },
  output: pageOf(SavedView),
  async handle({ project, item_type, shared, limit, cursor }, ctx) {
    let query = savedView.visibleTo(ctx).selectAll('saved_views')
    if (project) query = query.where('saved_views.project_id', '=', project.id)
    if (item_type) query = query.where('saved_views.item_type', '=', item_type)
    if (shared !== undefined) query = query.where('saved_views.shared', '=', shared ? 1 : 0)
    const page = await paged(
      query,
      [
        { by: 'saved_views.name', as: 'name', dir: 'asc' },
        { by: 'saved_views.id', as: 'id', dir: 'asc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await presentViews(ctx, page.items))
  },
})

export const createSavedView = operation({
  name: 'create_saved_view',
  searchHint: 'save this filter, keep a search, smart list, new board view, custom list',
  kind: 'write',
  rest: 'POST /api/views',
  about: 'Save a filter with sort order and grouping',
  on: { project: project.see.maybe },
  input: {
    name: title(),
    item_type: z.enum(itemTypes),
    filter: freeObject().describe(
      'arguments of the matching list tool, such as list_tasks; for search, of search_workspace',
    ),
    sort: sortText().optional(),
    group_by: fieldName().optional().describe('a field of these items'),
    columns: columnList().optional(),
    layout: z.enum(layouts).optional(),
    display: displayInput().optional(),
    shared: z
      .boolean()
      .optional()
      .describe('with the project, else everyone; viewers see only items they can access'),
  },
  output: SavedView,
  async handle({ project, name, item_type, shared, layout, display, ...query }, ctx) {
    const { filter, sort, group_by, columns } = query
    const view = {
      filter,
      sort: sort ?? null,
      group_by: group_by ?? null,
      columns: [...new Set(columns)],
    }
    await requireRunnable(ctx, item_type, view, project?.id ?? null)
    const row = await ctx.add('saved_views', {
      owner_id: ctx.actor.id,
      name: name.trim(),
      item_type,
      ...columnsFor(view),
      ...displayColumns({ layout: layout ?? null, display: display ?? null }),
      project_id: project?.id ?? null,
      shared: shared ? 1 : 0,
    })
    return (await presentViews(ctx, [row]))[0]!
  },
})

export const updateSavedView = operation({
  name: 'update_saved_view',
  searchHint: 'change a filter, share a view, rename a smart list',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/views/{view_id}',
  about: 'Change your saved view',
  on: { view: savedView.edit },
  input: {
    name: title().optional(),
    filter: freeObject()
      .optional()
      .describe('replaces the previous filter, e.g. {"assignee": "me"}'),
    sort: sortText().nullable().optional(),
    group_by: fieldName().nullable().optional().describe('a field of these items'),
    columns: columnList().optional(),
    layout: z.enum(layouts).nullable().optional(),
    display: displayInput().nullable().optional(),
    shared: z.boolean().optional().describe('as in create_saved_view'),
  },
  output: SavedView,
  async handle({ view: row, name, shared, layout, display, ...query }, ctx) {
    const { filter, sort, group_by, columns } = query
    const before = viewOf(row)
    const view = {
      filter: filter ?? before.filter,
      sort: sort === undefined ? before.sort : sort,
      group_by: group_by === undefined ? before.group_by : group_by,
      columns: columns ? [...new Set(columns)] : before.columns,
    }
    if (filter || sort !== undefined || group_by !== undefined || columns)
      await requireRunnable(ctx, row.item_type, view, row.project_id)
    const changed = await ctx.change(
      'saved_views',
      row,
      omitUndefined({
        name: name ? name.trim() : undefined,
        ...columnsFor(view),
        ...displayColumns({ layout, display }),
        ...(shared === undefined ? {} : { shared: shared ? 1 : 0 }),
      }),
    )
    return (await presentViews(ctx, [changed]))[0]!
  },
})

export const deleteSavedView = operation({
  name: 'delete_saved_view',
  searchHint: 'remove a filter, delete a smart list',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/views/{view_id}',
  about: 'Delete your saved view',
  on: { view: savedView.own },
  output: DeletedRef,
  async handle({ view }, ctx) {
    await ctx.trash('saved_views', view)
    return deletedRef(ctx, savedView.ref(view, ctx.baseUrl))
  },
})

export const runSavedView = operation({
  name: 'run_saved_view',
  searchHint: 'show my board, filter, dashboard, open a smart list',
  kind: 'read',
  rest: 'GET /api/views/{view_id}/items',
  about: 'Items that currently match a saved view and are visible to you',
  on: { view: savedView.see },
  input: { limit: paging.limit, cursor: paging.cursor },
  output: pageOf(ViewItem),
  async handle({ view: row, limit, cursor }, ctx) {
    const entry = requireListOperation(ctx.catalogue, row.item_type)
    const view = viewOf(row)
    const columns = viewColumns(entry, view.columns)
    const page = await listViewItems(
      ctx,
      row,
      listArguments(entry, view, row.project_id, { limit, cursor }),
    )
    return pageWithItems(
      page,
      page.items.map((item) => presentItem(row.item_type, item, columns, view.group_by)),
    )
  },
})

type Item = Record<string, unknown>

/** A view shared by someone with more access may name items that the reader cannot see: then it selects nothing. */
async function listViewItems(
  ctx: ReadContext,
  row: Row<'saved_views'>,
  args: Record<string, unknown>,
): Promise<PageOf<Item>> {
  const entry = requireListOperation(ctx.catalogue, row.item_type)
  try {
    const { items, has_more, next_cursor } = await ctx.call<PageOf<Item>>(
      entry.operation.name,
      args,
    )
    return omitNullish({ items, has_more, next_cursor }) // without the search metadata
  } catch (error) {
    const isStale =
      error instanceof Refusal &&
      error.more.field !== 'cursor' &&
      (error.code === 'not_found' || error.code === 'invalid_argument')
    if (!isStale) throw error
    if (row.owner_id !== ctx.actor.id && error.code === 'not_found')
      return { items: [], has_more: false }
    throw new Refusal(
      error.code,
      `The filter of this view no longer works: ${error.message}`,
      'Its owner can change it with update_saved_view.',
    )
  }
}

/** Runs the list once, so that no view is saved whose filter or ids it does not accept. */
async function requireRunnable(
  ctx: ReadContext,
  type: Row<'saved_views'>['item_type'],
  view: ViewQuery,
  projectId: string | null,
): Promise<void> {
  const entry = requireListOperation(ctx.catalogue, type)
  checkView(entry, view)
  try {
    await ctx.call(entry.operation.name, listArguments(entry, view, projectId, { limit: 1 }))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const field = viewField(error.more.field)
    throw new Refusal(error.code, `filter: ${error.message}`, { ...error.more, field })
  }
}

function viewOf(row: Row<'saved_views'>): ViewQuery {
  return {
    filter: storedFilter(row),
    sort: row.sort,
    group_by: row.group_by,
    columns: JSON.parse(row.columns_json) as string[],
  }
}

function columnsFor(view: ViewQuery) {
  return {
    filter_json: JSON.stringify(view.filter),
    sort: view.sort,
    group_by: view.group_by,
    columns_json: JSON.stringify(view.columns),
  }
}

/** Converts the display settings that were sent to columns. */
function displayColumns({ layout, display }: DisplaySettings) {
  return omitUndefined({
    layout,
    display_json: display && displayText(display),
  })
}

const displayText = (words: Record<string, string>) =>
  Object.keys(words).length > 0 ? JSON.stringify(words) : null

interface DisplaySettings {
  layout: Row<'saved_views'>['layout'] | undefined
  display: Record<string, string> | null | undefined
}

function presentItem(
  type: string,
  item: Item,
  columns: readonly string[],
  groupBy: string | null,
): z.infer<typeof ViewItem> {
  const group = groupBy === null ? undefined : groupOf(item[groupBy])
  const fields = Object.fromEntries(
    columns.filter((name) => item[name] !== undefined).map((name) => [name, item[name]]),
  )
  if (type === 'search')
    return omitNullish({ item: item.item as z.infer<typeof ItemRef>, fields, group })
  const key = item.key === undefined ? {} : { key: String(item.key) }
  return omitNullish({
    item: {
      type,
      id: String(item.id),
      ...key,
      title: String(item.name ?? item.title ?? item.subject ?? ''),
      url: String(item.url ?? ''),
    },
    fields,
    group,
  })
}

/** The view field for an argument of its list. */
function viewField(argument: string | undefined): string {
  if (argument === undefined) return 'filter'
  return argument === 'sort' || argument === 'order' ? 'sort' : `filter.${argument}`
}
