import type { PlanStanding } from '../../../api/operations.ts'
import type { UsageReport } from '../../../api/usage.ts'

/** Usage of one quantity; without `limit` it is unlimited. */
export type UsageShare = PlanStanding['storage_bytes']

/** Administrators see the whole plan; members see the limits that apply to them. */
export type UsagePlan = UsageReport['plan']

/** Calls of a period as a share, in either form of the plan. */
export function callsOf(plan: UsagePlan, period: 'day' | 'month'): UsageShare | undefined {
  const used = period === 'day' ? plan.calls_today : plan.calls_this_month
  if (used === undefined || typeof used === 'object') return used
  const limit = limitOf(plan, period)
  return { used, ...(limit === undefined ? {} : { limit }) }
}

function limitOf(plan: UsagePlan, period: 'day' | 'month'): number | undefined {
  if ('people' in plan) return undefined
  return period === 'day' ? plan.calls_per_day : plan.calls_per_month
}
