import { partPresenter, presenter } from '../../operations/listing/presenters.ts'
import { goal, goalCheckin, keyResult } from './access.ts'
import { listedParts, showCheckins, showGoals, showKeyResults } from './shapes.ts'

/** How the items of this module look in lists, and what reads one of them. */
export const goalsPresenters = [
  presenter(goal, {
    operation: 'list_goals',
    entries: (ctx, rows) => showGoals(ctx, rows, listedParts),
    get: { operation: 'get_goal', argument: 'goal_id' },
  }),
  partPresenter(keyResult, {
    operation: 'get_goal',
    of: goal,
    by: 'goal_id',
    entries: (ctx, of, rows) => showKeyResults(ctx, [of], rows),
  }),
  partPresenter(goalCheckin, {
    operation: 'get_goal',
    of: goal,
    by: 'goal_id',
    entries: (ctx, of, rows) => showCheckins(ctx, [of], rows),
  }),
]
