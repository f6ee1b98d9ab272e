import { STATUS_CODES } from 'node:http'
import { Refusal, type RefusalCode, type RefusalMore } from '../../kernel/refusal.ts'
import { NotSignedIn, Unauthenticated } from '../../keys/verify.ts'
import { answerJson, type HeaderList } from './answers.ts'
import { lingeringBody } from './body.ts'
import type { Incoming } from './request-info.ts'

/** A refusal with a status specific to HTTP. */
export class HttpRefusal extends Refusal {
  readonly #status: number

  constructor(status: number, code: RefusalCode, message: string, more: RefusalMore | string = {}) {
    super(code, message, more)
    this.#status = status
  }

  override get status(): number {
    return this.#status
  }
}

/**
 * Types from https://www.iana.org/assignments/http-problem-types; any other is about:blank and identified by its
 * code.
 */
const types: Partial<Record<RefusalCode, string>> = {
  rate_limited: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
  plan_exceeded: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
  unavailable: 'https://iana.org/assignments/http-problem-types#temporary-reduced-capacity',
}

const abuseType = 'https://iana.org/assignments/http-problem-types#abnormal-usage-detected'

/** A violated abuse rule is named by `context.rule`. */
function problemTypeOf({ code, more }: Refusal): string {
  return code === 'rate_limited' && more.context?.rule !== undefined
    ? abuseType
    : (types[code] ?? 'about:blank')
}

/** A refusal in the format of RFC 9457. The members of its context are added to the standard ones. */
export function problemDetails(refusal: Refusal, requestId: string): Record<string, unknown> {
  const { context, ...body } = refusal.body()
  const { status } = refusal
  return {
    ...context,
    type: problemTypeOf(refusal),
    title: STATUS_CODES[status],
    status,
    ...body,
    detail: body.message,
    request_id: requestId,
  }
}

/** The answer to a request that was refused. */
export function problemAnswer(incoming: Incoming, refusal: Refusal): Response {
  const text = JSON.stringify(problemDetails(refusal, incoming.requestId))
  return refuseWith(incoming, refusal, text, [
    ['content-type', 'application/problem+json; charset=utf-8'],
  ])
}

/** The answer to a refused request with its own text, and the refusal's details in headers. */
export function refuseWith(
  incoming: Incoming,
  refusal: Refusal,
  text: string,
  headers: HeaderList,
): Response {
  const headerNames = new Set(headers.map(([name]) => name))
  const all = [...headers, ...refusalHeaders(refusal).filter(([name]) => !headerNames.has(name))]
  if (refusal.status !== 413 || !incoming.isUnread)
    return answerJson(incoming, refusal.status, text, all)
  const closingHeaders: HeaderList = [
    ['connection', 'close'],
    ['content-length', String(Buffer.byteLength(text))],
  ]
  return answerJson(incoming, refusal.status, lingeringBody(incoming.node!, text), [
    ...all,
    ...closingHeaders,
  ])
}

/**
 * Headers of a refusal: its entry in the call log, the challenge, the retry delay, the allowed methods, the current
 * revision.
 */
function refusalHeaders(refusal: Refusal): HeaderList {
  const { retry_after_seconds, context } = refusal.more
  const headers: [string, string][] = []
  if (refusal.callId !== undefined) headers.push(['x-call-id', refusal.callId])
  if (refusal.code === 'unauthenticated') headers.push(['www-authenticate', challenge(refusal)])
  if (retry_after_seconds !== undefined)
    headers.push(['retry-after', String(Math.max(1, Math.ceil(retry_after_seconds)))])
  if (refusal.code === 'method_not_allowed')
    headers.push(['allow', (context?.allow as string[]).join(', ')])
  if (typeof context?.current_revision === 'number')
    headers.push(['etag', `"${context.current_revision}"`])
  return headers
}

function challenge(refusal: Refusal): string {
  if (refusal instanceof NotSignedIn) return 'Cookie realm="workspace", form-action="/web/sign-in"' // no key opens these pages
  return refusal instanceof Unauthenticated && refusal.isAbsent
    ? 'Bearer realm="workspace"'
    : 'Bearer realm="workspace", error="invalid_token"'
}

export function methodNotAllowed(method: string, allow: readonly string[]): Refusal {
  return new Refusal('method_not_allowed', `${method.slice(0, 20)} is not allowed here.`, {
    hint: `Allowed: ${allow.join(', ')}.`,
    context: { allow },
  })
}

export function noRoute(method: string): Refusal {
  return new Refusal(
    'not_found',
    `There is nothing at this address${method === 'GET' ? '' : ` for ${method.slice(0, 20)}`}.`,
    'GET /api/openapi.json lists every path.',
  )
}
