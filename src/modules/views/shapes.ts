import { shape } from '../../kernel/shape.ts'
import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import type { Row } from '../../records/resource.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { common, commonOf, ItemRef, Ref } from '../../records/shapes.ts'
import { project } from '../portfolio/access.ts'
import { projectRef } from '../portfolio/shapes.ts'
import { savedView } from './access.ts'

export const itemTypes = ['task', 'email', 'contact', 'deal', 'incident', 'page', 'search'] as const

export const layouts = ['list', 'board', 'table', 'timeline', 'calendar'] as const

/** The filter of a view in stored form, without empty lists, which meant "anything" in earlier versions. */
export function storedFilter(
  row: Pick<Row<'saved_views'>, 'filter_json'>,
): Record<string, unknown> {
  const filter = JSON.parse(row.filter_json) as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(filter).filter(([, value]) => !Array.isArray(value) || value.length > 0),
  )
}

export const SavedView = shape('SavedView', {
  ...common,
  name: z.string(),
  item_type: z.enum(itemTypes),
  filter: z.record(z.string(), z.unknown()),
  sort: z.string().optional(),
  group_by: z.string().optional(),
  columns: z.array(z.string()),
  layout: z.enum(layouts).optional(),
  /** Display settings of the web app, by the names of its URL parameters. */
  display: z.record(z.string(), z.string()).optional(),
  project: Ref.optional(),
  shared: z.boolean(),
})

export const ViewItem = shape('ViewItem', {
  item: ItemRef,
  fields: z.record(z.string(), z.unknown()),
  group: z.string().optional(),
})

/** Presents views; includes the project only for people who can see it. */
export async function presentViews(
  ctx: ReadContext,
  rows: readonly Row<'saved_views'>[],
): Promise<z.infer<typeof SavedView>[]> {
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  const projects = await project.among(
    ctx,
    rows.flatMap((row) => row.project_id ?? []),
  )
  return rows.map((row) => {
    const projectRow = row.project_id === null ? undefined : projects.get(row.project_id)
    return omitNullish({
      ...commonOf(row, savedView.url(row, ctx.baseUrl), people),
      name: row.name,
      item_type: row.item_type,
      filter: storedFilter(row),
      sort: row.sort,
      group_by: row.group_by,
      columns: JSON.parse(row.columns_json) as string[],
      layout: row.layout,
      display:
        row.display_json === null ? null : (JSON.parse(row.display_json) as Record<string, string>),
      project: projectRow ? projectRef(projectRow) : undefined,
      shared: row.shared === 1,
    })
  })
}
