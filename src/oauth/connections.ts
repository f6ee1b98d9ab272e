import { recordAction, type ActionOrigin } from '../audit/act.ts'
import type { Store } from '../db/open.ts'
import type { Actor } from '../kernel/actor.ts'
import type { Id } from '../kernel/ids.ts'
import { notFound, Refusal } from '../kernel/refusal.ts'
import { checkKeyName, checkToolsets } from '../keys/issue.ts'
import { mintToken, tokenHash } from '../keys/tokens.ts'
import { notifyPeople } from '../notify/notifications.ts'
import type { App } from '../operations/app.ts'
import { callbackHostPolicy } from './callback-hosts.ts'
import { redirectHost, withParameters } from './redirects.ts'
import { findRequest, markDecided, type PendingRequest } from './requests.ts'
import {
  saveConnection,
  type ConnectionLimits,
  type SavedConnection,
  type ConnectionDraft,
} from './connection-rows.ts'
import { parseScopes, scopeText } from './scopes.ts'

const codeLifetimeMs = 60_000
const codeRetentionMs = 24 * 3600_000

/** Person who decides, and the request in question. */
export interface Decision {
  token: string
  actor: Actor
  from: ActionOrigin
}

/**
 * Connects the requesting program: the connection, its code, the entry in the call log and the notification are one
 * job.
 * @returns the address to send the browser to
 * @throws Refusal not_found if the request was decided or has expired; invalid_argument for limits that are not
 * valid
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
  const redirectTo = await store.writer.run(async () => {
    await keys.recheck(actor)
    const now = clock.now()
    const pending = await requireRequest(store, now, token)
    await requireNotRefused(store, pending)
    await markDecided(store, now, pending.request.token_hash)
    const connection = await saveConnection(store, { now, actor, pending, limits })
    await storeCode(store, now, connection.keyId, { code, challenge: pending.request.challenge })
    await notifyNewConnection(store, { now, actor, from, pending, limits, connection })
    const { redirect_uri, state, issuer } = pending.request
    return withParameters(redirect_uri, { code, state: state ?? undefined, iss: issuer })
  })
  app.meter?.recordConnectingStep('consent', 'ok')
  return redirectTo
}

/** Refuses the requesting program. @returns the address to send the browser to @throws Refusal not_found */
export async function denyRequest(
  { store, clock, keys, meter }: App,
  { token, actor }: Decision,
): Promise<string> {
  const redirectTo = await store.writer.run(async () => {
    await keys.recheck(actor)
    const { request } = await requireRequest(store, clock.now(), token)
    await markDecided(store, clock.now(), request.token_hash)
    return withParameters(request.redirect_uri, {
      error: 'access_denied',
      error_description: 'The person did not allow it.',
      state: request.state ?? undefined,
      iss: request.issuer,
    })
  })
  meter?.recordConnectingStep('consent', 'access_denied')
  return redirectTo
}

async function requireRequest(store: Store, now: number, token: string): Promise<PendingRequest> {
  const pending = await findRequest(store.write, now, token)
  if (!pending) throw notFound('authorization request', 'token')
  return pending
}

/**
 * An administrator may have refused the program or its callback host since the request. @throws Refusal
 * permission_denied
 */
async function requireNotRefused(
  { write }: Store,
  { client, request: { redirect_uri } }: PendingRequest,
): Promise<void> {
  const host = await callbackHostPolicy(write, redirect_uri)
  if (client.policy !== 'refuse' && host !== 'refuse') return
  throw new Refusal(
    'permission_denied',
    'An administrator has refused this program, or the host that would get the answer.',
    'Ask them to lift that under Settings > Programs, then connect again from the program.',
  )
}

async function storeCode(
  { write }: Store,
  now: number,
  keyId: Id<'api_keys'>,
  { code, challenge }: { code: string; challenge: string },
): Promise<void> {
  await write
    .deleteFrom('oauth_codes')
    .where('expires_at', '<', now - codeRetentionMs)
    .execute()
  await write
    .insertInto('oauth_codes')
    .values({
      code_hash: tokenHash(code),
      key_id: keyId,
      challenge,
      expires_at: now + codeLifetimeMs,
      used_at: null,
    })
    .execute()
}

async function notifyNewConnection(
  store: Store,
  {
    now,
    actor,
    from,
    pending: { request },
    limits,
    connection,
  }: ConnectionDraft & { from: ActionOrigin; connection: SavedConnection },
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
  await recordAction(store, {
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
