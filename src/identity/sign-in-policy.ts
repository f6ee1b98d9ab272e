import type { Store } from '../db/open.ts'
import type { Id } from '../kernel/ids.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { Row } from '../records/resource.ts'

/**
 * Whether a person may sign in with a password or passkey: not if their organization requires a provider, unless the
 * account is an emergency one.
 */
export async function maySignInDirectly(
  db: Store['read'],
  { id, org_id }: Pick<Row<'users'>, 'id' | 'org_id'>,
): Promise<boolean> {
  return !(await isProviderOnly(db, org_id)) || (await isEmergencyAccount(db, id))
}

/** Whether an organization requires sign-in by an identity provider. */
export async function isProviderOnly(db: Store['read'], org: Id<'orgs'>): Promise<boolean> {
  const row = await db
    .selectFrom('sso_only_orgs')
    .select('org_id')
    .where('org_id', '=', org)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a person may sign in without the provider, regardless of the organization's setting. */
export async function isEmergencyAccount(db: Store['read'], person: Id<'users'>): Promise<boolean> {
  const row = await db
    .selectFrom('sso_emergency_accounts')
    .select('person_id')
    .where('person_id', '=', person)
    .executeTakeFirst()
  return row !== undefined
}

type Person = Pick<Row<'users'>, 'id' | 'org_id' | 'display_name' | 'role' | 'status'>

/**
 * Ensures that an organization keeps an active administrator, and one who may sign in without the provider if a
 * provider is required. Inside a writer job.
 * @throws Refusal conflict if the patch would remove the last one
 */
export async function requireOtherAdmin(
  { write }: Pick<Store, 'write'>,
  row: Person,
  patch: Partial<Pick<Person, 'role' | 'status'>>,
): Promise<void> {
  if (row.role !== 'admin' || row.status !== 'active') return
  if ((patch.role ?? 'admin') === 'admin' && (patch.status ?? 'active') === 'active') return
  const all = await activeAdministrators(write, row.org_id)
  const others = all.filter(({ id }) => id !== row.id)
  if (others.length === 0) throw lastAdministrator(row, await organizationNameOf(write, row.org_id))
  const isEmergency = all.some(({ id, is_emergency }) => is_emergency && id === row.id)
  if (
    isEmergency &&
    !others.some(canSignInWithoutProvider) &&
    (await isProviderOnly(write, row.org_id))
  )
    throw noEmergencyAdmin()
}

interface Administrator {
  id: Id<'users'>
  /** Whether they may sign in without the provider. */
  is_emergency: boolean
  /** Whether they have a password or a passkey. */
  has_credential: boolean
}

/** An organization's active administrators, and whether each can sign in while the provider is down. */
async function activeAdministrators(db: Store['read'], org: Id<'orgs'>): Promise<Administrator[]> {
  const rows = await db
    .selectFrom('users')
    .leftJoin('sso_emergency_accounts', 'sso_emergency_accounts.person_id', 'users.id')
    .select((eb) => [
      'users.id',
      'users.password_hash',
      'sso_emergency_accounts.person_id as emergency_id',
      eb
        .selectFrom('passkeys')
        .whereRef('passkeys.person_id', '=', 'users.id')
        .select('passkeys.id')
        .limit(1)
        .as('passkey_id'),
    ])
    .where('users.org_id', '=', org)
    .where('users.role', '=', 'admin')
    .where('users.status', '=', 'active')
    .execute()
  return rows.map(({ id, password_hash, emergency_id, passkey_id }) => ({
    id,
    is_emergency: emergency_id !== null,
    has_credential: password_hash !== null || passkey_id !== null,
  }))
}

function canSignInWithoutProvider({ is_emergency, has_credential }: Administrator): boolean {
  return is_emergency && has_credential
}

/**
 * Requires another administrator, besides one person, who can sign in while the provider is down. Inside a writer
 * job.
 * @throws Refusal conflict
 */
export async function requireEmergencyAdmin(
  { write }: Pick<Store, 'write'>,
  org: Id<'orgs'>,
  except?: Id<'users'>,
): Promise<void> {
  const administrators = await activeAdministrators(write, org)
  if (!administrators.some((row) => row.id !== except && canSignInWithoutProvider(row)))
    throw noEmergencyAdmin()
}

/**
 * Requires an administrator who can sign in while the provider is down, after a person's credential was removed.
 * Inside the same writer job.
 * @throws Refusal conflict
 */
export async function requireSignInMethod(
  store: Pick<Store, 'write'>,
  { org_id, person_id }: { org_id: Id<'orgs'>; person_id: Id<'users'> },
): Promise<void> {
  if (!(await isProviderOnly(store.write, org_id))) return
  if (await isEmergencyAccount(store.write, person_id)) await requireEmergencyAdmin(store, org_id)
}

async function organizationNameOf(db: Store['read'], org: Id<'orgs'>): Promise<string> {
  const { name } = await db
    .selectFrom('orgs')
    .select('name')
    .where('id', '=', org)
    .executeTakeFirstOrThrow()
  return name
}

function lastAdministrator({ display_name }: Person, org: string): Refusal {
  return new Refusal(
    'conflict',
    `${display_name} is the only active administrator of ${org}.`,
    'Make another person an administrator first: in the web app under People, or with `workspace users set-role <email> admin`.',
  )
}

function noEmergencyAdmin(): Refusal {
  return new Refusal(
    'conflict',
    'No administrator could sign in while the provider is down.',
    'Make one who has a password or a passkey an emergency account first: under Single sign-on, or with `workspace sso emergency add <email>`.',
  )
}
