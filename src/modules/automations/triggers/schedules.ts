import { z } from 'zod'
import type { WriteContext } from '../../../operations/context.ts'
import { jobKind } from '../../../operations/jobs/job.ts'
import { addRun, findAutomation, type AutomationRow } from '../runs/access.ts'
import { continueRun } from '../runs/continuations.ts'

export const fireJob = 'fire_automation'

/** Runs an automation at a scheduled time; if several passed while the server was down, it runs once. */
export const fireAutomation = jobKind({
  name: fireJob,
  about: 'Runs an automation at a time of its schedule',
  args: z.strictObject({ automation_id: z.string() }),
  concurrency: 4,
  async run({ automation_id }, job) {
    await job.write(async (system) => {
      const automation = await findAutomation(system, automation_id)
      if (automation?.status !== 'enabled' || automation.trigger_type !== 'schedule')
        return system.as(job.owner!, (ctx) => ctx.unschedule(automation_id))
      const run = await addRun(system.all, system.now, automation, {
        type: 'schedule',
        source: `job:${job.jobId}`,
      })
      if (run) await continueRun(system, run)
    })
  },
})

/** Schedules an automation at its times. */
export async function scheduleAutomation(
  ctx: WriteContext,
  { id, trigger_json }: AutomationRow,
): Promise<void> {
  const { cron, timezone } = JSON.parse(trigger_json) as { cron: string; timezone: string }
  await ctx.schedule({ name: id, cron, timezone, kind: fireJob, args: { automation_id: id } })
}
