import type { TickContext } from '../../../operations/jobs/tick.ts'

/** Deletes runs that ended before a moment, up to a limit; returns their number. */
export async function deleteOldRuns(
  { all }: TickContext,
  before: number,
  limit: number,
  status?: 'skipped',
): Promise<number> {
  let old = all.selectFrom('automation_runs').select('id').where('ended_at', '<', before)
  if (status) old = old.where('status', '=', status)
  const rows = await old.orderBy('ended_at').limit(limit).execute()
  if (rows.length > 0)
    await all
      .deleteFrom('automation_runs')
      .where(
        'id',
        'in',
        rows.map((row) => row.id),
      )
      .execute()
  return rows.length
}

/** Deletes finished jobs of some kinds from before a moment, up to a limit; returns whether there may be more. */
export async function deleteRunJobs(
  { all }: TickContext,
  kinds: readonly string[],
  before: number,
  limit: number,
): Promise<boolean> {
  const old = await all
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', 'done')
    .where('kind', 'in', kinds)
    .where('finished_at', '<', before)
    .limit(limit)
    .execute()
  if (old.length > 0)
    await all
      .deleteFrom('jobs')
      .where(
        'id',
        'in',
        old.map((row) => row.id),
      )
      .execute()
  return old.length === limit
}
