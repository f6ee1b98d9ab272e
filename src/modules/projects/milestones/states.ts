import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'

type Status = Row<'milestones'>['status']

const allowedNext: Record<Status, readonly Status[]> = {
  open: ['reached', 'cancelled', 'missed'],
  missed: ['reached', 'open'],
  cancelled: ['open'],
  reached: [],
}

/**
 * Validates a milestone's state change, on a day and with its new due date.
 * @throws Refusal conflict naming the possible states, invalid_argument if the date does not allow it
 */
export function requireMilestoneStep(
  milestone: Row<'milestones'>,
  to: Status,
  dueOn: string | null,
  today: string,
): void {
  if (milestone.status === to) return
  const allowed = allowedNext[milestone.status]
  if (!allowed.includes(to)) {
    const hint =
      allowed.length > 0
        ? `It can become ${allowed.join(' or ')}.`
        : 'Create a new one with create_milestone, or undo the call that closed it.'
    throw new Refusal(
      'conflict',
      `"${milestone.name}" is ${milestone.status} and cannot become ${to}.`,
      {
        field: 'status',
        hint,
        context: { status: milestone.status, allowed },
      },
    )
  }
  if (to === 'open' && dueOn !== null && dueOn < today)
    throw invalid(
      'due_on',
      `"${milestone.name}" was due on ${dueOn}.`,
      'To reopen it, send a future due_on, or null for no due date.',
    )
  if (to === 'missed' && (dueOn === null || dueOn >= today))
    throw invalid(
      'status',
      `"${milestone.name}" is not due yet, so it cannot be missed.`,
      'To abandon it, use cancelled.',
    )
}
