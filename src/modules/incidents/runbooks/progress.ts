import type { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { runbookProgressOf, runbook } from './access.ts'
import type { RunbookProgress } from '../shapes.ts'

/**
 * Progress of the runbooks of an incident, in the order in which they were started. The reader must be able to see
 * the incident.
 */
export async function runbooksOf(
  ctx: ReadContext,
  { id }: Pick<Row<'incidents'>, 'id'>,
): Promise<z.infer<typeof RunbookProgress>[]> {
  const byRunbook = Map.groupBy(await runbookProgressOf(ctx, id), (item) => item.runbook_id)
  const rows = await runbook.among(ctx, [...byRunbook.keys()])
  return [...byRunbook].flatMap(([runbookId, steps]) => {
    const row = rows.get(runbookId)
    const done = steps.filter(
      (step) => step.status_category === 'done' || step.status_category === 'cancelled',
    ).length
    return row
      ? [{ runbook: { id: row.id, title: row.name }, progress: { done, total: steps.length } }]
      : []
  })
}
