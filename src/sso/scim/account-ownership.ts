import { isEmergencyAccount } from '../../identity/sign-in-policy.ts'
import type { Store } from '../../db/open.ts'
import type { Row } from '../../records/resource.ts'
import type { ProviderPerson } from '../claims.ts'
import { roleByGroups } from '../groups.ts'
import type { Provider } from '../providers.ts'
import { groupNamesOfPerson } from './access-groups.ts'

/**
 * True if a sign-in at a provider belongs to an account that it created by SCIM: the ids match, or the address is
 * verified. False for emergency accounts, and for administrators appointed by someone else; inside a job of the
 * writer.
 */
export async function isProvisionedAccount(
  db: Store['read'],
  provider: Provider,
  providerPerson: ProviderPerson,
  person: Row<'users'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('scim_people')
    .select('external_id')
    .where('person_id', '=', person.id)
    .where('provider_id', '=', provider.id)
    .where('is_created', '=', 1)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) return false
  const isIdMatch = row.external_id !== null && providerPerson.ids.includes(row.external_id)
  if (!isIdMatch && !providerPerson.isEmailVerified) return false
  if (await isEmergencyAccount(db, person.id)) return false
  if (person.role !== 'admin') return true
  return roleByGroups(provider, await groupNamesOfPerson(db, provider, person.id)) === 'admin'
}

/** The person that a provider created by SCIM with the id of the sign-in. */
export async function personByExternalId(
  db: Store['read'],
  { id }: Pick<Provider, 'id'>,
  { ids }: Pick<ProviderPerson, 'ids'>,
): Promise<Row<'users'> | undefined> {
  return db
    .selectFrom('users')
    .innerJoin('scim_people', 'scim_people.person_id', 'users.id')
    .selectAll('users')
    .where('scim_people.provider_id', '=', id)
    .where('scim_people.is_created', '=', 1)
    .where('scim_people.deleted_at', 'is', null)
    .where('scim_people.external_id', 'in', [...ids])
    .executeTakeFirst()
}

/**
 * Whether a person can sign in another way: a person just created by SCIM cannot, and asking them to would lead
 * nowhere.
 */
export async function hasOtherSignInMethod(
  db: Store['read'],
  { id, password_hash }: Row<'users'>,
): Promise<boolean> {
  if (password_hash !== null) return true
  for (const table of ['passkeys', 'sso_identities'] as const) {
    const row = await db
      .selectFrom(table)
      .select('created_at')
      .where('person_id', '=', id)
      .limit(1)
      .executeTakeFirst()
    if (row) return true
  }
  return false
}
