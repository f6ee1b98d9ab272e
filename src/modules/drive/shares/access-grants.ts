import { type Expression, type SqlBool, sql } from 'kysely'
import { type AccessScope, type Viewer, accessScopeOf } from '../../../records/access-scope.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { project } from '../../portfolio/access.ts'

type ShareRole = Row<'file_shares'>['role']

/** Roles that a share may give, least first. */
export const shareRoles = ['viewer', 'commenter', 'editor'] as const

/** Whether a file is in an own drive. What is of a Google account that is being removed is gone already. */
export function inOwnDrive(s: AccessScope): Expression<SqlBool> {
  return sql<SqlBool>`(files.owner_id = ${s.actor.id} and (files.remote_id is null or files.drive_id not in ${leavingDrives(s)}))`
}

export function leavingDrives(s: AccessScope) {
  const leaving = s.all
    .selectFrom('accounts')
    .select('accounts.id')
    .where('accounts.owner_id', '=', s.actor.id)
    .where('accounts.removed_at', 'is not', null)
  return s.all
    .selectFrom('drives as elsewhere')
    .select('elsewhere.id')
    .where('elsewhere.account_id', 'in', leaving)
}

/** Whether anybody shares anything with the actor: asked once a query, so that the files of others cost those nothing with whom no one shares. */
function reached(s: AccessScope): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from file_shares as mine where mine.person_id = ${s.actor.id})`
}

/** Whether a file is shared with the actor, by itself or with any folder above it, as the tree is at this moment. */
export function sharedFor(
  s: AccessScope,
  roles: readonly ShareRole[],
  column = 'files.id',
): Expression<SqlBool> {
  return sql<SqlBool>`case when ${reached(s)} then exists (
    with recursive above (id, parent_id) as (
      select self.id, self.parent_id from files as self where self.id = ${sql.ref(column)}
      union select up.id, up.parent_id from files as up join above on up.id = above.parent_id
    )
    select 1 from above join file_shares as given on given.file_id = above.id where given.person_id = ${s.actor.id} and given.role in (${sql.join(roles)})
  ) else false end`
}

export function ofOrganization(s: AccessScope): Scoped<'files'> {
  return s.all.selectFrom('files').where('files.org_id', '=', s.actor.org_id)
}

export function mayChange(s: AccessScope): Expression<SqlBool> {
  return sql<SqlBool>`case files.place when 'drive' then ${inOwnDrive(s)} when 'project' then ${project.holds(s, 'files.project_id', 'edit')} else files.created_by = ${s.actor.id} end`
}

/** Whether a file is one of those that others share with the actor, all below them included. */
export function sharedWith(from: Viewer): Expression<SqlBool> {
  const s = accessScopeOf(from)
  return sql<SqlBool>`case when ${reached(s)} then files.id in (
    with recursive shared (id) as (
      select given.file_id from file_shares as given where given.person_id = ${s.actor.id}
      union select down.id from files as down join shared on down.parent_id = shared.id
    )
    select shared.id from shared) else false end`
}
