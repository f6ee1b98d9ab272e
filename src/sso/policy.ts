import type { Store } from '../db/open.ts'
import { requireEmergencyAdmin, isProviderOnly } from '../identity/sign-in-policy.ts'
import type { Id } from '../kernel/ids.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { Row } from '../records/resource.ts'

/**
 * Restricts an organization's sign-in to its providers, or allows all methods again; inside a job of the writer.
 * Sessions stay.
 * Returns false if nothing changed.
 * @throws Refusal conflict if there is no provider, or no administrator who could sign in while it is down
 */
export async function setProviderOnly(
  store: Store,
  now: number,
  org: Id<'orgs'>,
  isOnly: boolean,
): Promise<boolean> {
  const { write } = store
  if ((await isProviderOnly(write, org)) === isOnly) return false
  if (!isOnly) {
    await write.deleteFrom('sso_only_orgs').where('org_id', '=', org).execute()
    return true
  }
  const provider = await write
    .selectFrom('sso_providers')
    .select('id')
    .where('org_id', '=', org)
    .limit(1)
    .executeTakeFirst()
  if (!provider)
    throw new Refusal('conflict', 'There is no provider to sign in with.', 'Add one first.')
  await requireEmergencyAdmin(store, org)
  await write.insertInto('sso_only_orgs').values({ org_id: org, created_at: now }).execute()
  return true
}

/** People of an organization who may sign in without the provider, by name. */
export function emergencyAccounts(db: Store['read'], org: Id<'orgs'>) {
  return db
    .selectFrom('sso_emergency_accounts')
    .innerJoin('users', 'users.id', 'sso_emergency_accounts.person_id')
    .select(['users.id', 'users.display_name', 'users.email', 'users.role'])
    .where('users.org_id', '=', org)
    .where('users.status', '=', 'active')
    .orderBy('users.display_name')
    .orderBy('users.id')
    .execute()
}

/**
 * Sets whether a person may sign in without the provider; inside a job of the writer.
 * @throws Refusal conflict if this is the last such administrator and people can sign in only with a provider
 */
export async function setEmergencyAccount(
  store: Store,
  now: number,
  { id, org_id }: Pick<Row<'users'>, 'id' | 'org_id'>,
  isEmergency: boolean,
): Promise<void> {
  const { write } = store
  if (!isEmergency && (await isProviderOnly(write, org_id)))
    await requireEmergencyAdmin(store, org_id, id)
  await write.deleteFrom('sso_emergency_accounts').where('person_id', '=', id).execute()
  if (isEmergency)
    await write
      .insertInto('sso_emergency_accounts')
      .values({ org_id, person_id: id, created_at: now })
      .execute()
}
