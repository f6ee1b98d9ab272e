import type { Store } from '../db/open.ts'
import type { Actor } from '../kernel/actor.ts'
import { newId, type Id } from '../kernel/ids.ts'
import { connectionLookup } from '../keys/format.ts'
import type { Row } from '../records/resource.ts'
import { isWebRedirect, redirectHost } from './redirects.ts'
import type { PendingRequest } from './requests.ts'
import { parseScopes, scopesOf, scopeText } from './scopes.ts'

/** Restrictions of a connection within its person's own rights. */
export interface ConnectionLimits {
  name: string
  readOnly: boolean
  holdOutbound: boolean
  /** undefined: all modules. */
  toolsets: readonly string[] | undefined
  /** Milliseconds since 1970 UTC; undefined: does not expire. */
  expiresAt: number | undefined
}

/**
 * The person's existing connection with the same program at the same addresses, which a new one replaces. Programs on
 * people's own machines get one each.
 */
export function findExisting(
  db: Store['read'],
  now: number,
  owner: Id<'users'>,
  { client_id, redirect_uri, resource }: Row<'oauth_requests'>,
): Promise<Row<'api_keys'> | undefined> {
  if (!isWebRedirect(redirect_uri)) return Promise.resolve(undefined)
  return db
    .selectFrom('api_keys')
    .innerJoin('oauth_connections', 'oauth_connections.key_id', 'api_keys.id')
    .selectAll('api_keys')
    .where('api_keys.owner_id', '=', owner)
    .where('api_keys.revoked_at', 'is', null)
    .where('api_keys.suspended_at', 'is', null)
    .where((eb) =>
      eb.or([eb('api_keys.expires_at', 'is', null), eb('api_keys.expires_at', '>', now)]),
    )
    .where('oauth_connections.client_id', '=', client_id)
    .where('oauth_connections.redirect_uri', '=', redirect_uri)
    .where('oauth_connections.resource', '=', resource)
    .executeTakeFirst()
}

/** A connection that was created, or that received a new grant. */
export interface SavedConnection {
  keyId: Id<'api_keys'>
  isReplaced: boolean
}

/** Context of a saved connection: the person, the request and the limits. */
export interface ConnectionDraft {
  now: number
  actor: Actor
  pending: PendingRequest
  limits: ConnectionLimits
}

/** Writes the connection as a row of api_keys and one of its own, within a job of the writer. */
export async function saveConnection(
  store: Store,
  { now, actor, pending: { request }, limits }: ConnectionDraft,
): Promise<SavedConnection> {
  const { write } = store
  const keyLimits = {
    name: limits.name.trim(),
    read_only: limits.readOnly ? 1 : 0,
    hold_outbound: limits.holdOutbound ? 1 : 0,
    toolsets_json: limits.toolsets ? JSON.stringify([...new Set(limits.toolsets)]) : null,
    expires_at: limits.expiresAt ?? null,
  } as const
  const columns = {
    issuer: request.issuer,
    asked: scopeText(parseScopes(request.scope)),
    scope: scopeText(scopesOf(limits)),
    refreshed_at: now,
  }
  await write
    .updateTable('oauth_clients')
    .set({ used_at: now })
    .where('client_id', '=', request.client_id)
    .execute()
  const existing = await findExisting(write, now, actor.id, request)
  if (existing) {
    await write.deleteFrom('oauth_tokens').where('key_id', '=', existing.id).execute()
    await write.deleteFrom('oauth_codes').where('key_id', '=', existing.id).execute()
    await write.updateTable('api_keys').set(keyLimits).where('id', '=', existing.id).execute()
    await write
      .updateTable('oauth_connections')
      .set(columns)
      .where('key_id', '=', existing.id)
      .execute()
    return { keyId: existing.id, isReplaced: true }
  }
  const row = newConnectionRow(now, actor, redirectHost(request.redirect_uri), keyLimits)
  await write.insertInto('api_keys').values(row).execute()
  await write
    .insertInto('oauth_connections')
    .values({
      key_id: row.id,
      org_id: row.org_id,
      client_id: request.client_id,
      redirect_uri: request.redirect_uri,
      resource: request.resource,
      generation: 0,
      ...columns,
    })
    .execute()
  return { keyId: row.id, isReplaced: false }
}

type KeyLimits = Pick<
  Row<'api_keys'>,
  'name' | 'read_only' | 'hold_outbound' | 'toolsets_json' | 'expires_at'
>

function newConnectionRow(
  now: number,
  actor: Actor,
  host: string,
  keyLimits: KeyLimits,
): Row<'api_keys'> {
  return {
    id: newId('key', now),
    org_id: actor.org_id,
    owner_id: actor.id,
    lookup: connectionLookup(host),
    secret_hash: '',
    admin_grant: 0,
    created_at: now,
    created_via: 'web',
    revoked_at: null,
    revoked_by: null,
    suspended_at: null,
    suspended_by: null,
    last_used_at: null,
    last_ip: null,
    last_client: null,
    kind: 'connection',
    ...keyLimits,
  }
}
