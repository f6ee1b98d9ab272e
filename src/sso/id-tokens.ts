// ID tokens are stored for one purpose: to identify the provider's session at sign-out.

import { idTokenLocation, type Session } from '../identity/sessions.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { App } from '../operations/app.ts'

/** It is part of the sign-out address, and many servers reject addresses above 8 KB. */
const maxHintLength = 6000

/**
 * Encrypts and stores the ID token of a session; inside a job of the writer. Tokens too long for an address are not
 * stored.
 */
export async function keepIdToken(
  { store, secrets }: Pick<App, 'store' | 'secrets'>,
  now: number,
  session: Session,
  idToken: string | undefined,
): Promise<void> {
  if (idToken === undefined || idToken.length > maxHintLength) return
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
