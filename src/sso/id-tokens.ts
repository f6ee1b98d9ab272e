// ID tokens are kept for one thing: to tell the provider at sign-out which of its sessions is meant.

import { idTokenLocation, type Session } from '../identity/sessions.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { App } from '../operations/app.ts'

/** It is part of an address at sign-out, and many servers refuse more than 8 KB of address. */
const maxHintLength = 6000

/** Seals the ID token of a session; inside a job of the writer. One that is too long for an address is not kept. */
export async function keepIdToken(
  { store, secrets }: Pick<App, 'store' | 'secrets'>,
  now: number,
  session: Session,
  idToken: string | undefined,
): Promise<void> {
  if (idToken === undefined || idToken.length > maxHintLength) return
  await secrets.put(store.write, now, idTokenLocation(session), idToken)
}

/** The ID token of a session; undefined where none is kept, or where it does not open, which the log says. */
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
