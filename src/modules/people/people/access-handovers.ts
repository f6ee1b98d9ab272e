import type { Id } from '../../../kernel/ids.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import type { Row } from '../../../records/resource.ts'

/** Teams led by a person; visible to the whole organization. */
export function teamsLedBy(viewer: Viewer, person: Id<'users'>): Promise<Row<'teams'>[]> {
  const { all, actor } = accessScopeOf(viewer)
  const led = all
    .selectFrom('team_members')
    .select('team_members.team_id')
    .where('team_members.person_id', '=', person)
    .where('team_members.role', '=', 'lead')
  return all
    .selectFrom('teams')
    .selectAll('teams')
    .where('teams.org_id', '=', actor.org_id)
    .where('teams.deleted_at', 'is', null)
    .where('teams.id', 'in', led)
    .orderBy('teams.id')
    .execute()
}
