import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import {
  filters,
  oneOf,
  since,
  until,
  type FilterArguments,
  type FilterValues,
} from '../../../operations/filters.ts'
import { itemsWithWords } from '../../../operations/search/hits.ts'
import { maxContainers } from '../../../search/full-text.ts'
import { shortText } from '../../../kernel/fields.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { person } from '../../directory/access.ts'
import { incident, incidentRole, incidentService, service } from '../access.ts'
import { severityEnum, statusEnum } from '../shapes.ts'

/** Filters of list_incidents except its query. */
export const stateFilters = filters('incidents', {
  service: {
    input: service.see.maybe,
    where: (query, id, ctx) =>
      query.where(
        'incidents.id',
        'in',
        incidentService.of(ctx, [id], 'service_id').select('incident_services.incident_id'),
      ),
  },
  lead: {
    input: person.see.maybe,
    where: (query, id, ctx) =>
      query.where(
        'incidents.id',
        'in',
        incidentRole
          .of(ctx, [id], 'person_id')
          .where('incident_roles.role', '=', 'lead')
          .select('incident_roles.incident_id'),
      ),
  },
  status: oneOf('incidents.status', z.array(statusEnum).max(5).optional()),
  severity: oneOf('incidents.severity', z.array(severityEnum).max(4).optional()),
  opened_after: since('incidents.opened_at'),
  opened_before: until('incidents.opened_at'),
})

const { status, severity, ...times } = stateFilters.input

/** The filters of list_incidents, as arguments. */
export const incidentFilters = {
  on: stateFilters.on,
  input: {
    status,
    severity,
    query: shortText(500)
      .optional()
      .describe(
        'words of title, summary, cause, customer impact or resolution, in any form and order; or a key',
      ),
    ...times,
  },
}

/** Visible incidents that match the filters. @throws Refusal if the query has no word */
export async function filterIncidents(
  ctx: ReadContext,
  { query, ...args }: FilterArguments<typeof stateFilters> & { query?: string | undefined },
): Promise<Scoped<'incidents'>> {
  const values = await stateFilters.read(ctx, args)
  const rows = stateFilters.apply(incident.visibleTo(ctx), values, ctx)
  return query === undefined ? rows : withWords(ctx, rows, query, values)
}

async function withWords(
  ctx: ReadContext,
  incidents: Scoped<'incidents'>,
  query: string,
  values: FilterValues<typeof stateFilters>,
): Promise<Scoped<'incidents'>> {
  const exactMatch = await incident.find(ctx, query.trim())
  if (exactMatch) return incidents.where('incidents.id', '=', exactMatch.id)
  const matching = await itemsWithWords(ctx, query, {
    resource: incident,
    containers: await containersOf(ctx),
    narrow: (query) => stateFilters.apply(query, values, ctx),
  })
  return incidents.where(
    'incidents.id',
    'in',
    matching.map((itemMatch) => itemMatch.id as Row<'incidents'>['id']),
  )
}

/** The container of unrestricted incidents is the organization; each restricted one is its own container. */
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
