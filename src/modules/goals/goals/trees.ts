import type { ReadContext } from '../../../operations/context.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { goal, goalWithAncestors } from '../access.ts'

type Goal = Row<'goals'>
type GoalPlacement = Pick<Goal, 'level' | 'owner_id'>

/** Maximum depth of goals. */
const maxDepth = 10

/** Levels allowed above each level. */
const allowedParentLevels: Record<Goal['level'], readonly Goal['level'][]> = {
  organization: ['organization'],
  team: ['team', 'organization'],
  personal: ['personal', 'team', 'organization'],
}

/**
 * Requires that a goal may become part of another: the parent has the same or a wider level, a personal parent belongs to
 * the same person, and there are no cycles. `self` is the goal, if it already exists.
 * @throws Refusal
 */
export async function requireParent(
  ctx: ReadContext,
  parent: Goal,
  child: GoalPlacement,
  self?: Goal,
): Promise<void> {
  if (!allowedParentLevels[child.level].includes(parent.level)) {
    throw invalid(
      'parent_id',
      `a goal with level ${child.level} cannot be part of a goal with level ${parent.level}.`,
      `Its parent must have level ${allowedParentLevels[child.level].join(' or ')}.`,
    )
  }
  if (parent.level === 'personal' && parent.owner_id !== child.owner_id)
    throw invalid(
      'parent_id',
      'a personal goal can only be part of a personal goal of the same person.',
    )
  const ancestors = await goalWithAncestors(ctx, parent, maxDepth)
  if (self && ancestors.some((row) => row.id === self.id))
    throw new Refusal('conflict', 'This goal would become part of itself.', {
      field: 'parent_id',
      hint: 'Choose a goal that is not one of its descendants.',
    })
  const height = self ? await goalTreeHeight(ctx, self) : 1
  if (ancestors.length + height > maxDepth)
    throw new Refusal(
      'conflict',
      `Goals can be nested ${maxDepth} levels deep; this one would reach ${ancestors.length + height}.`,
      { field: 'parent_id' },
    )
}

/** Number of levels of a goal's tree, including the goal itself. */
async function goalTreeHeight(ctx: ReadContext, top: Goal): Promise<number> {
  let height = 0
  for (let ids = [top.id]; ids.length > 0 && height <= maxDepth; height++) {
    const children = await goal
      .visibleTo(ctx)
      .select('goals.id')
      .where('goals.parent_id', 'in', ids)
      .execute()
    ids = children.map((item) => item.id)
  }
  return height
}
