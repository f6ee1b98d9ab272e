// Programs in browsers (desktop programs, extensions, pages of other sites) call with a key, which no browser adds by
// itself. Cookies are ignored here, so such a page can do no more than any other program with that key.

import type { Incoming } from './request-info.ts'

type Header = readonly [name: string, value: string]

/** Answer headers exposed to such programs, besides those that browsers expose anyway. */
const exposedHeaders = [
  'www-authenticate',
  'mcp-session-id',
  'x-request-id',
  'x-call-id',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'etag',
  'link',
  'location',
  'content-disposition',
].join(', ')
const allowedMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
const maxRequestedHeaders = 1000

/** Origins that may call besides our own: all, or those listed by the operator. */
export class AllowedOrigins {
  readonly #listed: ReadonlySet<string> | undefined

  /** `setting`: `any`, `none`, or origins separated by commas. */
  constructor(setting: string) {
    this.#listed =
      setting === 'any' ? undefined : new Set(setting === 'none' ? [] : setting.split(','))
  }

  has(origin: string): boolean {
    return this.#listed === undefined || this.#listed.has(origin)
  }
}

/** Headers of an answer to a program in a browser. */
export const crossOriginHeaders: readonly Header[] = [
  ['access-control-allow-origin', '*'],
  ['access-control-expose-headers', exposedHeaders],
]

/** Whether a request is a CORS preflight. */
export function isPreflight(incoming: Incoming): boolean {
  return (
    incoming.method === 'OPTIONS' && incoming.header('access-control-request-method') !== undefined
  )
}

/** Allows all headers that the browser names: the request itself decides which count. */
export function preflightHeaders(incoming: Incoming): Header[] {
  const requestedHeaders = incoming.header('access-control-request-headers') ?? ''
  const isList =
    requestedHeaders !== '' &&
    requestedHeaders.length <= maxRequestedHeaders &&
    /^[\w\-, ]*$/.test(requestedHeaders)
  return [
    ['access-control-allow-methods', allowedMethods],
    ...(isList ? [['access-control-allow-headers', requestedHeaders] as const] : []),
    ['access-control-max-age', '86400'],
    ['vary', 'origin, access-control-request-headers'],
  ]
}
