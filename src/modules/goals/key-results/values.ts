import type { WriteContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { isReached } from '../goals/progress.ts'

/** Updates a key result; reaching its target raises an event and notifies those responsible. */
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
