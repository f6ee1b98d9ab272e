import type { ReadContext } from '../../../operations/context.ts'
import type { Snapshot, SnapshotQuery } from '../../../operations/listing/snapshots.ts'
import { project } from '../../portfolio/access.ts'
import { categories } from '../../portfolio/shapes.ts'
import { task } from '../access.ts'
import { ListedTask, presentTasks } from '../shapes.ts'
import { filterTasks, type TaskFilter } from './filters.ts'
import { listPage } from './pages.ts'
import { planFor } from './plans.ts'

/** Tasks per batch. */
const batchSize = 500

const openCategories = categories.filter(
  (category) => category !== 'done' && category !== 'cancelled',
)

const columns = Object.keys(ListedTask.shape) as (keyof typeof ListedTask.shape)[]

/** The tasks of a task page, in the form of list_tasks, oldest first. */
export const taskSnapshot: Snapshot = {
  type: 'task',
  columns,
  async open(ctx, query) {
    const filter = await filterOf(ctx, query)
    return {
      count: await countFilteredTasks(ctx, filter),
      async piece(at, cursor) {
        const page = await listPage(
          at,
          { filter, sort: 'created_at', dir: 'asc', body: false },
          cursor === undefined ? { limit: batchSize } : { limit: batchSize, cursor },
        )
        const rows = await presentTasks(at, page.items)
        return {
          rows: rows.map((row) => columns.map((column) => row[column] ?? null)),
          next: page.next_cursor,
        }
      },
    }
  },
}

async function filterOf(
  ctx: ReadContext,
  { project_id, open }: SnapshotQuery,
): Promise<TaskFilter> {
  const projectRow =
    project_id === undefined
      ? undefined
      : await project.demand(ctx, project_id, 'see', 'project_id')
  return {
    ...(projectRow && { project: projectRow.id }),
    ...(open && { status_category: openCategories }),
  }
}

async function countFilteredTasks(ctx: ReadContext, filter: TaskFilter): Promise<number> {
  const plan = await planFor(ctx, filter, 'created_at')
  const { count } = await filterTasks(task.visibleTo(ctx), filter, {
    from: ctx,
    now: ctx.now,
    plan,
  })
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
