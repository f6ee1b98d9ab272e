export const oauthScopes = ['workspace:read', 'workspace:write', 'workspace:send'] as const
export type Scope = (typeof oauthScopes)[number]

/** What a client asks for where it names nothing, and what a challenge suggests: the person narrows it on the consent page. */
export const defaultScopes: readonly Scope[] = ['workspace:read', 'workspace:write']

/** The known scopes of a request, in their own order; reading belongs to each. Unknown ones are dropped, `offline_access` among them. */
export function parseScopes(text: string | undefined): readonly Scope[] {
  const named = new Set((text ?? '').split(/\s+/))
  const known = oauthScopes.filter((scope) => named.has(scope))
  if (known.length === 0) return defaultScopes
  return oauthScopes.filter((scope) => scope === 'workspace:read' || named.has(scope))
}

/** The scopes that the limits of a connection come to. */
export function scopesOf(limits: { readOnly: boolean; holdOutbound: boolean }): readonly Scope[] {
  if (limits.readOnly) return ['workspace:read']
  return limits.holdOutbound ? defaultScopes : oauthScopes
}

export const scopeText = (some: readonly Scope[]): string => some.join(' ')
