import type { ReadContext } from '../../../operations/context.ts'
import {
  badCursor,
  cut,
  applyOrder,
  readPlace,
  writePlace,
  type PageRequest,
  type Order,
  type PageOf,
  type Value,
} from '../../../records/paging.ts'
import { listing, type ListedRow, type ListValues } from './access-lists.ts'
import { omitNullish } from '../../../kernel/present.ts'
import type { Scoped } from '../../../records/resource.ts'
import { categories } from '../../portfolio/shapes.ts'
import { filterTasks, type TaskFilter } from './filters.ts'
import type { TaskQueryPlan } from './access-lists.ts'
import { planFor, type Sort } from './plans.ts'

const column = (as: keyof ListedRow & string, dir: 'asc' | 'desc'): Order => ({
  by: `tasks.${as}`,
  as,
  dir,
})

/** Ids sort by creation, so they stand in for created_at. */
function taskOrderOf(sort: Sort, dir: 'asc' | 'desc'): Order[] {
  switch (sort) {
    case 'created_at':
      return [column('id', dir)]
    case 'priority': {
      const rank = dir === 'desc' ? 'asc' : 'desc' // urgent is rank 0
      return [column('priority_rank', rank), column('id', rank)]
    }
    case 'status':
      return [column('status_category', dir), column('status_id', dir), column('id', dir)]
    default:
      return [column(sort, dir), column('id', dir)]
  }
}

const ascending: readonly Sort[] = ['due_at', 'position', 'title', 'start_at', 'status']

export function defaultDirection(sort: Sort): 'asc' | 'desc' {
  return ascending.includes(sort) ? 'asc' : 'desc'
}

/** One compiled query per combination of filters and order. */
type ListQuery = ReturnType<typeof listing>
const queriesByShape = new Map<string, ListQuery>()
const maxCachedQueries = 500

/** Rows of one section of a list. */
interface ListSection {
  order: Order[]
  place: readonly Value[] | undefined
  limit: number
  /** Restricts to tasks with or without a date, or of one category; undefined: all. */
  only?:
    | { date: 'due_at' | 'start_at'; has: boolean }
    | { category: (typeof categories)[number] }
    | undefined
  body: boolean
}

async function listedRowsOf(
  ctx: ReadContext,
  filter: TaskFilter,
  plan: TaskQueryPlan,
  section: ListSection,
): Promise<ListedRow[]> {
  const { text, custom, due, due_not, ...plain } = filter
  const { flags, values } = parametersOf(plain)
  const { order, place, limit, only, body } = section
  if (place?.includes(null)) throw badCursor()
  const places = Object.fromEntries(
    (place ?? []).map((value, i) => [`place${i}`, value as string | number]),
  )
  const shape = [
    plan.drive,
    plan.fewOfPerson,
    plan.fewOfLabel,
    JSON.stringify(only),
    body,
    JSON.stringify(flags),
    order.map((item) => item.as + item.dir).join(),
    Object.keys(values).join(),
    place?.length ?? 0,
  ].join(' ')
  const buildQuery = () =>
    listing((from, now, placeholders) => ({
      drive: plan.drive,
      project_id: placeholders.project as string | undefined,
      narrow: (tasks) => {
        const fullFilter = {
          ...filterOf(placeholders, flags),
          ...omitNullish({ text, custom, due, due_not }),
        }
        return restrictTo(filterTasks(tasks, fullFilter, { from, now, plan }), only)
      },
      order: (tasks) =>
        applyOrder(
          tasks,
          order,
          place?.map((_, i) => placeholders[`place${i}`] as Value),
        ),
      by: order,
      limit: placeholders.limit as number,
      body,
    }))
  // words, periods and conditions on custom fields are compiled into the query, which is then not cached
  const isCacheable = [text, custom, due, due_not].every((value) => value === undefined)
  return (isCacheable ? cachedQuery(shape, buildQuery) : buildQuery())(ctx, {
    ...values,
    ...places,
    limit,
  })
}

function cachedQuery(shape: string, make: () => ListQuery): ListQuery {
  const cached = queriesByShape.get(shape)
  if (cached) return cached
  if (queriesByShape.size >= maxCachedQueries) queriesByShape.clear()
  const query = make()
  queriesByShape.set(shape, query)
  return query
}

function restrictTo(tasks: Scoped<'tasks'>, only: ListSection['only']): Scoped<'tasks'> {
  if (!only) return tasks
  return 'category' in only
    ? tasks.where('tasks.status_category', '=', only.category)
    : tasks.where(`tasks.${only.date}`, only.has ? 'is not' : 'is', null)
}

/** Flags that are compiled into a query, and parameters for it; the values of an object are separate parameters. */
function parametersOf(filter: TaskFilter): { flags: Record<string, boolean>; values: ListValues } {
  const flags: Record<string, boolean> = {}
  const values: ListValues = {}
  for (const [name, value] of Object.entries(filter))
    if (typeof value === 'boolean') flags[name] = value
    else if (typeof value !== 'object' || Array.isArray(value)) values[name] = value
    else
      for (const [part, partValue] of Object.entries(value))
        if (partValue !== undefined) values[`${name}:${part}`] = partValue
  return { flags, values }
}

/** Rebuilds the filter, from values or from their placeholders while the query is built. */
function filterOf(values: ListValues, flags: Record<string, boolean>): TaskFilter {
  const filter: Record<string, unknown> = { ...flags }
  for (const [name, value] of Object.entries(values)) {
    const [whole, part] = name.split(':') as [string, string?]
    if (part === undefined) filter[whole] = value
    else filter[whole] = { ...(filter[whole] as object | undefined), [part]: value }
  }
  return filter
}

export interface ListRequest {
  filter: TaskFilter
  sort: Sort
  dir: 'asc' | 'desc'
  /** True if descriptions are requested. */
  body: boolean
}

/** A page of the tasks that the caller can see. */
export async function listPage(
  ctx: ReadContext,
  { filter, sort, dir, body }: ListRequest,
  request: PageRequest,
): Promise<PageOf<ListedRow>> {
  const plan = await planFor(ctx, filter, sort)
  const order = taskOrderOf(sort, dir)
  const place = request.cursor === undefined ? undefined : readPlace(order, request.cursor)
  const limit = request.limit + 1
  const read = { ctx, filter, plan, order, place, limit, body }
  return cut(await rowsBy(sort, dir, read), request.limit, (row) =>
    writePlace(order, row as Record<string, Value>),
  )
}

interface ListReading {
  ctx: ReadContext
  filter: TaskFilter
  plan: TaskQueryPlan
  order: Order[]
  place: readonly Value[] | undefined
  limit: number
  body: boolean
}

async function rowsBy(sort: Sort, dir: 'asc' | 'desc', read: ListReading): Promise<ListedRow[]> {
  if (sort === 'due_at' || sort === 'start_at') return byDate(sort, read)
  if (sort === 'status') return byStatus(dir, read)
  const { ctx, filter, plan, order, place, limit, body } = read
  return listedRowsOf(ctx, filter, plan, { order, place, limit, body })
}

/**
 * Lists tasks with a date first, in either direction, then those without, oldest first: two ranges, each with an
 * index.
 */
async function byDate(
  date: 'due_at' | 'start_at',
  { ctx, filter, plan, order, place, limit, body }: ListReading,
): Promise<ListedRow[]> {
  const isAmongUndated = place !== undefined && place[0] === null
  const dated = isAmongUndated
    ? []
    : await listedRowsOf(ctx, filter, plan, {
        order,
        place,
        limit,
        only: { date, has: true },
        body,
      })
  if (dated.length === limit || (date === 'due_at' && hasDueDate(filter))) return dated
  const undated = await listedRowsOf(ctx, filter, plan, {
    order: [column('id', 'asc')],
    place: isAmongUndated ? [place[1]!] : undefined,
    limit: limit - dated.length,
    only: { date, has: false },
    body,
  })
  return [...dated, ...undated]
}

/** True if a filter matches only tasks with a due date. */
const hasDueDate = ({ due, due_before, due_after, ...filter }: TaskFilter): boolean =>
  due?.none === false ||
  due_before !== undefined ||
  due_after !== undefined ||
  filter.overdue === true ||
  filter.has_no_due_date === false ||
  filter.due_not?.none === true

/** One section per category, in workflow order; statuses within it in order of creation. */
async function byStatus(
  dir: 'asc' | 'desc',
  { ctx, filter, plan, order, place, limit, body }: ListReading,
): Promise<ListedRow[]> {
  const inDirection = dir === 'asc' ? categories : categories.toReversed()
  const names: readonly unknown[] = inDirection
  const begin = place === undefined ? 0 : names.indexOf(place[0])
  if (begin === -1) throw badCursor()
  const rows: ListedRow[] = []
  for (const category of inDirection.slice(begin)) {
    if (rows.length === limit) break
    if (filter.status_category && !filter.status_category.includes(category)) continue
    const sectionRows = await listedRowsOf(ctx, filter, plan, {
      order: order.slice(1),
      place: place !== undefined && category === place[0] ? place.slice(1) : undefined,
      limit: limit - rows.length,
      only: { category },
      body,
    })
    rows.push(...sectionRows)
  }
  return rows
}
