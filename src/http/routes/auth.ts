import type { Actor, Via } from '../../kernel/actor.ts'
import type { App } from '../../operations/app.ts'
import { recordEarlyRefusal } from '../../operations/call/index.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import { Unauthenticated } from '../../keys/verify.ts'
import { calledUrl } from '../oauth/issuer.ts'
import type { Incoming } from '../transport/request-info.ts'

/** Purpose of a request: the operation, or its method and address, and the number of requests that it counts as. */
export interface Purpose {
  tool: string
  weight: number
  /** Name in the call log, such as `POST /api/tasks`. */
  route: string
  args?: unknown
}

/**
 * Authenticates the caller and admits the request.
 * @throws Unauthenticated, the same for every key that is not valid; Refusal rate_limited, or permission_denied for a
 * key that is suspended
 */
export async function authenticate(
  app: App,
  incoming: Incoming,
  via: 'api' | 'mcp',
  purpose: Purpose = defaultPurpose(incoming),
): Promise<Actor> {
  const actor = await identify(app, incoming, via, purpose)
  await admit(app, incoming, actor, purpose)
  return actor
}

/**
 * Identifies the caller. A key is accepted in the Authorization header only: not in the query, a cookie, a body or
 * any other header. Callers of this function alone must still `admit` the request.
 * @throws Unauthenticated; Refusal rate_limited if the address sent too many invalid keys
 */
export async function identify(
  app: App,
  incoming: Incoming,
  via: Via,
  purpose: Purpose = defaultPurpose(incoming),
): Promise<Actor> {
  try {
    return await app.keys.authenticate(incoming.header('authorization'), via, {
      ip: incoming.ip,
      client: incoming.header('user-agent')?.slice(0, 200),
      url: calledUrl(app, incoming),
    })
  } catch (error) {
    if (error instanceof Unauthenticated) countFailure(app, incoming, error, purpose)
    throw error
  }
}

/** Counts a request against its key's limits. @throws Refusal, already in the call log */
export async function admit(
  app: App,
  incoming: Incoming,
  actor: Actor,
  purpose: Purpose,
): Promise<void> {
  const { rateLimit, refusal } = app.limits.admit(actor, incoming.ip, purpose.weight)
  incoming.rateLimit = rateLimit
  if (refusal) throw await logRefusal(app, incoming, actor, purpose, refusal)
}

/** Logs a request that is refused at this point. Returns the refusal, for throwing. */
export function logRefusal(
  app: App,
  incoming: Incoming,
  actor: Actor,
  purpose: Purpose,
  error: unknown,
): Promise<Refusal> {
  const { requestId, ip, client } = incoming
  const transport = actor.via === 'mcp' ? ('mcp' as const) : ('rest' as const)
  return recordEarlyRefusal(
    app,
    actor,
    {
      tool: purpose.tool,
      args: purpose.args,
      transport,
      requestId,
      route: purpose.route,
      ip,
      client,
    },
    error,
  )
}

/** Logs a request with a valid key that names no operation, as `unknown`. Returns the refusal, for throwing. */
export function logUnknownRequest(
  app: App,
  incoming: Incoming,
  actor: Actor,
  refusal: Refusal,
): Promise<Refusal> {
  return logRefusal(app, incoming, actor, { ...defaultPurpose(incoming), tool: 'unknown' }, refusal)
}

/** Only this much of the address: arbitrary text must not get into the log. */
function defaultPurpose({ method, url }: Incoming): Purpose {
  const route = `${method.slice(0, 20)} ${url.pathname.startsWith('/api') ? '/api' : '/mcp'}`
  return { tool: route, weight: 1, route }
}

/** Records the use of a formerly valid key for its owner. Not awaited, so that all answers take the same time. */
function countFailure(
  app: App,
  incoming: Incoming,
  { isAbsent, knownKey }: Unauthenticated,
  purpose: Purpose,
): void {
  if (isAbsent) return app.limits.addresses.recordRequest(incoming.ip)
  if (!knownKey) return app.limits.addresses.recordFailure(incoming.ip)
  app.limits.addresses.recordRequest(incoming.ip) // an ended key is not a guess: many programs behind one address may still send theirs
  app.limits.logFailedRequest(knownKey, {
    ...purpose,
    requestId: incoming.requestId,
    ip: incoming.ip,
    client: incoming.client,
    transport: incoming.url.pathname.startsWith('/api') ? 'rest' : 'mcp',
  })
}
