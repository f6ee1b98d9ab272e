import type { WriteContext } from '../../../operations/context.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { daysBetween } from '../../../kernel/time/times.ts'
import { isOpenTask } from '../../tasks/shapes.ts'
import { recordSprintMove } from '../../portfolio/access.ts'
import { requireSpan } from '../projects/states.ts'

/** Maximum sprint length in days: its burndown has a point per day. */
const maxDays = 366

export function requireSprintSpan(startsOn: string, endsOn: string): void {
  requireSpan(startsOn, endsOn)
  if (daysBetween(startsOn, endsOn) >= maxDays)
    throw invalid('ends_on', `a sprint lasts at most ${maxDays} days.`)
}

/** @throws Refusal conflict for a finished sprint */
export function requirePending(sprint: Row<'sprints'>, what: string): void {
  if (sprint.status === 'planned' || sprint.status === 'active') return
  throw new Refusal('conflict', `"${sprint.name}" is ${sprint.status}; ${what}.`, {
    hint: 'Use a planned or active sprint.',
    context: { status: sprint.status },
  })
}

/** Moves a task into a sprint or out of all; active sprints it leaves or joins record it. */
export async function moveToSprint(
  ctx: WriteContext,
  task: Row<'tasks'>,
  target: Row<'sprints'> | null,
): Promise<void> {
  if (task.sprint_id === (target?.id ?? null)) return
  await recordSprintMove(ctx, task.sprint_id, task, 'removed')
  const moved = await ctx.change('tasks', task, { sprint_id: target?.id ?? null })
  if (!target) return
  await recordSprintMove(ctx, target.id, moved, 'added')
  if (!isOpenTask(moved)) await recordSprintMove(ctx, target.id, moved, 'completed')
}
