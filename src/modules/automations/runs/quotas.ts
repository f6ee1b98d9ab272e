import type { TickContext } from '../../../operations/jobs/tick.ts'
import { type StepRow, actionsSince } from './access-steps.ts'
import { busiestSince } from './access-quotas.ts'
import type { RunRow } from './access.ts'

// Limits against loops and floods. The depth of a chain, and once per object and chain, are enforced in feed.ts, which
// creates runs.

/** Runs that may lead to one. */
export const maxCascadeDepth = 5
export const actionsPerMinute = 100
export const actionsPerHour = 1000
/** Steps of a run, what steers it among them, and characters of what they answered: each step looks through those before it. */
export const stepsPerRun = 2_000
const maxAnswerBytes = 8 * 2 ** 20
const minute = 60_000
const hour = 60 * minute

export type QuotaRoom =
  | { is: 'free' }
  /** One run alone has done as much as goes in a minute, which is no loop: it goes on later. */
  | { is: 'paced'; until: number }
  /** Several runs of the rule have. */
  | { is: 'rule' }
  /** The organization's automations together have; `busiest` did the most. */
  | { is: 'organization'; busiest: string; until: number }

/** Whether an action of a run may be done now. */
export async function roomFor(system: TickContext, run: RunRow): Promise<QuotaRoom> {
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
  const all = await busiestSince(system, run.org_id, system.now - hour)
  if (all.reduce((sum, item) => sum + item.count, 0) < actionsPerHour) return { is: 'free' }
  return {
    is: 'organization',
    busiest: all[0]!.automation_id,
    until: Math.min(...all.map((item) => item.first!)) + hour + 1,
  }
}

/** Why a run may take no further step; undefined: it may. */
export function tooMuchIn(steps: readonly Pick<StepRow, 'value_json'>[]): string | undefined {
  if (steps.length >= stepsPerRun) return `Stopped: a run has at most ${stepsPerRun} steps.`
  return steps.reduce((sum, step) => sum + (step.value_json?.length ?? 0), 0) > maxAnswerBytes
    ? 'Stopped: the results of its steps exceed 8 MB in total.'
    : undefined
}
