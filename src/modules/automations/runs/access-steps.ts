import type { Id } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'

export type StepRow = Row<'automation_steps'>

/** The steps of a run in starting order. */
export function runSteps({ all }: Pick<TickContext, 'all'>, runId: string): Promise<StepRow[]> {
  return all
    .selectFrom('automation_steps')
    .selectAll()
    .where('run_id', '=', runId as Id<'automation_runs'>)
    .orderBy('position')
    .execute()
}

export async function addStep({ all }: TickContext, row: StepRow): Promise<void> {
  await all.insertInto('automation_steps').values(row).execute()
}

export async function changeStep(
  { all }: TickContext,
  { run_id, path }: Pick<StepRow, 'run_id' | 'path'>,
  patch: Partial<StepRow>,
): Promise<void> {
  await all
    .updateTable('automation_steps')
    .set(patch)
    .where('run_id', '=', run_id)
    .where('path', '=', path)
    .execute()
}

/** Call times of an automation's actions since a moment, with their runs; newest first, up to a limit. */
export function actionsSince(
  { all }: TickContext,
  automationId: string,
  since: number,
  limit: number,
): Promise<Pick<StepRow, 'acted_at' | 'run_id'>[]> {
  return all
    .selectFrom('automation_steps')
    .select(['acted_at', 'run_id'])
    .where('automation_id', '=', automationId)
    .where('acted_at', '>', since)
    .orderBy('acted_at', 'desc')
    .limit(limit)
    .execute()
}
