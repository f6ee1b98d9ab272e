// Browsers in which a person has signed in before. Guessing at that person's password elsewhere slows down all other
// browsers but not these: otherwise anyone could lock others out.

import type { Id } from '../kernel/ids.ts'
import type { Row } from '../records/resource.ts'
import type { Store } from '../db/open.ts'
import { tokenHash, isToken, newToken } from './tokens.ts'

/** A browser is forgotten after this time without a sign-in. */
export const deviceLifetime = 180 * 24 * 3600_000
const maxPerPerson = 20

/** Stored hash of the browser's cookie, if this person signed in with it before. */
export async function knownDevice(
  store: Store,
  now: number,
  token: string | undefined,
  person: Id<'users'> | undefined,
): Promise<string | undefined> {
  if (token === undefined || person === undefined || !isToken(token)) return undefined
  const deviceQuery = store.read
    .selectFrom('known_devices')
    .select('token_hash')
    .where('token_hash', '=', tokenHash(token))
    .where('person_id', '=', person)
  return (await deviceQuery.where('last_used_at', '>', now - deviceLifetime).executeTakeFirst())
    ?.token_hash
}

/**
 * Remembers the browser for this person; inside a writer job. Replaces a cookie that was not issued here.
 * @returns the value for the browser's cookie
 */
export async function rememberDevice(
  store: Store,
  now: number,
  person: Pick<Row<'users'>, 'id' | 'org_id'>,
  sentToken: string | undefined,
): Promise<string> {
  const { write } = store
  await write
    .deleteFrom('known_devices')
    .where('last_used_at', '<=', now - deviceLifetime)
    .execute()
  const token = (await isRemembered(store.write, sentToken)) ? sentToken! : newToken()
  const token_hash = tokenHash(token)
  await write
    .insertInto('known_devices')
    .values({
      token_hash,
      person_id: person.id,
      org_id: person.org_id,
      created_at: now,
      last_used_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['token_hash', 'person_id']).doUpdateSet({ last_used_at: now }),
    )
    .execute()
  const all = await write
    .selectFrom('known_devices')
    .select('token_hash')
    .where('person_id', '=', person.id)
    .orderBy('last_used_at', 'desc')
    .execute()
  for (const old of all.slice(maxPerPerson))
    await write
      .deleteFrom('known_devices')
      .where('person_id', '=', person.id)
      .where('token_hash', '=', old.token_hash)
      .execute()
  return token
}

/** Whether anyone has signed in with this browser before. */
export async function isRemembered(db: Store['read'], token: string | undefined): Promise<boolean> {
  if (token === undefined || !isToken(token)) return false
  return (
    (await db
      .selectFrom('known_devices')
      .select('token_hash')
      .where('token_hash', '=', tokenHash(token))
      .limit(1)
      .executeTakeFirst()) !== undefined
  )
}
