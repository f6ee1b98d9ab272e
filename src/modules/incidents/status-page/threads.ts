import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'

type Update = Row<'status_updates'>
type MaintenanceTimes = Pick<Update, 'phase' | 'starts_at' | 'ends_at'>

export const updateStates = [
  'investigating',
  'identified',
  'monitoring',
  'resolved',
  'maintenance',
] as const
/** The states of updates on an incident, in the only order possible. */
const stateOrder = ['investigating', 'identified', 'monitoring', 'resolved'] as const

/** Phase of a maintenance by its times; one that was ended early is over regardless of them. */
export function phaseOf(
  { phase, starts_at, ends_at }: MaintenanceTimes,
  now: number,
): 'planned' | 'running' | 'resolved' | undefined {
  if (phase === null) return undefined
  if (phase === 'over' || ends_at! <= now) return 'resolved'
  return starts_at! <= now ? 'running' : 'planned'
}

/** Whether a thread continues, by its newest update. */
export function isThreadOpen(
  latest: MaintenanceTimes & Pick<Update, 'state'>,
  now: number,
): boolean {
  return latest.state !== 'resolved' && phaseOf(latest, now) !== 'resolved'
}

/** @throws Refusal conflict if a thread would go back */
export function requireForward(
  latest: Pick<Update, 'title' | 'state'>,
  next: Update['state'],
): void {
  if (latest.state === 'maintenance' || next === 'maintenance') return
  const possible = stateOrder.slice(stateOrder.indexOf(latest.state))
  if (possible.includes(next)) return
  throw new Refusal(
    'conflict',
    `The updates on "${latest.title}" have reached ${latest.state} and can only move forward.`,
    {
      field: 'state',
      hint:
        latest.state === 'resolved'
          ? 'If the problem has returned, reopen the incident (reopen_incident); this starts a new thread.'
          : `Send ${possible.join(', or ')}; or use another title for a different issue.`,
      context: { state: latest.state, possible },
    },
  )
}
