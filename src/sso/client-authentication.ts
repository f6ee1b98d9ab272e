// Authenticates the client at a provider's token endpoint.

import type * as OpenIdClient from 'openid-client'
import type { Provider } from './providers.ts'

/** A method of OpenID Connect Core, section 9. */
export type AuthMethod = 'client_secret_basic' | 'client_secret_post'

const post: AuthMethod = 'client_secret_post'
const basic: AuthMethod = 'client_secret_basic'

/**
 * The methods to try, in order. The default for a provider that lists none is `client_secret_basic` (OpenID Connect
 * Discovery 1.0, section 3). If it lists both, the secret is sent in the body, which avoids incompatible encodings.
 * The other method follows, since lists are sometimes wrong; if an administrator has chosen one, only that is used.
 */
export function authMethods(
  { client_auth }: Pick<Provider, 'client_auth'>,
  { token_endpoint_auth_methods_supported: supported }: OpenIdClient.ServerMetadata,
): AuthMethod[] {
  if (client_auth === 'basic') return [basic]
  if (client_auth === 'post') return [post]
  return (supported ?? [basic]).includes(post) ? [post, basic] : [basic, post]
}

export function clientAuthOf(
  openid: typeof OpenIdClient,
  method: AuthMethod,
  secret: string,
): OpenIdClient.ClientAuth {
  return method === post ? openid.ClientSecretPost(secret) : openid.ClientSecretBasic(secret)
}

/** The OAuth error code returned by a provider; undefined for other responses. */
export function oauthErrorOf(reasons: readonly Error[]): string | undefined {
  for (const reason of reasons)
    if ('error' in reason && typeof reason.error === 'string') return reason.error
  return undefined
}

/** True if a provider rejected the client's credentials. The code was not redeemed then. */
export function isClientRejected(reasons: readonly Error[]): boolean {
  const code = oauthErrorOf(reasons)
  if (code !== undefined) return code === 'invalid_client' || code === 'unauthorized_client'
  return reasons.some((reason) => 'status' in reason && reason.status === 401)
}
