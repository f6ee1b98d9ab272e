// The first start: while there are no people, a single-use link creates the organization and its first administrator.
// There is no other way: no default account exists, and the link is shown only where the server was started.

import { randomBytes } from 'node:crypto'
import { tokenHash } from '../keys/tokens.ts'
import { recordAction } from '../audit/act.ts'
import type { Clock } from '../kernel/time/clock.ts'
import type { Id } from '../kernel/ids.ts'
import type { Store } from '../db/open.ts'
import { hashPassword } from '../keys/argon.ts'
import { checkPassword } from './passwords.ts'
import { checkOrganization, insertOrganization } from './organization-creation.ts'
import { checkPerson, insertPerson } from './people.ts'

const setupLinkLifetime = 15 * 60_000

/** Whether this workspace has no people yet. */
export async function isUnused(store: Store): Promise<boolean> {
  return (
    (await store.read.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined
  )
}

/** The token of a new link, valid for 15 minutes; ends earlier links. */
export async function makeSetupToken(store: Store, clock: Clock): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const now = clock.now()
  await store.writer.run(async () => {
    await store.write.deleteFrom('setup_links').where('used_at', 'is', null).execute()
    await store.write
      .insertInto('setup_links')
      .values({
        token_hash: tokenHash(token),
        created_at: now,
        expires_at: now + setupLinkLifetime,
        used_at: null,
      })
      .execute()
  })
  return token
}

/** Whether a token is currently valid for the first start. */
export async function isSetupToken(store: Store, clock: Clock, token: string): Promise<boolean> {
  return (await isValidToken(store.read, clock.now(), token)) && (await isUnused(store))
}

export interface SetupInput {
  organization: string
  timezone: string
  name: string
  email: string
  password: string
}

export interface SetupResult {
  org: Id<'orgs'>
  person: Id<'users'>
}

/**
 * Creates the organization and its administrator and consumes the link, atomically.
 * @returns undefined if the token is wrong, used or expired
 * @throws Refusal invalid_argument naming the field
 */
export async function completeSetup(
  store: Store,
  clock: Clock,
  token: string,
  input: SetupInput,
): Promise<SetupResult | undefined> {
  if (!(await isSetupToken(store, clock, token))) return undefined
  checkOrganization({ name: input.organization, timezone: input.timezone }, 'organization')
  checkPerson(input)
  checkPassword(input.password)
  const passwordHash = await hashPassword(input.password)
  return store.writer.run(async () => {
    const now = clock.now()
    if (!(await consumeToken(store, now, token))) return undefined
    const org = await insertOrganization(store, now, {
      name: input.organization,
      timezone: input.timezone,
    })
    const person = await insertPerson(store, now, {
      org,
      email: input.email,
      name: input.name,
      role: 'admin',
      passwordHash,
    })
    await recordAction(store, {
      tool: 'set_up',
      route: 'POST /setup',
      kind: 'write',
      via: 'web',
      at: now,
      org_id: org,
      actor_id: person,
      items: [{ type: 'person', id: person }],
    })
    return { org, person }
  })
}

async function consumeToken(store: Store, now: number, token: string): Promise<boolean> {
  const person = await store.write.selectFrom('users').select('id').limit(1).executeTakeFirst()
  if (person || !(await isValidToken(store.write, now, token))) return false
  await store.write
    .updateTable('setup_links')
    .set({ used_at: now })
    .where('token_hash', '=', tokenHash(token))
    .execute()
  return true
}

async function isValidToken(db: Store['read'], now: number, token: string): Promise<boolean> {
  const link = await db
    .selectFrom('setup_links')
    .select('token_hash')
    .where('token_hash', '=', tokenHash(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return link !== undefined
}
