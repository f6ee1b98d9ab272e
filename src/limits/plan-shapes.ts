import { z } from 'zod'
import { datetimeString } from '../kernel/fields.ts'
import { shape } from '../kernel/shape.ts'

/** Amount used and the plan's limit; `limit` is absent if there is none. */
const LimitUsage = z.strictObject({
  used: z.number(),
  limit: z.number().optional(),
  left: z.number().optional(),
})

/** All limits of a plan and their use, for administrators. */
export const PlanStanding = shape('PlanStanding', {
  name: z.string(),
  calls_today: LimitUsage,
  calls_this_month: LimitUsage,
  people: LimitUsage,
  storage_bytes: LimitUsage,
  day_ends_at: datetimeString(),
  month_ends_at: datetimeString(),
})
