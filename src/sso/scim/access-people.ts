// The people visible to a provider's token: those that it manages, and unmanaged ones with addresses in the provider's
// domains. People of other providers and of other organizations appear not to exist.

import { sql, type Expression, type SqlBool } from 'kysely'
import type { Store } from '../../db/open.ts'
import { isId } from '../../kernel/ids.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { Provider } from '../providers.ts'
import { toCondition, type Attributes, type ListQuery } from './access-conditions.ts'
import { parseFilter } from './filter.ts'

/** `db`: inside a job of the writer, its connection. */
function visiblePeople(db: Store['read'], { id, org_id, domains }: Provider) {
  return db
    .selectFrom('users')
    .leftJoin('scim_people', 'scim_people.person_id', 'users.id')
    .where('users.org_id', '=', org_id)
    .where((eb) => {
      const isManaged = eb.and([
        eb('scim_people.provider_id', '=', id),
        eb('scim_people.deleted_at', 'is', null),
      ])
      // A person restored by an administrator after the provider had deleted them is unmanaged again.
      const isUnmanaged = eb.or([
        eb('scim_people.provider_id', 'is', null),
        eb.and([
          eb('scim_people.deleted_at', 'is not', null),
          eb('users.status', '!=', 'deactivated'),
        ]),
      ])
      const domainConditions =
        domains.length === 0
          ? []
          : [eb.or(domains.map((domain) => eb('users.email', 'like', `%@${domain}`)))]
      return eb.or([isManaged, eb.and([isUnmanaged, ...domainConditions])])
    })
}

/** A person with the provider's data about them. */
export type ScimPerson = Awaited<
  ReturnType<ReturnType<typeof selectPeople>['executeTakeFirstOrThrow']>
>

function selectPeople(db: Store['read'], provider: Provider) {
  return visiblePeople(db, provider)
    .selectAll('users')
    .select((eb) => {
      const ifManaged = <T>(value: Expression<T>) =>
        eb.case().when('scim_people.provider_id', '=', provider.id).then(value).end()
      return [
        userNameOf(provider).as('user_name'),
        ifManaged(eb.ref('scim_people.external_id')).as('external_id'),
        ifManaged(eb.ref('scim_people.given_name')).as('given_name'),
        ifManaged(eb.ref('scim_people.family_name')).as('family_name'),
        'scim_people.provider_id',
        'scim_people.is_created',
        'scim_people.deactivated_at',
        'scim_people.deleted_at',
        'scim_people.updated_at as scim_updated_at',
      ]
    })
}

/** A person by id; undefined if they are invisible to the provider. */
export async function findPerson(
  db: Store['read'],
  provider: Provider,
  id: string,
): Promise<ScimPerson | undefined> {
  if (!isId('usr', id)) return undefined
  return selectPeople(db, provider)
    .where('users.id', '=', id as ScimPerson['id'])
    .executeTakeFirst()
}

/** @throws Refusal not_found */
export async function requirePerson(
  db: Store['read'],
  provider: Provider,
  id: string,
): Promise<ScimPerson> {
  const row = await findPerson(db, provider, id)
  if (!row) throw notFound('user', 'id')
  return row
}

/** One page, from a position that starts at 1. @throws ScimRefusal invalidFilter */
export async function listPeople(
  db: Store['read'],
  provider: Provider,
  { filter, startIndex, count }: ListQuery,
  attributes = personAttributes(provider),
): Promise<{ total: number; rows: ScimPerson[] }> {
  const where = filter === undefined ? undefined : toCondition(parseFilter(filter), attributes)
  const all = selectPeople(db, provider)
  const query = where ? all.where(where) : all
  const { total } = await query
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows =
    count === 0
      ? []
      : await query
          .orderBy('users.id')
          .limit(count)
          .offset(startIndex - 1)
          .execute()
  return { total: Number(total), rows }
}

/** The user name set by the provider; for unmanaged people, the address. */
function userNameOf({ id }: Provider) {
  return sql<string>`case when ${sql.ref('scim_people.provider_id')} = ${id} then ${sql.ref('scim_people.user_name')} else ${sql.ref('users.email')} end`
}

/** Value of `meta.lastModified`: the last change of the account, or of the provider's data about it. */
const lastModified = sql<number>`case when coalesce(${sql.ref('scim_people.updated_at')}, 0) > ${sql.ref('users.updated_at')} then ${sql.ref('scim_people.updated_at')} else ${sql.ref('users.updated_at')} end`

/** Filterable attributes of people. */
export function personAttributes(provider: Provider): Attributes {
  const managedColumn = (column: string) =>
    sql<
      string | null
    >`case when ${sql.ref('scim_people.provider_id')} = ${provider.id} then ${sql.ref(column)} end`
  const isInGroup = (value: string): Expression<SqlBool> =>
    sql<SqlBool>`exists (select 1 from scim_group_members m join scim_groups g on g.id = m.group_id where g.provider_id = ${provider.id} and m.person_id = ${sql.ref('users.id')} and g.id = ${value})`
  return {
    id: { kind: 'exact', column: sql.ref('users.id') },
    username: { kind: 'text', column: userNameOf(provider) },
    externalid: { kind: 'exact', column: managedColumn('scim_people.external_id') },
    displayname: { kind: 'text', column: sql.ref('users.display_name') },
    'name.formatted': { kind: 'text', column: sql.ref('users.display_name') },
    'name.givenname': { kind: 'text', column: managedColumn('scim_people.given_name') },
    'name.familyname': { kind: 'text', column: managedColumn('scim_people.family_name') },
    title: { kind: 'text', column: sql.ref('users.title') },
    emails: { kind: 'text', column: sql.ref('users.email') },
    'emails.value': { kind: 'text', column: sql.ref('users.email') },
    'emails.type': { kind: 'text', column: sql`'work'` },
    'emails.primary': { kind: 'boolean', isTrue: sql<SqlBool>`1 = 1` },
    active: { kind: 'boolean', isTrue: sql<SqlBool>`${sql.ref('users.status')} = 'active'` },
    groups: { kind: 'reference', has: isInGroup },
    'groups.value': { kind: 'reference', has: isInGroup },
    'meta.resourcetype': { kind: 'exact', column: sql`'User'` },
    'meta.created': { kind: 'time', column: sql.ref('users.created_at') },
    'meta.lastmodified': { kind: 'time', column: lastModified },
  }
}
