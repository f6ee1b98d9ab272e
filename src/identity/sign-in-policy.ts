import type { Store } from '../db/open.ts'
import type { Id } from '../kernel/ids.ts'
import type { Row } from '../records/resource.ts'

/** Whether a person may sign in with a password or a passkey: not where their organization signs in by a provider only, unless their account is an emergency one. */
export async function maySignInDirectly(
  db: Store['read'],
  { id, org_id }: Pick<Row<'users'>, 'id' | 'org_id'>,
): Promise<boolean> {
  return !(await isProviderOnly(db, org_id)) || (await isEmergencyAccount(db, id))
}

/** Whether the people of an organization sign in by an identity provider only. */
export async function isProviderOnly(db: Store['read'], org: Id<'orgs'>): Promise<boolean> {
  const row = await db
    .selectFrom('sso_only_orgs')
    .select('org_id')
    .where('org_id', '=', org)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a person may sign in without the provider, whatever the organization has decided. */
export async function isEmergencyAccount(db: Store['read'], person: Id<'users'>): Promise<boolean> {
  const row = await db
    .selectFrom('sso_emergency_accounts')
    .select('person_id')
    .where('person_id', '=', person)
    .executeTakeFirst()
  return row !== undefined
}
