import type { ReadContext } from '../../../operations/context.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { goal, goalsAbove } from '../access.ts'

type Goal = Row<'goals'>
type Placed = Pick<Goal, 'level' | 'owner_id'>

/** Maximum depth of goals. */
const deepest = 10

/** Levels allowed above each level. */
const above: Record<Goal['level'], readonly Goal['level'][]> = {
  organization: ['organization'],
  team: ['team', 'organization'],
  personal: ['personal', 'team', 'organization'],
}

/**
 * Whether a goal may become part of another: the parent has the same or a wider level, a personal parent belongs to
 * the same person, and there are no cycles. `self` is the goal, if it already exists.
 * @throws Refusal
 */
export async function requireParent(
  ctx: ReadContext,
  parent: Goal,
  child: Placed,
  self?: Goal,
): Promise<void> {
  if (!above[child.level].includes(parent.level)) {
    throw invalid(
      'parent_id',
      `a goal with level ${child.level} cannot be part of a goal with level ${parent.level}.`,
      `Its parent must have level ${above[child.level].join(' or ')}.`,
    )
  }
  if (parent.level === 'personal' && parent.owner_id !== child.owner_id)
    throw invalid(
      'parent_id',
      'a personal goal can only be part of a personal goal of the same person.',
    )
  const line = await goalsAbove(ctx, parent, deepest)
  if (self && line.some((row) => row.id === self.id))
    throw new Refusal('conflict', 'This goal would become part of itself.', {
      field: 'parent_id',
      hint: 'Choose a goal that is not one of its descendants.',
    })
  const height = self ? await goalTreeHeight(ctx, self) : 1
  if (line.length + height > deepest)
    throw new Refusal(
      'conflict',
      `Goals can be nested ${deepest} levels deep; this one would reach ${line.length + height}.`,
      { field: 'parent_id' },
    )
}

/** Number of levels of goals from one down. */
async function goalTreeHeight(ctx: ReadContext, top: Goal): Promise<number> {
  let height = 0
  for (let ids = [top.id]; ids.length > 0 && height <= deepest; height++) {
    const below = await goal
      .visibleTo(ctx)
      .select('goals.id')
      .where('goals.parent_id', 'in', ids)
      .execute()
    ids = below.map((item) => item.id)
  }
  return height
}
