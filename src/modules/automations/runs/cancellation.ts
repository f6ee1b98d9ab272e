import type { TickContext } from '../../../operations/jobs/tick.ts'
import { notifyAdmins } from '../../../notify/notifications.ts'
import { causeOfRun, findAutomation, type RunRow } from './access.ts'
import { postponeRun } from './continuations.ts'
import { finishRun, suspend } from './completion.ts'
import { actionsPerHour, actionsPerMinute } from './quotas.ts'

/** Suspends the automation of a run that does too much, and ends the run. */
export async function stopFloodingAutomation(system: TickContext, run: RunRow): Promise<void> {
  await suspendAutomation(
    system,
    run,
    run.automation_id,
    `more than ${actionsPerMinute} actions within a minute`,
  )
  await finishRun(
    system,
    run,
    'failed',
    `Stopped: more than ${actionsPerMinute} actions of this automation within a minute.`,
  )
}

/**
 * Suspends the busiest automation if an organization's automations together exceed their limit; the others wait until
 * there is room again.
 */
export async function stopBusiest(
  system: TickContext,
  run: RunRow,
  { busiest, until }: { busiest: string; until: number },
): Promise<void> {
  const reason = `more than ${actionsPerHour} actions by the organization's automations within an hour, most by this one`
  await suspendAutomation(system, run, busiest, reason)
  if (busiest === run.automation_id) await finishRun(system, run, 'failed', `Stopped: ${reason}.`)
  else await postponeRun(system, run, until)
}

async function suspendAutomation(
  system: TickContext,
  run: RunRow,
  id: string,
  reason: string,
): Promise<void> {
  const automation = await findAutomation(system, id)
  if (automation?.status !== 'enabled') return
  await system.as(automation.owner_id, (ctx) => suspend(ctx, automation, reason), {
    cause: causeOfRun(run),
  })
  await notifyAdmins(
    system.all,
    system.now,
    automation.org_id,
    `An automation was suspended: ${reason}`,
    [automation.owner_id],
  )
}
