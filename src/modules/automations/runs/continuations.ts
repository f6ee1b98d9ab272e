import type { WriteContext } from '../../../operations/context.ts'
import { NoRights } from '../../../operations/jobs/job.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { endRun, type RunRow } from './access.ts'

/** The job that goes on with a run; one for each run at a time. */
export const continuing = 'continue_automation'
/** The one that asks for it at a moment to come: the job above cannot both run and wait. */
export const waking = 'wake_automation'

export async function askToContinue(ctx: WriteContext, runId: string, at?: number): Promise<void> {
  if (at === undefined || at <= ctx.now)
    await ctx.job(continuing, { run_id: runId }, { uniqueKey: runId, whileRunning: 'again' })
  else
    await ctx.job(waking, { run_id: runId }, { uniqueKey: runId, whileRunning: 'again', runAt: at })
}

/** Sees to it that a run goes on, in the name of its owner and in the bounds that it has; where no one may any more, it ends. */
export async function goOn(system: TickContext, run: RunRow, at?: number): Promise<void> {
  try {
    await asOwner(system, run, (ctx) => askToContinue(ctx, run.id, at))
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

/** Puts a run off to a moment. */
export async function putOff(system: TickContext, run: RunRow, at: number): Promise<void> {
  await system.all
    .updateTable('automation_runs')
    .set({ resume_at: at, updated_at: system.now })
    .where('id', '=', run.id)
    .where('ended_at', 'is', null)
    .execute()
  await goOn(system, run, at)
}

/**
 * Works in the name of the owner of a run or an automation, in the bounds of its key. No one stands in for them: it would act with rights
 * that they never had. @throws NoRights
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
