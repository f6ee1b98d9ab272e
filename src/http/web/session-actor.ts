import { NotSignedIn } from '../../keys/verify.ts'
import type { Signed } from '../../identity/sessions.ts'
import type { Incoming } from '../transport/request-info.ts'
import type { Services } from './endpoint.ts'
import { cookieIn } from './cookies.ts'

/** Who sent the request, by the cookie. */
export function signedBy({ sessions }: Services, incoming: Incoming): Promise<Signed | undefined> {
  return sessions.find(cookieIn(incoming.header('cookie'), 'session', incoming.isSecure))
}

/** @throws NotSignedIn, after counting the request against the address */
export async function demandSigned(services: Services, incoming: Incoming): Promise<Signed> {
  const signed = await signedBy(services, incoming)
  if (signed) return signed
  services.app.limits.addresses.visit(incoming.ip)
  throw new NotSignedIn()
}
