import { z } from 'zod'
import type { WriteContext } from '../../../operations/context.ts'
import { jobKind } from '../../../operations/jobs/job.ts'
import type { Row } from '../../../records/resource.ts'
import { actorFor, dueEscalation, incidentOf, type EscalationRow } from './access.ts'
import { stepName } from './timers.ts'
import { endRound, pageFrom } from './pages.ts'
import { targetsOfRoute, routeOf } from './routes.ts'

/**
 * Escalates an expired page: marking it exhausted and paging the next level share a transaction, so that each level
 * is paged once, however often this runs. If due while no process was running, it runs late.
 */
export const stepEscalation = jobKind({
  name: stepName,
  about: 'Pages the next level of an unacknowledged incident',
  args: z.strictObject({ escalation_id: z.string() }),
  concurrency: 4,
  async run({ escalation_id }, job) {
    await job.write(async (system) => {
      const row = await dueEscalation(system, escalation_id)
      const person = row && (await actorFor(system, row))
      if (person)
        await system.as(person, async (ctx) =>
          advanceEscalation(ctx, await incidentOf(system, row), row),
        )
    })
  },
})

async function advanceEscalation(
  ctx: WriteContext,
  incident: Row<'incidents'>,
  row: EscalationRow,
): Promise<void> {
  const reach = await targetsOfRoute(ctx, incident, routeOf(row))
  const minutes = row.wait_minutes === 1 ? 'a minute' : `${row.wait_minutes} minutes`
  const next = await pageNextLevel(
    ctx,
    incident,
    row,
    `Level ${row.level} has not acknowledged within ${minutes}.`,
  )
  if (!next) await endRound(ctx, incident, row, reach)
}

/** Ends a page's time limit, and pages the next level of its round; undefined if none is left. */
export async function pageNextLevel(
  ctx: WriteContext,
  incidentRow: Row<'incidents'>,
  row: EscalationRow,
  reason: string,
): Promise<EscalationRow | undefined> {
  if (row.status === 'paging')
    await ctx.change('escalations', row, { status: 'exhausted', next_at: null })
  const route = routeOf(row)
  return pageFrom(
    ctx,
    incidentRow,
    { number: row.round, route, reason },
    await targetsOfRoute(ctx, incidentRow, route),
    row.level,
  )
}
