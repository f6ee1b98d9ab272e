import type { App } from '../../operations/app.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { bearerSecret } from '../../keys/format.ts'
import { invalidTokenRefusal, type ScimCaller } from '../../sso/scim/caller.ts'
import { findScimToken, recordScimUse } from '../../sso/scim/tokens.ts'
import type { Incoming } from '../transport/request-info.ts'

/** Requests per token. Providers send many at once initially. */
const quota = { perMinute: 1200, burst: 300 }

/**
 * The provider of a request's token. Only the Authorization header counts.
 * @throws Refusal unauthenticated, the same for every token that does not work; rate_limited
 */
export async function scimCaller(app: App, incoming: Incoming, route: string): Promise<ScimCaller> {
  const { limits } = app
  const authorization = incoming.header('authorization')
  const text = authorization === undefined ? undefined : bearerSecret(authorization)
  const match = text === undefined ? undefined : await findScimToken(app, text)
  if (match === undefined || match === 'known') {
    // An ended token is not a guess: a provider may keep sending it.
    if (authorization === undefined || match === 'known')
      limits.addresses.recordRequest(incoming.ip)
    else limits.addresses.recordFailure(incoming.ip)
    throw invalidTokenRefusal({ isAbsent: authorization === undefined })
  }
  const { provider, row } = match
  const wait = limits.spending.tryTake(row.id, 'scim', quota)
  if (wait > 0)
    throw new Refusal('rate_limited', 'Too many requests with this token.', {
      retry_after_seconds: wait,
    })
  await recordScimUse(app, row)
  const { requestId, ip } = incoming
  return {
    app,
    provider,
    token: {
      id: row.id,
      createdBy: (row.created_by as ScimCaller['token']['createdBy']) ?? undefined,
    },
    from: { requestId, ip },
    route,
  }
}
