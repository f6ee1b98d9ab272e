import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'

export const severities = ['sev1', 'sev2', 'sev3', 'sev4'] as const
export const statuses = ['open', 'acknowledged', 'mitigated', 'resolved', 'closed'] as const

export type Severity = (typeof severities)[number]
export type Status = (typeof statuses)[number]

/**
 * open → acknowledged → mitigated → resolved → closed; open and acknowledged incidents may be resolved directly, and
 * resolved and closed ones reopened.
 */
export const transitions: Readonly<Record<Status, readonly Status[]>> = {
  open: ['acknowledged', 'resolved'],
  acknowledged: ['mitigated', 'resolved'],
  mitigated: ['resolved'],
  resolved: ['closed', 'open'],
  closed: ['open'],
}

/** Instruction that leads to each state, for error messages. */
const transitionPhrases: Readonly<Record<Status, string>> = {
  open: 'reopened (reopen_incident)',
  acknowledged: 'acknowledged (acknowledge_incident)',
  mitigated: 'marked as mitigated (update_incident with mitigated_at)',
  resolved: 'resolved (resolve_incident)',
  closed: 'closed (publish_postmortem)',
}

/** @throws Refusal conflict naming the present state and the possible ones */
export function requireTransition(
  { key, status }: Pick<Row<'incidents'>, 'key' | 'status'>,
  to: Status,
): void {
  if (transitions[status].includes(to)) return
  const possible = transitions[status]
    .map((transition) => transitionPhrases[transition])
    .join(', or ')
  throw new Refusal('conflict', `${key} is ${status}: it can be ${possible}.`, {
    context: { incident_status: status, possible: transitions[status] },
  })
}

/** Whether an incident is being worked on. */
export function isActive({ status }: Pick<Row<'incidents'>, 'status'>): boolean {
  return status !== 'resolved' && status !== 'closed'
}
