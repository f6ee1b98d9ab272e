import { sql, type SqlBool } from 'kysely'
import type { Store } from '../../db/open.ts'
import { isId, type Id } from '../../kernel/ids.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { Row } from '../../records/resource.ts'
import type { Provider } from '../providers.ts'
import { toCondition, type Attributes, type ListQuery } from './access-conditions.ts'
import { parseFilter } from './filter.ts'

export type ScimGroup = Row<'scim_groups'>

/** @throws Refusal not_found */
export async function requireGroup(
  db: Store['read'],
  { id: provider }: Provider,
  id: string,
): Promise<ScimGroup> {
  const row = isId('scg', id)
    ? await db
        .selectFrom('scim_groups')
        .selectAll()
        .where('provider_id', '=', provider)
        .where('id', '=', id as ScimGroup['id'])
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('group', 'id')
  return row
}

/** One page, from a position that starts at 1. @throws ScimRefusal invalidFilter */
export async function listGroups(
  db: Store['read'],
  { id }: Provider,
  { filter, startIndex, count }: ListQuery,
  attributes = groupAttributes,
): Promise<{ total: number; rows: ScimGroup[] }> {
  const all = db.selectFrom('scim_groups').where('provider_id', '=', id)
  const query = filter === undefined ? all : all.where(toCondition(parseFilter(filter), attributes))
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows =
    count === 0
      ? []
      : await query
          .selectAll()
          .orderBy('id')
          .limit(count)
          .offset(startIndex - 1)
          .execute()
  return { total: Number(total), rows }
}

/**
 * A person's groups as named in rules, by name and by the provider's own id; undefined if the provider sends no
 * groups by SCIM, in which case the groups of the sign-in are used.
 */
export async function groupNamesOfPerson(
  db: Store['read'],
  { id }: Pick<Provider, 'id'>,
  person: Id<'users'>,
): Promise<string[] | undefined> {
  const anyGroup = await db
    .selectFrom('scim_groups')
    .select('id')
    .where('provider_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  if (!anyGroup) return undefined
  const rows = await db
    .selectFrom('scim_group_members')
    .innerJoin('scim_groups', 'scim_groups.id', 'scim_group_members.group_id')
    .select(['scim_groups.display_name', 'scim_groups.external_id'])
    .where('scim_groups.provider_id', '=', id)
    .where('scim_group_members.person_id', '=', person)
    .execute()
  return rows.flatMap(groupNamesOf)
}

/** Names by which a rule may refer to a group. */
export function groupNamesOf(group: Pick<ScimGroup, 'display_name' | 'external_id'>): string[] {
  return group.external_id === null ? [group.display_name] : [group.display_name, group.external_id]
}

const hasMember = (person: string) =>
  sql<SqlBool>`exists (select 1 from scim_group_members m where m.group_id = ${sql.ref('scim_groups.id')} and m.person_id = ${person})`

/** Filterable attributes of groups. */
export const groupAttributes: Attributes = {
  id: { kind: 'exact', column: sql.ref('id') },
  displayname: { kind: 'text', column: sql.ref('display_name') },
  externalid: { kind: 'exact', column: sql.ref('external_id') },
  members: { kind: 'reference', has: hasMember },
  'members.value': { kind: 'reference', has: hasMember },
  'meta.resourcetype': { kind: 'exact', column: sql`'Group'` },
  'meta.created': { kind: 'time', column: sql.ref('created_at') },
  'meta.lastmodified': { kind: 'time', column: sql.ref('updated_at') },
}
