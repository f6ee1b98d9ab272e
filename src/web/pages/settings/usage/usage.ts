import type { UsageReport } from '../../../api/usage.ts'

/** How much of something is used; without `limit` it is not limited. */
export interface UsageShare {
  used: number
  limit?: number
  left?: number
}

export interface UsagePlan {
  name: string
  /** Of the organization, for administrators. */
  calls_today?: UsageShare | number
  calls_this_month?: UsageShare | number
  people?: UsageShare
  storage_bytes: UsageShare
  /** For members, where the plan bounds them. */
  calls_per_day?: number
  calls_per_month?: number
  day_ends_at: string
  month_ends_at: string
}

/** What was called in the last days. */
export interface OrganizationUsage extends UsageReport {
  plan: UsagePlan
}

/** Calls of a period as a share, however the plan tells them. */
export function callsOf(
  { calls_today, calls_this_month, calls_per_day, calls_per_month }: UsagePlan,
  period: 'day' | 'month',
): UsageShare | undefined {
  const [used, limit] =
    period === 'day' ? [calls_today, calls_per_day] : [calls_this_month, calls_per_month]
  if (used === undefined || typeof used === 'object') return used
  return { used, ...(limit === undefined ? {} : { limit }) }
}
