import type { WriteContext } from '../../../operations/context.ts'
import type { Tick } from '../../../operations/jobs/tick.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { escalationsDue, resetOverlongWaits, type EscalationRow } from './access.ts'

/** Kind of the job that escalates an expired page; run by steps.ts. */
export const stepName = 'step_escalation'

/** The tick runs once a minute, and requests jobs for pages that expire before its next run. */
const lookaheadMs = 90_000
const batchSize = 100
const clockTolerance = 60_000

/** Requests jobs for pages that expire soon, or have expired without one. */
export const armEscalations: Tick = {
  name: 'arm_escalations',
  async run(system) {
    await resetOverlongWaits(system, clockTolerance)
    const due = await escalationsDue(system, system.now + lookaheadMs, stepName, batchSize)
    let armed = 0
    for (const row of due) {
      armed += await system
        .as(row.created_by, (ctx) => arm(ctx, row))
        .then(() => 1)
        .catch((error: unknown) => {
          // An organization without an eligible actor: its pages wait without delaying others.
          if (error instanceof Refusal) return 0
          throw error
        })
    }
    return armed === batchSize
  },
}

/** The same for a newly sent page, for which the tick would be too late. */
export async function armSoon(ctx: WriteContext, row: EscalationRow): Promise<void> {
  if (row.next_at !== null && row.next_at <= ctx.now + lookaheadMs) await arm(ctx, row)
}

async function arm(ctx: WriteContext, { id, next_at }: EscalationRow): Promise<void> {
  await ctx.job(
    stepName,
    { escalation_id: id },
    { runAt: Math.max(ctx.now, next_at!), uniqueKey: id, priority: 'high' },
  )
}
