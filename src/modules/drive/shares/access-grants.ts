import { type Expression, type SqlBool, sql } from 'kysely'
import { type AccessScope, type Viewer, accessScopeOf } from '../../../records/access-scope.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { project } from '../../portfolio/access.ts'

type ShareRole = Row<'file_shares'>['role']

/** Roles that a share may give, least first. */
export const shareRoles = ['viewer', 'commenter', 'editor'] as const

/** Whether a file is in a drive of the actor; those of a Google account being removed are excluded. */
export function inOwnDrive(scope: AccessScope): Expression<SqlBool> {
  return sql<SqlBool>`(files.owner_id = ${scope.actor.id} and (files.remote_id is null or files.drive_id not in ${drivesBeingRemoved(scope)}))`
}

export function drivesBeingRemoved(accessScope: AccessScope) {
  const removedAccounts = accessScope.all
    .selectFrom('accounts')
    .select('accounts.id')
    .where('accounts.owner_id', '=', accessScope.actor.id)
    .where('accounts.removed_at', 'is not', null)
  return accessScope.all
    .selectFrom('drives as elsewhere')
    .select('elsewhere.id')
    .where('elsewhere.account_id', 'in', removedAccounts)
}

/** Whether any file is shared with the actor: evaluated once per query, so that others skip the costly search. */
function hasShares(scope: AccessScope): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from file_shares as mine where mine.person_id = ${scope.actor.id})`
}

/** Whether a file is shared with the actor, by itself or with any folder above it, as the tree is at this moment. */
export function isSharedWithRole(
  accessScope: AccessScope,
  roles: readonly ShareRole[],
  column = 'files.id',
): Expression<SqlBool> {
  return sql<SqlBool>`case when ${hasShares(accessScope)} then exists (
    with recursive above (id, parent_id) as (
      select self.id, self.parent_id from files as self where self.id = ${sql.ref(column)}
      union select up.id, up.parent_id from files as up join above on up.id = above.parent_id
    )
    select 1 from above join file_shares as given on given.file_id = above.id where given.person_id = ${accessScope.actor.id} and given.role in (${sql.join(roles)})
  ) else false end`
}

export function organizationFiles(scope: AccessScope): Scoped<'files'> {
  return scope.all.selectFrom('files').where('files.org_id', '=', scope.actor.org_id)
}

export function mayChange(accessScope: AccessScope): Expression<SqlBool> {
  return sql<SqlBool>`case files.place when 'drive' then ${inOwnDrive(accessScope)} when 'project' then ${project.holds(accessScope, 'files.project_id', 'edit')} else files.created_by = ${accessScope.actor.id} end`
}

/** Whether a file is shared with the actor, found from the shares downward. */
export function isShared(viewer: Viewer): Expression<SqlBool> {
  const s = accessScopeOf(viewer)
  return sql<SqlBool>`case when ${hasShares(s)} then files.id in (
    with recursive shared (id) as (
      select given.file_id from file_shares as given where given.person_id = ${s.actor.id}
      union select down.id from files as down join shared on down.parent_id = shared.id
    )
    select shared.id from shared) else false end`
}
