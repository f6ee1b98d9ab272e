import { rpcOf, type RawResponse } from './requests.ts'

/**
 * Words that reveal internals: stacks, modules, engines. Checked in refusals only, because stored data may contain
 * anything.
 */
const insides =
  /\bat (?:async )?[\w.#<> ]+ \(?(?:file|node):|node:internal|node_modules|\bSQLITE_[A-Z]|SqliteError|better-sqlite3|\bKysely|argon2id\$|svc_[0-9A-Za-z]{61}/

/** Finds flaws in a REST answer, however invalid the request was; undefined if there are none. */
export function flawOf({ status, headers, json, text }: RawResponse): string | undefined {
  if (status >= 500) return `${status} ${text.slice(0, 300)}`
  if (typeof headers['x-request-id'] !== 'string') return `${status} without X-Request-Id`
  if ('x-injected' in headers || 'set-cookie' in headers) return 'a header that was injected'
  if (status < 400) return undefined
  if (!/^application\/problem\+json/.test(headers['content-type'] ?? ''))
    return `${status} is ${headers['content-type']}: ${text.slice(0, 300)}`
  const { code, message, status: bodyStatus, request_id } = (json ?? {}) as Record<string, unknown>
  if (bodyStatus !== status || !code || !message || !request_id || code === 'internal')
    return `${status} says ${text.slice(0, 300)}`
  return insides.test(text) ? `${status} tells of our insides: ${text.slice(0, 300)}` : undefined
}

/** The flaw of an answer over MCP. */
export function rpcFlawOf(answer: RawResponse): string | undefined {
  const { status, text } = answer
  if (status >= 500) return `${status} ${text.slice(0, 300)}`
  const { result, error } = (rpcOf(answer) ?? {}) as {
    result?: { isError?: boolean; structuredContent?: { code?: string } }
    error?: { code: number; message: string }
  }
  if (!result && typeof error?.code !== 'number') return `${status} says ${text.slice(0, 300)}`
  if (error?.code === -32603 || result?.structuredContent?.code === 'internal')
    return `an internal error: ${text.slice(0, 300)}`
  return (error || result?.isError) && insides.test(text)
    ? `it tells of our insides: ${text.slice(0, 300)}`
    : undefined
}
