import type { Id } from '../../kernel/ids.ts'
import { accessScopeOf, type Viewer } from '../../records/access-scope.ts'
import type { Row } from '../../records/resource.ts'
import { layersOf } from './on-call/access.ts'

// A person's responsibilities in incidents, visible to the caller or not. Used only in hand-overs, which name only
// visible incidents.

export async function rolesInOpenIncidents(
  viewer: Viewer,
  person: Id<'users'>,
): Promise<{ incident: Row<'incidents'>; role: Row<'incident_roles'>['role'] }[]> {
  const { all, actor } = accessScopeOf(viewer)
  const roles = await all
    .selectFrom('incident_roles')
    .selectAll()
    .where('org_id', '=', actor.org_id)
    .where('person_id', '=', person)
    .execute()
  const incidents = await all
    .selectFrom('incidents')
    .selectAll('incidents')
    .where('incidents.org_id', '=', actor.org_id)
    .where('incidents.deleted_at', 'is', null)
    .where('incidents.status', 'not in', ['resolved', 'closed'])
    .where(
      'incidents.id',
      'in',
      roles.map(({ incident_id }) => incident_id),
    )
    .execute()
  return roles.flatMap(({ incident_id, role }) => {
    const incident = incidents.find(({ id }) => id === incident_id)
    return incident ? [{ incident, role }] : []
  })
}

/** On-call schedules whose layers include a person. */
export async function schedulesWith(
  viewer: Viewer,
  person: Id<'users'>,
): Promise<Row<'on_call_schedules'>[]> {
  const { all, actor } = accessScopeOf(viewer)
  const rows = await all
    .selectFrom('on_call_schedules')
    .selectAll()
    .where('org_id', '=', actor.org_id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.filter((row) => layersOf(row).some(({ people }) => people.includes(person)))
}
