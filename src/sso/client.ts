// The OpenID Connect client. openid-client creates and verifies the messages; every request goes through the guarded
// outbound client.

import { randomBytes, randomUUID } from 'node:crypto'
import type * as OpenIdClient from 'openid-client'
import type { CustomFetch } from 'openid-client'
import { Refusal } from '../kernel/refusal.ts'
import type { App } from '../operations/app.ts'
import { Unreachable } from '../outbound/guard.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { OutboundRequest } from '../outbound/request.ts'
import {
  authMethods,
  clientAuthOf,
  isClientRejected,
  oauthErrorOf,
  type AuthMethod,
} from './client-authentication.ts'
import { clockToleranceSeconds, requireIssuedToClient, type Claims } from './claims.ts'
import { isLoopback } from './provider-checks.ts'
import { secretLocation, type Provider } from './providers.ts'

const requestTimeoutMs = 8000
const maxResponseBytes = 512 * 1024
/** Maximum age of the sign-in at the provider when a new one is required, in seconds. */
const maxVerifyAgeSeconds = 300
const metadataCacheMs = 5 * 60_000

/** Values that bind a provider's response to the request. */
export interface Proofs {
  state: string
  nonce: string
  verifier: string
}

/** Result of checking a provider, as far as that is possible without a person. */
export interface Inspection {
  metadata: OpenIdClient.ServerMetadata
  /** Number of its signing keys. */
  keys: number
  /** Authentication method for the client secret; undefined: the provider does not declare one. */
  clientAuth: AuthMethod | undefined
  /** Descriptions of what only a real sign-in can verify. */
  unchecked: string[]
}

type ClientApp = Pick<App, 'outbound' | 'secrets' | 'store' | 'log'>

/** Communicates with providers, and caches their metadata for five minutes. */
export class ProviderClient {
  readonly #app: ClientApp
  /** The last accepted client authentication method, by provider. */
  readonly #accepted = new Map<string, AuthMethod>()
  readonly #metadata = new Map<string, { expiresAt: number; value: OpenIdClient.ServerMetadata }>()

  constructor(app: ClientApp) {
    this.#app = app
  }

  /**
   * Returns the URL to which the browser is sent to sign in. `forceLogin`: the provider must authenticate the person again
   * (by password or similar). @throws Refusal provider_error
   */
  async authorizationUrl(
    provider: Provider,
    redirectUri: string,
    { proofs, forceLogin }: { proofs: Proofs; forceLogin: boolean },
  ): Promise<URL> {
    return this.#withProviderErrors(provider, async (openid) => {
      const configuration = await this.#configuration(openid, provider)
      return openid.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: provider.scopes,
        state: proofs.state,
        nonce: proofs.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(proofs.verifier),
        code_challenge_method: 'S256',
        ...(forceLogin ? { prompt: 'login', max_age: '0' } : {}),
      })
    })
  }

  /**
   * Redeems the response of a provider, and returns its claims and the ID token itself: verifies issuer, state,
   * nonce, PKCE, audience, times and the signature of the ID token.
   * @throws Refusal provider_error, saying what was wrong
   */
  async redeem(
    provider: Provider,
    callbackUrl: URL,
    { proofs, forceLogin }: { proofs: Proofs; forceLogin: boolean },
  ): Promise<{ claims: Claims; idToken: string | undefined }> {
    return this.#withProviderErrors(provider, async (openid) => {
      const { tokens, configuration } = await this.#grant(openid, provider, callbackUrl, {
        expectedState: proofs.state,
        expectedNonce: proofs.nonce,
        pkceCodeVerifier: proofs.verifier,
        idTokenExpected: true,
        ...(forceLogin ? { maxAge: maxVerifyAgeSeconds } : {}),
      })
      const claims = requireIssuedToClient(provider, tokens.claims() as Claims)
      const more =
        configuration.serverMetadata().userinfo_endpoint === undefined
          ? {}
          : await openid
              .fetchUserInfo(configuration, tokens.access_token, claims.sub)
              .catch((error: unknown) => {
                if (isSubjectMismatch(error)) throw error
                // The endpoint is optional, and the ID token has identified the person.
                this.#warn(provider, 'its userinfo endpoint failed', error)
                return {}
              })
      return { claims: { ...more, ...claims }, idToken: tokens.id_token }
    })
  }

  /** Redeems a code, trying client authentication methods in turn until one is accepted. */
  async #grant(
    openid: typeof OpenIdClient,
    provider: Provider,
    answered: URL,
    checks: OpenIdClient.AuthorizationCodeGrantChecks,
  ) {
    for (const method of await this.#methods(openid, provider)) {
      const configuration = await this.#configuration(openid, provider, method)
      try {
        const tokens = await openid.authorizationCodeGrant(configuration, answered, checks)
        this.#accepted.set(provider.id, method)
        return { tokens, configuration }
      } catch (error) {
        if (!isClientRejected(causesOf(error))) throw error
        this.#warn(provider, `the client was refused by ${method}`, error)
      }
    }
    throw clientRejectedRefusal(provider)
  }

  /** The client authentication methods to try, last accepted one first. */
  async #methods(openid: typeof OpenIdClient, provider: Provider): Promise<AuthMethod[]> {
    const methods = authMethods(provider, await this.#serverMetadata(openid, provider))
    const accepted = this.#accepted.get(provider.id)
    return methods.toSorted((a, b) => Number(b === accepted) - Number(a === accepted))
  }

  /** The metadata of a provider, fetched anew. @throws Refusal provider_error */
  async discover(provider: Provider): Promise<OpenIdClient.ServerMetadata> {
    this.#metadata.delete(provider.id)
    return this.#withProviderErrors(provider, async (openid) =>
      (await this.#configuration(openid, provider)).serverMetadata(),
    )
  }

  /**
   * Tests all parts of a sign-in that need no person: metadata, keys, the authorization request, and client
   * authentication, with an invalid code.
   * @throws Refusal provider_error with the problem that would prevent a sign-in
   */
  async inspect(provider: Provider, redirectUri: string): Promise<Inspection> {
    this.#accepted.delete(provider.id)
    const metadata = await this.discover(provider)
    const keys = await this.#countKeys(provider, metadata)
    const unchecked = [
      'that a person can sign in there, and that the provider names their email address as verified',
    ]
    if (provider.groupsClaim !== undefined)
      unchecked.push(`that its tokens have the claim ${provider.groupsClaim}`)
    if (!(await this.#checkAuthorization(provider, redirectUri)))
      unchecked.push('its sign-in page, which this server cannot reach')
    const clientAuth = await this.#checkClient(provider, redirectUri)
    if (clientAuth === undefined) unchecked.push('the client secret: its answer does not tell')
    return { metadata, keys, clientAuth, unchecked }
  }

  async #countKeys(
    provider: Provider,
    { jwks_uri: url }: OpenIdClient.ServerMetadata,
  ): Promise<number> {
    const keys = await this.#withProviderErrors(provider, async () => {
      if (url === undefined) return 0
      const answer = await this.#get(url)
      const set: unknown = answer.ok ? await answer.json() : undefined
      const list = (set as { keys?: unknown } | undefined)?.keys
      return Array.isArray(list) ? list.length : 0
    })
    if (keys === 0)
      throw new Refusal(
        'provider_error',
        `${provider.name} answers, but its keys cannot be fetched.`,
        'Its metadata has to name a jwks_uri with at least one key.',
      )
    return keys
  }

  /**
   * A provider shows an error immediately for an unknown client, redirect address or scope. False if the page cannot
   * be reached: browsers may reach it by another route than this server.
   */
  async #checkAuthorization(provider: Provider, redirectUri: string): Promise<boolean> {
    const url = await this.authorizationUrl(provider, redirectUri, {
      proofs: dummyProofs(),
      forceLogin: false,
    })
    const answer = await this.#get(url.href).catch(() => undefined)
    if (!answer) return false
    const target = URL.parse(answer.headers.get('location') ?? '', url)
    const problem = target?.searchParams.get('error') ?? `status ${answer.status}`
    if (answer.status >= 400 || target?.href.startsWith(`${redirectUri}?`))
      throw new Refusal(
        'provider_error',
        `${provider.name} refuses the authorization request (${problem.slice(0, 100)}).`,
        `Enter this redirect address there, and compare the client id and the scopes: ${redirectUri}`,
      )
    return true
  }

  /** The accepted client authentication method; undefined if the response is inconclusive. */
  async #checkClient(provider: Provider, redirectUri: string): Promise<AuthMethod | undefined> {
    const proofs = dummyProofs()
    const answered = new URL(redirectUri)
    answered.search = String(
      new URLSearchParams({ code: proofs.nonce, state: proofs.state, iss: provider.issuer }),
    )
    return this.#withProviderErrors(provider, async (openid) => {
      for (const method of await this.#methods(openid, provider)) {
        const configuration = await this.#configuration(openid, provider, method)
        try {
          await openid.authorizationCodeGrant(configuration, answered, {
            expectedState: proofs.state,
            pkceCodeVerifier: proofs.verifier,
          })
        } catch (error) {
          const reasons = causesOf(error)
          if (oauthErrorOf(reasons) === 'invalid_grant') return method
          if (!isClientRejected(reasons)) return undefined
        }
      }
      throw clientRejectedRefusal(provider)
    })
  }

  #get(url: string): Promise<Response> {
    const options = { method: 'GET', headers: {}, body: undefined, redirect: 'manual' } as const
    return guardedFetch(this.#app.outbound)(url, options)
  }

  /**
   * Returns the URL at which people sign out at the provider, which sends them back; undefined if it has none.
   * @throws Refusal provider_error
   */
  async endSessionUrl(provider: Provider, returnTo: string): Promise<URL | undefined> {
    return this.#withProviderErrors(provider, async (openid) => {
      const configuration = await this.#configuration(openid, provider)
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined
      return openid.buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo })
    })
  }

  async #configuration(
    openid: typeof OpenIdClient,
    provider: Provider,
    method?: AuthMethod,
  ): Promise<OpenIdClient.Configuration> {
    const metadata = await this.#serverMetadata(openid, provider)
    const secret = await this.#app.secrets.read(this.#app.store.read, secretLocation(provider))
    const configuration = new openid.Configuration(
      metadata,
      provider.client_id,
      { client_secret: secret ?? '', [openid.clockTolerance]: clockToleranceSeconds },
      method && clientAuthOf(openid, method, secret ?? ''),
    )
    if (isPlainHttp(provider)) openid.allowInsecureRequests(configuration)
    configuration[openid.customFetch] = guardedFetch(this.#app.outbound)
    configuration.timeout = requestTimeoutMs / 1000
    openid.enableNonRepudiationChecks(configuration) // checks the signature of the ID token even if it came directly over TLS
    return configuration
  }

  async #serverMetadata(
    openid: typeof OpenIdClient,
    provider: Provider,
  ): Promise<OpenIdClient.ServerMetadata> {
    const cached = this.#metadata.get(provider.id)
    if (cached !== undefined && cached.expiresAt > Date.now()) return cached.value
    const configuration = await openid.discovery(
      new URL(provider.issuer),
      provider.client_id,
      undefined,
      undefined,
      {
        [openid.customFetch]: guardedFetch(this.#app.outbound),
        timeout: requestTimeoutMs / 1000,
        execute: isPlainHttp(provider) ? [openid.allowInsecureRequests] : [],
      },
    )
    const value = configuration.serverMetadata()
    this.#metadata.set(provider.id, { expiresAt: Date.now() + metadataCacheMs, value })
    return value
  }

  #warn(provider: Provider, problem: string, error: unknown): void {
    this.#app.log.warn('a sign-in provider failed', {
      provider: provider.id,
      what: problem,
      error: describeSsoError(error),
    })
  }

  async #withProviderErrors<T>(
    provider: Provider,
    work: (openid: typeof OpenIdClient) => Promise<T>,
  ): Promise<T> {
    try {
      return await work(await import('openid-client'))
    } catch (error) {
      if (error instanceof Refusal) throw error
      this.#warn(provider, 'a request failed', error)
      throw providerRefusalOf(provider, causesOf(error))
    }
  }
}

/** True if userinfo returned another subject than the ID token: then one of them belongs to another person. */
function isSubjectMismatch(error: unknown): boolean {
  return causesOf(error).some(
    (reason) => 'code' in reason && reason.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  )
}

/** Dummy proofs for a request without a response. */
function dummyProofs(): Proofs {
  return {
    state: randomUUID(),
    nonce: randomUUID(),
    verifier: randomBytes(32).toString('base64url'),
  }
}

function isPlainHttp({ issuer }: Provider): boolean {
  const url = new URL(issuer)
  return url.protocol === 'http:' && isLoopback(url)
}

function causesOf(error: unknown): Error[] {
  const reasons: Error[] = []
  for (let cause = error; cause instanceof Error && reasons.length < 5; cause = cause.cause)
    reasons.push(cause)
  return reasons
}

/** All causes of an error, with the provider's OAuth error codes. */
function describeSsoError(error: unknown): string {
  return causesOf(error)
    .map((reason) => {
      const { error: code, error_description: text } = { ...reason } as Record<string, unknown>
      const answered = [code, text].filter((part) => typeof part === 'string').join(': ')
      return answered === '' ? reason.message : `${reason.message} (${answered.slice(0, 300)})`
    })
    .join(': ')
}

function clientRejectedRefusal({ name }: Provider): Refusal {
  return new Refusal(
    'provider_error',
    `${name} does not accept the client id and secret of this workspace.`,
    'An administrator enters the present ones: `workspace sso set`, or Settings > Single sign-on. `workspace sso check` tries them.',
  )
}

function providerRefusalOf({ name }: Provider, reasons: readonly Error[]): Refusal {
  if (reasons.some((reason) => reason instanceof Unreachable || reason.name === 'TimeoutError'))
    return new Refusal(
      'provider_error',
      `${name} could not be reached.`,
      'Try again in a moment; if it stays so, an administrator can look at it with `workspace sso check`.',
    )
  if (oauthErrorOf(reasons) === 'access_denied')
    return new Refusal('provider_error', `${name} refused the sign-in.`, 'Start again.')
  return new Refusal(
    'provider_error',
    `The answer of ${name} was not accepted.`,
    'Start again; if it stays so, the log of the server says why.',
  )
}

/** A fetch function through the guarded outbound client. */
export function guardedFetch(outbound: Outbound): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const response = await outbound.request(
      url,
      {
        method: method as NonNullable<OutboundRequest['method']>,
        headers,
        ...(body == null ? {} : { body: requestBodyText(body) }),
      },
      { timeoutMs: requestTimeoutMs, maxBytes: maxResponseBytes, ...(signal ? { signal } : {}) },
    )
    if (response.isTruncated) throw new Error('The answer is too long.')
    const all = Object.entries(response.headers).flatMap(([name, value]): [string, string][] =>
      [value ?? []].flat().map((single) => [name, single]),
    )
    const isEmpty = response.status === 204 || response.status === 304
    return new Response(isEmpty ? null : new Uint8Array(response.body), {
      status: response.status,
      headers: all,
    })
  }
}

function requestBodyText(body: NonNullable<Parameters<CustomFetch>[1]['body']>): string {
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new Error('A provider is sent forms only.')
}
