import type { WriteContext } from '../../../operations/context.ts'
import { NoRights } from '../../../operations/jobs/job.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { endRun, type RunRow } from './access.ts'

/** Job that continues a run; one per run at a time. */
export const continueJob = 'continue_automation'
/** Job that enqueues the job above at a future time, since that one cannot both run and wait. */
export const wakeJob = 'wake_automation'

export async function requestContinuation(
  ctx: WriteContext,
  runId: string,
  at?: number,
): Promise<void> {
  if (at === undefined || at <= ctx.now)
    await ctx.job(continueJob, { run_id: runId }, { uniqueKey: runId, whileRunning: 'again' })
  else
    await ctx.job(
      wakeJob,
      { run_id: runId },
      { uniqueKey: runId, whileRunning: 'again', runAt: at },
    )
}

/** Continues a run in the name of its owner with its limits; if the owner may no longer act, ends it. */
export async function continueRun(system: TickContext, run: RunRow, at?: number): Promise<void> {
  try {
    await asOwner(system, run, (ctx) => requestContinuation(ctx, run.id, at))
  } catch (error) {
    if (!(error instanceof NoRights)) throw error
    await endRun(
      system,
      run,
      run.status === 'queued' ? 'skipped' : 'failed',
      'Its owner was deactivated, or its key was revoked or has expired.',
    )
  }
}

/** Postpones a run to a moment. */
export async function postponeRun(system: TickContext, run: RunRow, at: number): Promise<void> {
  await system.all
    .updateTable('automation_runs')
    .set({ resume_at: at, updated_at: system.now })
    .where('id', '=', run.id)
    .where('ended_at', 'is', null)
    .execute()
  await continueRun(system, run, at)
}

/**
 * Runs work in the name of a run's or automation's owner, limited by its key. Never as a delegate: that would give it
 * rights the owner never had. @throws NoRights
 */
export function asOwner<T>(
  system: TickContext,
  { owner_id, key_id }: Pick<RunRow, 'owner_id' | 'key_id'>,
  work: (ctx: WriteContext) => Promise<T>,
): Promise<T> {
  return system.as(
    owner_id,
    async (ctx) => {
      if (ctx.actor.id !== owner_id) throw new NoRights('Its owner was deactivated.')
      return work(ctx)
    },
    { key: key_id },
  )
}
