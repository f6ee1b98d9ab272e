import { z } from 'zod'
import { datetimeString } from '../../../kernel/fields.ts'
import { PlanStanding } from '../../../limits/plan-shapes.ts'
import { shape } from '../../../kernel/shape.ts'

const tally = { calls: z.int(), errors: z.int(), denied: z.int() }
const keyId = z.string().nullable().describe('null: without a key')

/** The plan for non-administrators: the use by others is shown only if the plan limits it. */
const OwnPlan = z.strictObject({
  name: z.string(),
  calls_today: z.int().optional(),
  calls_per_day: z.int().optional(),
  calls_this_month: z.int().optional(),
  calls_per_month: z.int().optional(),
  warning: z.boolean(),
  storage_bytes: z.strictObject({ used: z.number() }),
  day_ends_at: datetimeString(),
  month_ends_at: datetimeString(),
})

const report = {
  ...tally,
  timezone: z.string(),
  days: z.array(
    z.strictObject({
      day: z.string(),
      ...tally,
      by_key: z.array(z.strictObject({ key_id: keyId, calls: z.int() })),
    }),
  ),
  by_key: z.array(z.strictObject({ key_id: keyId, ...tally })),
  by_tool: z.array(z.strictObject({ tool: z.string(), module: z.string(), ...tally })),
  by_transport: z.array(z.strictObject({ transport: z.string(), ...tally })),
  keys: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      prefix: z.string(),
      owner: z.strictObject({ id: z.string(), name: z.string() }),
    }),
  ),
}

export const OwnUsage = shape('OwnUsage', { of: z.literal('me'), ...report, plan: OwnPlan })

export const OrganizationUsage = shape('OrganizationUsage', {
  of: z.literal('organization'),
  ...report,
  plan: PlanStanding,
})
