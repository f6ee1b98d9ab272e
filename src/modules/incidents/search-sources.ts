import { findable } from '../../search/findable.ts'
import { person } from '../directory/access.ts'
import { incident, incidentRole } from './access.ts'
import { runbook } from './runbooks/access.ts'

/** Incidents: open ones lie under the organization, each restricted one by itself. People are those who had a role in it. */
export const foundIncidents = findable({
  kind: 'incident',
  source: 'incidents',
  resource: incident,
  async containers(ctx) {
    const restricted = await incident
      .seen(ctx)
      .select('incidents.id')
      .where('incidents.restricted', '=', 1)
      .execute()
    return [ctx.actor.org_id, ...restricted.map((row) => row.id)]
  },
  narrow(ctx, incidents, { project: of, person: who }) {
    if (of) return undefined
    if (!who) return incidents
    const held = incidentRole.of(ctx, [who.id], 'person_id').select('incident_roles.incident_id')
    return incidents.where((eb) =>
      eb.or([eb('incidents.created_by', '=', who.id), eb('incidents.id', 'in', held)]),
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
          .filter((one) => one.incident_id === row.id)
          .map((one) => ({
            person: one.person_id,
            did: one.role === 'lead' ? 'led this incident' : 'worked on this incident',
            weight: one.role === 'lead' ? 1 : 0.5,
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
    const people = await person.among(
      ctx,
      roles.map((one) => one.person_id),
    )
    return new Map(
      rows.map((row) => [
        row.id,
        {
          people: [
            ...new Set(
              roles
                .filter((one) => one.incident_id === row.id)
                .flatMap((one) => people.get(one.person_id)?.display_name ?? []),
            ),
          ],
          trust: 'internal' as const,
        },
      ]),
    )
  },
})

/** Runbooks by name and steps: everybody's to read. */
export const foundRunbooks = findable({
  kind: 'runbook',
  source: 'runbooks',
  resource: runbook,
  containers: async (ctx) => [ctx.actor.org_id],
  narrow: (_, runbooks, { project: of, person: who }) =>
    of ? undefined : who ? runbooks.where('runbooks.created_by', '=', who.id) : runbooks,
  async facts(ctx, rows) {
    const people = await person.among(
      ctx,
      rows.map((row) => row.created_by),
    )
    return new Map(
      rows.map((row) => [
        row.id,
        {
          people: [people.get(row.created_by)?.display_name ?? []].flat(),
          trust: 'internal' as const,
        },
      ]),
    )
  },
})
