import type { Provider } from './providers.ts'

/** Permitted clock skew of a provider, in seconds. */
export const clockToleranceSeconds = 60

/** Claims of a verified ID token, completed from the userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>> & { sub: string }

export interface ProviderPerson {
  subject: string
  /**
   * Ids that SCIM may use for the person: the subject, and with Entra the object id, because its subjects differ per
   * application.
   */
  ids: readonly string[]
  /** Lower case. */
  email: string | undefined
  /**
   * Whether the address is verified: according to the provider, or because it is trusted for its domain and does not
   * deny it.
   */
  isEmailVerified: boolean
  name: string
  timezone: string | undefined
  /** Undefined if the provider did not send groups: then no access is removed. */
  groups: readonly string[] | undefined
  /** When the person last authenticated at the provider (by password or similar), in milliseconds. */
  authenticatedAt: number | undefined
  /** The session id at the provider. */
  sid: string | undefined
}

const maxGroups = 2000

/**
 * Performs checks that openid-client omits: the token must not be issued to another client of the same provider, nor
 * in the future.
 * @throws Error whose message describes the problem, for the log
 */
export function requireIssuedToClient({ client_id }: Provider, claims: Claims): Claims {
  const { azp, iat, sub } = claims
  if (azp !== undefined && azp !== client_id)
    throw new Error('The ID token was made for another client (azp).')
  if (typeof iat !== 'number' || iat > Date.now() / 1000 + clockToleranceSeconds)
    throw new Error('The ID token was made in the future (iat).')
  if (sub === '' || sub.length > 255)
    throw new Error('The subject of the ID token has to have 1 to 255 characters (sub).')
  return claims
}

export function parsePerson(provider: Provider, claims: Claims): ProviderPerson {
  const email = readEmail(claims)
  const authTime = claims.auth_time
  return {
    subject: claims.sub,
    ids: readSubjectIds(provider, claims),
    email,
    isEmailVerified: email !== undefined && isVerified(provider, claims.email_verified, email),
    name: readName(claims) ?? email ?? claims.sub,
    timezone: readText(claims.zoneinfo, 60),
    groups: readGroups(claims, provider.groupsClaim),
    authenticatedAt: typeof authTime === 'number' ? authTime * 1000 : undefined,
    sid: readText(claims.sid, 255),
  }
}

/** The claim `oid` is meaningful only with Entra; elsewhere people might be able to set it. */
function readSubjectIds({ issuer }: Provider, { sub, oid }: Claims): string[] {
  const isEntra = new URL(issuer).hostname === 'login.microsoftonline.com'
  return isEntra && typeof oid === 'string' && oid !== '' ? [sub, oid] : [sub]
}

/** True if an address is in one of the organization's domains; subdomains are separate. */
export function isInDomains({ domains }: Pick<Provider, 'domains'>, email: string): boolean {
  return domains.includes(email.slice(email.lastIndexOf('@') + 1))
}

/** Some providers send the boolean as text; several omit it, which verifies nothing by itself. */
function isVerified(provider: Provider, claim: unknown, email: string): boolean {
  if (claim === true || claim === 'true') return true
  return claim === undefined && provider.linking === 'trusted' && isInDomains(provider, email)
}

function readEmail(claims: Claims): string | undefined {
  const email = readText(claims.email, 254)?.toLowerCase()
  return email !== undefined && /^[^\s@]+@[^\s@]+$/.test(email) ? email : undefined
}

function readName(claims: Claims): string | undefined {
  const parts = [readText(claims.given_name, 100), readText(claims.family_name, 100)]
  return (
    readText(claims.name, 200) ??
    (parts.filter((part) => part !== undefined).join(' ') || undefined) ??
    readText(claims.preferred_username, 200)
  )
}

function readGroups(claims: Claims, path: string | undefined): readonly string[] | undefined {
  if (path === undefined) return undefined
  const value = claims[path] ?? path.split('.').reduce<unknown>(propertyOf, claims)
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value)) return undefined
  return value.filter((item) => typeof item === 'string').slice(0, maxGroups)
}

function propertyOf(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

function readText(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return text === '' || text.length > maxLength ? undefined : text
}
