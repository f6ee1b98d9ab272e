import type { Tick, TickContext } from '../../../operations/jobs/tick.ts'
import {
  decided,
  forgotten,
  hasDied,
  orphans,
  unscheduled,
  withoutRights,
} from '../triggers/access-feed.ts'
import { type RunRow, changeRun, endRun } from './access.ts'
import { forgetJobs } from './access-retention.ts'
import { runSteps } from './access-steps.ts'
import { asOwner, continuing, goOn, waking } from './continuations.ts'
import { finishRun, suspend } from './completion.ts'
import { askAtTimes, firing } from '../triggers/schedules.ts'
import { endWaiting } from './waits.ts'

const piece = 50
const lateAfter = 60_000
const jobsKept = 10 * 60_000 // the runs say what became of them

/** Ends runs that must not continue, and continues those with a decided call, soon after either happens. */
export const followRuns: Tick = {
  name: 'follow_automation_runs',
  due: async (all) => (await orphans(all, 1)).length > 0 || (await decided(all, 1)).length > 0,
  async run(system) {
    const ended = await orphans(system.all, piece)
    for (const run of ended)
      await endRun(
        system,
        run,
        run.status === 'queued' ? 'skipped' : 'failed',
        'The run ended because the automation was stopped, changed or deleted.',
      )
    const free = await decided(system.all, piece)
    for (const run of free) await settleStep(system, run)
    return ended.length === piece || free.length === piece
  },
}

/** Suspends automations that may no longer act, requests forgotten jobs again, and maintains schedules. */
export const tendAutomations: Tick = {
  name: 'tend_automations',
  async run(system) {
    await suspendPowerless(system)
    for (const run of await forgotten(system, system.now - lateAfter, continuing, piece))
      await takeUp(system, run)
    for (const automation of await unscheduled(system, piece))
      await asOwner(system, { ...automation, key_id: null }, (ctx) => askAtTimes(ctx, automation))
    return forgetJobs(system, [continuing, waking, firing], system.now - jobsKept, 200)
  },
}

async function takeUp(system: TickContext, run: RunRow): Promise<void> {
  if (await hasDied(system, run.id, continuing))
    await finishRun(system, run, 'failed', 'Internal error; see the log.')
  else await goOn(system, run)
}

/** Stores a decision at once, so that it is processed only once. */
async function settleStep(system: TickContext, run: RunRow): Promise<void> {
  for (const step of await runSteps(system, run.id))
    if (step.status === 'waiting' && step.approval_id !== null) await endWaiting(system, run, step)
  await changeRun(system, run.id, { resume_at: system.now })
  await goOn(system, run)
}

/** If the owner is gone, activity notifies the person responsible for their work. */
async function suspendPowerless(system: TickContext): Promise<void> {
  for (const { owner_active, ...automation } of await withoutRights(system, piece)) {
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
