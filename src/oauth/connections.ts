import { recordAct, type ActFrom } from '../audit/act.ts'
import type { Store } from '../db/open.ts'
import type { Actor } from '../kernel/actor.ts'
import { newId, type Id } from '../kernel/ids.ts'
import { notFound } from '../kernel/refusal.ts'
import { connectionLookup } from '../keys/format.ts'
import { checkKeyName, checkToolsets } from '../keys/issue.ts'
import { mintToken, tokenHash } from '../keys/tokens.ts'
import { notifyPeople } from '../notify/notifications.ts'
import type { App } from '../operations/app.ts'
import type { Row } from '../records/resource.ts'
import { isWebRedirect, redirectHost, withParameters } from './redirects.ts'
import { findRequest, settleRequest, type PendingRequest } from './requests.ts'
import { parseScopes, scopesOf, scopeText } from './scopes.ts'

const codeTimeMs = 60_000
const codeKeptMs = 24 * 3600_000

/** What a connection may do of what its person may. */
export interface ConnectionLimits {
  name: string
  readOnly: boolean
  holdOutbound: boolean
  /** undefined: all modules. */
  toolsets: readonly string[] | undefined
  /** Milliseconds since 1970 UTC; undefined: no end. */
  expiresAt: number | undefined
}

/** Who decides, about which request. */
export interface Decision {
  token: string
  actor: Actor
  from: ActFrom
}

/**
 * Connects the program that asked: the connection, its code, the entry in the call log and the notice are one job.
 * @returns the address to send the browser to
 * @throws Refusal not_found where the request was decided or its time is over; invalid_argument for limits that will not do
 */
export async function allowRequest(
  app: App,
  { token, actor, from }: Decision,
  limits: ConnectionLimits,
): Promise<string> {
  const { store, clock, keys, catalogue } = app
  checkKeyName(limits.name)
  checkToolsets({ toolsets: limits.toolsets, modules: catalogue.toolsets })
  const code = mintToken('wac')
  return store.writer.run(async () => {
    await keys.recheck(actor)
    const now = clock.now()
    const pending = await requireRequest(store, now, token)
    await settleRequest(store, now, pending.request.token_hash)
    const connection = await saveConnection(store, { now, actor, pending, limits })
    await keepCode(store, now, connection.keyId, { code, challenge: pending.request.challenge })
    await tell(store, { now, actor, from, pending, limits, connection })
    const { redirect_uri, state, issuer } = pending.request
    return withParameters(redirect_uri, { code, state: state ?? undefined, iss: issuer })
  })
}

/** Refuses the program that asked. @returns the address to send the browser to @throws Refusal not_found */
export async function denyRequest(
  { store, clock, keys }: App,
  { token, actor }: Decision,
): Promise<string> {
  return store.writer.run(async () => {
    await keys.recheck(actor)
    const { request } = await requireRequest(store, clock.now(), token)
    await settleRequest(store, clock.now(), request.token_hash)
    return withParameters(request.redirect_uri, {
      error: 'access_denied',
      error_description: 'The person did not allow it.',
      state: request.state ?? undefined,
      iss: request.issuer,
    })
  })
}

async function requireRequest(store: Store, now: number, token: string): Promise<PendingRequest> {
  const pending = await findRequest(store.write, now, token)
  if (!pending) throw notFound('authorization request', 'token')
  return pending
}

/**
 * The connection that a person already has with the same program at the same addresses, which a new one takes the place of. Programs on
 * people's own machines get one each.
 */
export function findEarlier(
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

interface SavedConnection {
  keyId: Id<'api_keys'>
  isReplaced: boolean
}

interface Saving {
  now: number
  actor: Actor
  pending: PendingRequest
  limits: ConnectionLimits
}

async function saveConnection(
  store: Store,
  { now, actor, pending: { request }, limits }: Saving,
): Promise<SavedConnection> {
  const { write } = store
  const bounds = {
    name: limits.name.trim(),
    read_only: limits.readOnly ? 1 : 0,
    hold_outbound: limits.holdOutbound ? 1 : 0,
    toolsets_json: limits.toolsets ? JSON.stringify([...new Set(limits.toolsets)]) : null,
    expires_at: limits.expiresAt ?? null,
  } as const
  const given = {
    issuer: request.issuer,
    asked: request.scope,
    scope: scopeText(scopesOf(limits)),
    refreshed_at: now,
  }
  await write
    .updateTable('oauth_clients')
    .set({ used_at: now })
    .where('client_id', '=', request.client_id)
    .execute()
  const earlier = await findEarlier(write, now, actor.id, request)
  if (earlier) {
    await write.deleteFrom('oauth_tokens').where('key_id', '=', earlier.id).execute()
    await write.deleteFrom('oauth_codes').where('key_id', '=', earlier.id).execute()
    await write.updateTable('api_keys').set(bounds).where('id', '=', earlier.id).execute()
    await write
      .updateTable('oauth_connections')
      .set(given)
      .where('key_id', '=', earlier.id)
      .execute()
    return { keyId: earlier.id, isReplaced: true }
  }
  const row = newConnectionRow(now, actor, redirectHost(request.redirect_uri), bounds)
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
      ...given,
    })
    .execute()
  return { keyId: row.id, isReplaced: false }
}

type Bounds = Pick<
  Row<'api_keys'>,
  'name' | 'read_only' | 'hold_outbound' | 'toolsets_json' | 'expires_at'
>

function newConnectionRow(
  now: number,
  actor: Actor,
  host: string,
  bounds: Bounds,
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
    ...bounds,
  }
}

async function keepCode(
  { write }: Store,
  now: number,
  keyId: Id<'api_keys'>,
  { code, challenge }: { code: string; challenge: string },
): Promise<void> {
  await write
    .deleteFrom('oauth_codes')
    .where('expires_at', '<', now - codeKeptMs)
    .execute()
  await write
    .insertInto('oauth_codes')
    .values({
      code_hash: tokenHash(code),
      key_id: keyId,
      challenge,
      expires_at: now + codeTimeMs,
      used_at: null,
    })
    .execute()
}

async function tell(
  store: Store,
  {
    now,
    actor,
    from,
    pending: { request },
    limits,
    connection,
  }: Saving & { from: ActFrom; connection: SavedConnection },
): Promise<void> {
  const item = { type: 'api_key', id: connection.keyId }
  const name = limits.name.trim()
  await notifyPeople(store.write, now, actor.org_id, [actor.id], {
    kind: 'security',
    item,
    actor: null,
    text: connection.isReplaced
      ? `The connection "${name}" was renewed`
      : `The connection "${name}" was created for you`,
  })
  await recordAct(store, {
    ...from,
    tool: 'create_connection',
    route: 'POST /web/connect/requests/{token}',
    kind: 'write',
    via: 'web',
    at: now,
    org_id: actor.org_id,
    actor_id: actor.id,
    items: [item],
    arguments: {
      name,
      client_id: request.client_id,
      host: redirectHost(request.redirect_uri),
      asked: scopeText(parseScopes(request.scope)),
      read_only: limits.readOnly,
      hold_outbound: limits.holdOutbound,
      toolsets: limits.toolsets ?? null,
      expires_at: limits.expiresAt ?? null,
      renewed: connection.isReplaced,
    },
  })
}
