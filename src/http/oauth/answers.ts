import type { Refusal } from '../../kernel/refusal.ts'
import { OAuthError } from '../../oauth/errors.ts'
import { toRefusal } from '../../db/failures.ts'
import type { App } from '../../operations/app.ts'
import { answerEmpty, answerJson, type HeaderList } from '../transport/answers.ts'
import { methodNotAllowed } from '../transport/problem.ts'
import type { Incoming, WebPage } from '../transport/request-info.ts'

/** Pages of any origin may call these addresses: they use no cookies, only secrets that the caller sends. */
const cors: HeaderList = [['access-control-allow-origin', '*']]

/** An address that programs of any site may call with one method. Errors are OAuth errors in JSON. */
export function oauthEndpoint(app: App, method: 'GET' | 'POST' | 'DELETE', page: WebPage): WebPage {
  const allow = method === 'GET' ? ['GET', 'HEAD', 'OPTIONS'] : [method, 'OPTIONS']
  return async (incoming) => {
    if (incoming.method === 'OPTIONS')
      return answerEmpty(incoming, 204, [
        ...cors,
        ['allow', allow.join(', ')],
        ['access-control-allow-methods', allow.join(', ')],
        ['access-control-allow-headers', 'content-type, authorization, mcp-protocol-version'],
        ['access-control-max-age', '86400'],
      ])
    try {
      if (!allow.includes(incoming.method)) throw methodNotAllowed(incoming.method, allow)
      return await page(incoming)
    } catch (error) {
      return answerError(incoming, asOAuthError(app, incoming, error), allow)
    }
  }
}

export function answerOAuth(
  incoming: Incoming,
  status: number,
  value: unknown,
  headers: HeaderList = [],
): Response {
  return answerJson(incoming, status, JSON.stringify(value), [...cors, ...headers])
}

/** Counts a request in its own bucket. @throws OAuthError slow_down */
export function spendRequest(
  app: App,
  incoming: Incoming,
  bucket: string,
  perMinute: number,
): void {
  const wait = app.limits.spending.tryTake(incoming.ip, bucket, { perMinute, burst: 20 })
  if (wait === 0) return
  throw new OAuthError('slow_down', 'Too many requests from this address.', {
    status: 429,
    retryAfterSeconds: wait,
  })
}

function answerError(incoming: Incoming, error: OAuthError, allow: readonly string[]): Response {
  const headers: [string, string][] = []
  if (error.status === 401 && incoming.header('authorization') !== undefined)
    headers.push(['www-authenticate', 'Basic realm="workspace", error="invalid_client"'])
  if (error.status === 405) headers.push(['allow', allow.join(', ')])
  if (error.retryAfterSeconds !== undefined)
    headers.push(['retry-after', String(error.retryAfterSeconds)])
  const body = { error: error.code, error_description: error.message.slice(0, 500) }
  return answerOAuth(incoming, error.status, body, headers)
}

/**
 * Converts any failure to an OAuth error. A busy or full database becomes temporarily_unavailable, so that no
 * program assumes that its request was wrong.
 */
export function asOAuthError(app: App, incoming: Incoming, error: unknown): OAuthError {
  if (error instanceof OAuthError) return error
  const refusal = toRefusal(app.log, error, {
    requestId: incoming.requestId,
    tool: incoming.url.pathname,
  })
  return oauthErrorOf(refusal)
}

function oauthErrorOf(refusal: Refusal): OAuthError {
  const { status, code, message } = refusal
  const retry = refusal.more.retry_after_seconds
  const more = retry === undefined ? {} : { retryAfterSeconds: Math.max(1, Math.ceil(retry)) }
  if (code === 'internal') return new OAuthError('server_error', message, { status })
  if (status >= 500)
    return new OAuthError('temporarily_unavailable', message, {
      status: 503,
      retryAfterSeconds: 5,
      ...more,
    })
  if (status === 429) return new OAuthError('slow_down', message, { status, ...more })
  return new OAuthError('invalid_request', message, { status })
}
