import type { WriteContext } from '../../../operations/context.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import {
  causeOfRun,
  endRun,
  findAutomation,
  setFailureCount,
  type AutomationRow,
  type RunRow,
} from './access.ts'

/** Maximum consecutive failed runs. */
const maxFailures = 5

/** Ends a run and updates its automation: too many consecutive failures suspend it. */
export async function finishRun(
  system: TickContext,
  run: RunRow,
  status: 'succeeded' | 'failed' | 'skipped',
  reason?: string,
): Promise<void> {
  if (!(await endRun(system, run, status, reason))) return
  const automation =
    status === 'skipped' ? undefined : await findAutomation(system, run.automation_id)
  if (!automation) return
  if (status === 'failed') return recordFailure(system, run, automation)
  if (automation.failures > 0) await setFailureCount(system, automation.id, 0)
}

async function recordFailure(
  system: TickContext,
  run: RunRow,
  automation: AutomationRow,
): Promise<void> {
  const failures = automation.failures + 1
  await setFailureCount(system, automation.id, failures)
  const cause = causeOfRun(run)
  await system.as(
    automation.owner_id,
    async (ctx) => {
      ctx.event('automation.run_failed', 'automations', automation)
      if (failures >= maxFailures && automation.status === 'enabled')
        await suspend(ctx, automation, `${failures} runs in a row failed`)
      else if (failures === 1)
        ctx.notify(
          'automation',
          [automation.owner_id],
          'automations',
          automation,
          'A run of this automation failed',
        )
    },
    { cause },
  )
}

/** Suspends an automation in its owner's name and notifies them of the reason. */
export async function suspend(
  ctx: WriteContext,
  automation: AutomationRow,
  reason: string,
): Promise<void> {
  const suspended = await ctx.change('automations', automation, { status: 'suspended', reason })
  ctx.event('automation.suspended', 'automations', suspended)
  ctx.notify(
    'automation',
    [automation.owner_id],
    'automations',
    suspended,
    `This automation was suspended: ${reason}`,
  )
  await ctx.unschedule(automation.id)
}
