export const oauthScopes = ['workspace:read', 'workspace:write', 'workspace:send'] as const
export type Scope = (typeof oauthScopes)[number]

/**
 * Default scopes if a client requests none, also suggested in challenges: the person narrows them on the consent
 * page.
 */
export const defaultScopes: readonly Scope[] = ['workspace:read', 'workspace:write']

/** The known scopes of a request, in their own order; reading belongs to each. Unknown ones are dropped, `offline_access` among them. */
export function parseScopes(text: string | undefined): readonly Scope[] {
  const requested = new Set((text ?? '').split(/\s+/))
  const supported = oauthScopes.filter((scope) => requested.has(scope))
  if (supported.length === 0) return defaultScopes
  return oauthScopes.filter((scope) => scope === 'workspace:read' || requested.has(scope))
}

/** The scopes that the limits of a connection come to. */
export function scopesOf(limits: { readOnly: boolean; holdOutbound: boolean }): readonly Scope[] {
  if (limits.readOnly) return ['workspace:read']
  return limits.holdOutbound ? defaultScopes : oauthScopes
}

export const scopeText = (some: readonly Scope[]): string => some.join(' ')
