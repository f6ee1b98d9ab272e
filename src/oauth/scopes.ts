import { OAuthError } from './errors.ts'

export const oauthScopes = ['workspace:read', 'workspace:write', 'workspace:send'] as const
export type Scope = (typeof oauthScopes)[number]

/**
 * Default scopes if a client requests none, also suggested in challenges: the person narrows them on the consent
 * page.
 */
export const defaultScopes: readonly Scope[] = ['workspace:read', 'workspace:write']

/** OpenID Connect scopes, which programs request out of habit; they have no effect here. */
const habitualScopes: ReadonlySet<string> = new Set([
  'openid',
  'profile',
  'email',
  'address',
  'phone',
  'offline_access',
])
const maxUnknown = 20
/** A scope token (RFC 6749, 3.3). */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/

const namesIn = (text: string | undefined): Set<string> =>
  new Set((text ?? '').split(/\s+/).filter((name) => name !== ''))

/** Scopes of a request that are unknown here. */
export function unknownScopes(text: string | undefined): string[] {
  const supportedNames: readonly string[] = oauthScopes
  return [...namesIn(text)].filter(
    (name) => !supportedNames.includes(name) && !habitualScopes.has(name),
  )
}

/**
 * The scopes of an authorization request, grantable ones first, then unknown ones: the consent page shows them.
 * @throws OAuthError invalid_scope if none is known
 */
export function requestedScopes(text: string | undefined): string {
  const unknown = unknownScopes(text)
  const isReadable = unknown.length <= maxUnknown && unknown.every((name) => scopeToken.test(name))
  const requested = namesIn(text)
  if (unknown.length === 0 || (isReadable && oauthScopes.some((scope) => requested.has(scope))))
    return [...parseScopes(text), ...unknown].join(' ')
  throw new OAuthError(
    'invalid_scope',
    isReadable
      ? `${unknown.join(' ').slice(0, 200)} is not known. The scopes are ${oauthScopes.join(', ')}.`
      : `scope names too much that is not known. The scopes are ${oauthScopes.join(', ')}.`,
    { status: 400 },
  )
}

/** The known scopes of a request, in their own order; each includes reading. Unknown ones are omitted. */
export function parseScopes(text: string | undefined): readonly Scope[] {
  const requested = namesIn(text)
  const supported = oauthScopes.filter((scope) => requested.has(scope))
  if (supported.length === 0) return defaultScopes
  return oauthScopes.filter((scope) => scope === 'workspace:read' || requested.has(scope))
}

/** The scopes that correspond to the limits of a connection. */
export function scopesOf(limits: { readOnly: boolean; holdOutbound: boolean }): readonly Scope[] {
  if (limits.readOnly) return ['workspace:read']
  return limits.holdOutbound ? defaultScopes : oauthScopes
}

export const scopeText = (scopes: readonly Scope[]): string => scopes.join(' ')
