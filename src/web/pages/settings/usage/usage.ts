import type { UsageReport } from '../../../api/usage.ts'

/** How much of something is used; without `limit` it is not limited. */
export interface Share {
  used: number
  limit?: number
  left?: number
}

export interface Plan {
  name: string
  /** Of the organization, for administrators. */
  calls_today?: Share | number
  calls_this_month?: Share | number
  people?: Share
  storage_bytes: Share
  /** For members, where the plan bounds them. */
  calls_per_day?: number
  calls_per_month?: number
  day_ends_at: string
  month_ends_at: string
}

/** What was called in the last days. */
export interface Usage extends UsageReport {
  plan: Plan
}

/** Calls of a period as a share, however the plan tells them. */
export function callsOf(
  { calls_today, calls_this_month, calls_per_day, calls_per_month }: Plan,
  period: 'day' | 'month',
): Share | undefined {
  const [used, limit] =
    period === 'day' ? [calls_today, calls_per_day] : [calls_this_month, calls_per_month]
  if (used === undefined || typeof used === 'object') return used
  return { used, ...(limit === undefined ? {} : { limit }) }
}
