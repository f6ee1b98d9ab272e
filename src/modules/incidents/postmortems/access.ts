import { isAdmin } from '../../../kernel/actor.ts'
import type { Id } from '../../../kernel/ids.ts'
import { resource, type Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer, type AccessScope } from '../../../records/access-scope.ts'
import { incident } from '../access.ts'

/** Postmortems: the same access as their incident. */
export const postmortem = resource('postmortems', {
  type: 'postmortem',
  prefix: 'pmo',
  see: (s) => s.all.selectFrom('postmortems').where(incident.holds(s, 'postmortems.incident_id')),
  inheritsVisibilityFrom: 'incident_id',
  edit: (s) =>
    s.all.selectFrom('postmortems').where(incident.holds(s, 'postmortems.incident_id', 'edit')),
  own: (s) => ownedPostmortems(s),
  rule: {
    edit: 'Only people who can change the incident can change its postmortem.',
    own: 'Only the person who drafted a postmortem, its author or an administrator can undo it.',
  },
  title: () => 'Postmortem',
  path: (row) => `incidents/${row.incident_id}#${row.id}`,
})

function ownedPostmortems(scope: AccessScope) {
  const rows = scope.all
    .selectFrom('postmortems')
    .where(incident.holds(scope, 'postmortems.incident_id'))
  return isAdmin(scope.actor)
    ? rows
    : rows.where((eb) =>
        eb.or([
          eb('postmortems.author_id', '=', scope.actor.id),
          eb('postmortems.created_by', '=', scope.actor.id),
        ]),
      )
}

/** The page of an incident's postmortem, visible to the caller or not: it follows the incident. */
export async function pageOfPostmortem(
  viewer: Viewer,
  incidentId: Id<'incidents'>,
): Promise<Row<'pages'> | undefined> {
  return accessScopeOf(viewer)
    .all.selectFrom('pages')
    .innerJoin('postmortems', 'postmortems.page_id', 'pages.id')
    .selectAll('pages')
    .where('postmortems.incident_id', '=', incidentId)
    .executeTakeFirst()
}

/** Active administrators, who have access to every incident. */
export function administrators(reader: Viewer): Promise<Pick<Row<'users'>, 'id'>[]> {
  const { all, actor } = accessScopeOf(reader)
  return all
    .selectFrom('users')
    .select('id')
    .where('org_id', '=', actor.org_id)
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .orderBy('id')
    .execute()
}
