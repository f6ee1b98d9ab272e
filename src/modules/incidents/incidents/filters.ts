import type { ReadContext } from '../../../operations/context.ts'
import { itemsWithWords } from '../../../operations/search/hits.ts'
import { maxContainers } from '../../../search/full-text.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { incident, incidentRole, incidentService } from '../access.ts'
import type { Severity, Status } from './states.ts'

export interface IncidentFilter {
  service?: Row<'services'>['id'] | undefined
  lead?: Row<'users'>['id'] | undefined
  status?: readonly Status[] | undefined
  severity?: readonly Severity[] | undefined
  query?: string | undefined
  /** Declared then or later, in milliseconds. */
  from?: number | undefined
  /** Declared then or before. */
  to?: number | undefined
}

/** The incidents that the caller sees and a filter lets through. @throws Refusal where the query has no word */
export async function filterIncidents(
  ctx: ReadContext,
  { query, ...filter }: IncidentFilter,
): Promise<Scoped<'incidents'>> {
  const found = byFields(ctx, incident.visibleTo(ctx), filter)
  if (query === undefined) return found
  const named = await incident.find(ctx, query.trim())
  if (named) return found.where('incidents.id', '=', named.id)
  const matching = await itemsWithWords(ctx, query, {
    resource: incident,
    containers: await containersOf(ctx),
    narrow: (some) => byFields(ctx, some, filter),
  })
  return found.where(
    'incidents.id',
    'in',
    matching.map((itemMatch) => itemMatch.id as Row<'incidents'>['id']),
  )
}

function byFields(
  ctx: ReadContext,
  some: Scoped<'incidents'>,
  { service, lead, status, severity, from, to }: IncidentFilter,
): Scoped<'incidents'> {
  let found = some
  if (service)
    found = found.where(
      'incidents.id',
      'in',
      incidentService.of(ctx, [service], 'service_id').select('incident_services.incident_id'),
    )
  if (lead)
    found = found.where(
      'incidents.id',
      'in',
      incidentRole
        .of(ctx, [lead], 'person_id')
        .where('incident_roles.role', '=', 'lead')
        .select('incident_roles.incident_id'),
    )
  if (status?.length) found = found.where('incidents.status', 'in', status)
  if (severity?.length) found = found.where('incidents.severity', 'in', severity)
  if (from !== undefined) found = found.where('incidents.opened_at', '>=', from)
  if (to !== undefined) found = found.where('incidents.opened_at', '<=', to)
  return found
}

/** Open incidents lie under the organization, each restricted one by itself. */
export async function containersOf(ctx: ReadContext): Promise<string[] | undefined> {
  const restricted = await incident
    .visibleTo(ctx)
    .select('incidents.id')
    .where('incidents.org_id', '=', ctx.actor.org_id)
    .where('incidents.restricted', '=', 1)
    .limit(maxContainers)
    .execute()
  return restricted.length >= maxContainers
    ? undefined
    : [ctx.actor.org_id, ...restricted.map((row) => row.id)]
}
