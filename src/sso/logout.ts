// Back-channel logout: a provider reports with a signed token that a person signed out there, and their sessions here
// end.

import { createRemoteJWKSet, customFetch, jwtVerify, type JWTPayload } from 'jose'
import { JOSEError } from 'jose/errors'
import { recordAction, type ActionOrigin } from '../audit/act.ts'
import { endSessions } from '../identity/sessions.ts'
import type { Id } from '../kernel/ids.ts'
import { invalid } from '../kernel/refusal.ts'
import type { App } from '../operations/app.ts'
import { guardedFetch, type ProviderClient } from './client.ts'
import { requireProvider, type Provider } from './providers.ts'

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
/** Logout tokens are signed only with the provider's keys, never with the client secret. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
]
const maxTokenAgeSeconds = 300
const clockToleranceSeconds = 60

/**
 * Ends the sessions that a logout token names; returns their number.
 * @throws Refusal invalid_argument for a token that is not accepted, provider_error if its keys cannot be fetched
 */
export async function endProviderSessions(
  app: App,
  client: ProviderClient,
  logout: { providerId: string; token: string; from: ActionOrigin },
): Promise<number> {
  const provider = await requireProvider(app.store.read, logout.providerId)
  const { sub, sid } = await verifyLogoutToken(app, client, provider, logout.token)
  const { store, clock } = app
  return store.writer.run(async () => {
    const ended = await endSessions(store, (eb) => {
      const isOfProvider = eb('provider_id', '=', provider.id)
      const subjectConditions = sub === undefined ? [] : [eb('provider_subject', '=', sub)]
      if (sid === undefined) return eb.and([isOfProvider, ...subjectConditions])
      const hasSessionId = eb('provider_sid', '=', sid)
      const hasNoSessionId = eb.and([eb('provider_sid', 'is', null), ...subjectConditions])
      const isMatch =
        sub === undefined
          ? hasSessionId
          : eb.or([eb.and([hasSessionId, ...subjectConditions]), hasNoSessionId])
      return eb.and([isOfProvider, isMatch])
    })
    for (const { id, org_id, person_id } of ended)
      await recordAction(store, {
        ...logout.from,
        tool: 'end_session',
        route: 'POST /sso/{id}/backchannel-logout',
        kind: 'write',
        via: 'web',
        at: clock.now(),
        org_id,
        actor_id: person_id as Id<'users'>,
        items: [{ type: 'session', id }],
        arguments: { provider: provider.id },
      })
    return ended.length
  })
}

async function verifyLogoutToken(
  app: App,
  client: ProviderClient,
  provider: Provider,
  token: string,
): Promise<{ sub: string | undefined; sid: string | undefined }> {
  const { issuer, jwks_uri } = await client.discover(provider)
  if (jwks_uri === undefined) throw invalidLogoutToken('The provider has no keys.')
  const keys = createRemoteJWKSet(new URL(jwks_uri), {
    [customFetch]: (url, options) =>
      guardedFetch(app.outbound)(url, {
        ...options,
        headers: Object.fromEntries(options.headers),
        body: null,
      }),
  })
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience: provider.client_id,
      algorithms,
      maxTokenAge: maxTokenAgeSeconds,
      clockTolerance: clockToleranceSeconds,
      requiredClaims: ['iat', 'jti', 'events'],
    })
    return readSubjectAndSession(payload)
  } catch (error) {
    // importing an invalid key throws a DOMException, and a key that is too short a TypeError
    const isTokenError = [JOSEError, DOMException, TypeError].some((kind) => error instanceof kind)
    if (!(error instanceof Error) || !isTokenError) throw error
    app.log.warn('a logout token was not accepted', { provider: provider.id, error: error.message })
    throw invalidLogoutToken('The logout token is not valid.')
  }
}

/** A nonce means that it is an ID token, not a logout token. */
function readSubjectAndSession(payload: JWTPayload): {
  sub: string | undefined
  sid: string | undefined
} {
  const { events, nonce, sub, sid } = payload
  const isLogout =
    typeof events === 'object' && events !== null && Object.hasOwn(events, logoutEvent)
  if (!isLogout || nonce !== undefined) throw invalidLogoutToken('This is no logout token.')
  const session = typeof sid === 'string' ? sid : undefined
  if (sub === undefined && session === undefined)
    throw invalidLogoutToken('The logout token names neither a person nor a session.')
  return { sub, sid: session }
}

const invalidLogoutToken = (why: string) => invalid('logout_token', why)
