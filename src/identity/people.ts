import { recordAction } from '../audit/act.ts'
import type { Settings } from '../config/settings.ts'
import type { Store } from '../db/open.ts'
import type { Actor } from '../kernel/actor.ts'
import { isTimezone } from '../kernel/fields.ts'
import { type Id, newId } from '../kernel/ids.ts'
import { Refusal, invalid } from '../kernel/refusal.ts'
import type { Clock } from '../kernel/time/clock.ts'
import { checkMembers } from '../limits/plan.ts'
import type { Row } from '../records/resource.ts'
import { requireOtherAdmin } from './sign-in-policy.ts'
import { addDrive } from './drives.ts'
import { clearAccountFailures } from './failures.ts'
import { endSessions } from './sessions.ts'

export type Role = 'admin' | 'member' | 'guest'

export interface NewPerson {
  org: Id<'orgs'>
  email: string
  name: string
  role: Role
  /** An argon2id PHC string; without one, password sign-in is not possible. */
  passwordHash?: string | undefined
  timezone?: string | undefined
  /** Settings with the member limits of plans; unset: the plan is not checked. */
  plans?: Pick<Settings, 'plans' | 'default_plan'> | undefined
}

const weekdayHours = [{ from: '09:00', to: '17:00' }]
const defaultWorkingHours = JSON.stringify({
  mon: weekdayHours,
  tue: weekdayHours,
  wed: weekdayHours,
  thu: weekdayHours,
  fri: weekdayHours,
})

/** Adds a person to an organization; with a route, logs it in the call log. */
export function addPerson(
  store: Store,
  clock: Clock,
  person: NewPerson,
  route?: string,
): Promise<Id<'users'>> {
  checkPerson(person)
  return store.writer.run(async () => {
    const at = clock.now()
    const id = await insertPerson(store, at, person)
    const items = [{ type: 'person', id }]
    if (route)
      await recordAction(store, {
        tool: 'create_user',
        route,
        kind: 'write',
        via: 'cli',
        at,
        org_id: person.org,
        actor_id: id,
        items,
        arguments: { role: person.role },
      })
    return id
  })
}

/** @throws Refusal invalid_argument naming the field */
export function checkPerson(newPerson: Pick<NewPerson, 'email' | 'name' | 'timezone'>): void {
  const name = newPerson.name.trim()
  checkEmail(newPerson.email)
  if (name === '' || name.length > 200)
    throw invalid('name', 'a person needs a name of 1 to 200 characters.')
  if (newPerson.timezone !== undefined && !isTimezone(newPerson.timezone))
    throw invalid('timezone', `${JSON.stringify(newPerson.timezone)} is not an IANA time zone.`)
}

/** @throws Refusal invalid_argument, field `email` */
export function checkEmail(text: string): void {
  const email = text.trim()
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254)
    throw invalid('email', `${JSON.stringify(text)} is not an email address.`)
}

/** Inside a writer job; requires a prior checkPerson. */
export async function insertPerson(
  store: Store,
  now: number,
  person: NewPerson,
): Promise<Id<'users'>> {
  const email = person.email.trim().toLowerCase()
  const org = await store.write
    .selectFrom('orgs')
    .select(['id', 'default_timezone'])
    .where('id', '=', person.org)
    .executeTakeFirst()
  if (!org) throw new Refusal('not_found', 'Organization not found.', { field: 'org' })
  const existing = await store.write
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst()
  if (existing)
    throw new Refusal('conflict', `A person with the address ${email} already exists.`, {
      field: 'email',
    })
  if (person.plans) await checkMembers(store.write, org.id, person.plans)
  const id = newId<'users'>('usr', now)
  await store.write
    .insertInto('users')
    .values({
      id,
      org_id: person.org,
      email,
      display_name: person.name.trim(),
      role: person.role,
      status: 'active',
      timezone: person.timezone ?? org.default_timezone,
      working_hours_json: defaultWorkingHours,
      availability: 'available',
      password_hash: person.passwordHash ?? null,
      title: null,
      manager_id: null,
      presence_text: null,
      presence_emoji: null,
      presence_until_at: null,
      avatar_file_id: null,
      revision: 1,
      created_at: now,
      updated_at: now,
      hides_presence: 0,
      shortcuts_json: null,
    })
    .execute()
  await addCalendar(store, now, id)
  await addDrive(store, now, id, org.id)
  return id
}

/** Every person has a built-in calendar. */
async function addCalendar({ write }: Store, now: number, owner: Id<'users'>): Promise<void> {
  const { org_id, timezone } = await write
    .selectFrom('users')
    .select(['org_id', 'timezone'])
    .where('id', '=', owner)
    .executeTakeFirstOrThrow()
  const stamp = {
    revision: 1,
    created_at: now,
    updated_at: now,
    created_by: owner,
    created_via: 'web',
  } as const
  await write
    .insertInto('calendars')
    .values({
      id: newId('cal', now),
      org_id,
      owner_id: owner,
      account_id: null,
      name: 'Calendar',
      timezone,
      access: 'owner',
      is_primary: 1,
      color: null,
      remote_url: null,
      ctag: null,
      sync_token: null,
      synced_at: null,
      ...stamp,
    })
    .execute()
}

/** The person with an address or id. @throws Refusal not_found */
export async function requirePerson(store: Store, emailOrId: string): Promise<Row<'users'>> {
  const text = emailOrId.trim()
  const person = await store.read
    .selectFrom('users')
    .selectAll()
    .where((eb) =>
      eb.or([eb('email', '=', text.toLowerCase()), eb('id', '=', text as Id<'users'>)]),
    )
    .executeTakeFirst()
  if (!person)
    throw new Refusal(
      'not_found',
      `No person matches ${JSON.stringify(text)}.`,
      '`workspace users list` shows all people.',
    )
  return person
}

/**
 * Deactivates a person, after which their keys and sessions are refused from the next request on, or reactivates
 * them. False if nothing changed.
 */
export function setStatus(
  store: Store,
  clock: Clock,
  person: Row<'users'>,
  status: 'active' | 'deactivated',
  plans?: NewPerson['plans'],
): Promise<boolean> {
  const tool = status === 'active' ? 'activate_user' : 'deactivate_user'
  const check = async () => {
    if (plans && status === 'active') await checkMembers(store.write, person.org_id, plans)
  }
  return updatePerson(store, clock, person, tool, { status }, { status }, check)
}

/** Changes a person's role. False if nothing changed. @throws Refusal conflict for the last active administrator */
export function setRole(
  store: Store,
  clock: Clock,
  person: Row<'users'>,
  role: Role,
): Promise<boolean> {
  return updatePerson(store, clock, person, 'set_user_role', { role }, { role })
}

/** Sets a person's password by its hash; all their sessions end. */
export async function setPasswordHash(
  store: Store,
  clock: Clock,
  person: Row<'users'>,
  passwordHash: string,
): Promise<void> {
  await updatePerson(store, clock, person, 'set_user_password', { password_hash: passwordHash }, {})
}

function updatePerson(
  store: Store,
  clock: Clock,
  person: Row<'users'>,
  tool: string,
  patch: PersonPatch,
  loggedArguments: Record<string, unknown>,
  check = () => {},
): Promise<boolean> {
  return store.writer.run(async () => {
    const now = clock.now()
    const row = await store.write
      .selectFrom('users')
      .selectAll()
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow()
    if (!hasChanges(row, patch)) return false
    await check()
    await requireOtherAdmin(store, row, patch)
    await store.write
      .updateTable('users')
      .set({ ...patch, revision: row.revision + 1, updated_at: now })
      .where('id', '=', person.id)
      .execute()
    await applyConsequences(store, now, row, patch)
    const items = [{ type: 'person', id: person.id }]
    await recordAction(store, {
      tool,
      route: 'workspace users',
      kind: 'write',
      via: 'cli',
      at: now,
      org_id: person.org_id,
      actor_id: person.id,
      items,
      arguments: loggedArguments,
    })
    return true
  })
}

/** Columns of a person that others may change. */
export type PersonPatch = Partial<Pick<Row<'users'>, 'role' | 'status' | 'password_hash'>>

export function hasChanges(row: Row<'users'>, patch: PersonPatch): boolean {
  return Object.entries(patch).some(([column, value]) => row[column as keyof typeof row] !== value)
}

/** Applies the consequences of such a change, however it was made; in the same write job. */
export async function applyConsequences(
  store: Store,
  now: number,
  { id, email }: Pick<Row<'users'>, 'id' | 'email'>,
  { role, status, password_hash }: PersonPatch,
): Promise<void> {
  if (status !== undefined) await forgetProviderStatus(store, id)
  if (status === 'deactivated' || password_hash !== undefined) await signOutEverywhere(store, id)
  if (password_hash !== undefined) await clearAccountFailures(store, email)
  if (status === 'deactivated' || (role !== undefined && role !== 'admin'))
    await revokeLinksBy(store, now, id)
}

/** The deactivation is no longer the identity provider's, so the provider cannot undo it. */
async function forgetProviderStatus({ write }: Store, person: Id<'users'>): Promise<void> {
  await write
    .updateTable('scim_people')
    .set({ deactivated_at: null })
    .where('person_id', '=', person)
    .execute()
}

/** Ends links that a person created as an administrator: a former administrator must not return through them. */
async function revokeLinksBy({ write }: Store, now: number, maker: Id<'users'>): Promise<void> {
  await write
    .updateTable('invitations')
    .set({ revoked_at: now, revoked_by: maker })
    .where('created_by', '=', maker)
    .where('expires_at', '>', now)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute()
  await write.deleteFrom('password_resets').where('created_by', '=', maker).execute()
}

/** Ends all sessions of a person and their password reset links, and forgets their browsers; inside a writer job. */
export async function signOutEverywhere(store: Store, person: Id<'users'>): Promise<void> {
  await store.write.deleteFrom('password_resets').where('person_id', '=', person).execute()
  await endSessions(store, (eb) => eb('person_id', '=', person))
  await store.write.deleteFrom('known_devices').where('person_id', '=', person).execute()
}

/** A person as the actor of the command line. @throws Refusal if they are unknown or deactivated */
export async function commandLineActor(store: Store, email: string): Promise<Actor> {
  const {
    id,
    org_id,
    email: address,
    display_name,
    role,
    timezone,
    status,
  } = await requirePerson(store, email)
  if (status !== 'active') throw new Refusal('permission_denied', `${display_name} is ${status}.`)
  return { id, org_id, email: address, display_name, role, timezone, via: 'cli', key: undefined }
}
