// Tokens for codes, and tokens for refresh tokens. Each grant is one job of the writer: of two requests that come at once, one is
// first. A job that ends a connection because something was used twice must be kept, so it answers what to refuse with and
// throws nothing.

import { createHash, timingSafeEqual } from 'node:crypto'
import { recordAct } from '../audit/act.ts'
import type { Id } from '../kernel/ids.ts'
import { dayLength } from '../kernel/time/times.ts'
import { revokeInJob } from '../keys/issue.ts'
import { deriveToken, mintToken, newSalt, tokenHash } from '../keys/tokens.ts'
import type { App } from '../operations/app.ts'
import type { Row } from '../records/resource.ts'
import type { OAuthClient } from './clients.ts'
import { OAuthError } from './errors.ts'
import { isLoopbackRedirect } from './redirects.ts'
import { oauthScopes } from './scopes.ts'

const minute = 60_000
/** A code that comes again within so long, with its verifier, is a request that was sent twice. */
const codeRepeatMs = 10_000
const clockSlackMs = 5 * minute
const loopbackGraceFactor = 5
/** Refresh tokens that were replaced are kept so long, for a later use to be noticed. */
const replacedKeptMs = 90 * dayLength

/** The answer of the token endpoint. */
export interface TokenAnswer {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: string
}

type Outcome = TokenAnswer | OAuthError

interface Connection extends Row<'oauth_connections'> {
  owner_id: Id<'users'>
  name: string
  expires_at: number | null
}

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
  return settled(await app.store.writer.run(() => exchangeCode(app, client, grant)))
}

/** Tokens for a refresh token, which is replaced. @throws OAuthError invalid_grant, invalid_target or invalid_request */
export async function grantByRefresh(
  app: App,
  client: OAuthClient,
  grant: RefreshGrant,
): Promise<TokenAnswer> {
  return settled(await app.store.writer.run(() => refresh(app, client, grant)))
}

/** Ends the connection of a client's own token of either kind; anything else is left alone (RFC 7009). */
export async function revokeByToken(app: App, client: OAuthClient, token: string): Promise<void> {
  const { store, clock, settings } = app
  await store.writer.run(async () => {
    const row = await store.write
      .selectFrom('oauth_tokens')
      .innerJoin('oauth_connections', 'oauth_connections.key_id', 'oauth_tokens.key_id')
      .select('oauth_connections.key_id')
      .where('oauth_tokens.token_hash', '=', tokenHash(token))
      .where('oauth_connections.client_id', '=', client.clientId)
      .executeTakeFirst()
    if (row) await revokeInJob(store, clock, settings.data, { id: row.key_id, via: 'web' })
  })
}

function settled(outcome: Outcome): TokenAnswer {
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
  const isVerified = provesChallenge(grant.verifier, code.challenge)
  if (code.used_at !== null) {
    if (!isVerified || now - code.used_at > codeRepeatMs)
      await endStolen(app, connection, 'an authorization code')
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
  await keepRefreshToken(app, connection, { token: refreshToken, salt: null })
  return answer(app, connection, refreshToken)
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
  if (presented.expires_at <= now || presented.created_at - now > clockSlackMs)
    return invalidGrant('The connection was not used for too long.')
  if (isOtherResource(grant.resource, connection)) return invalidTarget
  if (isMore(grant.scope, connection.scope))
    return new OAuthError('invalid_scope', 'The scope is more than was granted.')
  if (presented.replaced_at === null) {
    const salt = newSalt()
    const refreshToken = deriveToken('wrt', grant.refreshToken, salt)
    await store.write
      .updateTable('oauth_tokens')
      .set({ replaced_at: now })
      .where('token_hash', '=', presented.token_hash)
      .execute()
    await noteRefresh(app, connection)
    await keepRefreshToken(app, connection, { token: refreshToken, salt })
    return answer(app, connection, refreshToken)
  }
  const age = Math.abs(now - presented.replaced_at)
  if (age <= graceOf(app, connection)) {
    const refreshToken = await newestAfter(app, presented, grant.refreshToken)
    return answer(app, connection, refreshToken)
  }
  await endStolen(app, connection, 'a refresh token')
  return invalidGrant('The refresh token was replaced before.')
}

/** Parallel requests, and answers that got lost, come back with a token that was just replaced: they get its newest successor, the same for all. */
async function newestAfter(
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
    throw new Error('The refresh tokens of a connection are no chain.')
  return newest
}

async function findConnection(
  { store, clock }: App,
  keyId: string,
  client: OAuthClient,
): Promise<Connection | undefined> {
  const now = clock.now()
  return store.write
    .selectFrom('oauth_connections')
    .innerJoin('api_keys', 'api_keys.id', 'oauth_connections.key_id')
    .innerJoin('users', 'users.id', 'api_keys.owner_id')
    .selectAll('oauth_connections')
    .select(['api_keys.owner_id', 'api_keys.name', 'api_keys.expires_at'])
    .where('oauth_connections.key_id', '=', keyId as Id<'api_keys'>)
    .where('oauth_connections.client_id', '=', client.clientId)
    .where('api_keys.revoked_at', 'is', null)
    .where((eb) =>
      eb.or([eb('api_keys.expires_at', 'is', null), eb('api_keys.expires_at', '>', now)]),
    )
    .where('users.status', '=', 'active')
    .executeTakeFirst()
}

/** The generation counts on within the job: `connection` is changed with the row. */
async function keepRefreshToken(
  { store, clock, settings }: App,
  connection: Connection,
  { token, salt }: { token: string; salt: string | null },
): Promise<void> {
  const now = clock.now()
  connection.generation++
  connection.refreshed_at = now
  await store.write
    .insertInto('oauth_tokens')
    .values({
      token_hash: tokenHash(token),
      key_id: connection.key_id,
      kind: 'refresh',
      generation: connection.generation,
      salt,
      created_at: now,
      expires_at: now + settings.oauth_idle_days * dayLength,
      replaced_at: null,
    })
    .execute()
  await store.write
    .updateTable('oauth_connections')
    .set({ generation: connection.generation, refreshed_at: now })
    .where('key_id', '=', connection.key_id)
    .execute()
}

async function answer(
  { store, clock, settings }: App,
  connection: Connection,
  refreshToken: string,
): Promise<TokenAnswer> {
  const now = clock.now()
  const ends = now + settings.oauth_access_minutes * minute
  const expiresAt = Math.min(ends, connection.expires_at ?? ends)
  const accessToken = mintToken('wat')
  const { write } = store
  await write
    .deleteFrom('oauth_tokens')
    .where('key_id', '=', connection.key_id)
    .where((eb) =>
      eb.or([
        eb.and([eb('kind', '=', 'access'), eb('expires_at', '<', now - dayLength)]),
        eb('replaced_at', '<', now - replacedKeptMs),
      ]),
    )
    .execute()
  await write
    .insertInto('oauth_tokens')
    .values({
      token_hash: tokenHash(accessToken),
      key_id: connection.key_id,
      kind: 'access',
      generation: connection.generation,
      salt: null,
      created_at: now,
      expires_at: expiresAt,
      replaced_at: null,
    })
    .execute()
  await write
    .updateTable('oauth_clients')
    .set({ used_at: now })
    .where('client_id', '=', connection.client_id)
    .execute()
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: Math.max(1, Math.floor((expiresAt - now) / 1000)),
    refresh_token: refreshToken,
    scope: connection.scope,
  }
}

/** Once a day: the call log is for what people want to know. */
async function noteRefresh({ store, clock }: App, connection: Connection): Promise<void> {
  const now = clock.now()
  if (Math.floor(now / dayLength) === Math.floor(connection.refreshed_at / dayLength)) return
  await recordAct(store, {
    tool: 'refresh_connection',
    route: 'POST /oauth/token',
    kind: 'write',
    via: 'web',
    at: now,
    org_id: connection.org_id,
    actor_id: connection.owner_id,
    items: [{ type: 'api_key', id: connection.key_id }],
  })
}

/** Something that works once came a second time: somebody has a copy, and nobody knows who is who. Ends the connection. */
async function endStolen(app: App, connection: Connection, what: string): Promise<void> {
  const { store, clock, settings, limits, log } = app
  const { key_id, org_id, owner_id } = connection
  await revokeInJob(store, clock, settings.data, { id: key_id, via: 'web' })
  limits.findings.raise({
    rule: 'replayed-token',
    key: { id: key_id, org_id, owner_id },
    detail: { effect: 'ended' },
  })
  log.warn('a connection was ended because a token was used twice', { key: key_id, what })
}

function graceOf({ settings }: App, { redirect_uri }: Connection): number {
  const seconds = settings.oauth_grace_seconds
  return seconds * 1000 * (isLoopbackRedirect(redirect_uri) ? loopbackGraceFactor : 1)
}

/** Whether more is asked for than was granted. Less is answered with what was granted: the limits are the connection's, not a token's. */
function isMore(asked: string | undefined, granted: string): boolean {
  const names = (asked ?? '').split(/\s+/)
  return oauthScopes.some((scope) => names.includes(scope) && !granted.split(' ').includes(scope))
}

function isOtherResource(asked: string | undefined, { resource }: Connection): boolean {
  return asked !== undefined && asked !== resource
}

function provesChallenge(verifier: string, challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  const made = createHash('sha256').update(verifier).digest('base64url')
  return (
    made.length === challenge.length && timingSafeEqual(Buffer.from(made), Buffer.from(challenge))
  )
}

const invalidGrant = (why: string) => new OAuthError('invalid_grant', why)
const invalidTarget = new OAuthError(
  'invalid_target',
  'The resource is not the one of the authorization request.',
)
