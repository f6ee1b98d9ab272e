// Password reset links: an administrator creates one for a person, who uses it once.

import { recordAction, type ActionOrigin } from '../audit/act.ts'
import type { Actor } from '../kernel/actor.ts'
import type { App } from '../operations/app.ts'
import type { Clock } from '../kernel/time/clock.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { Row } from '../records/resource.ts'
import { notifyPeople } from '../notify/notifications.ts'
import type { Store } from '../db/open.ts'
import { hashPassword } from '../keys/argon.ts'
import { checkPassword } from './passwords.ts'
import { applyConsequences } from './people.ts'
import { asAdmin, findByLink, requireColleague } from './administration.ts'
import { tokenHash, isToken, newToken } from './tokens.ts'

const resetLinkLifetime = 24 * 3600_000

/** Creates a link, replacing any the person had. The token is shown once. @throws Refusal */
export async function createResetLink(
  app: App,
  actor: Actor,
  id: string,
  from: ActionOrigin,
): Promise<{ person: Row<'users'>; token: string; expires_at: number }> {
  return asAdmin(app, actor, async (now) => {
    const { store } = app
    const person = await requireColleague(store.write, actor, id)
    if (person.status !== 'active')
      throw new Refusal(
        'conflict',
        `${person.display_name} is ${person.status}.`,
        'Reactivate them first.',
      )
    const token = await replaceLink(store, now, person, actor.id)
    const item = { type: 'person', id: person.id }
    await recordAction(store, {
      ...from,
      tool: 'create_reset_link',
      route: 'POST /web/people/{id}/reset-link',
      kind: 'write',
      via: 'web',
      at: now,
      org_id: actor.org_id,
      actor_id: actor.id,
      items: [item],
    })
    await notifyPeople(store.write, now, person.org_id, [person.id], {
      kind: 'security',
      item,
      actor: actor.id,
      text: `${actor.display_name} created a link to reset your password`,
    })
    return { person, token, expires_at: now + resetLinkLifetime }
  })
}

/**
 * The same for the operator of the instance, from the command line. The person counts as its creator.
 * @throws Refusal conflict if the person is not active
 */
export async function createResetLinkAsOperator(
  store: Store,
  clock: Clock,
  person: Row<'users'>,
): Promise<{ token: string; expires_at: number }> {
  return store.writer.run(async () => {
    const now = clock.now()
    const { display_name, status } = await store.write
      .selectFrom('users')
      .select(['display_name', 'status'])
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow()
    if (status !== 'active')
      throw new Refusal(
        'conflict',
        `${display_name} is ${status}.`,
        'Activate them first: `workspace users activate <email>`.',
      )
    const token = await replaceLink(store, now, person, person.id)
    const items = [{ type: 'person', id: person.id }]
    await recordAction(store, {
      tool: 'create_reset_link',
      route: 'workspace users',
      kind: 'write',
      via: 'cli',
      at: now,
      org_id: person.org_id,
      actor_id: person.id,
      items,
    })
    return { token, expires_at: now + resetLinkLifetime }
  })
}

/** Creates a link for a person, replacing any they had; inside a writer job. */
async function replaceLink(
  { write }: Store,
  now: number,
  person: Row<'users'>,
  maker: Row<'users'>['id'],
): Promise<string> {
  const token = newToken()
  await write
    .deleteFrom('password_resets')
    .where((eb) => eb.or([eb('person_id', '=', person.id), eb('expires_at', '<=', now)]))
    .execute()
  await write
    .insertInto('password_resets')
    .values({
      token_hash: tokenHash(token),
      org_id: person.org_id,
      person_id: person.id,
      created_at: now,
      created_by: maker,
      expires_at: now + resetLinkLifetime,
    })
    .execute()
  return token
}

/** Sets the password of the link's person; all their sessions end. @throws Refusal */
export async function resetPassword(
  app: App,
  input: { token: string; password: string; ip: string; from: ActionOrigin },
): Promise<Row<'users'>> {
  const { store, clock } = app
  await findByLink(app, input.ip, () => personByToken(store.read, clock.now(), input.token))
  checkPassword(input.password)
  const password_hash = await hashPassword(input.password)
  return findByLink(app, input.ip, () =>
    store.writer.run(async () => {
      const now = clock.now()
      const person = await personByToken(store.write, now, input.token)
      if (!person) return undefined // used meanwhile
      await store.write
        .updateTable('users')
        .set({ password_hash, revision: person.revision + 1, updated_at: now })
        .where('id', '=', person.id)
        .execute()
      await applyConsequences(store, now, person, { password_hash })
      const item = { type: 'person', id: person.id }
      await recordAction(store, {
        ...input.from,
        session: undefined,
        tool: 'reset_password',
        route: 'POST /web/reset',
        kind: 'write',
        via: 'web',
        at: now,
        org_id: person.org_id,
        actor_id: person.id,
        items: [item],
      })
      await notifyPeople(store.write, now, person.org_id, [person.id], {
        kind: 'security',
        item,
        actor: null,
        text: 'Your password was reset with a link',
      })
      return person
    }),
  )
}

function personByToken(
  db: Store['read'],
  now: number,
  token: string,
): Promise<Row<'users'> | undefined> {
  if (!isToken(token)) return Promise.resolve(undefined)
  return db
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.person_id')
    .selectAll('users')
    .where('password_resets.token_hash', '=', tokenHash(token))
    .where('password_resets.expires_at', '>', now)
    .where('users.status', '=', 'active')
    .executeTakeFirst()
}
