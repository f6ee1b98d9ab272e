import { challengeLifetime } from '../../identity/challenges.ts'
import { maxSessionMs } from '../../kernel/time/session-times.ts'
import { deviceLifetime } from '../../identity/devices.ts'
import type { SignedIn } from '../../identity/sign-in.ts'
import type { HeaderList } from '../transport/answers.ts'

/**
 * Over https, no other site or host of this domain can set or read these cookies. Browsers reject Secure cookies
 * over plain http.
 */
const names = { session: 'ws', device: 'ws-device' } as const
type Cookie = keyof typeof names

function cookieNameOf(cookie: Cookie, isSecure: boolean): string {
  return isSecure ? `__Host-${names[cookie]}` : names[cookie]
}

/** The value of one of our cookies; duplicates are ambiguous and count as none. */
export function cookieIn(
  header: string | undefined | null,
  cookie: Cookie,
  isSecure: boolean,
): string | undefined {
  const prefix = `${cookieNameOf(cookie, isSecure)}=`
  const values = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((pair) => pair.startsWith(prefix))
  return values.length === 1 ? values[0]!.slice(prefix.length) : undefined
}

/** Sets the cookies of a newly signed-in browser. */
export function signedInHeaders(
  { token, device }: Pick<SignedIn, 'token' | 'device'>,
  isSecure: boolean,
): HeaderList {
  return [
    setCookie('session', token, maxSessionMs, isSecure),
    setCookie('device', device, deviceLifetime, isSecure),
  ]
}

/** Cookie that identifies a browser during a sign-in, for `milliseconds`: by default the time of a passkey challenge. */
export function browserHeaders(
  device: string,
  isSecure: boolean,
  milliseconds = challengeLifetime,
): HeaderList {
  return [setCookie('device', device, milliseconds, isSecure)]
}

/**
 * Deletes the session cookie, and everything the pages stored in the browser. Clearing all "cookies" would also clear
 * those of services on neighbouring hosts, and forget the device cookie, after which password guessing could lock
 * this browser out.
 */
export function signedOutHeaders(isSecure: boolean): HeaderList {
  return [setCookie('session', '', 0, isSecure), ['clear-site-data', '"cache", "storage"']]
}

function setCookie(
  cookie: Cookie,
  value: string,
  milliseconds: number,
  isSecure: boolean,
): readonly [string, string] {
  const parts = [
    `${cookieNameOf(cookie, isSecure)}=${value}`,
    'Path=/',
    `Max-Age=${milliseconds / 1000}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ]
  return ['set-cookie', parts.join('; ')]
}
