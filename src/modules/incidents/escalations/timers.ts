import type { WriteContext } from '../../../operations/context.ts'
import type { Tick } from '../../../operations/jobs/tick.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { escalationsDue, setRight, type EscalationRow } from './access.ts'

/** Kind of the job that escalates a page whose time is up; steps.ts runs it. */
export const stepName = 'step_escalation'

/** The tick runs once a minute, and asks for the jobs of the pages whose time is up before it runs again. */
const ahead = 90_000
const batchSize = 100
const clockTolerance = 60_000

/** Asks for the jobs of pages whose time is up soon, or is and has none. */
export const armEscalations: Tick = {
  name: 'arm_escalations',
  async run(system) {
    await setRight(system, clockTolerance)
    const due = await escalationsDue(system, system.now + ahead, stepName, batchSize)
    let armed = 0
    for (const row of due) {
      armed += await system
        .as(row.created_by, (ctx) => arm(ctx, row))
        .then(() => 1)
        .catch((error: unknown) => {
          // An organization without anybody to act for: its pages wait, and do not hold up those of others.
          if (error instanceof Refusal) return 0
          throw error
        })
    }
    return armed === batchSize
  },
}

/** The same for a page that has just gone out, where the tick would come too late. */
export async function armSoon(ctx: WriteContext, row: EscalationRow): Promise<void> {
  if (row.next_at !== null && row.next_at <= ctx.now + ahead) await arm(ctx, row)
}

async function arm(ctx: WriteContext, { id, next_at }: EscalationRow): Promise<void> {
  await ctx.job(
    stepName,
    { escalation_id: id },
    { runAt: Math.max(ctx.now, next_at!), uniqueKey: id, priority: 'high' },
  )
}
