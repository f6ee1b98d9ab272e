import { NotSignedIn } from '../../keys/verify.ts'
import type { SignedInPerson } from '../../identity/sessions.ts'
import type { Incoming } from '../transport/request-info.ts'
import type { Services } from './endpoint.ts'
import { cookieIn } from './cookies.ts'

/**
 * Identifies the sender of a request by the cookie. Later reads for them include all changes up to the position that
 * the answer names.
 */
export async function findSignedIn(
  { app, sessions }: Services,
  incoming: Incoming,
): Promise<SignedInPerson | undefined> {
  const cookie = cookieIn(incoming.header('cookie'), 'session', incoming.isSecure)
  const signed = await sessions.find(cookie)
  const { feed } = app.catalogue
  if (signed && feed) incoming.position = await feed.position(app.store.read, signed.actor.org_id)
  return signed
}

/** @throws NotSignedIn, after counting the request against the address */
export async function requireSignedIn(
  services: Services,
  incoming: Incoming,
): Promise<SignedInPerson> {
  const signed = await findSignedIn(services, incoming)
  if (signed) return signed
  services.app.limits.addresses.recordRequest(incoming.ip)
  throw new NotSignedIn()
}
