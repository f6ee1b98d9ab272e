import { omitNullish } from '../../../kernel/present.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'

type Status = Row<'goals'>['status']

const allowedNext: Record<Status, readonly Status[]> = {
  draft: ['active'],
  active: ['achieved', 'missed', 'cancelled'],
  achieved: ['active'],
  missed: ['active'],
  cancelled: ['active'],
}

/** @throws Refusal conflict if the state change is not allowed in one step */
export function requireStep({ status }: Row<'goals'>, to: Status): void {
  if (status === to || allowedNext[status].includes(to)) return
  throw new Refusal(
    'conflict',
    `A goal with status ${status} cannot become ${to}; allowed: ${allowedNext[status].join(', ')}.`,
    omitNullish({
      field: 'status',
      hint: status === 'draft' ? 'Make it active first, or delete the draft.' : undefined,
      context: { status, allowed: allowedNext[status] },
    }),
  )
}

function isClosed({ status }: Pick<Row<'goals'>, 'status'>): boolean {
  return status === 'achieved' || status === 'missed' || status === 'cancelled'
}

/** @throws Refusal conflict for a closed goal: its measures are final */
export function requireOpenGoal(goal: Row<'goals'>): void {
  if (isClosed(goal)) throw closedGoalRefusal(goal)
}

/** @throws Refusal conflict if a goal is not active */
export function requireActiveGoal(goalRow: Row<'goals'>): void {
  if (goalRow.status === 'active') return
  if (goalRow.status !== 'draft') throw closedGoalRefusal(goalRow)
  throw new Refusal('conflict', 'This goal is a draft; drafts have no progress.', {
    hint: 'Make it active first.',
    next: { tool: 'update_goal', arguments: { goal_id: goalRow.id, status: 'active' } },
  })
}

function closedGoalRefusal({ id, status }: Row<'goals'>): Refusal {
  return new Refusal('conflict', `This goal is closed: it is ${status}.`, {
    hint: 'Make it active again first.',
    next: { tool: 'update_goal', arguments: { goal_id: id, status: 'active' } },
  })
}
