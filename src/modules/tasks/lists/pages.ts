import type { ReadContext } from '../../../operations/context.ts'
import {
  badCursor,
  cut,
  inOrder,
  readPlace,
  writePlace,
  type PageRequest,
  type Order,
  type PageOf,
  type Value,
} from '../../../records/paging.ts'
import { listing, type ListedRow, type ListValues } from './access-lists.ts'
import { filterTasks, type TaskFilter } from './filters.ts'
import { planFor, type Sort, type TaskQueryPlan } from './plans.ts'

const column = (as: keyof ListedRow & string, dir: 'asc' | 'desc'): Order => ({
  by: `tasks.${as}`,
  as,
  dir,
})

/** Ids sort in the order in which tasks were made, so they stand for created_at. */
function orderOf(sort: Sort, dir: 'asc' | 'desc'): Order[] {
  switch (sort) {
    case 'created_at':
      return [column('id', dir)]
    case 'priority': {
      const rank = dir === 'desc' ? 'asc' : 'desc' // urgent is rank 0
      return [column('priority_rank', rank), column('id', rank)]
    }
    default:
      return [column(sort, dir), column('id', dir)]
  }
}

export function usualDirection(sort: Sort): 'asc' | 'desc' {
  return sort === 'due_at' || sort === 'position' ? 'asc' : 'desc'
}

/** One compiled query for each combination of filters and order that has been asked for. */
const kept = new Map<string, ReturnType<typeof listing>>()
const mostKept = 500

/** Rows of one stretch of a list. `dated`: with a due date or without one; undefined: all. */
interface Stretch {
  order: Order[]
  place: readonly Value[] | undefined
  limit: number
  dated: boolean | undefined
  body: boolean
}

async function rowsOf(
  ctx: ReadContext,
  filter: TaskFilter,
  plan: TaskQueryPlan,
  stretch: Stretch,
): Promise<ListedRow[]> {
  const { flags, values } = parametersOf(filter)
  const { order, place, limit, dated, body } = stretch
  if (place?.includes(null)) throw badCursor()
  const places = Object.fromEntries(
    (place ?? []).map((value, i) => [`place${i}`, value as string | number]),
  )
  const shape = [
    plan.drive,
    plan.fewOfPerson,
    plan.fewOfLabel,
    dated,
    body,
    JSON.stringify(flags),
    order.map((item) => item.as + item.dir).join(),
    Object.keys(values).join(),
    place?.length ?? 0,
  ].join(' ')
  let run = kept.get(shape)
  if (!run) {
    if (kept.size >= mostKept) kept.clear()
    const made = listing((from, now, marks) => ({
      drive: plan.drive,
      project_id: marks.project as string | undefined,
      narrow: (tasks) => {
        const found = filterTasks(tasks, filterOf(marks, flags), { from, now, plan })
        return dated === undefined
          ? found
          : found.where('tasks.due_at', dated ? 'is not' : 'is', null)
      },
      order: (tasks) =>
        inOrder(
          tasks,
          order,
          place?.map((_, i) => marks[`place${i}`] as Value),
        ),
      by: order,
      limit: marks.limit as number,
      body,
    }))
    kept.set(shape, (run = made))
  }
  return run(ctx, { ...values, ...places, limit })
}

/** Filters that are parts of a compiled query, and values that are put into it: those of an object one by one. */
function parametersOf(filter: TaskFilter): { flags: Record<string, boolean>; values: ListValues } {
  const flags: Record<string, boolean> = {}
  const values: ListValues = {}
  for (const [name, value] of Object.entries(filter))
    if (typeof value === 'boolean') flags[name] = value
    else if (typeof value !== 'object' || Array.isArray(value)) values[name] = value
    else
      for (const [part, inside] of Object.entries(value))
        if (inside !== undefined) values[`${name}:${part}`] = inside
  return { flags, values }
}

/** The filter again, of the values or of what stands for them while the query is built. */
function filterOf(values: ListValues, flags: Record<string, boolean>): TaskFilter {
  const filter: Record<string, unknown> = { ...flags }
  for (const [name, value] of Object.entries(values)) {
    const [whole, part] = name.split(':') as [string, string?]
    if (part === undefined) filter[whole] = value
    else filter[whole] = { ...(filter[whole] as object | undefined), [part]: value }
  }
  return filter
}

export interface Wish {
  filter: TaskFilter
  sort: Sort
  dir: 'asc' | 'desc'
  /** Whether descriptions are wanted. */
  body: boolean
}

/** A page of the tasks that the caller sees. */
export async function listPage(
  ctx: ReadContext,
  { filter, sort, dir, body }: Wish,
  asked: PageRequest,
): Promise<PageOf<ListedRow>> {
  const plan = await planFor(ctx, filter, sort)
  const order = orderOf(sort, dir)
  const place = asked.cursor === undefined ? undefined : readPlace(order, asked.cursor)
  const limit = asked.limit + 1
  const rows =
    sort === 'due_at'
      ? await byDueDate(ctx, filter, plan, order, place, limit, body)
      : await rowsOf(ctx, filter, plan, { order, place, limit, dated: undefined, body })
  return cut(rows, asked.limit, (row) => writePlace(order, row as Record<string, Value>))
}

/** Those with a due date first, whichever the direction, then those without, oldest first: two stretches, for which there are indexes. */
async function byDueDate(
  ctx: ReadContext,
  filter: TaskFilter,
  plan: TaskQueryPlan,
  order: Order[],
  place: readonly Value[] | undefined,
  limit: number,
  body: boolean,
): Promise<ListedRow[]> {
  const isPast = place !== undefined && place[0] === null
  const dated = isPast
    ? []
    : await rowsOf(ctx, filter, plan, { order, place, limit, dated: true, body })
  if (
    dated.length === limit ||
    filter.due_before !== undefined ||
    filter.due_after !== undefined ||
    filter.overdue
  )
    return dated
  const undated = await rowsOf(ctx, filter, plan, {
    order: [column('id', 'asc')],
    place: isPast ? [place[1]!] : undefined,
    limit: limit - dated.length,
    dated: false,
    body,
  })
  return [...dated, ...undated]
}
