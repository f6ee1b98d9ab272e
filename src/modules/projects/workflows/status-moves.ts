import type { WriteContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { isOpenTask } from '../../tasks/shapes.ts'
import { recordSprintMove } from '../../portfolio/access.ts'

/** Moves a task to a status because of a workflow change, with all effects of the category. */
export async function moveToStatus(
  ctx: WriteContext,
  task: Row<'tasks'>,
  target: Row<'statuses'>,
): Promise<Row<'tasks'>> {
  const open = isOpenTask({ status_category: target.category })
  const completed_at = open ? null : (task.completed_at ?? ctx.now)
  const changed = await ctx.change('tasks', task, {
    status_id: target.id,
    status_category: target.category,
    completed_at,
  })
  if (task.deleted_at !== null) return changed
  if (task.status_id !== target.id) ctx.event('task.status_changed', 'tasks', changed)
  if (open === isOpenTask(task)) return changed
  if (open) ctx.event('task.reopened', 'tasks', changed)
  else if (target.category === 'done') ctx.event('task.completed', 'tasks', changed)
  await recordSprintMove(ctx, task.sprint_id, changed, open ? 'reopened' : 'completed')
  return changed
}
