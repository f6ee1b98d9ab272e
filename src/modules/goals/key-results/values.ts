import type { WriteContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { isReached } from '../goals/progress.ts'

/** Changes a key result of a goal; where that brings it to its target, this is an event, and told to those who answer for it. */
export async function changeKeyResult(
  ctx: WriteContext,
  goal: Row<'goals'>,
  row: Row<'key_results'>,
  patch: Partial<Row<'key_results'>>,
): Promise<Row<'key_results'>> {
  const changed = await ctx.change('key_results', row, patch)
  if (goal.status !== 'active' || changed.retired === 1 || isReached(row) || !isReached(changed))
    return changed
  ctx.event('key_result.reached', 'goals', goal)
  ctx.notify(
    'comment',
    [goal.owner_id, changed.owner_id],
    'goals',
    goal,
    'A key result of this goal was reached',
  )
  return changed
}
