import type { TickContext } from '../../../operations/jobs/tick.ts'
import { type StepRow, actionsSince } from './access-steps.ts'
import { countActionsByAutomation } from './access-quotas.ts'
import type { RunRow } from './access.ts'

// Limits against loops and floods. The depth of a chain, and one run per item and chain, are enforced in feed.ts, which
// creates runs.

/** Maximum chain of causing runs. */
export const maxCascadeDepth = 5
export const actionsPerMinute = 100
export const actionsPerHour = 1000
/**
 * Maximum steps of a run, including control steps, and maximum characters of their answers: each step scans the
 * earlier ones.
 */
export const stepsPerRun = 2_000
const maxAnswerCharacters = 8 * 2 ** 20
const minute = 60_000
const hour = 60 * minute

export type QuotaStatus =
  | { is: 'free' }
  /** A single run has used up a minute's quota, which is not a loop: it continues later. */
  | { is: 'paced'; until: number }
  /** Several runs of the automation together have used up a minute's quota. */
  | { is: 'rule' }
  /** The organization's automations together have used up an hour's quota; `busiest` used the most. */
  | { is: 'organization'; busiest: string; until: number }

/** Whether a run may call an action now, and if not, which quota is used up. */
export async function quotaStatusOf(system: TickContext, run: RunRow): Promise<QuotaStatus> {
  const recentActions = await actionsSince(
    system,
    run.automation_id,
    system.now - minute,
    actionsPerMinute,
  )
  if (recentActions.length >= actionsPerMinute) {
    return recentActions.every((item) => item.run_id === run.id)
      ? { is: 'paced', until: recentActions.at(-1)!.acted_at! + minute + 1 }
      : { is: 'rule' }
  }
  const all = await countActionsByAutomation(system, run.org_id, system.now - hour)
  if (all.reduce((sum, item) => sum + item.count, 0) < actionsPerHour) return { is: 'free' }
  return {
    is: 'organization',
    busiest: all[0]!.automation_id,
    until: Math.min(...all.map((item) => item.first!)) + hour + 1,
  }
}

/** Reason why a run may take no further step; undefined if it may. */
export function stepLimitReason(steps: readonly Pick<StepRow, 'value_json'>[]): string | undefined {
  if (steps.length >= stepsPerRun) return `Stopped: a run has at most ${stepsPerRun} steps.`
  return steps.reduce((sum, step) => sum + (step.value_json?.length ?? 0), 0) > maxAnswerCharacters
    ? 'Stopped: the results of its steps exceed 8 MB in total.'
    : undefined
}
