import type { Tick, TickContext } from '../../../operations/jobs/tick.ts'
import {
  runsWithDecidedCall,
  runsWithoutJob,
  hasDeadJob,
  staleRuns,
  automationsWithoutSchedule,
  automationsWithoutRights,
} from '../triggers/access-feed.ts'
import { type RunRow, changeRun, endRun } from './access.ts'
import { deleteRunJobs } from './access-retention.ts'
import { runSteps } from './access-steps.ts'
import { asOwner, continueJob, continueRun, wakeJob } from './continuations.ts'
import { finishRun, suspend } from './completion.ts'
import { scheduleAutomation, fireJob } from '../triggers/schedules.ts'
import { endWaiting } from './waits.ts'

const batchSize = 50
const overdueMs = 60_000
const jobRetention = 10 * 60_000 // the runs themselves record the outcome

/** Ends runs that must not continue, and continues those with a decided call, soon after either happens. */
export const followRuns: Tick = {
  name: 'follow_automation_runs',
  due: async (all) =>
    (await staleRuns(all, 1)).length > 0 || (await runsWithDecidedCall(all, 1)).length > 0,
  async run(system) {
    const ended = await staleRuns(system.all, batchSize)
    for (const run of ended)
      await endRun(
        system,
        run,
        run.status === 'queued' ? 'skipped' : 'failed',
        'The run ended because the automation was stopped, changed or deleted.',
      )
    const decidedRuns = await runsWithDecidedCall(system.all, batchSize)
    for (const run of decidedRuns) await recordDecision(system, run)
    return ended.length === batchSize || decidedRuns.length === batchSize
  },
}

/** Suspends automations that may no longer act, requests lost jobs again, and maintains schedules. */
export const maintainAutomations: Tick = {
  name: 'tend_automations',
  async run(system) {
    await suspendWithoutRights(system)
    for (const run of await runsWithoutJob(system, system.now - overdueMs, continueJob, batchSize))
      await resumeRun(system, run)
    for (const automation of await automationsWithoutSchedule(system, batchSize))
      await asOwner(system, { ...automation, key_id: null }, (ctx) =>
        scheduleAutomation(ctx, automation),
      )
    return deleteRunJobs(system, [continueJob, wakeJob, fireJob], system.now - jobRetention, 200)
  },
}

async function resumeRun(system: TickContext, run: RunRow): Promise<void> {
  if (await hasDeadJob(system, run.id, continueJob))
    await finishRun(system, run, 'failed', 'Internal error; see the log.')
  else await continueRun(system, run)
}

/** Stores the decision about a waiting call, so that it is processed only once. */
async function recordDecision(system: TickContext, run: RunRow): Promise<void> {
  for (const step of await runSteps(system, run.id))
    if (step.status === 'waiting' && step.approval_id !== null) await endWaiting(system, run, step)
  await changeRun(system, run.id, { resume_at: system.now })
  await continueRun(system, run)
}

/** Suspends automations that may no longer act; if the owner is gone, activity notifies the person responsible. */
async function suspendWithoutRights(system: TickContext): Promise<void> {
  for (const { owner_active, ...automation } of await automationsWithoutRights(system, batchSize)) {
    await system.as(automation.owner_id, (ctx) =>
      suspend(
        ctx,
        automation,
        owner_active === 1
          ? 'the key that enabled it was revoked or has expired'
          : 'its owner was deactivated',
      ),
    )
  }
}
