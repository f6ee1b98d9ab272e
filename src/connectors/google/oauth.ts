// Google's sign-in: consent with PKCE, access tokens by refresh token, revocation. Uses the network access it is given.

import type { OAuth2Client } from 'google-auth-library'

/** Sends one request through the guarded outbound access. */
export type SendRequest = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; signal?: AbortSignal },
) => Promise<Response>

export interface GoogleClient {
  id: string
  secret: string
  /** Redirect address of the consent page; must be the same when the code is exchanged. */
  redirectUri: string
  endpoints: { authorize: string; token: string; revoke: string; userinfo: string }
}

export interface GrantedTokens {
  accessToken: string
  /** Validity in seconds. */
  expiresIn: number
  /** Present only after a first consent and when Google rotates it. */
  refreshToken: string | undefined
  scopes: string[] | undefined
}

/** A refusal by Google. `error` is its code, such as `invalid_grant`. Any other failure may be retried. */
export class GoogleRefusal extends Error {
  readonly error: string

  constructor(error: string, description: string | undefined) {
    super(description === undefined ? error : `${error}: ${description.slice(0, 200)}`)
    this.error = error
  }
}

/** Address of the consent page. `challenge`: SHA-256 of the verifier, in base64url. */
export async function consentUrl(
  client: GoogleClient,
  options: {
    scopes: readonly string[]
    state: string
    challenge: string
    loginHint?: string | undefined
  },
): Promise<string> {
  const { CodeChallengeMethod } = await import('./libraries.ts')
  return (await clientOf(client)).generateAuthUrl({
    access_type: 'offline',
    prompt: 'consent', // otherwise a second consent brings no refresh token
    include_granted_scopes: true,
    scope: [...options.scopes],
    state: options.state,
    code_challenge: options.challenge,
    code_challenge_method: CodeChallengeMethod.S256,
    ...(options.loginHint === undefined ? {} : { login_hint: options.loginHint }),
  })
}

/** @throws GoogleRefusal or a network error */
export async function exchangeCode(
  client: GoogleClient,
  ask: SendRequest,
  code: string,
  verifier: string,
): Promise<GrantedTokens> {
  const { tokens } = await withGoogleRefusals(async () =>
    (await clientOf(client, ask)).getToken({ code, codeVerifier: verifier }),
  )
  return grantedTokensOf(tokens)
}

/** @throws GoogleRefusal or a network error */
export async function refreshAccess(
  client: GoogleClient,
  ask: SendRequest,
  refreshToken: string,
): Promise<GrantedTokens> {
  const auth = await clientOf(client, ask)
  auth.setCredentials({ refresh_token: refreshToken })
  const { credentials } = await withGoogleRefusals(() => auth.refreshAccessToken())
  return {
    ...grantedTokensOf(credentials),
    refreshToken:
      credentials.refresh_token === refreshToken
        ? undefined
        : (credentials.refresh_token ?? undefined),
  }
}

/** Address of the account that the token belongs to. @throws GoogleRefusal */
export async function googleAddress(
  client: GoogleClient,
  ask: SendRequest,
  accessToken: string,
): Promise<string> {
  const response = await ask(client.endpoints.userinfo, {
    method: 'GET',
    headers: { authorization: `Bearer ${accessToken}` },
  })
  const answerBody = (await response.json().catch(() => ({}))) as {
    email?: unknown
    error?: unknown
  }
  if (!response.ok || typeof answerBody.email !== 'string')
    throw new GoogleRefusal(
      typeof answerBody.error === 'string' ? answerBody.error : `status ${response.status}`,
      'Google did not return the address of the account.',
    )
  return answerBody.email.toLowerCase()
}

/** Revokes a grant. One already ended counts as revoked. @throws GoogleRefusal or a network error */
export async function revoke(client: GoogleClient, ask: SendRequest, token: string): Promise<void> {
  const body = new URLSearchParams({ token }).toString() // in the body: addresses end up in logs
  const response = await ask(client.endpoints.revoke, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  })
  if (response.ok) return
  const { error } = (await response.json().catch(() => ({}))) as { error?: string }
  if (error !== 'invalid_token')
    throw new GoogleRefusal(error ?? `status ${response.status}`, undefined)
}

async function clientOf(
  { id, secret, redirectUri, endpoints }: GoogleClient,
  asking?: SendRequest,
): Promise<OAuth2Client> {
  const { OAuth2Client } = await import('./libraries.ts')
  return new OAuth2Client({
    clientId: id,
    clientSecret: secret,
    redirectUri,
    endpoints: {
      oauth2AuthBaseUrl: endpoints.authorize,
      oauth2TokenUrl: endpoints.token,
      oauth2RevokeUrl: endpoints.revoke,
    },
    transporterOptions: {
      retry: false,
      fetchImplementation: ((url: string | URL, init: RequestInit) =>
        asking!(String(url), plainRequestOf(init))) as typeof globalThis.fetch,
    },
  })
}

function plainRequestOf({
  method = 'GET',
  headers,
  body,
  signal,
}: RequestInit): Parameters<SendRequest>[1] {
  return {
    method,
    headers: Object.fromEntries(new Headers(headers)),
    ...(body == null ? {} : { body: String(body) }),
    ...(signal ? { signal } : {}),
  }
}

function grantedTokensOf(tokens: {
  access_token?: string | null
  expiry_date?: number | null
  refresh_token?: string | null
  scope?: string | null
}): GrantedTokens {
  if (typeof tokens.access_token !== 'string' || tokens.access_token === '')
    throw new GoogleRefusal('no_token', 'The answer of the token endpoint has no access token.')
  return {
    accessToken: tokens.access_token,
    expiresIn: Math.max(0, Math.round(((tokens.expiry_date ?? 0) - Date.now()) / 1000)), // the library converts the seconds from Google into a point in time
    refreshToken: tokens.refresh_token ?? undefined,
    scopes:
      tokens.scope == null ? undefined : tokens.scope.split(' ').filter((part) => part !== ''),
  }
}

/**
 * Distinguishes Google's refusals from network failures. Neither error includes the request, which contains the
 * secrets.
 */
async function withGoogleRefusals<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { response, cause, message } = error as {
      response?: { status: number; data?: { error?: unknown; error_description?: unknown } }
      cause?: unknown
      message: string
    }
    const { error: errorCode, error_description: description } = response?.data ?? {}
    if (typeof errorCode === 'string' && response!.status < 500)
      throw new GoogleRefusal(errorCode, typeof description === 'string' ? description : undefined)
    throw new Error(
      response ? `Google answered ${response.status}.` : message,
      cause instanceof Error ? { cause } : {},
    )
  }
}
