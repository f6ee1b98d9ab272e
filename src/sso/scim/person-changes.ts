// Applies a provider's changes to people. Each change is one write job; repeating it changes nothing.

import { notifyPeople } from '../../notify/notifications.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { WriteContext } from '../../operations/context.ts'
import { isInDomains } from '../claims.ts'
import { runAsProvider, type ScimCaller } from './caller.ts'
import { requirePerson, type ScimPerson } from './access-people.ts'
import { deactivate, reactivate, requireNoEmergencyAccount } from './person-status.ts'
import type { Json } from './patch.ts'
import { ScimRefusal } from './refusals.ts'
import { parseUserValues, type UserValues } from './user-values.ts'

/**
 * Changes a person with `change`, which maps the current data to new data. An unmanaged person becomes managed by
 * this provider.
 * @throws Refusal not_found, conflict; ScimRefusal
 */
export function changePerson(
  caller: ScimCaller,
  id: string,
  change: (present: Json) => Json,
): Promise<ScimPerson> {
  const act = { tool: 'scim_update_user', items: [{ type: 'person', id }] }
  return runAsProvider(caller, act, async (ctx) => {
    const { app, provider } = caller
    const person = await requirePerson(app.store.write, provider, id)
    const changed = await applyValues(
      caller,
      ctx,
      person,
      parseUserValues(change(toPatchBase(person))),
    )
    return { value: await requirePerson(app.store.write, provider, id), changed }
  })
}

/**
 * Deactivates a person permanently from the provider's point of view, without erasing their data. @throws Refusal
 * not_found, conflict
 */
export function deletePerson(caller: ScimCaller, id: string): Promise<void> {
  const act = { tool: 'scim_delete_user', items: [{ type: 'person', id }] }
  return runAsProvider(caller, act, async (ctx) => {
    const { app, provider } = caller
    const { write } = app.store
    const person = await requirePerson(write, provider, id)
    await takeIntoManagement(caller, person)
    await deactivate(caller, ctx, person)
    await write
      .updateTable('scim_people')
      .set({ deleted_at: ctx.now, updated_at: ctx.now })
      .where('person_id', '=', person.id)
      .execute()
    await write.deleteFrom('scim_group_members').where('person_id', '=', person.id).execute()
    return { value: undefined, changed: true }
  })
}

/** Sets changed values; inside a job of the writer. Returns whether there were any. */
export async function applyValues(
  caller: ScimCaller,
  ctx: WriteContext,
  person: ScimPerson,
  values: UserValues,
): Promise<boolean> {
  await requireUnique(caller, person, values)
  const isNew = await takeIntoManagement(caller, person)
  const haveFieldsChanged = await changeFields(caller, ctx, person, values)
  const haveNamesChanged = await updateProviderNames(caller, person, values)
  const hasStatusChanged =
    values.isActive !== undefined &&
    (await (values.isActive ? reactivate : deactivate)(caller, ctx, person))
  return isNew || haveFieldsChanged || haveNamesChanged || hasStatusChanged
}

/** Makes an unmanaged person managed by this provider; inside a job of the writer. Returns false if the person was managed by it already. */
export async function takeIntoManagement(
  { app, provider }: ScimCaller,
  person: Pick<ScimPerson, 'id' | 'email' | 'provider_id' | 'deleted_at'>,
): Promise<boolean> {
  if (person.provider_id === provider.id && person.deleted_at === null) return false
  const { write } = app.store
  await write.deleteFrom('scim_people').where('person_id', '=', person.id).execute()
  const nameOwner = await write
    .selectFrom('scim_people')
    .select('person_id')
    .where('provider_id', '=', provider.id)
    .where('user_name', '=', person.email)
    .executeTakeFirst()
  await insertManagedPerson({ app, provider }, person.id, {
    ...emptyNames,
    user_name: nameOwner ? person.id : person.email,
    is_created: 0,
  })
  return true
}

const emptyNames = { external_id: null, given_name: null, family_name: null }

/** A person's names at the provider, as stored. */
export function providerNames({ userName, externalId, givenName, familyName }: UserValues) {
  return {
    user_name: userName,
    external_id: externalId ?? null,
    given_name: givenName ?? null,
    family_name: familyName ?? null,
  }
}

/** Records that the provider manages a person; inside a job of the writer. */
export async function insertManagedPerson(
  { app, provider }: Pick<ScimCaller, 'app' | 'provider'>,
  person: ScimPerson['id'],
  profile: ReturnType<typeof providerNames> & { is_created: 0 | 1 },
): Promise<void> {
  const now = app.clock.now()
  await app.store.write
    .insertInto('scim_people')
    .values({
      ...profile,
      person_id: person,
      org_id: provider.org_id,
      provider_id: provider.id,
      created_at: now,
      updated_at: now,
      deactivated_at: null,
      deleted_at: null,
    })
    .execute()
}

async function changeFields(
  caller: ScimCaller,
  ctx: WriteContext,
  person: ScimPerson,
  values: UserValues,
): Promise<boolean> {
  const { store } = caller.app
  const row = await store.write
    .selectFrom('users')
    .selectAll()
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()
  const { displayName = row.display_name, timezone = row.timezone, email, title = null } = values
  const patch = { display_name: displayName, timezone, email, title }
  const changedFields = Object.entries(patch).filter(
    ([column, value]) => row[column as keyof typeof patch] !== value,
  )
  if (changedFields.length === 0) return false
  if (email !== row.email) await requireAddressChangeable(caller, person, email)
  await ctx.change('users', row, Object.fromEntries(changedFields))
  if (email !== row.email)
    await notifyPeople(store.write, ctx.now, row.org_id, [row.id], {
      kind: 'security',
      item: { type: 'person', id: row.id },
      actor: null,
      text: `${caller.provider.name} changed your email address to ${email}`,
    })
  return true
}

/**
 * An address gives access to accounts and receives mail: a provider may change it for people that it created, and
 * within its domains for others.
 */
async function requireAddressChangeable(
  { app, provider }: ScimCaller,
  person: ScimPerson,
  email: string,
): Promise<void> {
  await requireNoEmergencyAccount(app, person)
  const isCreatedByProvider = person.provider_id === provider.id && person.is_created === 1
  if (isCreatedByProvider) return
  if (person.role === 'admin')
    throw new Refusal(
      'conflict',
      `${person.email} is an administrator whose account this provider did not make: it cannot change the address.`,
    )
  if (provider.domains.length > 0 && !isInDomains(provider, email))
    throw new Refusal('conflict', `${email} is not in a domain of this provider.`, {
      hint: 'An administrator of the workspace says which domains it has.',
    })
}

async function updateProviderNames(
  { app, provider }: ScimCaller,
  { id }: ScimPerson,
  values: UserValues,
): Promise<boolean> {
  const { write } = app.store
  const row = await write
    .selectFrom('scim_people')
    .selectAll()
    .where('person_id', '=', id)
    .where('provider_id', '=', provider.id)
    .executeTakeFirstOrThrow()
  const names = providerNames(values)
  if (Object.entries(names).every(([column, value]) => row[column as keyof typeof names] === value))
    return false
  await write
    .updateTable('scim_people')
    .set({ ...names, updated_at: app.clock.now() })
    .where('person_id', '=', id)
    .execute()
  return true
}

/** @throws ScimRefusal uniqueness if another person has the address, the user name or the external id */
export async function requireUnique(
  { app, provider }: ScimCaller,
  person: Pick<ScimPerson, 'id'> | undefined,
  { userName, externalId, email }: UserValues,
): Promise<void> {
  const { write } = app.store
  const matches = await write
    .selectFrom('scim_people')
    .select(['person_id', 'user_name'])
    .where('provider_id', '=', provider.id)
    .where((eb) =>
      eb.or([
        eb('user_name', '=', userName),
        ...(externalId === undefined ? [] : [eb('external_id', '=', externalId)]),
      ]),
    )
    .execute()
  const other = matches.find((row) => row.person_id !== person?.id)
  if (other)
    throw new ScimRefusal(
      'uniqueness',
      `Another user has the ${other.user_name === userName ? 'userName' : 'externalId'}.`,
    )
  const addressOwner = await write
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst()
  if (addressOwner && addressOwner.id !== person?.id)
    throw new ScimRefusal('uniqueness', `The address ${email} is in use.`)
}

/** A person as the base of a PATCH. Derived attributes are omitted, so that they stay derived. */
function toPatchBase(person: ScimPerson): Json {
  const { user_name, given_name, family_name, email, display_name } = person
  const joined = [given_name, family_name].filter((part) => part !== null).join(' ')
  return {
    userName: user_name,
    externalId: person.external_id ?? undefined,
    ...(display_name === joined ? {} : { displayName: display_name }),
    name: { givenname: given_name ?? undefined, familyname: family_name ?? undefined },
    title: person.title ?? undefined,
    timezone: person.timezone,
    emails: [{ value: email, type: 'work', primary: true }],
  }
}
