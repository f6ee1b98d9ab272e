// ID tokens are stored for one purpose: to identify the provider's session at sign-out.

import { idTokenLocation, type Session } from '../identity/sessions.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { App } from '../operations/app.ts'

/** Maximum characters: the ID token is part of the sign-out URL, and many servers reject URLs above 8 KB. */
const maxIdTokenLength = 6000

/**
 * Encrypts and stores the ID token of a session; inside a job of the writer. Tokens too long for an address are not
 * stored.
 */
export async function storeIdToken(
  { store, secrets }: Pick<App, 'store' | 'secrets'>,
  now: number,
  session: Session,
  idToken: string | undefined,
): Promise<void> {
  if (idToken === undefined || idToken.length > maxIdTokenLength) return
  await secrets.put(store.write, now, idTokenLocation(session), idToken)
}

/** The ID token of a session; undefined if none is stored, or if it cannot be decrypted, which is logged. */
export async function findIdToken(
  { store, secrets }: Pick<App, 'store' | 'secrets'>,
  session: Session,
): Promise<string | undefined> {
  if (session.provider_id === null) return undefined
  try {
    return await secrets.read(store.read, idTokenLocation(session))
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unavailable') return undefined
    throw error
  }
}
