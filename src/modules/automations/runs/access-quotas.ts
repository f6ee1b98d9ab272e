import type { Id } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { RunRow } from './access.ts'

/** Whether an automation has run on an item in a chain of runs, or is about to. */
export async function ranInChain(
  { all }: TickContext,
  rootId: string,
  automationId: string,
  itemId: string,
): Promise<boolean> {
  const row = await all
    .selectFrom('automation_runs')
    .select('id')
    .where('root_id', '=', rootId)
    .where('automation_id', '=', automationId)
    .where('item_id', '=', itemId)
    .where('status', '<>', 'skipped')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Counts the actions called in an organization since the given time, by automation, busiest first. */
export function countActionsByAutomation(
  { all }: TickContext,
  orgId: Id<'orgs'>,
  since: number,
): Promise<{ automation_id: string; count: number; first: number | null }[]> {
  return all
    .selectFrom('automation_steps')
    .select((eb) => [
      'automation_id',
      eb.fn.countAll<number>().as('count'),
      eb.fn.min('acted_at').as('first'),
    ])
    .where('org_id', '=', orgId)
    .where('acted_at', '>', since)
    .groupBy('automation_id')
    .orderBy('count', 'desc')
    .execute() as Promise<{ automation_id: string; count: number; first: number | null }[]>
}

/** Unfinished runs of an automation, counted up to a limit. */
export async function countUnfinished(
  { all }: TickContext,
  automationId: string,
  limit: number,
): Promise<number> {
  const rows = await all
    .selectFrom('automation_runs')
    .select('id')
    .where('automation_id', '=', automationId)
    .where('ended_at', 'is', null)
    .limit(limit)
    .execute()
  return rows.length
}

/** Counts the runs of an automation's trigger since the given time, up to a limit. */
export async function countRecent(
  { all }: TickContext,
  automationId: string,
  type: RunRow['trigger_type'],
  since: number,
  limit: number,
): Promise<number> {
  const rows = await all
    .selectFrom('automation_runs')
    .select(['trigger_type', 'created_at'])
    .where('automation_id', '=', automationId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.filter((row) => row.trigger_type === type && row.created_at > since).length
}
