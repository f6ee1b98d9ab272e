// Exchanges codes and refresh tokens for tokens. Each grant is one job of the writer, so concurrent requests are
// ordered. A job that ends a connection after a reuse must be committed, so it returns the refusal and does not throw.

import { createHash, timingSafeEqual } from 'node:crypto'
import { deriveToken, mintToken, newSalt, tokenHash } from '../keys/tokens.ts'
import type { App } from '../operations/app.ts'
import type { Row } from '../records/resource.ts'
import { callbackHostPolicy } from './callback-hosts.ts'
import type { OAuthClient } from './clients.ts'
import {
  endAfterReuse,
  findConnection,
  issueTokens,
  storeRefreshToken,
  logRefresh,
  type Connection,
  type TokenAnswer,
} from './connection-tokens.ts'
import { OAuthError } from './errors.ts'
import { isLoopbackRedirect } from './redirects.ts'
import { canonicalResource } from './requests.ts'
import { oauthScopes } from './scopes.ts'

const minute = 60_000
/** A code that is repeated within this time, with its verifier, is a request that was sent twice. */
const codeRepeatMs = 10_000
const clockSlackMs = 5 * minute
const loopbackGraceFactor = 5

type Outcome = TokenAnswer | OAuthError

export interface CodeGrant {
  code: string
  redirectUri: string | undefined
  verifier: string
  resource: string | undefined
}

export interface RefreshGrant {
  refreshToken: string
  scope: string | undefined
  resource: string | undefined
}

/** Tokens for an authorization code. @throws OAuthError invalid_grant or invalid_target */
export async function grantByCode(
  app: App,
  client: OAuthClient,
  grant: CodeGrant,
): Promise<TokenAnswer> {
  return meterGrant(app, 'code', await app.store.writer.run(() => exchangeCode(app, client, grant)))
}

/** Tokens for a refresh token, which is replaced. @throws OAuthError invalid_grant, invalid_target or invalid_request */
export async function grantByRefresh(
  app: App,
  client: OAuthClient,
  grant: RefreshGrant,
): Promise<TokenAnswer> {
  return meterGrant(app, 'refresh', await app.store.writer.run(() => refresh(app, client, grant)))
}

function meterGrant({ meter }: App, step: 'code' | 'refresh', outcome: Outcome): TokenAnswer {
  meter?.recordConnectingStep(step, outcome instanceof OAuthError ? outcome.code : 'ok')
  if (outcome instanceof OAuthError) throw outcome
  return outcome
}

async function exchangeCode(app: App, client: OAuthClient, grant: CodeGrant): Promise<Outcome> {
  const { store, clock } = app
  const now = clock.now()
  const code = await store.write
    .selectFrom('oauth_codes')
    .selectAll()
    .where('code_hash', '=', tokenHash(grant.code))
    .executeTakeFirst()
  const connection = code && (await findConnection(app, code.key_id, client))
  if (!code || !connection) return invalidGrant('The code is not valid.')
  if (await isHostRefused(app, connection)) return hostRefusal
  const isVerified = provesChallenge(grant.verifier, code.challenge)
  if (code.used_at !== null) {
    const isLate = now - code.used_at > codeRepeatMs && app.mayErase() // a clock that jumped makes everything late
    if (!isVerified || isLate) await endAfterReuse(app, connection, 'an authorization code')
    return invalidGrant('The code was used before.')
  }
  const isInTime = code.expires_at > now && code.expires_at - now <= minute + clockSlackMs
  if (!isInTime) return invalidGrant('The code has expired.')
  if (grant.redirectUri !== undefined && grant.redirectUri !== connection.redirect_uri)
    return invalidGrant('The redirect_uri is not the one of the authorization request.')
  if (!isVerified) return invalidGrant('The code_verifier does not match.')
  if (isOtherResource(grant.resource, connection)) return invalidTarget
  await store.write
    .updateTable('oauth_codes')
    .set({ used_at: now })
    .where('code_hash', '=', code.code_hash)
    .execute()
  const refreshToken = mintToken('wrt')
  await storeRefreshToken(app, connection, { token: refreshToken, salt: null })
  return issueTokens(app, connection, refreshToken)
}

async function refresh(app: App, client: OAuthClient, grant: RefreshGrant): Promise<Outcome> {
  const { store, clock } = app
  const now = clock.now()
  const presented = await store.write
    .selectFrom('oauth_tokens')
    .selectAll()
    .where('token_hash', '=', tokenHash(grant.refreshToken))
    .where('kind', '=', 'refresh')
    .executeTakeFirst()
  const connection = presented && (await findConnection(app, presented.key_id, client))
  if (!presented || !connection) return invalidGrant('The refresh token is not valid.')
  if (await isHostRefused(app, connection)) return hostRefusal
  if (presented.expires_at <= now || presented.created_at - now > clockSlackMs)
    return invalidGrant('The connection was not used for too long.')
  if (isOtherResource(grant.resource, connection)) return invalidTarget
  if (exceedsGranted(grant.scope, connection.scope))
    return new OAuthError('invalid_scope', 'The scope is more than was granted.')
  if (presented.replaced_at === null) {
    const salt = newSalt()
    const refreshToken = deriveToken('wrt', grant.refreshToken, salt)
    await store.write
      .updateTable('oauth_tokens')
      .set({ replaced_at: now })
      .where('token_hash', '=', presented.token_hash)
      .execute()
    await logRefresh(app, connection)
    await storeRefreshToken(app, connection, { token: refreshToken, salt })
    return issueTokens(app, connection, refreshToken)
  }
  const age = Math.abs(now - presented.replaced_at)
  if (age <= gracePeriodOf(app, connection)) {
    app.meter?.recordConnectingStep('repeat', 'ok')
    const refreshToken = await newestSuccessor(app, presented, grant.refreshToken)
    return issueTokens(app, connection, refreshToken)
  }
  if (app.mayErase()) await endAfterReuse(app, connection, 'a refresh token') // not if the clock jumped: it may have been replaced just now
  return invalidGrant('The refresh token was replaced before.')
}

/**
 * Parallel requests and retries after lost answers use a token that was just replaced: they all get its newest
 * successor.
 */
async function newestSuccessor(
  { store }: App,
  presented: Row<'oauth_tokens'>,
  text: string,
): Promise<string> {
  const successors = await store.write
    .selectFrom('oauth_tokens')
    .select(['token_hash', 'salt'])
    .where('key_id', '=', presented.key_id)
    .where('kind', '=', 'refresh')
    .where('generation', '>', presented.generation)
    .orderBy('generation')
    .execute()
  const newest = successors.reduce((token, { salt }) => deriveToken('wrt', token, salt ?? ''), text)
  if (tokenHash(newest) !== successors.at(-1)?.token_hash)
    throw new Error('The refresh tokens of a connection do not form a chain.')
  return newest
}

function gracePeriodOf({ settings }: App, { redirect_uri }: Connection): number {
  const seconds = settings.oauth_grace_seconds
  return seconds * 1000 * (isLoopbackRedirect(redirect_uri) ? loopbackGraceFactor : 1)
}

/**
 * True if a request asks for more than was granted. A request for less gets the full grant: limits belong to the
 * connection, not to a token.
 */
function exceedsGranted(requestedScope: string | undefined, granted: string): boolean {
  const names = (requestedScope ?? '').split(/\s+/)
  return oauthScopes.some((scope) => names.includes(scope) && !granted.split(' ').includes(scope))
}

function isOtherResource(requested: string | undefined, { resource }: Connection): boolean {
  return requested !== undefined && canonicalResource(requested) !== canonicalResource(resource)
}

function provesChallenge(verifier: string, challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  const computed = createHash('sha256').update(verifier).digest('base64url')
  return (
    computed.length === challenge.length &&
    timingSafeEqual(Buffer.from(computed), Buffer.from(challenge))
  )
}

async function isHostRefused({ store }: App, { redirect_uri }: Connection): Promise<boolean> {
  return (await callbackHostPolicy(store.write, redirect_uri)) === 'refuse'
}

const hostRefusal = new OAuthError(
  'unauthorized_client',
  'An administrator has refused the host to which this connection was answered.',
)
const invalidGrant = (description: string) => new OAuthError('invalid_grant', description)
const invalidTarget = new OAuthError(
  'invalid_target',
  'The resource is not the one of the authorization request.',
)
