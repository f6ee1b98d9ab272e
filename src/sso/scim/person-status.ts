// Deactivates and reactivates people for a provider.

import type { WriteContext } from '../../operations/context.ts'
import { requireOtherAdmin, isEmergencyAccount } from '../../identity/sign-in-policy.ts'
import { applyConsequences } from '../../identity/people.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { revokeInJob } from '../../keys/issue.ts'
import { checkMembers } from '../../limits/plan.ts'
import { notifyPeople } from '../../notify/notifications.ts'
import type { Row } from '../../records/resource.ts'
import type { ScimCaller } from './caller.ts'
import type { ScimPerson } from './access-people.ts'

/**
 * Deactivates a person: sessions, keys and connections end permanently. Inside a job of the writer. Returns false if they were
 * already deactivated.
 * @throws Refusal conflict for the last administrator and for emergency accounts
 */
export async function deactivate(
  { app, from }: ScimCaller,
  ctx: WriteContext,
  { id }: Pick<ScimPerson, 'id'>,
): Promise<boolean> {
  const { store, clock, settings } = app
  const row = await requireUserRow(app, id)
  if (row.status !== 'active') return false
  await requireNoEmergencyAccount(app, row)
  await requireOtherAdmin(store, row, { status: 'deactivated' })
  await ctx.change('users', row, { status: 'deactivated' })
  await applyConsequences(store, clock.now(), row, { status: 'deactivated' })
  await setDeactivatedAt(app, id, clock.now())
  const keys = await store.write
    .selectFrom('api_keys')
    .select('id')
    .where('owner_id', '=', id)
    .where('revoked_at', 'is', null)
    .execute()
  for (const key of keys)
    await revokeInJob(store, clock, settings.data, {
      id: key.id,
      by: ctx.actor.id,
      via: 'web',
      from,
    })
  return true
}

/**
 * Reactivates a person deactivated by this provider. Ended keys and sessions stay ended. Inside a job of the writer.
 * Returns false if they were already active.
 * @throws Refusal conflict if an administrator deactivated them, plan_exceeded
 */
export async function reactivate(
  { app, provider }: ScimCaller,
  ctx: WriteContext,
  person: Pick<ScimPerson, 'id' | 'deactivated_at'>,
): Promise<boolean> {
  const { store, clock, settings } = app
  const row = await requireUserRow(app, person.id)
  if (row.status === 'active') return false
  if (person.deactivated_at === null)
    throw new Refusal(
      'conflict',
      `${row.email} was deactivated by an administrator in the workspace.`,
      'Only an administrator there can reactivate them.',
    )
  await checkMembers(store.write, row.org_id, settings)
  await ctx.change('users', row, { status: 'active' })
  await applyConsequences(store, clock.now(), row, { status: 'active' })
  await notifyPeople(store.write, clock.now(), row.org_id, [row.id], {
    kind: 'security',
    item: { type: 'person', id: row.id },
    actor: null,
    text: `${provider.name} reactivated your account`,
  })
  return true
}

/** @throws Refusal conflict for emergency accounts, which have to work when a provider does not */
export async function requireNoEmergencyAccount(
  { store }: ScimCaller['app'],
  { id, email }: Pick<Row<'users'>, 'id' | 'email'>,
): Promise<void> {
  if (!(await isEmergencyAccount(store.write, id))) return
  throw new Refusal(
    'conflict',
    `${email} is an emergency account, which no provider can deactivate or rename.`,
    'An administrator can take that mark away in the workspace first.',
  )
}

async function setDeactivatedAt({ store }: ScimCaller['app'], id: ScimPerson['id'], at: number) {
  await store.write
    .updateTable('scim_people')
    .set({ deactivated_at: at })
    .where('person_id', '=', id)
    .execute()
}

function requireUserRow({ store }: ScimCaller['app'], id: ScimPerson['id']): Promise<Row<'users'>> {
  return store.write.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}
