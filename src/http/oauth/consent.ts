// Endpoints behind the consent page. The token in the address identifies the request; the signed-in person decides about
// it.

import { z } from 'zod'
import { datetime } from '../../kernel/fields.ts'
import { omitNullish } from '../../kernel/present.ts'
import { invalid, notFound } from '../../kernel/refusal.ts'
import { parseToolset } from '../../kernel/toolsets.ts'
import { parseInstant, iso } from '../../kernel/time/times.ts'
import { findExisting } from '../../oauth/connection-rows.ts'
import { allowRequest, denyRequest } from '../../oauth/connections.ts'
import { isLoopbackRedirect, redirectHost } from '../../oauth/redirects.ts'
import { findRequest, type PendingRequest } from '../../oauth/requests.ts'
import { unknownScopes } from '../../oauth/scopes.ts'
import type { App } from '../../operations/app.ts'
import { EndpointReply } from '../../operations/endpoints/endpoint.ts'
import { endpoint, type ServerEndpoint } from '../web/endpoint.ts'
import { resourceLimits, type ResourceLimits } from './mcp-resource.ts'
import { ConnectionRequest, ConsentDecision } from './shapes.ts'

const readRequest = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/connect/requests/:token',
  name: 'get_connection_request',
  about: 'what a program asks for at the consent page, and what is known of it',
  output: ConnectionRequest,
  async handle(_, { app, signed: { actor }, params: { token = '' } }) {
    const pending = await requirePending(app, token)
    const { request, client } = pending
    const earlier = await findExisting(app.store.read, app.clock.now(), actor.id, request)
    const limits = limitsOf(app, pending)
    const unknown = unknownScopes(request.scope)
    return omitNullish({
      client: omitNullish({
        name: client.name,
        source: client.source,
        publisher: client.source === 'document' ? new URL(client.clientId).hostname : undefined,
        uri: client.uri,
      }),
      redirect: {
        host: redirectHost(request.redirect_uri),
        kind: redirectKindOf(request.redirect_uri),
      },
      resource: request.resource,
      may_write: requestsScope(request.scope, 'write') && !limits.readOnly,
      may_send: requestsScope(request.scope, 'send'),
      unknown_scopes: unknown.length > 0 ? unknown : undefined,
      toolsets: limits.toolsets,
      replaces: earlier && {
        id: earlier.id,
        name: earlier.name,
        created_at: iso(earlier.created_at),
      },
      expires_at: iso(request.expires_at),
    })
  },
})

const allow = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/connect/requests/:token',
  name: 'create_connection',
  about: 'connects the program: 201, and `redirect_to`, the address to send the browser to',
  input: {
    name: z.string().max(200),
    read_only: z.boolean(),
    hold_outbound: z.boolean(),
    toolsets: z.array(z.string().max(80)).max(100).nullable().optional(),
    expires_at: datetime().nullable().optional(),
  },
  logsItself: 'success',
  output: ConsentDecision,
  async handle(
    { name, read_only, hold_outbound, toolsets, expires_at },
    { app, signed: { actor }, from, params: { token = '' } },
  ) {
    const pending = await requirePending(app, token)
    const limits = limitsOf(app, pending)
    const expiresAt =
      expires_at == null ? undefined : parseInstant(expires_at, actor.timezone, 'end', 'expires_at')
    if (expiresAt !== undefined && expiresAt <= app.clock.now())
      throw invalid('expires_at', 'must be in the future.')
    const redirectTo = await allowRequest(
      app,
      { token, actor, from },
      {
        name,
        readOnly: read_only || limits.readOnly || !requestsScope(pending.request.scope, 'write'),
        holdOutbound: hold_outbound,
        toolsets: limitToolsets(toolsets ?? undefined, limits.toolsets),
        expiresAt,
      },
    )
    return new EndpointReply({ redirect_to: redirectTo }, { status: 201 })
  },
})

const deny = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/connect/requests/:token/deny',
  name: 'deny_connection',
  about: 'refuses the program; answers `redirect_to`',
  output: ConsentDecision,
  handle: async (_, { app, signed: { actor }, from, params: { token = '' } }) => ({
    redirect_to: await denyRequest(app, { token, actor, from }),
  }),
})

export const consentEndpoints: readonly ServerEndpoint[] = [readRequest, allow, deny]

/** @throws Refusal not_found */
async function requirePending({ store, clock }: App, token: string): Promise<PendingRequest> {
  const pending = await findRequest(store.read, clock.now(), token)
  if (!pending) throw notFound('authorization request', 'token')
  return pending
}

/**
 * Limits that the resource address sets; they were checked when the program asked, but modules may have been removed
 * since.
 */
function limitsOf(app: App, { request }: PendingRequest): ResourceLimits {
  const limits = resourceLimits(app, request.resource)
  if (!limits) throw notFound('authorization request', 'token')
  return limits
}

const requestsScope = (scope: string, what: 'write' | 'send') =>
  scope.split(' ').includes(`workspace:${what}`)

function redirectKindOf(redirect: string): 'web' | 'loopback' | 'app' {
  if (isLoopbackRedirect(redirect)) return 'loopback'
  return redirect.startsWith('https:') ? 'web' : 'app'
}

/** The chosen modules, limited to those of the address. @throws Refusal invalid_argument */
function limitToolsets(
  chosen: readonly string[] | undefined,
  allowed: readonly string[] | undefined,
): readonly string[] | undefined {
  if (!allowed || !chosen) return chosen ?? allowed
  const allowedByModule = new Map(
    allowed.flatMap((text) => parseToolset(text) ?? []).map((toolset) => [toolset.module, toolset]),
  )
  return chosen.map((text) => {
    const toolset = parseToolset(text)
    const allowedToolset = toolset && allowedByModule.get(toolset.module)
    if (!allowedToolset) throw invalid('toolsets', `the address does not open ${text}.`)
    return allowedToolset.readOnly ? `${allowedToolset.module}:ro` : text
  })
}
