import { checkPerson, insertPerson } from '../../identity/people.ts'
import type { WriteContext } from '../../operations/context.ts'
import { runAsProvider, type ScimCaller } from './caller.ts'
import { requirePerson, type ScimPerson } from './access-people.ts'
import { insertManagedPerson, applyValues, providerNames, requireUnique } from './person-changes.ts'
import { deactivate } from './person-status.ts'
import type { UserValues } from './user-values.ts'

/**
 * Creates a person, or restores one that this provider had deleted.
 * @throws ScimRefusal uniqueness; Refusal plan_exceeded
 */
export function createPerson(caller: ScimCaller, values: UserValues): Promise<ScimPerson> {
  const items: { type: string; id: string }[] = []
  return runAsProvider(caller, { tool: 'scim_create_user', items }, async (ctx) => {
    const { app, provider } = caller
    const deleted = await findDeletedPerson(caller, values)
    const id = deleted
      ? await restoreDeleted(caller, ctx, deleted, values)
      : await insert(caller, ctx, values)
    items.push({ type: 'person', id })
    return { value: await requirePerson(app.store.write, provider, id), changed: true }
  })
}

async function insert(
  caller: ScimCaller,
  ctx: WriteContext,
  values: UserValues,
): Promise<ScimPerson['id']> {
  const { app, provider } = caller
  const { store, clock, settings } = app
  await releaseNames(caller, ctx, values)
  await requireUnique(caller, undefined, values)
  const { email, displayName = email.split('@')[0] ?? email, timezone } = values
  const person = {
    org: provider.org_id,
    email,
    name: displayName,
    role: 'member',
    timezone,
    plans: settings,
  } as const
  checkPerson(person)
  const id = await insertPerson(store, clock.now(), person)
  await insertManagedPerson(caller, id, { ...providerNames(values), is_created: 1 })
  if (values.title !== undefined)
    await store.write
      .updateTable('users')
      .set({ title: values.title })
      .where('id', '=', id)
      .execute()
  if (values.isActive === false) await deactivate(caller, ctx, { id })
  return id
}

/**
 * Frees the address and user name of people deleted by the provider for a new person. Their accounts and contents
 * stay.
 */
async function releaseNames(
  { app, provider }: ScimCaller,
  ctx: WriteContext,
  { userName, email }: UserValues,
): Promise<void> {
  const { write } = app.store
  const holders = await write
    .selectFrom('scim_people')
    .innerJoin('users', 'users.id', 'scim_people.person_id')
    .selectAll('users')
    .select('scim_people.user_name')
    .where('scim_people.provider_id', '=', provider.id)
    .where('scim_people.deleted_at', 'is not', null)
    .where('users.status', '=', 'deactivated')
    .where((eb) => eb.or([eb('user_name', '=', userName), eb('users.email', '=', email)]))
    .execute()
  for (const { user_name, ...person } of holders) {
    if (user_name === userName)
      await write
        .updateTable('scim_people')
        .set({ user_name: person.id })
        .where('person_id', '=', person.id)
        .execute()
    if (person.email === email)
      await ctx.change('users', person, { email: `${person.id}@deleted.invalid` })
  }
}

/**
 * Finds a person whom the provider deleted and now re-creates, by the external id: an address alone may belong to
 * a successor, who must not get the account.
 */
async function findDeletedPerson(
  { app, provider }: ScimCaller,
  { externalId }: UserValues,
): Promise<ScimPerson['id'] | undefined> {
  if (externalId === undefined) return undefined
  const row = await app.store.write
    .selectFrom('scim_people')
    .innerJoin('users', 'users.id', 'scim_people.person_id')
    .select('scim_people.person_id')
    .where('scim_people.provider_id', '=', provider.id)
    .where('scim_people.deleted_at', 'is not', null)
    .where('users.status', '=', 'deactivated')
    .where('external_id', '=', externalId)
    .executeTakeFirst()
  return row?.person_id
}

async function restoreDeleted(
  caller: ScimCaller,
  ctx: WriteContext,
  id: ScimPerson['id'],
  values: UserValues,
): Promise<ScimPerson['id']> {
  const { app, provider } = caller
  await app.store.write
    .updateTable('scim_people')
    .set({ deleted_at: null })
    .where('person_id', '=', id)
    .execute()
  const person = await requirePerson(app.store.write, provider, id)
  await applyValues(caller, ctx, person, { ...values, isActive: values.isActive ?? true })
  return id
}
