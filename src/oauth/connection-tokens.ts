// The tokens of connections. All of it runs within a job of the writer.

import { recordAction } from '../audit/act.ts'
import type { Id } from '../kernel/ids.ts'
import { dayLength } from '../kernel/time/times.ts'
import { revokeInJob } from '../keys/issue.ts'
import { mintToken, tokenHash } from '../keys/tokens.ts'
import type { App } from '../operations/app.ts'
import type { Row } from '../records/resource.ts'
import type { OAuthClient } from './clients.ts'

/** Replaced refresh tokens are kept this long, so that reuse is detected. */
const replacedRetentionMs = 90 * dayLength
const minute = 60_000

export interface TokenAnswer {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: string
}

/** A connection with the columns of its key that its tokens need. */
export interface Connection extends Row<'oauth_connections'> {
  owner_id: Id<'users'>
  name: string
  expires_at: number | null
}

/** The connection of a client if it has neither expired nor been revoked, and its person is active. */
export async function findConnection(
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

/** Increments the generation within the job, in `connection` and in the row. */
export async function storeRefreshToken(
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

/** Issues a new access token with a refresh token of the connection. Removes tokens that expired long ago. */
export async function issueTokens(
  { store, clock, settings }: App,
  connection: Connection,
  refreshToken: string,
): Promise<TokenAnswer> {
  const now = clock.now()
  const accessEndsAt = now + settings.oauth_access_minutes * minute
  const expiresAt = Math.min(accessEndsAt, connection.expires_at ?? accessEndsAt)
  const accessToken = mintToken('wat')
  const { write } = store
  await write
    .deleteFrom('oauth_tokens')
    .where('key_id', '=', connection.key_id)
    .where((eb) =>
      eb.or([
        eb.and([eb('kind', '=', 'access'), eb('expires_at', '<', now - dayLength)]),
        eb('replaced_at', '<', now - replacedRetentionMs),
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

/** Logged once a day: the call log is for events that people care about. */
export async function logRefresh({ store, clock }: App, connection: Connection): Promise<void> {
  const now = clock.now()
  if (Math.floor(now / dayLength) === Math.floor(connection.refreshed_at / dayLength)) return
  await recordAction(store, {
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

/** A single-use token was used twice: one party has a copy, and it is unknown which. Ends the connection. */
export async function endAfterReuse(
  app: App,
  connection: Connection,
  reusedToken: string,
): Promise<void> {
  const { store, clock, settings, limits, log } = app
  const { key_id, org_id, owner_id } = connection
  await revokeInJob(store, clock, settings.data, { id: key_id, via: 'web' })
  limits.findings.raise({
    rule: 'replayed-token',
    key: { id: key_id, org_id, owner_id },
    detail: { effect: 'ended' },
  })
  app.meter?.recordConnectingStep('replay', 'ended')
  log.warn('a connection was ended because a token was used twice', {
    key: key_id,
    what: reusedToken,
  })
}
