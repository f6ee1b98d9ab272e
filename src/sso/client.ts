// The OpenID Connect client: what is sent to a provider and what it answers. openid-client makes and checks the messages; every
// request goes through the guarded way out.

import type * as OpenIdClient from 'openid-client'
import type { CustomFetch } from 'openid-client'
import { Refusal } from '../kernel/refusal.ts'
import type { App } from '../operations/app.ts'
import { Unreachable } from '../outbound/guard.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { OutboundRequest } from '../outbound/request.ts'
import { clockToleranceSeconds, requireOwn, type Claims } from './claims.ts'
import { isLoopback } from './provider-checks.ts'
import { secretLocation, type Provider } from './providers.ts'

const requestTimeMs = 8000
const largestAnswerBytes = 512 * 1024
/** How old the sign-in at the provider may be where it has to be a new one, in seconds. */
const maxVerifyAgeSeconds = 300
const metadataFreshMs = 5 * 60_000

/** What binds the answer of a provider to the request. */
export interface Proofs {
  state: string
  nonce: string
  verifier: string
}

type ClientApp = Pick<App, 'outbound' | 'secrets' | 'store' | 'log'>

/** Talks to providers, and keeps their metadata for five minutes. */
export class ProviderClient {
  readonly #app: ClientApp
  readonly #metadata = new Map<string, { until: number; value: OpenIdClient.ServerMetadata }>()

  constructor(app: ClientApp) {
    this.#app = app
  }

  /** Where to send a browser to sign in. `again`: the provider has to ask for a password or the like. @throws Refusal provider_error */
  async authorizationUrl(
    provider: Provider,
    redirectUri: string,
    { proofs, again }: { proofs: Proofs; again: boolean },
  ): Promise<URL> {
    return this.#guarded(provider, async (openid) => {
      const configuration = await this.#configuration(openid, provider)
      return openid.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: provider.scopes,
        state: proofs.state,
        nonce: proofs.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(proofs.verifier),
        code_challenge_method: 'S256',
        ...(again ? { prompt: 'login', max_age: '0' } : {}),
      })
    })
  }

  /**
   * Redeems the answer of a provider, and returns its claims and the ID token itself: issuer, state, nonce, PKCE, audience, times and the signature of the ID token are checked.
   * @throws Refusal provider_error, saying what was wrong
   */
  async redeem(
    provider: Provider,
    answered: URL,
    { proofs, again }: { proofs: Proofs; again: boolean },
  ): Promise<{ claims: Claims; idToken: string | undefined }> {
    return this.#guarded(provider, async (openid) => {
      const configuration = await this.#configuration(openid, provider)
      const tokens = await openid.authorizationCodeGrant(configuration, answered, {
        expectedState: proofs.state,
        expectedNonce: proofs.nonce,
        pkceCodeVerifier: proofs.verifier,
        idTokenExpected: true,
        ...(again ? { maxAge: maxVerifyAgeSeconds } : {}),
      })
      const claims = requireOwn(provider, tokens.claims() as Claims)
      const idToken = tokens.id_token
      if (configuration.serverMetadata().userinfo_endpoint === undefined) return { claims, idToken }
      const more = await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      return { claims: { ...more, ...claims }, idToken }
    })
  }

  /** The metadata of a provider, fetched anew. @throws Refusal provider_error */
  async discover(provider: Provider): Promise<OpenIdClient.ServerMetadata> {
    this.#metadata.delete(provider.id)
    return this.#guarded(provider, async (openid) =>
      (await this.#configuration(openid, provider)).serverMetadata(),
    )
  }

  /**
   * The metadata of a provider and how many keys it signs with, both fetched anew as a sign-in would.
   * @throws Refusal provider_error
   */
  async inspect(
    provider: Provider,
  ): Promise<{ metadata: OpenIdClient.ServerMetadata; keys: number }> {
    const metadata = await this.discover(provider)
    const keys = await this.#guarded(provider, async () => {
      if (metadata.jwks_uri === undefined) return 0
      const options = { method: 'GET', headers: {}, body: undefined, redirect: 'manual' } as const
      const answer = await guardedFetch(this.#app.outbound)(metadata.jwks_uri, options)
      const found: unknown = answer.ok ? await answer.json() : undefined
      const list = (found as { keys?: unknown } | undefined)?.keys
      return Array.isArray(list) ? list.length : 0
    })
    if (keys === 0)
      throw new Refusal(
        'provider_error',
        `${provider.name} answers, but its keys cannot be fetched.`,
        'Its metadata has to name a jwks_uri with at least one key.',
      )
    return { metadata, keys }
  }

  /** Where someone signs out at the provider, which sends them back; undefined where it has no such address. @throws Refusal provider_error */
  async endSessionUrl(provider: Provider, returnTo: string): Promise<URL | undefined> {
    return this.#guarded(provider, async (openid) => {
      const configuration = await this.#configuration(openid, provider)
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined
      return openid.buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo })
    })
  }

  async #configuration(
    openid: typeof OpenIdClient,
    provider: Provider,
  ): Promise<OpenIdClient.Configuration> {
    const secret = await this.#app.secrets.read(this.#app.store.read, secretLocation(provider))
    const metadata = {
      client_secret: secret ?? '',
      [openid.clockTolerance]: clockToleranceSeconds,
    }
    const kept = this.#metadata.get(provider.id)
    const known = kept !== undefined && kept.until > Date.now() ? kept.value : undefined
    const configuration = known
      ? new openid.Configuration(known, provider.client_id, metadata)
      : await this.#discovered(openid, provider, metadata)
    if (isPlainHttp(provider)) openid.allowInsecureRequests(configuration)
    configuration[openid.customFetch] = guardedFetch(this.#app.outbound)
    configuration.timeout = requestTimeMs / 1000
    openid.enableNonRepudiationChecks(configuration) // the signature of the ID token is checked, also where TLS brought it
    return configuration
  }

  async #discovered(
    openid: typeof OpenIdClient,
    provider: Provider,
    metadata: Partial<OpenIdClient.ClientMetadata>,
  ): Promise<OpenIdClient.Configuration> {
    const found = await openid.discovery(
      new URL(provider.issuer),
      provider.client_id,
      metadata,
      undefined,
      {
        [openid.customFetch]: guardedFetch(this.#app.outbound),
        timeout: requestTimeMs / 1000,
        execute: isPlainHttp(provider) ? [openid.allowInsecureRequests] : [],
      },
    )
    this.#metadata.set(provider.id, {
      until: Date.now() + metadataFreshMs,
      value: found.serverMetadata(),
    })
    return found
  }

  async #guarded<T>(
    provider: Provider,
    work: (openid: typeof OpenIdClient) => Promise<T>,
  ): Promise<T> {
    try {
      return await work(await import('openid-client'))
    } catch (error) {
      if (error instanceof Refusal) throw error
      const reasons = reasonsOf(error)
      this.#app.log.warn('a sign-in provider failed', {
        provider: provider.id,
        error: reasons.map(({ message }) => message).join(': '),
      })
      throw refusalOf(provider, reasons)
    }
  }
}

function isPlainHttp({ issuer }: Provider): boolean {
  const url = new URL(issuer)
  return url.protocol === 'http:' && isLoopback(url)
}

function reasonsOf(error: unknown): Error[] {
  const reasons: Error[] = []
  for (let at = error; at instanceof Error && reasons.length < 5; at = at.cause) reasons.push(at)
  return reasons
}

function refusalOf({ name }: Provider, reasons: readonly Error[]): Refusal {
  if (reasons.some((reason) => reason instanceof Unreachable || reason.name === 'TimeoutError'))
    return new Refusal(
      'provider_error',
      `${name} could not be reached.`,
      'Try again in a moment; if it stays so, an administrator can look at it with `workspace sso check`.',
    )
  const denied = reasons.find((reason) => 'error' in reason && reason.error === 'access_denied')
  if (denied) return new Refusal('provider_error', `${name} refused the sign-in.`, 'Start again.')
  return new Refusal(
    'provider_error',
    `The answer of ${name} was not accepted.`,
    'Start again; if it stays so, the log of the server says why.',
  )
}

/** Asks a provider through the guarded way out, as fetch does. */
export function guardedFetch(outbound: Outbound): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const answered = await outbound.request(
      url,
      {
        method: method as NonNullable<OutboundRequest['method']>,
        headers,
        ...(body == null ? {} : { body: textOf(body) }),
      },
      { within: requestTimeMs, largest: largestAnswerBytes, ...(signal ? { signal } : {}) },
    )
    if (answered.isCut) throw new Error('The answer is too long.')
    const all = Object.entries(answered.headers).flatMap(([name, value]): [string, string][] =>
      [value ?? []].flat().map((single) => [name, single]),
    )
    const isEmpty = answered.status === 204 || answered.status === 304
    return new Response(isEmpty ? null : new Uint8Array(answered.body), {
      status: answered.status,
      headers: all,
    })
  }
}

function textOf(body: NonNullable<Parameters<CustomFetch>[1]['body']>): string {
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new Error('A provider is sent forms only.')
}
