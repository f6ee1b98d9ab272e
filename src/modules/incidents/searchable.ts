import { hitFacts } from '../../operations/search/hit-facts.ts'
import { byPerson, searchable } from '../../operations/search/searchable.ts'
import { prepared } from '../../records/prepared.ts'
import { person } from '../directory/access.ts'
import { incident, incidentRole } from './access.ts'
import { runbook } from './runbooks/access.ts'

const restrictedIncidents = prepared((scope) =>
  incident.visibleTo(scope).select('incidents.id').where('incidents.restricted', '=', 1),
)

/**
 * Incidents: the container of a restricted one is itself, of all others the organization. People are former and
 * current role holders.
 */
export const searchableIncidents = searchable({
  kind: 'incident',
  source: 'incidents',
  resource: incident,
  async containers(ctx) {
    const restricted = await restrictedIncidents(ctx, {})
    return [ctx.actor.org_id, ...restricted.map((row) => row.id)]
  },
  narrow(ctx, incidents, { project, person: personRow }) {
    if (project) return undefined
    if (!personRow) return incidents
    const roleIncidents = incidentRole
      .of(ctx, [personRow.id], 'person_id')
      .select('incident_roles.incident_id')
    return incidents.where((eb) =>
      eb.or([
        eb('incidents.created_by', '=', personRow.id),
        eb('incidents.id', 'in', roleIncidents),
      ]),
    )
  },
  async work(ctx, rows) {
    const roles = await incidentRole
      .of(
        ctx,
        rows.map((row) => row.id),
      )
      .select(['incident_roles.incident_id', 'incident_roles.person_id', 'incident_roles.role'])
      .execute()
    return new Map(
      rows.map((row) => [
        row.id,
        roles
          .filter((role) => role.incident_id === row.id)
          .map((role) => ({
            person: role.person_id,
            did: role.role === 'lead' ? 'led this incident' : 'worked on this incident',
            weight: role.role === 'lead' ? 1 : 0.5,
          })),
      ]),
    )
  },
  async facts(ctx, rows) {
    const roles = await incidentRole
      .of(
        ctx,
        rows.map((row) => row.id),
      )
      .select(['incident_roles.incident_id', 'incident_roles.person_id'])
      .execute()
    return hitFacts(
      ctx,
      { person },
      rows.map((row) => ({
        id: row.id,
        people: roles.filter((role) => role.incident_id === row.id).map((role) => role.person_id),
      })),
    )
  },
})

/** Runbooks, searched by name and steps; readable by all. */
export const searchableRunbooks = searchable({
  kind: 'runbook',
  source: 'runbooks',
  resource: runbook,
  containers: async (ctx) => [ctx.actor.org_id],
  narrow: byPerson('runbooks.created_by'),
  facts: (ctx, rows) =>
    hitFacts(
      ctx,
      { person },
      rows.map((row) => ({ id: row.id, people: [row.created_by] })),
    ),
})
