import type { WriteContext } from '../../../operations/context.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { daysBetween } from '../../../kernel/time/times.ts'
import { isOpenTask } from '../../tasks/shapes.ts'
import { noteSprintMove } from '../../portfolio/access.ts'
import { requireSpan } from '../projects/states.ts'

/** The longest sprint, in days: its burndown has a point for each of them. */
const maxDays = 366

export function requireSprintSpan(startsOn: string, endsOn: string): void {
  requireSpan(startsOn, endsOn)
  if (daysBetween(startsOn, endsOn) >= maxDays)
    throw invalid('ends_on', `a sprint lasts at most ${maxDays} days.`)
}

/** @throws Refusal conflict for a sprint that is over */
export function requirePending(sprint: Row<'sprints'>, what: string): void {
  if (sprint.status === 'planned' || sprint.status === 'active') return
  throw new Refusal('conflict', `"${sprint.name}" is ${sprint.status}; ${what}.`, {
    hint: 'Use a planned or active sprint.',
    context: { status: sprint.status },
  })
}

/** Puts a task into a sprint, or into none; a running sprint that it leaves or joins keeps note of it. */
export async function moveToSprint(
  ctx: WriteContext,
  task: Row<'tasks'>,
  to: Row<'sprints'> | null,
): Promise<void> {
  if (task.sprint_id === (to?.id ?? null)) return
  await noteSprintMove(ctx, task.sprint_id, task, 'removed')
  const moved = await ctx.change('tasks', task, { sprint_id: to?.id ?? null })
  if (!to) return
  await noteSprintMove(ctx, to.id, moved, 'added')
  if (!isOpenTask(moved)) await noteSprintMove(ctx, to.id, moved, 'completed')
}
