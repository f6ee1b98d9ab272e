import type { Store } from '../../db/open.ts'
import { omitNullish } from '../../kernel/present.ts'
import { iso } from '../../kernel/time/times.ts'
import type { Row } from '../../records/resource.ts'
import type { Json } from './patch.ts'
import type { ScimPerson } from './access-people.ts'

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'

export function scimUrl(baseUrl: string): string {
  return `${baseUrl}/scim/v2`
}

/** People as SCIM users, each with their groups of the provider. */
export async function presentPeople(
  db: Store['read'],
  baseUrl: string,
  rows: readonly ScimPerson[],
): Promise<Json[]> {
  if (rows.length === 0) return []
  const groups = await membershipsOf(
    db,
    rows.map(({ id }) => id),
  )
  const base = scimUrl(baseUrl)
  return rows.map((row) => ({
    schemas: [userSchema],
    ...omitNullish({ externalId: row.external_id }),
    id: row.id,
    userName: row.user_name,
    displayName: row.display_name,
    name: {
      formatted: row.display_name,
      ...omitNullish({ givenName: row.given_name, familyName: row.family_name }),
    },
    active: row.status === 'active',
    ...omitNullish({ title: row.title }),
    timezone: row.timezone,
    emails: [{ value: row.email, type: 'work', primary: true }],
    groups: groups
      .filter((group) => group.person_id === row.id && group.provider_id === row.provider_id)
      .map(({ id, display_name }) => ({
        value: id,
        display: display_name,
        type: 'Group',
        $ref: `${base}/Groups/${id}`,
      })),
    meta: {
      resourceType: 'User',
      created: iso(row.created_at),
      lastModified: iso(Math.max(row.updated_at, row.scim_updated_at ?? 0)),
      location: `${base}/Users/${row.id}`,
    },
  }))
}

function membershipsOf(db: Store['read'], people: readonly ScimPerson['id'][]) {
  return db
    .selectFrom('scim_group_members')
    .innerJoin('scim_groups', 'scim_groups.id', 'scim_group_members.group_id')
    .select([
      'scim_group_members.person_id',
      'scim_groups.provider_id',
      'scim_groups.id',
      'scim_groups.display_name',
    ])
    .where('scim_group_members.person_id', 'in', [...people])
    .orderBy('scim_groups.id')
    .execute()
}

/** Groups with their members, unless those are left out. */
export async function presentGroups(
  db: Store['read'],
  baseUrl: string,
  rows: readonly Row<'scim_groups'>[],
  { withMembers }: { withMembers: boolean },
): Promise<Json[]> {
  if (rows.length === 0) return []
  const base = scimUrl(baseUrl)
  const members = withMembers
    ? await db
        .selectFrom('scim_group_members')
        .innerJoin('users', 'users.id', 'scim_group_members.person_id')
        .select(['scim_group_members.group_id', 'users.id', 'users.display_name'])
        .where(
          'scim_group_members.group_id',
          'in',
          rows.map(({ id }) => id),
        )
        .orderBy('users.id')
        .execute()
    : []
  const byGroup = Map.groupBy(members, (row) => row.group_id)
  return rows.map((row) => ({
    schemas: [groupSchema],
    ...omitNullish({ externalId: row.external_id }),
    id: row.id,
    displayName: row.display_name,
    ...(withMembers
      ? {
          members: (byGroup.get(row.id) ?? []).map(({ id, display_name }) => ({
            value: id,
            display: display_name,
            type: 'User',
            $ref: `${base}/Users/${id}`,
          })),
        }
      : {}),
    meta: {
      resourceType: 'Group',
      created: iso(row.created_at),
      lastModified: iso(row.updated_at),
      location: `${base}/Groups/${row.id}`,
    },
  }))
}
