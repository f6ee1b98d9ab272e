import { randomBytes } from 'node:crypto'
import type { Clock } from '../kernel/time/clock.ts'
import type { Store } from '../db/open.ts'
import { tokenHash } from '../keys/tokens.ts'
import type { Row } from '../records/resource.ts'
import { oauthClientOf, type OAuthClient } from './clients.ts'

/** Milliseconds that a person has to decide. */
const requestLifetimeMs = 10 * 60_000

/** Validated authorization request, not yet decided. */
export interface AuthorizationRequest {
  clientId: string
  redirectUri: string
  state: string | undefined
  challenge: string
  resource: string
  scope: string
  issuer: string
  ip: string
}

const maxResourceLength = 2000

/**
 * Normalizes the address of an MCP endpoint (`resource`, RFC 8707) for comparison: scheme and host in lower case, no
 * default port, no trailing slash. The address of the server itself means `/mcp`. Undefined if it is not an address,
 * has credentials or has a fragment.
 */
export function canonicalResource(text: string): string | undefined {
  const url = text.length <= maxResourceLength ? URL.parse(text) : null
  if (url?.username !== '' || url.password !== '' || text.includes('#')) return undefined
  if (!/^https?:$/.test(url.protocol)) return undefined
  return url.origin + (url.pathname.replace(/\/$/, '') || '/mcp') + url.search
}

/** Stores a request. The token identifies it in the address of the consent page. */
export async function storeRequest(
  store: Store,
  clock: Clock,
  request: AuthorizationRequest,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const now = clock.now()
  await store.writer.run(async () => {
    const { write } = store
    await write.deleteFrom('oauth_requests').where('expires_at', '<=', now).execute()
    await write
      .insertInto('oauth_requests')
      .values({
        token_hash: tokenHash(token),
        client_id: request.clientId,
        redirect_uri: request.redirectUri,
        state: request.state ?? null,
        challenge: request.challenge,
        resource: request.resource,
        scope: request.scope,
        issuer: request.issuer,
        ip: request.ip,
        created_at: now,
        expires_at: now + requestLifetimeMs,
        decided_at: null,
      })
      .execute()
  })
  return token
}

/** A request that waits for a decision, and its client. */
export interface PendingRequest {
  request: Row<'oauth_requests'>
  client: OAuthClient
}

/** `db`: inside a job of the writer, for decisions. Undefined if there is none, it was decided, or it has expired. */
export async function findRequest(
  db: Store['read'],
  now: number,
  token: string,
): Promise<PendingRequest | undefined> {
  if (!/^[\w-]{43}$/.test(token)) return undefined
  const request = await db
    .selectFrom('oauth_requests')
    .selectAll()
    .where('token_hash', '=', tokenHash(token))
    .where('expires_at', '>', now)
    .where('created_at', '<=', now + requestLifetimeMs) // not if the clock was set back
    .where('decided_at', 'is', null)
    .executeTakeFirst()
  if (!request) return undefined
  const row = await db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('client_id', '=', request.client_id)
    .executeTakeFirstOrThrow()
  return { request, client: oauthClientOf(row) }
}

/** Marks a request as decided; inside the job of the writer that carries out the decision. */
export async function markDecided(
  { write }: Store,
  now: number,
  hashedToken: string,
): Promise<void> {
  await write
    .updateTable('oauth_requests')
    .set({ decided_at: now })
    .where('token_hash', '=', hashedToken)
    .execute()
}
