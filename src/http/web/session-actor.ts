import { NotSignedIn } from '../../keys/verify.ts'
import type { Signed } from '../../identity/sessions.ts'
import type { Incoming } from '../transport/request-info.ts'
import type { House } from './action.ts'
import { cookieIn } from './cookies.ts'

/** Who sent the request, by the cookie. */
export function signedBy({ sessions }: House, incoming: Incoming): Signed | undefined {
  return sessions.find(cookieIn(incoming.header('cookie'), 'session', incoming.isSecure))
}

/** @throws NotSignedIn, after counting the request against the address */
export function demandSigned(house: House, incoming: Incoming): Signed {
  const signed = signedBy(house, incoming)
  if (signed) return signed
  house.app.limits.addresses.visit(incoming.ip)
  throw new NotSignedIn()
}
