// Challenges for passkeys to sign: random, for one answer, for five minutes, and for one requester.

import { randomBytes } from 'node:crypto'
import type { Id } from '../kernel/ids.ts'
import type { Store } from '../db/open.ts'
import type { PasskeyChallengesTable } from '../db/tables.ts'
import { tokenHash } from './tokens.ts'

export const challengeLifetime = 5 * 60_000

export type ChallengeHolder = string & { readonly '~holder': true }

export const sessionHolder = (session: Id<'web_sessions'>) =>
  tokenHash(`session\n${session}`) as ChallengeHolder
/** By the value of the browser's cookie. */
export const browserHolder = (token: string) => tokenHash(`browser\n${token}`) as ChallengeHolder

type Purpose = PasskeyChallengesTable['purpose']

/** Creates a challenge and deletes expired ones. */
export async function newChallenge(
  store: Store,
  now: number,
  purpose: Purpose,
  holder: ChallengeHolder,
): Promise<Buffer<ArrayBuffer>> {
  const challenge = Buffer.from(new Uint8Array(randomBytes(32)))
  await store.writer.run(async () => {
    await store.write.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute()
    await store.write
      .insertInto('passkey_challenges')
      .values({
        challenge_hash: tokenHash(challenge.toString('base64url')),
        purpose,
        holder_hash: holder,
        expires_at: now + challengeLifetime,
      })
      .execute()
  })
  return challenge
}

/** Consumes a challenge, whatever the outcome. @returns whether it was for this purpose and holder, and in time */
export function spendChallenge(
  store: Store,
  now: number,
  challenge: string,
  purpose: Purpose,
  holder: ChallengeHolder,
): Promise<boolean> {
  return store.writer.run(async () => {
    const deleteQueryBuilder = store.write
      .deleteFrom('passkey_challenges')
      .where('challenge_hash', '=', tokenHash(challenge))
      .where('purpose', '=', purpose)
      .where('holder_hash', '=', holder)
    const spent = await deleteQueryBuilder.returning('expires_at').executeTakeFirst()
    return (
      spent !== undefined && spent.expires_at > now && spent.expires_at - now <= challengeLifetime
    ) // the second limit applies if the clock was set back
  })
}
