import { partPresenter, presenter } from '../../operations/listing/presenters.ts'
import { goal, goalCheckin, keyResult } from './access.ts'
import { presentCheckins, presentGoals, presentKeyResults } from './shapes.ts'

/** Presenters for this module's items, and the operations that read them. */
export const goalsPresenters = [
  presenter(goal, {
    operation: 'list_goals',
    entries: (ctx, rows) => presentGoals(ctx, rows),
    get: { operation: 'get_goal', argument: 'goal_id' },
  }),
  partPresenter(keyResult, {
    operation: 'get_goal',
    resource: goal,
    by: 'goal_id',
    entries: (ctx, goal, rows) => presentKeyResults(ctx, [goal], rows),
  }),
  partPresenter(goalCheckin, {
    operation: 'get_goal',
    resource: goal,
    by: 'goal_id',
    entries: (ctx, goal, rows) => presentCheckins(ctx, [goal], rows),
  }),
]
