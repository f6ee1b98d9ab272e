import { omitNullish } from '../../../kernel/present.ts'
import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { commonOf } from '../../../records/shapes.ts'
import { incident, service } from '../access.ts'
import { statusUpdate, statusUpdateService } from './access.ts'
import { incidentRef, type StatusUpdateShape } from '../shapes.ts'
import { phaseOf } from './threads.ts'

/** Maximum number of updates of an incident in an answer. */
export const maxIncidentUpdates = 200

/** Status updates for answers; with their incidents only if visible. The rows are already visible. */
export async function presentUpdates(
  ctx: ReadContext,
  rows: readonly Row<'status_updates'>[],
): Promise<StatusUpdateShape[]> {
  if (rows.length === 0) return []
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  const incidents = await incident.among(
    ctx,
    rows.flatMap((row) => row.incident_id ?? []),
  )
  const serviceStates = await statusUpdateService
    .of(
      ctx,
      rows.map((row) => row.id),
    )
    .selectAll('status_update_services')
    .execute()
  const services = await service.among(
    ctx,
    serviceStates.map((item) => item.service_id),
  )
  return rows.map((row) => {
    const incidentRow = incidents.get(row.incident_id ?? '')
    const phase = phaseOf(row, ctx.now)
    return omitNullish({
      ...commonOf(row, statusUpdate.url(row, ctx.baseUrl), people),
      title: row.title,
      body_markdown: row.body_markdown,
      state: row.state,
      incident: incidentRow ? incidentRef(incidentRow) : undefined,
      service_states: Object.fromEntries(
        serviceStates
          .filter((item) => item.update_id === row.id && services.has(item.service_id))
          .map((item) => [services.get(item.service_id)!.name, item.state]),
      ),
      starts_at: row.starts_at === null ? undefined : iso(row.starts_at),
      ends_at: row.ends_at === null ? undefined : iso(row.ends_at),
      phase: phase || undefined,
      thread_id: row.thread_id ?? row.id,
      published_at: iso(row.published_at),
    })
  })
}

/**
 * Published updates about an incident, newest first: one more than `maxIncidentUpdates`, so that a longer list is
 * detected. The reader must be able to see the incident.
 */
export async function updatesOf(
  ctx: ReadContext,
  { id }: Pick<Row<'incidents'>, 'id'>,
): Promise<StatusUpdateShape[]> {
  const rows = await statusUpdate
    .visibleTo(ctx)
    .selectAll('status_updates')
    .where('status_updates.incident_id', '=', id)
    .orderBy('status_updates.published_at', 'desc')
    .orderBy('status_updates.id', 'desc')
    .limit(maxIncidentUpdates + 1)
    .execute()
  return presentUpdates(ctx, rows)
}
